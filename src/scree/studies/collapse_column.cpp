// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/collapse_column.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/run/step_advice.hpp"
#include "scree/studies/experiment.hpp"
#include "scree/studies/kept.hpp"

namespace scree {
namespace {

/// Where the answer to a question about this scene is kept.
Kept place_of(const AnyScene& scene, const CollapseOrder& o) {
  return Kept("collapse", scene,
              fmt::format("{} {} {} {} {} {} {} {}", o.height, o.foot, o.rules.round, o.rules.touch, o.rules.depth,
                          o.relax, o.rest, o.time));
}

nlohmann::json points_json(const std::vector<Point2>& points) {
  auto all = nlohmann::json::array();
  for (const Point2& p : points) all.push_back({p.s, p.z});
  return all;
}
std::vector<Point2> points_from(const nlohmann::json& j) {
  std::vector<Point2> all;
  for (const auto& p : j) all.push_back({p.at(0).get<double>(), p.at(1).get<double>()});
  return all;
}

nlohmann::json json_of(const Collapsed& c) {
  return {{"grains", c.grains},     {"mean_radius", c.mean_radius},
          {"h0", c.h0},             {"l0", c.l0},
          {"h_inf", c.h_inf},       {"l_inf", c.l_inf},
          {"time", c.time},         {"overlap", c.overlap},
          {"rests", c.rests},       {"left_out", c.left_out},
          {"surface", points_json(c.surface)}, {"column", points_json(c.column)}};
}
Collapsed collapsed_from(const nlohmann::json& j) {
  Collapsed c;
  c.grains = j.at("grains").get<std::int64_t>();
  c.mean_radius = j.at("mean_radius").get<double>();
  c.h0 = j.at("h0").get<double>();
  c.l0 = j.at("l0").get<double>();
  c.h_inf = j.at("h_inf").get<double>();
  c.l_inf = j.at("l_inf").get<double>();
  c.time = j.at("time").get<double>();
  c.overlap = j.at("overlap").get<double>();
  c.rests = j.at("rests").get<bool>();
  c.left_out = j.at("left_out").get<std::int64_t>();
  c.surface = points_from(j.at("surface"));
  c.column = points_from(j.at("column"));
  return c;
}

/// Takes free grains that reach above `height` away, from the scene and from its rested state.
/// Those that stay are numbered anew, in the old order.
template <int D> void trim(Scene<D, double>& scene, Settled& rested, double height) {
  auto& world = scene.world;
  const auto order = order_by_id(world.grains.id);
  constexpr auto d = static_cast<std::size_t>(D);
  constexpr std::size_t turn = D == 2 ? 1 : 4, spin = D == 2 ? 1 : 3;
  constexpr std::uint32_t gone = 0xffffffffU;
  std::vector<std::uint32_t> kept, renamed(order.size(), gone);
  Settled left;
  for (std::size_t id = 0; id < order.size(); ++id) {
    const std::uint32_t i = order[id];
    if (!world.grains.held[i] && rested.x[d * id + d - 1] + world.grains.r[i] > height) continue;
    renamed[id] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(i);
    const auto copy = [&](const std::vector<double>& from, std::vector<double>& to, std::size_t n) {
      for (std::size_t k = 0; k < n; ++k) to.push_back(from[n * id + k]);
    };
    copy(rested.x, left.x, d);
    copy(rested.v, left.v, d);
    copy(rested.q, left.q, turn);
    copy(rested.w, left.w, spin);
  }
  // Ids of walls count down from the top and stay.
  const auto rename = [&](std::uint32_t id) { return id < renamed.size() ? renamed[id] : id; };
  for (Settled::Spring s : rested.springs) {
    if ((s.id1 < renamed.size() && renamed[s.id1] == gone) || (s.id2 < renamed.size() && renamed[s.id2] == gone))
      continue;
    s.id1 = rename(s.id1);
    s.id2 = rename(s.id2);
    left.springs.push_back(s);
  }
  const auto choose = [&](auto& column, const auto&) {
    auto chosen = column;
    for (std::size_t k = 0; k < kept.size(); ++k) chosen[k] = column[kept[k]];
    chosen.resize(kept.size());
    column = std::move(chosen);
  };
  for_each_column(world.grains, choose);
  for_each_column(world.state, choose);
  for (std::size_t k = 0; k < kept.size(); ++k) world.grains.id[k] = static_cast<std::uint32_t>(k);
  rested = left;
}

/// Watches a collapse: it is over when it rests at two looks in a row. Without rolling resistance a few
/// grains rock in their hollows for long; they are not waited for.
class Watch {
 public:
  Watch(const CollapseOrder& order, double gravity) : order_(order), gravity_(gravity) {}
  Frame last;
  bool rests = false;

  bool look(const Frame& f) {
    last = f;
    const auto d = static_cast<std::size_t>(f.dim);
    const auto body = main_body(f, order_.rules.touch * mean_free_radius(f));
    std::size_t free = 0, moving = 0;
    bool calm = true;
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f.held[i]) continue;
      ++free;
      double v2 = 0;
      for (std::size_t k = 0; k < d; ++k) v2 += f.v[d * i + k] * f.v[d * i + k];
      const double energy = v2 / (2 * gravity_ * f.radius[i]);  // over m g r
      if (energy > order_.rest / 10) ++moving;
      if (energy > order_.rest && body[i]) calm = false;
    }
    calm = calm && moving * 100 <= free && f.time > 0;
    rests = calm && calm_before_;
    calm_before_ = calm;
    return !rests;
  }

 private:
  const CollapseOrder& order_;
  double gravity_;
  bool calm_before_ = false;
};

template <int D> Collapsed run(Scene<D, double> scene, const CollapseOrder& order) {
  Settled start = settle(AnyScene(scene));
  trim(scene, start, order.height);
  const double dt = step_of(scene), gravity = norm(scene.world.domain.gravity);

  const auto fail_on = [](const Outcome& out, const char* when) {
    if (!out.fault.empty()) throw RunError(fmt::format("{} ({}, step {}, t = {} s)", out.fault, when, out.steps, brief(out.time)));
  };
  Scene<D, double> closed = scene;
  for (auto& wall : closed.world.walls)
    if (wall.name == "gate") wall.until = forever;
  Settled relaxed;
  Frame column;
  const Observer at_end{order.relax, [&](const Frame& f) {
                          column = f;
                          return true;
                        }};
  const Outcome relaxing = run_experiment(AnyScene(closed), dt, order.relax, at_end, &start, &relaxed);
  fail_on(relaxing, "while the trimmed column relaxes");

  Collapsed c;
  const Deposit before = measure_deposit(column, order.rules);
  c.mean_radius = before.mean_radius;
  c.l0 = order.foot;
  c.column = before.surface;
  for (std::size_t i = 0; i < column.size(); ++i)
    if (!column.held[i]) {
      ++c.grains;
      c.h0 = std::max(c.h0, column.x[static_cast<std::size_t>(D) * (i + 1) - 1] + column.radius[i]);
    }

  Watch watch(order, gravity);
  const double between = 2 * std::sqrt(c.mean_radius / gravity);  // a fall through a diameter
  const auto every = static_cast<std::int64_t>(std::ceil(between / dt));
  const auto steps = static_cast<std::int64_t>(std::ceil(order.time / dt / static_cast<double>(every))) * every;
  const Outcome out = run_experiment(AnyScene(scene), dt, steps,
                                     {every, [&](const Frame& f) { return watch.look(f); }}, &relaxed);
  fail_on(out, "while the column collapses");

  const Deposit after = measure_deposit(watch.last, order.rules);
  c.h_inf = after.head;
  c.l_inf = after.runout;
  c.surface = after.surface;
  c.time = out.time;
  c.overlap = out.largest_overlap;
  c.rests = watch.rests;
  c.left_out = c.grains - after.grains;
  return c;
}

}  // namespace

double plateau_of(const std::vector<Point2>& column, const std::vector<Point2>& deposit, double sunk, double end) {
  constexpr std::size_t samples = 200;
  const auto before = bezier(column, samples), after = bezier(deposit, samples);
  if (before.empty() || after.empty()) return 0;
  const double from = std::max(before.front().s, after.front().s), to = std::min({before.back().s, after.back().s, end});
  double length = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const double s = from + (to - from) * static_cast<double>(k) / samples;
    if (height_at(before, s) - height_at(after, s) > sunk) break;
    length = s;
  }
  return length;
}

double plateau_of(const Collapsed& c) { return plateau_of(c.column, c.surface, 2 * c.mean_radius, c.l0) / c.l0; }

Shape shape_of(const Collapsed& c) { return plateau_of(c) >= 0.1 ? Shape::trapezoid : Shape::triangle; }

Collapsed collapse(const AnyScene& scene, const CollapseOrder& order) {
  const Kept place = place_of(scene, order);
  Collapsed found;
  if (place.find([&](const nlohmann::json& j) { found = collapsed_from(j); })) return found;
  return std::visit(
      [&]<int D, class T>(const Scene<D, T>& one) -> Collapsed {
        if constexpr (!std::is_same_v<T, double>)
          throw InputError(one.file + ": expected a scene in double");
        else {
          const Collapsed c = run(one, order);
          place.keep(json_of(c));
          return c;
        }
      },
      scene);
}

}  // namespace scree
