// SPDX-License-Identifier: BSD-3-Clause
#include "scree/shapes/polygon_library.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "scree/core/constants.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/shapes/polygon.hpp"

namespace scree {

Outline regular_polygon(int n, double radius, double turn) {
  if (n < 3) throw InputError(fmt::format("a polygon needs at least three vertices, not {}", n));
  if (!(radius > 0) || !std::isfinite(radius))
    throw InputError(fmt::format("a polygon's radius must be positive, not {}", radius));
  Outline out;
  for (int k = 0; k < n; ++k) {
    const double angle = turn + constant::two_pi<double>() * k / n;
    out.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return out;
}

Outline random_polygon(const RandomPolygons& kind, std::uint64_t seed, std::uint32_t id) {
  constexpr std::uint32_t outline_stream = 0x504f4c59;  // "POLY": no other purpose draws from it
  Random random(seed, outline_stream, id);
  const double radius = random.uniform(kind.radius_min, kind.radius_max);
  const double aspect = random.uniform(1, kind.aspect_max);
  const int span = kind.corners_max - kind.corners_min + 1;
  const int n = kind.corners_min +
                std::min(span - 1, static_cast<int>(random.uniform() * static_cast<double>(span)));
  const double turn = random.uniform(0, constant::two_pi<double>());
  const double c = std::cos(turn), s = std::sin(turn);
  const double longer = radius * std::sqrt(aspect), shorter = radius / std::sqrt(aspect);
  Outline out;
  for (int k = 0; k < n; ++k) {
    const double place = k + kind.jitter * (random.uniform() - 0.5);
    const double angle = constant::two_pi<double>() * place / n;
    const double x = longer * std::cos(angle), y = shorter * std::sin(angle);
    out.push_back({c * x - s * y, s * x + c * y});
  }
  centre_outline(out);
  return out;
}

namespace {

std::string_view trimmed(std::string_view s) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && space(s.front())) s.remove_prefix(1);
  while (!s.empty() && space(s.back())) s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<NamedOutline> read_outlines(const std::filesystem::path& file,
                                        std::vector<std::string>* notes) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("{}: cannot open this list of vertices", file.string()));
  int number = 0;
  const auto fail = [&](const std::string& why) {
    throw InputError(fmt::format("{}:{}: {}", file.string(), number, why));
  };
  bool named = false, headed = false;
  std::vector<NamedOutline> out;
  std::vector<int> lines;  // where each begins
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    const std::vector<std::string_view> field = fields_of(text);
    if (!headed) {
      named = field.size() == 3 && field[0] == "shape" && field[1] == "x" && field[2] == "y";
      if (!named && !(field.size() == 2 && field[0] == "x" && field[1] == "y"))
        fail(fmt::format("expected the header \"x,y\" or \"shape,x,y\", not \"{}\"", text));
      headed = true;
      continue;
    }
    if (field.size() != (named ? 3U : 2U))
      fail(fmt::format("expected {} fields, not {}", named ? 3 : 2, field.size()));
    Vec2<double> x;
    for (int k = 0; k < 2; ++k) {
      const std::string_view word = field[static_cast<std::size_t>(k) + (named ? 1 : 0)];
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x[k]);
      if (error != std::errc{} || end != word.data() + word.size())
        fail(fmt::format("expected a number for {}, not \"{}\"", k == 0 ? "x" : "y", word));
    }
    const std::string name(named ? field[0] : std::string_view{});
    auto at = std::ranges::find(out, name, &NamedOutline::name);
    if (at == out.end()) {
      out.push_back({name, {}});
      lines.push_back(number);
      at = out.end() - 1;
    }
    at->vertices.push_back(x);
  }
  if (out.empty())
    fail(headed ? "no vertices" : "empty file; expected the header \"x,y\" or \"shape,x,y\"");
  for (std::size_t k = 0; k < out.size(); ++k) {
    number = lines[k];
    const std::string who =
        out[k].name.empty() ? "polygon" : fmt::format("shape \"{}\"", out[k].name);
    CheckedOutline checked = check_outline(out[k].vertices);
    if (!checked) fail(fmt::format("{}: {}", who, checked.problem));
    if (notes)
      for (const std::string& note : checked.mended)
        notes->push_back(fmt::format("{}:{}: {}: {}", file.string(), number, who, note));
    out[k].vertices = std::move(checked.vertices);
    centre_outline(out[k].vertices);
  }
  return out;
}

}  // namespace scree
