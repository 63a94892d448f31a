// SPDX-License-Identifier: BSD-3-Clause
/// Cost of the mollified square root M(s) beside the hardware square root.
///
///     g++ -std=c++20 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Isrc
///         benchmarks/mollified_root.cpp -lbenchmark -lpthread -o mollified_root
///     ./mollified_root --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
///
/// Throughput: independent arguments from an array, random and so unpredictable. The loop over sqrt
/// is also timed two at a time, as a compiler writes it when nothing stands in the way, which a
/// force loop never is. Latency: each argument depends on the result before; subtract the chain's
/// own product and addition. The counter `time` is for one call.
#include "scree/core/mollified_root.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

constexpr std::size_t n = 65536;

enum class Spread { uniform, logarithmic };

std::vector<double> arguments(double from, double to, Spread spread) {
  std::mt19937_64 random(20240229);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<double> s(n);
  for (double& x : s) {
    const double p = unit(random);
    x = spread == Spread::uniform ? from + (to - from) * p : from * std::pow(to / from, p);
  }
  return s;
}

struct Identity {
  double operator()(double s) const { return s; }
};
struct Root {
  double operator()(double s) const { return std::sqrt(s); }
};
struct Mollified {
  double operator()(double s) const { return scree::mollified_root_universal(s); }
};

void per_call(benchmark::State& state) {
  state.counters["time"] =
      benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
}

template <class F> void throughput(benchmark::State& state, double from, double to, Spread spread) {
  const std::vector<double> s = arguments(from, to, spread);
  std::vector<double> out(n);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) {
      double x = F{}(s[i]);
      asm volatile("" : "+x"(x));  // one at a time
      out[i] = x;
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  per_call(state);
}

void packed_root(benchmark::State& state, double from, double to, Spread spread) {
  const std::vector<double> s = arguments(from, to, spread);
  std::vector<double> out(n);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = std::sqrt(s[i]);
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  per_call(state);
}

template <class F> void latency(benchmark::State& state, double from, double to, Spread spread) {
  const std::vector<double> s = arguments(from, to, spread);
  double x = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) {
      x = F{}(s[i] + x * 0x1p-60);  // as good as s[i], and must wait for x
      asm volatile("" : "+x"(x));
    }
    benchmark::DoNotOptimize(x);
  }
  per_call(state);
}

void add(const char* name, void (*run)(benchmark::State&, double, double, Spread), double from,
         double to, Spread spread = Spread::uniform) {
  benchmark::RegisterBenchmark(name,
                               [=](benchmark::State& state) { run(state, from, to, spread); });
}

}  // namespace

int main(int argc, char** argv) {
  add("throughput/sqrt", throughput<Root>, 0.3, 20);
  add("throughput/sqrt, two at a time", packed_root, 0.3, 20);
  add("throughput/M, 0.3 < s < 20", throughput<Mollified>, 0.3, 20);
  add("throughput/M, 0.3 < s < 20, uniform in log s", throughput<Mollified>, 0.3, 20,
      Spread::logarithmic);
  add("throughput/M, 0.07 < s < 1", throughput<Mollified>, 0.07, 1);
  add("throughput/M, 1.7 < s < 2.3", throughput<Mollified>, 1.7, 2.3);
  add("throughput/M, 40 < s < 1e6", throughput<Mollified>, 40, 1e6);
  add("throughput/M, 0.001 < s < 0.06", throughput<Mollified>, 1e-3, 0.06);
  add("latency/the chain alone", latency<Identity>, 0.3, 20);
  add("latency/sqrt", latency<Root>, 0.3, 20);
  add("latency/M, 0.3 < s < 20", latency<Mollified>, 0.3, 20);
  add("latency/M, 0.3 < s < 20, uniform in log s", latency<Mollified>, 0.3, 20,
      Spread::logarithmic);
  add("latency/M, 40 < s < 1e6", latency<Mollified>, 40, 1e6);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
