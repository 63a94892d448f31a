// SPDX-License-Identifier: BSD-3-Clause
/// The implicit form: Σ c_i θ_i = 0, where terms may contain the unknown w (x', or mu). Each term in
/// turn is the left-hand side (Kaheman, Kutz and Brunton 2020), and sparse equations for it are
/// found by best subsets.
///
/// The library holds the law and its multiples, so least squares on all of it is singular; and the
/// residual of the equation itself says little once there is noise on both sides. So models are
/// judged by the prediction of the *solved* form on held-out data: all terms are a_i + b_i w, hence
///
///     w = -Σ c_i a_i / Σ c_i b_i,
///
/// and the coefficients are refined to predict w best (Gauss-Newton).
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/core/random.hpp"
#include "scree/discovery/discover.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t most_rows = 20000;  // that the search looks at
constexpr std::size_t block_count = 30;

struct Rows {
  MatrixXd a, b;  // terms are a + b w
  VectorXd w;
  std::vector<Index> block;  // of each row
};

struct Model {
  Support support;             // terms in it, rising
  std::size_t lhs = 0;         // the one with coefficient -1
  VectorXd c;                  // of all terms
  double error = 0, stderr_ = 0;
};

/// Prediction of w by the solved form; false where there is a pole among the rows.
VectorXd solved(const Rows& rows, const VectorXd& c) { return -(rows.a * c).cwiseQuotient(rows.b * c); }

/// Root mean square error over that of w about its mean, and its standard error from blocks.
void judge(const Rows& rows, Model& m) {
  const VectorXd e = solved(rows, m.c) - rows.w;
  const double mean = rows.w.mean(), size = (rows.w.array() - mean).square().mean();
  m.error = INFINITY;
  m.stderr_ = 0;
  if (!e.allFinite()) return;
  m.error = std::sqrt(e.squaredNorm() / static_cast<double>(e.size()) / size);
  std::vector<double> sum(block_count), count(block_count);
  for (Index i = 0; i < e.size(); ++i) {
    const auto b = static_cast<std::size_t>(rows.block[static_cast<std::size_t>(i)]);
    sum[b] += e(i) * e(i), count[b] += 1;
  }
  double n = 0, s = 0, ss = 0;
  for (std::size_t b = 0; b < block_count; ++b)
    if (count[b] > 0) n += 1, s += sum[b] / count[b], ss += std::pow(sum[b] / count[b], 2);
  if (n > 1 && s > 0) m.stderr_ = 0.5 * std::sqrt(std::max(ss / n - s / n * s / n, 0.0) / (n - 1)) / (s / n) * m.error;
}

/// Gauss-Newton steps on the error of the solved form; the coefficient of lhs stays -1. Returns the covariance of the others.
MatrixXd refine(const Rows& rows, Model& m) {
  std::vector<std::size_t> free;
  for (const std::size_t j : m.support)
    if (j != m.lhs) free.push_back(j);
  const auto k = static_cast<Index>(free.size());
  const auto gradient = [&](const VectorXd& c, VectorXd& e) {
    const VectorXd bottom = rows.b * c, w = -(rows.a * c).cwiseQuotient(bottom);
    e = w - rows.w;
    MatrixXd j(rows.a.rows(), k);
    for (Index q = 0; q < k; ++q) {
      const auto col = static_cast<Index>(free[static_cast<std::size_t>(q)]);
      j.col(q) = -(rows.a.col(col) + rows.b.col(col).cwiseProduct(w)).cwiseQuotient(bottom);
    }
    return j;
  };
  VectorXd e;
  for (int step = 0; step < 20 && k > 0; ++step) {
    const MatrixXd j = gradient(m.c, e);
    if (!j.allFinite() || !e.allFinite()) return MatrixXd::Zero(k, k);
    const VectorXd scale = j.colwise().norm().cwiseMax(1e-300);
    const VectorXd d = (j * scale.cwiseInverse().asDiagonal()).colPivHouseholderQr().solve(-e).cwiseQuotient(scale);
    double length = 1;
    const double before = e.squaredNorm();
    VectorXd next = m.c;
    for (; length > 1e-3; length *= 0.5) {
      next = m.c;
      for (Index q = 0; q < k; ++q) next(static_cast<Index>(free[static_cast<std::size_t>(q)])) += length * d(q);
      const VectorXd after = solved(rows, next) - rows.w;
      if (after.allFinite() && after.squaredNorm() < before) break;
    }
    if (length <= 1e-3) break;
    const double moved = (next - m.c).norm() / next.norm();
    m.c = next;
    if (moved < 1e-10) break;
  }
  if (k == 0) return {};
  const MatrixXd j = gradient(m.c, e);
  if (!j.allFinite() || !e.allFinite()) return MatrixXd::Zero(k, k);
  // sandwich over blocks, as in block_errors
  MatrixXd bread = j.transpose() * j, meat = MatrixXd::Zero(k, k);
  std::vector<VectorXd> g(block_count, VectorXd::Zero(k));
  for (Index i = 0; i < e.size(); ++i) g[static_cast<std::size_t>(rows.block[static_cast<std::size_t>(i)])] += j.row(i).transpose() * e(i);
  double used = 0;
  for (const VectorXd& one : g)
    if (one.squaredNorm() > 0) meat += one * one.transpose(), used += 1;
  const VectorXd scale = bread.diagonal().cwiseSqrt().cwiseMax(1e-300);
  const MatrixXd inverse = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(scale.cwiseInverse().asDiagonal() * bread * scale.cwiseInverse().asDiagonal()).pseudoInverse();
  const MatrixXd unit = scale.cwiseInverse().asDiagonal() * inverse * scale.cwiseInverse().asDiagonal();
  return unit * meat * unit * (used > 1 ? used / (used - 1) : 1);
}

}  // namespace

FoundEquation discover_implicit(const Dataset& data, const DiscoverySettings& s, const Expr& unknown, const std::vector<Expr>& given,
                                const DerivativeMethods& methods, Discovery& report) {
  const Names& names = data.names;
  const std::string unknown_text = text_of(unknown, names);
  // The library and its products with the unknown; a library written by the user is taken as it is.
  std::vector<Expr> library;
  const bool written = !s.library.terms.empty();
  for (const Expr& e : given) library.push_back(e);
  const auto has = [&](const std::string& text) {
    return std::any_of(library.begin(), library.end(), [&](const Expr& e) { return text_of(e, names) == text; });
  };
  if (!written)
    for (const Expr& e : given) {
      const Expr product = product_expr(e, unknown);
      if (!has(text_of(product, names))) library.push_back(product);
    }
  else if (!has(unknown_text)) library.push_back(unknown);
  const std::size_t p = library.size();
  std::vector<Expr> columns;  // a of each, b of each, w
  std::vector<Expr> factors;
  std::vector<bool> with_unknown;
  for (const Expr& e : library) {
    const Affine split = affine_in(e, unknown, names);
    if (!split.is) throw InputError(fmt::format("--implicit: the term {} is not linear in {}, so the equation cannot be solved for it", text_of(e, names), unknown_text));
    columns.push_back(split.has_constant ? split.constant : number_expr(0));
    factors.push_back(split.has_factor ? split.factor : number_expr(0));
    with_unknown.push_back(split.has_factor);
  }
  columns.insert(columns.end(), factors.begin(), factors.end());
  columns.push_back(unknown);
  std::vector<std::string> text;
  for (const Expr& e : library) text.push_back(text_of(e, names));
  report.library = text;

  // Rows of all samples; of many, one drawn from each `every` neighbours: equal steps could fall in with a period of the data or with
  // the rows of a grid. Only those drawn are evaluated. Whole blocks are held out, every third.
  const std::size_t every = std::max<std::size_t>(1, data.points() / most_rows);
  std::vector<std::vector<double>> values;
  std::size_t dropped = 0;
  for (std::size_t k = 0; k < data.samples.size(); ++k) {
    const Sample& sample = data.samples[k];
    const Columns made(sample, names, columns, methods, true);
    Random random(s.ensemble.seed, 0x726f7773, static_cast<std::uint32_t>(k));
    for (std::size_t from = 0; from < sample.points(); from += every) {
      const std::size_t among = std::min(every, sample.points() - from);
      const std::size_t i = from + std::min(among - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(among)));
      std::vector<double> row(columns.size());
      for (std::size_t j = 0; j < columns.size(); ++j) made.evaluate(j, i, 1, &row[j]);
      if (std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) values.push_back(std::move(row));
      else ++dropped;
    }
  }
  if (every > 1) report.notes.push_back(fmt::format("the search looks at {} of {} rows, drawn by the seed", values.size() + dropped, data.points()));
  if (dropped > 0) report.notes.push_back(fmt::format("{} rows left out: a value in them is missing or not finite", dropped));
  const std::size_t n = values.size();
  if (n < 3 * (s.implicit_most + 2))
    throw InputError(fmt::format("discover: {} rows cannot determine an implicit equation among {} terms; expected at least {}", n, p, 3 * (s.implicit_most + 2)));
  report.rows = n;
  const std::size_t blocks = std::min<std::size_t>(block_count, n);
  Rows train, test, all;
  std::vector<std::size_t> which[2];
  for (std::size_t i = 0; i < n; ++i) which[(i * blocks / n) % 3 == 1 ? 1 : 0].push_back(i);
  const auto fill = [&](Rows& rows, const std::vector<std::size_t>& indices) {
    const auto m = static_cast<Index>(indices.size());
    rows.a.resize(m, static_cast<Index>(p));
    rows.b.resize(m, static_cast<Index>(p));
    rows.w.resize(m);
    for (Index i = 0; i < m; ++i) {
      const std::vector<double>& v = values[indices[static_cast<std::size_t>(i)]];
      for (std::size_t j = 0; j < p; ++j) rows.a(i, static_cast<Index>(j)) = v[j], rows.b(i, static_cast<Index>(j)) = v[p + j];
      rows.w(i) = v[2 * p];
      rows.block.push_back(static_cast<Index>(indices[static_cast<std::size_t>(i)] * blocks / n));
    }
  };
  fill(train, which[0]);
  fill(test, which[1]);
  std::vector<std::size_t> everything(n);
  for (std::size_t i = 0; i < n; ++i) everything[i] = i;
  fill(all, everything);

  // Each term as the left-hand side; factors of the training rows, so that subsets cost little.
  MatrixXd theta = train.a + train.b.cwiseProduct(train.w.replicate(1, static_cast<Index>(p)));
  Matrix plain(static_cast<std::size_t>(theta.rows()), p);
  std::copy_n(theta.data(), theta.size(), plain.data.begin());
  const Matrix r = Factors::condense(plain).r;
  std::vector<std::vector<Model>> found(p);
  std::vector<std::string> faults(p);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t side = 0; side < static_cast<std::int64_t>(p); ++side) {
    const auto lhs = static_cast<std::size_t>(side);
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < p; ++j)
      if (j != lhs) others.push_back(j);
    Problem problem{Matrix(r.rows, p - 1), std::vector<double>(r.column(lhs), r.column(lhs) + r.rows)};
    for (std::size_t j = 0; j < others.size(); ++j) std::copy_n(r.column(others[j]), r.rows, problem.a.column(j));
    try {
      for (std::size_t k = 1; k <= std::min(s.implicit_most, p - 1); ++k)
        for (const Support& subset : best_subsets(problem, k, 12)) {
          Model m;
          m.lhs = lhs;
          m.c = VectorXd::Zero(static_cast<Index>(p));
          m.c(static_cast<Index>(lhs)) = -1;
          const std::vector<double> x = least_squares(problem, subset);
          bool unknown_in = with_unknown[lhs];
          m.support.push_back(lhs);
          for (const std::size_t j : subset) {
            m.c(static_cast<Index>(others[j])) = x[j];
            m.support.push_back(others[j]);
            unknown_in = unknown_in || with_unknown[others[j]];
          }
          if (!unknown_in) continue;
          std::sort(m.support.begin(), m.support.end());
          judge(test, m);
          if (std::isfinite(m.error)) found[lhs].push_back(std::move(m));
        }
    } catch (const InputError& error) {
      faults[lhs] = error.what();
    }
  }
  for (const std::string& fault : faults)
    if (!fault.empty()) throw InputError(fault);

  // The same terms with another left-hand side are the same model: keep the better; of each size, refine the best.
  std::vector<Model> models;
  for (auto& list : found)
    for (Model& m : list) {
      const auto same = std::find_if(models.begin(), models.end(), [&](const Model& o) { return o.support == m.support; });
      if (same == models.end()) models.push_back(std::move(m));
      else if (m.error < same->error) *same = std::move(m);
    }
  if (models.empty()) throw InputError(fmt::format("--implicit: no equation among these terms can be solved for {}", unknown_text));
  const auto complexity = [&](const Model& m) {
    std::size_t length = 0;
    for (const std::size_t j : m.support) length += text[j].size();
    return length;
  };
  std::stable_sort(models.begin(), models.end(), [](const Model& a, const Model& b) { return a.error < b.error; });
  std::vector<Model> best;  // by size
  for (std::size_t size = 2; size <= s.implicit_most + 1; ++size) {
    std::vector<Model> some;
    for (const Model& m : models)
      if (m.support.size() == size && some.size() < 8) some.push_back(m);
    if (some.empty()) continue;
    for (Model& m : some) {
      // the bare unknown on the left, where the equation has it
      for (const std::size_t j : m.support)
        if (text[j] == unknown_text && m.c(static_cast<Index>(j)) != 0) {
          m.c /= -m.c(static_cast<Index>(j));
          m.lhs = j;
        }
      refine(train, m);
      judge(test, m);
    }
    const auto least = std::min_element(some.begin(), some.end(), [](const Model& a, const Model& b) { return a.error < b.error; });
    Model pick = *least;
    // a law and its multiples predict the same: the shortest of those that are as good
    for (const Model& m : some)
      if (m.error <= std::max(least->error * 1.05, 0.1 * s.selection.floor) && complexity(m) < complexity(pick)) pick = m;
    best.push_back(pick);
  }
  std::size_t least = 0;
  for (std::size_t k = 1; k < best.size(); ++k)
    if (best[k].error < best[least].error) least = k;
  const double limit = std::max(best[least].error + best[least].stderr_, s.selection.floor);
  std::size_t chosen = 0;
  while (chosen < least && !(best[chosen].error <= limit)) ++chosen;

  Model m = best[chosen];
  const MatrixXd covariance = refine(all, m);
  FoundEquation e;
  e.lhs_expression = library[m.lhs];
  e.lhs = text[m.lhs];
  e.latex_lhs = latex_of(library[m.lhs], names);
  e.selected_by = "held-out error of the solved form";
  e.chosen = chosen;
  for (const Model& one : best) e.path.push_back({one.support, one.error, one.stderr_, 0, one.error});
  e.score = 1 - best[chosen].error * best[chosen].error;
  Model whole = m;
  judge(all, whole);
  e.residual = whole.error;
  std::string top, bottom;
  const auto add = [&](std::string& sum, double c, const Expr& what) {
    const std::string t = text_of(what, names);
    sum += fmt::format("{}{:.4g}{}", sum.empty() ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + "), std::abs(c), t == "1" ? "" : " " + t);
  };
  Index q = 0;
  for (const std::size_t j : m.support) {
    const double c = m.c(static_cast<Index>(j));
    const Affine split = affine_in(library[j], unknown, names);
    if (split.has_constant) add(top, c, split.constant);
    if (split.has_factor) add(bottom, -c, split.factor);
    if (j == m.lhs) continue;
    e.terms.push_back({text[j], latex_of(library[j], names), c, std::sqrt(std::max(covariance(q, q), 0.0)), 1, library[j]});
    ++q;
  }
  e.solved = fmt::format("{} = ({})/({})", unknown_text, top.empty() ? "0" : top, bottom);
  const VectorXd predicted = solved(all, m.c);
  for (Index i = 0; i < predicted.size(); i += std::max<Index>(1, predicted.size() / 2000)) {
    e.data.push_back(all.w(i));
    e.model.push_back(predicted(i));
  }
  // How often bags of blocks come to the same terms.
  if (s.ensemble.bags > 0) report.notes.push_back("the implicit form has no ensemble: inclusions are 1");
  return e;
}

}  // namespace scree
