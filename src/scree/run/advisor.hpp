// SPDX-License-Identifier: BSD-3-Clause
/// Which scheme, which step, which eps: answers for one scene, from collisions that are really
/// computed. A pair of mean grains meets head on at the speed that the scene is expected to reach,
/// once with every integrator and ever smaller steps; the error is that of the speed apart, over the
/// speed together, against an accurate solution (collision.hpp).
#pragma once

#include <string>
#include <vector>

#include "scree/integrators/system.hpp"
#include "scree/laws/contact_table.hpp"

namespace scree {

struct SchemeAdvice {
  std::string integrator;
  bool reaches = false;  // the wanted error, with some step tried
  bool adaptive = false;
  double step = 0;       // s, the largest that reaches it; of an adaptive method its mean step
  double tolerance = 0;  // of an adaptive method
  double calls = 0;      // force evaluations per contact time
};

struct Advice {
  bool known = false;          // false: the pair sticks, or does not move
  double speed = 0;            // m/s
  double contact_time = 0;     // s
  double error = 0;            // wanted
  std::vector<SchemeAdvice> schemes;  // in the order of methods()
  std::string cheapest;        // of those that reach it, the one with fewest force evaluations
  std::string cheapest_fixed;  // the same of those with a fixed step. An adaptive step is that of all grains and
                               // short at each touch of any two: what it saves on one collision shrinks with many
};

/// Advice for two grains of radius r and mass m whose speeds differ by `speed`. The integrator `own` is tried
/// with `settings` (its tolerance, if it is adaptive, is what is looked for), the others with their own.
Advice advise(const ContactLaws& laws, double r, double m, double speed, double error, const std::string& own = "",
              const MethodSettings& settings = {});

/// The error of one integrator at one step, as above; the largest of several places of first touch
/// within a step. NaN if the run fails.
double collision_error(const ContactLaws& laws, double r, double m, double speed, const std::string& integrator, double step,
                       const MethodSettings& settings = {});

/// Mollified Kuwabara-Kono: steps up to h_eps are in the regime where damped-verlet has order 2. In the
/// units of the collision, h_eps/t = a (eps/ξ)^b with the undamped contact time t and overlap ξ; a and b
/// are those of the seeds' line h_eps = 2.50 eps^1.18 (000, figure 4), on table 3.1 of 003. `scree study stepsize`
/// fits 4.93 eps^1.241 to eps from 5e-7 to 9e-5 m, at most 24 % from it.
double step_for_eps(const ContactLaws& laws, double r, double m, double speed, double eps);
double eps_for_step(const ContactLaws& laws, double r, double m, double speed, double step);

}  // namespace scree
