// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/factors.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace scree {
namespace {

using Map = Eigen::Map<const Eigen::MatrixXd>;

Map map(const Matrix& m) { return {m.data.data(), static_cast<Eigen::Index>(m.rows), static_cast<Eigen::Index>(m.cols)}; }

/// The upper triangle of the QR decomposition; columns are first scaled to length one, so that their units do not matter.
Matrix triangle(const Eigen::MatrixXd& m) {
  const Eigen::Index n = std::min(m.rows(), m.cols());
  Matrix r(static_cast<std::size_t>(n), static_cast<std::size_t>(m.cols()));
  if (n == 0) return r;
  Eigen::VectorXd scale = m.colwise().norm();
  for (Eigen::Index j = 0; j < scale.size(); ++j)
    if (!(scale(j) > 0)) scale(j) = 1;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(m * scale.cwiseInverse().asDiagonal());
  Eigen::Map<Eigen::MatrixXd> out(r.data.data(), n, m.cols());
  out = Eigen::MatrixXd(qr.matrixQR().topRows(n).triangularView<Eigen::Upper>()) * scale.asDiagonal();
  return r;
}

}  // namespace

Factors::Block Factors::condense(const Matrix& rows) { return {triangle(map(rows)), rows.rows, 0, 0}; }

void Factors::add(Block block) {
  if (block.rows == 0) return;
  rows_ += block.rows;
  const bool fresh = blocks_.empty() || blocks_.back().sample != block.sample;
  if (fresh) ++samples_;
  if (block.part != seam && (fresh || blocks_.back().part != block.part)) ++parts_;
  part_.push_back(block.part == seam ? seam : parts_ - 1);
  sample_.push_back(samples_ - 1);
  blocks_.push_back(std::move(block));
}

Matrix Factors::combined(const std::vector<double>& weight) const {
  Eigen::Index total = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    if (weight[k] > 0) total += static_cast<Eigen::Index>(blocks_[k].r.rows);
  Eigen::MatrixXd all(total, static_cast<Eigen::Index>(terms_ + sides_));
  Eigen::Index at = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    if (!(weight[k] > 0)) continue;
    const auto n = static_cast<Eigen::Index>(blocks_[k].r.rows);
    all.middleRows(at, n) = std::sqrt(weight[k]) * map(blocks_[k].r);
    at += n;
  }
  return triangle(all);
}

Matrix Factors::combined() const { return combined(std::vector<double>(blocks_.size(), 1.0)); }

std::vector<double> Factors::fold(std::size_t f, std::size_t folds, bool held_out) const {
  std::vector<double> weight;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const std::size_t share = samples_ >= folds ? sample_[k] * folds / samples_ : part_[k] == seam ? seam : part_[k] * folds / parts_;
    weight.push_back(share != seam && (share == f) == held_out ? 1.0 : 0.0);
  }
  return weight;
}

double Factors::rows(const std::vector<double>& weight) const {
  double n = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) n += weight[k] * static_cast<double>(blocks_[k].rows);
  return n;
}

Problem problem_of(const Matrix& factor, std::size_t terms, std::size_t side) {
  Problem p{Matrix(factor.rows, terms), {}};
  std::copy(factor.data.begin(), factor.data.begin() + static_cast<std::ptrdiff_t>(factor.rows * terms), p.a.data.begin());
  p.b.assign(factor.column(terms + side), factor.column(terms + side) + factor.rows);
  return p;
}

}  // namespace scree
