// SPDX-License-Identifier: BSD-3-Clause
/// For x86-64-v4: AVX-512 (flags in CMakeLists.txt).
#include "scree/engines/kernels.hpp"

#if SCREE_WIDE_KERNELS
#include "scree/engines/kernel_table.hpp"

namespace scree {

template <> const Kernels<2, double>& kernels_v4<2, double>() { return all_kernels<2, double>; }
template <> const Kernels<3, double>& kernels_v4<3, double>() { return all_kernels<3, double>; }

}  // namespace scree
#endif
