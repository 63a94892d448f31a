// SPDX-License-Identifier: BSD-3-Clause
/// Double-doubles on any machine.
#include "scree/engines/kernels.hpp"

#include "scree/engines/kernel_table.hpp"

namespace scree {

template <> const Kernels<2, dd>& kernels_plain<2, dd>() { return all_kernels<2, dd>; }
template <> const Kernels<3, dd>& kernels_plain<3, dd>() { return all_kernels<3, dd>; }

}  // namespace scree
