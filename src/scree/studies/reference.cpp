// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/reference.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "scree/core/constants.hpp"
#include "scree/core/dd_math.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

double size_of(const dd& x) { return std::abs(static_cast<double>(x)); }
constexpr double round_off = static_cast<double>(std::numeric_limits<dd>::epsilon());
constexpr double tolerance = 256 * round_off;  // of a step, relative

// --- Extrapolation ------------------------------------------------------------------------------

struct Point {
  std::array<dd, 3> c{};  // w, u, t
  dd& operator[](std::size_t k) { return c[k]; }
  const dd& operator[](std::size_t k) const { return c[k]; }
};

Point along(const Point& a, const Point& b, const dd& h) {
  Point y;
  for (std::size_t k = 0; k < 3; ++k) y[k] = a[k] + b[k] * h;
  return y;
}

using Rate = std::function<Point(const Point&)>;

/// One step of the extrapolated midpoint rule, 2, 4, … 2 `rows` substeps; `error` is the difference
/// of the last two columns, per component.
Point extrapolate(const Rate& rate, const Point& y, const dd& h, Point& error) {
  constexpr std::size_t rows = 10;
  std::array<Point, rows> column;
  const Point first = rate(y);
  for (std::size_t j = 0; j < rows; ++j) {
    const auto n = 2 * (j + 1);
    const dd step = h / static_cast<double>(n);
    Point before = y, now = along(y, first, step);
    for (std::size_t k = 1; k < n; ++k) {
      const Point next = along(before, rate(now), step * 2.0);
      before = now;
      now = next;
    }
    // Aitken and Neville in h²; what is in `column` is row j - 1
    Point previous = now;
    for (std::size_t k = 1; k <= j; ++k) {
      const dd coarse(static_cast<double>((j + 1 - k) * (j + 1 - k)));
      const dd factor = coarse / static_cast<double>((j + 1) * (j + 1) - (j + 1 - k) * (j + 1 - k));
      Point better;
      for (std::size_t i = 0; i < 3; ++i) better[i] = previous[i] + (previous[i] - column[k - 1][i]) * factor;
      column[k - 1] = previous;
      previous = better;
    }
    if (j + 1 == rows)
      for (std::size_t i = 0; i < 3; ++i) error[i] = previous[i] - column[j - 1][i];
    column[j] = previous;
  }
  return column[rows - 1];
}

}  // namespace

// --- Two grains on a line -------------------------------------------------------------------------

namespace {

class Contact {
 public:
  Contact(const std::function<dd(const dd&, const dd&)>& force, const dd& mass, bool attraction)
      : force_(force), mass_(mass), attraction_(attraction), rate_([this](const Point& y) { return rate_at(y); }) {}

  /// Moves `at` on until `end` or until the grains part; `t` is where that was.
  void run(Approach& at, dd& t, const dd& end) {
    bool pulled = !attraction_ && at.xi > 0 && force_(at.xi, at.rate) < 0;
    while (t < end && (at.xi > 0 || at.rate > 0)) {
      if (pulled)
        glide(at, t, end, pulled);
      else
        press(at, t, end, pulled);
    }
  }

 private:
  Point rate_at(const Point& y) const {
    const dd w3 = y[0] * y[0] * y[0];
    const dd xi = w3 * y[0];
    Point r;
    r[0] = y[1] / 4;
    r[1] = xi > 0 ? -w3 * force_(xi, y[1]) / mass_ : dd(0);
    r[2] = w3;
    return r;
  }
  dd pull(const Point& y) const {
    const dd xi = y[0] * y[0] * y[0] * y[0];
    return force_(xi, y[1]);
  }

  /// The step at which `value` vanishes, between 0 and h where it has passed zero: regula falsi with
  /// Illinois' rule, then as many digits as there are.
  template <class F> dd locate(const Point& from, const dd& h, const F& value) const {
    Point ignored;
    dd a(0), b = h, fa = value(from), fb = value(extrapolate(rate_, from, h, ignored));
    dd s = b;
    for (int k = 0; k < 200; ++k) {
      const dd denominator = fb - fa;
      s = denominator == 0 ? (a + b) / 2 : b - fb * (b - a) / denominator;
      if (!(s > a && s < b)) s = (a + b) / 2;
      const dd f = value(extrapolate(rate_, from, s, ignored));
      if (f == 0) break;
      if ((f > 0) == (fb > 0)) {
        b = s;
        fb = f;
        fa = fa / 2;
      } else {
        a = s;
        fa = f;
        fb = fb / 2;
      }
      if (size_of(b - a) <= 2 * round_off * size_of(b)) break;
    }
    return s;
  }

  void press(Approach& at, dd& t, const dd& end, bool& pulled) {
    Point y;
    y[0] = at.xi > 0 ? sqrt(sqrt(at.xi)) : dd(0);
    y[1] = at.rate;
    y[2] = t;
    // A first guess of the step: w grows at u/4, and t as w³ dτ.
    const double left = static_cast<double>(end - t), u = std::max(size_of(y[1]), 1e-300);
    dd h(0.25 * 4 * std::pow(u * left, 0.25) / u);
    double w_scale = size_of(y[0]), u_scale = size_of(y[1]);
    const double t_scale = static_cast<double>(end);
    for (int steps = 0; steps < 1000000; ++steps) {
      Point error;
      Point next = extrapolate(rate_, y, h, error);
      w_scale = std::max(w_scale, size_of(next[0]));
      u_scale = std::max(u_scale, size_of(next[1]));
      const double e = std::max({size_of(error[0]) / w_scale, size_of(error[1]) / u_scale, size_of(error[2]) / t_scale});
      const double factor = std::isfinite(e) ? 0.8 * std::pow(tolerance / std::max(e, tolerance * 1e-6), 1.0 / 19) : 0.1;
      if (!(e <= tolerance)) {
        h = h * std::clamp(factor, 0.1, 0.9);
        continue;
      }
      // what may happen within this step: the end of time, the end of the contact, the end of pressure
      dd cut = h;
      int event = 0;
      if (!(next[2] < end)) {
        cut = locate(y, h, [&](const Point& p) { return p[2] - end; });
        event = 1;
      }
      if (next[0] < 0 || (next[0] == 0 && next[1] < 0)) {
        const dd s = locate(y, h, [](const Point& p) { return p[0]; });
        if (event == 0 || s < cut) cut = s, event = 2;
      }
      if (!attraction_ && y[0] > 0 && next[0] > 0 && pull(next) < 0) {
        const dd s = locate(y, h, [&](const Point& p) { return pull(p); });
        if (event == 0 || s < cut) cut = s, event = 3;
      }
      if (event != 0) next = extrapolate(rate_, y, cut, error);
      y = next;
      if (event != 0) {
        at.rate = y[1];
        at.xi = event == 2 ? dd(0) : y[0] * y[0] * y[0] * y[0];
        t = event == 1 ? end : y[2];
        pulled = event == 3;
        return;
      }
      h = h * std::clamp(factor, 0.2, 4.0);
    }
    throw RunError("the reference integration of a contact did not end");
  }

  /// Cut attraction: straight on until pressure returns (mollified dashpots fade before the spring
  /// does), the grains part or the time is over.
  void glide(Approach& at, dd& t, const dd& end, bool& pulled) const {
    const auto force_at = [&](const dd& xi) { return force_(xi, at.rate); };
    dd target(0);
    dd above = at.xi;
    for (int k = 0; k < 2000; ++k) {
      const dd below = above * 0.99;
      if (force_at(below) > 0) {
        dd a = below, b = above;
        for (int i = 0; i < 120 && a != b; ++i) {
          const dd middle = (a + b) / 2;
          (force_at(middle) > 0 ? a : b) = middle;
        }
        target = a;
        pulled = false;
        break;
      }
      above = below;
    }
    const dd duration = (at.xi - target) / (-at.rate);
    if (t + duration < end) {
      t = t + duration;
      at.xi = target;
    } else {
      at.xi = at.xi + at.rate * (end - t);
      t = end;
    }
  }

  const std::function<dd(const dd&, const dd&)>& force_;
  dd mass_;
  bool attraction_;
  Rate rate_;
};

}  // namespace

Approach integrate_approach(const std::function<dd(const dd&, const dd&)>& force, const dd& mass, bool attraction,
                            Approach at, const dd& end) {
  dd t(0);
  if (at.xi < 0 && at.rate > 0) {  // on the way to first touch
    const dd touch = -at.xi / at.rate;
    if (!(touch < end)) return {at.xi + at.rate * end, at.rate};
    t = touch;
    at.xi = dd(0);
  }
  if (at.xi > 0 || (at.xi == 0 && at.rate > 0)) {
    Contact contact(force, mass, attraction);
    contact.run(at, t, end);
  }
  if (t < end) at.xi = at.xi + at.rate * (end - t);
  return at;
}

namespace {

// --- From a scene ---------------------------------------------------------------------------------

/// Is there anything but contacts and pushes that moves grains?
template <int D, class T> bool undisturbed(const World<D, T>& world) {
  const auto& d = world.domain;
  for (int k = 0; k < D; ++k)
    if (d.gravity[k] != 0 || d.periodic[static_cast<std::size_t>(k)]) return false;
  if (d.damping != 0 || !world.walls.empty()) return false;
  for (const auto& g : world.groups)
    if (!g.motion.empty() || g.attachment != 0 || g.drag != 0 || g.from != -forever || g.until != forever) return false;
  return true;
}

template <int D, class T> dd component(const Vec<D, T>& a, int k) { return dd(a[k]); }

/// m x'' = F + A sin(ω t + φ), integrated twice.
template <int D, class T> std::optional<Reference> pushed(const Scene<D, T>& scene, double time) {
  const World<D, T>& world = scene.world;
  const auto order = order_by_id(world.grains.id);
  if (!undisturbed(world) || world.grains.size() != 1) return {};
  for (const auto& g : world.groups)
    for (const auto& p : g.pushes)
      if (p.from != -forever || p.until != forever) return {};
  if (D == 3) return {};  // orientations in space have no such form
  Reference r;
  r.kind = "closed form";
  r.accuracy = 16 * round_off;
  const dd t(time);
  for (const std::uint32_t i : order) {
    std::array<dd, D> x, v;
    dd q(world.state.q[i][0]), w(world.state.w[i][0]);
    for (int k = 0; k < D; ++k) {
      v[static_cast<std::size_t>(k)] = component(world.state.v[i], k);
      x[static_cast<std::size_t>(k)] = component(world.state.x[i], k) + v[static_cast<std::size_t>(k)] * t;
    }
    q = q + w * t;
    if (!world.grains.held[i])
      for (const auto& p : world.groups[world.grains.group[i]].pushes) {
        // the wave's mean over the run in v, and its second integral in x
        const dd omega = dd(constant::two_pi<T>()) * dd(p.frequency), a = omega * t;
        dd once = sin(dd(p.phase)) * t, twice = once * t / 2;
        if (p.frequency != 0) {
          // a - sin a and 1 - cos a as series: no digits are lost for a short run
          dd term = a, s1(0), s2(0);  // 1 - cos a = a²/2 - …, a - sin a = a³/6 - …
          for (int n = 2; n < 400; ++n) {
            term = term * a / static_cast<double>(n);
            (n % 2 == 0 ? s1 : s2) = (n % 2 == 0 ? s1 : s2) + (n % 4 < 2 ? -term : term);
            if (size_of(term) < 1e-40 * (size_of(s1) + size_of(s2))) break;
          }
          const dd c = cos(dd(p.phase)), s = sin(dd(p.phase));
          once = (c * s1 + s * (a - s2)) / omega;
          twice = (c * s2 + s * s1) / (omega * omega);
        }
        const dd m(world.grains.m[i]), inertia(world.grains.inertia[i]), half = t * t / 2;
        for (int k = 0; k < D; ++k) {
          const auto c = static_cast<std::size_t>(k);
          v[c] = v[c] + (dd(p.force[k]) * t + dd(p.force_amplitude[k]) * once) / m;
          x[c] = x[c] + (dd(p.force[k]) * half + dd(p.force_amplitude[k]) * twice) / m;
        }
        if (inertia > 0) {
          w = w + (dd(p.torque[0]) * t + dd(p.torque_amplitude[0]) * once) / inertia;
          q = q + (dd(p.torque[0]) * half + dd(p.torque_amplitude[0]) * twice) / inertia;
        }
      }
    r.x.insert(r.x.end(), x.begin(), x.end());
    r.v.insert(r.v.end(), v.begin(), v.end());
    r.q.push_back(q);
    r.w.push_back(w);
  }
  return r;
}

template <int D, class T> std::optional<Reference> head_on(const Scene<D, T>& scene, double time) {
  const World<D, T>& world = scene.world;
  const Grains<D, T>& g = world.grains;
  const State<D, T>& s = world.state;
  if (g.size() != 2 || !undisturbed(world)) return {};
  for (const auto& group : world.groups)
    if (!group.pushes.empty()) return {};
  const auto order = order_by_id(g.id);
  const std::size_t i = order[0], j = order[1];
  std::array<dd, D> d, u;
  dd distance2(0);
  for (int k = 0; k < D; ++k) {
    const auto c = static_cast<std::size_t>(k);
    d[c] = component(s.x[j], k) - component(s.x[i], k);
    u[c] = component(s.v[j], k) - component(s.v[i], k);
    distance2 = distance2 + d[c] * d[c];
  }
  for (int k = 0; k < D; ++k)
    for (int l = k + 1; l < D; ++l) {
      const auto a = static_cast<std::size_t>(k), b = static_cast<std::size_t>(l);
      if (d[a] * u[b] != d[b] * u[a]) return {};
    }
  for (int k = 0; k < spin_size<D>; ++k)
    if (s.w[i][k] != T(0) || s.w[j][k] != T(0)) return {};
  const dd mi = g.held[i] ? dd(0) : dd(1) / dd(g.m[i]), mj = g.held[j] ? dd(0) : dd(1) / dd(g.m[j]);
  if (!(mi + mj > 0)) return {};
  const dd distance = sqrt(distance2), radii = dd(g.r[i]) + dd(g.r[j]), m_eff = dd(1) / (mi + mj);
  const dd r_eff = dd(g.r[i]) * dd(g.r[j]) / radii;
  const ContactLaws& laws = scene.table.laws[scene.table.index(g.material[i], g.material[j])];
  const dd ks = laws.scaling.of_stiffness(r_eff), gs = laws.scaling.of_damping(r_eff, m_eff);
  Approach at{radii - distance, dd(0)};
  for (std::size_t c = 0; c < D; ++c) at.rate = at.rate - u[c] * d[c] / distance;
  const auto force = std::visit(
      [&](const auto& law) -> std::function<dd(const dd&, const dd&)> {
        return [law, r_eff, m_eff, ks, gs](const dd& xi, const dd& rate) {
          const Overlap<dd> c{xi, rate, r_eff, m_eff};
          return ks * law.elastic(c) + gs * law.damping(c) * rate;
        };
      },
      laws.normal);
  const dd t(time);
  const Approach end = integrate_approach(force, m_eff, laws.attraction, at, t);
  Reference r;
  r.kind = "independent integration";
  r.accuracy = 10 * tolerance;  // some ten steps
  std::vector<dd> xj, vj;
  const dd share_i = mi * m_eff, share_j = mj * m_eff;  // of the relative motion
  for (int k = 0; k < D; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const dd n = d[c] / distance;
    const dd centre = component(s.x[i], k) * share_j + component(s.x[j], k) * share_i;
    const dd drift = component(s.v[i], k) * share_j + component(s.v[j], k) * share_i;
    const dd relative = n * (radii - end.xi), speed = -n * end.rate;
    r.x.push_back(centre + drift * t - relative * share_i);
    r.v.push_back(drift - speed * share_i);
    xj.push_back(centre + drift * t + relative * share_j);
    vj.push_back(drift + speed * share_j);
  }
  r.x.insert(r.x.end(), xj.begin(), xj.end());
  r.v.insert(r.v.end(), vj.begin(), vj.end());
  for (const std::size_t one : {i, j}) {
    for (int k = 0; k < turn_size<D>; ++k) r.q.push_back(dd(s.q[one][k]));
    for (int k = 0; k < spin_size<D>; ++k) r.w.push_back(dd(0));
  }
  return r;
}

}  // namespace

std::optional<Reference> closed_form(const AnyScene& scene, double time) {
  return std::visit([&](const auto& one) { return pushed(one, time); }, scene);
}

std::optional<Reference> independent_integration(const AnyScene& scene, double time) {
  return std::visit([&](const auto& one) { return head_on(one, time); }, scene);
}

std::optional<Reference> exact_reference(const AnyScene& scene, double time) {
  if (auto found = closed_form(scene, time)) return found;
  return independent_integration(scene, time);
}

}  // namespace scree
