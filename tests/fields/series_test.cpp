// SPDX-License-Identifier: BSD-3-Clause
/// Series of tables: averages with a kernel in time, by their definition.
#include "scree/fields/series.hpp"

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"
#include "tests/fields/clouds.hpp"
#include "tests/fields/direct_kernel.hpp"

namespace scree::fields {
namespace {

std::vector<Frame> frames(int count) {
  std::vector<Frame> all;
  for (int k = 0; k < count; ++k) {
    clouds::Recipe r;
    r.seed = 20 + static_cast<unsigned>(k);
    r.grains = 25;
    all.push_back(clouds::cloud(r));
    all.back().time = 0.1 * k + (k % 3 == 1 ? 0.02 : 0);  // not quite even
  }
  return all;
}

CoarseGrainer grainer_of(KernelKind kernel) {
  Grid g = make_grid("xy", 2);
  g.ticks = {middles(0.2, 0.8, 2), middles(0.2, 0.8, 2)};
  Settings s;
  s.kernel = kernel;
  s.width = kernel == KernelKind::gauss ? 0.15 : 0.45;
  return {g, s, {}};
}

std::vector<FieldTable> tables_of(const CoarseGrainer& grainer, const std::vector<Frame>& all, const SeriesRules& rules) {
  TableSeries series(grainer, rules);
  for (const Frame& f : all) series.add(f);
  return series.tables();
}

const std::vector<double>& values(const std::vector<Field>& fields, const char* name) { return find_field(fields, name)->values; }

TEST(FieldSeries, AKernelInTimeWeighsTheFramesAboutEachTable) {
  const std::vector<Frame> all = frames(11);
  for (const KernelKind kernel : {KernelKind::heaviside, KernelKind::gauss, KernelKind::lucy, KernelKind::mollifier}) {
    const CoarseGrainer grainer = grainer_of(kernel);
    const double T = kernel == KernelKind::gauss ? 0.09 : 0.27;
    const auto single = tables_of(grainer, all, {1, 0, false});
    for (const std::size_t each : {0u, 3u}) {
      const auto smooth = tables_of(grainer, all, {each, T, true});
      const std::size_t stride = each == 0 ? 1 : each;
      ASSERT_EQ(smooth.size(), (all.size() + stride - 1) / stride);
      for (std::size_t t = 0; t < smooth.size(); ++t) {
        const double centre = all[t * stride].time;
        EXPECT_EQ(smooth[t].time(), centre);
        std::int64_t within = 0;
        for (std::size_t p = 0; p < 4; ++p) {
          double sum = 0, square = 0, rho = 0, px = 0, xx = 0, nu = 0, mean = 0;
          within = 0;
          for (std::size_t k = 0; k < all.size(); ++k) {
            const double w = direct::phi(kernel, 1, T, std::abs(all[k].time - centre));
            if (!(w > 0)) continue;
            ++within;
            const double r = values(single[k].fields, "density")[p], v = values(single[k].fields, "velocity")[2 * p];
            sum += w, square += w * w, rho += w * r, px += w * r * v;
            xx += w * (r * v * v - values(single[k].fields, "kinetic_stress")[4 * p]);
            mean += w * values(single[k].fields, "volume_density")[p];
          }
          mean /= sum;
          for (std::size_t k = 0; k < all.size(); ++k)
            nu += direct::phi(kernel, 1, T, std::abs(all[k].time - centre)) * std::pow(values(single[k].fields, "volume_density")[p] - mean, 2);
          EXPECT_NEAR(values(smooth[t].fields, "density")[p], rho / sum, 1e-13 * rho / sum);
          EXPECT_NEAR(values(smooth[t].fields, "velocity")[2 * p], px / rho, 1e-13);
          EXPECT_NEAR(-values(smooth[t].fields, "kinetic_stress")[4 * p], (xx - px * px / rho) / sum, 1e-12 * xx / sum);
          if (within > 1) {
            EXPECT_NEAR(values(smooth[t].variances, "volume_density")[p], nu / (sum - square / sum), 1e-12 * mean * mean);
          }
        }
        EXPECT_EQ(smooth[t].frames, within);
      }
    }
  }
}

/// Wider than the run, a heaviside in time is the plain average.
TEST(FieldSeries, AWideHeavisideInTimeIsTheAverage) {
  const CoarseGrainer grainer = grainer_of(KernelKind::heaviside);
  const auto all = frames(5);
  const FieldTable plain = tables_of(grainer, all, {}).at(0), smooth = tables_of(grainer, all, {0, 9, true}).at(2);
  EXPECT_EQ(smooth.frames, 5);
  for (const bool variance : {false, true})
    for (std::size_t k = 0; k < plain.fields.size(); ++k) {
      const Field &a = variance ? plain.variances[k] : plain.fields[k], &b = variance ? smooth.variances[k] : smooth.fields[k];
      for (std::size_t q = 0; q < a.values.size(); ++q)
        if (std::isfinite(a.values[q])) {
          EXPECT_NEAR(a.values[q], b.values[q], 1e-13 * std::abs(a.values[q]) + 1e-15) << a.name;
        }
    }
}

TEST(FieldSeries, SavedInTheMiddleItGoesOnWithTheSameBits) {
  const CoarseGrainer grainer = grainer_of(KernelKind::lucy);
  const auto all = frames(9);
  for (const SeriesRules& rules : {SeriesRules{0, 0.27, true}, SeriesRules{2, 0.35, true}, SeriesRules{2, 0, true}, SeriesRules{0, 0, true}}) {
    const auto whole = tables_of(grainer, all, rules);
    for (const std::size_t stop : {1u, 4u, 8u}) {
      TableSeries first(grainer, rules), second(grainer, rules);
      for (std::size_t k = 0; k < stop; ++k) first.add(all[k]);
      second.load(first.save());
      for (std::size_t k = stop; k < all.size(); ++k) second.add(all[k]);
      const auto parts = second.tables();
      ASSERT_EQ(parts.size(), whole.size());
      for (std::size_t t = 0; t < whole.size(); ++t) {
        EXPECT_EQ(parts[t].time(), whole[t].time());
        for (std::size_t k = 0; k < whole[t].fields.size(); ++k)
          for (std::size_t q = 0; q < whole[t].fields[k].values.size(); ++q) {
            const double a = whole[t].fields[k].values[q], b = parts[t].fields[k].values[q];
            ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << whole[t].fields[k].name;
          }
      }
    }
  }
  EXPECT_THROW(TableSeries(grainer, {0, 0.1, true}).load({}), RunError);
}

}  // namespace
}  // namespace scree::fields
