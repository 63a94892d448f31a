// SPDX-License-Identifier: BSD-3-Clause
/// Which kernels run here, and the two questions about energy that are asked too rarely to be kernels.
#include "scree/engines/kernels.hpp"

#include "scree/core/reals.hpp"

namespace scree {
namespace {

template <int D, class T>
const Kernels<D, T>& choose() {
#if SCREE_WIDE_KERNELS
  // what double-doubles gain is fused multiply-add, which v3 has; wider lanes would only be compiled
  if constexpr (!is_dd<T>)
    if (instruction_set() == InstructionSet::v4) return kernels_v4<D, T>();
#ifdef __SANITIZE_ADDRESS__
  constexpr bool there = !is_dd<T>;
#else
  constexpr bool there = true;
#endif
  if constexpr (there)
    if (instruction_set() != InstructionSet::plain) return kernels_v3<D, T>();
#endif
  return kernels_plain<D, T>();
}

}  // namespace

template <int D, class T>
const Kernels<D, T>& kernels() {
  static const Kernels<D, T>& chosen = choose<D, T>();
  return chosen;
}

template <int D, class T>
std::pair<T, T> orphaned_energy(const ContactLaws& laws, const Spring<D, T>& zeta, const Spin<D, T>& roll) {
  const Slip<T> parted{T(0), T(0), T(0), T(0), T(0), T(0)};  // no overlap, no normal force
  const auto energy = [&](const auto& law, const auto& spring) {
    if constexpr (is_solved<std::remove_cvref_t<decltype(law)>>) return T(0);
    return law.stiffness(parted) * norm2(spring) * T(0.5);
  };
  return {std::visit([&](const auto& law) { return energy(law, zeta); }, laws.tangential),
          std::visit([&](const auto& law) { return energy(law, roll); }, laws.rolling)};
}

template <class T>
T stored_energy(const ContactLaws& laws, const Overlap<T>& c) {
  return std::visit([&](const auto& law) { return law.energy(c); }, laws.normal) * laws.scaling.of_stiffness(c.r_eff);
}

#define SCREE_INSTANTIATE(D, T)                   \
  template const Kernels<D, T>& kernels<D, T>();  \
  template std::pair<T, T> orphaned_energy<D, T>(const ContactLaws&, const Spring<D, T>&, const Spin<D, T>&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE
template double stored_energy(const ContactLaws&, const Overlap<double>&);
template dd stored_energy(const ContactLaws&, const Overlap<dd>&);

}  // namespace scree
