// SPDX-License-Identifier: BSD-3-Clause
/// Several cells together, on discs whose places and speeds are known.
#include "scree/studies/sheared_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/studies/run_study.hpp"

namespace scree {
namespace {

using std::numbers::pi;

void add_disc(Frame& f, double d, double angle, double speed) {
  f.id.push_back(static_cast<std::int64_t>(f.id.size()));
  f.x.insert(f.x.end(), {d * std::cos(angle), d * std::sin(angle)});
  f.v.insert(f.v.end(), {-speed * std::sin(angle), speed * std::cos(angle)});
  f.w.push_back(0);
  f.radius.push_back(0.05);
  f.held.push_back(0);
}

/// So many discs of radius 0.05 in the second band of one diameter, 1.1 < r < 1.2 (they fill it from edge to edge), and `bulk` in 1.7 < r < 1.8.
Frame banded(int inside, int bulk) {
  Frame f;
  f.dim = 2;
  for (int k = 0; k < inside; ++k) add_disc(f, 1.15, 2 * pi * k / inside, 0);
  for (int k = 0; k < bulk; ++k) add_disc(f, 1.75, 2 * pi * k / bulk, 0);
  return f;
}

const CellRuler ruler{1, 2, 20, 0.1, {0.5, 2}};

TEST(ShearedCells, PackingChangesAreThoseOfStarts) {
  // 20 discs before; 18, 16 and 16 after in three starts, of which the first is seen twice (19 and 17)
  std::vector<ShearedCell> cells(4, ShearedCell(ruler, 1));
  const int after[4] = {19, 17, 16, 16};
  for (std::size_t k = 0; k < 4; ++k) {
    cells[k].observe(banded(20, 30), 0);
    cells[k].observe(banded(20, 30), 0.5);  // still the first window
    cells[k].observe(banded(after[k], 34), 0.6);
    cells[k].observe(banded(after[k], 34), 2);
    cells[k].observe(banded(40, 34), 2.1);  // beyond the last
    EXPECT_EQ(cells[k].frames(0), 1u);
    EXPECT_EQ(cells[k].frames(1), 1u);
    EXPECT_EQ(cells[k].frames(2), 2u);
  }
  const CellStarts starts{{&cells[0], &cells[1]}, {&cells[2]}, {&cells[3]}};
  const double disc = 0.05 * 0.05 / (1.2 * 1.2 - 1.1 * 1.1);  // of the band's area
  const PackingChange c = packing_change(starts, 2, 1, 2);
  EXPECT_EQ(c.starts, 3u);
  EXPECT_NEAR(c.before.mean, 20 * disc, 1e-12);
  EXPECT_NEAR(c.before.stderr_, 0, 1e-12);
  EXPECT_NEAR(c.change.mean, -(2 + 4 + 4) / 3.0 * disc, 1e-12);
  // Σ (x - mean)² = (4/3)² + 2 (2/3)² = 8/3 of 2, 4, 4
  EXPECT_NEAR(c.change.stderr_, std::sqrt(8.0 / 3 / 2 / 3) * disc, 1e-12);
  EXPECT_STREQ(c.verdict(), "dilates");  // 3.33/0.667 = 5 standard errors
  EXPECT_NEAR(c.in_errors(), -5, 1e-9);
  EXPECT_NEAR(packing_change(starts, 1, 1, 2).change.mean, 0, 1e-12);
  EXPECT_STREQ(packing_change(starts, 1, 1, 2).verdict(), "no change is seen");
  // a wider band holds the same discs: areas add up
  EXPECT_NEAR(packing_change(starts, 2, 0, 4).before.mean, 20 * 0.05 * 0.05 / (1.4 * 1.4 - 1), 1e-12);
  EXPECT_NEAR(packing_change(starts, 2, 6, 9).change.mean, 4 * 0.05 * 0.05 / (1.9 * 1.9 - 1.6 * 1.6), 1e-12);
  // a cell without frames in the window does not count
  ShearedCell shortest(ruler, 1);
  shortest.observe(banded(20, 30), 0);
  EXPECT_TRUE(std::isnan(shortest.packing(2, 1, 2)));
  EXPECT_EQ(packing_change({{&cells[0]}, {&shortest}}, 2, 1, 2).starts, 1u);
  EXPECT_NEAR(packing_change({{&cells[0], &shortest}}, 2, 1, 2).change.mean, -disc, 1e-12);
}

/// Discs on a spoke whose speed is that of the wall (3 m/s) times exp(-(r - 1)/length).
ShearedCell decaying(double length) {
  Frame f;
  f.dim = 2;
  for (int k = 0; k < 370; ++k) add_disc(f, 1.06 + 0.0025 * k, 0, 3 * std::exp(-(0.06 + 0.0025 * k) / length));
  ShearedCell cell({1, 2, 40, 0.1, {1}}, 3);
  cell.observe(f, 0.5);
  return cell;
}

TEST(ShearedCells, TheDecayOfTheMeanHasAnIntervalOverStarts) {
  std::vector<ShearedCell> same(4, decaying(0.2));
  CellStarts starts;
  for (const auto& cell : same) starts.push_back({&cell});
  const CellsDecay exact = decay_of_cells(starts, 0.02, 0.1);
  // Where discs are spread evenly a ring sees exp(-r/0.2) times a constant: what remains is that places are 0.0025 apart, and that the areas with which
  // discs count fall by their own radius over r.
  EXPECT_NEAR(exact.fit.length, 0.2, 0.01);
  EXPECT_NEAR(exact.interval.low, exact.fit.length, 1e-12);
  EXPECT_NEAR(exact.interval.high, exact.fit.length, 1e-12);
  EXPECT_NEAR(exact.error[10], 0, 1e-15);
  EXPECT_GE(exact.fit.from, 1.1);
  EXPECT_STREQ(decay_verdict(exact.fit, exact.interval, 0.1), "shown");
  EXPECT_NEAR(exact.rows[10].tangential, std::exp(-(exact.rows[10].r - 1) / 0.2), 0.05 * exact.rows[10].tangential);  // over that of the wall
  const std::vector<ShearedCell> mixed{decaying(0.15), decaying(0.25), decaying(0.15), decaying(0.25), decaying(0.15), decaying(0.25)};
  starts.clear();
  for (const auto& cell : mixed) starts.push_back({&cell});
  const CellsDecay spread = decay_of_cells(starts, 0.02, 0.1);
  EXPECT_EQ(spread.lengths.size(), 6u);
  EXPECT_LT(spread.interval.low, spread.fit.length);
  EXPECT_GT(spread.interval.high, spread.fit.length);
  EXPECT_GE(spread.interval.low, spread.lengths[0]);
  EXPECT_LE(spread.interval.high, spread.lengths[1]);
  // all of them as one start: no scatter, no interval
  CellStarts single{{}};
  for (const auto& cell : mixed) single[0].push_back(&cell);
  const CellsDecay one = decay_of_cells(single, 0.02, 0.1);
  EXPECT_NEAR(one.fit.length, spread.fit.length, 1e-12);
  EXPECT_EQ(one.interval.high, 0);
}

TEST(ShearedCells, VerdictsAreThoseThatWereWrittenDown) {
  const auto of = [](double length, double correlation, double low, double high) { return std::string(decay_verdict({length, correlation, 0, 0, 5}, {low, high}, 1)); };
  EXPECT_EQ(of(2, -0.99, 1.1, 2.9), "shown");
  EXPECT_EQ(of(2, -0.99, 0.9, 2.9), "within");
  EXPECT_EQ(of(2, -0.99, 1.1, 3.1), "within");
  EXPECT_EQ(of(2, -0.99, 0, 0), "within");  // fewer than three cells
  EXPECT_EQ(of(0.9, -0.99, 0.5, 1.2), "outside");
  EXPECT_EQ(of(3.1, -0.99, 2, 4), "outside");
  EXPECT_EQ(of(2, -0.97, 1.1, 2.9), "not log-linear");
  EXPECT_EQ(of(-2, -0.99, 1.1, 2.9), "not log-linear");
}

/// Without runs the study makes the cells: two seeds at two speeds are four cells from two starts, and the first layer follows the wall.
TEST(CouetteCells, RunsSmallCellsItself) {
  const StudyResult result = test::run_study("couette-cells", {{"seeds", "2"}, {"rates", "1,2"}, {"windows", "0.02,0.1"}});
  const auto& all = result.json["ensembles"];
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2]["cells"], 4);
  EXPECT_EQ(all[2]["starts"], 2);
  const auto& velocity = result.tables[1];
  const double first = std::get<double>(velocity.rows[0][2]);
  EXPECT_GT(first, 0.1);  // grains do not outrun the wall that drags them
  EXPECT_LT(first, 1);
}

TEST(CouetteCells, RefusesWhatMakesNoSense) {
  using Options = std::vector<std::pair<std::string, std::string>>;
  for (const Options& bad : {Options{{"windows", "1,0.5"}}, Options{{"windows", "0,1"}}, Options{{"floor", "1"}}, Options{{"rates", "-1"}}, Options{{"runs", "nowhere"}}, Options{{"runs", "a++b"}}, Options{{"seeds", "0"}}})
    EXPECT_ANY_THROW(test::run_study("couette-cells", bad)) << bad[0].first;
}

}  // namespace
}  // namespace scree
