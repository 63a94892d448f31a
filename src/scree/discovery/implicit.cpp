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
/// and the coefficients are refined to predict w best (Gauss-Newton). Candidate terms come from all rows;
/// each of their equations is fitted to all parts of the data but one and judged on that one, in turn. Where the data have a
/// field w_stderr, the standard error of w (mu_stderr), errors of w count in units of it.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/core/random.hpp"
#include "scree/discovery/discover.hpp"
#include "scree/discovery/sandwich.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Indices = std::vector<std::size_t>;

constexpr std::size_t most_rows = 20000;   // that the search looks at
constexpr std::size_t wanted_blocks = 30;
constexpr std::size_t refined = 8;         // equations of each size whose coefficients are refined

struct Rows {
  MatrixXd a, b;  // terms are a + b w
  VectorXd w;
  VectorXd weight;  // one over the standard error of w, where it is known, such that the mean of squares is 1
  Indices block;  // of each row: whole samples, or stretches of them
};

Rows some_of(const Rows& all, const Indices& which) {
  const auto n = static_cast<Index>(which.size());
  Rows some{MatrixXd(n, all.a.cols()), MatrixXd(n, all.b.cols()), VectorXd(n), VectorXd(n), {}};
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(which[static_cast<std::size_t>(i)]);
    some.a.row(i) = all.a.row(row);
    some.b.row(i) = all.b.row(row);
    some.w(i) = all.w(row);
    some.weight(i) = all.weight(row);
    some.block.push_back(all.block[which[static_cast<std::size_t>(i)]]);
  }
  return some;
}

struct Model {
  Support support;             // terms in it, rising
  std::size_t lhs = 0;         // the one with coefficient -1
  VectorXd c;                  // of all terms
  HeldOutSquares squares;      // over the variance of w
  double error() const { return std::sqrt(squares.mean); }
  double stderr_() const { return squares.mean > 0 ? 0.5 * squares.stderr_ / error() : 0; }
};

/// Prediction of w by the solved form; not finite where there is a pole among the rows.
VectorXd solved(const Rows& rows, const VectorXd& c) { return -(rows.a * c).cwiseQuotient(rows.b * c); }

/// Mean square error of every block, over `unit`, appended.
void judge(const Rows& rows, const Model& m, double unit, std::vector<double>& of_blocks) {
  const VectorXd e = (solved(rows, m.c) - rows.w).cwiseProduct(rows.weight);
  double sum = 0, count = 0;
  for (Index i = 0; i < e.size(); ++i) {
    sum += e(i) * e(i), count += 1;
    const auto at = static_cast<std::size_t>(i);
    if (at + 1 < rows.block.size() && rows.block[at + 1] == rows.block[at]) continue;
    of_blocks.push_back(std::isfinite(sum) ? sum / count / unit : INFINITY);
    sum = count = 0;
  }
}

/// Coefficients by least squares of the equation itself: what refinement starts from, so that nothing is known of other rows.
void start(const Rows& rows, Model& m) {
  Indices free;
  for (const std::size_t j : m.support)
    if (j != m.lhs) free.push_back(j);
  const auto term = [&](std::size_t j) -> VectorXd { return (rows.a.col(static_cast<Index>(j)) + rows.b.col(static_cast<Index>(j)).cwiseProduct(rows.w)).cwiseProduct(rows.weight); };
  MatrixXd theta(rows.w.size(), static_cast<Index>(free.size()));
  for (std::size_t q = 0; q < free.size(); ++q) theta.col(static_cast<Index>(q)) = term(free[q]);
  const VectorXd scale = theta.colwise().norm().cwiseMax(1e-300);
  const VectorXd x = (theta * scale.cwiseInverse().asDiagonal()).colPivHouseholderQr().solve(term(m.lhs)).cwiseQuotient(scale);
  m.c.setZero();
  m.c(static_cast<Index>(m.lhs)) = -1;
  for (std::size_t q = 0; q < free.size(); ++q) m.c(static_cast<Index>(free[q])) = x(static_cast<Index>(q));
}

double variance(const Rows& rows) {
  const auto weight = rows.weight.array().square();
  const double mean = (weight * rows.w.array()).sum() / weight.sum();
  return (weight * (rows.w.array() - mean).square()).mean();
}

/// Gauss-Newton steps on the error of the solved form; the coefficient of lhs stays -1. Returns the covariance of the others.
MatrixXd refine(const Rows& rows, Model& m) {
  std::vector<std::size_t> free;
  for (const std::size_t j : m.support)
    if (j != m.lhs) free.push_back(j);
  const auto k = static_cast<Index>(free.size());
  const auto gradient = [&](const VectorXd& c, VectorXd& e) {
    const VectorXd bottom = rows.b * c, w = -(rows.a * c).cwiseQuotient(bottom);
    e = (w - rows.w).cwiseProduct(rows.weight);
    MatrixXd j(rows.a.rows(), k);
    for (Index q = 0; q < k; ++q) {
      const auto col = static_cast<Index>(free[static_cast<std::size_t>(q)]);
      j.col(q) = -(rows.a.col(col) + rows.b.col(col).cwiseProduct(w)).cwiseQuotient(bottom).cwiseProduct(rows.weight);
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
      const VectorXd after = (solved(rows, next) - rows.w).cwiseProduct(rows.weight);
      if (after.allFinite() && after.squaredNorm() < before) break;
    }
    if (length <= 1e-3) break;
    const double moved = (next - m.c).norm() / next.norm();
    m.c = next;
    if (moved < 1e-10) break;
  }
  if (k == 0) return {};
  const MatrixXd jacobian = gradient(m.c, e);
  if (!jacobian.allFinite() || !e.allFinite()) return MatrixXd::Zero(k, k);
  // the sandwich over blocks
  MatrixXd meat = MatrixXd::Zero(k, k);
  VectorXd score = VectorXd::Zero(k);
  double used = 0;
  for (Index i = 0; i < e.size(); ++i) {
    score += jacobian.row(i).transpose() * e(i);
    const auto at = static_cast<std::size_t>(i);
    if (at + 1 < rows.block.size() && rows.block[at + 1] == rows.block[at]) continue;
    meat += score * score.transpose();
    score.setZero();
    used += 1;
  }
  return sandwich(jacobian.transpose() * jacobian, meat) * (used > 1 ? used / (used - 1) : 1);
}

/// What a search has to choose from, and how.
struct Search {
  std::vector<std::string> text;       // of the terms
  std::string unknown;
  std::vector<bool> with_unknown;
  const DiscoverySettings& settings;

  std::size_t terms() const { return text.size(); }
  std::size_t length(const Model& m) const {
    std::size_t sum = 0;
    for (const std::size_t j : m.support) sum += text[j].size();
    return sum;
  }
  /// The best equations of every size by their solved form on these rows, before refinement.
  std::vector<Model> candidates(const Rows& rows) const;
  /// Of every size the best on what is held out, and which of them is chosen.
  struct Answer {
    std::vector<Model> best;
    std::size_t chosen = 0;
  };
  Answer answer(const Rows& rows, const std::vector<Model>& candidates, const std::vector<std::pair<Indices, Indices>>& splits) const;
};

std::vector<Model> Search::candidates(const Rows& rows) const {
  const std::size_t p = terms(), most = settings.implicit_most;
  // each term as the left-hand side; a factor of the rows, so that subsets cost little
  const MatrixXd theta = rows.weight.asDiagonal() * (rows.a + rows.b.cwiseProduct(rows.w.replicate(1, static_cast<Index>(p))));
  Matrix plain(static_cast<std::size_t>(theta.rows()), p);
  std::copy_n(theta.data(), theta.size(), plain.data.begin());
  const Matrix r = Factors::condense(plain).r;
  const double unit = variance(rows);
  std::vector<std::vector<Model>> found(p);
  std::vector<std::string> faults(p);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t side = 0; side < static_cast<std::int64_t>(p); ++side) {
    const auto lhs = static_cast<std::size_t>(side);
    Indices others;
    for (std::size_t j = 0; j < p; ++j)
      if (j != lhs) others.push_back(j);
    Problem problem{Matrix(r.rows, p - 1), std::vector<double>(r.column(lhs), r.column(lhs) + r.rows)};
    for (std::size_t j = 0; j < others.size(); ++j) std::copy_n(r.column(others[j]), r.rows, problem.a.column(j));
    try {
      for (std::size_t k = 1; k <= std::min(most, p - 1); ++k)
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
          std::vector<double> of_blocks;
          judge(rows, m, unit, of_blocks);
          m.squares = held_out_squares(of_blocks);
          if (std::isfinite(m.squares.mean)) found[lhs].push_back(std::move(m));
        }
    } catch (const InputError& error) {
      faults[lhs] = error.what();
    }
  }
  for (const std::string& fault : faults)
    if (!fault.empty()) throw InputError(fault);
  // the same terms with another left-hand side are the same model: keep the better
  std::vector<Model> models;
  for (auto& list : found)
    for (Model& m : list) {
      const auto same = std::find_if(models.begin(), models.end(), [&](const Model& o) { return o.support == m.support; });
      if (same == models.end()) models.push_back(std::move(m));
      else if (m.squares.mean < same->squares.mean) *same = std::move(m);
    }
  std::stable_sort(models.begin(), models.end(), [](const Model& a, const Model& b) { return a.squares.mean < b.squares.mean; });
  std::vector<Model> kept;
  for (std::size_t size = 2; size <= most + 1; ++size) {
    std::size_t count = 0;
    for (Model& m : models) {
      if (m.support.size() != size || count == refined) continue;
      for (const std::size_t j : m.support)  // the bare unknown on the left, where the equation has it
        if (text[j] == unknown && m.c(static_cast<Index>(j)) != 0) {
          m.c /= -m.c(static_cast<Index>(j));
          m.lhs = j;
        }
      kept.push_back(m);
      ++count;
    }
  }
  return kept;
}

Search::Answer Search::answer(const Rows& rows, const std::vector<Model>& candidates, const std::vector<std::pair<Indices, Indices>>& splits) const {
  const double unit = variance(rows);
  std::vector<std::vector<double>> of_blocks(candidates.size());
  for (const auto& [train_rows, test_rows] : splits) {
    const Rows train = some_of(rows, train_rows), test = some_of(rows, test_rows);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(candidates.size()); ++k) {
      Model m = candidates[static_cast<std::size_t>(k)];
      start(train, m);
      refine(train, m);
      judge(test, m, unit, of_blocks[static_cast<std::size_t>(k)]);
    }
  }
  Answer answer;
  for (std::size_t size = 2; size <= settings.implicit_most + 1; ++size) {
    std::vector<Model> some;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (candidates[k].support.size() == size) {
        some.push_back(candidates[k]);
        some.back().squares = held_out_squares(of_blocks[k]);
      }
    std::erase_if(some, [](const Model& m) { return !std::isfinite(m.squares.mean); });
    if (some.empty()) continue;
    const auto least = std::min_element(some.begin(), some.end(), [](const Model& a, const Model& b) { return a.squares.mean < b.squares.mean; });
    Model pick = *least;
    // a law and its multiples predict the same: the shortest of those that are as good
    for (const Model& m : some)
      if (m.error() <= std::max(least->error() * 1.05, 0.1 * settings.selection.floor) && length(m) < length(pick)) pick = m;
    answer.best.push_back(pick);
  }
  std::vector<HeldOutSquares> squares;
  std::vector<double> error;
  Indices sizes;
  for (const Model& m : answer.best) squares.push_back(m.squares), error.push_back(m.error()), sizes.push_back(m.support.size());
  const SelectionSettings& by = settings.selection;
  if (!answer.best.empty()) answer.chosen = by.by == "cv" ? one_standard_error(squares, by.floor * by.floor) : least_information(error, sizes, static_cast<double>(of_blocks.front().size()), by);
  return answer;
}

/// Settings that mean nothing here are refused rather than passed over.
void check_settings(const DiscoverySettings& s) {
  const auto refuse = [](const char* what) { throw InputError(fmt::format("--implicit: the search is by best subsets, judged by the solved form; {} does not apply to it", what)); };
  if (!s.solver.empty() && s.solver != "best-subset") refuse("--solver");
  if (s.threshold || !s.thresholds.empty()) refuse("--threshold");
  if (s.selection.by == "loss") refuse("--select loss");
  if (s.sparse.ridge > 0) refuse("--ridge");
  if (!s.sparse.normalise) refuse("--no-normalise");
  if (s.ensemble.drop_terms > 0) refuse("--drop-terms");
}

}  // namespace

FoundEquation discover_implicit(const Dataset& data, const DiscoverySettings& s, const Expr& unknown, const std::vector<Expr>& given,
                                const DerivativeMethods& methods, Discovery& report) {
  check_settings(s);
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
  const auto errors = std::find(names.fields.begin(), names.fields.end(), unknown_text + "_stderr");
  const bool known_errors = errors != names.fields.end();
  if (known_errors) {
    columns.push_back(field_expr(static_cast<std::size_t>(errors - names.fields.begin())));
    report.notes.push_back(fmt::format("rows count by 1/{}²", *errors));
  }
  std::vector<std::string> text;
  for (const Expr& e : library) text.push_back(text_of(e, names));
  report.library = text;

  // Rows of all samples; of many, one drawn from each `every` neighbours: equal steps could fall in with a period of the data or with
  // the rows of a grid. Only those drawn are evaluated. Blocks are whole samples where there are as many as folds, else stretches of them.
  const std::size_t every = std::max<std::size_t>(1, data.points() / most_rows), samples = data.samples.size();
  const bool whole_samples = samples >= s.selection.folds;
  std::vector<std::vector<double>> values;
  Rows all;
  std::size_t dropped = 0, unweighted = 0, blocks = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const Sample& sample = data.samples[k];
    const Columns made(sample, names, columns, methods, true);
    Random random(s.ensemble.seed, 0x726f7773, static_cast<std::uint32_t>(k));
    const std::size_t before = values.size();
    for (std::size_t from = 0; from < sample.points(); from += every) {
      const std::size_t among = std::min(every, sample.points() - from);
      const std::size_t i = from + std::min(among - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(among)));
      std::vector<double> row(columns.size());
      for (std::size_t j = 0; j < columns.size(); ++j) made.evaluate(j, i, 1, &row[j]);
      if (!std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) ++dropped;
      else if (known_errors && !(row.back() > 0)) ++unweighted;
      else values.push_back(std::move(row));
    }
    const std::size_t mine = values.size() - before;
    const std::size_t share = whole_samples ? 1 : std::clamp<std::size_t>(wanted_blocks * sample.points() / data.points(), 1, std::max<std::size_t>(mine, 1));
    for (std::size_t i = 0; i < mine; ++i) all.block.push_back(blocks + i * share / mine);
    if (mine > 0) blocks += share;
  }
  if (every > 1) report.notes.push_back(fmt::format("the search looks at {} of {} rows, drawn by the seed", values.size() + dropped + unweighted, data.points()));
  if (dropped > 0) report.notes.push_back(fmt::format("{} rows left out: a value in them is missing or not finite", dropped));
  if (unweighted > 0) report.notes.push_back(fmt::format("{} rows left out: their {} is not above zero, so they have no weight", unweighted, *errors));
  const std::size_t n = values.size();
  if (n < 3 * (s.implicit_most + 2))
    throw InputError(fmt::format("discover: {} rows cannot determine an implicit equation among {} terms; expected at least {}", n, p, 3 * (s.implicit_most + 2)));
  report.rows = n;
  all.a.resize(static_cast<Index>(n), static_cast<Index>(p));
  all.b.resize(static_cast<Index>(n), static_cast<Index>(p));
  all.w.resize(static_cast<Index>(n));
  all.weight.resize(static_cast<Index>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      all.a(static_cast<Index>(i), static_cast<Index>(j)) = values[i][j];
      all.b(static_cast<Index>(i), static_cast<Index>(j)) = values[i][p + j];
    }
    all.w(static_cast<Index>(i)) = values[i][2 * p];
    all.weight(static_cast<Index>(i)) = known_errors ? 1 / values[i].back() : 1;
  }
  all.weight /= std::sqrt(all.weight.squaredNorm() / static_cast<double>(n));
  if (!(variance(all) > 0)) throw InputError(fmt::format("--implicit: {} is constant; there is nothing to explain", unknown_text));

  // Every fifth block is held out, then those after them, and so on: what is left out lies between what is known.
  const std::size_t folds = std::min(s.selection.folds, blocks);
  if (folds < 2)
    throw InputError(fmt::format("--implicit: nothing can be held out, since all {} rows that count are of one sample; expected rows in two at least, or more --folds than there "
                                 "are samples ({}): then stretches of samples are held out", n, samples));
  std::vector<std::pair<Indices, Indices>> splits(folds);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t f = 0; f < folds; ++f) (all.block[i] % folds == f ? splits[f].second : splits[f].first).push_back(i);
  const Search search{text, unknown_text, with_unknown, s};
  const Search::Answer found = search.answer(all, search.candidates(all), splits);
  if (found.best.empty()) throw InputError(fmt::format("--implicit: no equation among these terms can be solved for {}", unknown_text));

  Model m = found.best[found.chosen];
  const MatrixXd covariance = refine(all, m);
  FoundEquation e;
  e.lhs_expression = library[m.lhs];
  e.lhs = text[m.lhs];
  e.latex_lhs = latex_of(library[m.lhs], names);
  e.selected_by = fmt::format("{} of the solved form", s.selection.by);
  e.chosen = found.chosen;
  for (const Model& one : found.best) {
    Model fitted = one;
    refine(all, fitted);
    std::vector<double> of_blocks;
    judge(all, fitted, variance(all), of_blocks);
    e.path.push_back({one.support, one.error(), one.stderr_(), 0, std::sqrt(held_out_squares(of_blocks).mean)});
  }
  e.score = 1 - found.best[found.chosen].squares.mean;
  e.residual = e.path[found.chosen].residual;

  // How often bags of blocks come to the same terms; what a bag did not draw is held out.
  std::vector<double> inclusion(p, 1.0);
  if (s.ensemble.bags > 0) {
    std::fill(inclusion.begin(), inclusion.end(), 0.0);
    std::vector<Indices> rows_of(blocks);
    for (std::size_t i = 0; i < n; ++i) rows_of[all.block[i]].push_back(i);
    std::vector<Support> supports(s.ensemble.bags);
    std::vector<std::string> faults(s.ensemble.bags);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(s.ensemble.bags); ++b) {
      const auto bag = static_cast<std::size_t>(b);
      Random random(s.ensemble.seed, 0x696d706c, static_cast<std::uint32_t>(bag));
      const std::vector<double> times = draw_blocks(random, blocks);
      std::pair<Indices, Indices> split;
      for (std::size_t k = 0; k < blocks; ++k) {
        if (times[k] == 0) split.second.insert(split.second.end(), rows_of[k].begin(), rows_of[k].end());
        for (double t = 0; t < times[k]; t += 1) split.first.insert(split.first.end(), rows_of[k].begin(), rows_of[k].end());
      }
      try {
        const Search::Answer one = search.answer(all, search.candidates(some_of(all, split.first)), {split});
        if (!one.best.empty()) supports[bag] = one.best[one.chosen].support;
      } catch (const InputError& error) {
        faults[bag] = error.what();
      }
    }
    std::size_t same = 0;
    for (std::size_t bag = 0; bag < s.ensemble.bags; ++bag) {
      if (!faults[bag].empty()) throw InputError(faults[bag]);
      for (const std::size_t j : supports[bag]) inclusion[j] += 1 / static_cast<double>(s.ensemble.bags);
      same += supports[bag] == m.support;
    }
    e.inclusion = inclusion;
    report.notes.push_back(fmt::format("{} of {} bags come to exactly these terms for {}", same, s.ensemble.bags, unknown_text));
  }
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
    e.terms.push_back({text[j], latex_of(library[j], names), c, std::sqrt(std::max(covariance(q, q), 0.0)), inclusion[j], library[j]});
    ++q;
  }
  e.solved = fmt::format("{} = ({})/({})", unknown_text, top.empty() ? "0" : top, bottom);
  const VectorXd predicted = solved(all, m.c);
  for (Index i = 0; i < predicted.size(); i += std::max<Index>(1, predicted.size() / 2000)) {
    e.data.push_back(all.w(i));
    e.model.push_back(predicted(i));
  }
  return e;
}

}  // namespace scree
