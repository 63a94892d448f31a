// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/core/errors.hpp"
#include "scree/fields/body_force.hpp"

namespace scree::fields {
namespace {

/// A mirror image: x' = turn x + shift. The identity is one of them.
template <int D>
struct Mirror {
  std::array<std::array<double, static_cast<std::size_t>(D)>, static_cast<std::size_t>(D)> turn{};
  std::array<double, static_cast<std::size_t>(D)> shift{};
  bool itself = true;
  Mirror() {
    for (std::size_t k = 0; k < turn.size(); ++k) turn[k][k] = 1;
  }
};

template <int D>
std::vector<Mirror<D>> mirrors_of(const Settings& settings, const std::vector<int>& axes) {
  std::vector<Mirror<D>> all(1);
  if (settings.border != Border::mirror) return all;
  const Region& r = settings.domain;
  if (r.kind == Region::Kind::half_plane) {
    // across an axis that is averaged over, an image would count at the place of its grain once more
    const bool seen = std::any_of(axes.begin(), axes.end(), [&](int a) { return r.normal[static_cast<std::size_t>(a)] != 0; });
    if (!seen) return all;
    Mirror<D> one;
    one.itself = false;
    double d = 0;
    for (std::size_t a = 0; a < D; ++a) d += r.point[a] * r.normal[a];
    for (std::size_t a = 0; a < D; ++a) {
      for (std::size_t b = 0; b < D; ++b) one.turn[a][b] -= 2 * r.normal[a] * r.normal[b];
      one.shift[a] = 2 * d * r.normal[a];
    }
    all.push_back(one);
    return all;
  }
  for (const int axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    const std::size_t before = all.size();
    for (const double side : {r.lo[a], r.hi[a]}) {
      if (!std::isfinite(side)) continue;
      for (std::size_t k = 0; k < before; ++k) {
        Mirror<D> one = all[k];
        one.itself = false;
        for (std::size_t b = 0; b < D; ++b) one.turn[a][b] = -one.turn[a][b];
        one.shift[a] = 2 * side - one.shift[a];
        all.push_back(one);
      }
    }
  }
  return all;
}

template <std::size_t D, class M>
std::array<double, D> turned(const M& mirror, const std::array<double, D>& v) {
  if (mirror.itself) return v;
  std::array<double, D> out{};
  for (std::size_t a = 0; a < D; ++a)
    for (std::size_t b = 0; b < D; ++b) out[a] += mirror.turn[a][b] * v[b];
  return out;
}

constexpr std::size_t image_limit = 200'000'000;

/// Calls put(shift of the kernel's coordinates, periods along y) for every periodic image of a place that comes within
/// `room` of the window.
template <int N>
class Images {
 public:
  Images(const Surroundings& around, double t, const std::vector<int>& axes, const Window& window)
      : axes_(axes), window_(window) {
    for (std::size_t k = 0; k < N; ++k) period_[k] = around.period[static_cast<std::size_t>(axes[k])];
    if (around.shear_rate != 0 && t >= around.shear_from) {
      speed_ = around.shear_rate * around.period[1];
      const double way = speed_ * (t - around.shear_from);
      ahead_ = way - around.period[0] * std::floor(way / around.period[0] + 0.5);
    }
    for (std::size_t k = 0; k < N; ++k) {
      if (axes[k] == 0) x_ = static_cast<int>(k);
      if (axes[k] == 1) y_ = static_cast<int>(k);
    }
  }
  double speed() const { return speed_; }

  template <class Put>
  void each(const double* x, double room, Put&& put) const {
    std::array<double, static_cast<std::size_t>(N)> shift{};
    // y before x: a tilted image is shifted along x by how many periods it is up
    walk(order(0), x, room, shift, 0, put, 0);
  }

 private:
  static constexpr std::size_t n = static_cast<std::size_t>(N);
  std::size_t order(std::size_t k) const {
    if (x_ < 0 || y_ < 0 || speed_ == 0) return k;
    // y first, then x, then the rest
    if (k == 0) return static_cast<std::size_t>(y_);
    if (k == 1) return static_cast<std::size_t>(x_);
    return k;
  }
  template <class Put>
  void walk(std::size_t axis, const double* x, double room, std::array<double, n>& shift, int up, Put&& put, std::size_t done) const {
    const double at = x[axis] + shift[axis], lo = window_.lo[axis] - room, hi = window_.hi[axis] + room;
    const double period = period_[axis];
    double from = 0, to = 0;
    if (period > 0) {
      from = std::ceil((lo - at) / period);
      to = std::floor((hi - at) / period);
    } else if (at < lo || at > hi) {
      return;
    }
    if (to - from > 1e6) throw InputError("fields: the width is a million times the period of the domain; expected a smaller one");
    const std::array<double, n> kept = shift;
    for (double k = from; k <= to; ++k) {
      shift = kept;
      shift[axis] += k * period;
      int level = up;
      if (static_cast<int>(axis) == y_ && speed_ != 0) {
        level = static_cast<int>(k);
        if (x_ >= 0) shift[static_cast<std::size_t>(x_)] += k * ahead_;
      }
      if (done + 1 == n) put(shift, level);
      else walk(order(done + 1), x, room, shift, level, put, done + 1);
    }
    shift = kept;
  }

  const std::vector<int>& axes_;
  Window window_;
  std::array<double, n> period_{};
  double ahead_ = 0, speed_ = 0;
  int x_ = -1, y_ = -1;
};

/// Of a grain of the plane with the radius 1.
double area_of(const Frame& f, const Surroundings& around, std::size_t i) {
  if (f.shape.empty() || f.shape[i] <= 0) return std::numbers::pi;
  const auto outline = static_cast<std::size_t>(f.shape[i]) - 1;
  if (outline >= around.areas.size()) throw InputError(fmt::format("fields: the run has no outline {} of its angular grains", outline + 1));
  return around.areas[outline];
}

bool chosen(const Frame& f, std::size_t i, const Selection& s) {
  if (f.held[i] && !s.held) return false;
  if (s.everything()) return true;
  const auto in = [](const std::vector<std::int64_t>& list, std::int64_t one) {
    return list.empty() || std::find(list.begin(), list.end(), one) != list.end();
  };
  return in(s.materials, f.material[i]) && in(s.groups, f.group[i]) && f.radius[i] >= s.smallest && f.radius[i] <= s.largest &&
         s.region.contains(&f.x[i * static_cast<std::size_t>(f.dim)], f.dim);
}

}  // namespace

std::size_t index_of(const Frame& frame, std::int64_t id) {
  // ids are mostly 0, 1, 2 …
  const std::int64_t guess = frame.id.empty() ? -1 : id - frame.id.front();
  if (guess >= 0 && guess < static_cast<std::int64_t>(frame.size()) && frame.id[static_cast<std::size_t>(guess)] == id)
    return static_cast<std::size_t>(guess);
  const auto at = std::lower_bound(frame.id.begin(), frame.id.end(), id);
  return at != frame.id.end() && *at == id ? static_cast<std::size_t>(at - frame.id.begin()) : frame.size();
}

template <int D, int N>
Records<D, N> make_records(const Frame& f, const Surroundings& around, const Settings& settings,
                           const std::vector<int>& axes, const Window& window) {
  constexpr std::size_t dim = static_cast<std::size_t>(D), n = static_cast<std::size_t>(N), s = static_cast<std::size_t>(spins<D>);
  const std::size_t count = f.size();
  Records<D, N> records;
  const auto project = [&](const std::array<double, dim>& x) {
    std::array<double, n> out{};
    if constexpr (N > 0)
      for (std::size_t k = 0; k < n; ++k) out[k] = x[static_cast<std::size_t>(axes[k])];
    return out;
  };
  std::vector<std::uint8_t> counts(count);
  for (std::size_t i = 0; i < count; ++i) counts[i] = chosen(f, i, settings.selection);

  // what contacts give to grains
  std::vector<std::array<double, static_cast<std::size_t>(pairs<D>)>> fabric(count);
  std::vector<std::array<double, dim>> forces(count);
  std::vector<double> touching(count, 0.0);
  const FrameContacts& c = f.contacts;
  const auto vector_of = [&](const std::vector<double>& list, std::size_t k) {
    std::array<double, dim> v{};
    for (std::size_t a = 0; a < dim; ++a) v[a] = list[k * dim + a];
    return v;
  };
  const std::vector<Mirror<D>> mirrors = mirrors_of<D>(settings, axes);
  const Images<N> images(around, f.time, axes, window);
  const std::size_t contact_count = f.has_contacts ? c.size() : 0;

  const auto check_limit = [&](std::size_t made) {
    if (made > image_limit)
      throw InputError(fmt::format("fields: a width of {:.4g} m needs more than {} images of grains and contacts; expected a smaller one",
                                   settings.width, image_limit));
  };
  const auto put_line = [&](const std::array<double, dim>& x, const std::array<double, dim>& branch,
                            const std::array<double, dim>& force) {
    for (const Mirror<D>& m : mirrors) {
      std::array<double, dim> at = turned(m, x);
      for (std::size_t a = 0; a < dim; ++a) at[a] += m.shift[a];
      ContactRecord<D, N> r{project(at), turned(m, branch), turned(m, force)};
      const auto b = project(r.branch);
      double l2 = 0;
      std::array<double, n> middle = r.x;
      for (std::size_t k = 0; k < n; ++k) {
        l2 += b[k] * b[k];
        middle[k] += 0.5 * b[k];
      }
      const double half = 0.5 * std::sqrt(l2);
      const std::array<double, n> start = r.x;
      images.each(middle.data(), half, [&](const std::array<double, n>& shift, int) {
        for (std::size_t k = 0; k < n; ++k) r.x[k] = start[k] + shift[k];
        records.contacts.push_back(r);
        records.longest = std::max(records.longest, half);
      });
    }
    check_limit(records.contacts.size());
  };
  const auto put_wall = [&](const std::array<double, dim>& x, const std::array<double, dim>& force) {
    for (const Mirror<D>& m : mirrors) {
      std::array<double, dim> at = turned(m, x);
      for (std::size_t a = 0; a < dim; ++a) at[a] += m.shift[a];
      const WallRecord<D, N> one{project(at), turned(m, force)};
      images.each(one.x.data(), 0, [&](const std::array<double, n>& shift, int) {
        WallRecord<D, N> r = one;
        for (std::size_t k = 0; k < n; ++k) r.x[k] += shift[k];
        records.walls.push_back(r);
      });
    }
  };
  const auto note = [&](std::size_t i, const std::array<double, dim>& branch, const std::array<double, dim>& force, double sign) {
    double l2 = 0;
    for (const double b : branch) l2 += b * b;
    std::size_t at = 0;
    for (std::size_t a = 0; a < dim; ++a) {
      forces[i][a] += sign * force[a];
      for (std::size_t b = a; b < dim; ++b) fabric[i][at++] += l2 > 0 ? branch[a] * branch[b] / l2 : 0;
    }
    touching[i] += 1;
  };

  records.contacts.reserve(contact_count);
  for (std::size_t k = 0; k < contact_count; ++k) {
    const std::size_t i = index_of(f, c.id1[k]);
    const std::size_t j = c.id2[k] >= 0 ? index_of(f, c.id2[k]) : count;
    if (i >= count) continue;
    const auto xi = vector_of(f.x, i), branch = vector_of(c.branch, k), force = vector_of(c.force, k),
               point = vector_of(c.point, k);
    note(i, branch, force, 1);
    if (j < count) note(j, branch, force, -1);
    const bool mine = counts[i], other = j < count && counts[j];
    if (!mine && !other) continue;
    std::array<double, dim> arm{}, back{}, xj{}, minus{};
    for (std::size_t a = 0; a < dim; ++a) {
      arm[a] = point[a] - xi[a];
      xj[a] = xi[a] + branch[a];
      back[a] = point[a] - xj[a];
      minus[a] = -force[a];
    }
    if (mine && other) {
      put_line(xi, branch, force);
      continue;
    }
    const std::size_t partner = mine ? j : i;
    const bool whole = partner < count && f.held[partner] && !settings.selection.held && settings.border != Border::wall;
    if (mine) put_line(xi, whole ? branch : arm, force);
    else if (whole) put_line(xi, branch, force);
    else put_line(xj, back, minus);
    if (settings.border == Border::wall) put_wall(point, mine ? force : minus);
  }

  records.grains.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!counts[i]) continue;
    GrainRecord<D, N> base{};
    const auto x = vector_of(f.x, i), v = vector_of(f.v, i);
    const double radius = f.radius[i];
    base.volume = D == 2 ? area_of(f, around, i) * radius * radius : 4.0 / 3 * std::numbers::pi * radius * radius * radius;
    base.mass = f.mass[i];
    base.radius = radius;
    base.inertia = f.inertia[i];
    base.contacts = touching[i];
    base.fabric = fabric[i];
    std::array<double, dim> body{};  // by the grain's own velocity: an image is pushed as its grain is
    if (settings.balance) {
      add_body_force(around, f.time, f.mass[i], v.data(), body.data());
      add_group_force(around, f, i, body.data());
    }
    std::array<double, s> w{};
    for (std::size_t a = 0; a < s; ++a) w[a] = f.w[i * s + a];
    for (const Mirror<D>& m : mirrors) {
      std::array<double, dim> at = turned(m, x);
      for (std::size_t a = 0; a < dim; ++a) at[a] += m.shift[a];
      base.x = project(at);
      base.v = turned(m, v);
      base.force = turned(m, forces[i]);
      base.body = turned(m, body);
      base.w = w;
      if (!m.itself) {
        // a spin is an axial vector: det(turn) turn w
        double det = 1;
        if constexpr (D == 2) {
          det = m.turn[0][0] * m.turn[1][1] - m.turn[0][1] * m.turn[1][0];
          base.w[0] = det * w[0];
        } else {
          const auto& t = m.turn;
          det = t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) - t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
          base.w = turned(m, w);
          for (double& one : base.w) one *= det;
        }
        std::size_t out = 0;
        std::array<std::array<double, dim>, dim> full{}, turned_full{};
        for (std::size_t a = 0; a < dim; ++a)
          for (std::size_t b = a; b < dim; ++b) full[a][b] = full[b][a] = fabric[i][out++];
        for (std::size_t a = 0; a < dim; ++a)
          for (std::size_t b = 0; b < dim; ++b)
            for (std::size_t p = 0; p < dim; ++p)
              for (std::size_t q = 0; q < dim; ++q) turned_full[a][b] += m.turn[a][p] * m.turn[b][q] * full[p][q];
        out = 0;
        for (std::size_t a = 0; a < dim; ++a)
          for (std::size_t b = a; b < dim; ++b) base.fabric[out++] = turned_full[a][b];
      } else {
        base.fabric = fabric[i];
      }
      const std::array<double, n> place = base.x;
      const double vx = base.v[0];
      images.each(place.data(), 0, [&](const std::array<double, n>& shift, int up) {
        for (std::size_t k = 0; k < n; ++k) base.x[k] = place[k] + shift[k];
        base.v[0] = vx + up * images.speed();
        records.grains.push_back(base);
      });
      base.v[0] = vx;
    }
    check_limit(records.grains.size());
  }
  return records;
}

template Records<2, 1> make_records<2, 1>(const Frame&, const Surroundings&, const Settings&, const std::vector<int>&, const Window&);
template Records<2, 2> make_records<2, 2>(const Frame&, const Surroundings&, const Settings&, const std::vector<int>&, const Window&);
template Records<3, 1> make_records<3, 1>(const Frame&, const Surroundings&, const Settings&, const std::vector<int>&, const Window&);
template Records<3, 2> make_records<3, 2>(const Frame&, const Surroundings&, const Settings&, const std::vector<int>&, const Window&);
template Records<3, 3> make_records<3, 3>(const Frame&, const Surroundings&, const Settings&, const std::vector<int>&, const Window&);

}  // namespace scree::fields
