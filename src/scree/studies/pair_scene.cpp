// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/pair_scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "scree/core/dd_text.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/laws/registry.hpp"

namespace scree {
namespace {

/// A value of a set; law "" stands for all laws that have no entry of their own.
struct Value {
  std::string_view set, law, parameter;
  double value;
};

/// Spec: seed 003, tables 2.1, 2.3, 3.1, 4.1 and figures 1.6 to 1.8. Not in the tables: linear,
/// hertz-linear and hertz-tsuji at the size of tables 2.3 and 3.1 (k of the linear law gives the
/// contact time of the Hertz contact at 1 m/s, 16 ms), and hertz-tsuji at that of table 4.1
/// (restitution about 0.8). Y of overlap-area gives the elastic force of these k: Y = 3 k sqrt(r*/2).
constexpr Value values[] = {
    {"table-2.3", "", "k", 4.4e10},        {"table-2.3", "", "g", 5e8},
    {"table-2.3", "linear", "k", 3e9},     {"table-2.3", "linear", "g", 5e6},
    {"table-2.3", "hertz-linear", "g", 5e6}, {"table-2.3", "", "alpha", 0.3},
    {"table-2.3", "overlap-area", "Y", 6.6e10}, {"table-2.3", "overlap-area", "gamma", 0.2},
    {"table-3.1", "", "k", 4.4e10},        {"table-3.1", "", "g", 1.1e9},
    {"table-3.1", "linear", "k", 3e9},     {"table-3.1", "linear", "g", 1e7},
    {"table-3.1", "hertz-linear", "g", 1e7}, {"table-3.1", "", "alpha", 0.5},
    {"table-3.1", "overlap-area", "Y", 6.6e10}, {"table-3.1", "overlap-area", "gamma", 0.4},
    {"table-4.1", "", "k", 9e7},           {"table-4.1", "", "g", 190},
    {"table-4.1", "linear", "k", 7.32e6},  {"table-4.1", "linear", "g", 2.06},
    {"table-4.1", "hertz-linear", "g", 0.35}, {"table-4.1", "", "alpha", 0.2},
    {"table-4.1", "overlap-area", "Y", 7.394e6}, {"table-4.1", "overlap-area", "gamma", 0.1},
};

template <class Variant, std::size_t... K>
std::vector<std::string> names_of(std::index_sequence<K...>) {
  return {std::string(std::variant_alternative_t<K, Variant>::name)...};
}

/// Calls f(name of field) for every field of the normal law of that name.
template <std::size_t K = 0, class F> void each_field(std::string_view law, F&& f) {
  if constexpr (K < std::variant_size_v<AnyNormal>) {
    using L = std::variant_alternative_t<K, AnyNormal>;
    if (L::name == law)
      for_each_field<L>([&](const auto& one) { f(one.name); });
    else
      each_field<K + 1>(law, f);
  }
}

/// A number of TOML is a double; more digits stand in quotes.
std::string digits(double x, bool) { return shortest(x); }
std::string digits(const dd& x, bool all) {
  return all && x.lo != 0 ? in_quotes(to_text(x)) : shortest(static_cast<double>(x));
}
template <class T> std::string vector_text(const std::vector<T>& x, bool all) {
  std::string text = "[";
  for (std::size_t k = 0; k < x.size(); ++k) text.append(k == 0 ? "" : ", ").append(digits(x[k], all));
  return text + "]";
}

template <class F> std::string list_text(const std::vector<SceneGrain>& grains, F&& one) {
  std::string text = "[";
  for (std::size_t k = 0; k < grains.size(); ++k) text.append(k == 0 ? "" : ", ").append(one(grains[k]));
  return text + "]";
}

std::string law_text(const std::string& law, const std::vector<Parameter>& parameters, const std::string& more) {
  std::string text = fmt::format("{{ law = \"{}\"", law);
  for (const Parameter& p : parameters) text += fmt::format(", {} = {}", p.name, shortest(p.value));
  return text + more + " }";
}

}  // namespace

std::string PairScene::text() const {
  std::string t = fmt::format("[scene]\nname = \"{}\"\ndim = {}\nreal = \"{}\"\n\n", name, dim, real);
  t += fmt::format("[material.grain]\ndensity = {}\nbody = \"{}\"\n", shortest(density), body);
  if (height > 0) t += fmt::format("height = {}\n", shortest(height));
  t += "\n[[grains]]\nbuild = \"points\"\nmaterial = \"grain\"\n";
  const bool all = real == "dd";
  const std::vector<dd> zero(static_cast<std::size_t>(dim), dd(0));
  t += "positions = " + list_text(grains, [&](const SceneGrain& g) { return vector_text(g.x, all); }) + "\n";
  t += "velocities = " +
       list_text(grains, [&](const SceneGrain& g) { return vector_text(g.v.empty() ? zero : g.v, all); }) + "\n";
  bool spins = false;
  for (const SceneGrain& g : grains) spins = spins || !g.spin.empty();
  if (spins)
    t += "spins = " + list_text(grains, [&](const SceneGrain& g) {
           if (dim == 2) return shortest(g.spin.empty() ? 0.0 : g.spin[0]);
           return g.spin.empty() ? vector_text(zero, all) : vector_text(g.spin, all);
         }) + "\n";
  t += "radii = " + list_text(grains, [](const SceneGrain& g) { return shortest(g.radius); }) + "\n";
  t += "fixed = " + list_text(grains, [](const SceneGrain& g) { return std::string(g.fixed ? "true" : "false"); }) + "\n";
  if (!push.empty()) t += "push = [" + push + "]\n";
  if (!extra.empty()) t += "\n" + extra + (extra.back() == '\n' ? "" : "\n");
  t += "\n[contact]\nnormal = " +
       law_text(normal, normal_parameters, attraction ? ", attraction = true" : ", attraction = false") + "\n";
  if (tangential != "none") t += "tangential = " + law_text(tangential, tangential_parameters, "") + "\n";
  t += fmt::format("\n[run]\nintegrator = \"{}\"\ndt = {}\ntime = {}\n", integrator, shortest(dt), shortest(time));
  if (!run.empty()) t += run + (run.back() == '\n' ? "" : "\n");
  return t;
}

const std::vector<ParameterSet>& parameter_sets() {
  static const std::vector<ParameterSet> sets{
      {"table-2.3", 19300, 1, 1, std::ldexp(15.0, -16), 2.4e9, 0.6},
      {"table-3.1", 19300, 1, 1, std::ldexp(105.0, -13), 0, 0},
      {"table-4.1", 1300, 3e-3, 1, std::ldexp(1.0, -13), 9.4e4, 0.25}};
  return sets;
}

const ParameterSet& parameter_set(std::string_view name) {
  for (const ParameterSet& set : parameter_sets())
    if (set.name == name) return set;
  throw std::logic_error("no set of parameters is called " + std::string(name));
}

std::vector<Parameter> normal_parameters(const ParameterSet& set, std::string_view law, double eps) {
  std::vector<Parameter> all;
  each_field(law, [&](std::string_view field) {
    if (field == "eps") {
      all.push_back({"eps", eps});
      return;
    }
    if (field == "a" || field == "b") {  // the exponents of Kuwabara and Kono
      all.push_back({std::string(field), field == "a" ? 1.5 : 0.5});
      return;
    }
    const Value* found = nullptr;
    for (const Value& one : values)
      if (one.set == set.name && one.parameter == field && (one.law == law || (one.law.empty() && !found)))
        found = &one;
    if (found) all.push_back({std::string(field), found->value});
  });
  return all;
}

std::vector<std::string> normal_law_names() {
  return names_of<AnyNormal>(std::make_index_sequence<std::variant_size_v<AnyNormal>>{});
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Method& one : methods()) names.emplace_back(one.name);
  return names;
}

std::vector<std::string> general_integrator_names() {
  std::vector<std::string> names = integrator_names();
  std::erase_if(names, [](const std::string& name) { return find_method(name)->of_bonds; });
  return names;
}

StudyOption law_option(std::string initial) { return {"law", std::move(initial), "Normal law (scree list names them)"}; }
StudyOption eps_option(std::string initial) { return {"eps", std::move(initial), "Width of the mollifier in m, for laws that have one"}; }
StudyOption attraction_option(std::string initial) {
  return {"attraction", std::move(initial), "Whether a dashpot may pull grains together: true or false"};
}
StudyOption integrator_option(std::string initial) { return {"integrator", std::move(initial), "Integrator (scree list names them)"}; }
StudyOption real_option(std::string initial) { return {"real", std::move(initial), "Number type: double or dd"}; }

std::string chosen_law(const StudySettings& s) { return s.one_of("law", "a normal law", normal_law_names()); }
bool chosen_attraction(const StudySettings& s) { return s.one_of("attraction", "true or false", {"true", "false"}) == "true"; }
std::string chosen_integrator(const StudySettings& s) { return s.one_of("integrator", "an integrator", integrator_names()); }
std::string chosen_real(const StudySettings& s) { return s.one_of("real", "a number type", {"double", "dd"}); }
double chosen_eps(const StudySettings& s) {
  const double eps = s.number("eps");
  if (!(eps > 0)) throw InputError("--eps: expected a number > 0 in m, found " + in_quotes(s.text("eps")));
  return eps;
}

PairScene head_on_scene(const ParameterSet& set, const std::string& law, double eps, bool attraction) {
  PairScene scene;
  scene.name = "head-on collision, " + std::string(set.name);
  scene.density = set.density;
  scene.grains = {{{-2 * set.radius, 0}, {0, 0}, set.radius, true}, {{0, 0}, {-set.speed, 0}, set.radius, false}};
  scene.normal = law;
  scene.normal_parameters = scree::normal_parameters(set, law, eps);
  scene.attraction = attraction;
  scene.time = set.time;
  return scene;
}

}  // namespace scree
