// SPDX-License-Identifier: BSD-3-Clause
/// For any machine.
#include "scree/engines/kernels.hpp"

#include "scree/engines/kernel_table.hpp"

namespace scree {

template <> const Kernels<2, double>& kernels_plain<2, double>() { return all_kernels<2, double>; }
template <> const Kernels<3, double>& kernels_plain<3, double>() { return all_kernels<3, double>; }

}  // namespace scree
