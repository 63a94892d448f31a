// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/instruction_sets.hpp"

#if SCREE_WIDE_KERNELS
#include "scree/core/moves_kernels.hpp"

namespace scree {

const Moves& moves_v4();
const Moves& moves_v4() { return all_moves; }

}  // namespace scree
#endif
