// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/profile_csv.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

/// What the free grains of some frames reach along an axis.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(const Frame& f, int axis) {
    const auto dim = static_cast<std::size_t>(f.dim), a = static_cast<std::size_t>(axis);
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f.held[i]) continue;
      low = std::min(low, f.x[dim * i + a] - f.radius[i]);
      high = std::max(high, f.x[dim * i + a] + f.radius[i]);
    }
  }
};

}  // namespace

ProfileResult write_profile_csv(const RunReader& run, const std::filesystem::path& dir, const ExportOptions& frames,
                                const ProfileOptions& options) {
  const RunInfo& info = run.info();
  const std::string where = run.path().string();
  if (options.axis >= info.dim) throw InputError(where + ": a run in the plane has no axis z");
  ProfileResult result;
  // At equal intervals: the table has rows at frames as well as in between.
  constexpr std::size_t looks = 400;
  const auto energies = run.energies();
  std::vector<double> kinetic, times;
  if (energies.size() > 40) {
    std::size_t at = 0;
    for (std::size_t k = 0; k <= looks; ++k) {
      const double t = energies.front().time + (energies.back().time - energies.front().time) * static_cast<double>(k) / looks;
      while (at + 1 < energies.size() && energies[at].time < t) ++at;
      kinetic.push_back(energies[at].kinetic + energies[at].rotational);
      times.push_back(energies[at].time);
    }
  }
  result.steady = find_steady(kinetic);
  result.steady_from = result.steady.from < times.size() ? times[result.steady.from] : 0;
  if (options.steady_only && !result.steady.steady)
    throw InputError(where + ": the kinetic energy has not become steady; a longer run may, or take the frames you want with --frames");

  std::vector<std::size_t> indices;
  for (const std::size_t k : chosen_frames(run, frames))
    if (!options.steady_only || run.times()[k] >= result.steady_from) indices.push_back(k);
  if (indices.empty()) throw InputError(where + ": no frame after the flow became steady");
  std::array<Extent, 3> extent;
  for (const std::size_t k : indices) {
    const Frame frame = run.frame(k);
    for (int a = 0; a < info.dim; ++a) extent[static_cast<std::size_t>(a)].add(frame, a);
  }
  const auto axis = static_cast<std::size_t>(options.axis);
  if (!(extent[axis].high > extent[axis].low)) throw InputError(where + " has no free grains");

  const auto period = [&](std::size_t a) { return a < info.period.size() ? info.period[a] : 0.0; };
  Slabs slabs{options.axis, extent[axis].low, extent[axis].high, options.bins, 1};
  if (period(axis) > 0) {
    slabs.low = info.lo[axis];
    slabs.high = info.hi[axis];
    slabs.period = period(axis);
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(info.dim); ++a)
    if (a != axis) slabs.area *= period(a) > 0 ? period(a) : extent[a].high - extent[a].low;
  Profile profile(slabs);
  for (const std::size_t k : indices) profile.add(run.frame(k));
  result.rows = profile.rows();
  result.frames = indices.size();

  std::string text = fmt::format("{},packing,vx,vy{},temperature\n", "xyz"[options.axis], info.dim == 3 ? ",vz" : "");
  for (const auto& row : result.rows) {
    text += fmt::format("{:.17g},{:.17g}", row.z, row.packing);
    for (std::size_t a = 0; a < static_cast<std::size_t>(info.dim); ++a) text += fmt::format(",{:.17g}", row.velocity[a]);
    text += fmt::format(",{:.17g}\n", row.temperature);
  }
  result.file = dir / "profile.csv";
  make_folder(dir);
  write_file(result.file, text);
  return result;
}

}  // namespace scree
