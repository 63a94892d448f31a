// SPDX-License-Identifier: BSD-3-Clause
#include "scree/scenes/toothed_ring.hpp"

#include <cmath>

#include "scree/core/names.hpp"
#include "scree/scenes/build.hpp"

namespace scree {
namespace {

constexpr double turn = 2 * 3.141592653589793238462643383279;

/// The angle under which two tangent discs of radii a and b on the ring are seen.
double angle(double a, double b, double ring) { return 2 * std::asin((a + b) / (2 * ring)); }

}  // namespace

ToothedRing::Disc ToothedRing::disc(std::int64_t k) const {
  const std::int64_t group = k / (1 + between), within = k % (1 + between);
  double at = turn * double(group) / double(teeth);
  if (within > 0) at += angle(tooth, small, radius) + double(within - 1) * angle(small, small, radius);
  return {{radius * std::cos(at), radius * std::sin(at)}, within == 0 ? tooth : small};
}

ToothedRing toothed_ring(double radius, double tooth, double spacing, double suggested) {
  ToothedRing ring{radius, 0, 0, tooth, 0};
  if (!(tooth + suggested < radius))
    throw BuildError("tooth_radius", "expected discs smaller than the ring of " + brief(radius) +
                                         " m, found " + brief(tooth) + " m and wall_radius = " +
                                         brief(suggested) + " m");
  ring.teeth = static_cast<std::int64_t>(std::floor(turn * radius / spacing));
  if (ring.teeth < 1)
    throw BuildError("tooth_spacing", "no tooth fits: expected at most the ring's length " +
                                          brief(turn * radius) + " m, found " + brief(spacing) + " m");
  const double step = turn / double(ring.teeth);
  const auto excess = [&](double w) {
    return 2 * angle(tooth, w, radius) + double(ring.between - 1) * angle(w, w, radius) - step;
  };
  const double room = step - 2 * angle(tooth, suggested, radius);
  if (room < 0)
    throw BuildError("tooth_spacing",
                     "no disc of wall_radius = " + brief(suggested) + " m fits between two teeth of " +
                         brief(tooth) + " m; expected at least " + brief(2 * (tooth + suggested)) +
                         " m, found " + brief(spacing) + " m");
  ring.between = 1 + static_cast<std::int64_t>(std::floor(room / angle(suggested, suggested, radius)));
  // The left side grows with w; it fits at the suggested radius, and one disc fewer than the whole
  // ring can hold does not fit at R - t. Halving goes on until doubles end.
  double low = suggested, high = radius - tooth;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (excess(middle) > 0 ? high : low) = middle;
  }
  ring.small = low;
  if (std::abs(excess(low)) > 1e-12)
    throw BuildError("tooth_spacing", "so few discs do not close the ring; expected a smaller spacing");
  return ring;
}

}  // namespace scree
