// SPDX-License-Identifier: BSD-3-Clause
/// Finding neighbours: one interface, several methods, the same contacts.
///
/// A search looks at positions and radii and gives, for every grain, a row of candidate partners:
/// each unordered pair that touches (or could before the next search) stands in exactly one row,
/// that of the grain with the lower id, and rows are sorted by the partner's id. What is listed
/// beyond the touching pairs cannot change a result, only its cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "scree/grains/world.hpp"

namespace scree {

/// Candidate pairs in compressed rows: partners of grain i are partner[begin[i] .. begin[i+1]).
struct PairRows {
  std::vector<std::uint32_t> begin;  // size grains + 1
  Room<std::uint32_t> partner;  // storage indices, id[partner] > id[i], ascending id within a row
};

/// What a search may look at. Positions in periodic axes lie in [lo, hi).
template <int D, class T> struct SearchInput {
  const Column<Vec<D, T>>& x;
  const Column<T>& r;
  const Column<std::uint32_t>& id;
  const Column<std::uint8_t>& held;     // pairs of two held grains are never listed
  const Column<std::uint8_t>& present;  // absent grains (not yet there, or gone) are never listed
  const Domain<D>& domain;
};

template <int D, class T> class Search {
 public:
  virtual ~Search() = default;
  virtual std::string_view name() const = 0;

  /// The order in which grains should be stored before find() is called (a permutation of storage
  /// indices), or false if the present order is as good: `cells` sorts by cell.
  virtual bool order(const SearchInput<D, T>&, std::vector<std::uint32_t>& /*order*/) {
    return false;
  }

  /// Lists every pair whose gap |x_j - x_i| - r_i - r_j is below `reach()`, and possibly more.
  virtual void find(const SearchInput<D, T>&, PairRows&) = 0;

  /// Gap up to which pairs are listed: the skin. The list is good while no two neighbours have moved
  /// that far with respect to each other; 0 means that it must be made anew for every evaluation.
  virtual double reach() const = 0;

  /// Gives back the memory that only find() and order() need.
  virtual void release() {}

  /// Bytes held, for the memory report.
  virtual std::size_t bytes() const = 0;
};

/// Shortest image of d = x_j - x_i in the periodic axes.
template <int D, class T> struct Periods {
  Vec<D, T> length{};  // 0 where the axis is open
  Vec<D, T> inverse{};
  bool any = false;

  Periods() = default;
  explicit Periods(const Domain<D>& domain) {
    for (int k = 0; k < D; ++k)
      if (domain.periodic[static_cast<std::size_t>(k)]) {
        length[k] = T(domain.hi[k]) - T(domain.lo[k]);
        inverse[k] = T(1) / length[k];
        any = true;
      }
  }
  /// A box is at least two reaches wide, so one period at most has to be taken off.
  SCREE_FN Vec<D, T> shortest(Vec<D, T> d) const {
    for (int k = 0; k < D; ++k) {
      const T half = length[k] * T(0.5);
      const T low = d[k] + length[k], high = d[k] - length[k];
      d[k] = d[k] < -half ? low : (d[k] > half ? high : d[k]);
    }
    return d;
  }
};

/// What a scene file may name in `neighbours`, and what it is.
struct SearchInfo {
  std::string_view name;
  std::string_view summary;
};

/// All methods, the default first. To add one: its class, and its line in search.cpp.
std::span<const SearchInfo> search_list();

/// A method by name; InputError if there is none of that name. `r_max` is the largest radius to
/// expect; a larger grain costs a fresh start, not a contact.
template <int D, class T>
std::unique_ptr<Search<D, T>> make_search(std::string_view name, double skin, double r_max);

}  // namespace scree
