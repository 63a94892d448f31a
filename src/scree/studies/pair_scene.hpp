// SPDX-License-Identifier: BSD-3-Clause
/// The scene of two grains (or a few) as text, with a law chosen by its name: what most studies
/// start from. The text is an ordinary scene file, so --set changes any of it and --print-scene
/// shows all of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scree/core/dd.hpp"
#include "scree/studies/study.hpp"

namespace scree {

struct Parameter {
  std::string name;
  double value = 0;
};

/// One grain. Vectors have as many components as the scene has dimensions.
struct SceneGrain {
  std::vector<dd> x, v;  // m, m/s; written with all their digits if the scene is in double-double
  double radius = 1;  // m
  bool fixed = false;
  std::vector<double> spin{};  // rad/s; empty: none
};

struct PairScene {
  std::string name = "pair";
  int dim = 2;
  std::string real = "double";
  double density = 19300;  // kg/m^3
  std::string body = "sphere";
  double height = 0;  // m, of a disc
  std::vector<SceneGrain> grains;
  std::string push;  // a table of TOML: "{ force = [1.0, 0.0] }"; empty: none
  std::string normal = "kk";
  std::vector<Parameter> normal_parameters;
  bool attraction = true;
  std::string tangential = "none";
  std::vector<Parameter> tangential_parameters;
  std::string extra;  // more blocks, such as [[walls]]
  std::string integrator = "damped-verlet";
  double dt = 0, time = 0;  // s
  std::string run;          // more lines of [run]

  std::string text() const;
};

/// A set of parameters of the 2D thesis (seed 003; table 3.1 is also table 1 of seed 000), decoded.
struct ParameterSet {
  std::string_view name;
  double density;  // kg/m^3
  double radius;   // m
  double speed;    // m/s
  double time;     // s, length of the run
  double k_t, mu;  // of cundall-strack; 0: no friction
};
const std::vector<ParameterSet>& parameter_sets();
/// Throws std::logic_error for an unknown name: "table-2.3", "table-3.1", "table-4.1".
const ParameterSet& parameter_set(std::string_view name);

/// The parameters of a normal law in such a set. The tables name some laws only; the others get
/// values that make a collision of about the same length and loss. Parameters that no rule knows are
/// left out, and the scene's reader then asks for them by name: --set contact.normal.NAME=VALUE.
std::vector<Parameter> normal_parameters(const ParameterSet& set, std::string_view law, double eps);

/// Names in the order of the registry.
std::vector<std::string> normal_law_names();
std::vector<std::string> integrator_names();
/// Those that run with every law, and whose error vanishes with the step: all but kk-theta, for which there is `study chain`.
std::vector<std::string> general_integrator_names();

/// The options that studies of one collision share: --law, --eps, --attraction, --integrator, --real.
StudyOption law_option(std::string initial = "kk");
StudyOption eps_option(std::string initial = "1e-5");
StudyOption attraction_option(std::string initial = "true");
StudyOption integrator_option(std::string initial = "damped-verlet");
StudyOption real_option(std::string initial = "double");

/// Their values, checked.
std::string chosen_law(const StudySettings&);
bool chosen_attraction(const StudySettings&);
std::string chosen_integrator(const StudySettings&);
std::string chosen_real(const StudySettings&);
double chosen_eps(const StudySettings&);

/// One fixed grain at (-2 r, 0) and one in touch with it that moves at (-speed, 0). The moving one
/// starts at the origin, where positions have the most digits: round-off in the sum of its steps
/// would otherwise hide the error of a good scheme.
PairScene head_on_scene(const ParameterSet& set, const std::string& law, double eps, bool attraction);

}  // namespace scree
