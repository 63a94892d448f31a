// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/core/random.hpp"

namespace scree {

/// A number for each of many things, as a scene file says it: one for all, a list, or drawn uniformly between two bounds.
struct Numbers {
  double min = 0, max = 0;     // equal: one for all
  std::vector<double> list{};  // not empty: these, in their order

  Numbers() = default;
  Numbers(double all) : min(all), max(all) {}  // so that a default may be a plain number
  bool listed() const { return !list.empty(); }
  /// The k-th; `random` is asked only if numbers are drawn.
  template <class Draw> double of(std::size_t k, const Draw& random) const {
    if (listed()) return list[k];
    return min == max ? min : random().uniform(min, max);
  }
};

}  // namespace scree
