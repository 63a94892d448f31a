// SPDX-License-Identifier: BSD-3-Clause
/// Force against time during a head-on collision: figures 1.6 (linear), 1.7 (Hertz with a plain
/// dashpot) and 1.8 (Kuwabara-Kono) of the thesis with the views of its insets, and what becomes of
/// the attractive tail when attraction is cut.
///
/// From head_on(), which solves the collision to 1e-12 or better, so that the corners of the curves
/// are the law's and not a step's.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/laws/collision.hpp"
#include "scree/run/read_scene.hpp"
#include "scree/studies/bead.hpp"
#include "scree/studies/registry.hpp"

namespace scree {
namespace {

/// A collision as a curve. Before first touch and after the end the force is zero; where the law
/// jumps, two points share a time.
struct ForceCurve {
  std::string law;
  bool attraction = true;
  Collision whole;
  std::vector<double> t, force;
  double first = 0, last = 0;  // N, just after first touch and just before the end
  double lowest = 0;           // N
  double pulls_from = 0;       // s; the duration if the force never pulls
};

ForceCurve force_curve(const BodyPair& pair, const std::string& law, double speed, int points) {
  const NormalPair normal = normal_pair(pair.laws, pair.r_eff, pair.m_eff);
  ForceCurve c{law, pair.laws.attraction, collide(normal, speed), {}, {}};
  if (!std::isfinite(c.whole.duration))
    throw InputError("--law: with these parameters two beads stick; there is no end to draw");
  const double end = c.whole.duration;
  const auto force_at = [&](double t) {
    const HeadOn at = head_on(normal, speed, t);
    if (at.xi < 0) return 0.0;
    const double n = normal.elastic(at.xi) + normal.dashpot(at.xi) * at.rate;
    return pair.laws.attraction ? n : std::max(n, 0.0);
  };
  // Dense at both ends, where the insets look: t = end (1 - cos(pi k/n))/2.
  const auto time = [&](int k) { return end * (1 - std::cos(std::acos(-1.0) * k / points)) / 2; };
  const auto add = [&](double t, double n) {
    c.t.push_back(t);
    c.force.push_back(n);
  };
  add(-0.2 * end, 0);
  add(0, 0);
  c.first = normal.dashpot(0) * speed;
  add(0, c.first);
  c.pulls_from = end;
  for (int k = 1; k < points; ++k) {
    add(time(k), force_at(time(k)));
    c.lowest = std::min(c.lowest, c.force.back());
    if (c.force.back() < 0) c.pulls_from = std::min(c.pulls_from, time(k));
  }
  // At the end ξ = 0 with attraction, and the elastic part has gone; without it N is 0 there.
  c.last = pair.laws.attraction ? -normal.dashpot(0) * c.whole.restitution * speed : 0;
  c.lowest = std::min(c.lowest, c.last);
  add(end, c.last);
  add(end, 0);
  add(1.2 * end, 0);
  return c;
}

class Force final : public Study {
 public:
  std::string_view name() const override { return "force"; }
  std::string_view summary() const override {
    return "force against time during a collision, with and without attraction";
  }
  std::string_view example() const override {
    return "scree study force --law linear,kk --speed 0.5";
  }
  std::vector<StudyOption> options() const override {
    return {{"law", "linear,hertz-linear,kk", "Normal laws, a figure each"},
            {"eps", "1e-6", "ε of the mollified laws, m"},
            {"speed", "1", "Impact speed, m/s"},
            partner_option(),
            {"points", "800", "Points of each curve"}};
  }
  std::string scene(const StudySettings& s) const override {
    const auto laws = s.list("law");
    if (laws.empty()) throw InputError("--law: expected at least one law");
    return bead_scene(laws[0], s.number("eps"), true, chosen_partner(s), s.number("speed")).text();
  }
  StudyResult run(const StudySettings& s, const StudyProgress& progress) const override;
};

StudyResult Force::run(const StudySettings& s, const StudyProgress& progress) const {
  const Partner partner = chosen_partner(s);
  const double speed = s.number("speed"), eps = s.number("eps");
  const auto points = static_cast<int>(s.integer("points"));
  if (!(speed > 0)) throw InputError("--speed: expected a number > 0 in m/s");
  if (points < 10 || points > 1000000)
    throw InputError("--points: expected a number from 10 to 1000000");
  const auto laws = s.list("law");
  if (laws.empty()) throw InputError("--law: expected at least one law");

  StudyResult result;
  result.json["curves"] = nlohmann::ordered_json::array();
  StudyTable table{"force", {"law", "attraction", "t", "force"}, {}};
  std::vector<std::pair<ForceCurve, ForceCurve>> all;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const std::string& law = laws[k];
    progress(static_cast<double>(k) / static_cast<double>(laws.size()), law);
    std::vector<ForceCurve> both;
    for (const bool attraction : {true, false}) {
      const AnyScene scene = read_scene_text(
          bead_scene(law, eps, attraction, partner, speed).text(), "force", s.overrides);
      both.push_back(force_curve(body_pair(scene), law, speed, points));
      const ForceCurve& c = both.back();
      for (std::size_t p = 0; p < c.t.size(); ++p)
        table.rows.push_back({law, std::int64_t{c.attraction}, c.t[p], c.force[p]});
      result.json["curves"].push_back({{"law", law},
                                       {"attraction", c.attraction},
                                       {"duration", c.whole.duration},
                                       {"force", c.whole.max_force},
                                       {"overlap", c.whole.max_overlap},
                                       {"restitution", c.whole.restitution},
                                       {"first", c.first},
                                       {"last", c.last},
                                       {"lowest", c.lowest},
                                       {"pulls_from", c.pulls_from}});
    }
    all.emplace_back(both[0], both[1]);

    const double end = 1e6 * both[0].whole.duration, top = both[0].whole.max_force;  // μs, N
    const auto micro = [](std::vector<double> t) {
      for (double& one : t) one *= 1e6;
      return t;
    };
    Panel main{"the whole contact", "t (μs)", "N (N)", false, false, {}, {}, {}, {}};
    main.series.push_back(
        {"attraction allowed", micro(both[0].t), both[0].force, Series::Style::line});
    main.series.push_back(
        {"attraction cut", micro(both[1].t), both[1].force, Series::Style::dashed});
    main.x_range = {-0.07 * end, 1.1 * end};
    main.y_range = {std::min(-0.06 * top, 1.3 * both[0].lowest), 1.08 * top};
    Panel start = main, stop = main;
    for (Panel* inset : {&start, &stop})
      for (Series& one : inset->series) one.title.clear();
    start.title = "first touch";
    stop.title = "last touch";
    // Windows as those of the thesis: 0.7 % of the contact at its start; the end from a little
    // before the pull begins.
    const double window = 0.007 * end,
                 tail = std::max(1.6 * (end - 1e6 * both[0].pulls_from), 0.01 * end);
    const auto value_at = [&](double t) {
      const auto& c = both[0];
      std::size_t p = 0;
      while (p + 1 < c.t.size() && 1e6 * c.t[p + 1] <= t) ++p;
      return c.force[p];
    };
    start.x_range = {-0.35 * window, window};
    start.y_range = {-0.15 * value_at(window), 1.15 * value_at(window)};
    stop.x_range = {end - tail, end + 0.35 * tail};
    const double high = std::max(value_at(end - tail), 0.2 * std::abs(both[0].lowest));
    stop.y_range = {std::min(1.25 * both[0].lowest, -0.2 * high), 1.1 * high};
    result.figures.push_back(
        {"force-" + law, fmt::format("{}, {} m/s", law, shortest(speed)), {main, start, stop}});
  }
  result.tables.push_back(std::move(table));

  result.text =
      fmt::format("{:>18} {:>11} {:>12} {:>10} {:>10} {:>10} {:>10}\n", "law", "attraction",
                  "duration (s)", "max (N)", "first (N)", "last (N)", "min (N)");
  for (const auto& c : result.json["curves"])
    result.text +=
        fmt::format("{:>18} {:>11} {:12.5e} {:10.4f} {:10.4f} {:10.4f} {:10.4f}\n",
                    c["law"].get<std::string>(), c["attraction"].get<bool>() ? "allowed" : "cut",
                    c["duration"].get<double>(), c["force"].get<double>(), c["first"].get<double>(),
                    c["last"].get<double>(), c["lowest"].get<double>());

  if (!s.overrides.empty() || speed != 1 || partner != Partner::fixed) return result;
  const auto holds = [](bool yes) {
    return yes ? Finding::Verdict::holds : Finding::Verdict::differs;
  };
  double linear_pull = 0;
  for (const auto& [with, without] : all) {
    if (with.law == "linear") {
      linear_pull = with.lowest;
      const bool yes = with.first > 0 && with.last < 0;
      result.findings.push_back(
          {"003, figure 1.6",
           "spring and dashpot: the force jumps at first and last touch, and pulls at the end; the "
           "contact lasts 1.41e-5 s",
           fmt::format("jumps of {:.2f} N and {:.2f} N (g v and g e v); pulls during the last "
                       "{:.1f} % of {:.4e} s; peak {:.1f} N",
                       with.first, -with.last, 100 * (1 - with.pulls_from / with.whole.duration),
                       with.whole.duration, with.whole.max_force),
           holds(yes && std::abs(with.whole.duration - 1.41e-5) < 0.005e-5), ""});
      result.findings.push_back(
          {"beyond 003, figure 1.6", "(the thesis lets the dashpot pull)",
           fmt::format("cutting the pull ends the contact {:.1f} % earlier and raises e from "
                       "{:.4f} to {:.4f}",
                       100 * (1 - without.whole.duration / with.whole.duration),
                       with.whole.restitution, without.whole.restitution),
           Finding::Verdict::beyond, ""});
    } else if (with.law == "hertz-linear") {
      result.findings.push_back(
          {"003, figure 1.7",
           "Hertz with linear damping keeps the jumps and the attraction of the spring-dashpot",
           fmt::format("jumps of {:.3f} N and {:.3f} N; pulls during the last {:.1f} % of {:.3e} "
                       "s; peak {:.1f} N",
                       with.first, -with.last, 100 * (1 - with.pulls_from / with.whole.duration),
                       with.whole.duration, with.whole.max_force),
           holds(with.first > 0 && with.last < 0), ""});
    } else if (with.law == "kk") {
      result.findings.push_back(
          {"003, figure 1.8",
           "Kuwabara-Kono: no jumps; a residual attraction of much lesser magnitude remains",
           fmt::format("zero at both ends; the pull is at most {:.3f} N{}, {:.2f} % of the peak of "
                       "{:.1f} N",
                       -with.lowest,
                       linear_pull < 0
                           ? fmt::format(" against {:.2f} N for spring and dashpot", -linear_pull)
                           : "",
                       -100 * with.lowest / with.whole.max_force, with.whole.max_force),
           holds(with.first == 0 && with.last == 0 && with.lowest < 0 &&
                 (linear_pull == 0 || with.lowest > 0.5 * linear_pull)),
           ""});
    }
  }
  return result;
}

}  // namespace

const Study& force_study() {
  static const Force study;
  return study;
}

}  // namespace scree
