// SPDX-License-Identifier: BSD-3-Clause
/// Two grains, head on: what a normal law does to them, computed once and accurately rather than
/// step by step in a run. Coefficients from a wanted restitution, advice on the step, `check` and
/// the restitution study all ask here.
///
/// The overlap of two grains in contact obeys m* ξ'' = -N(ξ, ξ'), ξ(0) = 0, ξ'(0) = v.
#pragma once

#include "scree/laws/contact_table.hpp"

namespace scree {

/// A whole collision. Times count from first touch.
struct Collision {
  double restitution = 0;  // speed apart over speed together; 0 if the grains stick
  double duration = 0;     // s, until the force has vanished for good; infinite if the grains stick
  double max_overlap = 0;  // m
  double max_force = 0;    // N
  double rise = 0;         // s, until the largest overlap
  bool sticks = false;  // the grains never come apart (or creep apart at 1e-8 of the speed or less)
};

/// Where the pair is: overlap (negative once apart: the gap) and its rate.
struct HeadOn {
  double xi = 0;    // m
  double rate = 0;  // m/s
};

/// Any normal law, registered or not, seen through plain functions.
class NormalView {
 public:
  template <NormalLaw L> explicit NormalView(const L& law)
      : law_(&law),
        elastic_([](const void* l, const Overlap<double>& c) {
          return static_cast<const L*>(l)->elastic(c);
        }),
        damping_([](const void* l, const Overlap<double>& c) {
          return static_cast<const L*>(l)->damping(c);
        }),
        energy_([](const void* l, const Overlap<double>& c) {
          return static_cast<const L*>(l)->energy(c);
        }) {}
  double elastic(const Overlap<double>& c) const { return elastic_(law_, c); }
  double damping(const Overlap<double>& c) const { return damping_(law_, c); }
  double energy(const Overlap<double>& c) const { return energy_(law_, c); }

 private:
  using Function = double (*)(const void*, const Overlap<double>&);
  const void* law_;
  Function elastic_, damping_, energy_;
};

/// A normal law at work between two grains: its coefficients scaled to the pair, its pull cut or
/// not.
struct NormalPair {
  NormalView law;
  double r_eff, m_eff;
  double stiffness = 1;  // Scaling::of_stiffness, of the stiffest grains
  double damping = 1;    // Scaling::of_damping; 0 leaves the elastic part alone
  bool attraction = true;

  template <NormalLaw L> NormalPair(const L& law_, double r_eff_, double m_eff_,
                                    bool attraction_ = true, const Scaling& scaling = {})
      : law(law_),
        r_eff(r_eff_),
        m_eff(m_eff_),
        stiffness(scaling.of_stiffness(r_eff_) * (scaling.of_grains() ? scaling.stiffest : 1)),
        damping(scaling.of_damping(r_eff_, m_eff_) * (scaling.of_grains() ? scaling.stiffest : 1)),
        attraction(attraction_) {}

  double elastic(double xi) const { return stiffness * law.elastic({xi, 0, r_eff, m_eff}); }
  double dashpot(double xi) const {
    return damping == 0 ? 0 : damping * law.damping({xi, 0, r_eff, m_eff});
  }
  double energy(double xi) const { return stiffness * law.energy({xi, 0, r_eff, m_eff}); }
};
/// The pair's normal law; `laws` must outlive the answer.
NormalPair normal_pair(const ContactLaws& laws, double r_eff, double m_eff);
NormalPair normal_pair(ContactLaws&& laws, double r_eff, double m_eff) = delete;

/// The collision of a pair of reduced radius r_eff (m) and reduced mass m_eff (kg) that meets at
/// `speed` > 0 (m/s): closed form for the linear law, else integrated to about 1e-13 of the speed
/// and of the undamped overlap, in a tenth of a millisecond.
Collision collide(const ContactLaws& laws, double r_eff, double m_eff, double speed);
Collision collide(const NormalPair& pair, double speed);

/// The same motion, `time` after first touch.
HeadOn head_on(const ContactLaws& laws, double r_eff, double m_eff, double speed, double time);
HeadOn head_on(const NormalPair& pair, double speed, double time);

/// The overlap at which the elastic energy has taken up all of ½ m v²: the largest one if nothing
/// is lost.
double elastic_overlap(const NormalPair& pair, double speed);

/// How long the pair touches: collide().duration, or that of the undamped pair if the grains stick.
double contact_time(const ContactLaws& laws, double r_eff, double m_eff, double speed);

/// Half periods of the oscillators in a contact, of which a step may only be a fraction. A spring k
/// with a dashpot g moving a mass m has π sqrt(m/k), or 2π m/g where the dashpot is faster (the two
/// agree at critical damping). Infinite where a contact has no such oscillator.
struct TimeScales {
  double normal;      // undamped contact time at the given speed, or the dashpot at that overlap
  double tangential;  // with the mass of a sphere that slides and spins, 2/7 m_eff
  double rolling;     // with the inertia (2/5) m_eff r_eff², the least that two spheres can have
  double shortest() const;
};
TimeScales time_scales(const ContactLaws& laws, double r_eff, double m_eff, double speed);

/// time_scales(...).shortest()
double shortest_contact_time(const ContactLaws& laws, double r_eff, double m_eff, double speed);

}  // namespace scree
