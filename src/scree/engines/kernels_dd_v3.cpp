// SPDX-License-Identifier: BSD-3-Clause
/// Double-doubles on x86-64-v3: fused multiply-add (flags in CMakeLists.txt).
#include "scree/engines/kernels.hpp"

#if SCREE_WIDE_KERNELS && !defined(__SANITIZE_ADDRESS__)  // which would take minutes to compile it
#include "scree/engines/kernel_table.hpp"

namespace scree {

template <> const Kernels<2, dd>& kernels_v3<2, dd>() { return all_kernels<2, dd>; }
template <> const Kernels<3, dd>& kernels_v3<3, dd>() { return all_kernels<3, dd>; }

}  // namespace scree
#endif
