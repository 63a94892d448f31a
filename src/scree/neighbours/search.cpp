// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/search.hpp"

#include <array>
#include <string>

#include "scree/core/errors.hpp"
#include "scree/neighbours/brute.hpp"
#include "scree/neighbours/cells.hpp"
#include "scree/neighbours/corner_hash.hpp"
#include "scree/neighbours/hierarchy.hpp"

namespace scree {
namespace {

template <class... S> struct Methods {
  static constexpr std::array<SearchInfo, sizeof...(S)> list{S::info...};

  template <int D, class T>
  static std::unique_ptr<Search<D, T>> make(std::string_view name, double skin, double r_max) {
    std::unique_ptr<Search<D, T>> made;
    (void)((name == S::info.name && (made = std::make_unique<S>(skin, r_max), true)) || ...);
    return made;
  }
};

/// The list. The first is the default.
template <int D, class T> using AllMethods =
    Methods<Cells<D, T>, CornerHash<D, T>, Hierarchy<D, T>, Brute<D, T>>;

}  // namespace

std::span<const SearchInfo> search_list() { return AllMethods<2, double>::list; }

template <int D, class T>
std::unique_ptr<Search<D, T>> make_search(std::string_view name, double skin, double r_max) {
  auto made = AllMethods<D, T>::template make<D, T>(name, skin, r_max);
  if (made) return made;
  std::string message = "neighbours = \"" + std::string(name) + "\": expected one of";
  for (const SearchInfo& one : search_list()) message += " \"" + std::string(one.name) + '"';
  throw InputError(message);
}

#define SCREE_INSTANTIATE(D, T) template std::unique_ptr<Search<D, T>> make_search(std::string_view, double, double);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
