// SPDX-License-Identifier: BSD-3-Clause
/// All pairs, one after the other: N (N - 1) / 2 tests. The oracle for every other method.
#pragma once

#include "scree/neighbours/rows.hpp"

namespace scree {

template <int D, class T> class Brute final : public Search<D, T> {
 public:
  static constexpr SearchInfo info{
      "brute", "all pairs, the slow and obvious way; the others are checked against it"};

  explicit Brute(double skin, double /*r_max*/ = 0) : skin_(skin) {}

  std::string_view name() const override { return info.name; }
  void find(const SearchInput<D, T>& in, PairRows& rows) override;
  double reach() const override { return skin_; }
  std::size_t bytes() const override { return builder_.bytes(); }

 private:
  double skin_;
  RowBuilder builder_;
};

#define SCREE_DECLARE(D, T) extern template class Brute<D, T>;
SCREE_FOR_REALS(SCREE_DECLARE)
#undef SCREE_DECLARE

}  // namespace scree
