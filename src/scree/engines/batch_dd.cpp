// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/batch_kernels.hpp"

namespace scree {

#define SCREE_INSTANTIATE(D, T)                                                                                \
  template void evaluate_batch(Batch<D, T>&, const ContactTable&, const SpringTask<T>&, bool);                 \
  template std::pair<T, T> orphaned_energy<D, T>(const ContactLaws&, const Spring<D, T>&, const Spin<D, T>&);
SCREE_INSTANTIATE(2, dd)
SCREE_INSTANTIATE(3, dd)
#undef SCREE_INSTANTIATE
template dd stored_energy(const ContactLaws&, const Overlap<dd>&);

}  // namespace scree
