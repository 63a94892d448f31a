// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/moves.hpp"

#include "scree/core/instruction_sets.hpp"

namespace scree {

const Moves& moves_plain();
const Moves& moves_v3();
const Moves& moves_v4();

const Moves& moves() {
#if SCREE_WIDE_KERNELS
  switch (instruction_set()) {
    case InstructionSet::v4: return moves_v4();
    case InstructionSet::v3: return moves_v3();
    default: break;
  }
#endif
  return moves_plain();
}

}  // namespace scree
