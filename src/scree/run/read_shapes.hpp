// SPDX-License-Identifier: BSD-3-Clause
/// shape = { kind = … } and angle of [[grains]] and [[insert]] blocks. Only for run/.
#pragma once

#include <string>
#include <vector>

#include "scree/grains/shape.hpp"
#include "scree/io/toml_reader.hpp"
#include "scree/shapes/polygon_library.hpp"

namespace scree {

/// What a block says of the shapes of its grains.
class ShapeSpec {
 public:
  bool angular() const { return kind_ != Kind::round; }
  /// Outlines of a file or list bring their sizes along; `radius` then is not required.
  bool sized() const { return !sizes_.empty(); }
  double largest() const;

  /// The shape of the block's k-th grain, entered into the world's list where it is new.
  ShapeIndex of(std::size_t k, std::uint32_t id, std::uint64_t seed, std::vector<GrainShape>& shapes);
  /// How many outlines a file or list has.
  std::size_t listed() const { return kind_ == Kind::listed ? outlines_.size() : 0; }
  /// For grains that come in one by one: enters `count` shapes to draw from and gives the first.
  ShapeIndex enter(std::uint32_t& count, std::uint64_t seed, std::vector<GrainShape>& shapes);
  /// The size that the k-th grain's outline was given with, m.
  double size(std::size_t k) const { return sizes_[k % sizes_.size()]; }

 private:
  friend ShapeSpec read_shape(TomlTable&, int, const std::string&, const std::string&, std::uint64_t&, std::vector<std::string>&);
  enum class Kind { round, same, listed, random };
  Kind kind_ = Kind::round;
  std::vector<GrainShape> outlines_;  // same: one; listed: all of them
  std::vector<double> sizes_;
  RandomPolygons random_;
  ShapeIndex first_ = 0;         // once entered
};

/// `who` names the grains in complaints; files are looked for from `folder`, and their bytes go into `hash`. What was
/// mended is noted.
ShapeSpec read_shape(TomlTable& block, int dim, const std::string& folder, const std::string& who, std::uint64_t& hash,
                     std::vector<std::string>& notes);

/// angle = a number in rad, or "random": bounds of a uniform draw.
struct Angles {
  double min = 0, max = 0;
  bool given = false;
};
Angles read_angle(TomlTable& block, int dim);

/// The shape of an outline in m, and its radius.
std::pair<GrainShape, double> shape_of(const Outline& outline);

}  // namespace scree
