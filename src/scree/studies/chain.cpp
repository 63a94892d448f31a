// SPDX-License-Identifier: BSD-3-Clause
/// Chains of beads with Kuwabara-Kono dissipation (seed 002: James, Vorotnikov and Brogliato).
#include "scree/studies/chain.hpp"

#include "scree/studies/registry.hpp"

namespace scree {
namespace {

class Chain final : public Study {
 public:
  std::string_view name() const override { return "chain"; }
  std::string_view summary() const override {
    return "chains of beads: impacts, a cradle, fronts, and dissipation that comes from the scheme";
  }
  std::string_view example() const override { return "scree study chain --case alignment --set run.dt=0.2"; }
  std::vector<StudyOption> options() const override {
    return {{"case", "alignment", "alignment, cradle or front"},
            {"schemes", "", "what is compared, of kk-theta, kk-theta:printed (without guard), kk-theta:split, kk-theta:third, kk-theta:energy, an integrator, or an "
                            "integrator with :mollified (default: a choice); front: the first is the one that is judged"},
            {"steps", "", "alignment, cradle: time steps (default: 8 to 1/8 times gamma)"},
            {"exponents", "1.05,1.1,1.25,1.5", "front: exponents a"},
            {"gamma", "1", "front: damping where the logarithmic Burgers equation is looked at"},
            {"mu", "2,1,0.5", "front: damping where the logarithmic KdV-Burgers equation is looked at"},
            {"level", "0.014", "front: a sup norm; the bead is told at which the front of the logarithmic Burgers equation falls to it"},
            {"compare", "1.25,1.5", "front: exponents, of the ones above, at which schemes are compared (near 1 explicit ones take long)"},
            {"within", "0.01", "front: how closely the crossover of mu is looked for"}};
  }
  std::string scene(const StudySettings& s) const override {
    const std::string which = chosen(s);
    return which == "front" ? front_scene(s) : impact_scene(s, which == "cradle");
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override {
    const std::string which = chosen(s);
    return which == "front" ? study_front(s, progress) : study_impact(s, progress, which == "cradle");
  }

 private:
  static std::string chosen(const StudySettings& s) { return s.one_of("case", "a case", {"alignment", "cradle", "front"}); }
};

}  // namespace

const Study& chain_study() {
  static const Chain study;
  return study;
}

}  // namespace scree
