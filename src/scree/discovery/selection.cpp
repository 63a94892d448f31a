// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/selection.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/discovery/sandwich.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const MatrixXd> map(const Matrix& m) { return {m.data.data(), static_cast<Index>(m.rows), static_cast<Index>(m.cols)}; }
Eigen::Map<const VectorXd> map(const std::vector<double>& v) { return {v.data(), static_cast<Index>(v.size())}; }

double length(const std::vector<double>& v) { return map(v).norm(); }

std::vector<double> losses(const Problem& p, const std::vector<Support>& path) {
  Support all(p.a.cols);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<double> full = least_squares(p, all);
  const VectorXd fitted = map(p.a) * map(full);
  std::vector<double> loss;
  for (const Support& one : path) {
    const std::vector<double> x = least_squares(p, one);
    const double off = (map(p.a) * map(x) - fitted).norm(), size = fitted.norm();
    loss.push_back((size > 0 ? off / size : 0) + static_cast<double>(one.size()) / static_cast<double>(p.a.cols));
  }
  return loss;
}

double independent_rows(const Factors& factors) { return static_cast<double>(std::min(factors.rows(), factors.blocks().size() * factors.terms())); }

std::vector<std::size_t> sizes_of(const std::vector<Support>& path) {
  std::vector<std::size_t> sizes;
  for (const Support& one : path) sizes.push_back(one.size());
  return sizes;
}

}  // namespace

const std::vector<std::string>& criterion_names() {
  static const std::vector<std::string> names{"loss", "cv", "bic", "aic"};
  return names;
}

HeldOutSquares held_out_squares(const std::vector<double>& of_parts) {
  const auto n = static_cast<double>(of_parts.size());
  HeldOutSquares h;
  double square = 0;
  for (const double one : of_parts) h.mean += one / n;
  for (const double one : of_parts) square += (one - h.mean) * (one - h.mean);
  if (n > 1) h.stderr_ = std::sqrt(square / n / (n - 1));
  return h;
}

std::size_t one_standard_error(const std::vector<HeldOutSquares>& squares, double floor) {
  std::size_t best = 0, first = 0;
  for (std::size_t k = 1; k < squares.size(); ++k)
    if (std::max(squares[k].mean, floor) < std::max(squares[best].mean, floor)) best = k;
  const double limit = std::max(squares[best].mean + squares[best].stderr_, floor);
  while (first < best && !(squares[first].mean <= limit)) ++first;
  return first;
}

std::size_t least_information(const std::vector<double>& error, const std::vector<std::size_t>& terms, double n, const SelectionSettings& s) {
  std::size_t chosen = 0;
  double least = 0;
  for (std::size_t k = 0; k < error.size(); ++k) {
    const double score = 2 * n * std::log(std::max({error[k], s.floor, 1e-300})) + static_cast<double>(terms[k]) * (s.by == "bic" ? std::log(n) : 2.0);
    if (k == 0 || score < least) least = score, chosen = k;
  }
  return chosen;
}

Choice choose_support(const Factors& factors, std::size_t side, const std::vector<Support>& path, const SelectionSettings& s) {
  const auto& names = criterion_names();
  if (std::find(names.begin(), names.end(), s.by) == names.end())
    throw InputError(fmt::format("discover: no criterion is called {}; expected one of {}{}", in_quotes(s.by), join(names), did_you_mean(s.by, names)));
  const std::size_t terms = factors.terms(), folds = std::min(s.folds, factors.parts());
  const Problem whole = problem_of(factors.combined(), terms, side);
  const double size = length(whole.b);
  Choice choice;
  choice.by = s.by;
  const std::vector<double> loss = losses(whole, path);
  std::vector<Problem> train, test;
  std::vector<double> rows;
  for (std::size_t f = 0; f < folds; ++f) choice.held_out &= factors.rows(factors.fold(f, folds, false)) >= static_cast<double>(terms);
  choice.held_out &= folds >= 2;
  if (!choice.held_out) choice.by = "loss";
  for (std::size_t f = 0; choice.held_out && f < folds; ++f) {
    train.push_back(problem_of(factors.combined(factors.fold(f, folds, false)), terms, side));
    test.push_back(problem_of(factors.combined(factors.fold(f, folds, true)), terms, side));
    rows.push_back(factors.rows(factors.fold(f, folds, true)));
  }
  const double mean_square = size * size / static_cast<double>(factors.rows());
  std::vector<HeldOutSquares> squares;
  for (std::size_t k = 0; k < path.size(); ++k) {
    Candidate c{path[k], 0, 0, loss[k], 0};
    c.residual = size > 0 ? std::sqrt(squared_error(whole, least_squares(whole, path[k]))) / size : 0;
    std::vector<double> of_parts;
    for (std::size_t f = 0; f < train.size() && mean_square > 0; ++f)
      of_parts.push_back(squared_error(test[f], least_squares(train[f], path[k])) / rows[f] / mean_square);
    if (of_parts.empty()) of_parts = {c.residual * c.residual};
    squares.push_back(held_out_squares(of_parts));
    c.held_out = std::sqrt(squares.back().mean);
    c.held_out_stderr = c.held_out > 0 ? 0.5 * squares.back().stderr_ / c.held_out : 0;
    choice.candidates.push_back(c);
  }
  std::vector<double> error;
  for (const Candidate& one : choice.candidates) error.push_back(one.held_out);
  if (choice.by == "loss") choice.chosen = static_cast<std::size_t>(std::min_element(loss.begin(), loss.end()) - loss.begin());
  else if (choice.by == "cv") choice.chosen = one_standard_error(squares, s.floor * s.floor);
  else choice.chosen = least_information(error, sizes_of(path), independent_rows(factors), s);
  return choice;
}

std::vector<double> block_errors(const Factors& factors, std::size_t side, const std::vector<double>& x, const Support& support) {
  std::vector<double> error(factors.terms());
  const auto k = static_cast<Index>(support.size());
  const auto blocks = static_cast<double>(factors.blocks().size());
  if (k == 0) return error;
  MatrixXd bread = MatrixXd::Zero(k, k), meat = MatrixXd::Zero(k, k);
  for (const Factors::Block& block : factors.blocks()) {
    const Problem p = problem_of(block.r, factors.terms(), side);
    MatrixXd a(static_cast<Index>(p.a.rows), k);
    for (Index j = 0; j < k; ++j) a.col(j) = map(p.a).col(static_cast<Index>(support[static_cast<std::size_t>(j)]));
    const VectorXd g = a.transpose() * (map(p.b) - map(p.a) * map(x));
    bread += a.transpose() * a;
    meat += g * g.transpose();
  }
  const MatrixXd covariance = sandwich(bread, meat);
  for (Index j = 0; j < k; ++j)
    error[support[static_cast<std::size_t>(j)]] = std::sqrt(std::max(covariance(j, j), 0.0) * blocks / std::max(blocks - 1, 1.0));
  return error;
}

std::size_t best_left_out(const Bag& bag, const std::vector<Support>& path, const SelectionSettings& s) {
  if (s.by == "loss") {
    const std::vector<double> loss = losses(bag.drawn, path);
    return static_cast<std::size_t>(std::min_element(loss.begin(), loss.end()) - loss.begin());
  }
  double size = 0, rows = 0;
  for (std::size_t b = 0; b < bag.left_out.size(); ++b) size += map(bag.left_out[b].b).squaredNorm(), rows += bag.left_out_rows[b];
  if (!(size > 0)) return path.size() - 1;
  const double unit = size / rows;  // mean square of the side
  std::vector<HeldOutSquares> squares;
  std::vector<double> error;
  for (const Support& one : path) {
    const std::vector<double> x = least_squares(bag.drawn, one);
    std::vector<double> of_parts;
    for (std::size_t b = 0; b < bag.left_out.size(); ++b) of_parts.push_back(squared_error(bag.left_out[b], x) / bag.left_out_rows[b] / unit);
    squares.push_back(held_out_squares(of_parts));
    error.push_back(std::sqrt(squares.back().mean));
  }
  if (s.by == "cv") return one_standard_error(squares, s.floor * s.floor);
  return least_information(error, sizes_of(path), bag.independent, s);
}

std::vector<double> draw_blocks(Random& random, std::size_t blocks) {
  std::vector<double> times;
  do {
    times.assign(blocks, 0.0);
    for (std::size_t k = 0; k < blocks; ++k) times[std::min(blocks - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(blocks)))] += 1;
  } while (blocks > 1 && std::all_of(times.begin(), times.end(), [](double n) { return n > 0; }));
  return times;
}

Ensemble bootstrap(const Factors& factors, std::size_t side, const EnsembleSettings& s, const BagSupport& support) {
  const std::size_t terms = factors.terms(), blocks = factors.blocks().size();
  std::vector<std::vector<double>> found(s.bags);        // coefficients of each bag
  std::vector<std::vector<std::uint8_t>> offered(s.bags);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < static_cast<std::int64_t>(s.bags); ++b) {
    const auto bag = static_cast<std::size_t>(b);
    Random random(s.seed, 0x64697363, static_cast<std::uint32_t>(bag));
    const std::vector<double> weight = draw_blocks(random, blocks);
    const Problem p = problem_of(factors.combined(weight), terms, side);
    std::vector<std::size_t> kept;
    for (std::size_t j = 0; j < terms; ++j)
      if (random.uniform() >= s.drop_terms) kept.push_back(j);
    const auto only_kept = [&](const Problem& whole) {
      Problem part{Matrix(whole.a.rows, kept.size()), whole.b};
      for (std::size_t j = 0; j < kept.size(); ++j) std::copy_n(whole.a.column(kept[j]), whole.a.rows, part.a.column(j));
      return part;
    };
    Bag offer{only_kept(p), {}, {}, independent_rows(factors)};
    for (std::size_t k = 0; k < blocks; ++k)
      if (weight[k] == 0) {
        offer.left_out.push_back(only_kept(problem_of(factors.blocks()[k].r, terms, side)));
        offer.left_out_rows.push_back(static_cast<double>(factors.blocks()[k].rows));
      }
    found[bag].assign(terms, 0.0);
    offered[bag].assign(terms, 0);
    for (const std::size_t j : kept) offered[bag][j] = 1;
    if (kept.empty()) continue;
    const Support in = support(offer);
    const std::vector<double> x = least_squares(offer.drawn, in);
    for (const std::size_t j : in) found[bag][kept[j]] = x[j];
  }
  Ensemble e{std::vector<double>(terms), std::vector<double>(terms)};
  for (std::size_t j = 0; j < terms; ++j) {
    double n = 0, could = 0, mean = 0, square = 0;
    for (std::size_t bag = 0; bag < s.bags; ++bag) {
      could += offered[bag][j];
      if (found[bag][j] == 0) continue;
      n += 1;
      mean += found[bag][j];
    }
    mean /= std::max(n, 1.0);
    for (std::size_t bag = 0; bag < s.bags; ++bag)
      if (found[bag][j] != 0) square += (found[bag][j] - mean) * (found[bag][j] - mean);
    e.inclusion[j] = could > 0 ? n / could : 0;
    e.stderr_[j] = n > 1 ? std::sqrt(square / (n - 1)) : 0;
  }
  return e;
}

}  // namespace scree
