// SPDX-License-Identifier: BSD-3-Clause
/// Records sorted into cells, so that those near a point are a few stretches of memory: the cells of a row along
/// the first axis follow each other. Within a cell records keep their order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace scree::fields {

template <class Record, int N>
class Bins {
 public:
  static constexpr std::size_t axes = static_cast<std::size_t>(N);
  Bins() = default;
  /// `where(record, x)` gives the place of a record. Cells are `size` wide, or wider where they would be far more than
  /// the records.
  template <class Where>
  Bins(std::vector<Record>&& records, double size, Where&& where) {
    if (records.empty()) return;
    std::array<double, axes> hi{}, x{};
    lo_.fill(std::numeric_limits<double>::infinity());
    hi.fill(-std::numeric_limits<double>::infinity());
    for (const Record& r : records) {
      where(r, x.data());
      for (std::size_t k = 0; k < axes; ++k) lo_[k] = std::min(lo_[k], x[k]), hi[k] = std::max(hi[k], x[k]);
    }
    size_ = size;
    const double most = 4.0 * static_cast<double>(records.size()) + 1000;
    for (;;) {
      double cells = 1;
      for (std::size_t k = 0; k < axes; ++k) cells *= std::floor((hi[k] - lo_[k]) / size_) + 1;
      if (cells <= most) break;
      size_ *= 1.5;
    }
    for (std::size_t k = 0; k < axes; ++k) count_[k] = static_cast<std::int64_t>(std::floor((hi[k] - lo_[k]) / size_)) + 1;
    std::size_t cells = 1;
    for (const std::int64_t n : count_) cells *= static_cast<std::size_t>(n);
    begin_.assign(cells + 1, 0);
    std::vector<std::uint32_t> cell(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      where(records[i], x.data());
      std::size_t at = 0;
      for (std::size_t k = axes; k-- > 0;) at = at * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(cell_of(x[k], k));
      cell[i] = static_cast<std::uint32_t>(at);
      ++begin_[at + 1];
    }
    for (std::size_t c = 0; c < cells; ++c) begin_[c + 1] += begin_[c];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    sorted_.resize(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) sorted_[next[cell[i]]++] = records[i];
  }

  /// Calls f(record) for all records whose place is within `reach` of x along every axis, and some more.
  template <class F>
  void near(const double* x, double reach, F&& f) const {
    if (sorted_.empty()) return;
    std::array<std::int64_t, axes> from{}, to{};
    for (std::size_t k = 0; k < axes; ++k) {
      from[k] = cell_of(x[k] - reach, k);
      to[k] = cell_of(x[k] + reach, k);
    }
    std::array<std::int64_t, 3> at{}, last{};
    for (std::size_t k = 1; k < axes; ++k) at[k] = from[k], last[k] = to[k];
    for (at[2] = axes > 2 ? from[axes - 1] : 0; at[2] <= last[2]; ++at[2])
      for (at[1] = axes > 1 ? from[axes > 1 ? 1 : 0] : 0; at[1] <= last[1]; ++at[1]) {
        std::size_t row = 0;
        if constexpr (N == 3) row = static_cast<std::size_t>(at[2]);
        if constexpr (N >= 2) row = row * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(at[1]);
        row *= static_cast<std::size_t>(count_[0]);
        const std::size_t end = begin_[row + static_cast<std::size_t>(to[0]) + 1];
        for (std::size_t i = begin_[row + static_cast<std::size_t>(from[0])]; i < end; ++i) f(sorted_[i]);
      }
  }

  std::size_t size() const { return sorted_.size(); }
  const std::vector<Record>& records() const { return sorted_; }

 private:
  std::int64_t cell_of(double x, std::size_t k) const {
    if (!std::isfinite(size_)) return 0;  // one cell for all
    const double c = std::floor((x - lo_[k]) / size_);
    return static_cast<std::int64_t>(std::clamp(c, 0.0, static_cast<double>(count_[k] - 1)));
  }

  std::array<double, axes> lo_{};
  std::array<std::int64_t, axes> count_{};
  double size_ = 1;
  std::vector<std::uint32_t> begin_;
  std::vector<Record> sorted_;
};

}  // namespace scree::fields
