// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "verbs.hpp"

namespace scree {

void add_compare(CLI::App& app, Exit&) {
  struct Options {
    std::string a, b;
    bool json = false;
  };
  auto* verb = app.add_subcommand("compare", "Mean distance between corresponding grains of two runs, in mean radii");
  auto o = std::make_shared<Options>();
  verb->add_option("a", o->a, "First run.h5, or its folder")->required();
  verb->add_option("b", o->b, "Second run.h5, or its folder")->required();
  verb->add_flag("--json", o->json, "Print one JSON object");
  verb->footer("Example:  scree compare out/fine out/coarse");
  verb->callback([o] {
    const RunReader a = open_run(o->a), b = open_run(o->b);
    const auto rows = compare(a.trajectory(), b.trajectory());
    if (o->json) {
      nlohmann::json points = nlohmann::json::array();
      for (const DistanceRow& row : rows)
        points.push_back({{"time", row.time}, {"distance", row.mean}, {"largest", row.largest}, {"farthest", row.farthest}});
      fmt::print("{}\n", nlohmann::json{{"a", o->a}, {"b", o->b}, {"points", points}}.dump(2));
      return;
    }
    fmt::print("{:>14} {:>14} {:>14} {:>9}\n", "time (s)", "d (radii)", "largest", "of grain");
    for (const DistanceRow& row : rows)
      fmt::print("{:14.6g} {:14.6e} {:14.6e} {:9}\n", row.time, row.mean, row.largest, row.farthest);
  });
}

}  // namespace scree
