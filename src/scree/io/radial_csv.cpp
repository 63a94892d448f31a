// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/radial_csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/analysis/deposit.hpp"
#include "scree/core/errors.hpp"

namespace scree {

RadialResult write_radial_csv(const RunReader& run, const std::filesystem::path& dir, const ExportOptions& frames,
                              const RadialOptions& options) {
  if (run.info().dim != 2)
    throw InputError(run.path().string() + ": a radial profile needs a run with dim = 2");
  const auto indices = chosen_frames(run, frames);
  const RadialExtent extent = radial_extent(run.frame(indices.front()), options.x, options.y);
  if (!(extent.hi > extent.lo)) throw InputError(run.path().string() + " has no free grains");
  const RadialProfile empty(options.x, options.y, extent.lo, extent.hi, options.bins);
  std::vector<RadialProfile> blocks(std::min<std::size_t>(10, indices.size()), empty);
  for (std::size_t k = 0; k < indices.size(); ++k) blocks[k * blocks.size() / indices.size()].observe(run.frame(indices[k]));
  RadialProfile profile = empty;
  for (const RadialProfile& block : blocks) profile.add(block);
  RadialResult result{dir / "radial.csv", profile.rows(), {}, {}, profile.nearest(), profile.farthest(), profile.frames()};
  const double skip = options.skip < 0 ? 2 * mean_free_radius(run.frame(indices.front())) : options.skip;
  result.decay = decay_of(result.rows, options.floor, extent.lo + skip);
  result.interval = decay_interval(blocks, options.floor, extent.lo + skip);
  std::string text = "r,packing,v_t,v_r,rate,spin\n";
  for (const auto& row : result.rows)
    text += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", row.r, row.packing, row.tangential,
                        row.radial, row.rate, row.spin);
  make_folder(dir);
  write_file(result.file, text);
  return result;
}

}  // namespace scree
