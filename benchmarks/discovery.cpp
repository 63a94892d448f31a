// SPDX-License-Identifier: BSD-3-Clause
/// Speed and memory of discovery: a weak library of 50 terms on 10⁷ points, and STLSQ on 10⁶ × 100.
///
///     ninja -C build/release discovery && build/release/bin/discovery
#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>

#include "scree/core/random.hpp"
#include "scree/discovery/discover.hpp"
#include "scree/discovery/report.hpp"

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
double gigabytes() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_maxrss) / 1048576.0;
}

/// A travelling wave u(x - 0.7 t) of many harmonics solves u_t = -0.7 u_x; noise of 0.05 keeps its derivatives from being combinations of each other.
scree::Dataset wave(std::size_t nt, std::size_t nx) {
  scree::Dataset data;
  data.names = {{"u"}, {"t", "x"}, true};
  scree::Sample s;
  s.name = "wave";
  s.axes.resize(2);
  for (std::size_t i = 0; i < nt; ++i) s.axes[0].at.push_back(10.0 * static_cast<double>(i) / static_cast<double>(nt));
  for (std::size_t i = 0; i < nx; ++i) s.axes[1].at.push_back(20.0 * static_cast<double>(i) / static_cast<double>(nx));
  s.fields.resize(1);
  s.fields[0].resize(nt * nx);
  scree::Random noise(1, 2, 3);
  for (std::size_t i = 0; i < nt; ++i)
    for (std::size_t j = 0; j < nx; ++j) {
      const double z = s.axes[1].at[j] - 0.7 * s.axes[0].at[i];
      s.fields[0][i * nx + j] = std::sin(z) + 0.5 * std::sin(2.3 * z + 1) + 0.3 * std::cos(3.7 * z) + 0.05 * noise.normal();
    }
  data.samples.push_back(std::move(s));
  return data;
}

}  // namespace

int main() {
  using namespace scree;
  fmt::print("{} threads\n", omp_get_max_threads());
  {
    const Dataset data = wave(2500, 4000);
    DiscoverySettings s;
    s.weak = true;
    s.degree = 6;
    s.derivatives = 6;
    s.library.add = {"sin(u)"};
    const double begin = seconds();
    const Discovery found = discover(data, s);
    fmt::print("weak form, {} terms, {} points: {:.2f} s, {:.2f} GB\n{}", found.library.size(), data.points(), seconds() - begin, gigabytes(), discovery_text(found));
  }
  {
    constexpr std::size_t rows = 1000000, terms = 100, blocks = 64;
    Factors factors(terms, 1);
    std::vector<Factors::Block> made(blocks);
    const double begin = seconds();
    double filling = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : filling)
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(blocks); ++b) {
      const double before = seconds();
      const std::size_t n = rows / blocks;
      Matrix m(n, terms + 1);
      Random random(1, 7, static_cast<std::uint32_t>(b));
      for (std::size_t j = 0; j < terms; ++j)
        for (std::size_t i = 0; i < n; ++i) m(i, j) = random.uniform(-1, 1);
      for (std::size_t i = 0; i < n; ++i) m(i, terms) = 3 * m(i, 5) - 2 * m(i, 50) + 0.5 * m(i, 99) + 0.1 * random.uniform(-1, 1);
      filling += seconds() - before;
      made[static_cast<std::size_t>(b)] = Factors::condense(m);
    }
    for (auto& block : made) factors.add(std::move(block));
    const Problem p = problem_of(factors.combined(), terms, 0);
    const Support support = stlsq(p, 0.1);
    fmt::print("stlsq, {} x {}: {:.2f} s (of which {:.2f} s of one core draw numbers), {} terms found\n", factors.rows(), terms, seconds() - begin, filling, support.size());
  }
}
