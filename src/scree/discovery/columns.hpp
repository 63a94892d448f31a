// SPDX-License-Identifier: BSD-3-Clause
/// Expressions evaluated on a sample: derivatives once, over the whole grid; the rest in blocks of
/// rows, so that a library never stands in memory whole.
#pragma once

#include <vector>

#include "scree/discovery/dataset.hpp"
#include "scree/discovery/derivative.hpp"

namespace scree {

/// How derivatives are taken: one method per coordinate.
using DerivativeMethods = std::vector<DerivativeMethod>;

class Columns {
 public:
  /// For the given expressions on this sample, which must outlive it. With sg and tv, fields are
  /// smoothed along all axes first (`smooth`).
  Columns(const Sample& sample, const Names& names, const std::vector<Expr>& expressions, const DerivativeMethods& methods, bool smooth);

  std::size_t size() const { return programs_.size(); }
  /// Values of the k-th expression at points first … first + count - 1.
  void evaluate(std::size_t k, std::size_t first, std::size_t count, double* out) const;

 private:
  const std::vector<double>& field(std::size_t k) const { return smoothed_.empty() ? sample_.fields[k] : smoothed_[k]; }
  void load(const Program::Leaf& leaf, std::size_t first, std::size_t count, double* out) const;

  const Sample& sample_;
  std::vector<std::size_t> strides_;
  std::vector<std::vector<double>> smoothed_, derivatives_;
  std::vector<Program> programs_;
};

}  // namespace scree
