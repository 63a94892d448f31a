// SPDX-License-Identifier: BSD-3-Clause
/// Forces that are not of contacts, by their formulas; that a run writes what they need is in tests/cli/fields.sh.
#include "scree/fields/body_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "tests/fields/clouds.hpp"

namespace scree::fields {
namespace {

Surroundings surroundings() {
  std::vector<Group<2>> groups(3);
  groups[1].drag = 0.7;
  groups[1].attachment = 12;
  groups[2].pushes = {{{1, 2}, {3, 4}, {}, {}, 0.8, 0.3, 1.0, 2.0}, {{-5, 0}, {}, {}, {}, 0, 0, -forever, 1.25}};
  RunInfo info;
  info.forces = forces_json<2>(groups);
  info.home_id = {4, 13};
  info.home = {0.1, 0.2, 0.3, 0.4};
  return surroundings_of(info);
}

TEST(BodyForce, DragAttachmentsAndPushesAreThoseOfTheGroup) {
  const Frame f = clouds::cloud({});  // ids 1, 4, 7 …, groups 0, 1, 2, 0 …; t = 1.25
  const Surroundings around = surroundings();
  double none[2]{}, held[2]{}, pushed[2]{};
  add_group_force(around, f, 0, none);
  EXPECT_EQ(none[0], 0);
  add_group_force(around, f, 1, held);
  add_group_force(around, f, 2, pushed);
  const double wave = std::sin(2 * M_PI * 0.8 * 1.25 + 0.3);  // the second push is over
  for (std::size_t a = 0; a < 2; ++a) {
    EXPECT_NEAR(held[a], -0.7 * f.radius[1] * f.v[2 + a] - 12 * (f.x[2 + a] - (a == 0 ? 0.1 : 0.2)), 1e-14);
    EXPECT_NEAR(pushed[a], a == 0 ? 1 + 3 * wave : 2 + 4 * wave, 1e-14);
  }
}

TEST(BodyForce, AnAttachmentThatNobodyWroteDownIsRefused) {
  const Frame f = clouds::cloud({});
  double force[2]{};
  EXPECT_NO_THROW(add_group_force(surroundings(), f, 4, force));  // id 13
  EXPECT_THROW(add_group_force(surroundings(), f, 7, force), InputError);
}

// The engine moves grains that are held by their motion alone, and no run writes homes for them.
TEST(BodyForce, HeldGrainsFeelNothing) {
  Frame f = clouds::cloud({});
  const Surroundings around = surroundings();
  for (const std::size_t i : {1u, 2u, 7u}) {  // attached, pushed, attached without a home
    f.held[i] = 1;
    double force[2]{};
    ASSERT_NO_THROW(add_group_force(around, f, i, force));
    EXPECT_EQ(force[0], 0);
    EXPECT_EQ(force[1], 0);
  }
}

TEST(BodyForce, GroupsWithoutForcesWriteNothing) {
  EXPECT_EQ(forces_json<3>(std::vector<Group<3>>(2)), "");
  EXPECT_TRUE(forces_from_json("").empty());
  EXPECT_THROW(forces_from_json("[{}]"), RunError);
}

}  // namespace
}  // namespace scree::fields
