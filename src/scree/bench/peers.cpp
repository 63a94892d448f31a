// SPDX-License-Identifier: BSD-3-Clause
#include "scree/bench/peers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scree/bench/states.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr int patience = 1800;  // s: a peer that takes longer is stopped

/// The inputs: ../share/scree/peers from where the program lies, installed or not.
fs::path inputs(const std::string& code) {
  std::error_code trouble;
  const fs::path program = fs::read_symlink("/proc/self/exe", trouble);
  const fs::path folder = program.parent_path().parent_path() / "share" / "scree" / "peers" / code;
  if (trouble || !fs::is_directory(folder, trouble))
    throw RunError(fmt::format("no inputs for it: expected them in share/scree/peers/{} beside the program's folder", code));
  return fs::canonical(folder);
}

std::string last_line(const std::string& output) {
  std::istringstream in(output);
  std::string line, last;
  while (std::getline(in, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

/// The number behind `title`, from the last place where it stands.
std::optional<double> number_after(const std::string& text, const std::string& title) {
  const auto at = text.rfind(title);
  if (at == std::string::npos) return {};
  return std::strtod(text.c_str() + at + title.size(), nullptr);
}

std::string file_name(const BedInfo& bed) {
  std::string name(bed.name);
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

/// Of what a code has left: its state at the end of the timed loop, and those of the looks after it. The files go.
BedStatistics statistics_of_files(const PeerTask& task, const fs::path& end) {
  RunStatistics statistics(task.bed, read_lammps_dump(end));
  const fs::path looks = end.string() + ".looks";
  for_each_lammps_frame(looks, [&](const LammpsDump& frame) {
    if (frame.step > task.steps.warm + task.steps.timed) statistics.look(frame);
  });
  std::error_code ignored;
  fs::remove(end, ignored);
  fs::remove(looks, ignored);
  return statistics.result();
}

/// LAMMPS, and LIGGGHTS, which grew out of an early one: the same command line and the same words about time.
class LammpsKin : public Peer {
 public:
  Timing run(const PeerTask& task) const override {
    const std::string name = state_name(task.bed, task.size);
    const fs::path data = task.folder / (name + (thin() && task.bed.dim == 2 ? "_thin.data" : ".data"));
    const fs::path out = task.folder / fmt::format("{}-{}.dump", program(), name);
    std::vector<std::string> command{"timeout", "-k", "5", std::to_string(patience)};
    if (task.threads > 1)
      command.insert(command.end(), {"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "core", "-np", std::to_string(task.threads)});
    command.insert(command.end(), {program(), "-in", "in." + file_name(task.bed), "-log", "none"});
    const auto set = [&](const std::string& key, const std::string& value) { command.insert(command.end(), {"-var", key, value}); };
    set("data", data.string());
    set("model", task.law);
    set("skin", fmt::format("{:g}", skin(task.bed)));
    set("warm", std::to_string(task.steps.warm));
    set("steps", std::to_string(task.steps.timed));
    set("save", task.looks ? "1" : "0");
    set("out", out.string());
    if (task.looks) {
      set("every", std::to_string(task.looks->every));
      set("more", std::to_string(task.looks->steps()));
    }
    const ProcessResult said = run_process(command, inputs(folder()), {"OMP_NUM_THREADS=1"});
    // the first loop is the warm-up, the second one the timed one; others may follow
    const auto warm_up = said.output.find("Loop time of");
    const auto line = warm_up == std::string::npos ? warm_up : said.output.find("Loop time of", warm_up + 1);
    const auto at = line == std::string::npos ? line : said.output.find(fmt::format("for {} steps", task.steps.timed), line);
    if (said.exit_code != 0 || at == std::string::npos)
      throw RunError(fmt::format("ended with {}: {}", said.exit_code, last_line(said.output)));
    Timing t;
    t.seconds = *number_after(said.output.substr(line, at - line), "Loop time of");
    t.steps = task.steps.timed;
    const std::string tail = said.output.substr(at, said.output.find("Dangerous builds", at) - at);
    t.grains = static_cast<std::size_t>(number_after(tail, "steps with").value_or(0));
    if (const auto builds = number_after(tail, "Neighbor list builds =")) t.rebuilds = static_cast<std::int64_t>(*builds);
    if (task.threads == 1) t.bytes = said.peak_bytes / static_cast<double>(t.grains);
    if (task.looks) t.statistics = statistics_of_files(task, out);
    return t;
  }

 protected:
  virtual std::string folder() const = 0;
  virtual double skin(const BedInfo& bed) const = 0;
  virtual bool thin() const { return false; }
};

class Lammps final : public LammpsKin {
 public:
  std::string name(const std::string& law) const override {
    return law == "hmt" ? "lammps-granular" : law == "kk" ? "lammps-hertz-history" : "lammps-hooke-history";
  }
  std::string program() const override { return "lmp"; }
  std::string package() const override { return "lammps"; }
  bool knows(const BedInfo& bed, std::size_t, const std::string&) const override { return bed.name != "P1"; }

 protected:
  std::string folder() const override { return "lammps"; }
  /// Tuned on each bed, in metres.
  double skin(const BedInfo& bed) const override {
    return bed.name == "W1" ? 0.1e-3 : bed.name == "W2" ? 0.6e-3 : bed.name == "W3" ? 0.7e-3 : 1.0e-3;
  }
};

class Liggghts final : public LammpsKin {
 public:
  std::string name(const std::string&) const override { return "liggghts"; }
  std::string program() const override { return "liggghts"; }
  std::string package() const override { return "liggghts"; }
  bool knows(const BedInfo& bed, std::size_t, const std::string& law) const override {
    return bed.name != "P1" && bed.name != "W4" && law != "kk";
  }

 protected:
  std::string folder() const override { return "liggghts"; }
  double skin(const BedInfo& bed) const override { return bed.name == "W1" ? 0.1e-3 : bed.name == "W2" ? 0.6e-3 : 0.8e-3; }
  // in "dimension 2" it gives a grain the mass of a disc
  bool thin() const override { return true; }
};

class Yade final : public Peer {
 public:
  std::string name(const std::string&) const override { return "yade"; }
  std::string program() const override { return "yade"; }
  std::string package() const override { return "yade"; }
  bool knows(const BedInfo& bed, std::size_t size, const std::string& law) const override {
    if (size > 100000) return false;  // building a million bodies in Python takes longer than the race
    return (bed.name == "W2" && law == "lin") || ((bed.name == "W1" || bed.name == "W3") && law == "hmt");
  }
  Timing run(const PeerTask& task) const override {
    const std::string name = state_name(task.bed, task.size);
    const fs::path out = task.folder / fmt::format("yade-{}.dump", name);
    const double verlet = task.bed.name == "W1" ? -0.05 : task.bed.name == "W2" ? -0.2 : -0.3;  // tuned; of the least radius
    std::vector<std::string> environment{"W=" + file_name(task.bed), "STATE=" + (task.folder / (name + ".dump")).string(),
                                         fmt::format("STEPS={}", task.steps.timed), fmt::format("WARM={}", task.steps.warm),
                                         fmt::format("VERLET={}", verlet), fmt::format("OMP_NUM_THREADS={}", task.threads),
                                         "OUT=" + (task.looks ? out.string() : std::string()),
                                         fmt::format("EVERY={}", task.looks ? task.looks->every : 1),
                                         fmt::format("LOOKS={}", task.looks ? task.looks->count : 0)};
    const ProcessResult said = run_process({"timeout", "-k", "5", std::to_string(patience), "yade", "-n", "-x", "-j", std::to_string(task.threads), "bench.py"},
                                           inputs("yade"), environment);
    const std::string title = "RESULT ";
    const auto at = said.output.rfind(title);
    if (at == std::string::npos) throw RunError(fmt::format("ended with {}: {}", said.exit_code, last_line(said.output)));
    const auto from = at + title.size();
    const auto j = nlohmann::json::parse(said.output.substr(from, said.output.find('\n', from) - from), nullptr, false);
    if (j.is_discarded()) throw RunError("its result cannot be read");
    Timing t;
    t.seconds = j.value("wall", 0.0);
    t.grains = j.value("n", std::size_t{0});
    t.steps = task.steps.timed;
    t.rebuilds = j.value("rebuilds", std::int64_t{0});
    t.bytes = 1024 * j.value("hwm_kb", 0.0) / static_cast<double>(t.grains);
    if (task.looks) t.statistics = statistics_of_files(task, out);
    return t;
  }
};

}  // namespace

const std::vector<const Peer*>& peers() {
  static const Lammps lammps;
  static const Liggghts liggghts;
  static const Yade yade;
  static const std::vector<const Peer*> list{&lammps, &liggghts, &yade};
  return list;
}

bool installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::string folder;
  while (std::getline(folders, folder, ':'))
    if (!folder.empty() && access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

ProcessResult run_process(const std::vector<std::string>& command, const fs::path& folder, const std::vector<std::string>& environment) {
  std::vector<char*> arguments, variables;
  for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  for (const std::string& one : environment) variables.push_back(const_cast<char*>(one.c_str()));
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view inherited(*one);
    const std::string_view key = inherited.substr(0, inherited.find('=') + 1);
    bool replaced = false;
    for (const std::string& own : environment) replaced = replaced || std::string_view(own).starts_with(key);
    if (!replaced) variables.push_back(*one);
  }
  variables.push_back(nullptr);

  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw RunError(fmt::format("no pipe: {}", std::strerror(errno)));
  const pid_t child = fork();
  if (child < 0) throw RunError(fmt::format("cannot start {}: {}", command.front(), std::strerror(errno)));
  if (child == 0) {  // from here to exec only what is safe in a child of a program with threads
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(pipe_ends[1], STDOUT_FILENO);
    dup2(pipe_ends[1], STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execvpe(arguments[0], arguments.data(), variables.data());
    _exit(127);
  }
  ::close(pipe_ends[1]);
  ProcessResult result;
  std::array<char, 65536> room{};
  for (;;) {
    const ssize_t got = read(pipe_ends[0], room.data(), room.size());
    if (got > 0) result.output.append(room.data(), static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR) break;
  }
  ::close(pipe_ends[0]);
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.peak_bytes = 1024.0 * static_cast<double>(used.ru_maxrss);
  return result;
}

}  // namespace scree
