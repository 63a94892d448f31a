// SPDX-License-Identifier: BSD-3-Clause
/// Time of one search, in ns per grain, for every method on dense random beds of spheres:
/// volume fraction 0.6, identities shuffled, a skin of 0.1 mean diameters. The beds have
/// r_max/r_min = 1, 2, 5, 10, the same volume of grains for every factor in size.
///
///     neighbours [largest number of grains [largest ratio]]
///
/// prints CSV; the threads are those of OMP_NUM_THREADS. "again" is the best of several searches,
/// each after every grain has moved by up to 0.02 d_min: what a run pays at a rebuild. Methods take
/// turns, so that a busy machine is busy for all of them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/neighbours/corner_hash.hpp"
#include "scree/neighbours/search.hpp"

using namespace scree;

namespace {

struct Bed {
  Column<Vec<3, double>> x;
  Column<double> r;
  Column<std::uint32_t> id;
  Column<std::uint8_t> held, present;
  Domain<3> domain;

  /// Spheres thrown into a box, then pushed out of each other until few overlap. The smallest has
  /// diameter 1; equal volumes for equal factors in size make the density of diameters go as d^-4.
  Bed(std::size_t grains, double ratio) {
    Random random(1, 0, static_cast<std::uint32_t>(ratio));
    r.resize(grains);
    double volume = 0;
    for (double& one : r) {
      const double u = random.uniform(), high = std::pow(ratio, -3);
      one = 0.5 * std::pow(1 + u * (high - 1), -1.0 / 3);
      volume += 4.18879 * one * one * one;
    }
    const double box = std::cbrt(volume / 0.6);
    x.resize(grains);
    for (auto& at : x)
      for (int k = 0; k < 3; ++k) at[k] = random.uniform(0, box);
    held.assign(grains, 0);
    present.assign(grains, 1);
    id.resize(grains);
    std::iota(id.begin(), id.end(), 0U);
    for (std::size_t k = grains; k > 1; --k) std::swap(id[k - 1], id[random.bits() % k]);

    domain.periodic = {true, true, true};
    domain.hi = {box, box, box};
    const Periods<3, double> periods(domain);
    const auto search = make_search<3, double>("hierarchy", 0, 0.5 * ratio);
    std::vector<std::uint32_t> order;
    PairRows rows;
    for (int n = 0; n < 40; ++n) {
      if (search->order(input(), order)) permute_storage(order);
      search->find(input(), rows);
      for (std::size_t i = 0; i < grains; ++i)
        for (std::uint32_t a = rows.begin[i]; a < rows.begin[i + 1]; ++a) {
          const std::uint32_t j = rows.partner[a];
          const auto d = periods.shortest(x[j] - x[i]);
          const double length = norm(d), overlap = r[i] + r[j] - length;
          if (overlap <= 0 || length == 0) continue;
          const double mi = std::pow(r[i], 3), mj = std::pow(r[j], 3);
          x[i] -= d * (overlap / length * mj / (mi + mj));
          x[j] += d * (overlap / length * mi / (mi + mj));
        }
      for (auto& at : x)
        for (int k = 0; k < 3; ++k) {
          at[k] -= box * std::floor(at[k] / box);
          if (at[k] >= box) at[k] = 0;
        }
    }
    domain = {};
  }
  double mean_radius() const {
    return std::accumulate(r.begin(), r.end(), 0.0) / static_cast<double>(r.size());
  }
  SearchInput<3, double> input() const { return {x, r, id, held, present, domain}; }
  void permute_storage(const std::vector<std::uint32_t>& order) {
    Column<Vec<3, double>> spare_x;
    Column<double> spare_r;
    Column<std::uint32_t> spare_id;
    permute(x, order, spare_x);
    permute(r, order, spare_r);
    permute(id, order, spare_id);
  }
  void stir(std::uint32_t step) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      Random random(2, step, static_cast<std::uint32_t>(i));
      for (int k = 0; k < 3; ++k) x[i][k] += random.uniform(-0.02, 0.02) * 0.577;
    }
  }
};

template <class F> double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const double most_grains = argc > 1 ? std::atof(argv[1]) : 1e6;
  const double most_ratio = argc > 2 ? std::atof(argv[2]) : 10;
  std::printf(
      "method,ratio,grains,skin,first_ns,again_ns,order_ns,pairs_per_grain,bytes_per_grain,"
      "reinserted\n");
  for (const double wanted : {1e4, 1e5, 1e6})
    for (const double ratio : {1.0, 2.0, 5.0, 10.0}) {
      if (wanted > most_grains || ratio > most_ratio) continue;
      const Bed start(static_cast<std::size_t>(wanted), ratio);
      const auto size = static_cast<double>(start.x.size());
      struct Entry {
        std::string method;
        double skin;
        Bed bed;
        std::unique_ptr<Search<3, double>> search;
        double first, again, ordering;
        PairRows rows;
      };
      std::vector<Entry> entries;
      for (const SearchInfo& method : search_list())
        for (const double skin : {0.2 * start.mean_radius(), 0.0}) {
          if (method.name == "brute" && (wanted > 1e4 || ratio > 1)) continue;
          if (method.name != "corner-hash" && skin == 0) continue;
          entries.push_back({std::string(method.name), skin, start,
                             make_search<3, double>(method.name, skin, 0.5 * ratio), 0, 1e9, 0,
                             {}});
        }
      for (Entry& e : entries) {
        std::vector<std::uint32_t> order;
        bool sorted = false;
        e.ordering = seconds([&] { sorted = e.search->order(e.bed.input(), order); });
        if (sorted) e.bed.permute_storage(order);
        e.first = seconds([&] { e.search->find(e.bed.input(), e.rows); });
      }
      for (std::uint32_t n = 0; n < 15; ++n)
        for (Entry& e : entries) {
          if (e.method == "brute" && n > 0) continue;
          e.bed.stir(n);
          e.again = std::min(e.again, seconds([&] { e.search->find(e.bed.input(), e.rows); }));
        }
      for (const Entry& e : entries) {
        const auto* hash = dynamic_cast<const CornerHash<3, double>*>(e.search.get());
        std::printf("%s,%g,%.0f,%.3f,%.1f,%.1f,%.1f,%.2f,%.0f,%.4f\n", e.method.c_str(), ratio,
                    size, e.skin, 1e9 * e.first / size, 1e9 * e.again / size,
                    1e9 * e.ordering / size, static_cast<double>(e.rows.partner.size()) / size,
                    static_cast<double>(e.search->bytes()) / size,
                    hash ? static_cast<double>(hash->reinserted()) / size / 15 : 0.0);
        std::fflush(stdout);
      }
    }
}
