// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/lattice.hpp"

#include <algorithm>

#include "scree/core/names.hpp"

namespace scree {
namespace {

/// How lines, rows and layers of a lattice follow each other, in units of the spacing: row b is
/// `row` above row b - 1 and shifted along the first axis by `shift` if b is odd; layers likewise.
struct Stacking {
  double row = 1, row_shift = 0;  // along the second axis
  double layer = 1;               // along the third
  double layer_shift_x = 0, layer_shift_y = 0;
};
Stacking square() { return {}; }
Stacking hexagonal() {
  // triangles in a plane; in space the second layer sits in every other hollow (hcp)
  return {std::sqrt(3.0) / 2, 0.5, std::sqrt(2.0 / 3), 0.5, 1 / (2 * std::sqrt(3.0))};
}

template <int D>
Vec<D, double> lattice_point(const Stacking& s, const std::array<std::int64_t, 3>& n) {
  Vec<D, double> p{};
  const bool odd_row = n[1] % 2 != 0, odd_layer = n[2] % 2 != 0;
  p[0] = double(n[0]) + (odd_row ? s.row_shift : 0) + (D == 3 && odd_layer ? s.layer_shift_x : 0);
  p[1] = double(n[1]) * s.row + (D == 3 && odd_layer ? s.layer_shift_y : 0);
  if constexpr (D == 3) p[2] = double(n[2]) * s.layer;
  return p;
}

}  // namespace

template <int D> void Lattice<D>::build(const Site<D>& site, Sketch<D>& sketch) const {
  site.need_radii();
  const std::vector<std::string> kinds = D == 2 ? std::vector<std::string>{"square", "hexagonal"}
                                                : std::vector<std::string>{"cubic", "hexagonal"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    throw BuildError("kind", "expected a lattice (" + join(kinds) + "), found " + in_quotes(kind) +
                                 did_you_mean(kind, kinds));
  const Stacking stacking = kind == "hexagonal" ? hexagonal() : square();
  const double step =
      spacing > 0 ? spacing : 2.0 * site.radii.max * (jitter > 0 ? 1.05 : 1.0 + 1e-9);
  const double gap = jitter * std::max(0.0, step - 2 * site.radii.max);
  const Vec<3, double> rise{1, stacking.row, stacking.layer};

  std::array<std::int64_t, 3> n{1, 1, 1};
  Vec<D, double> first = origin;
  Vec<D, double> high{};
  if (!counts.empty() && !box.empty())
    throw BuildError("counts", "given beside \"box\"; expected one of them");
  if (!counts.empty()) {
    if (counts.size() != std::size_t(D))
      throw BuildError("counts", "expected " + std::to_string(D) + " integers, found " +
                                     std::to_string(counts.size()));
    for (int a = 0; a < D; ++a) n[std::size_t(a)] = counts[std::size_t(a)];
  } else {
    check_box<D>(box, "box");
    for (int a = 0; a < D; ++a) {
      first[a] = box[0][a] + site.radii.max;
      high[a] = box[1][a] - site.radii.max * (1 - 1e-12);
      n[std::size_t(a)] = fits(high[a] - first[a], step * rise[a]);
    }
  }
  double most = 1;
  for (const auto one : n) most *= double(one);
  site.check_count(count > 0 ? std::min(most, double(count)) : most,
                   counts.empty() ? "box" : "counts");
  // points shifted out of the box are left out, the rest in order from the bottom
  const auto outer = D == 2 ? n[1] : n[2];
  const auto middle = D == 2 ? std::int64_t{1} : n[1];
  for (std::int64_t c = 0; c < outer; ++c)
    for (std::int64_t b = 0; b < middle; ++b)
      for (std::int64_t a = 0; a < n[0]; ++a) {
        if (count > 0 && sketch.size() >= std::size_t(count)) return;
        const auto p = lattice_point<D>(
            stacking, D == 2 ? std::array{a, c, std::int64_t{0}} : std::array{a, b, c});
        const Vec<D, double> x = first + p * step;
        bool inside = true;
        if (counts.empty())
          for (int k = 0; k < D; ++k) inside = inside && x[k] <= high[k] + 1e-9 * step;
        if (!inside) continue;
        const std::size_t k = sketch.size();
        sketch.add(jittered(site, k, x, gap), site.radius(k));
      }
  if (count > 0 && sketch.size() < std::size_t(count))
    throw BuildError("count", "only " + std::to_string(sketch.size()) + " of " +
                                  std::to_string(count) + " grains fit into the box");
  if (sketch.size() == 0) throw BuildError("box", "no grain fits into the box");
}

template struct Lattice<2>;
template struct Lattice<3>;

}  // namespace scree
