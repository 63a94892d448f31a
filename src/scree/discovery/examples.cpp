// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/examples.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/core/random.hpp"
#include "scree/discovery/fft.hpp"

namespace scree {
namespace {

using Complex = std::complex<double>;

Sample along_time(double dt, std::size_t rows) {
  Sample s;
  s.name = "example";
  s.axes.resize(1);
  for (std::size_t k = 0; k < rows; ++k) s.axes[0].at.push_back(dt * static_cast<double>(k));
  return s;
}

double sech2(double x) { return 1 / (std::cosh(x) * std::cosh(x)); }

}  // namespace

Sample integrate_ode(const std::function<std::vector<double>(const std::vector<double>&)>& f, std::vector<double> x, double dt, std::size_t rows, std::size_t parts) {
  Sample s = along_time(dt, rows);
  const std::size_t n = x.size();
  s.fields.resize(n);
  const double h = dt / static_cast<double>(parts);
  const auto moved = [&](const std::vector<double>& k, double by) {
    std::vector<double> y = x;
    for (std::size_t i = 0; i < n; ++i) y[i] += by * k[i];
    return y;
  };
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < n; ++i) s.fields[i].push_back(x[i]);
    for (std::size_t p = 0; p < parts; ++p) {
      const auto k1 = f(x), k2 = f(moved(k1, h / 2)), k3 = f(moved(k2, h / 2)), k4 = f(moved(k3, h));
      for (std::size_t i = 0; i < n; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
  }
  return s;
}

Sample integrate_pde(const std::function<Complex(Complex)>& symbol, double a, const std::function<double(double)>& start, double from, double length,
                     std::size_t points, double dt, std::size_t rows, std::size_t parts) {
  Sample s = along_time(dt, rows);
  s.axes.resize(2);
  s.axes[1].periodic = true;
  for (std::size_t i = 0; i < points; ++i) s.axes[1].at.push_back(from + length * static_cast<double>(i) / static_cast<double>(points));
  const Fourier fourier(points);
  const double h = dt / static_cast<double>(parts);
  std::vector<Complex> e(points), e2(points), q(points), f1(points), f2(points), f3(points), g(points);
  constexpr int nodes = 32;  // of the contour
  for (std::size_t k = 0; k < points; ++k) {
    const double wave = 2 * std::numbers::pi / length * Fourier::wave_number(k, points);
    const Complex l = symbol({0, 2 * k == points ? 0 : wave});
    e[k] = std::exp(h * l);
    e2[k] = std::exp(0.5 * h * l);
    for (int j = 0; j < nodes; ++j) {
      const Complex z = h * l + std::polar(1.0, 2 * std::numbers::pi * (j + 0.5) / nodes), ez = std::exp(z), z3 = z * z * z;
      q[k] += (std::exp(0.5 * z) - 1.0) / z / static_cast<double>(nodes) * h;
      f1[k] += (-4.0 - z + ez * (4.0 - 3.0 * z + z * z)) / z3 / static_cast<double>(nodes) * h;
      f2[k] += (2.0 + z + ez * (z - 2.0)) / z3 / static_cast<double>(nodes) * h;
      f3[k] += (-4.0 - 3.0 * z - z * z + ez * (4.0 - z)) / z3 / static_cast<double>(nodes) * h;
    }
    const bool kept = 3 * std::abs(Fourier::wave_number(k, points)) < static_cast<double>(points);
    g[k] = kept ? Complex(0, a * wave) : 0.0;
  }
  const auto product = [&](std::vector<Complex> v) {
    fourier.backward(v);
    for (Complex& x : v) x = x.real() * x.real();
    fourier.forward(v);
    for (std::size_t k = 0; k < points; ++k) v[k] *= g[k];
    return v;
  };
  std::vector<Complex> v(points);
  for (std::size_t i = 0; i < points; ++i) v[i] = start(s.axes[1].at[i]);
  fourier.forward(v);
  s.fields.resize(1);
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Complex> u = v;
    fourier.backward(u);
    for (const Complex& x : u) s.fields[0].push_back(x.real());
    if (r + 1 == rows) break;
    for (std::size_t p = 0; p < parts; ++p) {
      const auto nv = product(v);
      std::vector<Complex> b(points), c(points), d(points);
      for (std::size_t k = 0; k < points; ++k) b[k] = e2[k] * v[k] + q[k] * nv[k];
      const auto nb = product(b);
      for (std::size_t k = 0; k < points; ++k) c[k] = e2[k] * v[k] + q[k] * nb[k];
      const auto nc = product(c);
      for (std::size_t k = 0; k < points; ++k) d[k] = e2[k] * b[k] + q[k] * (2.0 * nc[k] - nv[k]);
      const auto nd = product(d);
      for (std::size_t k = 0; k < points; ++k) v[k] = e[k] * v[k] + nv[k] * f1[k] + 2.0 * (nb[k] + nc[k]) * f2[k] + nd[k] * f3[k];
    }
  }
  return s;
}

Example make_example(const std::string& name) {
  Example x;
  x.name = name;
  x.data.names.timed = true;
  x.data.names.coordinates = {"t"};
  if (name == "lorenz") {
    x.data.names.fields = {"x", "y", "z"};
    x.data.samples = {integrate_ode([](const std::vector<double>& p) {
      return std::vector<double>{10 * (p[1] - p[0]), p[0] * (28 - p[2]) - p[1], p[0] * p[1] - 8.0 / 3 * p[2]};
    }, {-8, 8, 27}, 0.002, 5000)};
    x.truth = {{"x'", {{"x", -10}, {"y", 10}}}, {"y'", {{"x", 28}, {"y", -1}, {"x z", -1}}}, {"z'", {{"z", -8.0 / 3}, {"x y", 1}}}};
    return x;
  }
  if (name == "michaelis-menten") {
    x.data.names.fields = {"x"};
    const auto rate = [](const std::vector<double>& p) { return std::vector<double>{0.6 - 1.5 * p[0] / (0.3 + p[0])}; };
    x.data.samples = {integrate_ode(rate, {0.55}, 0.02, 200), integrate_ode(rate, {0.01}, 0.02, 200)};
    x.truth = {{"x'", {{"1", 0.6}, {"x", -3}, {"x x'", -1 / 0.3}}}};
    return x;
  }
  x.data.names.coordinates = {"t", "x"};
  x.data.names.fields = {"u"};
  const double pi = std::numbers::pi;
  if (name == "burgers") {
    x.data.samples = {integrate_pde([](Complex d) { return 0.1 * d * d; }, -0.5, [](double at) { return std::exp(-(at + 2) * (at + 2)); }, -8, 16, 256, 0.1, 101, 5)};
    x.derivatives = 3;
    x.truth = {{"u_t", {{"u u_x", -1}, {"u_xx", 0.1}}}};
  } else if (name == "kdv") {  // two solitons, the faster behind
    x.data.samples = {integrate_pde([](Complex d) { return -d * d * d; }, -3, [](double at) {
      const double c1 = 2.5, c2 = 0.9;
      return 0.5 * c1 * sech2(0.5 * std::sqrt(c1) * (at + 18)) + 0.5 * c2 * sech2(0.5 * std::sqrt(c2) * (at + 6));
    }, -30, 60, 512, 0.1, 201, 10)};
    x.derivatives = 3;
    x.truth = {{"u_t", {{"u u_x", -6}, {"u_xxx", -1}}}};
  } else if (name == "kuramoto-sivashinsky") {
    x.data.samples = {integrate_pde([](Complex d) { return -d * d - d * d * d * d; }, -0.5, [](double at) { return std::cos(at / 16) * (1 + std::sin(at / 16)); }, 0, 32 * pi, 1024, 0.4, 251, 4)};
    x.derivatives = 4;
    x.truth = {{"u_t", {{"u u_x", -1}, {"u_xx", -1}, {"u_xxxx", -1}}}};
  } else {
    const std::vector<std::string> names{"lorenz", "burgers", "kdv", "kuramoto-sivashinsky", "michaelis-menten"};
    throw InputError("no example is called " + in_quotes(name) + "; expected one of " + join(names) + did_you_mean(name, names));
  }
  return x;
}

void add_noise(Dataset& data, double level, std::uint64_t seed) {
  std::uint32_t stream = 0;
  for (Sample& s : data.samples)
    for (auto& field : s.fields) {
      double mean = 0, square = 0;
      for (const double u : field) mean += u / static_cast<double>(field.size());
      for (const double u : field) square += (u - mean) * (u - mean) / static_cast<double>(field.size());
      Random random(seed, 0x6e6f6973, stream++);
      for (double& u : field) u += level * std::sqrt(square) * random.normal();
    }
}

}  // namespace scree
