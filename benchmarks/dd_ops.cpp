// SPDX-License-Identifier: BSD-3-Clause
/// Cost of double-double operations beside those of double, for each instruction set.
///
///     ninja -C build/release dd_ops && build/release/bin/dd_ops --benchmark_repetitions=5
///
/// Throughput over arrays that stay in the first cache; the counter `time` is for one operation,
/// loads and stores included. plain: fused multiply-adds are calls of the C library.
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "scree/core/dd.hpp"
#include "scree/core/dd_math.hpp"
#include "scree/core/mollified_root.hpp"

namespace {

using scree::dd;

constexpr std::size_t n = 512;

template <class T> struct Arrays {
  T x[n], y[n], out[n];
};

template <class T, class F> [[gnu::always_inline]] inline void loop(Arrays<T>& a, const F& f) {
  for (std::size_t i = 0; i < n; ++i) a.out[i] = f(a.x[i], a.y[i]);
}
template <class T, class F> [[gnu::noinline, gnu::flatten]] void plain(Arrays<T>& a) { loop(a, F{}); }
template <class T, class F>
[[gnu::noinline, gnu::flatten, gnu::target("arch=x86-64-v3")]] void v3(Arrays<T>& a) {
  loop(a, F{});
}
template <class T, class F>
[[gnu::noinline, gnu::flatten, gnu::target("arch=x86-64-v4,prefer-vector-width=512")]] void v4(
    Arrays<T>& a) {
  loop(a, F{});
}


#define OPERATION(NAME, EXPRESSION)                                            \
  struct NAME {                                                                \
    template <class T> SCREE_FN T operator()(const T& x, const T& y) const {   \
      using std::exp, std::log, std::sin, std::sqrt;                           \
      (void)x, (void)y;                                                        \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
OPERATION(Add, x + y)
OPERATION(AddDouble, x + y.hi)
OPERATION(Times, x* y)
OPERATION(TimesDouble, x* y.hi)
OPERATION(Over, x / y)
OPERATION(OverDouble, x / y.hi)
OPERATION(Root, sqrt(x))
OPERATION(Kick, x + y * T(0.001))
OPERATION(Less, x < y ? x : y)
OPERATION(Exp, exp(x))
OPERATION(Log, log(x))
OPERATION(Sin, sin(x))
OPERATION(Mollified, scree::mollified_root_universal(x))
#undef OPERATION

template <class T> void measure(benchmark::State& state, void (*run)(Arrays<T>&)) {
  std::mt19937_64 random(20240229);
  std::uniform_real_distribution<double> unit(0.5, 1.5);
  static Arrays<T> a;
  for (std::size_t i = 0; i < n; ++i) {
    a.x[i] = T(unit(random)) / T(3);
    a.y[i] = T(unit(random)) / T(3);
  }
  for (auto _ : state) {
    run(a);
    benchmark::DoNotOptimize(a.out);
    benchmark::ClobberMemory();
  }
  state.counters["time"] =
      benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
}

template <class T, class F> void add(const std::string& name) {
  const auto one = [&](const char* set, void (*run)(Arrays<T>&)) {
    benchmark::RegisterBenchmark((name + "/" + set).c_str(),
                                 [run](benchmark::State& state) { measure<T>(state, run); });
  };
  one("plain", plain<T, F>);
  if (__builtin_cpu_supports("x86-64-v3")) one("v3", v3<T, F>);
  if (__builtin_cpu_supports("x86-64-v4")) one("v4", v4<T, F>);
}

}  // namespace

int main(int argc, char** argv) {
  add<double, Add>("double + double");
  add<double, Times>("double * double");
  add<double, Over>("double / double");
  add<double, Root>("sqrt(double)");
  add<double, Mollified>("M(double)");
  add<dd, Add>("dd + dd");
  add<dd, AddDouble>("dd + double");
  add<dd, Times>("dd * dd");
  add<dd, TimesDouble>("dd * double");
  add<dd, Over>("dd / dd");
  add<dd, OverDouble>("dd / double");
  add<dd, Root>("sqrt(dd)");
  add<dd, Kick>("dd + dd * dd");
  add<dd, Less>("min(dd, dd)");
  add<dd, Exp>("exp(dd)");
  add<dd, Log>("log(dd)");
  add<dd, Sin>("sin(dd)");
  add<dd, Mollified>("M(dd)");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
