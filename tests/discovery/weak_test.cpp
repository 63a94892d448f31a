// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/weak.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/core/random.hpp"
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

// Functions of different tiles are at least 1.2 supports apart, also around a period; every tile has some; there are as many as fit at 2 supports.
TEST(WeakForm, TilesOfTestFunctionsAreApart) {
  for (const bool periodic : {false, true}) {
    GridAxis grid;
    for (int i = 0; i < 500; ++i) grid.at.push_back(i);
    grid.periodic = periodic;
    TestAxis test{20, 8, {}};
    for (std::size_t c = periodic ? 0 : 20; c < (periodic ? 500u : 480u); c += 2) test.centres.push_back(c);
    const auto tiles = tiles_of(grid, test, 100);
    std::size_t most = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (tiles[i] == Factors::seam) continue;
      most = std::max(most, tiles[i] + 1);
      for (std::size_t j = 0; j < i; ++j) {
        if (tiles[j] == Factors::seam || tiles[j] == tiles[i]) continue;
        const std::size_t away = test.centres[i] - test.centres[j];
        ASSERT_GE(periodic ? std::min(away, 500 - away) : away, 24u) << i << " " << j;
      }
    }
    EXPECT_EQ(most, 12u);  // 500/40, and (458 + 24)/40
    EXPECT_EQ(tiles_of(grid, test, 5).back() == Factors::seam || tiles_of(grid, test, 5).back() == 4, true);
  }
}

// Overlapping test functions share noise; standard errors that hold nonetheless are as large as the scatter over draws of the noise. Of 24
// draws of two coefficients, the root mean square of error/stderr is 1 ± 0.1; that errors come from some nine test functions that do not
// overlap widens it to sqrt(9/7), and the weights of pairs lose up to 15 % on either axis.
TEST(WeakForm, StandardErrorsHoldForOverlappingTestFunctions) {
  const Example x = make_example("burgers");
  double square = 0, count = 0;
  for (std::uint64_t draw = 0; draw < 24; ++draw) {
    Dataset data = x.data;
    add_noise(data, 0.01, 50 + draw);
    DiscoverySettings s;
    s.weak = true;
    s.threshold = 0;
    s.library.terms = {"u u_x", "u_xx"};
    const Discovery found = discover(data, s);
    const FoundEquation& e = found.equations[0];
    for (std::size_t k = 0; k < 2; ++k) {
      square += std::pow((e.terms.at(k).coefficient - (k == 0 ? -1 : 0.1)) / e.terms.at(k).stderr_, 2);
      count += 1;
    }
  }
  EXPECT_GT(std::sqrt(square / count), 0.7);
  EXPECT_LT(std::sqrt(square / count), 1.5);
}

// A trajectory as short as two supports: any test function shares data with any other, so that nothing can be held out. What fits its own
// data best is the fullest equation; the choice by loss is the planted one.
TEST(WeakForm, SaysWhenNothingCanBeHeldOut) {
  Dataset data = wave(120, 90, true);
  add_noise(data, 0.02, 7);
  DiscoverySettings s;
  s.weak = true;
  s.library.terms = {"1", "u", "u_x", "u^2", "u u_x"};
  const auto said = [](const Discovery& found) {
    return std::count_if(found.notes.begin(), found.notes.end(), [](const std::string& note) { return note.find("nothing could be held out") != std::string::npos; });
  };
  s.weak_settings.support = {40, 30};
  const Discovery one = discover(data, s);
  EXPECT_EQ(said(one), 1);
  EXPECT_EQ(one.equations[0].selected_by, "loss");
  ASSERT_EQ(one.equations[0].terms.size(), 1u);
  EXPECT_EQ(one.equations[0].terms[0].term, "u_x");
  s.weak_settings.support = {12, 12};
  const Discovery many = discover(data, s);
  EXPECT_EQ(said(many), 0);
  EXPECT_EQ(many.equations[0].selected_by, "cv");
}

// Only test functions that overlap are looked at: the same as the sum over all pairs, with and without a period, on axes longer and shorter
// than the reach of one.
TEST(WeakForm, OverlapErrorsAreTheSumOverAllPairs) {
  for (const std::size_t period : {0u, 60u, 18u}) {
    const TestAxis slow{4, 8, {0, 3, 5, 11}}, fast{5, 8, {0, 2, 3, 7, 8, 12, 17}};
    const std::vector<std::size_t> periods{0, period};
    Matrix rows(28, 2);
    Random random(1, 2, 3);
    for (double& one : rows.data) one = random.normal();
    const double x = 0.3;
    double bread = 0, meat = 0;
    for (std::size_t i = 0; i < 28; ++i) {
      bread += rows(i, 0) * rows(i, 0);
      for (std::size_t j = 0; j < 28; ++j) {
        const auto weight = [](const TestAxis& axis, std::size_t p, std::size_t q, std::size_t round) {
          const double along = std::abs(static_cast<double>(axis.centres[p]) - static_cast<double>(axis.centres[q]));
          const double away = round > 0 ? std::min(along, static_cast<double>(round) - along) : along;
          return std::max(0.0, 1 - away / (2 * static_cast<double>(axis.support)));
        };
        const auto score = [&](std::size_t k) { return rows(k, 0) * (x * rows(k, 0) - rows(k, 1)); };
        meat += score(i) * score(j) * weight(slow, i / 7, j / 7, 0) * weight(fast, i % 7, j % 7, period);
      }
    }
    ASSERT_GT(meat, 0);
    EXPECT_NEAR(overlap_errors({rows}, {{slow, fast}}, {periods}, {0}, 1, {x}).at(0), std::sqrt(meat) / bread, 1e-13 * std::sqrt(meat) / bread) << period;
  }
}

}  // namespace
}  // namespace scree
