// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/columns.hpp"

#include <algorithm>
#include <cstring>

namespace scree {

Columns::Columns(const Sample& sample, const Names& names, const std::vector<Expr>& expressions, const DerivativeMethods& methods, bool smooth)
    : sample_(sample) {
  for (std::size_t a = 0; a < sample.axes.size(); ++a) strides_.push_back(sample.stride(a));
  const auto smooths = [&](std::size_t axis) {
    return methods[axis].kind == DerivativeMethod::Kind::sg || methods[axis].kind == DerivativeMethod::Kind::tv;
  };
  for (std::size_t a = 0; smooth && a < names.coordinates.size(); ++a) {
    if (!smooths(a)) continue;
    if (smoothed_.empty()) smoothed_ = sample.fields;
    for (auto& f : smoothed_) f = differentiate(sample, f, a, 0, methods[a], names.coordinates[a]);
  }
  std::vector<Expr> derivatives;
  for (const Expr& e : expressions) collect_derivatives(e, names, derivatives);
  const auto loader = [this](const Program::Leaf& leaf, std::size_t first, std::size_t count, double* out) { load(leaf, first, count, out); };
  for (const Expr& d : derivatives) {
    std::vector<double> column(sample.points());
    // of a plain field the raw data: the method smooths by itself
    if (d->of[0]->kind == Expression::Kind::field) {
      column = sample.fields[d->of[0]->index];
      for (std::size_t a = 0; smooth && a < d->orders.size(); ++a)
        if (d->orders[a] == 0 && smooths(a)) column = differentiate(sample, column, a, 0, methods[a], names.coordinates[a]);
    } else {
      Program(d->of[0], derivatives, names).evaluate(0, column.size(), loader, column.data());
    }
    for (std::size_t a = 0; a < d->orders.size(); ++a)
      if (d->orders[a] > 0) column = differentiate(sample, column, a, d->orders[a], methods[a], names.coordinates[a]);
    derivatives_.push_back(std::move(column));
  }
  for (const Expr& e : expressions) programs_.emplace_back(e, derivatives, names);
}

void Columns::load(const Program::Leaf& leaf, std::size_t first, std::size_t count, double* out) const {
  if (leaf.kind == Program::Leaf::Kind::coordinate) {
    const auto& axis = sample_.axes[leaf.index];
    for (std::size_t i = 0; i < count; ++i) out[i] = axis.at[(first + i) / strides_[leaf.index] % axis.size()];
    return;
  }
  const std::vector<double>& from = leaf.kind == Program::Leaf::Kind::field ? field(leaf.index) : derivatives_[leaf.index];
  std::memcpy(out, from.data() + first, count * sizeof(double));
}

void Columns::evaluate(std::size_t k, std::size_t first, std::size_t count, double* out) const {
  programs_[k].evaluate(first, count, [this](const Program::Leaf& leaf, std::size_t f, std::size_t n, double* o) { load(leaf, f, n, o); }, out);
}

}  // namespace scree
