// SPDX-License-Identifier: BSD-3-Clause
/// The references that orders are measured against, compared with values computed elsewhere.
#include "scree/studies/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace scree
