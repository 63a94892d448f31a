// SPDX-License-Identifier: BSD-3-Clause
/// The kernels of each instruction set (batch_kernels.hpp), one file each: kernels_plain.cpp …
#pragma once

#include "scree/core/instruction_sets.hpp"
#include "scree/engines/batch.hpp"

namespace scree {

template <int D, class T> const Kernels<D, T>& kernels_plain();
template <int D, class T> const Kernels<D, T>& kernels_v3();
template <int D, class T> const Kernels<D, T>& kernels_v4();

}  // namespace scree
