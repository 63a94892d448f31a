// SPDX-License-Identifier: BSD-3-Clause
/// What a bench found, for people, for programs and for the records.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "scree/bench/bench.hpp"
#include "scree/io/atomic_file.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string optional_text(const std::optional<double>& x, int digits = 0) { return x ? fmt::format("{:.{}f}", *x, digits) : "-"; }
std::string optional_text(const std::optional<std::int64_t>& x) { return x ? fmt::format("{}", *x) : "-"; }

std::optional<double> contacts_of(const BenchRow& row) {
  if (!row.statistics) return {};
  return row.statistics->coordination;
}

double relative_spread(const BenchRow& row) { return row.speed() > 0 ? (row.highest() - row.lowest()) / row.speed() : 0; }

/// Columns as wide as their widest entry; the first `left` are aligned to the left.
class Table {
 public:
  explicit Table(std::vector<std::string> head, std::size_t left) : left_(left) { add(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> width;
    for (const auto& row : rows_)
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (k >= width.size()) width.push_back(0);
        width[k] = std::max(width[k], row[k].size());
      }
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t k = 0; k < row.size(); ++k)
        line += k < left_ ? fmt::format("{:<{}}  ", row[k], width[k]) : fmt::format("{:>{}}  ", row[k], width[k]);
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
    }
    return out;
  }
  bool empty() const { return rows_.size() < 2; }

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f}", 100 * part / whole) : "-"; }

Table own_table(const BenchResult& result) {
  Table table({"bed", "law", "grains", "threads", "Mgs/s/core", "spread", "contacts", "bytes", "instr.", "rebuilds", "refresh%", "sweep%",
               "gather%", "rest%", "state_hash"}, 2);
  for (const BenchRow& r : result.rows) {
    if (r.code != "scree") continue;
    const Timing& t = r.timing;
    table.add({r.bed, r.law, fmt::format("{}", r.grains), fmt::format("{}", r.threads), fmt::format("{:.3f}", r.per_core() / 1e6),
               fmt::format("{:.1f}%", 100 * relative_spread(r)), optional_text(contacts_of(r), 2), optional_text(t.bytes),
               optional_text(t.instructions), optional_text(t.rebuilds), percent(t.refresh, t.seconds), percent(t.sweep, t.seconds),
               percent(t.gather, t.seconds), percent(t.seconds - t.refresh - t.sweep - t.gather, t.seconds),
               fmt::format("{:016x}", t.hash)});
  }
  return table;
}

Table race_table(const BenchResult& result) {
  Table table({"bed", "law", "code", "grains", "cores", "Mgs/s/core", "spread", "bytes", "rebuilds", "Scree is", "from", "to"}, 3);
  for (const BenchRow& r : result.rows) {
    std::vector<std::string> line{r.bed, r.law, r.code, fmt::format("{}", r.grains), fmt::format("{}", r.threads)};
    if (r.speeds.empty()) {
      line.emplace_back("failed");
    } else {
      line.insert(line.end(), {fmt::format("{:.3f}", r.per_core() / 1e6), fmt::format("{:.1f}%", 100 * relative_spread(r)),
                               optional_text(r.timing.bytes), optional_text(r.timing.rebuilds)});
      for (const Comparison& c : result.comparisons)
        if (c.peer == r.code && c.bed == r.bed && c.law == r.law && c.grains == r.grains && c.threads == r.threads)
          line.insert(line.end(), {fmt::format("{:.2f}x", c.ratio), fmt::format("{:.2f}", c.low), fmt::format("{:.2f}", c.high)});
    }
    table.add(std::move(line));
  }
  return table;
}

Table agreement_table(const BenchResult& result) {
  Table table({"bed", "law", "after the same steps", "code", "grains", "value", "Scree differs by", "over the start"}, 4);
  for (const Agreement& a : result.agreements) {
    double ours = 0, start = 0;
    for (const auto& [code, x] : a.values) {
      if (code == "scree") ours = x;
      if (code == "start") start = x;
    }
    for (const auto& [code, x] : a.values) {
      if (code == "start") continue;
      const bool own = code == "scree";
      table.add({a.bed, a.law, a.quantity, code, fmt::format("{}", a.grains), fmt::format("{:.5g}", x),
                 own ? (a.agrees ? "agrees" : "DIFFERS") : x != 0 ? fmt::format("{:+.3f}%", 100 * (ours / x - 1)) : "-",
                 start != 0 ? fmt::format("{:.5g}", x / start) : "-"});
    }
  }
  return table;
}

Table search_table(const BenchResult& result) {
  Table table({"bed", "law", "search", "grains", "threads", "ns/grain-step/core", "spread", "over the best", "bytes", "rebuilds", "refresh%",
               "state_hash"}, 3);
  for (const BenchRow& r : result.rows) {
    double best = 0;
    for (const BenchRow& other : result.rows)
      if (other.bed == r.bed && other.grains == r.grains && other.law == r.law && other.threads == r.threads)
        best = std::max(best, other.speed());
    table.add({r.bed, r.law, r.search, fmt::format("{}", r.grains), fmt::format("{}", r.threads), fmt::format("{:.1f}", 1e9 / r.per_core()),
               fmt::format("{:.1f}%", 100 * relative_spread(r)), fmt::format("{:.2f}x", best / r.speed()), optional_text(r.timing.bytes),
               optional_text(r.timing.rebuilds), percent(r.timing.refresh, r.timing.seconds), fmt::format("{:016x}", r.timing.hash)});
  }
  return table;
}

std::string field(const std::string& text, const std::string& key) {
  const auto at = text.find("\n" + key);
  if (at == std::string::npos) return {};
  const auto colon = text.find(':', at), end = text.find('\n', at + 1);
  if (colon == std::string::npos || colon > end) return {};
  const auto from = text.find_first_not_of(" \t", colon + 1);
  return from == std::string::npos || from > end ? std::string() : text.substr(from, end - from);
}

constexpr const char* csv_head =
    "date,machine,code,version,bed,law,grains,threads,search,skin,grain_steps_per_s_per_core,lowest,highest,repeats,steps,"
    "contacts_per_grain,bytes_per_grain,instructions_per_grain_step,rebuilds,refresh,sweep,gather,rest,state_hash";
constexpr std::size_t key_from = 2, key_to = 9;  // code … search without the version
}  // namespace

std::string machine_name() {
  std::ifstream file("/proc/cpuinfo");
  const std::string text = "\n" + std::string(std::istreambuf_iterator<char>(file), {});
  std::string model = field(text, "model name");
  if (model.empty()) model = "unknown processor";
  const std::string family = field(text, "cpu family"), number = field(text, "model\t");
  if (!family.empty() && !number.empty()) model += fmt::format(" (family {}, model {})", family, number);
  const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
  return fmt::format("{}, {} core{}", model, cores, cores > 1 ? "s" : "");
}

std::string bench_text(const BenchResult& result, bool searches) {
  std::string text = result.machine + "\n";
  for (const std::string& one : result.states) text += "  " + one + "\n";
  text += "\n";
  if (searches) {
    text += search_table(result).text();
  } else {
    text += own_table(result).text();
    text += "\nMgs: million grain-steps, median of the repeats; spread: (largest - least)/median; contacts: grains that a grain touches;\n"
            "bytes: per grain; instr.: per grain-step; rebuilds and shares of time are those of the timed loop.\n";
  }
  if (!result.comparisons.empty()) text += "\n" + race_table(result).text();
  if (!result.agreements.empty()) text += "\n" + agreement_table(result).text();
  for (const std::string& one : result.notes) text += "note: " + one + "\n";
  for (const std::string& one : result.problems) text += "PROBLEM: " + one + "\n";
  return text;
}

nlohmann::json bench_json(const BenchResult& result) {
  using nlohmann::json;
  const auto number = [](const auto& x) -> json { return x ? json(*x) : json(nullptr); };
  json rows = json::array(), comparisons = json::array(), agreements = json::array(), ratios = json::object();
  for (const BenchRow& r : result.rows) {
    json row{{"code", r.code}, {"law", r.law}, {"bed", r.bed}, {"grains", r.grains}, {"threads", r.threads}};
    if (r.speeds.empty()) {
      row["failed"] = r.failed;
      rows.push_back(row);
      continue;
    }
    const Timing& t = r.timing;
    row["grain_steps_per_s"] = r.speed();
    row["grain_steps_per_s_per_core"] = r.per_core();
    row["spread"] = relative_spread(r);
    row["repeats"] = r.speeds;
    row["steps"] = t.steps;
    row["bytes_per_grain"] = number(t.bytes);
    row["contacts_per_grain"] = number(contacts_of(r));
    row["rebuilds"] = number(t.rebuilds);
    if (r.statistics)
      row["statistics"] = {{"coordination", r.statistics->coordination}, {"kinetic", r.statistics->kinetic},
                           {"height", r.statistics->height}, {"runout", r.statistics->runout}};
    if (r.code == "scree") {
      row["search"] = r.search;
      row["skin"] = r.skin;
      row["instructions_per_grain_step"] = number(t.instructions);
      row["phases"] = {{"refresh", t.refresh / t.seconds}, {"sweep", t.sweep / t.seconds}, {"gather", t.gather / t.seconds},
                       {"rest", 1 - (t.refresh + t.sweep + t.gather) / t.seconds}};
      row["state_hash"] = fmt::format("{:016x}", t.hash);
    }
    rows.push_back(row);
  }
  for (const Comparison& c : result.comparisons) {
    comparisons.push_back({{"peer", c.peer}, {"bed", c.bed}, {"law", c.law}, {"grains", c.grains}, {"threads", c.threads},
                           {"ratio", c.ratio}, {"lowest", c.low}, {"highest", c.high}});
    // one number per peer: the least over the cases, which is what has to be defended
    if (!ratios.contains(c.peer) || c.ratio < ratios[c.peer].get<double>()) ratios[c.peer] = c.ratio;
  }
  for (const Agreement& a : result.agreements) {
    json values = json::object();
    for (const auto& [code, x] : a.values) values[code] = x;
    agreements.push_back({{"bed", a.bed}, {"law", a.law}, {"grains", a.grains}, {"quantity", a.quantity}, {"values", values},
                          {"agrees", a.agrees}});
  }
  return {{"machine", result.machine}, {"states", result.states}, {"rows", rows}, {"ratios", ratios}, {"comparisons", comparisons},
          {"agreements", agreements}, {"notes", result.notes}, {"problems", result.problems}};
}

fs::path write_bench_csv(const fs::path& to, const BenchResult& result) {
  fs::path file = to;
  if (file.extension() != ".csv") {
    std::string name;
    for (const char c : result.machine) {
      if (std::isalnum(static_cast<unsigned char>(c))) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      else if (!name.empty() && name.back() != '-') name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    file /= name + ".csv";
  }
  if (file.has_parent_path()) make_folder(file.parent_path());
  const auto key_of = [](const std::string& line) {
    std::string key;
    std::size_t column = 0;
    for (const char c : line) {
      if (c == ',') ++column;
      if (column >= key_from && column < key_to && column != 3) key += c;
    }
    return key;
  };
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> at;
  const auto put = [&](const std::string& line) {
    const auto [where, fresh] = at.emplace(key_of(line), lines.size());
    if (fresh) lines.push_back(line);
    else lines[where->second] = line;
  };
  {
    std::ifstream old(file);
    std::string line;
    if (std::getline(old, line) && line == csv_head)
      while (std::getline(old, line)) put(line);
  }
  std::string machine = result.machine;
  machine.erase(std::remove(machine.begin(), machine.end(), ','), machine.end());
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d", std::gmtime(&now));
  for (const BenchRow& r : result.rows) {
    if (r.speeds.empty()) continue;
    const Timing& t = r.timing;
    const bool own = r.code == "scree";
    const auto share = [&](double x) { return own ? fmt::format("{:.4f}", x / t.seconds) : std::string(); };
    const auto value = [](const auto& x) { return x ? fmt::format("{:.5g}", static_cast<double>(*x)) : std::string(); };
    put(fmt::format("{},{},{},{},{},{},{},{},{},{},{:.5g},{:.5g},{:.5g},{},{},{},{},{},{},{},{},{},{},{}", date.data(), machine, r.code,
                    own ? SCREE_VERSION : "", r.bed, r.law, r.grains, r.threads, r.search, own ? fmt::format("{:g}", r.skin) : "",
                    r.per_core(), r.lowest() / r.threads, r.highest() / r.threads, r.speeds.size(), t.steps, value(contacts_of(r)),
                    value(t.bytes), value(t.instructions), value(t.rebuilds), share(t.refresh), share(t.sweep), share(t.gather),
                    share(t.seconds - t.refresh - t.sweep - t.gather), own ? fmt::format("{:016x}", t.hash) : ""));
  }
  std::string text = std::string(csv_head) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  write_file(file, text);
  return file;
}

}  // namespace scree
