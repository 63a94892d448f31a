// SPDX-License-Identifier: BSD-3-Clause
/// The references that orders are measured against, compared with values computed elsewhere.
#include "scree/studies/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/laws/collision.hpp"
#include "scree/studies/convergence.hpp"
#include "scree/studies/pair_scene.hpp"

namespace scree {
namespace {

double value(const dd& x) { return static_cast<double>(x); }

AnyScene head_on(const std::string& set, const std::string& law, double eps, bool attraction = true) {
  PairScene scene = head_on_scene(parameter_set(set), law, eps, attraction);
  scene.dt = scene.time / 4096;
  return read_scene_text(scene.text(), "test");
}

struct End {
  const char* law;
  double xi, v;
};
// reference.json, collision.table3.1: given to 18 digits, converged to 1e-12.
const End ends[] = {{"hertz", 0.00336507184249800475, -0.844978752409944442},
                    {"kk", 0.00158018826290454971, -0.0670055075214313641},
                    {"kk-mollified", 0.00158567246247011379, -0.0674520721842597463},
                    {"kk-mollified-full", 0.00158740664327115637, -0.0673096180156267801}};

TEST(Reference, EndsOfTable31AreThoseComputedElsewhere) {
  for (const End& end : ends) {
    const auto r = independent_integration(head_on("table-3.1", end.law, 1e-5), std::ldexp(105.0, -13));
    ASSERT_TRUE(r) << end.law;
    // The moving grain starts at 0 in touch: x = -xi. The tolerance is that of the given values; the
    // mass of the scene, rounded to a double, moves the end by 1e-16.
    EXPECT_NEAR(value(-r->x[2]), end.xi, 1e-12 * end.xi) << end.law;
    EXPECT_NEAR(value(-r->v[2]), end.v, 1e-12) << end.law;
    EXPECT_EQ(value(r->x[0]), -2) << end.law;
    EXPECT_EQ(r->kind, "independent integration");
  }
}

TEST(Reference, SolvesThePowerLawToAllDigitsGiven) {
  // reference.json, simplified: y and v at t = 1, tolerance 1e-14
  const double expected[3][3] = {{0.25, 1.365239841931197154349, 1.833355203805225697157},
                                 {0.5, 1.277651347433776208333, 1.710427128418931741547},
                                 {0.75, 1.217790591343955574786, 1.616603636257167569083}};
  for (const auto& [q, y, v] : expected) {
    const Problem p = power_law_problem(q, "leapfrog", "double", 1);
    EXPECT_NEAR(value(p.variants[0].exact->x[0]), y, 1e-14);
    EXPECT_NEAR(value(p.variants[0].exact->v[0]), v, 1e-14);
  }
}

/// Restitution of a whole collision from first touch, by following it until long after its end.
double restitution(const std::string& law, double speed, bool attraction) {
  PairScene scene = head_on_scene(parameter_set("table-4.1"), law, 1e-5, attraction);
  scene.grains[1].v[0] = -speed;
  scene.time = 1e-3;
  scene.dt = 1e-7;
  const auto r = independent_integration(read_scene_text(scene.text(), "test"), scene.time);
  return value(r->v[2]) / speed;
}

TEST(Reference, RestitutionsAreThoseComputedElsewhereWithAndWithoutAttraction) {
  // reference.json: linear and collision.table4.1, tolerances 1e-13 and 1e-12; the mass of the scene
  // is that of the reference to its digits
  EXPECT_NEAR(restitution("linear", 1, true), 0.906028739782789703, 2e-13);
  EXPECT_NEAR(restitution("linear", 1, false), 0.907817918018670519, 2e-13);
  EXPECT_NEAR(restitution("kk", 0.01, true), 0.951210804778895367, 1e-12);
  EXPECT_NEAR(restitution("kk", 0.01, false), 0.951308880831507106, 1e-12);
  EXPECT_NEAR(restitution("kk", 1, true), 0.882670222232128225, 1e-12);
  EXPECT_NEAR(restitution("kk", 10, false), 0.823974760648909759, 1e-12);
  EXPECT_NEAR(restitution("hertz", 1, true), 1, 1e-15);
}

TEST(Reference, AgreesWithTheCollisionSolverOnEveryLaw) {
  // collide() integrates otherwise (in double, to 1e-13), clipped repulsion of mollified laws included.
  for (const std::string& law : normal_law_names())
    for (const bool attraction : {true, false}) {
      PairScene text = head_on_scene(parameter_set("table-4.1"), law, 1e-6, attraction);
      text.time = 1e-3;
      text.dt = 1e-7;
      const AnyScene scene = read_scene_text(text.text(), "test");
      const auto& s = std::get<Scene<2, double>>(scene);
      const Collision c = collide(s.table.laws[0], 1.5e-3, s.world.grains.m[1], 1);
      EXPECT_NEAR(value(independent_integration(scene, 1e-3)->v[2]), c.restitution, 2e-11) << law << attraction;
    }
}

TEST(Reference, ClosedFormOfASingleGrainIsWhatAFineRunFinds) {
  PairScene scene = head_on_scene(parameter_set("table-3.1"), "kk", 1e-5, true);
  scene.grains = {{{0.5, 0.25}, {0.125, 0}, 0.5, false}};
  scene.push = "{ force = [1, 2], force_amplitude = [3, 0.5], torque = 1, torque_amplitude = 2, frequency = 0.3, phase = 0.7 }";
  scene.density = 1;
  scene.integrator = "rk4";
  scene.time = 2;
  scene.dt = 1.0 / 1024;
  const AnyScene any = read_scene_text(scene.text(), "test");
  const auto r = closed_form(any, 2);
  ASSERT_TRUE(r);
  const Outcome o = run_experiment(any, scene.dt, 2048);
  // rk4: (ω h)^4 ~ 1e-11 of the wave's part, and round-off of 2048 steps
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(value(o.x[k]), value(r->x[k]), 1e-12 * std::abs(value(r->x[k])));
    EXPECT_NEAR(value(o.v[k]), value(r->v[k]), 1e-12 * std::abs(value(r->v[k])));
  }
  EXPECT_NEAR(value(o.q[0]), value(r->q[0]), 1e-12 * value(r->q[0]));
  EXPECT_NEAR(value(o.w[0]), value(r->w[0]), 1e-12 * value(r->w[0]));
}

TEST(Reference, IsNoneWhereThereIsNone) {
  PairScene scene = head_on_scene(parameter_set("table-3.1"), "kk", 1e-5, true);
  scene.dt = 1e-6;
  scene.grains[1].v[1] = 0.1;  // oblique
  EXPECT_FALSE(exact_reference(read_scene_text(scene.text(), "test"), 1e-3));
  scene.grains[1].v[1] = 0;
  EXPECT_TRUE(exact_reference(read_scene_text(scene.text(), "test"), 1e-3));
  EXPECT_FALSE(exact_reference(read_scene_text(scene.text(), "test", {"domain.gravity=[0.0, -1.0]"}), 1e-3));
}

}  // namespace
}  // namespace scree
