// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/reproduction_page.hpp"

#include <map>

#include <fmt/format.h>

#include "scree/run/progress.hpp"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* style = R"(
:root { --ink: #1d2329; --soft: #5b6670; --line: #dde2e6; --paper: #ffffff; --wash: #f5f7f8;
  --holds: #1a7f4b; --differs: #b4540a; --beyond: #2a5fb0; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--wash); }
main { max-width: 1180px; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.4rem; margin: 3.2rem 0 .3rem; }
h3 { font-size: 1.15rem; margin: 0; }
p { margin: .5rem 0; max-width: 52rem; }
a { color: var(--beyond); }
code { font: .85em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; background: #eef1f3; padding: .1em .35em; border-radius: 3px; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.counts { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.4rem 0; }
.count { background: var(--paper); border: 1px solid var(--line); border-left-width: 5px; border-radius: 4px; padding: .5rem 1.1rem; min-width: 9rem; }
.count b { display: block; font-size: 1.7rem; line-height: 1.2; }
.count.holds { border-left-color: var(--holds); } .count.differs { border-left-color: var(--differs); } .count.beyond { border-left-color: var(--beyond); }
table { border-collapse: collapse; width: 100%; background: var(--paper); border: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem; border-top: 1px solid var(--line); }
th { font-weight: 600; font-size: .85rem; color: var(--soft); background: #fafbfb; }
.contents td { padding: .3rem .7rem; } .contents td:last-child, .contents th:last-child { text-align: right; white-space: nowrap; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; margin: 1.2rem 0; padding: 1.2rem 1.4rem 1.4rem; scroll-margin-top: 1rem; }
.items { color: var(--soft); font-size: .9rem; margin: 0 0 .2rem; }
.verdict { display: inline-block; border-radius: 3px; padding: .05em .55em; font-size: .82rem; font-weight: 600; color: #fff; white-space: nowrap; }
.verdict.holds { background: var(--holds); } .verdict.differs { background: var(--differs); } .verdict.beyond { background: var(--beyond); }
.findings { margin: 1rem 0; font-size: .95rem; } .findings td:nth-child(1) { width: 15%; } .findings td:nth-child(2) { width: 30%; } .findings td:nth-child(4) { width: 6.5rem; }
.why { color: var(--soft); font-size: .9rem; margin: .35rem 0 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; margin: 1rem 0 .6rem; align-items: start; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 4px; padding: .5rem; background: #fff; }
figure.wide { grid-column: 1 / -1; }
figure img { display: block; width: 100%; height: auto; }
figcaption { font-size: .85rem; color: var(--soft); padding: .3rem .2rem 0; }
pre { overflow-x: auto; font: .8rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; background: #fafbfb; border: 1px solid var(--line); padding: .7rem; }
details summary { cursor: pointer; color: var(--beyond); font-size: .9rem; margin-top: .4rem; }
@media (max-width: 44rem) { .findings, .findings tbody, .findings tr, .findings td { display: block; width: 100% !important; } .findings thead { display: none; } }
@media print { body { background: #fff; } section { break-inside: avoid; } }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// gnuplot's markup is for pictures: 10^{-3} becomes 10<sup>-3</sup>.
std::string marked(const std::string& text) {
  std::string out;
  const std::string safe = escaped(text);
  for (std::size_t k = 0; k < safe.size(); ++k) {
    const bool up = safe[k] == '^';
    if ((up || safe[k] == '_') && k + 1 < safe.size() && safe[k + 1] == '{') {
      const std::size_t end = safe.find('}', k);
      if (end != std::string::npos) {
        out += fmt::format("<{0}>{1}</{0}>", up ? "sup" : "sub", safe.substr(k + 2, end - k - 2));
        k = end;
        continue;
      }
    }
    out += safe[k];
  }
  return out;
}

std::string text_at(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

std::map<std::string, int> count_verdicts(const Json& entry) {
  std::map<std::string, int> counts;
  for (const Json& f : entry.value("findings", Json::array())) ++counts[text_at(f, "verdict")];
  return counts;
}

std::string badge(const std::string& verdict) {
  const std::string word = verdict == "beyond" ? "beyond the seeds" : verdict;
  return fmt::format("<span class=\"verdict {}\">{}</span>", escaped(verdict), escaped(word));
}

std::string seed_title(const std::string& seed) {
  if (seed == "000") return "000 · A mollified version of the Kuwabara-Kono model";
  if (seed == "002") return "002 · Multiple impacts in granular chains with Kuwabara-Kono dissipation";
  if (seed == "003")
    return "003 · Thesis in two dimensions, chapters 1 to 5 (with 000, the paper drawn from it)";
  if (seed == "004") return "004 · Time integration schemes in DEM simulations";
  return "Beyond the seeds";
}

std::string entry_section(const Json& e) {
  const std::string name = text_at(e, "name"), folder = escaped(name) + "/";
  std::string html = fmt::format(
      "<section id=\"{}\">\n<p class=\"items\">{} · {}</p>\n<h3>{}</h3>\n", escaped(name),
      text_at(e, "seed") == "beyond" ? "beyond" : escaped(text_at(e, "seed")),
      escaped(text_at(e, "items")), escaped(text_at(e, "title")));
  if (const std::string note = text_at(e, "note"); !note.empty())
    html += fmt::format("<p>{}</p>\n", escaped(note));
  html += fmt::format("<p class=\"soft\"><code>{}</code> · {}</p>\n",
                      escaped(text_at(e, "command")), duration_text(e.value("seconds", 0.0)));

  if (const Json findings = e.value("findings", Json::array()); !findings.empty()) {
    html +=
        "<table class=\"findings\"><thead><tr><th>where</th><th>claim or "
        "question</th><th>here</th><th>verdict</th></tr></thead><tbody>\n";
    for (const Json& f : findings) {
      html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}", marked(text_at(f, "where")),
                          marked(text_at(f, "claim")), marked(text_at(f, "ours")));
      if (const std::string why = text_at(f, "why"); !why.empty())
        html += fmt::format("<p class=\"why\">{}</p>", marked(why));
      html += fmt::format("</td><td>{}</td></tr>\n", badge(text_at(f, "verdict")));
    }
    html += "</tbody></table>\n";
  }

  const Json figures = e.value("figures", Json::array());
  const auto figure = [&](const Json& f) {
    const std::string file = escaped(text_at(f, "name"));
    const std::string own = text_at(f, "title"), title = own.empty() ? text_at(e, "title") : own;
    return fmt::format(
        "<figure{4}><a href=\"{0}{1}.svg\"><img src=\"{0}{1}.svg\" alt=\"{2}\" "
        "loading=\"lazy\"></a><figcaption>{3} · <a href=\"{0}{1}.png\">png</a> "
        "<a href=\"{0}{1}.svg\">svg</a> <a href=\"{0}{1}.gp\">script</a></figcaption></figure>\n",
        folder, file, title.empty() ? file : escaped(title), marked(title),
        f.value("panels", 1) >= 2 ? " class=\"wide\"" : "");
  };
  const std::size_t shown = figures.size() <= 5 ? figures.size() : 4;
  html += "<div class=\"figures\">\n";
  for (std::size_t k = 0; k < shown; ++k) html += figure(figures[k]);
  html += "</div>\n";
  if (figures.size() > shown) {
    html += fmt::format("<details><summary>{} more figures</summary><div class=\"figures\">\n",
                        figures.size() - shown);
    for (std::size_t k = shown; k < figures.size(); ++k) html += figure(figures[k]);
    html += "</div></details>\n";
  }
  html += "<p class=\"soft\">Data:";
  for (const Json& table : e.value("tables", Json::array()))
    html += fmt::format(" <a href=\"{0}{1}.csv\">{1}.csv</a>", folder,
                        escaped(table.get<std::string>()));
  html += fmt::format(" <a href=\"{0}{1}.json\">{1}.json</a></p>\n", folder,
                      escaped(text_at(e, "study")));
  if (const std::string text = text_at(e, "text"); !text.empty())
    html +=
        fmt::format("<details><summary>Table</summary><pre>{}</pre></details>\n", escaped(text));
  return html + "</section>\n";
}

}  // namespace

std::string reproduction_page(const std::vector<Json>& entries, bool quick) {
  std::map<std::string, int> counts;
  double seconds = 0;
  for (const Json& e : entries) {
    for (const auto& [verdict, n] : count_verdicts(e)) counts[verdict] += n;
    seconds += e.value("seconds", 0.0);
  }
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Scree: reproduction of the "
      "seeds</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>Reproduction of the "
      "seeds</h1>\n"
      "<p>Every figure and table that the seeds compute, computed again by Scree {}: the figure, "
      "what the seed says of it, our number, and a verdict. "
      "The command under each title does the same by hand.</p>\n",
      style, SCREE_VERSION);
  html += fmt::format(
      "<p class=\"soft\">{}{} studies, {} of computing.</p>\n",
      quick ? "Quick mode: fewer points and shorter runs than the full reproduction. " : "",
      entries.size(), duration_text(seconds));
  html += "<div class=\"counts\">";
  for (const auto& [verdict, word] : {std::pair{"holds", "claims hold"},
                                      {"differs", "differ, with a reason"},
                                      {"beyond", "beyond the seeds"}})
    html +=
        fmt::format("<div class=\"count {}\"><b>{}</b>{}</div>", verdict, counts[verdict], word);
  html +=
      "</div>\n<table "
      "class=\"contents\"><thead><tr><th>seed</th><th>what</th><th>study</th><th>verdicts</"
      "th><th>time</th></tr></thead><tbody>\n";
  for (const Json& e : entries) {
    std::string verdicts;
    for (const auto& [verdict, n] : count_verdicts(e))
      verdicts += fmt::format("<span class=\"verdict {0}\">{1} {0}</span> ", escaped(verdict), n);
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td><a href=\"#{}\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
        escaped(text_at(e, "seed")), escaped(text_at(e, "items")), escaped(text_at(e, "name")),
        escaped(text_at(e, "title")), verdicts, duration_text(e.value("seconds", 0.0)));
  }
  html += "</tbody></table>\n";
  std::string seed;
  for (const Json& e : entries) {
    if (text_at(e, "seed") != seed) {
      seed = text_at(e, "seed");
      html += fmt::format("<h2>{}</h2>\n", escaped(seed_title(seed)));
    }
    html += entry_section(e);
  }
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace scree
