// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/weak.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/discovery/discover.hpp"
#include "scree/discovery/examples.hpp"

namespace scree {
namespace {

Dataset wave(std::size_t nt, std::size_t nx, bool even) {
  Dataset data;
  data.names = {{"u"}, {"t", "x"}, true};
  Sample s;
  s.name = "wave";
  s.axes.resize(2);
  for (std::size_t i = 0; i < nt; ++i) s.axes[0].at.push_back(0.02 * static_cast<double>(i) + (even ? 0 : 2e-3 * std::sin(3.0 * static_cast<double>(i))));
  for (std::size_t i = 0; i < nx; ++i) s.axes[1].at.push_back(0.05 * static_cast<double>(i));
  s.fields.resize(1);
  for (const double t : s.axes[0].at)
    for (const double x : s.axes[1].at) s.fields[0].push_back(2 + std::sin(x - t));
  data.samples.push_back(s);
  return data;
}

TEST(WeakForm, MovesDerivativesOutside) {
  const Names names{{"u", "v"}, {"t", "x"}, true};
  const auto weak = [&](const char* text) { return weak_term(parse_expression(text, names, "test"), names); };
  EXPECT_EQ(text_of(weak("u u_x").body, names), "u^2");
  EXPECT_DOUBLE_EQ(weak("u u_x").factor, 0.5);
  EXPECT_DOUBLE_EQ(weak("u^2 u_x").factor, 1.0 / 3);
  EXPECT_EQ(weak("u_xx").outer, (Orders{0, 2}));
  EXPECT_EQ(weak("d(u v, x)").outer, (Orders{0, 1}));
  EXPECT_EQ(weak("v u_x").outer, (Orders{0, 0}));  // no such form: stays as it is
  // numbers and powers are collected first
  for (const char* text : {"2 u u_x", "u 2 u_x", "-u_x u (-2)", "4 u u_x/2"}) {
    EXPECT_EQ(text_of(weak(text).body, names), "u^2") << text;
    EXPECT_DOUBLE_EQ(weak(text).factor, 1) << text;
  }
  EXPECT_EQ(text_of(weak("u u u_x").body, names), "u^3");
  EXPECT_DOUBLE_EQ(weak("u u u_x").factor, 1.0 / 3);
  EXPECT_EQ(text_of(weak("u_x/u^3").body, names), text_of(parse_expression("u^-2", names, "test"), names));
  EXPECT_EQ(weak("d(u u_x, x)").outer, (Orders{0, 2}));
  EXPECT_EQ(weak("u_x u_x").outer, (Orders{0, 0}));
}

// ∫ ψ D f is the same whether D is on f (here known in closed form) or on ψ. The trapezoidal rule errs by O(h^{2p}) on an even grid.
TEST(WeakForm, IntegralsEqualThoseOfTheDerivativesThemselves) {
  const Dataset data = wave(120, 90, true);
  const Sample& s = data.samples[0];
  const auto parse = [&](const char* text) { return parse_expression(text, data.names, "test"); };
  const std::vector<Expr> terms{parse("u_t"), parse("-cos(x - t)"), parse("u_xx"), parse("-sin(x - t)"), parse("u u_x"), parse("(2 + sin(x - t)) cos(x - t)")};
  const Orders highest = highest_orders(terms, data.names);
  std::vector<TestAxis> axes{test_axis(s, 0, highest[0], 25, 0, "t"), test_axis(s, 1, highest[1], 20, 0, "x")};
  const Matrix m = weak_rows(s, data.names, terms, axes, {{}, {}});
  EXPECT_EQ(m.rows, axes[0].centres.size() * axes[1].centres.size());
  // ψ at its last point is 1e-10, its second derivative there up to (2p/mh)² as much
  const double bound = 1e-10 * std::pow(2 * axes[1].power / (20 * 0.05), 2);
  for (std::size_t i = 0; i < m.rows; ++i)
    for (const std::size_t j : {0u, 2u, 4u}) ASSERT_NEAR(m(i, j), m(i, j + 1), bound) << i << " " << j;
}

TEST(WeakForm, WorksOnUnevenTimes) {
  const Dataset data = wave(150, 90, false);
  DiscoverySettings s;
  s.weak = true;
  s.library.terms = {"1", "u", "u_x", "u^2", "u u_x"};
  const Discovery found = discover(data, s);
  ASSERT_EQ(found.equations[0].terms.size(), 1u);
  EXPECT_EQ(found.equations[0].terms[0].term, "u_x");
  EXPECT_NEAR(found.equations[0].terms[0].coefficient, -1, 5e-3);  // the trapezoidal rule is of second order here
}

TEST(WeakForm, SaysWhereDerivativesOfTheDataRemain) {
  const Dataset data = wave(120, 90, true);
  DiscoverySettings s;
  s.weak = true;
  s.library.terms = {"u", "u_x", "u_x u_x"};
  std::size_t said = 0;
  for (const std::string& note : discover(data, s).notes) said += note.find("u_x^2 has a derivative") != std::string::npos || note.find("u_x u_x has a derivative") != std::string::npos;
  EXPECT_EQ(said, 1u);
}

TEST(WeakForm, LeavesOutTestFunctionsOverMissingValues) {
  Dataset data = wave(120, 90, true);
  data.samples[0].fields[0][50 * 90 + 40] = NAN;
  DiscoverySettings s;
  s.weak = true;
  s.degree = 1;
  s.derivatives = 1;
  s.weak_settings.support = {12, 12};
  const Discovery found = discover(data, s);
  EXPECT_EQ(found.equations[0].terms.size(), 1u);
  EXPECT_NEAR(found.equations[0].terms.at(0).coefficient, -1, 1e-6);
  bool said = false;
  for (const std::string& note : found.notes) said |= note.find("left out") != std::string::npos;
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace scree
