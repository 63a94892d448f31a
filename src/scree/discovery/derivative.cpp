// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/derivative.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "scree/core/difference_weights.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/discovery/fft.hpp"

namespace scree {
namespace {

using Kind = DerivativeMethod::Kind;

/// Lines of a column along an axis: line l begins at `first(l)` and steps by `stride`.
struct Lines {
  std::size_t n, stride, count;
  Lines(const Sample& s, std::size_t axis) : n(s.axes[axis].size()), stride(s.stride(axis)), count(s.points() / n) {}
  std::size_t first(std::size_t line) const { return line / stride * n * stride + line % stride; }
};

/// What a point's derivative is made of: weights on the points from `from` on, modulo n.
struct Stencil {
  std::size_t from = 0;
  std::vector<double> weights;
};

void apply(const std::vector<Stencil>& stencils, const Lines& lines, const std::vector<double>& u, std::vector<double>& out) {
  const std::size_t n = lines.n, s = lines.stride;
  const auto slabs = static_cast<std::int64_t>(lines.count / s);
#pragma omp parallel for schedule(static) collapse(2)
  for (std::int64_t slab = 0; slab < slabs; ++slab)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); ++i) {
      const Stencil& st = stencils[static_cast<std::size_t>(i)];
      const double* from = u.data() + static_cast<std::size_t>(slab) * n * s;
      double* to = out.data() + (static_cast<std::size_t>(slab) * n + static_cast<std::size_t>(i)) * s;
      std::fill(to, to + s, 0.0);
      for (std::size_t k = 0; k < st.weights.size(); ++k) {
        const double w = st.weights[k];
        const double* row = from + (st.from + k) % n * s;
        for (std::size_t j = 0; j < s; ++j) to[j] += w * row[j];
      }
    }
}

std::vector<Stencil> finite_differences(const GridAxis& axis, int m, int order, const std::string& where) {
  const std::size_t n = axis.size();
  const auto reach = static_cast<std::size_t>((m + 1) / 2 + order / 2 - 1);
  const std::size_t width = 2 * reach + 1;
  // at the ends central stencils do not fit; one point more keeps the order of even derivatives there
  const std::size_t end_width = static_cast<std::size_t>(m + order);
  if (n < std::max(width, end_width))
    throw InputError(fmt::format("{}: {} points are too few for a derivative of order {} by fd{}; expected at least {}", where, n, m, order,
                                 std::max(width, end_width)));
  std::vector<Stencil> all(n);
  const bool even = axis.uniform();
  if (axis.periodic && !even) throw InputError(where + " is said to be periodic but is not evenly spaced");
  const double h = axis.step();
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> known;  // by width and place, on an even axis
  const auto weights = [&](std::size_t from, std::size_t count, std::size_t at) {
    std::vector<double> x;
    if (!even) {
      for (std::size_t k = 0; k < count; ++k) x.push_back(axis.at[from + k] - axis.at[at]);
      return difference_weights(0, x, m);
    }
    auto& w = known[{count, at - from}];
    if (w.empty()) {
      for (std::size_t k = 0; k < count; ++k) x.push_back((static_cast<double>(k) - static_cast<double>(at - from)) * h);
      w = difference_weights(0, x, m);
    }
    return w;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (axis.periodic && (i < reach || i + reach >= n)) all[i] = {(i + n - reach) % n, weights(reach, width, 2 * reach)};
    else if (i >= reach && i + reach < n) all[i] = {i - reach, weights(i - reach, width, i)};
    else {
      const std::size_t from = i < reach ? 0 : n - end_width;
      all[i] = {from, weights(from, end_width, i)};
    }
  }
  return all;
}

std::vector<Stencil> savitzky_golay(const GridAxis& axis, int m, std::size_t window, int degree) {
  const std::size_t n = axis.size(), half = window / 2;
  const double scale = std::pow(axis.step(), -m);
  std::vector<std::vector<double>> by_place;
  for (std::size_t at = 0; at < window; ++at) {
    by_place.push_back(savitzky_golay_weights(window, at, degree, m));
    for (double& w : by_place.back()) w *= scale;
  }
  std::vector<Stencil> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (axis.periodic) all[i] = {(i + n - half) % n, by_place[half]};
    else {
      const std::size_t from = std::min(i < half ? 0 : i - half, n - window);
      all[i] = {from, by_place[i - from]};
    }
  }
  return all;
}

/// A window for sg: the one that predicts points best from the others. A smoother with weight w on the point itself leaves
/// (f - Sf)/(1 - w) there if the point is left out, so each window is judged by one pass. On a
/// trajectory, of the windows within 15 % of the best the smallest: a fit of equations averages the noise by itself, but not what a
/// long window takes off sharp turns. Fields have higher derivatives, whose noise is the greater evil.
std::size_t window_for(const Sample& s, const std::vector<double>& u, std::size_t axis, int degree) {
  const Lines lines(s, axis);
  const std::size_t least = static_cast<std::size_t>(degree) + 3, every = std::max<std::size_t>(1, lines.count / 48);
  std::vector<std::pair<std::size_t, double>> errors;
  for (std::size_t window = least | 1; window <= std::max(lines.n / 3, least | 1); window = (window * 6 / 5 + 1) | 1) {
    if (window > lines.n) break;
    const std::vector<double> w = savitzky_golay_weights(window, window / 2, degree, 0);
    double sum = 0, count = 0;
    const std::size_t step = std::max<std::size_t>(1, lines.n / 2000);
    for (std::size_t l = 0; l < lines.count; l += every)
      for (std::size_t i = window / 2; i + window / 2 < lines.n; i += step) {
        const double* p = u.data() + lines.first(l) + (i - window / 2) * lines.stride;
        double smooth = 0;
        for (std::size_t k = 0; k < window; ++k) smooth += w[k] * p[k * lines.stride];
        const double e = (p[window / 2 * lines.stride] - smooth) / (1 - w[window / 2]);
        if (std::isfinite(e)) sum += e * e, count += 1;
      }
    if (count > 0) errors.emplace_back(window, sum / count);
  }
  double smallest = INFINITY;
  for (const auto& [window, error] : errors) smallest = std::min(smallest, error);
  for (const auto& [window, error] : errors)
    if (error <= (s.axes.size() == 1 ? 1.15 : 1.0) * smallest) return window;
  return least | 1;
}

std::vector<double> spectral(const Lines& lines, const std::vector<double>& u, int m, double period) {
  std::vector<double> out(u.size());
  const Fourier fourier(lines.n);
  const std::size_t n = lines.n;
  std::vector<std::complex<double>> factor(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::complex<double> ik(0, 2 * std::numbers::pi / period * Fourier::wave_number(k, n));
    factor[k] = 2 * k == n && m % 2 == 1 ? 0.0 : std::complex<double>(1, 0);
    for (int j = 0; j < m; ++j) factor[k] *= ik;
  }
#pragma omp parallel
  {
    std::vector<std::complex<double>> x(n);
#pragma omp for schedule(static)
    for (std::int64_t l = 0; l < static_cast<std::int64_t>(lines.count); ++l) {
      const std::size_t first = lines.first(static_cast<std::size_t>(l));
      for (std::size_t i = 0; i < n; ++i) x[i] = u[first + i * lines.stride];
      fourier.forward(x);
      for (std::size_t k = 0; k < n; ++k) x[k] *= factor[k];
      fourier.backward(x);
      for (std::size_t i = 0; i < n; ++i) out[first + i * lines.stride] = x[i].real();
    }
  }
  return out;
}

/// Solves (I + A Dᵀ W D) g = f with second differences D: a symmetric matrix of five diagonals, by Cholesky.
void smooth_once(const std::vector<double>& f, const std::vector<double>& weight, std::vector<double>& g) {
  const std::size_t n = f.size();
  std::vector<double> a(n, 1.0), b(n), c(n);  // diagonal, next, the one after
  for (std::size_t k = 0; k + 2 < n; ++k) {
    const double w = weight[k];
    a[k] += w, a[k + 1] += 4 * w, a[k + 2] += w;
    b[k] -= 2 * w, b[k + 1] -= 2 * w;
    c[k] += w;
  }
  g = f;
  for (std::size_t i = 0; i < n; ++i) {  // LDLᵀ, row by row
    if (i + 1 < n) {
      const double l = b[i] / a[i];
      a[i + 1] -= l * b[i];
      if (i + 2 < n) b[i + 1] -= l * c[i];
      g[i + 1] -= l * g[i];
      b[i] = l;
    }
    if (i + 2 < n) {
      const double l = c[i] / a[i];
      a[i + 2] -= l * c[i];
      g[i + 2] -= l * g[i];
      c[i] = l;
    }
  }
  for (std::size_t i = 0; i < n; ++i) g[i] /= a[i];
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) g[i] -= b[i] * g[i + 1];
    if (i + 2 < n) g[i] -= c[i] * g[i + 2];
  }
}

/// min ½ Σ (g - f)² + α Σ |second difference of g|, by lagged diffusivity.
std::vector<double> flatten(const std::vector<double>& f, double alpha) {
  const std::size_t n = f.size();
  std::vector<double> g = f, weight(n);
  double scale = 0;
  for (const double x : f) scale = std::max(scale, std::abs(x - f[0]));
  const double soft = std::max(1e-8 * scale, 1e-300);
  for (int k = 0; k < 40; ++k) {
    for (std::size_t i = 0; i + 2 < n; ++i) weight[i] = alpha / std::hypot(g[i] - 2 * g[i + 1] + g[i + 2], soft);
    std::vector<double> next;
    smooth_once(f, weight, next);
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) change = std::max(change, std::abs(next[i] - g[i]));
    g = std::move(next);
    if (change < 1e-9 * scale) break;
  }
  return g;
}

std::vector<double> tv_smooth(const Sample& s, const std::vector<double>& u, std::size_t axis, double alpha) {
  const Lines lines(s, axis);
  std::vector<double> out(u.size());
  for (std::size_t l = 0; l < lines.count; ++l) {
    std::vector<double> f(lines.n);
    for (std::size_t i = 0; i < lines.n; ++i) f[i] = u[lines.first(l) + i * lines.stride];
    double a = alpha;
    if (a <= 0) {  // what is taken away should be the noise
      std::vector<double> rough;
      for (std::size_t i = 2; i + 2 < lines.n; ++i) rough.push_back(std::abs(f[i - 2] - 4 * f[i - 1] + 6 * f[i] - 4 * f[i + 1] + f[i + 2]));
      std::nth_element(rough.begin(), rough.begin() + static_cast<std::ptrdiff_t>(rough.size() / 2), rough.end());
      const double noise = rough[rough.size() / 2] / 0.6745 / std::sqrt(70.0);
      double lo = -12, hi = 6;
      for (int k = 0; k < 24; ++k) {
        const double middle = 0.5 * (lo + hi);
        const std::vector<double> g = flatten(f, std::pow(10, middle));
        double square = 0;
        for (std::size_t i = 0; i < g.size(); ++i) square += (g[i] - f[i]) * (g[i] - f[i]);
        (square < noise * noise * static_cast<double>(g.size()) ? lo : hi) = middle;
      }
      a = std::pow(10, lo);
    }
    const std::vector<double> g = flatten(f, a);
    for (std::size_t i = 0; i < lines.n; ++i) out[lines.first(l) + i * lines.stride] = g[i];
  }
  return out;
}

}  // namespace

DerivativeMethod derivative_method(const std::string& name, const std::string& what) {
  const std::vector<std::string> names{"fd2", "fd4", "fd6", "sg", "spectral", "tv"};
  if (name == "sg") return {.kind = Kind::sg};
  if (name == "spectral") return {.kind = Kind::spectral};
  if (name == "tv") return {.kind = Kind::tv};
  for (const int order : {2, 4, 6})
    if (name == "fd" + std::to_string(order)) return {.kind = Kind::fd, .order = order};
  throw InputError(fmt::format("{}: expected a method for derivatives ({}), found {}{}", what, join(names), in_quotes(name), did_you_mean(name, names)));
}

std::string name_of(const DerivativeMethod& m) {
  switch (m.kind) {
    case Kind::fd: return "fd" + std::to_string(m.order);
    case Kind::sg: return "sg";
    case Kind::spectral: return "spectral";
    case Kind::tv: return "tv";
  }
  return {};
}

std::vector<double> savitzky_golay_weights(std::size_t n, std::size_t at, int degree, int m) {
  // polynomials in the distance from the point over half the window, which keeps the powers near one
  const double half = std::max(1.0, 0.5 * static_cast<double>(n - 1));
  Eigen::MatrixXd v(static_cast<Eigen::Index>(n), degree + 1);
  for (std::size_t i = 0; i < n; ++i)
    for (int k = 0; k <= degree; ++k)
      v(static_cast<Eigen::Index>(i), k) = k == 0 ? 1.0 : v(static_cast<Eigen::Index>(i), k - 1) * (static_cast<double>(i) - static_cast<double>(at)) / half;
  // row m of the pseudo-inverse
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(v);
  Eigen::VectorXd e = Eigen::VectorXd::Zero(degree + 1);
  e(m) = 1;
  const Eigen::VectorXd y = qr.matrixQR().topRows(degree + 1).triangularView<Eigen::Upper>().transpose().solve(e);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n));
  w.head(degree + 1) = y;
  w = qr.householderQ() * w;
  double factor = 1;
  for (int k = 1; k <= m; ++k) factor *= k / half;
  std::vector<double> weights(n);
  for (std::size_t i = 0; i < n; ++i) weights[i] = factor * w(static_cast<Eigen::Index>(i));
  return weights;
}

std::vector<double> differentiate(const Sample& s, const std::vector<double>& u, std::size_t axis, int m, const DerivativeMethod& method,
                                  const std::string& axis_name) {
  const GridAxis& grid = s.axes[axis];
  const Lines lines(s, axis);
  const std::string where = fmt::format("{}: axis {}", s.name, axis_name);
  if (m == 0 && (method.kind == Kind::fd || method.kind == Kind::spectral)) return u;
  if (method.kind != Kind::fd && !grid.uniform())
    throw InputError(fmt::format("{} is not evenly spaced (distances differ by up to {:.2g} of their mean), which {} needs; use --derivative fd4, which "
                                 "does not, or --weak", where, grid.unevenness(), name_of(method)));
  std::vector<double> out(u.size());
  switch (method.kind) {
    case Kind::fd: apply(finite_differences(grid, m, method.order, where), lines, u, out); break;
    case Kind::sg: {
      const int degree = method.degree > 0 ? method.degree : std::max(4, m + 2);
      std::size_t window = method.window > 0 ? method.window : window_for(s, u, axis, degree);
      window = std::max<std::size_t>(window, static_cast<std::size_t>(degree) + 1);
      window |= 1;
      if (window > lines.n)
        throw InputError(fmt::format("{}: {} points are too few for a smoothing window of {}; use --derivative fd2 or a smaller --window", where, lines.n, window));
      apply(savitzky_golay(grid, m, window, degree), lines, u, out);
      break;
    }
    case Kind::spectral:
      if (!grid.periodic)
        throw InputError(fmt::format("{} is not periodic, which spectral derivatives need; say --periodic {} if it is, or use --derivative fd6", where, axis_name));
      if (std::any_of(u.begin(), u.end(), [](double x) { return !std::isfinite(x); }))
        throw InputError(fmt::format("{}: values are missing, which spectral derivatives cannot do without; use --derivative fd6 or --weak", where));
      out = spectral(lines, u, m, grid.step() * static_cast<double>(lines.n));
      break;
    case Kind::tv: {
      if (lines.n < 8) throw InputError(fmt::format("{}: {} points are too few for tv; expected at least 8", where, lines.n));
      if (std::any_of(u.begin(), u.end(), [](double x) { return !std::isfinite(x); }))
        throw InputError(fmt::format("{}: values are missing, which tv cannot do without; use --derivative fd4 or --weak", where));
      out = tv_smooth(s, u, axis, method.alpha);
      for (int k = 0; k < m; ++k) {
        std::vector<double> next(u.size());
        apply(finite_differences(grid, 1, 2, where), lines, out, next);
        out = k + 1 < m ? tv_smooth(s, next, axis, method.alpha) : next;
      }
      break;
    }
  }
  return out;
}

}  // namespace scree
