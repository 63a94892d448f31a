// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/grain_stress.hpp"

#include <algorithm>
#include <numbers>

namespace scree {

std::vector<double> grain_pressures(const Frame& frame) {
  const auto dim = static_cast<std::size_t>(frame.dim);
  std::vector<double> p(frame.size(), 0.0);
  const auto index_of = [&](std::int64_t id) {
    return static_cast<std::size_t>(std::lower_bound(frame.id.begin(), frame.id.end(), id) - frame.id.begin());
  };
  const FrameContacts& c = frame.contacts;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const std::size_t i = index_of(c.id1[k]);
    double own = 0, partner = 0;
    for (std::size_t a = 0; a < dim; ++a) {
      const double f = c.force[k * dim + a], arm = c.point[k * dim + a] - frame.x[i * dim + a];
      own += f * arm;
      partner -= f * (arm - c.branch[k * dim + a]);  // over a period too: the branch is the short way
    }
    p[i] -= own;
    if (c.id2[k] >= 0) p[index_of(c.id2[k])] -= partner;
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double r = frame.radius[i];
    const double volume = dim == 2 ? std::numbers::pi * r * r : 4.0 / 3.0 * std::numbers::pi * r * r * r;
    p[i] /= static_cast<double>(dim) * volume;
  }
  return p;
}

}  // namespace scree
