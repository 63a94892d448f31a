// SPDX-License-Identifier: BSD-3-Clause
#include "scree/integrators/registry.hpp"

#include "scree/core/errors.hpp"
#include "scree/integrators/explicit_steps.hpp"
#include "scree/integrators/runge_kutta.hpp"

namespace scree {
namespace {

template <int D, class T>
struct Entry {
  Method method;
  std::unique_ptr<Integrator<D, T>> (*make)(const T& t0);
};

template <int D, class T>
const std::vector<Entry<D, T>>& entries() {
  using Made = std::unique_ptr<Integrator<D, T>>;
  static const std::vector<Entry<D, T>> list{
      {Euler<D, T>::about, [](const T&) -> Made { return std::make_unique<Euler<D, T>>(); }},
      {SymplecticEuler<D, T>::about,
       [](const T& t0) -> Made { return std::make_unique<SymplecticEuler<D, T>>(t0); }},
      {Leapfrog<D, T>::about_leapfrog,
       [](const T&) -> Made { return std::make_unique<Leapfrog<D, T>>(false); }},
      {VelocityVerlet<D, T>::about, [](const T&) -> Made { return std::make_unique<VelocityVerlet<D, T>>(); }},
      {Leapfrog<D, T>::about_staggered,
       [](const T&) -> Made { return std::make_unique<Leapfrog<D, T>>(true); }},
      {DampedVerlet<D, T>::about, [](const T&) -> Made { return std::make_unique<DampedVerlet<D, T>>(); }},
      {Taylor<D, T>::about, [](const T& t0) -> Made { return std::make_unique<Taylor<D, T>>(t0); }},
      {RungeKutta<D, T, heun>::about,
       [](const T&) -> Made { return std::make_unique<RungeKutta<D, T, heun>>(); }},
      {RungeKutta<D, T, rk4>::about,
       [](const T&) -> Made { return std::make_unique<RungeKutta<D, T, rk4>>(); }}};
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
std::unique_ptr<Integrator<D, T>> make_integrator(std::string_view name, const T& t0) {
  for (const auto& entry : entries<D, T>())
    if (entry.method.name == name) return entry.make(t0);
  throw InputError("no integrator is called '" + std::string(name) + "'");
}

template std::unique_ptr<Integrator<2, double>> make_integrator(std::string_view, const double&);
template std::unique_ptr<Integrator<3, double>> make_integrator(std::string_view, const double&);

}  // namespace scree
