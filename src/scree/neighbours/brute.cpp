// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/brute.hpp"

namespace scree {

template <int D, class T> void Brute<D, T>::find(const SearchInput<D, T>& in, PairRows& rows) {
  const Near<D, T> near(in.domain, skin_);
  const std::size_t n = in.x.size();
  builder_.build(n, rows, [&](std::size_t i, RowKeys& keys) {
    std::size_t count = 0;
    if (!in.present[i]) return count;
    std::uint64_t* key = keys.room(0, n);
    for (std::size_t j = 0; j < n; ++j) {
      if (in.id[j] <= in.id[i] || !in.present[j] || (in.held[i] && in.held[j])) continue;
      if (near.template test<true>(in.x[i], in.r[i], in.x[j], in.r[j]))
        key[count++] = pair_key(in.id[j], j);
    }
    keys.sort(count);
    return count;
  });
}

#define SCREE_INSTANTIATE(D, T) template class Brute<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
