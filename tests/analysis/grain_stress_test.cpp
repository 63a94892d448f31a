// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/grain_stress.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace scree {
namespace {

using std::numbers::pi;

/// A disc of radius r between n smooth partners around it, each pressing with F: the stress is
/// isotropic, and with forces along the radius -tr(s)/2 = n F r / (2 pi r^2). A pair of partners
/// alone gives the trace of uniaxial compression by the same formula.
TEST(GrainStress, OfADiscPressedFromAllSidesIsTheForceOverItsLength) {
  const double r = 0.02, F = 3;
  for (const std::int64_t n : {2, 3, 5, 6}) {
    Frame f;
    f.has_contacts = true;
    f.id = {4};
    f.x = {1, 2};
    f.radius = {r};
    for (std::int64_t k = 0; k < n; ++k) {
      const double a = 2 * pi * double(k) / double(n), nx = std::cos(a), ny = std::sin(a);
      f.id.push_back(10 + k);
      f.x.insert(f.x.end(), {1 + 3 * r * nx, 2 + 3 * r * ny});
      f.radius.push_back(2 * r);
      f.contacts.id1.push_back(4);
      f.contacts.id2.push_back(10 + k);
      f.contacts.overlap.push_back(0);
      f.contacts.force.insert(f.contacts.force.end(), {-F * nx, -F * ny});
      f.contacts.point.insert(f.contacts.point.end(), {1 + r * nx, 2 + r * ny});
      f.contacts.branch.insert(f.contacts.branch.end(), {3 * r * nx, 3 * r * ny});
    }
    const auto p = grain_pressures(f);
    EXPECT_NEAR(p[0], double(n) * F / (2 * pi * r), 1e-12 * p[0]) << n;
    // A partner has this one contact only: F times its radius.
    for (std::size_t k = 1; k < p.size(); ++k) EXPECT_NEAR(p[k], F / (2 * pi * 2 * r), 1e-12 * p[0]);
  }
}

TEST(GrainStress, CountsWallsAndVolumesInSpace) {
  Frame f;
  f.dim = 3;
  f.has_contacts = true;
  f.id = {0, 1};
  f.x = {0, 0, 1, 5, 5, 5};
  f.radius = {1, 1};
  f.contacts.id1 = {0};
  f.contacts.id2 = {-1};
  f.contacts.overlap = {0};
  f.contacts.force = {0.5, 0, 8};  // the tangential part has no arm along itself
  f.contacts.point = {0, 0, 0};
  f.contacts.branch = {0, 0, -1};
  const auto p = grain_pressures(f);
  EXPECT_NEAR(p[0], 8 / (3 * (4 * pi / 3)), 1e-15);
  EXPECT_EQ(p[1], 0);
}

}  // namespace
}  // namespace scree
