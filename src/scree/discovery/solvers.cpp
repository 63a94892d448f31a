// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/solvers.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const MatrixXd> map(const Matrix& m) { return {m.data.data(), static_cast<Index>(m.rows), static_cast<Index>(m.cols)}; }
Eigen::Map<const VectorXd> map(const std::vector<double>& v) { return {v.data(), static_cast<Index>(v.size())}; }

/// Columns and side with length one; x of the problem is x of this times side/length.
struct Normalised {
  MatrixXd a;
  VectorXd b, length;
  double side = 1;

  Normalised(const Problem& p, bool normalise) : a(map(p.a)), b(map(p.b)), length(VectorXd::Ones(a.cols())) {
    if (!normalise) return;
    for (Index j = 0; j < a.cols(); ++j) {
      if (const double l = a.col(j).norm(); l > 0) length(j) = l;
      a.col(j) /= length(j);
    }
    if (const double l = b.norm(); l > 0) side = l;
    b /= side;
  }
};

VectorXd solve(const MatrixXd& a, const VectorXd& b, const Support& support, double ridge) {
  const auto k = static_cast<Index>(support.size());
  if (k == 0) return {};
  MatrixXd part(a.rows() + (ridge > 0 ? k : 0), k);
  part.setZero();
  for (Index j = 0; j < k; ++j) part.col(j).head(a.rows()) = a.col(static_cast<Index>(support[static_cast<std::size_t>(j)]));
  VectorXd side = VectorXd::Zero(part.rows());
  side.head(a.rows()) = b;
  if (ridge > 0) part.bottomRows(k) = std::sqrt(ridge) * MatrixXd::Identity(k, k);
  return Eigen::CompleteOrthogonalDecomposition<MatrixXd>(part).solve(side);
}

Support all_terms(std::size_t n) {
  Support s(n);
  std::iota(s.begin(), s.end(), std::size_t{0});
  return s;
}

void add_once(std::vector<Support>& path, Support s) {
  std::sort(s.begin(), s.end());
  if (std::find(path.begin(), path.end(), s) == path.end()) path.push_back(std::move(s));
}

Support thresholded(const Normalised& n, double threshold, double ridge) {
  Support now = all_terms(static_cast<std::size_t>(n.a.cols()));
  while (!now.empty()) {
    const VectorXd x = solve(n.a, n.b, now, ridge);
    Support next;
    for (std::size_t j = 0; j < now.size(); ++j)
      if (std::abs(x(static_cast<Index>(j))) >= threshold) next.push_back(now[j]);
    if (next.size() == now.size()) break;
    now = next;
  }
  return now;
}

/// Thresholds worth trying on this problem: every factor of 1.1 between the smallest and the largest coefficient there can be.
std::vector<double> thresholds(const Normalised& n) {
  const VectorXd x = solve(n.a, n.b, all_terms(static_cast<std::size_t>(n.a.cols())), 0);
  const double largest = std::max(x.cwiseAbs().maxCoeff(), (n.a.transpose() * n.b).cwiseAbs().maxCoeff());
  std::vector<double> all;
  for (double t = 1e-4 * std::min(largest, 1.0); t <= 1.01 * largest && all.size() < 400; t *= 1.1) all.push_back(t);
  return all;
}

std::vector<Support> backward(const Normalised& n, double ridge) {
  std::vector<Support> path;
  Support now = all_terms(static_cast<std::size_t>(n.a.cols()));
  while (!now.empty()) {
    path.push_back(now);
    const VectorXd x = solve(n.a, n.b, now, ridge);
    Index least = 0;
    x.cwiseAbs().minCoeff(&least);
    now.erase(now.begin() + least);
  }
  path.emplace_back();
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<Support> forward(const Normalised& n, std::size_t most) {
  std::vector<Support> path{{}};
  MatrixXd q = n.a;  // columns, less what the chosen ones explain
  VectorXd rest = n.b;
  Support now;
  const Index p = q.cols();
  std::vector<bool> in(static_cast<std::size_t>(p));
  while (now.size() < most) {
    Index best = -1;
    double gain = 0;
    for (Index j = 0; j < p; ++j) {
      const double length = q.col(j).norm();
      if (in[static_cast<std::size_t>(j)] || length < 1e-9) continue;
      if (const double g = std::abs(q.col(j).dot(rest)) / length; g > gain) gain = g, best = j;
    }
    if (best < 0) break;
    const VectorXd unit = q.col(best).normalized();
    rest -= unit.dot(rest) * unit;
    for (int twice = 0; twice < 2; ++twice)
      for (Index j = 0; j < p; ++j)
        if (j != best) q.col(j) -= unit.dot(q.col(j)) * unit;
    in[static_cast<std::size_t>(best)] = true;
    now.push_back(static_cast<std::size_t>(best));
    add_once(path, now);
  }
  return path;
}

std::vector<double> descend(const MatrixXd& gram, const VectorXd& ab, double lambda, std::vector<double> x) {
  const Index p = gram.cols();
  x.resize(static_cast<std::size_t>(p));
  VectorXd gx = gram * map(x);
  for (int sweep = 0; sweep < 2000; ++sweep) {
    double change = 0;
    for (Index j = 0; j < p; ++j) {
      if (!(gram(j, j) > 0)) continue;
      double& xj = x[static_cast<std::size_t>(j)];
      const double rho = ab(j) - gx(j) + gram(j, j) * xj;
      const double next = (rho > lambda ? rho - lambda : rho < -lambda ? rho + lambda : 0) / gram(j, j);
      if (next == xj) continue;
      gx += gram.col(j) * (next - xj);
      change = std::max(change, std::abs(next - xj));
      xj = next;
    }
    if (change < 1e-9) break;
  }
  return x;
}

Support of_nonzero(const std::vector<double>& x) {
  Support s;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] != 0) s.push_back(j);
  return s;
}

Support relaxed(const Normalised& n, double threshold, double nu) {
  const Index p = n.a.cols();
  const MatrixXd gram = n.a.transpose() * n.a + MatrixXd::Identity(p, p) / nu;
  const Eigen::LDLT<MatrixXd> factor(gram);
  const VectorXd ab = n.a.transpose() * n.b;
  VectorXd w = solve(n.a, n.b, all_terms(static_cast<std::size_t>(p)), 0);
  for (int k = 0; k < 2000; ++k) {
    const VectorXd x = factor.solve(ab + w / nu);
    VectorXd next = x;
    for (Index j = 0; j < p; ++j)
      if (std::abs(next(j)) < threshold) next(j) = 0;
    const double change = (next - w).norm();
    w = next;
    if (change < 1e-10) break;
  }
  Support s;
  for (Index j = 0; j < p; ++j)
    if (w(j) != 0) s.push_back(static_cast<std::size_t>(j));
  return s;
}

double choose(std::size_t n, std::size_t k) {
  double c = 1;
  for (std::size_t j = 0; j < k; ++j) c = c * static_cast<double>(n - j) / static_cast<double>(j + 1);
  return c;
}

}  // namespace

std::vector<double> least_squares(const Problem& p, const Support& support) {
  const Normalised n(p, true);
  const VectorXd x = solve(n.a, n.b, support, 0);
  std::vector<double> all(p.a.cols);
  for (std::size_t j = 0; j < support.size(); ++j)
    all[support[j]] = x(static_cast<Index>(j)) * n.side / n.length(static_cast<Index>(support[j]));
  return all;
}

double squared_error(const Problem& p, const std::vector<double>& x) { return (map(p.a) * map(x) - map(p.b)).squaredNorm(); }

Support stlsq(const Problem& p, double threshold, const SparseSettings& s) { return thresholded(Normalised(p, s.normalise), threshold, s.ridge); }

std::vector<double> lasso(const Problem& p, double lambda, std::vector<double> start) {
  const Normalised n(p, true);
  return descend(n.a.transpose() * n.a, n.a.transpose() * n.b, lambda, std::move(start));
}

Support sr3(const Problem& p, double threshold, const SparseSettings& s) { return relaxed(Normalised(p, s.normalise), threshold, s.nu); }

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names{"stlsq", "lasso", "sr3", "ssr", "frols", "best-subset"};
  return names;
}

std::vector<Support> best_subsets(const Problem& p, std::size_t size, std::size_t keep, const Support& forced) {
  const std::size_t n = p.a.cols;
  if (size < forced.size() || size > n) return {};
  if (choose(n - forced.size(), size - forced.size()) > subset_limit)
    throw InputError(fmt::format("best-subset: there are more than {:g} ways to choose {} of {} terms; use fewer terms, --most {} or the solver frols",
                                 subset_limit, size, n, size - 1));
  const Normalised norm(p, true);
  const MatrixXd gram = norm.a.transpose() * norm.a;
  const VectorXd ab = norm.a.transpose() * norm.b;
  std::vector<std::pair<double, Support>> best;  // explained, falling
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < n; ++j)
    if (std::find(forced.begin(), forced.end(), j) == forced.end()) free.push_back(j);
  // A Cholesky factor grows and shrinks with the set: row k belongs to its k-th term.
  MatrixXd l = MatrixXd::Zero(static_cast<Index>(size), static_cast<Index>(size));
  VectorXd z = VectorXd::Zero(static_cast<Index>(size));
  Support now;
  const auto push = [&](std::size_t j) {
    const auto k = static_cast<Index>(now.size());
    double d = gram(static_cast<Index>(j), static_cast<Index>(j)), t = ab(static_cast<Index>(j));
    for (Index i = 0; i < k; ++i) {
      double g = gram(static_cast<Index>(j), static_cast<Index>(now[static_cast<std::size_t>(i)]));
      for (Index q = 0; q < i; ++q) g -= l(k, q) * l(i, q);
      l(k, i) = g / l(i, i);
      d -= l(k, i) * l(k, i);
      t -= l(k, i) * z(i);
    }
    if (!(d > 1e-12)) return false;  // depends on the others
    l(k, k) = std::sqrt(d);
    z(k) = t / l(k, k);
    now.push_back(j);
    return true;
  };
  const std::function<void(std::size_t, double)> grow = [&](std::size_t from, double explained) {
    if (now.size() == size) {
      if (best.size() == keep && !(explained > best.back().first)) return;
      if (best.size() == keep) best.pop_back();
      const auto at = std::find_if(best.begin(), best.end(), [&](const auto& b) { return b.first < explained; });
      Support sorted = now;
      std::sort(sorted.begin(), sorted.end());
      best.insert(at, {explained, sorted});
      return;
    }
    for (std::size_t f = from; f + (size - now.size()) <= free.size(); ++f) {
      if (!push(free[f])) continue;
      const double gain = z(static_cast<Index>(now.size() - 1));
      grow(f + 1, explained + gain * gain);
      now.pop_back();
    }
  };
  double explained = 0;
  for (const std::size_t j : forced) {
    if (!push(j)) return {};
    explained += z(static_cast<Index>(now.size() - 1)) * z(static_cast<Index>(now.size() - 1));
  }
  grow(0, explained);
  std::vector<Support> found;
  for (auto& b : best) found.push_back(std::move(b.second));
  return found;
}

std::vector<Support> support_path(std::string_view solver, const Problem& p, const SparseSettings& s) {
  const Normalised n(p, s.normalise);
  std::vector<Support> path;
  const std::size_t most = s.most > 0 ? std::min(s.most, p.a.cols) : p.a.cols;
  if (solver == "stlsq") {
    for (const double t : thresholds(n)) add_once(path, thresholded(n, t, s.ridge));
  } else if (solver == "sr3") {
    for (const double t : thresholds(n)) add_once(path, relaxed(n, t, s.nu));
  } else if (solver == "ssr") {
    path = backward(n, s.ridge);
  } else if (solver == "frols") {
    path = forward(n, most);
  } else if (solver == "lasso") {
    const Normalised unit(p, true);
    const MatrixXd gram = unit.a.transpose() * unit.a;
    const VectorXd ab = unit.a.transpose() * unit.b;
    std::vector<double> x;
    const double largest = ab.cwiseAbs().maxCoeff();
    for (int k = 0; k <= 120; ++k) {
      x = descend(gram, ab, largest * std::pow(10, -5.0 * k / 120), x);
      add_once(path, of_nonzero(x));
    }
  } else if (solver == "best-subset") {
    path.emplace_back();
    const std::size_t up_to = s.most > 0 ? most : std::min<std::size_t>(most, 6);
    for (std::size_t k = 1; k <= up_to; ++k)
      for (Support& one : best_subsets(p, k, 1)) path.push_back(std::move(one));
  } else {
    throw InputError(fmt::format("discover: no solver is called {}; expected one of {}{}", in_quotes(solver), join(solver_names()),
                                 did_you_mean(solver, solver_names())));
  }
  std::erase_if(path, [&](const Support& one) { return s.most > 0 && one.size() > most; });
  std::stable_sort(path.begin(), path.end(), [](const Support& a, const Support& b) { return a.size() < b.size(); });
  if (path.empty()) path.emplace_back();
  return path;
}

Support support_at(std::string_view solver, const Problem& p, double threshold, const SparseSettings& s) {
  if (solver == "stlsq") return stlsq(p, threshold, s);
  if (solver == "sr3") return sr3(p, threshold, s);
  if (solver == "lasso") return of_nonzero(lasso(p, threshold));
  throw InputError(fmt::format("discover: the solver {} has no threshold (stlsq, sr3 and lasso have); leave it out or say --most", solver));
}

std::vector<Dependence> dependent_columns(const Matrix& a, double tolerance) {
  const MatrixXd m = map(a);
  MatrixXd q(m.rows(), m.cols());
  Index kept = 0;
  std::vector<std::size_t> order;
  std::vector<Dependence> found;
  for (Index j = 0; j < m.cols(); ++j) {
    VectorXd v = m.col(j);
    const double length = v.norm();
    for (int twice = 0; twice < 2; ++twice) v -= q.leftCols(kept) * (q.leftCols(kept).transpose() * v);
    if (length > 0 && v.norm() > tolerance * length) {
      q.col(kept++) = v.normalized();
      order.push_back(static_cast<std::size_t>(j));
      continue;
    }
    Dependence d{static_cast<std::size_t>(j), {}};
    if (length > 0) {
      Matrix basis(a.rows, order.size());
      for (std::size_t k = 0; k < order.size(); ++k) std::copy(a.column(order[k]), a.column(order[k]) + a.rows, basis.column(k));
      const Problem p{basis, std::vector<double>(a.column(d.term), a.column(d.term) + a.rows)};
      const Normalised n(p, true);
      const VectorXd x = solve(n.a, n.b, all_terms(order.size()), 0);
      for (std::size_t k = 0; k < order.size(); ++k)
        if (std::abs(x(static_cast<Index>(k))) > 1e-6) d.on.push_back(order[k]);
    }
    found.push_back(d);
  }
  return found;
}

}  // namespace scree
