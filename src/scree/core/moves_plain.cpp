// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/moves_kernels.hpp"

namespace scree {

const Moves& moves_plain();
const Moves& moves_plain() { return all_moves; }

}  // namespace scree
