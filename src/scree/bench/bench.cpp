// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/bench.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/bench/peers.hpp"
#include "scree/bench/states.hpp"
#include "scree/core/errors.hpp"
#include "scree/neighbours/search.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Progress = std::function<void(double, const std::string&)>;

double median(std::vector<double> x) {
  if (x.empty()) return 0;
  std::sort(x.begin(), x.end());
  const std::size_t half = x.size() / 2;
  return x.size() % 2 == 1 ? x[half] : (x[half - 1] + x[half]) / 2;
}

/// A folder for the peers' files that goes when we do.
class WorkFolder {
 public:
  WorkFolder() : path_(fs::temp_directory_path() / fmt::format("scree-bench-{}", getpid())) { make_folder(path_); }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Case {
  const BedInfo* bed;
  std::size_t size;
  std::string law;
};

std::vector<Case> cases_of(const BenchOptions& o) {
  std::vector<std::string> names = o.beds;
  if (names.empty()) {
    names = {"W1", "W2", "W3", "W4"};
    if (o.searches) names.emplace_back("P1");
  }
  std::vector<Case> cases;
  for (const std::string& name : names) {
    const BedInfo& bed = find_bed(name);
    std::vector<std::size_t> sizes{bed.sizes.front()};
    if (bed.name == "W1") {
      sizes = o.sizes;
      if (sizes.empty()) sizes = o.searches ? std::vector<std::size_t>{32000} : std::vector<std::size_t>{8000, 32000, 100000};
    }
    std::vector<std::string> laws = o.laws;
    if (laws.empty()) laws.assign(bed.laws.begin(), o.searches ? bed.laws.begin() + 1 : bed.laws.end());
    for (const std::string& law : laws) static_cast<void>(bed_law(law));  // a wrong name is told before anything runs
    for (const std::size_t size : sizes)
      for (const std::string& law : laws) cases.push_back({&bed, size, law});
  }
  return cases;
}

/// The repeats of one code on some cores, as they come in.
struct Lane {
  BenchRow row;
  const Peer* peer = nullptr;
  std::vector<Timing> timings;
};

void note(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

void close(Lane& lane) {
  if (lane.timings.empty()) return;
  for (const Timing& t : lane.timings) {
    lane.row.speeds.push_back(t.speed());
    lane.row.hashes.push_back(t.hash);
  }
  const double middle = median(lane.row.speeds);
  const auto nearest = std::min_element(lane.timings.begin(), lane.timings.end(), [&](const Timing& a, const Timing& b) {
    return std::abs(a.speed() - middle) < std::abs(b.speed() - middle);
  });
  lane.row.timing = *nearest;
}

/// All codes of one case, in turns.
class Race {
 public:
  Race(const BenchOptions& o, const Case& one, const BedState& state, const fs::path& work, BenchResult& result)
      : o_(o), case_(one), state_(state), work_(work), result_(result) {
    steps_ = steps_of(*one.bed, state.dump.grains.size());
    if (o.steps > 0) steps_ = {std::max(o.steps / 4, least_warm_up), o.steps};
    start_ = statistics_of(*one.bed, state.dump);
    std::vector<std::string> searches{"cells"};
    if (o.searches) {
      searches.clear();
      for (const SearchInfo& info : search_list())
        if (info.name != "brute") searches.emplace_back(info.name);  // the oracle of the tests, quadratic
    }
    for (const int threads : o.threads) {
      for (const std::string& search : searches) add("scree", threads, nullptr).search = search;
      if (!o.peers) continue;
      for (const Peer* peer : peers()) {
        if (!peer->knows(*one.bed, one.size, one.law)) continue;
        if (installed(peer->program())) add(peer->name(one.law), threads, peer);
        else note(result.notes, fmt::format("{} is not installed (Debian package {}): left out", peer->program(), peer->package()));
      }
    }
  }
  std::size_t runs() const { return lanes_.size() * static_cast<std::size_t>(o_.repeats); }

  void run(const std::function<void(const std::string&)>& begun) {
    for (int repeat = 0; repeat < o_.repeats; ++repeat)
      for (Lane& lane : lanes_) {
        begun(fmt::format("{} {} {} {}, {} core{}, {} of {}", case_.bed->name, case_.size, case_.law, lane.row.code,
                          lane.row.threads, lane.row.threads > 1 ? "s" : "", repeat + 1, o_.repeats));
        if (lane.row.failed.empty()) run_one(lane, repeat == 0);
      }
    for (Lane& lane : lanes_) close(lane);
    check_hashes();
    compare();
    agree();
    for (Lane& lane : lanes_) result_.rows.push_back(std::move(lane.row));
  }

 private:
  BenchRow& add(const std::string& code, int threads, const Peer* peer) {
    Lane lane;
    lane.peer = peer;
    lane.row.code = code;
    lane.row.bed = std::string(case_.bed->name);
    lane.row.law = case_.law;
    lane.row.grains = state_.dump.grains.size();
    lane.row.threads = threads;
    lane.row.skin = o_.skin > 0 ? o_.skin : case_.bed->skin;
    lanes_.push_back(std::move(lane));
    return lanes_.back().row;
  }
  void run_one(Lane& lane, bool look) {
    Timing t;
    std::optional<BedLooks> looks;
    if (look && o_.peers && lane.row.threads == o_.threads.front()) looks = looks_of(*case_.bed, state_.dump.grains.size(), steps_);
    else if (look && lane.peer == nullptr) looks = BedLooks{1, 0};  // at the end alone
    if (lane.peer == nullptr) {
      const BedOptions options{case_.law, lane.row.search, lane.row.skin};
      t = measure_scree(*case_.bed, state_.dump, options, steps_, lane.row.threads, looks);
    } else {
      try {
        t = lane.peer->run({*case_.bed, case_.size, case_.law, steps_, lane.row.threads, work_, looks});
      } catch (const RunError& error) {
        lane.row.failed = error.what();
        note(result_.notes, fmt::format("{} on {}: {}", lane.row.code, lane.row.bed, error.what()));
        return;
      }
    }
    if (t.statistics) lane.row.statistics = t.statistics;
    lane.timings.push_back(std::move(t));
  }
  /// Same scene, same program: the same bits, whatever the threads and the search.
  void check_hashes() {
    std::optional<std::uint64_t> first;
    for (const Lane& lane : lanes_)
      for (const std::uint64_t hash : lane.row.hashes) {
        if (lane.peer != nullptr) continue;
        if (!first) first = hash;
        if (hash != *first)
          note(result_.problems, fmt::format("{} {} {}: state_hash {:016x} on {} threads with {}, {:016x} before", lane.row.bed,
                                             lane.row.grains, lane.row.law, hash, lane.row.threads, lane.row.search, *first));
      }
  }
  void compare() {
    for (const Lane& peer : lanes_) {
      if (peer.peer == nullptr || peer.row.speeds.empty()) continue;
      for (const Lane& own : lanes_) {
        if (own.peer != nullptr || own.row.threads != peer.row.threads) continue;
        Comparison c{peer.row.code, peer.row.bed, peer.row.law, peer.row.grains, peer.row.threads, 0, 0, 0};
        c.ratio = median(own.row.speeds) / median(peer.row.speeds);
        std::vector<double> pairs;
        for (std::size_t k = 0; k < std::min(own.row.speeds.size(), peer.row.speeds.size()); ++k)
          pairs.push_back(own.row.speeds[k] / peer.row.speeds[k]);
        c.low = *std::min_element(pairs.begin(), pairs.end());
        c.high = *std::max_element(pairs.begin(), pairs.end());
        result_.comparisons.push_back(c);
      }
    }
  }
  void agree() {
    if (!o_.peers) return;
    const auto ask = [&](const std::string& quantity, auto&& value) {
      Agreement a{std::string(case_.bed->name), case_.law, quantity, state_.dump.grains.size(), {}, true};
      std::optional<double> ours;
      std::vector<double> referees;
      a.values.emplace_back("start", value(start_));
      for (const Lane& lane : lanes_) {
        if (!lane.row.statistics || lane.row.threads != o_.threads.front()) continue;
        const double x = value(*lane.row.statistics);
        a.values.emplace_back(lane.row.code, x);
        if (lane.peer == nullptr) ours = x;
        else if (lane.row.code != "yade") referees.push_back(x);
      }
      if (!ours || referees.empty()) return;
      const auto [least, most] = std::minmax_element(referees.begin(), referees.end());
      double nearest = INFINITY;
      for (const double x : referees) nearest = std::min(nearest, std::abs(*ours - x));
      a.agrees = nearest <= std::max(*most - *least, 0.01 * std::abs(*most));
      result_.agreements.push_back(std::move(a));
    };
    ask("coordination", [](const BedStatistics& s) { return s.coordination; });
    ask("kinetic energy (J)", [](const BedStatistics& s) { return s.kinetic; });
    if (case_.bed->name != "W4") ask("height (m)", [](const BedStatistics& s) { return s.height; });
    if (case_.bed->name == "W3") ask("run-out (m)", [](const BedStatistics& s) { return s.runout; });
  }

  const BenchOptions& o_;
  Case case_;
  const BedState& state_;
  const fs::path& work_;
  BenchResult& result_;
  BedSteps steps_{};
  BedStatistics start_;
  std::vector<Lane> lanes_;
};

}  // namespace

double BenchRow::speed() const { return median(speeds); }
double BenchRow::lowest() const { return speeds.empty() ? 0 : *std::min_element(speeds.begin(), speeds.end()); }
double BenchRow::highest() const { return speeds.empty() ? 0 : *std::max_element(speeds.begin(), speeds.end()); }

BenchResult run_bench(const BenchOptions& given, const Progress& progress) {
  BenchOptions o = given;
  if (o.repeats <= 0) o.repeats = o.peers ? 5 : 3;
  const int all = omp_get_max_threads();
  if (o.threads.empty()) o.threads = o.searches || all == 1 ? std::vector<int>{1} : std::vector<int>{1, all};
  const std::vector<Case> cases = cases_of(o);

  BenchResult result;
  result.machine = machine_name();
  std::optional<WorkFolder> work;
  if (o.peers) work.emplace();
  const fs::path nowhere;
  BedState state;
  const Case* before = nullptr;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& one = cases[k];
    const double done = static_cast<double>(k), count = static_cast<double>(cases.size());
    if (before == nullptr || before->bed != one.bed || before->size != one.size) {
      omp_set_num_threads(all);
      StateSource source{o.states, [&](double part, const std::string& what) { progress((done + 0.5 * part) / count, what); }};
      state = bed_state(*one.bed, one.size, source);
      result.states.push_back(fmt::format("{} {}: {}", one.bed->name, one.size, state.origin));
      if (!o.export_to.empty()) export_state(o.export_to, *one.bed, one.size, state.dump);
      if (work) export_state(work->path(), *one.bed, one.size, state.dump);
    }
    before = &one;
    Race race(o, one, state, work ? work->path() : nowhere, result);
    double ran = 0;
    race.run([&](const std::string& what) { progress((done + ran++ / static_cast<double>(race.runs())) / count, what); });
  }
  omp_set_num_threads(all);
  return result;
}

}  // namespace scree
