// SPDX-License-Identifier: BSD-3-Clause
/// Time of one search, in ns per grain, for every method on dense beds in space: spheres near a
/// face-centred lattice of volume fraction 0.6, identities shuffled, skin 0.1 d.
///
///     neighbours [largest size]        prints CSV; the threads are those of OMP_NUM_THREADS
///
/// "again" is a search after every grain has moved by up to 0.02 d: what a run pays at a rebuild.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

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

  explicit Bed(std::size_t grains) {
    const double a =
        std::cbrt(4 * 0.5235987755982988 / 0.6);  // four spheres of diameter 1 per cube
    const auto side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(grains) / 4)));
    const Vec<3, double> basis[] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    for (int c = 0; c < side * side * side; ++c)
      for (const auto& b : basis) {
        if (x.size() == grains) break;
        Random random(1, 0, static_cast<std::uint32_t>(x.size()));
        const Vec<3, double> corner{double(c % side), double(c / side % side),
                                    double(c / side / side)};
        x.push_back((corner + b) * a);
        for (int k = 0; k < 3; ++k) x.back()[k] += random.uniform(-0.1, 0.1);
      }
    r.assign(grains, 0.5);
    held.assign(grains, 0);
    present.assign(grains, 1);
    id.resize(grains);
    std::iota(id.begin(), id.end(), 0U);
    Random random(1, 1, 0);
    for (std::size_t k = grains; k > 1; --k) std::swap(id[k - 1], id[random.bits() % k]);
  }
  SearchInput<3, double> input() const { return {x, r, id, held, present, domain}; }
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
  const double largest = argc > 1 ? std::atof(argv[1]) : 1e6;
  std::printf(
      "method,grains,skin_d,first_ns,again_ns,order_ns,pairs_per_grain,bytes_per_grain,"
      "reinserted\n");
  for (const double size : {1e4, 1e5, 1e6}) {
    if (size > largest) break;
    const auto grains = static_cast<std::size_t>(size);
    for (const SearchInfo& method : search_list())
      for (const double skin : {0.1, 0.0}) {
        if (method.name == "brute" && (size > 1e4 || skin == 0)) continue;
        if (method.name == "cells" && skin == 0) continue;
        Bed bed(grains);
        auto search = make_search<3, double>(method.name, skin, 0.5);
        std::vector<std::uint32_t> order;
        PairRows rows;
        bool sorted = false;
        const double ordering = seconds([&] { sorted = search->order(bed.input(), order); });
        if (sorted) {
          Column<Vec<3, double>> spare;
          Column<std::uint32_t> spare_id;
          permute(bed.x, order, spare);
          permute(bed.id, order, spare_id);
        }
        const double first = seconds([&] { search->find(bed.input(), rows); });
        const auto* hash = dynamic_cast<const CornerHash<3, double>*>(search.get());
        double again = 1e9;
        const std::uint32_t repeats = method.name == "brute" ? 1 : 7;
        for (std::uint32_t n = 0; n < repeats; ++n) {
          bed.stir(n);
          again = std::min(again, seconds([&] { search->find(bed.input(), rows); }));
        }
        std::printf("%s,%zu,%.1f,%.1f,%.1f,%.1f,%.2f,%.0f,%.4f\n", std::string(method.name).c_str(),
                    grains, skin, 1e9 * first / size, 1e9 * again / size, 1e9 * ordering / size,
                    static_cast<double>(rows.partner.size()) / size,
                    static_cast<double>(search->bytes()) / size,
                    hash ? static_cast<double>(hash->reinserted()) / size / repeats : 0.0);
        std::fflush(stdout);
      }
  }
}
