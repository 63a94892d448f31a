// SPDX-License-Identifier: BSD-3-Clause
#include "scree/io/lammps.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace scree {

void write_lammps_frame(AtomicFile& out, const Frame& f, const RunInfo& info) {
  const auto dim = static_cast<std::size_t>(f.dim);
  std::array<double, 3> lo{}, hi{};
  std::array<bool, 3> periodic{};
  for (std::size_t k = 0; k < 3; ++k) {
    periodic[k] = k < info.period.size() && info.period[k] > 0;
    if (k < info.lo.size()) lo[k] = info.lo[k];
    hi[k] = periodic[k] ? lo[k] + info.period[k] : k < info.hi.size() ? info.hi[k] : lo[k];
    // Open axes, and grains outside: the box is drawn around all of them.
    bool first = !periodic[k] && k >= info.lo.size();
    for (std::size_t i = 0; i < f.size() && !periodic[k]; ++i) {
      const double x = k < dim ? f.x[i * dim + k] : 0.0, r = f.radius[i];
      lo[k] = first ? x - r : std::min(lo[k], x - r);
      hi[k] = first ? x + r : std::max(hi[k], x + r);
      first = false;
    }
  }
  std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS",
                                 f.step, f.size());
  for (const bool p : periodic) text += p ? " pp" : " ff";
  text += '\n';
  for (std::size_t k = 0; k < 3; ++k) text += fmt::format("{:.17g} {:.17g}\n", lo[k], hi[k]);
  text += "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz";
  text += f.shape.empty() ? "\n" : " angle shape\n";
  const auto vector = [&](const std::vector<double>& c, std::size_t i, std::size_t k) {
    return k < dim ? c[i * dim + k] : 0.0;
  };
  const auto spin = [&](std::size_t i, std::size_t k) {
    if (f.w.empty()) return 0.0;
    return dim == 3 ? f.w[3 * i + k] : k == 2 ? f.w[i] : 0.0;
  };
  auto to = std::back_inserter(text);
  for (std::size_t i = 0; i < f.size(); ++i) {
    fmt::format_to(to, "{} {}", f.id[i], f.material.empty() ? 1 : f.material[i] + 1);
    for (std::size_t k = 0; k < 3; ++k) fmt::format_to(to, " {:.17g}", vector(f.x, i, k));
    fmt::format_to(to, " {:.17g}", f.radius[i]);
    for (std::size_t k = 0; k < 3; ++k) fmt::format_to(to, " {:.17g}", vector(f.v, i, k));
    for (std::size_t k = 0; k < 3; ++k) fmt::format_to(to, " {:.17g}", spin(i, k));
    if (!f.shape.empty()) fmt::format_to(to, " {:.17g} {}", f.q[i], f.shape[i]);
    text += '\n';
    if (text.size() > 1 << 20) {
      out.write(text);
      text.clear();
    }
  }
  out.write(text);
}

}  // namespace scree
