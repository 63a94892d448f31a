// SPDX-License-Identifier: BSD-3-Clause
/// All kernels of one number type and instruction set; included by kernels_*.cpp.
#pragma once

#include "scree/engines/batch_kernels.hpp"
#include "scree/engines/pack_kernels.hpp"

namespace scree {
namespace {

template <int D, class T>
constexpr Kernels<D, T> make_kernels() {
  Kernels<D, T> k{};
  k.find = find<D, T>;
  k.fetch = fetch<D, T>;
  k.evaluate = evaluate<D, T>;
  k.hand_out = hand_out<D, T>;
  k.close = close<D, T>;
  k.gather = gather<D, T>;
  k.record = record<D, T>;
  k.outside = outside<D, T>;
  k.travel = travel<D, T>;
#if defined(__AVX2__)
  if constexpr (in_rows_of_four<T>) {
    k.press = press<D>;
    k.go_on = go_on<D>;
    k.lanes = pack_size;
    k.fits_packs = fits_packs;
    k.press_packs = press_packs<D>;
    k.scout = scout<D>;
  }
#endif
  return k;
}
template <int D, class T>
constexpr Kernels<D, T> all_kernels = make_kernels<D, T>();

}  // namespace
}  // namespace scree
