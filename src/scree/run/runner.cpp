// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/runner.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/field_output.hpp"
#include "scree/io/atomic_file.hpp"
#include "scree/io/csv.hpp"
#include "scree/io/group_forces.hpp"
#include "scree/io/picture.hpp"
#include "scree/io/run_file.hpp"
#include "scree/run/cache.hpp"
#include "scree/run/describe.hpp"
#include "scree/run/phases.hpp"
#include "scree/run/progress.hpp"
#include "scree/run/schedule.hpp"
#include "scree/run/simulation.hpp"
#include "scree/run/start.hpp"
#include "scree/run/step_advice.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

/// Lets SIGINT and SIGTERM end the run after the step in hand; restores the old handlers.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction old_int_ {}, old_term_ {};
};

/// DIR/log.txt, appended. A log that cannot be written is no reason to stop.
class Log {
 public:
  Log(const fs::path& dir, bool append)
      : file_(dir / "log.txt", append ? std::ios::app : std::ios::trunc), start_(Clock::now()) {}
  template <class... A>
  void line(fmt::format_string<A...> text, A&&... args) {
    const double s = std::chrono::duration<double>(Clock::now() - start_).count();
    file_ << fmt::format("{:9.2f} s  ", s) << fmt::format(text, std::forward<A>(args)...) << std::endl;
  }

 private:
  std::ofstream file_;
  Clock::time_point start_;
};

struct Interrupted {};

/// A physical fault, with the place in the run added.
struct Fault : RunError {
  using RunError::RunError;
};

double wall_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <int D, class T>
class Runner {
 public:
  Runner(Scene<D, T>& scene, const RunOptions& options, nlohmann::json& summary)
      : scene_(scene), options_(options), summary_(summary), dir_(output_folder(scene.file, options.out)) {}

  RunReport run();

 private:
  void refuse_to_overwrite() const;
  void prepare();
  void prepare(Simulation<D, T>& sim, const Phase& phase, std::int64_t steps);
  void advance(Simulation<D, T>& sim, std::int64_t end, const Phase* preparing);
  std::string preparing_text(double t) const;
  void checkpoint(Simulation<D, T>& sim);
  void check_fault(Simulation<D, T>& sim);
  void keep(Simulation<D, T>& sim);
  RunInfo info(const Simulation<D, T>& sim) const;
  void summarise(Simulation<D, T>& sim, double wall);
  void report_gates(Simulation<D, T>& sim);
  void begin_fields(const RunInfo& info, const Frame& first);
  bool fields_due(std::int64_t step, double dt) const;
  void add_fields(Simulation<D, T>& sim, const Frame* snapshot);
  void write_live_fields(RunReport& report);
  std::int64_t last_step(double dt) const;

  Scene<D, T>& scene_;
  const RunOptions& options_;
  nlohmann::json& summary_;
  fs::path dir_;
  std::optional<Log> log_;
  std::optional<RunWriter> writer_;
  std::optional<LoadedCheckpoint> loaded_;
  std::optional<Checkpoint> good_;  // the last state that was seen to be sound
  std::string phase_ = "run";
  std::size_t phase_index_ = 0;  // of the preparation
  std::optional<RestWatch> rest_;
  std::optional<Frame> start_;  // of another run
  std::vector<fields::LiveFields> fields_;
  Clock::time_point last_checkpoint_ = Clock::now();
};

template <int D, class T>
void Runner<D, T>::refuse_to_overwrite() const {
  if (options_.force) return;
  if (fs::exists(dir_) && !fs::is_directory(dir_))
    throw InputError(fmt::format("{} is not a folder", dir_.string()));
  if (options_.resume) return;
  if (fs::exists(dir_ / "summary.json"))
    throw InputError(fmt::format("{} holds a finished run; use --force to replace it, --out for another folder, "
                                 "or --resume with a longer --time to go on", dir_.string()));
  if (has_checkpoint(dir_))
    throw InputError(fmt::format("{} holds an unfinished run; use --resume to go on with it or --force to start "
                                 "again", dir_.string()));
}

template <int D, class T>
RunInfo Runner<D, T>::info(const Simulation<D, T>& sim) const {
  RunInfo r;
  r.name = scene_.name;
  r.scene = scene_.text;
  r.version = SCREE_VERSION;
  r.real = scene_.real;
  r.seed = static_cast<std::int64_t>(scene_.seed);
  r.dim = D;
  const Domain<D>& domain = scene_.world.domain;
  for (int k = 0; k < D; ++k) {
    const bool periodic = domain.periodic[static_cast<std::size_t>(k)];
    r.period.push_back(periodic ? domain.hi[k] - domain.lo[k] : 0.0);
    r.gravity.push_back(domain.gravity[k]);
    if (domain.bounded || periodic) {
      r.lo.push_back(domain.lo[k]);
      r.hi.push_back(domain.hi[k]);
    }
  }
  if (r.lo.size() != static_cast<std::size_t>(D)) r.lo.clear(), r.hi.clear();
  for (const Material& m : scene_.world.materials) r.materials.push_back(m.name);
  for (const Group<D>& g : scene_.world.groups) r.groups.push_back(g.name);
  r.signals = sim.signal_names();
  r.walls = walls_json(scene_.world.walls);
  for (const GrainShape& shape : scene_.world.shapes) r.shapes.push_back(shape.corners);
  r.extra["integrator"] = scene_.run.integrator;
  r.numbers["dt"] = scene_.run.dt;
  // What else acts on grains, for the balance of momentum of their fields.
  if (domain.shear.rate != 0) {
    r.numbers["shear_rate"] = domain.shear.rate;
    r.numbers["shear_from"] = domain.shear.from;
  }
  if (domain.damping != 0) r.numbers["damping"] = domain.damping;
  if (domain.gravity_rate != 0) r.numbers["gravity_rate"] = domain.gravity_rate;
  r.forces = forces_json(scene_.world.groups);
  if (!r.forces.empty()) {
    const Grains<D, T>& g = scene_.world.grains;
    for (const std::uint32_t i : order_by_id(g.id)) {
      if (g.held[i] || scene_.world.groups[g.group[i]].attachment == 0) continue;
      r.home_id.push_back(static_cast<std::int64_t>(g.id[i]));
      for (int k = 0; k < D; ++k) r.home.push_back(static_cast<double>(g.home[i][k]));
    }
  }
  return r;
}

template <int D, class T>
void Runner<D, T>::keep(Simulation<D, T>& sim) {
  good_ = sim.save();
  good_->values["phase"] = phase_;
  good_->values["phase_index"] = static_cast<std::int64_t>(phase_index_);
  good_->values["last_unrest"] = rest_ ? rest_->last_unrest : 0.0;
  good_->values["scene"] = scene_.text;
  for (std::size_t k = 0; k < fields_.size(); ++k)
    for (auto& [name, values] : fields_[k].save()) good_->arrays[fmt::format("fields.{}.{}", k, name)] = values;
}

template <int D, class T>
void Runner<D, T>::checkpoint(Simulation<D, T>& sim) {
  if (writer_) writer_->sync();
  keep(sim);
  write_checkpoint(dir_, *good_);
  last_checkpoint_ = Clock::now();
  log_->line("checkpoint at step {}", sim.steps());
}

template <int D, class T>
void Runner<D, T>::check_fault(Simulation<D, T>& sim) {
  const auto fault = sim.engine().fault();
  if (!fault) return;
  const double t = static_cast<double>(sim.time());
  throw Fault(fmt::format("{}, at step {}, t = {:.9g} s{}", fault->what, sim.steps(), t,
                          phase_ == "prepare" ? " (" + preparing_text(t) + ")" : ""));
}

/// "while settling", or the phase and how far shrinking rings have come in it.
template <int D, class T>
std::string Runner<D, T>::preparing_text(double t) const {
  const Phase& phase = scene_.prepare.phases[phase_index_];
  std::string text = phase.name.empty() ? "while settling" : fmt::format("in the phase \"{}\"", phase.name);
  for (const Wall<D>& wall : scene_.world.walls) {
    if (wall.kind != WallKind::ring || t < wall.from || t >= wall.until) continue;
    const auto carried = carry<D, double>(wall.motion, wall.point, t);
    if (carried.shrink_rate == 0) continue;
    const auto at_end = carry<D, double>(wall.motion, wall.point, phase.end);
    text += fmt::format(", with the ring \"{}\" at a radius of {:.6g} m on its way to {:.6g} m", wall.name,
                        wall.radius - carried.shrunk, wall.radius - at_end.shrunk);
  }
  return text;
}

/// The fields of the scene, from the run's first frame; of a resumed run they go on from the checkpoint.
template <int D, class T>
void Runner<D, T>::begin_fields(const RunInfo& info, const Frame& first) {
  for (const fields::LiveSettings& one : scene_.fields) {
    fields_.emplace_back(one, info, first);
    const std::string prefix = fmt::format("fields.{}.", fields_.size() - 1);
    if (!loaded_) continue;
    std::map<std::string, std::vector<double>> state;
    for (const auto& [name, values] : loaded_->checkpoint.arrays)
      if (name.starts_with(prefix)) state[name.substr(prefix.size())] = std::get<std::vector<double>>(values);
    fields_.back().load(state);
  }
}

/// Do some fields with a schedule of their own want this step?
template <int D, class T>
bool Runner<D, T>::fields_due(std::int64_t step, double dt) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const fields::LiveFields& one) {
    const fields::LiveSettings& s = one.settings();
    return (s.every > 0 || s.steps > 0) && Schedule{s.every, s.steps, dt}.due(step);
  });
}

/// Adds the present state to the fields that want it; `snapshot` is its frame, if one was taken.
template <int D, class T>
void Runner<D, T>::add_fields(Simulation<D, T>& sim, const Frame* snapshot) {
  std::optional<Frame> taken;
  for (fields::LiveFields& one : fields_) {
    const fields::LiveSettings& s = one.settings();
    const bool own = s.every > 0 || s.steps > 0;
    if (!one.wants(static_cast<double>(sim.time())) || (own ? !Schedule{s.every, s.steps, sim.dt()}.due(sim.steps()) : !snapshot)) continue;
    if (snapshot && snapshot->has_contacts) {
      one.add(*snapshot);
      continue;
    }
    if (!taken) taken = sim.frame(true);
    one.add(*taken);
  }
}

template <int D, class T>
void Runner<D, T>::write_live_fields(RunReport& report) {
  for (const fields::LiveFields& one : fields_) {
    const fields::RunFields f = one.result((dir_ / "run.h5").string());
    if (f.tables.empty()) {
      scene_.warnings.push_back(fmt::format("no frame fell into the time of the fields \"{}\"", one.settings().name));
      continue;
    }
    for (const std::string& note : f.notes)
      if (note.starts_with("warning: ")) scene_.warnings.push_back(one.settings().name + ": " + note.substr(9));
    const fields::FieldOutput made = fields::write_output(dir_ / one.settings().name, f, one.settings().formats, scene_.output.pictures && options_.pictures,
                                                          one.plateau() ? &*one.plateau() : nullptr);
    for (const auto& file : made.files)
      if (const auto e = file.extension(); e != ".svg" && e != ".gp" && e != ".dat") report.files.push_back(file);
    scene_.warnings.insert(scene_.warnings.end(), made.warnings.begin(), made.warnings.end());
  }
}

/// Moves to step `end`, or, in a phase of the preparation, until the grains rest.
template <int D, class T>
void Runner<D, T>::advance(Simulation<D, T>& sim, std::int64_t end, const Phase* preparing) {
  const Schedule snapshots{scene_.output.snapshot_every, scene_.output.snapshot_steps, sim.dt()};
  const double span = static_cast<double>(end) * sim.dt();
  const Schedule energies{scene_.output.energy_every > 0 ? scene_.output.energy_every : span / 500, 0, sim.dt()};
  const std::string label = !preparing ? scene_.name : preparing->name.empty() ? "settling" : preparing->name;
  Progress progress(label, end, sim.steps(), options_.progress);
  // A sound state is kept every so often, to be saved if the next one is not.
  const std::int64_t keep_every = 5000;
  const auto rest_is_due = [&](std::int64_t n) { return preparing && rest_->asked() && n % RestWatch::every == 0; };
  const auto looked_at = [&](std::int64_t n) {
    return n == end || rest_is_due(n) || n % keep_every == 0 ||
           (!preparing && (snapshots.due(n) || energies.due(n) || fields_due(n, sim.dt())));
  };
  const auto show = [&] { progress.at(sim.steps(), static_cast<double>(sim.time()), scene_.world.grains.size(), [&] { return sim.kinetic(); }); };
  std::int64_t next_look = sim.steps();
  while (sim.steps() < end) {
    // Steps that nobody looks at may run into each other (Simulation::advance).
    const std::int64_t step = sim.steps() + 1;
    if (next_look < step)
      for (next_look = step; !looked_at(next_look);) ++next_look;
    const bool rest_due = rest_is_due(step);
    const bool checkpoint_due = wall_since(last_checkpoint_) >= scene_.output.checkpoint_every;
    const bool stop = interrupted;
    const bool watched = step == next_look || stop || checkpoint_due;
    try {
      if (watched) sim.step();
      else sim.advance(next_look - step);
    } catch (const StepError& error) {
      throw Fault(fmt::format("step {}: {}", step, error.what()));
    }
    check_fault(sim);
    if (!watched) {
      show();
      continue;
    }
    if (!preparing) {
      const bool shown = step == end || snapshots.due(step);
      if (shown) {
        const Frame frame = sim.frame(scene_.output.contacts);
        check_fault(sim);
        writer_->append(frame, sim.signals());
        add_fields(sim, &frame);
      } else {
        add_fields(sim, nullptr);
      }
      if (!shown && energies.due(step)) {
        writer_->record(energy_row(step, static_cast<double>(sim.time()), sim.energies()), sim.signals());
      }
    }
    show();
    // Before a checkpoint of this step, which is not looked at again after resuming.
    if (rest_due && rest_->long_enough(static_cast<double>(sim.time()), sim.engine().unrest()))
      break;
    if (stop) {
      checkpoint(sim);
      throw Interrupted{};
    }
    if (checkpoint_due) {
      checkpoint(sim);
    } else if (step % keep_every == 0) {
      keep(sim);
    }
  }
}

/// One phase: until its time is over, or the grains rest.
template <int D, class T>
void Runner<D, T>::prepare(Simulation<D, T>& sim, const Phase& phase, std::int64_t steps) {
  const std::string name = phase.name.empty() ? "" : phase.name + ": ";
  keep(sim);
  advance(sim, steps, &phase);
  const double unrest = sim.engine().unrest(), spent = static_cast<double>(sim.steps()) * sim.dt();
  log_->line("{}settled for {:.4g} s of {:.4g}; largest kinetic energy {:.3g} m g r, largest overlap {:.3g} radii", name,
             spent, phase.time, unrest, sim.engine().largest_overlap);
  if (!rest_->asked() || rest_->at_rest(unrest)) return;
  const std::string text = fmt::format("{}after settling for {:.4g} s some grain still has a kinetic energy of "
                                       "{:.3g} m g r (wanted: {:.3g})", name, phase.time, unrest, phase.rest);
  if (phase.must_rest) throw RunError(text);
  scene_.warnings.push_back(text);
  log_->line("warning: {}", text);
}

/// Takes the scene through its phases at t < 0, or takes the state at their end from the cache.
template <int D, class T>
void Runner<D, T>::prepare() {
  phase_ = "prepare";
  const bool going_on = loaded_ && loaded_->checkpoint.text("phase") == "prepare";
  const StartCache cache(scene_.start_hash);
  std::optional<Checkpoint> state;
  if (!going_on) state = cache.find();
  if (state) {
    log_->line("settled state taken from the cache");
    if (options_.progress) fmt::print(stderr, "the settled start is in the cache\n");
  } else {
    const double damping = scene_.world.domain.damping, fall = fall_time(scene_.world);
    const auto& phases = scene_.prepare.phases;
    const std::size_t first = going_on ? static_cast<std::size_t>(loaded_->checkpoint.integer("phase_index")) : 0;
    if (first >= phases.size()) throw RunError("the checkpoint is of a phase that the scene does not have");
    for (phase_index_ = first; phase_index_ < phases.size(); ++phase_index_) {
      const Phase& phase = phases[phase_index_];
      const PhaseClock clock = clock_of(phase, scene_.run.dt);
      scene_.world.domain.damping = damping + phase.damping;
      Simulation<D, T> sim(scene_, clock.dt, T(clock.t0));
      if (going_on && phase_index_ == first) {
        sim.load(loaded_->checkpoint);
        rest_.emplace(fall, phase.rest, loaded_->checkpoint.real("last_unrest"));
      } else {
        if (state) {
          restart(*state, clock.t0, clock.dt);
          sim.load(*state);
        }
        sim.start();
        rest_.emplace(fall, phase.rest, clock.t0);
      }
      prepare(sim, phase, clock.steps);
      state = sim.save();
    }
    scene_.world.domain.damping = damping;
    cache.keep(*state);
  }
  loaded_.reset();
  rest_.reset();
  phase_index_ = 0;
  // The run begins at t = 0 with the rested state: its clock, ledger and integrator start afresh.
  restart(*state, 0.0, scene_.run.dt);
  good_ = std::move(state);
  phase_ = "run";
}

template <int D, class T>
std::int64_t Runner<D, T>::last_step(double dt) const {
  if (options_.steps) return *options_.steps;
  const double time = options_.time.value_or(scene_.run.time);
  return static_cast<std::int64_t>(std::ceil(time / dt * (1 - 1e-12)));
}

template <int D, class T>
RunReport Runner<D, T>::run() {
  refuse_to_overwrite();
  if (!scene_.start.run.empty() && !(options_.resume && has_checkpoint(dir_))) start_ = start_frame(scene_);
  RunReport report;
  const InterruptGuard guard;
  write_errors_not_signals();
  summary_["scene"] = scene_.name;
  summary_["out"] = dir_.string();
  try {
    make_folder(dir_);
    if (options_.resume) {
      loaded_ = read_checkpoint(dir_);
      if (loaded_ && loaded_->checkpoint.has("scene") && loaded_->checkpoint.text("scene") != scene_.text)
        throw InputError(fmt::format("{} is of another scene (or the scene file has changed since); use --force to "
                                     "start again", loaded_->path.string()));
    } else {
      // An old summary would call the new run finished, and an old checkpoint would be resumed.
      for (const char* name : {"summary.json", "checkpoint.h5", "checkpoint.1.h5"}) fs::remove(dir_ / name);
    }
    log_.emplace(dir_, options_.resume);
    log_->line("scree {}: {}, {} grains, dt = {:.6g} s, {} threads", SCREE_VERSION, scene_.name,
               scene_.world.grains.size(), scene_.run.dt, omp_get_max_threads());
    if (options_.resume && !loaded_) {
      log_->line("no checkpoint yet: starting from the beginning");
      if (options_.progress) fmt::print(stderr, "no checkpoint in {} yet: starting from the beginning\n", dir_.string());
    }
    if (loaded_ && !loaded_->note.empty()) log_->line("{}", loaded_->note);

    const auto wall_start = Clock::now();
    const bool running = loaded_ && loaded_->checkpoint.text("phase") == "run";
    std::optional<Checkpoint> rested;
    if (scene_.prepare.wanted && scene_.start.run.empty() && !running) {
      prepare();
      rested = std::move(good_);
      good_.reset();
    }
    const double t0 = running ? loaded_->checkpoint.real("t0") : start_ ? start_->time : 0.0;
    Simulation<D, T> sim(scene_, scene_.run.dt, T(t0));
    const std::int64_t end = last_step(sim.dt());
    if (running) {
      sim.load(loaded_->checkpoint);
      writer_ = RunWriter::resume(dir_, sim.steps(), info(sim));
      log_->line("resumed at step {}", sim.steps());
      if (!scene_.fields.empty()) begin_fields(info(sim), RunReader(dir_ / "run.h5").frame(0));
      if (options_.progress)
        fmt::print(stderr, "resuming at step {}, t = {:.6g} s\n", sim.steps(), static_cast<double>(sim.time()));
    } else {
      if (start_) {
        rested = sim.save();
        start_from(*rested, *start_, sim.dt());
        log_->line("starts from {} at t = {:.9g} s", scene_.start.run, start_->time);
        start_.reset();
      }
      if (rested) sim.load(*rested);
      rested.reset();
      sim.start();
      writer_ = RunWriter::create(dir_, info(sim));
      const Frame first = sim.frame(scene_.output.contacts);
      begin_fields(info(sim), first);
      check_fault(sim);
      writer_->append(first, sim.signals());
      add_fields(sim, &first);
      keep(sim);  // the fields of the first frame with it
    }
    loaded_.reset();
    const auto run_start = Clock::now();
    advance(sim, end, nullptr);
    const double wall = wall_since(run_start);
    checkpoint(sim);
    writer_->finish();
    report.files.push_back(dir_ / "run.h5");
    write_live_fields(report);
    summarise(sim, wall);
    write_file(dir_ / "summary.json", summary_.dump(2) + "\n");
    log_->line("finished: {} steps, {:.2f} s ({:.2f} s in all), state_hash {}", sim.steps(), wall,
               wall_since(wall_start), summary_["state_hash"].template get<std::string>());
    if (scene_.output.pictures && options_.pictures) {
      const RunReader reader(dir_ / "run.h5");
      for (const Picture& picture : {draw_states(reader, dir_ / "states"), draw_energies(reader, dir_ / "energies")}) {
        for (const auto& file : picture.files)
          if (file.extension() == ".png") report.files.push_back(file);
        if (!picture.warning.empty()) scene_.warnings.push_back(picture.warning);
      }
    }
    if (scene_.output.vtk) {
      const RunReader reader(dir_ / "run.h5");
      const auto made = export_run(reader, ExportKind::vtk, dir_);
      report.files.push_back(made.front());
    }
  } catch (const Interrupted&) {
    report.exit_code = 130;
    report.message = fmt::format("interrupted; a checkpoint is in {}, go on with --resume", dir_.string());
    log_->line("interrupted");
  } catch (const Fault& fault) {
    report.exit_code = 1;
    report.message = fault.what();
    if (log_) log_->line("failed: {}", fault.what());
    if (good_) {
      try {
        write_checkpoint(dir_, *good_);
        report.message += fmt::format("; the last good state (step {}) is in {}", good_->integer("steps"),
                                      (dir_ / "checkpoint.h5").string());
      } catch (const std::exception& error) {
        report.message += fmt::format("; the last good state could not be saved: {}", error.what());
      }
    }
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    report.exit_code = 1;
    report.message = error.what();
    if (log_) log_->line("failed: {}", error.what());
  }
  return report;
}

/// What came in and went out, and where servos are. An inlet that found no room says how far it got.
template <int D, class T>
void Runner<D, T>::report_gates(Simulation<D, T>& sim) {
  const World<D, T>& w = scene_.world;
  const double t = static_cast<double>(sim.time());
  for (std::size_t k = 0; k < w.inlets.size(); ++k) {
    const std::int64_t due = w.inlets[k].due(t);
    summary_["inserted"].push_back({{"name", w.inlets[k].name}, {"count", w.let_in[k].count}, {"due", due},
                                    {"mass", static_cast<double>(w.let_in[k].mass)}});
    if (w.let_in[k].count < due)
      scene_.warnings.push_back(fmt::format("\"{}\" has let in only {} of the {} grains that were due by t = {:.4g} s: "
                                            "there was no room for more in its box (a smaller rate, a larger box or a "
                                            "velocity out of it may help)", w.inlets[k].name, w.let_in[k].count, due, t));
  }
  for (std::size_t k = 0; k < w.outlets.size(); ++k)
    summary_["removed"].push_back({{"name", w.outlets[k].name}, {"count", w.let_out[k].count},
                                   {"mass", static_cast<double>(w.let_out[k].mass)}});
  for (std::size_t k = 0; k < w.servoed.size(); ++k) {
    const bool wall = k < w.walls.size();
    const Servo<D>& servo = wall ? w.walls[k].servo : w.groups[k - w.walls.size()].servo;
    if (!servo.on) continue;
    summary_["servos"].push_back({{"name", wall ? w.walls[k].name : w.groups[k - w.walls.size()].name}, {"imposed", servo.force},
                                  {"displacement", static_cast<double>(w.servoed[k].s)},
                                  {"speed", static_cast<double>(w.servoed[k].u)},
                                  {"force", static_cast<double>(w.servoed[k].pushed_back)}});
  }
}

template <int D, class T>
void Runner<D, T>::summarise(Simulation<D, T>& sim, double wall) {
  const Energies e = sim.energies();
  const std::size_t grains = scene_.world.grains.size();
  const std::size_t contacts = sim.engine().contacts();
  nlohmann::json& j = summary_;
  j["grains"] = grains;
  j["walls"] = scene_.world.walls.size();
  j["dim"] = D;
  j["real"] = scene_.real;
  j["law"] = describe(scene_.table, scene_.world.materials);
  j["integrator"] = scene_.run.integrator;
  j["neighbours"] = scene_.run.neighbours;
  j["dt"] = sim.dt();
  j["steps"] = sim.steps();
  j["time"] = static_cast<double>(sim.time());
  j["contacts"] = contacts;
  j["coordination"] = sim.engine().coordination();
  if (scene_.run.sleep.on()) j["asleep"] = sim.engine().sleepers();
  j["max_overlap"] = sim.engine().largest_overlap;
  j["energy"] = {{"kinetic", e.kinetic},       {"rotational", e.rotational}, {"potential", e.potential},
                 {"elastic", e.elastic},       {"dissipated", e.dissipated()}, {"work", e.work},
                 {"balance_error", e.balance_error()},
                 {"dissipated_by", {{"normal", e.normal}, {"tangential", e.tangential}, {"rolling", e.rolling}, {"drag", e.drag}}},
                 {"initial", e.initial}};
  j["wall_s"] = wall;
  j["grain_steps_per_s"] = wall > 0 ? static_cast<double>(sim.grain_steps) / wall : 0.0;
  j["rebuilds"] = sim.engine().rebuilds;
  j["steps_at_once"] = sim.engine().at_once;
  j["steps_side_by_side"] = sim.engine().packed;
  j["force_calls"] = sim.integrator().force_calls;
  j["accepted"] = sim.integrator().accepted;
  j["rejected"] = sim.integrator().rejected;
  j["iterations"] = sim.integrator().iterations;
  if (sim.integrator().method().of_bonds && is_guarded(scene_.run.method)) {
    const auto& held = sim.integrator();
    j["guard"] = {{"steps", held.guarded}, {"redone", held.redone}, {"taken", static_cast<double>(held.taken)}};
    if (held.guarded * 10 > sim.steps())
      scene_.warnings.push_back(fmt::format("in {} of {} steps energy would have grown, and the guard took {:.3g} J out; a smaller run.dt, or "
                                            "run.variant = \"energy\", does without", held.guarded, sim.steps(), static_cast<double>(held.taken)));
  }
  j["threads"] = omp_get_max_threads();
  j["bytes_per_grain"] = static_cast<double>(sim.bytes()) / static_cast<double>(std::max<std::size_t>(grains, 1));
  report_gates(sim);
  j["state_hash"] = fmt::format("{:016x}", sim.hash());
  if (const auto& work = sim.engine().friction_effort; work.solves > 0) {
    j["friction_solver"] = {{"solves", work.solves}, {"sweeps", work.sweeps}, {"most_sweeps", work.most}, {"newton_steps", work.newton},
                            {"unfinished", work.unfinished}, {"worst_residual", work.worst}};
    if (work.unfinished > 0)
      scene_.warnings.push_back(fmt::format(
          "the solver of friction stopped at its largest number of sweeps in {} of {} steps, with a residual of up to {:.2g}; "
          "contact.tangential.iterations allows more, tolerance asks for less", work.unfinished, work.solves, work.worst));
  }
  j["warnings"] = scene_.warnings;
}

}  // namespace

std::filesystem::path output_folder(const std::string& scene_file, const std::filesystem::path& wanted) {
  if (!wanted.empty()) return wanted;
  return std::filesystem::path("out") / std::filesystem::path(scene_file).stem();
}

RunReport run_scene(AnyScene& scene, const RunOptions& options, nlohmann::json& summary) {
  return std::visit(
      [&]<int D, class T>(Scene<D, T>& one) {
        one.run.dt = step_of(one);
        return Runner<D, T>(one, options, summary).run();
      },
      scene);
}

}  // namespace scree
