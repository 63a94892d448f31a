// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/average.hpp"

#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"

namespace scree::fields {

Averager::Averager(const CoarseGrainer& grainer, bool variances) : grainer_(&grainer), variances_(variances) { clear(); }

void Averager::clear() {
  const SumLayout& l = grainer_->layout();
  const std::size_t points = grainer_->grid().size(), dim = static_cast<std::size_t>(l.dim);
  frames_ = 0;
  total_ = 0;
  has_contacts_ = true;
  sums_.assign(points * l.size, 0.0);
  velocity_.assign(points * dim, 0.0);
  weight_.assign(points, 0.0);
  spread_.assign(points * dim * dim, 0.0);
  count_.clear();
  count2_.clear();
  mean_.clear();
  square_.clear();
}

void Averager::add(const FrameSums& one, double time, double weight) {
  const SumLayout& l = grainer_->layout();
  const std::size_t points = grainer_->grid().size(), dim = static_cast<std::size_t>(l.dim);
  for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += weight * one.values[k];
  for (std::size_t p = 0; p < points; ++p) {
    const double rho = one.values[p * l.size + l.mass];
    if (!(rho > 0)) continue;
    const double before = weight_[p];
    weight_[p] += weight * rho;
    const double part = weight * rho / weight_[p];
    double* V = &velocity_[p * dim];
    double d[3]{};
    for (std::size_t a = 0; a < dim; ++a) d[a] = one.values[p * l.size + l.momentum + a] / rho - V[a];
    for (std::size_t a = 0; a < dim; ++a)
      for (std::size_t b = 0; b < dim; ++b) spread_[p * dim * dim + dim * a + b] += before * part * d[a] * d[b];
    for (std::size_t a = 0; a < dim; ++a) V[a] += part * d[a];
  }
  has_contacts_ = has_contacts_ && one.has_contacts;
  if (frames_ == 0) from_ = time;
  to_ = time;
  ++frames_;
  total_ += weight;
  if (!variances_) return;
  std::size_t at = 0;
  for (const Field& f : fields_of(*grainer_, one.values, one.has_contacts)) {
    if (count_.size() < at + f.values.size()) {
      count_.resize(at + f.values.size(), 0.0);
      count2_.resize(at + f.values.size(), 0.0);
      mean_.resize(at + f.values.size(), 0.0);
      square_.resize(at + f.values.size(), 0.0);
    }
    for (const double value : f.values) {
      if (std::isfinite(value)) {
        count_[at] += weight;
        count2_[at] += weight * weight;
        const double d = value - mean_[at];
        mean_[at] += weight * d / count_[at];
        square_[at] += weight * d * (value - mean_[at]);
      }
      ++at;
    }
  }
}

FieldTable Averager::result() const {
  if (frames_ == 0) throw RunError("fields: no frames were added");
  const SumLayout& l = grainer_->layout();
  const std::size_t points = grainer_->grid().size(), dim = static_cast<std::size_t>(l.dim);
  std::vector<double> sums = sums_;
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t q = 0; q < dim * dim; ++q) sums[p * l.size + l.kinetic + q] += spread_[p * dim * dim + q];
  for (double& one : sums) one /= total_;
  FieldTable table;
  table.from = from_;
  table.to = to_;
  table.frames = frames_;
  table.has_contacts = has_contacts_;
  table.fields = fields_of(*grainer_, sums, has_contacts_);
  for (std::size_t p = 0; p < points; ++p) table.empty += sums[p * l.size + l.mass] == 0 ? 1 : 0;
  if (!variances_ || frames_ < 2) return table;
  table.variances = table.fields;
  std::size_t at = 0;
  for (Field& f : table.variances)
    for (double& value : f.values) {
      const double free = count_[at] > 0 ? count_[at] - count2_[at] / count_[at] : 0;  // 0 of one frame
      value = free > 1e-12 * count_[at] ? square_[at] / free : std::numeric_limits<double>::quiet_NaN();
      ++at;
    }
  return table;
}

std::map<std::string, std::vector<double>> Averager::save() const {
  return {{"clock", {static_cast<double>(frames_), from_, to_, has_contacts_ ? 1.0 : 0.0, total_}},
          {"sums", sums_}, {"velocity", velocity_}, {"weight", weight_}, {"spread", spread_},
          {"count", count_}, {"count2", count2_}, {"mean", mean_}, {"square", square_}};
}

void Averager::load(const std::map<std::string, std::vector<double>>& state) {
  const auto take = [&](const char* name, std::vector<double>& into, bool may_differ) {
    const auto at = state.find(name);
    if (at == state.end() || (!may_differ && at->second.size() != into.size()))
      throw RunError(std::string("the checkpoint has other fields than the scene, or is of an older version (") + name + ")");
    into = at->second;
  };
  std::vector<double> clock(5);
  take("clock", clock, false);
  take("sums", sums_, false);
  take("velocity", velocity_, false);
  take("weight", weight_, false);
  take("spread", spread_, false);
  take("count", count_, true);
  take("count2", count2_, true);
  take("mean", mean_, true);
  take("square", square_, true);
  frames_ = static_cast<std::int64_t>(clock[0]);
  from_ = clock[1];
  to_ = clock[2];
  has_contacts_ = clock[3] != 0;
  total_ = clock[4];
}

}  // namespace scree::fields
