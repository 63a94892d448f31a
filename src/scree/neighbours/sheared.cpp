// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/sheared.hpp"

#include <algorithm>

#include "scree/neighbours/rows.hpp"

namespace scree {

template <int D, class T> void Sheared<D, T>::find(const SearchInput<D, T>& in, PairRows& rows) {
  const std::size_t n = in.x.size();
  Domain<D> open = in.domain;
  open.periodic[1] = false;
  const T lo = T(open.lo[0]), hi = T(open.hi[0]), length = hi - lo, up = T(open.hi[1]) - T(open.lo[1]);
  x_ = in.x;
  r_ = in.r;
  id_ = in.id;
  held_ = in.held;
  present_ = in.present;
  original_.clear();
  T largest = T(0);
  for (std::size_t i = 0; i < n; ++i)
    if (in.present[i] && in.r[i] > largest) largest = in.r[i];
  const T margin = largest + T(inner_->reach());
  for (std::size_t i = 0; i < n; ++i) {
    if (!in.present[i] || in.x[i][1] - T(open.lo[1]) > in.r[i] + margin) continue;
    Vec<D, T> x = in.x[i];
    x[0] += ahead_;
    x[1] += up;
    if (x[0] < lo) x[0] += length;
    if (!(x[0] < hi)) x[0] -= length;
    if (x[0] < lo) x[0] = lo;  // lo - tiny + length may round to hi
    x_.push_back(x);
    r_.push_back(in.r[i]);
    id_.push_back(in.id[i]);
    held_.push_back(in.held[i]);
    present_.push_back(1);
    original_.push_back(static_cast<std::uint32_t>(i));
  }
  inner_->find({x_, r_, id_, held_, present_, open}, found_);

  // Every copy's row joins that of its original.
  const auto of = [&](std::size_t i) { return i < n ? static_cast<std::uint32_t>(i) : original_[i - n]; };
  const auto each = [&](auto&& f) {
    for (std::size_t a = 0; a < x_.size(); ++a)
      for (std::uint32_t p = found_.begin[a]; p < found_.begin[a + 1]; ++p) {
        const std::uint32_t b = found_.partner[p];
        if (a < n || b < n) f(of(a), of(b));
      }
  };
  rows.begin.assign(n + 1, 0);
  each([&](std::uint32_t a, std::uint32_t) { ++rows.begin[a + 1]; });
  for (std::size_t i = 0; i < n; ++i) rows.begin[i + 1] += rows.begin[i];
  rows.partner.resize(rows.begin[n]);
  std::vector<std::uint32_t> at(rows.begin.begin(), rows.begin.end() - 1);
  each([&](std::uint32_t a, std::uint32_t b) { rows.partner[at[a]++] = b; });
  for (std::size_t i = 0; i < n; ++i)
    std::sort(rows.partner.begin() + rows.begin[i], rows.partner.begin() + rows.begin[i + 1],
              [&](std::uint32_t a, std::uint32_t b) { return in.id[a] < in.id[b]; });
}

template <int D, class T> void Sheared<D, T>::release() {
  const auto give_back = [](auto&... one) { ((one = std::remove_reference_t<decltype(one)>{}), ...); };
  give_back(x_, r_, id_, held_, present_, original_, found_);
  inner_->release();
}

template <int D, class T> std::size_t Sheared<D, T>::bytes() const {
  const auto of = [](const auto& c) { return c.capacity() * sizeof(c[0]); };
  return inner_->bytes() + of(x_) + of(r_) + of(id_) + of(held_) + of(present_) + of(original_) +
         of(found_.begin) + of(found_.partner);
}

#define SCREE_INSTANTIATE(D, T) template class Sheared<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
