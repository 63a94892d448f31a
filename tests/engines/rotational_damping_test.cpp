// SPDX-License-Identifier: BSD-3-Clause
/// Rotational damping of a single contact against its closed form, for each law: a block lies flat on a floor or on
/// another block, without friction, and is given a spin and a speed. A step of symplectic Euler turns the torque at
/// the start into a change of spin, h M/I; all other torques on a block that lies flat are zero.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/polygons.hpp"

namespace scree {
namespace {

using namespace test;

constexpr double Y = 1e7, gamma_n = 0.5, gamma_t = 0.1, h = 1e-6;
constexpr double width = 0.2, height = 0.06, depth = 1e-4;

/// Torque of the damping on the grains, from one step. A spin has a rounding error of 2⁻⁵³ w, which makes one of
/// I w 2⁻⁵³/h in the torque; the clip errs by some 1e-13 of its lengths over the depth, 1e-9. Below, torques are more than
/// 1e-5 I w/h, of which the spin's rounding is 1e-11, and 1e-8 of them is asked for.
constexpr double tolerance = 1e-8;

struct Block {
  double width, height, speed, spin;
  double mass() const { return 5000 * width * height; }
  double inertia() const { return mass() * (width * width + height * height) / 12; }
};

/// On the floor if alone, else on top of the first.
std::vector<double> torques(const AnyRotational& law, const std::vector<Block>& blocks) {
  ContactLaws laws;
  laws.normal = OverlapArea{Y, gamma_n};
  laws.rotational = law;
  auto scene = layer(laws, "symplectic-euler");
  double top = -depth;
  for (const Block& b : blocks) {
    add_polygon(scene, box(b.width, b.height), {0, top + b.height / 2}, 0, {b.speed, 0}, b.spin);
    top += b.height - depth;
  }
  if (blocks.size() == 1) add_plane(scene, {0, 0}, {0, 1});
  Simulation<2, double> sim(scene, h, 0.0);
  sim.start();
  sim.step();
  std::vector<double> found;
  for (std::uint32_t k = 0; k < blocks.size(); ++k)
    found.push_back((scene.world.state.w[place(scene, k)][0] - blocks[k].spin) * blocks[k].inertia() / h);
  return found;
}

/// P is half the depth inside: |r| of a block.
double arm(const Block& b) { return (b.height - depth) / 2; }

TEST(ChordDamping, IsTheMomentOfTheNormalDashpotsOverTheChord) {
  const Block slow{width, height, 0, 0.01};
  const double l = 4 * arm(slow);
  const double expected = -gamma_n * std::sqrt(slow.mass() * Y) * std::pow(width, 3) / (12 * l) * slow.spin;
  EXPECT_NEAR(torques(ChordDamping{gamma_n, Y}, {slow})[0], expected, tolerance * std::abs(expected));
  // No dashpot pulls: at most the elastic force at the end of the chord.
  const Block fast{width, height, 0, 6};
  const double most = -width / 2 * Y * width * depth / l;
  ASSERT_GT(fast.spin / slow.spin * expected / most, 2);
  EXPECT_NEAR(torques(ChordDamping{gamma_n, Y}, {fast})[0], most, tolerance * std::abs(most));
}

TEST(ChordDamping, IsACoupleOnTheRelativeSpinOfTwoGrains) {
  const Block below{width, height, 0, 0.002}, above{0.1, 0.04, 0, -0.01};
  const double ra = arm(below), rb = arm(above), l = 4 * ra * rb / (ra + rb);
  const double mass = below.mass() * above.mass() / (below.mass() + above.mass());
  const double expected = -gamma_n * std::sqrt(mass * Y) * std::pow(above.width, 3) / (12 * l) * (below.spin - above.spin);
  const auto found = torques(ChordDamping{gamma_n, Y}, {below, above});
  EXPECT_NEAR(found[0], expected, tolerance * std::abs(expected));
  EXPECT_NEAR(found[1], -expected, tolerance * std::abs(expected));
}

TEST(MatrixDamping, IsEquationOneOnTheFloorAgainstTheSpin) {
  // r is vertical, so |r × v_T|/|r| = |v_T| with v_T = speed + spin |r|. Here the foot goes backwards: v_T and the spin
  // have different signs, which is where the two readings of the sign part.
  Block b{width, height, 0, 0.01};
  b.speed = -2 * b.spin * arm(b);
  const double slip = b.speed + b.spin * arm(b), size = gamma_t * std::sqrt(b.inertia() * Y) * std::abs(slip);
  ASSERT_LT(slip, 0);
  EXPECT_NEAR(torques(MatrixDamping{gamma_t, Y}, {b})[0], -size, tolerance * size);
  EXPECT_NEAR(torques(MatrixDampingAsPrinted{gamma_t, Y}, {b})[0], size, tolerance * size);  // it feeds the spin
}

TEST(MatrixDamping, TakesTheMeanOfBothMagnitudesEachWithItsSign) {
  const Block below{width, height, 0.001, 0.002}, above{0.1, 0.04, -0.003, -0.01};
  // the upper side of the lower block goes by -spin |r|, the foot of the upper one by +spin |r|
  const double slip = (below.speed - below.spin * arm(below)) - (above.speed + above.spin * arm(above));
  const double mean = gamma_t * std::sqrt(Y) * (std::sqrt(below.inertia()) + std::sqrt(above.inertia())) / 2 * std::abs(slip);
  const auto spin = torques(MatrixDamping{gamma_t, Y}, {below, above});
  EXPECT_NEAR(spin[0], -mean, tolerance * mean);  // below turns faster than above
  EXPECT_NEAR(spin[1], mean, tolerance * mean);
  // r × v_T: r points up to the contact from below and down from above, and each sees the other's slip, so both have one sign
  const auto printed = torques(MatrixDampingAsPrinted{gamma_t, Y}, {below, above});
  const double turn = -arm(below) * slip;
  EXPECT_NEAR(printed[0], turn > 0 ? -mean : mean, tolerance * mean);
  EXPECT_NEAR(printed[1], turn > 0 ? -mean : mean, tolerance * mean);
}

TEST(MatrixDamping, IsCutOffWhereItStopsTheGrainInItsMatrix) {
  // Without elastic torque T~ = I (w - w0)/τ. A huge coefficient leaves -T~: the spin relative to the floor, v_T/|r|, is taken
  // away in one step. Read as printed w0 is the relative spin itself, so that w - v_T/|r| goes: here half of w.
  Block still{width, height, 0, 0.01}, moving = still;
  moving.speed = -0.5 * moving.spin * arm(moving);
  const double whole = still.inertia() * still.spin / h;
  EXPECT_NEAR(torques(MatrixDamping{1e6, Y}, {still})[0], -whole, tolerance * whole);
  EXPECT_NEAR(torques(MatrixDamping{1e6, Y}, {moving})[0], -whole / 2, tolerance * whole);
  EXPECT_NEAR(torques(MatrixDampingAsPrinted{1e6, Y}, {moving})[0], -whole / 2, tolerance * whole);
}

}  // namespace
}  // namespace scree
