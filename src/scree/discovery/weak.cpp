// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/weak.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <set>

#include "scree/core/errors.hpp"
#include "scree/discovery/fft.hpp"
#include "scree/discovery/sandwich.hpp"

namespace scree {
namespace {

using Kind = Expression::Kind;

/// The corner of a rising curve: where two straight lines fit it best.
std::size_t corner(const std::vector<double>& y) {
  const std::size_t n = y.size();
  std::vector<double> sx(n + 1), sy(n + 1), sxx(n + 1), sxy(n + 1), syy(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    sx[i + 1] = sx[i] + x, sy[i + 1] = sy[i] + y[i], sxx[i + 1] = sxx[i] + x * x, sxy[i + 1] = sxy[i] + x * y[i], syy[i + 1] = syy[i] + y[i] * y[i];
  }
  const auto error = [&](std::size_t a, std::size_t b) {  // of a line through points a … b-1
    const auto m = static_cast<double>(b - a);
    const double x = sx[b] - sx[a], v = sy[b] - sy[a], xx = sxx[b] - sxx[a] - x * x / m, xy = sxy[b] - sxy[a] - x * v / m, yy = syy[b] - syy[a] - v * v / m;
    return xx > 0 ? std::max(yy - xy * xy / xx, 0.0) : yy;
  };
  std::size_t best = 1;
  double least = -1;
  for (std::size_t k = 1; k + 2 < n; ++k)
    if (const double e = error(0, k + 1) + error(k, n); least < 0 || e < least) least = e, best = k;
  return best;
}

/// Running sum of the mean amplitudes of wave numbers 0 … n/2 along an axis, over all fields.
std::vector<double> running_spectrum(const Sample& s, std::size_t axis) {
  const std::size_t n = s.axes[axis].size(), stride = s.stride(axis), lines = s.points() / n;
  const Fourier fourier(n);
  std::vector<double> amplitude(n / 2 + 1);
  const std::size_t step = std::max<std::size_t>(1, lines / 64);
  for (const auto& field : s.fields) {
    double scale = 0;
    std::vector<double> one(n / 2 + 1);
    for (std::size_t l = 0; l < lines; l += step) {
      std::vector<std::complex<double>> x(n);
      bool whole = true;
      for (std::size_t i = 0; i < n; ++i) {
        const double u = field[l / stride * n * stride + l % stride + i * stride];
        whole &= std::isfinite(u);
        x[i] = u;
      }
      if (!whole) continue;
      // what does not return to its beginning has slowly decaying waves: take the straight line out, as far as the axis is not periodic
      if (!s.axes[axis].periodic) {
        const double first = x.front().real(), slope = (x.back().real() - first) / static_cast<double>(n - 1);
        for (std::size_t i = 0; i < n; ++i) x[i] -= first + slope * static_cast<double>(i);
      }
      fourier.forward(x);
      for (std::size_t k = 0; k < one.size(); ++k) one[k] += std::abs(x[k]);
    }
    for (const double a : one) scale += a;
    for (std::size_t k = 0; k < one.size() && scale > 0; ++k) amplitude[k] += one[k] / scale;
  }
  for (std::size_t k = 1; k < amplitude.size(); ++k) amplitude[k] += amplitude[k - 1];
  return amplitude;
}

/// A test axis as weights: which centres each point belongs to, and ψ's derivatives there times the width of the point.
struct Weights {
  struct Share {
    std::size_t centre, entry;  // place in the tables
  };
  std::vector<std::vector<Share>> of_point;
  std::vector<std::vector<double>> by_order;  // [order][entry]
};

Weights weights_of(const GridAxis& grid, const TestAxis& test, int highest) {
  const std::size_t n = grid.size(), m = test.support;
  Weights w;
  w.of_point.resize(n);
  w.by_order.resize(static_cast<std::size_t>(highest) + 1);
  const double h = grid.step();
  const bool even = grid.uniform();
  for (std::size_t c = 0; c < test.centres.size(); ++c) {
    const std::size_t centre = test.centres[c];
    const std::size_t begin = w.by_order[0].size();
    double sum = 0;
    for (std::size_t j = 0; j < 2 * m - 1; ++j) {
      const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(m - 1);
      const std::size_t i = (centre + n + j - (m - 1)) % n;
      double half = static_cast<double>(m) * h, away = static_cast<double>(offset) * h, width = h;
      if (!even) {  // not periodic then: from the true places
        half = std::min(grid.at[centre] - grid.at[centre - m], grid.at[centre + m] - grid.at[centre]);
        away = grid.at[i] - grid.at[centre];
        width = 0.5 * (grid.at[i + 1] - grid.at[i - 1]);
      }
      const double xi = away / half, base = 1 - xi * xi;
      w.of_point[i].push_back({c, w.by_order[0].size()});
      // ψ^(k) = q_k(ξ) (1 - ξ²)^{p-k} with q_{k+1} = q_k' (1 - ξ²) - 2 (p - k) ξ q_k
      std::vector<double> q{1.0};
      for (int k = 0; k <= highest; ++k) {
        double value = 0;
        for (std::size_t d = q.size(); d-- > 0;) value = value * xi + q[d];
        value *= base > 0 ? std::pow(base, test.power - k) : 0;
        w.by_order[static_cast<std::size_t>(k)].push_back(value * width * std::pow(half, -k));
        if (k == 0) sum += value * width;
        std::vector<double> next(q.size() + 1);
        for (std::size_t d = 0; d < q.size(); ++d) {
          if (d > 0) {
            next[d - 1] += static_cast<double>(d) * q[d];
            next[d + 1] -= static_cast<double>(d) * q[d];
          }
          next[d + 1] -= 2.0 * (test.power - k) * q[d];
        }
        q = next;
      }
    }
    for (auto& table : w.by_order)  // ∫ψ = 1, so that grids of different spacing weigh alike
      for (std::size_t e = begin; e < table.size(); ++e) table[e] /= sum;
  }
  return w;
}

/// Sums over one axis: in [outer][n][inner], out [outer][centres][inner].
std::vector<double> contract(const std::vector<double>& in, std::size_t outer, std::size_t n, std::size_t inner, const Weights& w, std::size_t centres,
                             const std::vector<double>& table) {
  std::vector<double> out(outer * centres * inner);
#pragma omp parallel for schedule(static)
  for (std::int64_t o = 0; o < static_cast<std::int64_t>(outer); ++o) {
    const double* from = in.data() + static_cast<std::size_t>(o) * n * inner;
    double* to = out.data() + static_cast<std::size_t>(o) * centres * inner;
    for (std::size_t i = 0; i < n; ++i)
      for (const Weights::Share& share : w.of_point[i]) {
        const double weight = table[share.entry];
        const double* a = from + i * inner;
        double* b = to + share.centre * inner;
        for (std::size_t j = 0; j < inner; ++j) b[j] += weight * a[j];
      }
  }
  return out;
}

/// The first axis of one body, all orders at once, in strips of points of the other axes: each value is computed once.
std::vector<std::vector<double>> contract_first(const Columns& columns, std::size_t body, std::size_t n, std::size_t inner, const Weights& w,
                                                std::size_t centres, const std::vector<int>& orders) {
  constexpr std::size_t strip = 512;
  if (inner < strip / 8) {  // a trajectory, or nearly: the column whole, since short strips cost more than they save
    std::vector<double> column(n * inner);
    columns.evaluate(body, 0, column.size(), column.data());
    std::vector<std::vector<double>> all;
    for (const int order : orders) all.push_back(contract(column, 1, n, inner, w, centres, w.by_order[static_cast<std::size_t>(order)]));
    return all;
  }
  std::vector<std::vector<double>> out(orders.size(), std::vector<double>(centres * inner));
  const auto strips = static_cast<std::int64_t>((inner + strip - 1) / strip);
#pragma omp parallel
  {
    std::vector<double> row(strip);
#pragma omp for schedule(static)
    for (std::int64_t s = 0; s < strips; ++s) {
      const std::size_t first = static_cast<std::size_t>(s) * strip, count = std::min(strip, inner - first);
      for (std::size_t i = 0; i < n; ++i) {
        if (w.of_point[i].empty()) continue;
        columns.evaluate(body, i * inner + first, count, row.data());
        for (std::size_t k = 0; k < orders.size(); ++k)
          for (const Weights::Share& share : w.of_point[i]) {
            const double weight = w.by_order[static_cast<std::size_t>(orders[k])][share.entry];
            double* to = out[k].data() + share.centre * inner + first;
            for (std::size_t j = 0; j < count; ++j) to[j] += weight * row[j];
          }
      }
    }
  }
  return out;
}

/// A term as number × Π base^power; equal bases are collected.
struct Product {
  struct Factor {
    Expr base;
    double power;
  };
  double number = 1;
  std::vector<Factor> factors;
};

void multiply(const Expr& e, double power, const Names& names, Product& p) {
  switch (e->kind) {
    case Kind::number: p.number *= std::pow(e->number, power); return;
    case Kind::product:
      for (const Expr& part : e->of) multiply(part, power, names, p);
      return;
    case Kind::quotient:
      multiply(e->of[0], power, names, p);
      multiply(e->of[1], -power, names, p);
      return;
    case Kind::negative:
      if (power != 1 && power != -1) break;
      p.number = -p.number;
      multiply(e->of[0], power, names, p);
      return;
    case Kind::power:
      // (u^2)^0.5 is |u|: powers of powers only where all are whole
      if (e->of[1]->kind != Kind::number || (power != 1 && power != -1)) break;
      if (e->of[0]->kind == Kind::field || e->of[0]->kind == Kind::coordinate || e->of[0]->kind == Kind::derivative) return multiply(e->of[0], power * e->of[1]->number, names, p);
      break;
    default: break;
  }
  const std::string text = text_of(e, names);
  for (Product::Factor& f : p.factors)
    if (text_of(f.base, names) == text) {
      f.power += power;
      return;
    }
  p.factors.push_back({e, power});
}

}  // namespace

WeakTerm weak_term(const Expr& e, const Names& names) {
  Product p;
  multiply(e, 1, names, p);
  const Orders none(names.coordinates.size());
  const Expr* moved = nullptr;  // the one derivative
  const Product::Factor* rest = nullptr;
  for (const Product::Factor& f : p.factors) {
    if (f.power == 0) continue;
    if (f.base->kind == Kind::derivative && f.power == 1 && !moved) moved = &f.base;
    else if (!rest) rest = &f;
    else return {1, e, none};
  }
  if (!moved) return {1, e, none};
  if (!rest) {  // what it differentiates may be a derivative too
    WeakTerm inner = weak_term((*moved)->of[0], names);
    inner.factor *= p.number;
    for (std::size_t a = 0; a < none.size(); ++a) inner.outer[a] += (*moved)->orders[a];
    return inner;
  }
  // u^n D u with a first derivative: D(u^{n+1})/(n+1)
  int total = 0;
  for (const int o : (*moved)->orders) total += o;
  if (total == 1 && rest->power != -1 && text_of(rest->base, names) == text_of((*moved)->of[0], names))
    return {p.number / (rest->power + 1), power_expr(rest->base, rest->power + 1), (*moved)->orders};
  return {1, e, none};
}

Orders highest_orders(const std::vector<Expr>& terms, const Names& names) {
  Orders highest(names.coordinates.size());
  for (const Expr& e : terms) {
    const WeakTerm t = weak_term(e, names);
    for (std::size_t a = 0; a < highest.size(); ++a) highest[a] = std::max(highest[a], t.outer[a]);
  }
  return highest;
}

TestAxis test_axis(const Sample& s, std::size_t axis, int highest, std::size_t support, std::size_t overlap, const std::string& axis_name) {
  const GridAxis& grid = s.axes[axis];
  const std::size_t n = grid.size(), least = static_cast<std::size_t>(highest) + 3;
  const std::size_t most = grid.periodic ? n / 2 : n / 3, wanted = std::max(n / 6, least);
  if (most < least || n < 8)
    throw InputError(fmt::format("{}: axis {} has {} points, too few for the weak form; expected at least {}", s.name, axis_name, n, std::max<std::size_t>(8, 3 * least)));
  TestAxis t;
  const double tail = 1e-10, away = 2;
  if (support > 0) {
    if (support < least || support > most)
      throw InputError(fmt::format("--support: axis {} of {} takes between {} and {} points, found {}", axis_name, s.name, least, most, support));
    t.support = support;
  } else {
    const std::vector<double> running = running_spectrum(s, axis);
    const auto wave = static_cast<double>(std::max<std::size_t>(corner(running), 1)), length = static_cast<double>(n);
    // F(m) = ln((2m-1)/m²) (4π²k²m² - 3n²away²) - 2n²away² ln(tail) changes sign at the wanted m
    const double pi = 3.14159265358979323846;
    const auto f = [&](double m) {
      return std::log((2 * m - 1) / (m * m)) * (4 * pi * pi * wave * wave * m * m - 3 * length * length * away * away) -
             2 * length * length * away * away * std::log(tail);
    };
    std::size_t m = least;
    while (m < std::min(most, wanted) && f(static_cast<double>(m)) > 0) ++m;
    t.support = std::max(m, std::min<std::size_t>(most, std::max<std::size_t>(least, 6)));
  }
  const auto m = static_cast<double>(t.support);
  t.power = std::max(highest + 2, static_cast<int>(std::ceil(std::log(tail) / std::log((2 * m - 1) / (m * m)))));
  const std::size_t over = overlap > 0 ? overlap : s.points() > 1000000 ? 6 : 16;
  const std::size_t step = std::max<std::size_t>(1, 2 * t.support / over);
  if (grid.periodic) {
    if (!grid.uniform()) throw InputError(fmt::format("{}: axis {} is said to be periodic but is not evenly spaced", s.name, axis_name));
    for (std::size_t c = 0; c + step <= n; c += step) t.centres.push_back(c);
  } else {
    // the first and the last as near to the ends as they may be, the others evenly between
    const std::size_t first = t.support, last = n - 1 - t.support, count = std::max<std::size_t>(2, (last - first) / step + 1);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t c = first + (last - first) * k / (count - 1);
      if (t.centres.empty() || c > t.centres.back()) t.centres.push_back(c);
    }
  }
  return t;
}

Matrix weak_rows(const Sample& s, const Names& names, const std::vector<Expr>& terms, const std::vector<TestAxis>& axes, const DerivativeMethods& methods) {
  const std::size_t dim = s.axes.size();
  std::vector<WeakTerm> weak;
  std::vector<Expr> bodies;
  std::map<std::string, std::size_t> body_index;
  std::vector<std::size_t> body_of;
  for (const Expr& e : terms) {
    weak.push_back(weak_term(e, names));
    const auto [at, fresh] = body_index.emplace(text_of(weak.back().body, names), bodies.size());
    if (fresh) bodies.push_back(weak.back().body);
    body_of.push_back(at->second);
  }
  const Orders highest = highest_orders(terms, names);
  std::vector<Weights> weights;
  std::size_t rows = 1;
  for (std::size_t a = 0; a < dim; ++a) {
    weights.push_back(weights_of(s.axes[a], axes[a], highest[a]));
    rows *= axes[a].centres.size();
  }
  const Columns columns(s, names, bodies, methods, false);
  Matrix out(rows, terms.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    std::vector<std::size_t> mine;
    for (std::size_t k = 0; k < terms.size(); ++k)
      if (body_of[k] == b) mine.push_back(k);
    std::vector<int> orders;
    for (const std::size_t k : mine)
      if (std::find(orders.begin(), orders.end(), weak[k].outer[0]) == orders.end()) orders.push_back(weak[k].outer[0]);
    const std::size_t inner = s.stride(0);
    std::vector<std::vector<double>> first = contract_first(columns, b, s.axes[0].size(), inner, weights[0], axes[0].centres.size(), orders);
    // the other axes, sharing what terms have in common
    const std::function<void(std::size_t, const std::vector<std::size_t>&, const std::vector<double>&, std::size_t, std::size_t)> descend =
        [&](std::size_t axis, const std::vector<std::size_t>& which, const std::vector<double>& data, std::size_t outer, std::size_t rest) {
          if (axis == dim) {
            for (const std::size_t k : which) {
              int total = 0;
              for (const int o : weak[k].outer) total += o;
              const double factor = weak[k].factor * (total % 2 == 1 ? -1 : 1);
              for (std::size_t i = 0; i < rows; ++i) out(i, k) = factor * data[i];
            }
            return;
          }
          std::set<int> different;
          for (const std::size_t k : which) different.insert(weak[k].outer[axis]);
          const std::size_t n = s.axes[axis].size(), inside = rest / n, centres = axes[axis].centres.size();
          for (const int order : different) {
            std::vector<std::size_t> some;
            for (const std::size_t k : which)
              if (weak[k].outer[axis] == order) some.push_back(k);
            descend(axis + 1, some, contract(data, outer, n, inside, weights[axis], centres, weights[axis].by_order[static_cast<std::size_t>(order)]),
                    outer * centres, inside);
          }
        };
    for (std::size_t o = 0; o < orders.size(); ++o) {
      std::vector<std::size_t> some;
      for (const std::size_t k : mine)
        if (weak[k].outer[0] == orders[o]) some.push_back(k);
      descend(1, some, first[o], axes[0].centres.size(), inner);
      first[o] = {};
    }
  }
  return out;
}

std::vector<std::size_t> tiles_of(const GridAxis& grid, const TestAxis& test, std::size_t wanted) {
  const std::size_t first = test.centres.front(), m = test.support, gap = (6 * m + 4) / 5;
  const std::size_t span = grid.periodic ? grid.size() : test.centres.back() - first + gap;  // each tile with the gap behind it
  const std::size_t count = std::clamp<std::size_t>(span / (2 * m), 1, wanted);
  std::vector<std::size_t> tiles;
  for (const std::size_t c : test.centres) {
    const std::size_t at = c - first, k = std::min(at * count / span, count - 1);
    tiles.push_back(count == 1 || at + gap <= (k + 1) * span / count ? k : Factors::seam);
  }
  return tiles;
}

namespace {

/// Test functions that overlap that of centre p, ascending. Centres ascend, so these are up to three runs of them: around p and, on an axis
/// with a period, at either end.
std::vector<Eigen::Index> partners(const TestAxis& axis, std::size_t period, std::size_t p) {
  const auto reach = static_cast<std::int64_t>(2 * axis.support), at = static_cast<std::int64_t>(axis.centres[p]), round = static_cast<std::int64_t>(period);
  const auto from = [&](std::int64_t point) {  // the first centre at or after a point
    return std::lower_bound(axis.centres.begin(), axis.centres.end(), static_cast<std::size_t>(std::max<std::int64_t>(point, 0))) - axis.centres.begin();
  };
  std::vector<Eigen::Index> found;
  for (const std::int64_t middle : {at - round, at, at + round}) {
    if (middle != at && round == 0) continue;
    Eigen::Index q = from(middle - reach + 1);
    if (!found.empty()) q = std::max(q, found.back() + 1);
    for (const Eigen::Index end = from(middle + reach); q < end; ++q) found.push_back(q);
  }
  return found;
}

}  // namespace

std::vector<double> overlap_errors(const std::vector<Matrix>& rows, const std::vector<std::vector<TestAxis>>& axes, const std::vector<std::vector<std::size_t>>& periods,
                                   const std::vector<std::size_t>& columns, std::size_t side, const std::vector<double>& x) {
  const auto k = static_cast<Eigen::Index>(columns.size());
  if (k == 0) return {};
  Eigen::MatrixXd bread = Eigen::MatrixXd::Zero(k, k), meat = bread;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const auto n = static_cast<Eigen::Index>(rows[s].rows);
    Eigen::MatrixXd a(n, k);
    Eigen::VectorXd e(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      e(i) = -rows[s](row, side);
      bool whole = true;
      for (std::size_t j = 0; j < rows[s].cols; ++j) whole &= std::isfinite(rows[s](row, j));
      for (std::size_t j = 0; j < columns.size(); ++j) {
        a(i, static_cast<Eigen::Index>(j)) = rows[s](row, columns[j]);
        e(i) += x[j] * rows[s](row, columns[j]);
      }
      if (!whole) a.row(i).setZero(), e(i) = 0;
    }
    const Eigen::MatrixXd g = e.asDiagonal() * a;
    // the weights are products, so the sum over partners is done axis by axis
    Eigen::MatrixXd smooth = g;
    Eigen::Index inner = n;
    for (std::size_t d = 0; d < axes[s].size(); ++d) {
      const TestAxis& axis = axes[s][d];
      const auto count = static_cast<Eigen::Index>(axis.centres.size()), outer = n / inner;
      inner /= count;
      Eigen::MatrixXd next = Eigen::MatrixXd::Zero(n, k);
      for (Eigen::Index p = 0; p < count; ++p)
        for (const Eigen::Index q : partners(axis, periods[s][d], static_cast<std::size_t>(p))) {
          const std::size_t from = axis.centres[static_cast<std::size_t>(p)], to = axis.centres[static_cast<std::size_t>(q)];
          std::size_t away = from > to ? from - to : to - from;
          if (periods[s][d] > 0) away = std::min(away, periods[s][d] - away);
          const double weight = 1 - static_cast<double>(away) / (2 * static_cast<double>(axis.support));
          for (Eigen::Index o = 0; o < outer; ++o) next.middleRows((o * count + p) * inner, inner) += weight * smooth.middleRows((o * count + q) * inner, inner);
        }
      smooth = next;
    }
    bread += a.transpose() * a;
    meat += g.transpose() * smooth;
  }
  const Eigen::MatrixXd covariance = sandwich(bread, 0.5 * (meat + meat.transpose()));
  std::vector<double> error;
  for (Eigen::Index j = 0; j < k; ++j) error.push_back(std::sqrt(std::max(covariance(j, j), 0.0)));
  return error;
}

}  // namespace scree
