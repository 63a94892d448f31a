// SPDX-License-Identifier: BSD-3-Clause
#include "scree/laws/collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/laws/root.hpp"

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// arccos(z)/sqrt(1 - z²), continued beyond z = 1 as arcosh(z)/sqrt(z² - 1).
double arc(double z) {
  if (z == 1) return 1;
  const double root = std::sqrt(std::abs((1 - z) * (1 + z)));
  return (z < 1 ? std::acos(z) : std::acosh(z)) / root;
}

/// The linear law. With the damping ratio z = g/(2 sqrt(m k)) and w0 = sqrt(k/m):
///
///     ξ_max = (v/w0) exp(-z a(z)),  at  t = a(z)/w0,  a(z) = arccos(z)/sqrt(1 - z²)
///     attraction allowed:   t_c = π/(w0 sqrt(1 - z²)),  e = exp(-π z/sqrt(1 - z²));  z >= 1 sticks
///     attraction cut:       t_c = 2 a(z)/w0,            e = exp(-2 z a(z)),  for every z
///
/// The second pair is Schwager and Pöschel's (Granul. Matter 9, 465, 2007): with z = sin φ their
/// atan2(2 b w, w² - b²) is 2φ. The force peaks where ξ''' = 0, at w0 t = 3 a(z) - π/sqrt(1 - z²),
/// as m v w0 exp(-z w0 t), or at touch, as g v, if that is not positive (z >= 1/2).
Collision collide_linear(double k, double g, double m, double v, bool attraction) {
  const double w0 = std::sqrt(k / m), z = g / (2 * m * w0), a = arc(z);
  Collision c;
  c.rise = a / w0;
  c.max_overlap = v / w0 * std::exp(-z * a);
  c.max_force = g * v;
  const double half_turn = z < 1 ? std::numbers::pi / std::sqrt((1 - z) * (1 + z)) : infinity;
  if (z < 0.5) c.max_force = m * v * w0 * std::exp(-z * (3 * a - half_turn));
  const double phase = attraction ? half_turn : 2 * a;
  c.duration = phase / w0;
  c.sticks = phase == infinity;
  c.restitution = c.sticks ? 0 : std::exp(-z * phase);
  return c;
}

/// In scaled variables: ξ = X w⁴, ξ' = v0 v, time t X/v0, where X = elastic_overlap.
struct State {
  double w = 0, v = 1, t = 0;
};
double apart(const State& a, const State& b) {
  return std::max(
      {std::abs(a.w - b.w), std::abs(a.v - b.v), std::abs(a.t - b.t) / (1 + std::abs(a.t))});
}
State axpy(const State& a, double h, const State& b) {
  return {a.w + h * b.w, a.v + h * b.v, a.t + h * b.t};
}

/// The motion of a pair in contact, in a time of its own: dt = w³ dτ, ξ = X w⁴. Then
///
///     dw/dτ = v/4,   dv/dτ = -w³ N X/(m v0²),   dt/dτ = w³,
///
/// and every force that is a sum of powers of ξ^{1/4} (Hertz, Kuwabara-Kono, Tsuji) is a polynomial
/// in w and v: no singularity at touch is left, and a scheme of high order keeps its order.
class Encounter {
 public:
  Encounter(const NormalPair& pair, double speed)
      : pair_(pair),
        speed_(speed),
        length_(elastic_overlap(pair, speed)),
        unit_(length_ / (pair.m_eff * speed * speed)) {}

  double overlap(const State& s) const { return length_ * s.w * s.w * s.w * s.w; }
  double seconds(const State& s) const { return s.t * length_ / speed_; }
  double rate(const State& s) const { return s.v * speed_; }
  double force(const State& s) const { return force(overlap(s), rate(s)); }

  /// Over a step h of τ: the modified midpoint rule with 2, 4, 6… substeps, extrapolated until the
  /// last entry of the table agrees with both of its neighbours (one may agree by chance). Returns
  /// the line at which it did, or 0.
  int step(const State& from, double h, State& to) const {
    static constexpr int lines = 9;
    static constexpr double tolerance = 1e-14;
    State above[lines] = {};  // the line before
    for (int j = 0; j < lines; ++j) {
      State left{}, value = midpoint(from, h, 2 * (j + 1));
      const State corner = above[j > 0 ? j - 1 : 0];
      for (int k = 0; k < j; ++k) {
        const double ratio = double(j + 1) / (j - k), f = 1 / (ratio * ratio - 1);
        left = value;
        value = {left.w + f * (left.w - above[k].w), left.v + f * (left.v - above[k].v),
                 left.t + f * (left.t - above[k].t)};
        above[k] = left;
      }
      if (j > 2 && apart(value, left) < tolerance && apart(value, corner) < tolerance) {
        to = value;
        return j;
      }
      above[j] = value;
    }
    return 0;
  }
  /// The state after h, where a longer step has already succeeded.
  State after(const State& from, double h) const {
    State to = from;
    if (h > 0 && step(from, h, to) == 0) to = after(after(from, h / 2), h / 2);
    return to;
  }
  /// The part of a step h at which f, of opposite sign at its ends, vanishes.
  template <class F> double part(const State& from, double h, const State& to, F&& f) const {
    return find_root([&](double x) { return f(after(from, x)); }, 0, h, f(from), f(to), 1e-17);
  }

  /// Runs until the grains part (or to `until`, in seconds), and notes what happens on the way.
  HeadOn run(Collision& c, double until = infinity) const;

 private:
  double force(double xi, double rate) const {
    return pair_.elastic(xi) + pair_.dashpot(xi) * rate;
  }
  State slope(const State& s) const {
    const double w3 = s.w * s.w * s.w;
    return {s.v / 4, -w3 * unit_ * force(s), w3};
  }
  State midpoint(const State& from, double h, int substeps) const {
    const double d = h / substeps;
    State a = from, b = axpy(from, d, slope(from));
    for (int i = 1; i < substeps; ++i) {
      const State c = axpy(a, 2 * d, slope(b));
      a = b;
      b = c;
    }
    const State c = axpy(a, d, slope(b));
    return {(b.w + c.w) / 2, (b.v + c.v) / 2, (b.t + c.t) / 2};
  }
  /// Sign of dN/dt.
  double growth(const State& s) const {
    const double xi = overlap(s), v = rate(s), a = -force(s) / pair_.m_eff;
    const double dt = 1e-5 * std::min(xi / (std::abs(v) + 1e-300), length_ / speed_);
    return force(xi + v * dt, v + a * dt) - force(xi - v * dt, v - a * dt);
  }
  bool trapped(const State& s) const;
  double release(const State& from, double h, const State& to) const;
  bool fly(State& s) const;

  NormalPair pair_;
  double speed_;
  double length_;  // X
  double unit_;    // X/(m v0²), the inverse of the unit of force
};

/// The first part of a step at which the force turns into a pull, or -1. It is looked for on a
/// cubic through both ends (ever closer together towards the far one, where plain Kuwabara-Kono
/// pulls) and then made exact.
double Encounter::release(const State& from, double h, const State& to) const {
  const State at_from = slope(from), at_to = slope(to);
  const auto cubic = [&](double x) {
    const double y = 1 - x, a = y * y * (1 + 2 * x), b = x * x * (3 - 2 * x);
    const double c = h * x * y * y, d = -h * x * x * y;
    return State{a * from.w + b * to.w + c * at_from.w + d * at_to.w,
                 a * from.v + b * to.v + c * at_from.v + d * at_to.v, 0};
  };
  const auto push = [&](double x) { return force(after(from, x)); };
  double last = 0;
  for (int i = 1; i < 64; ++i) {
    const double x = i <= 32 ? i / 33.0 : 1 - std::exp2(32 - i) / 33;
    if (force(cubic(x)) >= 0) {
      last = x;
      continue;
    }
    const double before = push(last * h), here = push(x * h);
    if (before <= 0) return last * h;
    if (here < 0) return find_root(push, last * h, x * h, before, here, 1e-17);
  }
  return -1;
}

/// From where the force has just vanished, and attraction is cut: free flight. True if the force
/// comes back on the way out (mollified dashpots fade faster than springs), with the state there.
bool Encounter::fly(State& s) const {
  const double from = overlap(s), v = rate(s);
  double pulls = from;
  for (double xi = from * 0.999; xi > 1e-14 * length_; xi *= 0.97) {
    if (force(xi, v) <= 0) {
      pulls = xi;
      continue;
    }
    const double back =
        pulls == from ? xi : find_root([&](double x) { return force(x, v); }, xi, pulls);
    s.t += (from - back) / (length_ * -s.v);
    s.w = std::sqrt(std::sqrt(back / length_));
    return true;
  }
  return false;
}

/// Will the grains stick? With V = -ξ' > 0 the motion outwards is m V dV/dξ = D V - E: spring E,
/// dashpot D. Below the curve V = ψ/(2m), ψ = ∫ D dξ, there is no way back above it where m E/(ψ D)
/// <= 1/4, and the curve ends at V = 0. For the linear law that is over-damping; Kuwabara-Kono
/// never sticks.
bool Encounter::trapped(const State& s) const {
  const double m = pair_.m_eff, v = -rate(s), xi = overlap(s);
  if (2 * m * v > pair_.dashpot(xi) * xi) return false;
  for (int level = 24; level >= 0; --level) {  // the narrowest overlaps settle most cases
    static constexpr int points = 24;          // of the midpoint rule in the fourth root of ξ
    const double y = std::ldexp(xi, -2 * level);
    double psi = 0;
    for (int i = 0; i < points; ++i) {
      const double q = (i + 0.5) / points;
      psi += pair_.dashpot(y * q * q * q * q) * 4 * q * q * q * y / points;
    }
    if (4 * m * pair_.elastic(y) > psi * pair_.dashpot(y)) return false;
    if (level == 0 && 2 * m * v > psi) return false;
  }
  return true;
}

HeadOn Encounter::run(Collision& c, double until) const {
  const bool whole = until == infinity;
  const int most_steps =
      whole ? 1200 : 1000000;  // who still creeps then leaves at 1e-8 of the speed or less
  State s;
  c.max_force = force(0, speed_);
  double h = 0.25;
  bool rises = growth({1e-3, 1, 0}) > 0;
  for (int n = 0; n < most_steps; ++n) {
    State next;
    const int line = step(s, h, next);
    if (line == 0 || next.w < -0.5) {
      h *= 0.4;
      continue;
    }
    double done = h;
    h *= line < 6 ? 1.5 : line < 8 ? 1.1 : 0.8;

    const bool parts = next.w <= 0;
    if (parts) {
      done = part(s, done, next, [](const State& x) { return x.w; });
      next = after(s, done);
      next.w = std::max(next.w, 0.0);
    }
    const double cut = pair_.attraction || next.v >= 0 ? -1 : release(s, done, next);
    if (cut >= 0) {
      done = cut;
      next = after(s, cut);
    }
    if (seconds(next) > until) {
      const State now =
          after(s, part(s, done, next, [&](const State& x) { return seconds(x) - until; }));
      return {overlap(now), rate(now)};
    }
    if (s.v > 0 && next.v <= 0) {
      const State top = after(s, part(s, done, next, [](const State& x) { return x.v; }));
      c.max_overlap = overlap(top);
      c.rise = seconds(top);
    }
    const bool will_rise = next.w > 0 && growth(next) > 0;
    if (rises && !will_rise) {
      const auto slope_of_force = [&](double x) { return growth(after(s, x)); };
      const double first = s.w > 0 ? 0 : 1e-3 * done, last = parts ? 0.999 * done : done;
      const double a = slope_of_force(first), b = slope_of_force(last);
      if (a > 0 && b <= 0)
        c.max_force = std::max(c.max_force,
                               force(after(s, find_root(slope_of_force, first, last, a, b, 1e-9))));
    }
    rises = will_rise;
    s = next;

    if (cut >= 0) {
      State back = s;
      if (fly(back)) {
        if (seconds(back) > until) return {overlap(s) + rate(s) * (until - seconds(s)), rate(s)};
        s = back;
        rises = true;
        continue;
      }
    }
    if (parts || cut >= 0) {
      c.restitution = -s.v;
      c.duration = seconds(s);
      if (whole) return {overlap(s), rate(s)};
      return {overlap(s) + rate(s) * (until - seconds(s)), rate(s)};
    }
    if (whole && pair_.attraction && s.v < 0 && trapped(s)) break;
  }
  c.restitution = 0;
  c.duration = infinity;
  c.sticks = true;
  return {overlap(s), rate(s)};
}

/// π sqrt(m/k), or 2π m/g if that is shorter.
double half_period(double m, double k, double g) {
  const double spring = k > 0 ? std::numbers::pi * std::sqrt(m / k) : infinity;
  const double dashpot = g > 0 ? 2 * std::numbers::pi * m / g : infinity;
  return std::min(spring, dashpot);
}

}  // namespace

NormalPair normal_pair(const ContactLaws& laws, double r_eff, double m_eff) {
  return std::visit(
      [&](const auto& law) { return NormalPair(law, r_eff, m_eff, laws.attraction, laws.scaling); },
      laws.normal);
}

double elastic_overlap(const NormalPair& pair, double speed) {
  const double wanted = pair.m_eff * speed * speed / 2;
  if (!(wanted > 0)) return 0;
  double low = pair.r_eff > 0 && std::isfinite(pair.r_eff) ? 1e-3 * pair.r_eff : 1e-3;
  double high = low;
  while (pair.energy(low) > wanted) low /= 16;
  while (pair.energy(high) < wanted) high *= 16;
  if (low == high) return low;
  // energies are near powers of the overlap: straight lines between logarithms
  return std::exp(find_root(
      [&](double x) { return std::log(std::max(pair.energy(std::exp(x)) / wanted, 1e-300)); },
      std::log(low), std::log(high)));
}

Collision collide(const NormalPair& pair, double speed) {
  Collision c;
  if (speed > 0)
    Encounter(pair, speed).run(c);
  else
    c.restitution = 1, c.duration = infinity;
  return c;
}

Collision collide(const ContactLaws& laws, double r_eff, double m_eff, double speed) {
  const NormalPair pair = normal_pair(laws, r_eff, m_eff);
  if (const auto* linear = std::get_if<Linear>(&laws.normal))
    return collide_linear(pair.stiffness * linear->k, pair.damping * linear->g, m_eff, speed,
                          laws.attraction);
  return collide(pair, speed);
}

HeadOn head_on(const NormalPair& pair, double speed, double time) {
  Collision c;
  return Encounter(pair, speed).run(c, time);
}
HeadOn head_on(const ContactLaws& laws, double r_eff, double m_eff, double speed, double time) {
  return head_on(normal_pair(laws, r_eff, m_eff), speed, time);
}

double contact_time(const ContactLaws& laws, double r_eff, double m_eff, double speed) {
  const Collision c = collide(laws, r_eff, m_eff, speed);
  if (!c.sticks) return c.duration;
  NormalPair undamped = normal_pair(laws, r_eff, m_eff);
  undamped.damping = 0;
  return collide(undamped, speed).duration;
}

double TimeScales::shortest() const { return std::min({normal, tangential, rolling}); }

TimeScales time_scales(const ContactLaws& laws, double r_eff, double m_eff, double speed) {
  const NormalPair pair = normal_pair(laws, r_eff, m_eff);
  NormalPair undamped = pair;
  undamped.damping = 0;
  const double xi = elastic_overlap(pair, speed), g = pair.dashpot(xi);
  const Slip<double> slip{xi, 0, r_eff, m_eff, pair.elastic(xi), g};
  const auto oscillator = [&](const auto& variant, double mass) {
    return std::visit(
        [&](const auto& law) {
          if constexpr (is_solved<std::remove_cvref_t<decltype(law)>>) return half_period(mass, 0, 0);
          return half_period(mass, law.stiffness(slip), law.dashpot(slip));
        },
        variant);
  };
  return {.normal = std::min(collide(undamped, speed).duration, half_period(m_eff, 0, g)),
          .tangential = oscillator(laws.tangential, m_eff * 2 / 7),
          .rolling = oscillator(laws.rolling, m_eff * r_eff * r_eff * 2 / 5)};
}

double shortest_contact_time(const ContactLaws& laws, double r_eff, double m_eff, double speed) {
  return time_scales(laws, r_eff, m_eff, speed).shortest();
}

}  // namespace scree
