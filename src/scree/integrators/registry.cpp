// SPDX-License-Identifier: BSD-3-Clause
#include "scree/integrators/registry.hpp"

#include "scree/core/errors.hpp"
#include "scree/integrators/adaptive.hpp"
#include "scree/integrators/explicit_steps.hpp"
#include "scree/integrators/gauss.hpp"
#include "scree/integrators/kk_shifted.hpp"
#include "scree/integrators/kk_theta.hpp"
#include "scree/integrators/multistep.hpp"
#include "scree/integrators/runge_kutta.hpp"

namespace scree {
namespace {

template <int D, class T>
struct Entry {
  Method method;
  std::unique_ptr<Integrator<D, T>> (*make)(const T& t0, const MethodSettings& settings);
};

/// The entry of a method: its class, made of the start time, of the settings, of both or of nothing.
template <int D, class T, class I>
Entry<D, T> entry() {
  return {I::about, [](const T& t0, const MethodSettings& settings) -> std::unique_ptr<Integrator<D, T>> {
            if constexpr (std::is_constructible_v<I, const T&, const MethodSettings&>) return std::make_unique<I>(t0, settings);
            else if constexpr (std::is_constructible_v<I, const MethodSettings&>) return std::make_unique<I>(settings);
            else if constexpr (std::is_constructible_v<I, const T&>) return std::make_unique<I>(t0);
            else return std::make_unique<I>();
          }};
}

template <int D, class T>
const std::vector<Entry<D, T>>& entries() {
  using Made = std::unique_ptr<Integrator<D, T>>;
  static const std::vector<Entry<D, T>> list{
      entry<D, T, Euler<D, T>>(),
      entry<D, T, SymplecticEuler<D, T>>(),
      {Leapfrog<D, T>::about_leapfrog,
       [](const T&, const MethodSettings&) -> Made { return std::make_unique<Leapfrog<D, T>>(false); }},
      entry<D, T, VelocityVerlet<D, T>>(),
      {Leapfrog<D, T>::about_staggered,
       [](const T&, const MethodSettings&) -> Made { return std::make_unique<Leapfrog<D, T>>(true); }},
      entry<D, T, DampedVerlet<D, T>>(),
      entry<D, T, Taylor<D, T>>(),
      entry<D, T, AdamsBashforth2<D, T>>(),
      entry<D, T, RungeKutta<D, T, heun>>(),
      entry<D, T, RungeKutta<D, T, rk4>>(),
      entry<D, T, Adaptive<D, T, fehlberg45, HeeneRule>>(),
      entry<D, T, Adaptive<D, T, fehlberg54, YeeChristaraRule>>(),
      entry<D, T, Adaptive<D, T, dormand_prince, StandardRule>>(),
      entry<D, T, Gauss4<D, T>>(),
      entry<D, T, Yoshida4<D, T>>(),
      entry<D, T, Gear5<D, T>>(),
      entry<D, T, KKShifted<D, T>>(),
      entry<D, T, KKShiftedRungeKutta<D, T>>(),
      entry<D, T, KKTheta<D, T>>()};
  return list;
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> list = [] {
    std::vector<Method> all;
    for (const auto& entry : entries<2, double>()) all.push_back(entry.method);
    return all;
  }();
  return list;
}

const Method* find_method(std::string_view name) {
  for (const Method& m : methods())
    if (m.name == name) return &m;
  return nullptr;
}

template <int D, class T>
std::unique_ptr<Integrator<D, T>> make_integrator(std::string_view name, const T& t0, const MethodSettings& settings) {
  for (const auto& entry : entries<D, T>())
    if (entry.method.name == name) return entry.make(t0, settings);
  throw InputError("no integrator is called '" + std::string(name) + "'");
}

#define SCREE_INSTANTIATE(D, T) \
  template std::unique_ptr<Integrator<D, T>> make_integrator(std::string_view, const T&, const MethodSettings&);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
