// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scree/core/fields.hpp"
#include "scree/scenes/build.hpp"

namespace scree {

/// Grains from a CSV file with a header: x,y[,z] and any of vx,vy[,vz], w (or wx,wy,wz), radius,
/// fixed (0 or 1), mass, stiffness. A file written by `export --csv` will do: of its frames the last is taken, or
/// the one that is asked for; its columns frame, time and id are otherwise ignored.
template <int D> struct FromFile {
  static constexpr std::string_view name = "file";
  static constexpr std::string_view meaning = "grains from a CSV file";
  std::string path;
  std::int64_t frame = -1;

  static constexpr auto fields() {
    return std::tuple{
        field<&FromFile::path>("path", "", any, "CSV file, relative to the scene file"),
        field<&FromFile::frame>("frame", "", any, "which frame; -1: the last")};
  }
  /// The file that is meant, relative to the current folder.
  std::string resolved(const Site<D>&) const;
  void build(const Site<D>&, Sketch<D>&) const;
};

}  // namespace scree
