// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/heap_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <variant>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {

std::vector<std::uint8_t> largest_cluster(const Frame& frame) {
  const std::size_t n = frame.id.empty() ? 0 : static_cast<std::size_t>(*std::max_element(frame.id.begin(), frame.id.end())) + 1;
  std::vector<std::size_t> root(n);  // the smallest id of a cluster, once found
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  const FrameContacts& c = frame.contacts;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (c.id2[k] < 0) continue;  // a wall joins nobody
    const std::size_t a = find(static_cast<std::size_t>(c.id1[k])), b = find(static_cast<std::size_t>(c.id2[k]));
    root[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::size_t> size(n);
  for (const std::int64_t id : frame.id) ++size[find(static_cast<std::size_t>(id))];
  const auto largest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<std::uint8_t> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = find(i) == largest;
  return in;
}

void HeapWatch::look(const Frame& f) {
  const bool first = time.empty();
  if (first) {
    if (of_all_) in_heap_.assign(f.size(), 1);
    else in_heap_ = largest_cluster(f);
    double whole = 0;
    for (const double m : f.mass) whole += m;
    diameter_ = 2 * std::sqrt(whole / mass_per_area_ / static_cast<double>(f.size()) / std::numbers::pi);
  }
  double mass = 0, lever = 0, energy = 0, rest = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double own = 0.5 * (f.mass[i] * (f.v[2 * i] * f.v[2 * i] + f.v[2 * i + 1] * f.v[2 * i + 1]) + f.inertia[i] * f.w[i] * f.w[i]);
    if (!in_heap_[static_cast<std::size_t>(f.id[i])]) {
      rest += own;
      continue;
    }
    energy += own;
    mass += f.mass[i];
    lever += f.mass[i] * f.x[2 * i + 1];
    if (!first) continue;
    ++members_;
    moment_ += f.mass[i] * (f.x[2 * i] * f.x[2 * i] + f.x[2 * i + 1] * f.x[2 * i + 1]);
  }
  if (first) start_ = lever / mass;
  time.push_back(f.time);
  height.push_back((lever / mass - start_) / diameter_);
  kinetic.push_back(energy);
  outside.push_back(rest);
}

namespace {

// w(z) = Σ a_k cos 2π k z for z between -1/2 and 1/2.
constexpr std::array<double, 4> blackman_harris{0.35875, 0.48829, 0.14128, 0.01168};

}  // namespace

double HeapWatch::mean_height(double from, double until) const {
  double sum = 0, whole = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double z = (time[i] / time.back() - from) / (until - from) - 0.5;
    if (std::abs(z) > 0.5) continue;
    double weight = 0;
    for (std::size_t k = 0; k < blackman_harris.size(); ++k) weight += blackman_harris[k] * std::cos(2 * std::numbers::pi * static_cast<double>(k) * z);
    sum += weight * height[i];
    whole += weight;
  }
  return sum / whole;
}

double HeapWatch::drift_between(double part, double place, double other) const {
  const double length = window * part, first = 1 - 2 * window + place * (window - length), second = 1 - window + other * (window - length);
  return (mean_height(first, first + length) - mean_height(second, second + length)) * (window / (second - first));
}

double HeapWatch::drift_error() const {
  const double whole = drift();
  double error = 0;
  for (const double place : {0.0, 0.5, 1.0})
    for (const double other : {0.0, 0.5, 1.0}) error = std::max(error, std::abs(drift_between(0.8, place, other) - whole));
  return error;
}

double HeapWatch::swing() const {
  const double rate = drift() / (window * time.back());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i] >= (1 - 2 * window) * time.back()) {
      low = std::min(low, height[i] + rate * time[i]);
      high = std::max(high, height[i] + rate * time[i]);
    }
  return high - low;
}

double HeapWatch::last_fifth(const std::vector<double>& of) const {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i] >= 0.8 * time.back()) {
      sum += of[i];
      ++count;
    }
  return sum / count;
}

double HeapWatch::round_off(double h) const {
  const double unit = std::ldexp(1.0, -53) / h;
  return 0.5 * moment_ * unit * unit;
}

bool stalls_above(const HeapWatch& one, const HeapWatch& other) { return other.rest_of_all() < 0.01 * one.rest_of_all(); }

double mass_per_area(const AnyScene& scene) {
  return std::visit(
      [](const auto& one) {
        const Material& material = one.world.materials[one.world.grains.material.at(0)];
        return material.density * material.height;
      },
      scene);
}

std::int64_t steps_to_watch(const std::string& option, double time, double h) {
  constexpr std::int64_t least = 8;  // three looks in every window
  const double steps = std::ceil(time / h * (1 - 1e-12));
  if (!(steps >= least))
    throw InputError(fmt::format("--{}: {} s are {} steps of {} s; expected at least {}", option, brief(time), steps, brief(h), least));
  return static_cast<std::int64_t>(steps);
}

}  // namespace scree
