// SPDX-License-Identifier: BSD-3-Clause
#include "scree/engines/engine.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>
#include <numeric>

#include "scree/core/errors.hpp"
#include "scree/core/parallel.hpp"
#include "scree/core/stopwatch.hpp"

namespace scree {
namespace {

/// The tangential force as a vector.
template <class T>
Vec<2, T> tangential_force(const Vec<1, T>& f, const Vec<2, T>& n) { return {f[0] * n[1], -(f[0] * n[0])}; }
template <class T>
Vec<3, T> tangential_force(const Vec<3, T>& f, const Vec<3, T>&) { return f; }

/// Makes room for n entries and not for many more, dropping what was there: growing by halves is for those who push back.
template <class C>
void fit(C& column, std::size_t n) {
  if (column.capacity() >= n && column.capacity() <= n + n / 8) return;
  C fresh;
  fresh.reserve(n);
  column.swap(fresh);
}

/// In which part a grain is.
std::size_t part_of(std::size_t i, std::size_t n, std::size_t parts) {
  std::size_t k = i * parts / n;
  while (i >= n * (k + 1) / parts) ++k;
  return k;
}

/// Rate of a spring that stays in the plane of a turning contact: ζ' = u_t - (ζ·n') n.
template <class T>
Vec<1, T> spring_rate(const Vec<1, T>& u, const Vec<1, T>&, const Vec<2, T>&, const Vec<2, T>&) {
  return u;
}
template <class T>
Vec<3, T> spring_rate(const Vec<3, T>& u, const Vec<3, T>& z, const Vec<3, T>& n, const Vec<3, T>& n_rate) {
  return u - n * dot(z, n_rate);
}

template <int D, class T>
Vec<D, T> gravity_at(const Domain<D>& domain, const T& t, Vec<D, T>* rate = nullptr) {
  Vec<D, T> g = convert<T>(domain.gravity);
  if (domain.gravity_rate != 0) {
    using std::cos;
    using std::sin;
    const T angle = T(domain.gravity_rate) * t;
    const T c = cos(angle), s = sin(angle);
    const T x = c * g[0] - s * g[1], y = s * g[0] + c * g[1];
    g[0] = x;
    g[1] = y;
    if (rate) {
      *rate = {};
      (*rate)[0] = -(T(domain.gravity_rate) * y);
      (*rate)[1] = T(domain.gravity_rate) * x;
    }
  } else if (rate) {
    *rate = {};
  }
  return g;
}

/// What brings a place back into its period; 0 where the axis is open.
template <class T>
T way_back(const T& x, const T& lo, const T& hi, const T& length) {
  T moved = T(0);
  if (!(length > T(0))) return moved;
  if (x < lo) moved += length;
  if (!(x + moved < hi)) moved -= length;
  return moved;
}

/// A column that is not in use. (Assigning {} would keep its memory.)
template <class T>
void free_column(Column<T>& column) {
  column.clear();
  column.shrink_to_fit();
}

}  // namespace

template <int D, class T>
Engine<D, T>::Engine(World<D, T>& world, const ContactTable& table, std::unique_ptr<Search<D, T>> search,
                     double max_overlap)
    : world_(world), table_(table), search_(std::move(search)), periods_(world.domain),
      max_overlap_(max_overlap), kernels_(kernels<D, T>()) {
  for (const ContactLaws& laws : table_.laws) {
    springs_ |= laws.has_spring();
    rolls_ |= laws.has_rolling_spring();
    if (const auto* law = std::get_if<ConstraintFriction>(&laws.tangential)) {  // the strictest of several
      const int sweeps = static_cast<int>(std::min(law->iterations, 1e9));
      friction_settings_.tolerance = constrained_ ? std::min(friction_settings_.tolerance, law->tolerance) : law->tolerance;
      friction_settings_.sweeps = constrained_ ? std::max(friction_settings_.sweeps, sweeps) : sweeps;
      constrained_ = true;
    }
  }
  turning_ = table_.has_rotational();
  own_stiffness_ = std::any_of(table_.laws.begin(), table_.laws.end(), [](const auto& laws) { return laws.scaling.of_grains(); });
  if (!own_stiffness_) free_column(world_.grains.stiffness);
  // Effective radius and mass cost two divisions per contact; plain laws do without.
  for (const ContactLaws& laws : table_.laws) need_effective_ |= laws.needs_effective();
  const auto window = [](const auto& w) { return w.from > -forever || w.until < forever; };
  for (const Group<D>& g : world_.groups) {
    special_ |= !g.pushes.empty() || g.attachment > 0 || g.drag > 0;
    moving_ |= !g.motion.empty();
    windowed_ |= window(g);
  }
  for (const Group<D>& g : world_.groups) servo_groups_ |= g.servo.on;
  moving_ |= servo_groups_;
  special_ |= world_.domain.damping > 0 || world_.domain.gravity_rate != 0;
  const auto remembers = [&](const Group<D>& g) { return g.attachment > 0 || !g.motion.empty() || window(g); };
  homes_ = std::any_of(world_.groups.begin(), world_.groups.end(), remembers);
  homes_ |= servo_groups_;
  sleeps_ = world_.sleep.on();
  if (sleeps_) world_.grains.calm.assign(world_.grains.size(), 0);
  else free_column(world_.grains.calm);
  if (!homes_) free_column(world_.grains.home);  // nobody will ask where home was
  angular_ = !world_.shapes.empty();
  if (angular_) load_shapes();
  else free_column(world_.grains.shape);
  for (const Wall<D>& w : world_.walls) {
    walls_move_.push_back(!w.motion.empty() || w.servo.on);
    windowed_ |= window(w);
    moving_ |= walls_move_.back();
  }
  const bool servo = servo_groups_ || std::any_of(world_.walls.begin(), world_.walls.end(), [](const auto& w) { return w.servo.on; });
  if (servo) world_.servoed.resize(world_.walls.size() + world_.groups.size());
  if (world_.domain.shear.rate != 0) {
    auto sheared = std::make_unique<Sheared<D, T>>(std::move(search_));
    sheared_ = sheared.get();
    search_ = std::move(sheared);
  }
  world_.let_in.resize(world_.inlets.size());
  world_.let_out.resize(world_.outlets.size());
  for (const std::uint32_t id : world_.grains.id) world_.next_id = std::max(world_.next_id, id + 1);
  walls_.resize(world_.walls.size());
  for (int k = 0; k < omp_get_max_threads(); ++k) workers_.push_back(std::make_unique<Worker>());
  present_.assign(world_.grains.size(), 1);
  if (windowed_ && world_.births.empty()) {  // a world that no engine has moved yet
    for (std::size_t i = 0; i < world_.grains.size(); ++i)
      if (window(world_.groups[world_.grains.group[i]]))
        world_.births.push_back({world_.grains.id[i], world_.state.v[i], world_.state.w[i]});
    std::sort(world_.births.begin(), world_.births.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  }
  load_grains();
}

/// What the stiffnesses of two grains make of their law's.
template <int D, class T>
T Engine<D, T>::stiffness_of(std::size_t i, std::size_t j) const {
  return own_stiffness_ ? pair_stiffness(world_.grains.stiffness[i], world_.grains.stiffness[j]) : T(1);
}

template <int D, class T>
Vec<D, T> Engine<D, T>::gravity_at(const T& t) const {
  return scree::gravity_at(world_.domain, t);
}

/// Shortest image of d = x_j - x_i.
template <int D, class T>
Vec<D, T> Engine<D, T>::shortest(Vec<D, T> d) const {
  if (tilt_.on) d[0] += tilt_.shift(d[1], periods_.length[1]);
  return periods_.shortest(d);
}

/// The image of a place that lies in the box, for searches.
template <int D, class T>
Vec<D, T> Engine<D, T>::wrapped(Vec<D, T> x) const {
  const Domain<D>& domain = world_.domain;
  for (int k = D - 1; k >= 0; --k) {  // along y before x, which may move with it
    const T length = periods_.length[k], lo = T(domain.lo[k]), hi = T(domain.hi[k]);
    if (!(length > T(0))) continue;
    const bool tilts = tilt_.on && k == 1;
    if (x[k] < lo) {
      x[k] += length;
      if (tilts) x[0] += tilt_.ahead;
    }
    if (!(x[k] < hi)) {
      x[k] -= length;
      if (tilts) x[0] -= tilt_.ahead;
    }
    if (x[k] < lo) x[k] = lo;  // lo - tiny + length may round to hi
  }
  return x;
}

/// In a sheared box a neighbour across the border has the velocity of its image.
template <int D, class T>
void Engine<D, T>::boost(Batch<D, T>& b) const {
  for (int c = 0; c < b.n; ++c) {
    const auto k = static_cast<std::size_t>(c);
    b.dv.lane[0][k] -= tilt_.boost(records_[b.j[k]].x[1] - records_[b.i[k]].x[1], periods_.length[1]);
  }
}

template <int D, class T>
void Engine<D, T>::load_grains() {
  const Grains<D, T>& g = world_.grains;
  inverse_mass_.resize(g.size());
  inverse_inertia_.resize(g.size());
  for_each_index(g.size(), [&](std::size_t i) {
    const bool free = !g.held[i];
    inverse_mass_[i] = free ? T(1) / g.m[i] : T(0);
    inverse_inertia_[i] = free && g.inertia[i] > T(0) ? T(1) / g.inertia[i] : T(0);
  });
}

template <int D, class T>
template <class F>
void Engine<D, T>::each_state(F&& f) {
  f(world_.state);
  for (auto& one : memory_.states) f(*one.state);
}

template <int D, class T>
std::string Engine<D, T>::name_of(std::uint32_t i) const {
  return fmt::format("grain {}", world_.grains.id[i]);
}

/// What schemes with one evaluation a step ask for.
template <class Task, class T>
static Task once(const SpringMove<T>& move) {
  Task task;
  task.springs = {move.before, move.after, false, false};
  task.commit = move.commit;
  task.weight = move.before + move.after;
  return task;
}

template <int D, class T>
void Engine<D, T>::forces(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move) {
  const auto task = once<Task>(move);
  evaluate(t, s, task, out.a, out.alpha);
  const Stopwatch watch(phases.gather, s.size());
  gather(t, s, task, out.a, out.alpha);
  if (constrained_ && move.commit) solve_friction(s, out);
}

template <int D, class T>
void Engine<D, T>::forces_and_kick(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move, const T& by) {
  const auto task = once<Task>(move);
  evaluate(t, s, task, out.a, out.alpha);
  const Stopwatch watch(phases.gather, s.size());
  if (is_dd<T> || constrained_) {  // of double-doubles the kick is a wide loop of its own
    gather(t, s, task, out.a, out.alpha);
    if (constrained_ && move.commit) solve_friction(s, out);
    kick(s.v, s.w, out, by);
  } else {
    gather(t, s, task, out.a, out.alpha, [&](std::size_t first, std::size_t last) { kick(s.v, s.w, out, by, first, last); });
  }
}

/// What Simulation does between two steps must come to nothing, but for wrap(). (Of gravity that turns, wrap() would ask a
/// time that may differ in its last bit.)
template <int D, class T>
bool Engine<D, T>::nothing_between_steps() const {
  return !is_dd<T> && !moving_ && !windowed_ && !sleeps_ && !sheared_ && !constrained_ && world_.servoed.empty() &&
         world_.inlets.empty() && world_.outlets.empty() && world_.domain.gravity_rate == 0;
}

template <int D, class T>
bool Engine<D, T>::may_go_on() const {
  return nothing_between_steps() && listed_;
}

/// Where one loop does it all, places and velocities stay in the records from step to step: the state would be a second copy to
/// keep up. catch_up() brings it to date when somebody asks.
template <int D, class T>
std::int64_t Engine<D, T>::forces_and_go_on(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move, const T& by, const T& h,
                                            std::int64_t most) {
  auto task = once<Task>(move);
  task.lean = kernels_.go_on && is_plain(task) && !angular_;
  look(t, s, !task.commit, task.lean);
  const bool trial = choose_packs(s, task, most);
  const auto began = trial ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
  const auto took = [&](std::int64_t steps) {
    if (trial) pack_choice_.faster.took(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / static_cast<double>(steps), steps);
  };
  if (task.lean)
    if (const std::int64_t steps = foreseen(most); steps > 1) {
      run_ahead(t, s, task, out, by, h, steps);
      took(steps);
      return steps;
    }
  if (task.lean) {
    sweep_and_go_on(t, s, task, out, by, h);
    took(1);
    return 1;
  }
  sweep(s, task, out.a, out.alpha);
  const Stopwatch watch(phases.gather, s.size());
  const Borders borders = this->borders();
  const Vec<D, T> gravity = gravity_at(t);
  recorded_ = true;
  ways_.assign(static_cast<std::size_t>(omp_get_max_threads()), Ways<D, T>::none());
  const auto noted = [&](const Ways<D, T>& ways) { ways_[static_cast<std::size_t>(omp_get_thread_num())].add(ways.lo, ways.hi); };
  gather(t, s, task, out.a, out.alpha, [&](std::size_t first, std::size_t last) {
    kick(s.v, s.w, out, by, first, last);
    if (periods_.any) wrap(borders, gravity, s, first, last);
    kick(s.v, s.w, out, by, first, last);
    drift(s, s.v, s.w, h, first, last);
    noted(record(s, first, last));
  });
  return 1;
}

/// One step. Contacts that lie in packs are swept, and grains go on, without all threads meeting in between: what a thread has in common with
/// others comes last in both, and grains that others look at wait until these have swept.
template <int D, class T>
void Engine<D, T>::sweep_and_go_on(const T& t, State<D, T>& s, const Task& task, Accelerations<D, T>& out, const T& by, const T& h) {
  const bool in_packs = packs_.loaded;
  const auto clock = [&] { return now(s.size()); };
  SweepView<D, T> contacts;
  Scouting scouting{};
  if (in_packs) {
    out.resize(s.size());
    begin_sweep(s, task, out.a);
    idle_ = {};  // packs write all sums
    ++packed;
    contacts = sweep_view(s);
    scouting = scouting_for(T(0));
  } else {
    sweep(s, task, out.a, out.alpha);
  }
  const auto started = clock();
  auto swept = started;  // by the first thread

  const Borders borders = this->borders();
  const Vec<D, T> gravity = gravity_at(t);
  GatherView<D, T> view = gather_view(t, true, out.a, out.alpha);
  if (!in_packs && !stirred_.empty()) view.stirred = stirred_.data();
  const GoOn<D, T> to{s.w.data(), records_.data(), by, h, borders.lo, borders.hi};
  const bool known = behind_ != nullptr;
  recorded_ = true;
  ways_.resize(territory_.size());
  const auto team = static_cast<std::int64_t>(territory_.size());
  std::atomic<std::int64_t> have_swept = 0;
  const auto sweep_own = [&](std::size_t k, Territory& own) {
    if (!in_packs) return;
    const auto began = clock();
    sweep_packs(k, own, s, task, contacts, scouting, out.a, out.alpha);
    have_swept.fetch_add(1, std::memory_order_release);
    have_swept.notify_all();
    const auto ended = clock();
    own.busy += seconds(began, ended);
    if (k == 0) swept = ended;
  };
  for_each_territory(sweep_own, [&](std::size_t k, Territory& own) {
    const auto began = clock();
    double waited = 0;
    auto ways = Ways<D, T>::none();
    const auto go_on = [&](std::size_t first, std::size_t last) {
      const Gone<D, T> gone = kernels_.go_on(view, to, first, last);
      ways.add(gone.ways.lo, gone.ways.hi);
      return gone.outside;
    };
    constexpr std::size_t few = grain_block / 4;  // between two errands
    Errands errands(own.for_going_on, 3 * own.outside.size());
    for (std::size_t b = 0; b < own.outside.size(); ++b) {
      if (in_packs && b == own.inner && team > 1) {
        const auto from = clock();
        wait_for(have_swept, team);
        waited = seconds(from, clock());
      }
      const std::size_t block = own.blocks.empty() ? b : own.blocks[b];
      const std::size_t first = own.first + block * grain_block, last = std::min(first + grain_block, own.last);
      std::uint8_t& outside = own.outside[block];
      if (periods_.any && !known) wrap(borders, gravity, s, first, last);
      if (periods_.any && known && outside) wrap_records(borders, gravity, s, first, last);
      if (in_packs) packs_.renew_few(first, last);
      bool beyond = false;
      if (errands.done()) {
        beyond = go_on(first, last);
      } else {
        for (std::size_t i = first; i < last; i += few) {
          errands.do_some();
          beyond |= go_on(i, std::min(i + few, last));
        }
      }
      outside = beyond;
      if constexpr (std::is_same_v<T, double>) turn(s, s.w, h, first, last);
    }
    ways_[k] = ways;
    own.busy += seconds(began, clock()) - waited;
  });
  const auto ended = clock();
  phases.sweep += seconds(started, swept);
  phases.gather += seconds(swept, ended);
  if (in_packs) end_sweep(s, task);
  behind_ = &s;
}

/// Places and velocities of the records go into the state that forces_and_go_on() left behind.
template <int D, class T>
void Engine<D, T>::catch_up() {
  if (!behind_) return;
  State<D, T>& s = *std::exchange(behind_, nullptr);
  for_each_index(s.size(), [&](std::size_t i) {
    s.x[i] = records_[i].x;
    s.v[i] = records_[i].v;
  });
}

template <int D, class T>
void Engine<D, T>::rates(const T& t, State<D, T>& s, State<D, T>& dot, bool settle) {
  Task task;
  task.springs = {T(0), T(0), !settle, false};
  task.commit = settle;
  task.dot = &dot;
  task.powers = &dot.e;
  dot.resize(s.size());
  evaluate(t, s, task, dot.v, dot.w);
  const Stopwatch watch(phases.gather, s.size());
  gather(t, s, task, dot.v, dot.w);
  for_each_index(s.size(), [&](std::size_t i) {
    dot.x[i] = s.v[i];
    dot.q[i] = turn_rate(s.q[i], s.w[i]);
  });
}

/// What every evaluation begins with: held grains and walls are put in their places, the list made anew if it is
/// stale. `keep`: see keep_sprung().
template <int D, class T>
void Engine<D, T>::look(const T& t, State<D, T>& s, bool keep, bool lean) {
  ++evaluations;
  if (!lean) {
    catch_up();
    unload_packs();
  }
  if (sheared_) tilt_ = Tilt<D, T>(world_.domain, t);
  move_held(t, s);
  pose_walls(t);
  if (!listed_) latest_ = StepWays<T>::unknown();
  else if (!stale(s)) return;
  const Stopwatch watch(phases.refresh, s.size());
  catch_up();
  refresh(s, keep, lean);
}

/// Everything but the gathering: impose, refresh, sweep. `f` and `m` get what the rows of the list add up to.
template <int D, class T>
void Engine<D, T>::evaluate(const T& t, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  look(t, s, !task.commit, task.lean);
  sweep(s, task, f, m);
}

template <int D, class T>
void Engine<D, T>::impose(const T& t, State<D, T>& s) {
  presence_time_ = t;
  changed = false;
  if (windowed_) {
    set_presence(s, !listed_);
    const bool known = !wall_present_.empty();
    wall_present_.resize(world_.walls.size());
    for (std::size_t k = 0; k < world_.walls.size(); ++k) {
      const std::uint8_t there = !(t < T(world_.walls[k].from)) && t < T(world_.walls[k].until);
      changed |= known && there != wall_present_[k];
      wall_present_[k] = there;
    }
  }
  move_held(t, s);
}

/// A motion may lead through many periods; contacts look one period far.
template <int D, class T>
void Engine<D, T>::into_periods(Vec<D, T>& x) const {
  using std::floor;
  for (int k = 0; k < D; ++k) {
    const T length = periods_.length[k];
    if (!(length > T(0))) continue;
    const T over = floor((x[k] - T(world_.domain.lo[k])) / length);
    if (!(over == T(0))) x[k] -= over * length;
  }
}

template <int D, class T>
void Engine<D, T>::move_held(const T& t, State<D, T>& s) {
  if (!moving_ && !windowed_) return;
  const Grains<D, T>& g = world_.grains;
  for_each_index(s.size(), [&](std::size_t i) {
    const Group<D>& group = world_.groups[g.group[i]];
    if (!present_[i]) {
      s.v[i] = {};
      s.w[i] = {};
      s.x[i] = presence_time_ < T(group.from) ? g.home[i] : s.x[i];
      return;
    }
    if (!g.held[i] || (group.motion.empty() && !group.servo.on)) return;
    const Carried<D, T> c = carry(group.motion, g.home[i], t);
    s.x[i] = c.x;
    s.v[i] = c.v;
    if (group.servo.on) {
      const std::size_t k = world_.walls.size() + g.group[i];
      s.x[i] += convert<T>(group.servo.direction) * servo_place(k, t);
      s.v[i] += convert<T>(group.servo.direction) * world_.servoed[k].u;
    }
    if (periods_.any) into_periods(s.x[i]);
    s.q[i] = c.q;
    s.w[i] = c.w;
  });
}

/// Who exists now; a change makes the list stale, and gives to those who appear their velocity.
/// The energy that comes and goes with them is booked as work.
template <int D, class T>
void Engine<D, T>::set_presence(State<D, T>& s, bool starting) {
  bool differs = starting;
  group_present_.resize(world_.groups.size(), 1);
  const T now = presence_time_;
  for (std::size_t k = 0; k < world_.groups.size(); ++k) {
    const Group<D>& g = world_.groups[k];
    const std::uint8_t there = !(now < T(g.from)) && now < T(g.until);
    differs |= there != group_present_[k];
    group_present_[k] = there;
  }
  if (!differs) return;
  changed |= !starting;
  listed_ = false;
  const Grains<D, T>& g = world_.grains;
  const Vec<D, T> gravity = gravity_at(now);
  const auto energy = [&](std::size_t i) {
    return (g.m[i] * norm2(s.v[i]) + g.inertia[i] * norm2(s.w[i])) * T(0.5) - g.m[i] * dot(gravity, s.x[i]);
  };
  for (std::size_t i = 0; i < g.size(); ++i) {
    const std::uint8_t there = group_present_[g.group[i]];
    if (there && !present_[i]) {
      const auto birth = std::lower_bound(world_.births.begin(), world_.births.end(), g.id[i],
                                          [](const auto& b, std::uint32_t id) { return b.id < id; });
      s.v[i] = birth->v;
      s.w[i] = birth->w;
      for (auto& column : memory_.points)
        if (column.is_velocity && column.column->size() == g.size()) (*column.column)[i] = birth->v;
      for (auto& column : memory_.spins)
        if (column.is_velocity && column.column->size() == g.size()) (*column.column)[i] = birth->w;
      if (!g.held[i]) s.e[i][Ledger::work] += energy(i);
    } else if (!there && present_[i] && !starting && !g.held[i]) {
      s.e[i][Ledger::work] -= energy(i);
    }
    present_[i] = there;
  }
}

template <int D, class T>
void Engine<D, T>::wrap(const T& t, State<D, T>& s) {
  if (!periods_.any) return;
  const Vec<D, T> gravity = gravity_at(t);
  if (sheared_) tilt_ = Tilt<D, T>(world_.domain, t);
  const Borders borders = this->borders();
  for_each_block<double>(s.size(), [&](std::size_t first, std::size_t last) { wrap(borders, gravity, s, first, last); });
}

/// Of the box along its periods; there are none along other axes.
template <int D, class T>
typename Engine<D, T>::Borders Engine<D, T>::borders() const {
  Borders b{convert<T>(world_.domain.lo), convert<T>(world_.domain.hi)};
  for (int k = 0; k < D; ++k)
    if (!(periods_.length[k] > T(0))) {
      b.lo[k] = T(-std::numeric_limits<double>::infinity());
      b.hi[k] = T(std::numeric_limits<double>::infinity());
    }
  return b;
}

template <int D, class T>
void Engine<D, T>::wrap(const Borders& borders, const Vec<D, T>& gravity, State<D, T>& s, std::size_t first, std::size_t last) {
  const auto& [lo, hi] = borders;
  if (!kernels_.outside(s.x.data() + first, last - first, lo, hi)) return;
  for (std::size_t i = first; i < last; ++i)
    for (int k = D - 1; k >= 0; --k) {  // along y before x, which may move with it
      const T moved = way_back(s.x[i][k], lo[k], hi[k], periods_.length[k]);
      if (moved == T(0)) continue;
      s.x[i][k] += moved;
      if (i < records_.size()) records_[i].x[k] += moved;  // it has not moved as seen by the list
      if (tilt_.on && k == 1) cross_border(s, i, moved > T(0));
      if (!world_.grains.held[i]) s.e[i][Ledger::work] -= world_.grains.m[i] * gravity[k] * moved;
    }
}

/// The same for places that are in the records alone. The box is not sheared.
template <int D, class T>
void Engine<D, T>::wrap_records(const Borders& borders, const Vec<D, T>& gravity, State<D, T>& s, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    for (int k = D - 1; k >= 0; --k) {
      const T moved = way_back(records_[i].x[k], borders.lo[k], borders.hi[k], periods_.length[k]);
      if (moved == T(0)) continue;
      records_[i].x[k] += moved;
      if (!world_.grains.held[i]) s.e[i][Ledger::work] -= world_.grains.m[i] * gravity[k] * moved;
    }
}

/// A grain that has come back into a sheared box along y: from below (`up`) as the image above, which is ahead and
/// faster. The integrator's velocities go with it, and the work is that of the shear.
template <int D, class T>
void Engine<D, T>::cross_border(State<D, T>& s, std::size_t i, bool up) {
  const T ahead = up ? tilt_.ahead : -tilt_.ahead, faster = up ? tilt_.speed : -tilt_.speed;
  s.x[i][0] += ahead;
  if (i < records_.size()) {  // as seen by the list it has not moved
    records_[i].x[0] += ahead;
    x_listed_[i][0] += ahead;
    x_listed_[i][1] += up ? periods_.length[1] : -periods_.length[1];
  }
  if (world_.grains.held[i]) return;
  const T v = s.v[i][0];
  s.v[i][0] += faster;
  for (auto& one : memory_.points)
    if (one.is_velocity && one.column->size() == s.size()) (*one.column)[i][0] += faster;
  s.e[i][Ledger::work] += world_.grains.m[i] * (s.v[i][0] * s.v[i][0] - v * v) * T(0.5);
  s.e[i][Ledger::work] -= world_.grains.m[i] * gravity_at(presence_time_)[0] * ahead;
}

template <int D, class T>
WallPose<D, T> Engine<D, T>::pose_of_wall(std::size_t k, const T& t) const {
  WallPose<D, T> wall(world_.walls[k], t);
  if (const Servo<D>& servo = world_.walls[k].servo; servo.on) {
    wall.point += convert<T>(servo.direction) * servo_place(k, t);
    wall.v += convert<T>(servo.direction) * world_.servoed[k].u;
  }
  wall.present = !(presence_time_ < T(world_.walls[k].from)) && presence_time_ < T(world_.walls[k].until);
  return wall;
}

template <int D, class T>
void Engine<D, T>::pose_walls(const T& t) {
  for (std::size_t k = 0; k < walls_.size(); ++k) walls_[k] = pose_of_wall(k, t);
}

/// Non-finite positions and escapes; called whenever a grain has moved far, and for every frame.
template <int D, class T>
void Engine<D, T>::check(const State<D, T>& s) {
  if (fault_) return;
  std::uint32_t worst = none;  // the lowest id, so that the message does not depend on sorting
  bool escaped = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const bool finite = is_finite(s.x[i]) && is_finite(s.v[i]) && is_finite(s.w[i]);
    bool out = false;
    if (finite && world_.domain.bounded && present_[i])
      for (int k = 0; k < D; ++k)
        out |= !world_.domain.periodic[static_cast<std::size_t>(k)] &&
               (s.x[i][k] < T(world_.domain.lo[k]) || s.x[i][k] > T(world_.domain.hi[k]));
    if ((!finite || out) && world_.grains.id[i] < worst) {
      worst = world_.grains.id[i];
      escaped = finite;
    }
  }
  if (worst == none) return;
  fault_ = GrainFault{escaped ? fmt::format("grain {} has left the domain", worst)
                              : fmt::format("grain {} has a position, velocity or spin that is not a finite "
                                            "number (the step is probably too large)", worst)};
}

/// Pairs that have springs but are out of reach where a stage or a trial looks stay listed: whether a contact
/// has ended is decided by evaluations that commit, or what is listed would change results.
template <int D, class T>
void Engine<D, T>::keep_sprung() {
  if (old_rows_.begin.empty()) return;
  const Column<std::uint32_t>& id = world_.grains.id;
  const std::size_t n = id.size(), old_pairs = old_rows_.partner.size();
  place_.resize(n);
  for_each_index(n, [&](std::size_t i) { place_[order_[i]] = static_cast<std::uint32_t>(i); });

  std::vector<std::pair<std::uint32_t, std::uint32_t>> missing, missing_walls;  // (grain, partner), in order
  for (std::size_t i = 0; i < n; ++i) {
    if (!present_[i]) continue;
    const std::size_t o = order_[i];
    std::uint32_t p = rows_.begin[i];
    for (std::uint32_t a = old_rows_.begin[o]; a < old_rows_.begin[o + 1]; ++a) {
      if (!(old_live_[a] & sprung)) continue;
      const std::uint32_t j = place_[old_rows_.partner[a]];
      while (p < rows_.begin[i + 1] && id[rows_.partner[p]] < id[j]) ++p;
      if ((p == rows_.begin[i + 1] || rows_.partner[p] != j) && present_[j])
        missing.emplace_back(static_cast<std::uint32_t>(i), j);
    }
    std::uint32_t q = wall_begin_[i];
    for (std::uint32_t b = old_wall_begin_[o]; b < old_wall_begin_[o + 1]; ++b) {
      if (!(old_live_[old_pairs + b] & sprung)) continue;
      while (q < wall_begin_[i + 1] && wall_partner_[q] < old_wall_partner_[b]) ++q;
      if (q == wall_begin_[i + 1] || wall_partner_[q] != old_wall_partner_[b])
        missing_walls.emplace_back(static_cast<std::uint32_t>(i), old_wall_partner_[b]);
    }
  }

  const auto insert = [n](std::vector<std::uint32_t>& begin, auto& partner, const auto& extra, const auto& key) {
    if (extra.empty()) return;
    std::remove_reference_t<decltype(partner)> merged;
    merged.reserve(partner.size() + extra.size());
    std::size_t e = 0;
    std::uint32_t from = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t until = begin[i + 1];
      for (; from < until; ++from) {
        while (e < extra.size() && extra[e].first == i && key(extra[e].second) < key(partner[from])) merged.push_back(extra[e++].second);
        merged.push_back(partner[from]);
      }
      while (e < extra.size() && extra[e].first == i) merged.push_back(extra[e++].second);
      begin[i + 1] = static_cast<std::uint32_t>(merged.size());
    }
    partner.swap(merged);
  };
  insert(rows_.begin, rows_.partner, missing, [&](std::uint32_t j) { return id[j]; });
  insert(wall_begin_, wall_partner_, missing_walls, [](std::uint32_t k) { return k; });
  list_wall_rows();
}

/// `keep`: see keep_sprung(). `lean`: choose_packs() comes next.
template <int D, class T>
void Engine<D, T>::refresh(State<D, T>& s, bool keep, bool lean) {
  if (forgiving_) {
    bool finite = true;
    for (std::size_t i = 0; i < s.size(); ++i) finite &= is_finite(s.x[i]);
    if (!finite) return unload_packs();  // whoever tries this will see it and reject the step
  } else {
    check(s);
  }
  if (fault_) {  // a search cannot place a NaN; the run stops before the next step
    if (!listed_) throw RunError(fault_->what);
    return unload_packs();
  }
  unload_packs(true);
  if (listed_) pack_choice_.lasted = evaluations - pack_choice_.listed;
  pack_choice_.listed = evaluations;
  ++rebuilds;
  Grains<D, T>& g = world_.grains;
  const std::size_t n = g.size();
  const Vec<D, double> moved = moved_since_listed();
  // of places before, nothing else is asked: those within the periods lie there until new ones are listed
  Column<Vec<D, T>>& inside = x_listed_;
  const auto wrap_all = [&] {
    inside.resize(n);
    for_each_index(n, [&](std::size_t i) { inside[i] = wrapped(s.x[i]); });
  };
  if (periods_.any) wrap_all();
  const Column<Vec<D, T>>& places = periods_.any ? inside : s.x;
  if (sheared_) {
    sheared_->tilt(tilt_.ahead);
    way_listed_ = tilt_.way;
  }

  old_id_ = g.id;
  {
    const SearchInput<D, T> input{places, g.r, g.id, g.held, present_, world_.domain};
    if (wants_slabs() ? order_in_slabs(input, moved) : search_->order(input, order_)) {
      const auto sorted = [&](auto& column) {
        if (column.size() != n) return;  // not in use yet
        std::remove_reference_t<decltype(column)> spare;
        permute(column, order_, spare);
      };
      for_each_column(g, [&](auto& c, const auto&) { sorted(c); });
      each_state([&](State<D, T>& one) {
        for_each_column(one, [&](auto& c, const auto&) { sorted(c); });
      });
      for (auto& one : memory_.points) sorted(*one.column);
      for (auto& one : memory_.spins) sorted(*one.column);
      sorted(present_);
      sorted(held_force_);
      load_grains();
      if (periods_.any) wrap_all();
    } else {
      order_.resize(n);
      std::iota(order_.begin(), order_.end(), 0U);
    }
  }
  std::swap(rows_, old_rows_);
  std::swap(wall_begin_, old_wall_begin_);
  std::swap(wall_partner_, old_wall_partner_);
  std::swap(live_, old_live_);
  const SearchInput<D, T> input{places, g.r, g.id, g.held, present_, world_.domain};
  search_->find(input, rows_);
  walls_listed_ = walls_;
  list_walls(s);
  if (keep) keep_sprung();
  incoming_listed_ = false;
  list_owners();
  match(order_, old_id_);
  each_state([&](State<D, T>& one) { move_springs(one); });
  if (!lean) settle_list(s);
  if (search_->reach() > 0) release();  // a search without a skin rebuilds at every evaluation
  if (!springs_wait_) back_.clear();  // begin_sweep() makes them anew, unless packs do
  x_listed_ = s.x;
  begin_journey();
  recorded_ = false;
  records_.resize(n);
  for_each_index(n, [&](std::size_t i) {
    GrainRecord<D, T>& record = records_[i];
    record.x = s.x[i];
    record.v = s.v[i];
    // what is no number touches nobody: the round sweep passes over angular grains
    record.r = is_angular(i) ? T(std::numeric_limits<double>::quiet_NaN()) : g.r[i];
    record.inverse_mass = inverse_mass_[i];
    if constexpr (D == 2) record.w = s.w[i];
  });
  if (angular_) list_outlines();
  still_.resize(n);
  for_each_index(n, [&](std::size_t i) { still_[i] = g.held[i] || !present_[i] || asleep(i); });
  if (sleeps_) load_rest();
  listed_ = true;
  plan_ahead();
  settle();
}

/// Gives back what only rebuilding needs: between rebuilds a run holds what its steps touch.
template <int D, class T>
void Engine<D, T>::release() {
  const auto give_back = [](auto&... one) { ((one = std::remove_reference_t<decltype(one)>{}), ...); };
  if (!springs_wait_) give_back(from_);
  give_back(order_, place_, owner_, cursor_, old_id_, spare_zeta_, spare_roll_, old_rows_, old_wall_begin_,
            old_wall_partner_, old_live_, flow_, bins_);
  search_->release();
}

/// Grain-wall pairs within reach. There are few walls, so every grain looks at each.
template <int D, class T>
void Engine<D, T>::list_walls(const State<D, T>& s) {
  const Grains<D, T>& g = world_.grains;
  const std::size_t n = g.size();
  wall_begin_.assign(n + 1, 0);
  wall_partner_.clear();
  wall_rows_.clear();
  extent_ = T(0);
  if (walls_.empty()) return;
  const T reach = T(search_->reach());
  const auto each_in_reach = [&](std::size_t i, const auto& f) {
    if (g.held[i] || !present_[i]) return;
    for (std::size_t k = 0; k < walls_.size(); ++k)
      if (meet(walls_[k], s.x[i]).distance < g.r[i] + reach) f(static_cast<std::uint32_t>(k));
  };
  for_each_index(n, [&](std::size_t i) { each_in_reach(i, [&](std::uint32_t) { ++wall_begin_[i + 1]; }); });
  for (std::size_t i = 0; i < n; ++i) wall_begin_[i + 1] += wall_begin_[i];
  wall_partner_.resize(wall_begin_[n]);
  for_each_index(n, [&](std::size_t i) {
    std::uint32_t at = wall_begin_[i];
    if (at < wall_begin_[i + 1]) each_in_reach(i, [&](std::uint32_t wall) { wall_partner_[at++] = wall; });
  });
  for (std::size_t k = 0; k < walls_.size(); ++k)
    for (std::size_t i = 0; walls_move_[k] && i < n; ++i)
      if (!g.held[i] && present_[i]) {
        const T arm = norm(s.x[i] - walls_[k].point);
        extent_ = arm > extent_ ? arm : extent_;
      }
  list_wall_rows();
}

/// Who has walls in reach at all: few, in most beds.
template <int D, class T>
void Engine<D, T>::list_wall_rows() {
  const auto has_some = [&](std::size_t i) { return wall_begin_[i] < wall_begin_[i + 1]; };
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < wall_begin_.size(); ++i) count += has_some(i);
  wall_rows_.clear();
  fit(wall_rows_, count);
  for (std::size_t i = 0; i + 1 < wall_begin_.size(); ++i)
    if (has_some(i)) wall_rows_.push_back(static_cast<std::uint32_t>(i));
}

/// How many pairs belong to grains of lower id, for every grain, added up. Each thread looks at its own rows, whose partners are mostly its own grains.
template <int D, class T>
typename Engine<D, T>::Strangers Engine<D, T>::count_incoming() {
  const std::size_t n = world_.grains.size(), team = parts_of(n);
  Strangers strangers(team * team);
  in_begin_.assign(n + 1, 0);
  for_each_part(n, team, [&](std::size_t part, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
        const std::uint32_t j = rows_.partner[p];
        if (j - first < last - first) ++in_begin_[j + 1];
        else strangers[part * team + part_of(j, n, team)].emplace_back(static_cast<std::uint32_t>(i), p);
      }
  });
  for_each_part(n, team, [&](std::size_t part, std::size_t, std::size_t) {
    for (std::size_t from = 0; from < team; ++from)
      for (const auto& [i, p] : strangers[from * team + part]) ++in_begin_[rows_.partner[p] + 1];
  });
  for (std::size_t i = 0; i < n; ++i) in_begin_[i + 1] += in_begin_[i];
  return strangers;
}

/// For every grain the slots of these pairs, in the order of their ids. `slot_of`: of a pair; its number in the list, if there is none.
template <int D, class T>
void Engine<D, T>::list_incoming(const Strangers& strangers, const std::uint32_t* slot_of) {
  const std::size_t n = world_.grains.size(), team = parts_of(n), pairs = pair_count();
  const Column<std::uint32_t>& id = world_.grains.id;
  fit(in_slot_, pairs + 1);  // never without memory: kernels look at four at a time
  in_slot_.resize(pairs);
  owner_.resize(pairs);
  cursor_.resize(n);
  for_each_part(n, team, [&](std::size_t part, std::size_t first, std::size_t last) {
    std::copy(in_begin_.begin() + static_cast<std::ptrdiff_t>(first), in_begin_.begin() + static_cast<std::ptrdiff_t>(last), cursor_.begin() + static_cast<std::ptrdiff_t>(first));
    const auto put = [&](std::size_t i, std::uint32_t p, std::uint32_t j) {
      // insertion by the owner's id keeps each short list sorted
      const std::uint32_t begin = in_begin_[j], own = id[i];
      std::uint32_t at = cursor_[j]++;
      for (; at > begin && owner_[at - 1] > own; --at) {
        owner_[at] = owner_[at - 1];
        in_slot_[at] = in_slot_[at - 1];
      }
      owner_[at] = own;
      in_slot_[at] = slot_of ? slot_of[p] : p;
    };
    for (std::size_t i = first; i < last; ++i)
      for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p)
        if (const std::uint32_t j = rows_.partner[p]; j - first < last - first) put(i, p, j);
    for (std::size_t from = 0; from < team; ++from)
      for (const auto& [i, p] : strangers[from * team + part]) put(i, p, rows_.partner[p]);
  });
  if (!(search_->reach() > 0)) return;
  owner_ = Room<std::uint32_t>{};
  cursor_ = Room<std::uint32_t>{};
}

/// What a list lacks until it is known that its contacts do not go into packs.
template <int D, class T>
void Engine<D, T>::settle_list(State<D, T>& s) {
  if (packs_.partner.capacity() > 0) packs_ = {};  // memory that was kept for more of them
  if (!springs_wait_) return;
  const std::size_t pairs = pair_count();
  Column<Spring<D, T>> all(pairs + s.zeta.size());
  std::copy(s.zeta.begin(), s.zeta.end(), all.begin() + static_cast<std::ptrdiff_t>(pairs));
  s.zeta.swap(all);
  for_each_index(pairs, [&](std::size_t p) {
    if (live_[p] & sprung) s.zeta[p] = waiting_spring(back_, from_[p]);
  });
  springs_wait_ = false;
  from_ = Room<std::uint32_t>{};
  back_.clear();
}

/// Whose each pair is. In a dense bed batches find that out as cheaply, and it would be a number more for each pair.
template <int D, class T>
void Engine<D, T>::list_owners() {
  const std::size_t n = world_.grains.size(), pairs = rows_.partner.size();
  if (pairs >= n || !(search_->reach() > 0)) {
    free_column(stirred_);
    return free_column(owners_);
  }
  stirred_.assign(n / stirred_together + 1, 1);
  fit(owners_, pairs);
  owners_.resize(pairs);
  for_each_index(n, [&](std::size_t i) {
    for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) owners_[p] = static_cast<std::uint32_t>(i);
  });
}

/// from_[new slot] = old slot of the same pair, or none. Rows are sorted by the partner's id before
/// and after, so matching a row is a merge.
template <int D, class T>
void Engine<D, T>::match(const std::vector<std::uint32_t>& order, const Column<std::uint32_t>& old_id) {
  const Column<std::uint32_t>& id = world_.grains.id;
  const std::size_t pairs = rows_.partner.size(), slots = pairs + wall_partner_.size();
  from_.resize(slots);
  live_.assign(slots, 0);
  if (old_rows_.begin.empty()) return std::fill(from_.begin(), from_.end(), none);
  place_.resize(id.size());
  for_each_index(id.size(), [&](std::size_t i) { place_[order[i]] = static_cast<std::uint32_t>(i); });
  const std::size_t old_pairs = old_rows_.partner.size();
  const auto take = [&](std::size_t slot, std::uint32_t from) {
    from_[slot] = from;
    if (from == none || !old_live_[from]) return;
    live_[slot] = std::exchange(old_live_[from], std::uint8_t{0});
  };
  // Springs of pairs that are no longer even listed parted before any evaluation could see it.
  const Grains<D, T>& g = world_.grains;
  State<D, T>& s = world_.state;
  const auto end = [&](std::size_t slot, std::size_t i, std::uint16_t material) {
    Spring<D, T> zeta{};
    if (springs_wait_) zeta = slot < old_pairs ? waiting_spring(back_, slot) : s.zeta[slot - old_pairs];
    else if (springs_ && slot < s.zeta.size()) zeta = s.zeta[slot];
    const Spin<D, T> roll = rolls_ && slot < s.roll.size() ? s.roll[slot] : Spin<D, T>{};
    const auto [slid, rolled] = orphaned_energy<D, T>(table_.laws[table_.index(g.material[i], material)], zeta, roll);
    s.e[i][Ledger::tangential] += slid;
    s.e[i][Ledger::rolling] += rolled;
  };
  for_each_index(id.size(), [&](std::size_t i) {
    const std::size_t o = order[i];
    const std::uint32_t a_end = old_rows_.begin[o + 1], b_end = old_wall_begin_[o + 1];
    std::uint32_t a = old_rows_.begin[o], b = old_wall_begin_[o];
    for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
      const std::uint32_t wanted = id[rows_.partner[p]];
      while (a < a_end && old_id[old_rows_.partner[a]] < wanted) ++a;
      take(p, a < a_end && old_id[old_rows_.partner[a]] == wanted ? a : none);
    }
    for (std::uint32_t p = wall_begin_[i]; p < wall_begin_[i + 1]; ++p) {
      while (b < b_end && old_wall_partner_[b] < wall_partner_[p]) ++b;
      take(pairs + p, b < b_end && old_wall_partner_[b] == wall_partner_[p] ? static_cast<std::uint32_t>(old_pairs) + b : none);
    }
    for (a = old_rows_.begin[o]; a < a_end; ++a)
      if (old_live_[a] & sprung) end(a, i, g.material[place_[old_rows_.partner[a]]]);
    for (b = old_wall_begin_[o]; b < b_end; ++b)
      if (old_live_[old_pairs + b] & sprung) end(old_pairs + b, i, world_.walls[old_wall_partner_[b]].material);
  });
}

template <int D, class T>
void Engine<D, T>::move_springs(State<D, T>& s) {
  if (s.size() != world_.grains.size()) return;  // work space not in use
  const std::size_t slots = from_.size();
  if (&s == &world_.state && springs_wait_) {  // of walls alone
    const std::size_t pairs = rows_.partner.size(), old_pairs = old_rows_.partner.size();
    Column<Spring<D, T>> of_walls(slots - pairs);
    for (std::size_t q = 0; q < of_walls.size(); ++q)
      if (const std::uint32_t from = from_[pairs + q]; from != none) of_walls[q] = s.zeta[from - old_pairs];
    return s.zeta.swap(of_walls);
  }
  const auto moved = [&](auto& column, auto& spare, bool wanted) {
    if (!wanted) return;
    spare.resize(slots);
    for_each_index(slots, [&](std::size_t p) {
      spare[p] = from_[p] != none && from_[p] < column.size() ? column[from_[p]]
                                                              : typename std::remove_reference_t<decltype(column)>::value_type{};
    });
    column.swap(spare);
  };
  moved(s.zeta, spare_zeta_, springs_);
  moved(s.roll, spare_roll_, rolls_);
}

/// A pair that does not touch: its springs, if it had any, end here and their energy with them; a wall that
/// is taken away while it is pressed takes the energy of that contact along.
template <int D, class T>
void Engine<D, T>::part(Worker& worker, State<D, T>& s, const Task& task, std::size_t slot, std::size_t i,
                        std::uint16_t material_j, const T& pressed) {
  const Grains<D, T>& g = world_.grains;
  if (slot < pair_count()) back_[slot] = {};
  const bool had_springs = (live_[slot] & sprung) != 0;
  if (!had_springs || !(task.commit || task.record)) {
    live_[slot] &= sprung | slack;
    return;
  }
  const ContactLaws& laws = table_.laws[table_.index(g.material[i], material_j)];
  const auto [slid, rolled] = orphaned_energy<D, T>(laws, springs_ ? spring_at(s, slot) : Spring<D, T>{},
                                                    rolls_ ? s.roll[slot] : Spin<D, T>{});
  const T lost = pressed > T(0) ? stored_energy(laws, Overlap<T>{pressed, T(0), g.r[i], g.m[i]}) * stiffness_of(i) : T(0);
  worker.orphans.push_back({slot, i, slid, rolled, -lost});
  if (task.commit) {
    if (springs_) spring_at(s, slot) = {};
    if (rolls_) s.roll[slot] = {};
    live_[slot] = 0;
  } else {
    live_[slot] &= sprung | slack;
  }
}

/// Contacts between grains of the rows first … last-1, a batch of whole rows at a time. A row too long for
/// one batch goes on in the next with the sums it has, so where batches end cannot change a bit.
template <int D, class T>
void Engine<D, T>::sweep_pairs(Worker& worker, State<D, T>& s, const Task& task, const SweepView<D, T>& view,
                               std::size_t first, std::size_t last, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  Batch<D, T>& b = worker.batch;
  b.of_walls = false;
  typename Batch<D, T>::Sum carried{};
  bool goes_on = false;  // the first row of this batch began in the one before
  const int room = is_usual(task) ? batch_size : lane_batch_size;
  const bool skip = sleeps_ && !task.record;  // contacts between sleepers stay as they are; a report wants to see them
  if (worker.idle_from != first || worker.idle_to != last) {  // it has other rows than the last time
    worker.idle.clear();
    worker.not_idle.clear();
    worker.idle_from = first;
    worker.idle_to = last;
  }
  for (const std::uint32_t one : worker.not_idle) {
    f[one] = {};
    m[one] = {};
  }
  worker.not_idle.clear();
  std::size_t row = first, batch = 0;
  std::uint32_t p = rows_.begin[first];
  while (row < last) {
    if (skip && !goes_on && deep_[row]) {
      f[row] = {};
      m[row] = {};
      p = rows_.begin[++row];
      continue;
    }
    b.first_row = static_cast<std::uint32_t>(row);
    const std::uint32_t start = p;
    int count = 0;
    bool cut = false, made = false;
    if (!owners_.empty() && !skip && !goes_on) {
      const std::size_t until = std::min(last, row + static_cast<std::size_t>(room));
      if (rows_.begin[until] - p <= static_cast<std::uint32_t>(room)) {
        count = static_cast<int>(rows_.begin[until] - p);
        std::copy_n(owners_.begin() + p, count, b.owner.begin());
        std::fill_n(b.owner.begin() + count, pack, static_cast<std::uint32_t>(row));  // whole packs: of no meaning
        row = until;
        p = rows_.begin[until];
        made = true;
      }
    }
    while (!made && row < last && row - b.first_row < static_cast<std::size_t>(room)) {
      if (skip && row > b.first_row && deep_[row]) break;
      const std::uint32_t end = rows_.begin[row + 1];
      const auto left = static_cast<int>(end - p), take = std::min(left, room - count);
      if (take < left && count > 0 && left <= room) break;  // it fits into the next batch
      for (int k = count; k < count + take; k += pack)  // whole packs: what is too much is overwritten
        std::fill_n(b.owner.data() + k, pack, static_cast<std::uint32_t>(row));
      count += take;
      p += static_cast<std::uint32_t>(take);
      cut = take < left;
      if (cut) break;
      ++row;
    }
    const std::size_t rows = row - b.first_row;
    b.n = 0;
    if (count > 0) {
      kernels_.find(view, start, count, b);
      for (int k = 0; k < b.parts; ++k) {
        const std::uint32_t slot = b.parted[static_cast<std::size_t>(k)];
        if (skip && task.commit)  // what it leant on has gone
          for (const std::uint32_t i : {b.parted_row[static_cast<std::size_t>(k)], rows_.partner[slot]})
            if (asleep(i)) worker.roused.push_back(i);
        if (is_angular(b.parted_row[static_cast<std::size_t>(k)]) || is_angular(rows_.partner[slot])) continue;
        part(worker, s, task, slot, b.parted_row[static_cast<std::size_t>(k)],
             world_.grains.material[rows_.partner[slot]], T(0));
      }
      if (skip) drop_resting(worker, task.commit);
    }
    if (batch == worker.idle.size()) worker.idle.push_back(0);
    std::uint8_t& idle = worker.idle[batch++];
    const bool few = !goes_on && !cut && static_cast<std::size_t>(b.n) * 8 < rows;
    if (few) {  // no sums but zeros for most, and those may be there already
      if (!idle) {
        std::fill_n(&f[b.first_row], rows, Vec<D, T>{});
        std::fill_n(&m[b.first_row], rows, Spin<D, T>{});
      }
      idle = task.lean && wall_begin_[b.first_row] == wall_begin_[row];  // walls may add to them
      if (b.n == 0) continue;
      if (tilt_.on) boost(b);
      flush(worker, s, task, view);
      close_few(worker, s, task, f, m);
      continue;
    }
    idle = 0;
    b.sum[0] = carried;
    if (b.n > 0) {
      if (tilt_.on) boost(b);
      flush(worker, s, task, view);
    }
    kernels_.close(b, rows, f.data() + b.first_row, m.data() + b.first_row, task.commit && keeps_ledger ? s.e.data() + b.first_row : nullptr);
    carried = std::exchange(b.sum[rows], {});  // of a row that is cut; zero otherwise
    goes_on = cut;
  }
}

/// Takes the sums of the rows that have contacts out of a batch in which few do.
template <int D, class T>
void Engine<D, T>::close_few(Worker& worker, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) const {
  Batch<D, T>& b = worker.batch;
  for (int c = 0; c < b.n; ++c) {
    const std::uint32_t i = b.i[static_cast<std::size_t>(c)];
    if (c > 0 && b.i[static_cast<std::size_t>(c) - 1] == i) continue;
    const auto sum = std::exchange(b.sum[i - b.first_row], {});
    f[i] = sum.f;
    m[i] = sum.m;
    if (task.commit && keeps_ledger) {
      s.e[i][Ledger::normal] += sum.loss_n;
      s.e[i][Ledger::tangential] += sum.loss_t;
    }
    worker.not_idle.push_back(i);
  }
}

/// Contacts of the same rows with walls. They come after the row's contacts with grains.
template <int D, class T>
void Engine<D, T>::sweep_walls(Worker& worker, State<D, T>& s, const Task& task, const SweepView<D, T>& view,
                               std::size_t first, std::size_t last, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  if (wall_begin_[first] == wall_begin_[last]) return;
  Batch<D, T>& b = worker.batch;
  const std::size_t pairs = pair_count();
  b.of_walls = true;
  b.n = 0;
  const auto done = [&] {
    if (b.n == 0) return;
    flush(worker, s, task, view);
    if (task.shifting != Shifting::impulse)
      for (int c = 0; c < b.n; ++c) {
        const auto k = static_cast<std::size_t>(c);
        f[b.i[k]] += b.get(b.force, c);
        m[b.i[k]] += b.get(b.mi, c);
        if (!task.commit) continue;
        if (keeps_ledger) {
          s.e[b.i[k]][Ledger::normal] += b.loss_n[k];
          s.e[b.i[k]][Ledger::tangential] += b.loss_t[k];
        }
        if (springs_) spring_at(s, b.slot[k]) = b.get(b.zeta, c);
        if (rolls_) s.roll[b.slot[k]] = b.get(b.roll, c);
      }
    b.n = 0;
  };
  constexpr std::ptrdiff_t ahead = 6;  // grains to fetch in advance
  for (auto row = std::lower_bound(wall_rows_.begin(), wall_rows_.end(), first); row != wall_rows_.end() && *row < last; ++row) {
    if (wall_rows_.end() - row > ahead) {
      const std::uint32_t next = row[ahead];
      __builtin_prefetch(&records_[next]);
      __builtin_prefetch(&s.w[next]);
      __builtin_prefetch(&f[next]);
      __builtin_prefetch(&m[next]);
    }
    for (std::size_t i = *row, q = wall_begin_[i]; q < wall_begin_[i + 1]; ++q) {
      if (is_angular(i)) break;
      const std::size_t wall = wall_partner_[q], slot = pairs + q;
      if (sleeps_ && !task.record && resting_[i] && walls_[wall].present && !walls_move_[wall]) continue;
      const GrainRecord<D, T>& grain = records_[i];  // radii and masses are elsewhere, too, where nobody else looks in a step
      const Meeting<D, T> met = meet(walls_[wall], grain.x);
      if (!walls_[wall].present || !(met.distance < grain.r)) {
        if (live_[slot]) part(worker, s, task, slot, i, world_.walls[wall].material, grain.r - met.distance);
        continue;
      }
      const int c = b.n++;
      const auto k = static_cast<std::size_t>(c);
      b.i[k] = static_cast<std::uint32_t>(i);
      b.j[k] = static_cast<std::uint32_t>(wall);
      b.slot[k] = static_cast<std::uint32_t>(slot);
      b.set(b.d, c, met.n);
      b.set(b.dv, c, grain.v - met.v);
      b.set(b.wi, c, s.w[i]);
      b.set(b.wj, c, walls_[wall].w);
      b.ri[k] = grain.r;
      b.rj[k] = T(0);
      b.wall_distance[k] = met.distance;
      b.inverse_mass[k] = grain.inverse_mass;
      if (springs_) b.set(b.zeta, c, spring_at(s, slot));
      if (rolls_) b.set(b.roll, c, s.roll[slot]);
      if (b.n == lane_batch_size) done();
    }
  }
  done();
}

template <int D, class T>
void Engine<D, T>::begin_sweep(State<D, T>& s, const Task& task, const Column<Vec<D, T>>& f) {
  const std::size_t n = world_.grains.size(), pairs = pair_count();
  if (task.powers) task.powers->assign(n, Vec<Ledger::size, T>{});
  if (task.dot) {
    task.dot->zeta.assign(s.zeta.size(), {});
    task.dot->roll.assign(s.roll.size(), {});
  }
  while (workers_.size() < static_cast<std::size_t>(omp_get_max_threads()))
    workers_.push_back(std::make_unique<Worker>());
  if (static_cast<std::int64_t>(n) >= small_system && territory_.size() != static_cast<std::size_t>(omp_get_max_threads())) settle();
  if (!packs_.loaded && !std::exchange(incoming_listed_, true)) list_incoming(count_incoming());
  if (!packs_.loaded && back_.size() != pairs + 1) {
    if (back_.capacity() <= pairs) {
      fit(back_, pairs + 1);
      shares_touched_ = 0;
    }
    back_.resize(pairs + 1);
    for_each_index(pairs + 1, [&](std::size_t p) { back_[p] = {}; });  // shares of pairs that do not touch are zero, so the gathering need not ask; the last is nobody's
    shares_touched_ = std::max(shares_touched_, back_.size());
  }
  const Idle idle{rebuilds, f.data()};  // a lean step leaves sums as they are
  const bool known = task.lean && idle == idle_;
  idle_ = task.lean ? idle : Idle{};
  for (auto& worker : workers_) {
    if (!known) {
      worker->idle.clear();
      worker->not_idle.clear();
    }
    worker->records.clear();
    worker->orphans.clear();
    worker->presses.clear();
    if (task.commit) worker->roused.clear();
    worker->rubbing.clear();
    worker->overlap = T(0);
  }
  if (task.shifting != Shifting::none) {
    own_shift_.assign(n, {});
    back_shift_.resize(pairs);
  }
  if (turning_) {
    own_turning_.assign(n, {});
    back_turning_.resize(pairs);
  }
}

template <int D, class T>
SweepView<D, T> Engine<D, T>::sweep_view(State<D, T>& s) {
  return {rows_.partner.data(), records_.data(), s.w.data(), springs_ ? s.zeta.data() : nullptr, rolls_ ? s.roll.data() : nullptr,
          live_.data(), back_.data(), periods_.length, tilt_.ahead, tilt_.on};
}

/// Where the given part of rows first … last-1 begins, if all parts have as much of pairs and rows together.
template <int D, class T>
std::size_t Engine<D, T>::cut(std::size_t first, std::size_t last, std::size_t part, std::size_t parts) const {
  const auto work = [&](std::size_t row) { return rows_.begin[row] + row; };
  const std::size_t wanted = work(first) + (work(last) - work(first)) * part / parts;
  std::size_t low = first, high = last;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (work(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <int D, class T>
void Engine<D, T>::sweep(State<D, T>& s, const Task& task, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) {
  const std::size_t n = world_.grains.size();
  const Stopwatch watch(phases.sweep, n);
  if (angular_) place_outlines(s);
  f.resize(n);
  m.resize(n);
  begin_sweep(s, task, f);
  const SweepView<D, T> view = sweep_view(s);
  for_each_territory([&](std::size_t k, Territory& own) {
    const std::size_t first = own.first, last = own.last;
    Worker& worker = *workers_[k];
    if (first == last) return;
    const auto began = now(s.size());
    if (!all_angular_) {
      sweep_pairs(worker, s, task, view, first, last, f, m);
    } else {
      std::fill_n(&f[first], last - first, Vec<D, T>{});
      std::fill_n(&m[first], last - first, Spin<D, T>{});
    }
    if (angular_) sweep_angular(worker, s, task, first, last, f, m);
    if (!all_angular_) sweep_walls(worker, s, task, view, first, last, f, m);
    if (angular_) sweep_angular_walls(worker, s, task, first, last, f, m);
    own.busy += seconds(began, now(s.size()));
  });
  end_sweep(s, task);
}

/// What threads have noted of the sweep.
template <int D, class T>
void Engine<D, T>::end_sweep(State<D, T>& s, const Task& task) {
  orphans_.clear();
  for (const auto& worker : workers_) orphans_.insert(orphans_.end(), worker->orphans.begin(), worker->orphans.end());
  if (task.commit) book(orphans_, s);
  if (task.commit && !world_.servoed.empty()) add_presses();
  note_overlaps();
}

/// The deepest contact of the last sweep.
template <int D, class T>
void Engine<D, T>::note_overlaps() {
  const Worker* worst = nullptr;
  for (const auto& worker : workers_) {
    if (!(worker->overlap > T(0))) continue;
    const bool deeper = !worst || worker->overlap > worst->overlap;
    const bool earlier = worst && worker->overlap == worst->overlap && worker->overlap_i < worst->overlap_i;  // of equals the first in the list
    if (deeper || earlier) worst = worker.get();
  }
  if (worst && !forgiving_) {
    const double overlap = static_cast<double>(worst->overlap);
    largest_overlap = std::max(largest_overlap, overlap);
    if (overlap > max_overlap_ && !fault_)
      fault_ = GrainFault{worst->overlap_wall
                              ? fmt::format("{} overlaps wall {} ({}) by {:.0f} % of its radius",
                                            name_of(worst->overlap_i), worst->overlap_j,
                                            world_.walls[worst->overlap_j].name, 100 * overlap)
                              : fmt::format("{} and {} overlap by {:.0f} % of the smaller radius",
                                            name_of(worst->overlap_i), name_of(worst->overlap_j), 100 * overlap)};
  }
}

/// In the order of the slots, so that a grain's sum has one order whatever the threads did.
template <int D, class T>
void Engine<D, T>::book(std::vector<Orphan>& orphans, State<D, T>& s) {
  std::sort(orphans.begin(), orphans.end(), [](const Orphan& a, const Orphan& b) { return a.slot < b.slot; });
  for (const Orphan& o : orphans) {
    s.e[o.i][Ledger::tangential] += o.slid;
    s.e[o.i][Ledger::rolling] += o.rolled;
    s.e[o.i][Ledger::work] += o.work;
  }
}

/// Does this evaluation ask for more of contacts than forces?
template <int D, class T>
bool Engine<D, T>::takes_notes(const Task& task, bool of_walls) const {
  return task.shifting == Shifting::all || table_.has_rolling() || constrained_ || turning_ || (of_walls ? moving_ : tilt_.on) ||
         task.powers || task.dot || task.record;
}

/// May contacts between grains go through one loop (Kernels::press)?
template <int D, class T>
bool Engine<D, T>::is_usual(const Task& task) const {
  return kernels_.press && !takes_notes(task, false) && !own_stiffness_ && table_.laws.size() == 1 && task.shifting == Shifting::none;
}

/// Runs the laws over a worker's batch and hands the answers out.
template <int D, class T>
void Engine<D, T>::flush(Worker& worker, State<D, T>& s, const Task& task, const SweepView<D, T>& view) {
  Batch<D, T>& b = worker.batch;
  if (!stirred_.empty()) {
    const auto stir = [&](std::uint32_t i) { std::atomic_ref(stirred_[i / stirred_together]).store(1, std::memory_order_relaxed); };  // so may other threads
    for (int c = 0; c < b.n; ++c) {
      stir(b.i[static_cast<std::size_t>(c)]);
      if (!b.of_walls) stir(b.j[static_cast<std::size_t>(c)]);
    }
  }
  const bool rolling = table_.has_rolling(), notes = takes_notes(task, b.of_walls);
  // An overlap is looked at only if it is larger than all before it, which is rare.
  const T deep = T(std::min(largest_overlap, max_overlap_)) * T(1 - 0x1p-40);
  const HandOut<T> answers{task.weight, task.commit, rolling, notes, deep, keeps_ledger};
  SpringTask<T> springs = task.springs;
  springs.energy = task.record;
  const bool done = !b.of_walls && is_usual(task) && kernels_.press(view, b, table_.laws[0], springs, answers, need_effective_);
  if (!done && !b.of_walls) kernels_.fetch(view, b);
  if (!done && table_.laws.size() > 1) {
    const Grains<D, T>& g = world_.grains;
    for (int c = 0; c < b.n; ++c) {
      const auto k = static_cast<std::size_t>(c);
      b.laws[k] = table_.index(g.material[b.i[k]], b.of_walls ? world_.walls[b.j[k]].material : g.material[b.j[k]]);
    }
  }
  if (!done && own_stiffness_)
    for (int c = 0; c < b.n; ++c) {
      const auto k = static_cast<std::size_t>(c);
      b.stiffness[k] = b.of_walls ? stiffness_of(b.i[k]) : stiffness_of(b.i[k], b.j[k]);
    }
  if (task.shifting == Shifting::impulse) return flush_shift(worker, s);
  if (task.shifting == Shifting::all)
    for (int c = 0; c < b.n; ++c) b.born[static_cast<std::size_t>(c)] = !(live_[b.slot[static_cast<std::size_t>(c)]] & sprung);
  if (!done) {
    kernels_.evaluate(b, table_, springs, need_effective_);
    kernels_.hand_out(view, b, answers);
  }
  if (b.deep)
    for (int c = 0; c < b.n; ++c) {
      const auto k = static_cast<std::size_t>(c);
      const T overlap = b.xi[k] / (b.of_walls || b.ri[k] < b.rj[k] ? b.ri[k] : b.rj[k]);
      if (!(overlap > worker.overlap)) continue;
      worker.overlap = overlap;
      worker.overlap_i = b.i[k];
      worker.overlap_j = b.j[k];
      worker.overlap_wall = b.of_walls;
    }

  if (notes) note(worker, s, task);
  if (task.commit && task.shifting == Shifting::none) {
    static_assert(lasting == (touches | sprung));
    if (b.fresh || b.of_walls)
      for (int c = 0; c < b.n; ++c) live_[b.slot[static_cast<std::size_t>(c)]] = touches | sprung;
  } else if (task.commit) {
    for (int c = 0; c < b.n; ++c)
      live_[b.slot[static_cast<std::size_t>(c)]] = b.pushes[static_cast<std::size_t>(c)] ? touches | sprung : touches | sprung | slack;
  } else {  // a stage may give it a spring
    const std::uint8_t bits = task.dot && (springs_ || rolls_) ? touches | sprung : touches;
    for (int c = 0; c < b.n; ++c) live_[b.slot[static_cast<std::size_t>(c)]] |= bits;
  }
}

/// What only some evaluations want to know of each contact: powers, rates of springs, records, and the shares
/// of the momentum-shifted form.
template <int D, class T>
void Engine<D, T>::note(Worker& worker, State<D, T>& s, const Task& task) {
  Batch<D, T>& b = worker.batch;
  const bool rolling = table_.has_rolling();
  for (int c = 0; c < b.n; ++c) {
    const auto k = static_cast<std::size_t>(c);
    const std::size_t i = b.i[k], slot = b.slot[k];
    const Vec<D, T> n = b.get(b.n_, c), f = b.get(b.force, c);
    if (task.shifting == Shifting::all) add_shift(b, s, c, tangential_force(b.get(b.tangential, c), n));
    if (turning_) {
      const Vec<D, T> slip = tangential_force(b.get(b.u, c), n), pull = tangential_force(b.get(b.tangential, c), n);
      const std::uint16_t other = b.of_walls ? world_.walls[b.j[k]].material : world_.grains.material[b.j[k]];
      const T chord = need_effective_ ? T(2) * sqrt(T(2) * b.r_eff[k] * b.xi[k]) : T(0);
      note_turning(table_.laws[table_.index(world_.grains.material[i], other)],
                   {i, b.j[k], slot, b.of_walls, n * b.li[k], n * (-b.lj[k]), slip, b.get(b.wi, c) - b.get(b.wj, c), b.elastic[k],
                    pull - n * b.elastic[k], chord, T(4) * b.r_eff[k], b.m_eff[k]});
    }
    if (constrained_ && task.commit) {
      const std::uint16_t other = b.of_walls ? world_.walls[b.j[k]].material : world_.grains.material[b.j[k]];
      note_rubbing(worker, table_.laws[table_.index(world_.grains.material[i], other)], i, b.j[k], b.of_walls, slot, n,
                   n * b.li[k], n * (-b.lj[k]), b.u.lane[0][c], b.normal[k], b.tangential.lane[0][c]);
    }

    T work{};
    if (!b.of_walls && tilt_.on) work = dot(f, s.v[i] - s.v[b.j[k]] - b.get(b.dv, c));  // of the image that moves on
    if (task.commit && b.of_walls && world_.walls[b.j[k]].servo.on)
      worker.presses.push_back({b.j[k], world_.grains.id[i], dot(f, convert<T>(world_.walls[b.j[k]].servo.direction))});
    if (b.of_walls && walls_move_[b.j[k]]) {
      work = dot(f, s.v[i] - b.get(b.dv, c));
      if (rolling) work += dot(b.get(b.rolling, c), b.get(b.wj, c));
    }
    if (task.commit) {
      s.e[i][Ledger::work] += work * task.weight;
      if (rolling) {
        s.e[i][Ledger::rolling] += b.power_r[k] * task.weight;
        s.e[i][Ledger::rolling] += b.released_r[k];
      }
    }
    if (task.powers) {
      Vec<Ledger::size, T> power{};
      power[Ledger::normal] = b.power_n[k];
      power[Ledger::tangential] = b.power_t[k];
      if (rolling) power[Ledger::rolling] = b.power_r[k];
      power[Ledger::work] = work;
      (*task.powers)[i] += power;
    }
    if (task.dot) {
      const Vec<D, T> n_rate = turning(b, s, c);
      // after a cut, the rate of the spring that is left
      if (springs_) task.dot->zeta[slot] = spring_rate(b.get(b.u, c), task.commit ? b.get(b.zeta, c) : s.zeta[slot], n, n_rate);
      if (rolls_) task.dot->roll[slot] = spring_rate(b.get(b.spin, c), task.commit ? b.get(b.roll, c) : s.roll[slot], n, n_rate);
    }
    if (task.record) {
      Record r;
      r.id1 = world_.grains.id[i];
      r.id2 = b.of_walls ? -static_cast<std::int64_t>(b.j[k]) - 1 : world_.grains.id[b.j[k]];
      r.xi = b.xi[k];
      r.force = f;
      r.point = s.x[i] + n * b.li[k];
      r.branch = n * b.distance[k];
      r.zeta = springs_ ? b.get(b.zeta, c) : Spring<D, T>{};
      r.roll = rolls_ ? b.get(b.roll, c) : Spin<D, T>{};
      r.stored = b.stored[k] + b.stored_t[k];
      r.slid = b.released_t[k];
      if (rolling) r.rolled = b.released_r[k];
      worker.records.push_back(r);
    }
  }
}

template <int D, class T>
void Engine<D, T>::body_forces(const T& t, const State<D, T>& s, std::size_t i, Vec<D, T>& f, Spin<D, T>& m,
                               Vec<Ledger::size, T>& power) const {
  const Grains<D, T>& g = world_.grains;
  const Group<D>& group = world_.groups[g.group[i]];
  for (const Push<D>& push : group.pushes) {
    if (t < T(push.from) || !(t < T(push.until))) continue;
    using std::sin;
    const T wave = push.frequency != 0 || push.phase != 0
                       ? sin(constant::two_pi<T>() * T(push.frequency) * t + T(push.phase))
                       : T(0);
    const Vec<D, T> pf = convert<T>(push.force) + convert<T>(push.force_amplitude) * wave;
    const Spin<D, T> pm = convert<T>(push.torque) + convert<T>(push.torque_amplitude) * wave;
    f += pf;
    m += pm;
    power[Ledger::work] += dot(pf, s.v[i]) + dot(pm, s.w[i]);
  }
  if (group.attachment > 0) f -= (s.x[i] - g.home[i]) * T(group.attachment);
  if (group.drag > 0) {
    const T c = T(group.drag) * g.r[i];
    f -= s.v[i] * c;
    power[Ledger::drag] += c * norm2(s.v[i]);
  }
  if (world_.domain.damping > 0) {
    const T c = T(world_.domain.damping);
    f -= s.v[i] * (c * g.m[i]);
    m -= s.w[i] * (c * g.inertia[i]);
    power[Ledger::drag] += c * (g.m[i] * norm2(s.v[i]) + g.inertia[i] * norm2(s.w[i]));
  }
  if (world_.domain.gravity_rate != 0) {
    Vec<D, T> rate;
    scree::gravity_at(world_.domain, t, &rate);
    power[Ledger::work] -= g.m[i] * dot(rate, s.x[i]);
  }
}

template <int D, class T>
GatherView<D, T> Engine<D, T>::gather_view(const T& t, bool plain, Column<Vec<D, T>>& f_a, Column<Spin<D, T>>& m_alpha) const {
  const Room<Share<D, T>>& back = packs_.loaded ? packs_.back : back_;  // by the list, the last share is nobody's
  return {in_begin_.data(), in_slot_.data(), in_slot_.size(), back.data(), static_cast<std::uint32_t>(back.size() - 1), packs_.incoming(),
          f_a.data(), m_alpha.data(), plain ? inverse_mass_.data() : nullptr, inverse_inertia_.data(), still_.data(), gravity_at(t)};
}

/// f and m hold what the rows add up to; they become accelerations. `then` gets each block of grains while it is
/// in the cache.
template <int D, class T>
template <class Then>
void Engine<D, T>::gather(const T& t, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f_a, Column<Spin<D, T>>& m_alpha,
                          const Then& then) {
  const Grains<D, T>& g = world_.grains;
  const Vec<D, T> gravity = gravity_at(t);
  const bool plain = is_plain(task);
  const GatherView<D, T> view = gather_view(t, plain, f_a, m_alpha);
  const auto finish = [&](std::size_t i) {
    Vec<D, T> f = f_a[i];
    Spin<D, T> m = m_alpha[i];
    Vec<D, T> a{};
    Spin<D, T> alpha{};
    if (g.held[i]) {
      if (moving_ && (task.commit || task.powers)) {
        // what it takes to move a held grain is work done on the others
        const T work = -(dot(f, s.v[i]) + dot(m, s.w[i]));
        if (task.commit && servo_groups_) held_force_[i] = dot(f, convert<T>(world_.groups[g.group[i]].servo.direction));
        if (task.commit) s.e[i][Ledger::work] += work * task.weight;
        if (task.powers) (*task.powers)[i][Ledger::work] += work;
      }
    } else if (present_[i] && !asleep(i)) {
      if (turning_) {
        const Spin<D, T> damping = turning_torque(i, s);
        m += damping;
        const T lost = -dot(damping, s.w[i]);
        if (task.commit) s.e[i][Ledger::rolling] += lost * task.weight;
        if (task.powers) (*task.powers)[i][Ledger::rolling] += lost;
      }
      if (special_) {
        Vec<Ledger::size, T> power{};
        body_forces(t, s, i, f, m, power);
        if (task.commit) s.e[i] += power * task.weight;
        if (task.powers) (*task.powers)[i] += power;
      }
      a = f * inverse_mass_[i] + gravity;
      alpha = m * inverse_inertia_[i];
    }
    f_a[i] = a;
    m_alpha[i] = alpha;
  };
  if (servo_groups_) held_force_.resize(g.size());
  for_each_block<double>(g.size(), [&](std::size_t first, std::size_t last) {
    if (packs_.loaded) packs_.renew_few(first, last);
    if (!sleeps_) kernels_.gather(view, first, last);
    else  // those who are awake, a run at a time
      for (std::size_t i = first; i < last;) {
        std::size_t end = i;
        if (resting_[i] && !world_.grains.held[i]) {
          f_a[i] = {};
          m_alpha[i] = {};
          ++i;
          continue;
        }
        while (end < last && (!resting_[end] || world_.grains.held[end])) ++end;
        kernels_.gather(view, i, end);
        i = end;
      }
    if (!plain)
      for (std::size_t i = first; i < last; ++i) finish(i);
    then(first, last);
  });
}

template <int D, class T>
void Engine<D, T>::gather(const T& t, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f_a, Column<Spin<D, T>>& m_alpha) {
  gather(t, s, task, f_a, m_alpha, [](std::size_t, std::size_t) {});
}

template <int D, class T>
double Engine<D, T>::unrest() const {
  const Grains<D, T>& g = world_.grains;
  const State<D, T>& s = world_.state;
  const double weight = static_cast<double>(norm(convert<T>(world_.domain.gravity)));
  double worst = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (g.held[i] || !present_[i]) continue;
    const T energy = (g.m[i] * norm2(s.v[i]) + g.inertia[i] * norm2(s.w[i])) * T(0.5);
    const T scale = g.m[i] * T(weight > 0 ? weight : 1.0) * g.r[i];
    worst = std::max(worst, static_cast<double>(energy / scale));
  }
  return worst;
}

template <int D, class T>
std::size_t Engine<D, T>::bytes() const {
  std::size_t sum = bytes_of_grains(true) + packs_.bytes() + workers_.size() * sizeof(Worker);
  const auto of = [](const auto& c) { return c.capacity() * sizeof(c[0]); };
  for (const auto& one : workers_)
    sum += of(one->desk) + of(one->met) + of(one->idle) + of(one->not_idle) + of(one->orphans) + of(one->presses) + of(one->roused) +
           of(one->rubbing) + of(one->records);
  return std::max(sum, packed_bytes_);
}

/// Without what depends on threads, or on which form of contacts was the faster one. `with_room`: that arrays have to spare.
template <int D, class T>
std::size_t Engine<D, T>::bytes_of_grains(bool with_room) const {
  const auto of = [&](const auto& c) { return (with_room ? c.capacity() : c.size()) * sizeof(c[0]); };
  std::size_t sum = 0;
  for_each_column(world_.grains, [&](const auto& c, const auto&) { sum += of(c); });
  const auto state = [&](const State<D, T>& s, bool has_springs) {
    for_each_column(s, [&](const auto& c, const auto&) { sum += of(c); });
    sum += (has_springs ? of(s.zeta) : 0) + of(s.roll);
  };
  // as if contacts were in the form of the list, whose springs and incoming pairs are not made if packs follow
  state(world_.state, with_room);
  if (with_room) sum += of(in_begin_) + of(in_slot_);
  else sum += (world_.grains.size() + 1 + pair_count()) * sizeof in_slot_[0] + (springs_ ? pair_count() + wall_partner_.size() : 0) * sizeof world_.state.zeta[0];
  for (const auto& one : memory_.states) state(*one.state, true);
  for (const auto& one : memory_.points) sum += of(*one.column);
  for (const auto& one : memory_.spins) sum += of(*one.column);
  sum += of(inverse_mass_) + of(inverse_inertia_) + of(present_) + of(still_) + of(resting_) + of(deep_) + of(seen_) + of(x_listed_) +
         of(own_.a) + of(own_.alpha) + of(rows_.begin) + of(rows_.partner) + of(old_rows_.begin) + of(old_rows_.partner) +
         of(wall_begin_) + of(wall_partner_) + of(wall_rows_) + of(old_wall_begin_) + of(old_wall_partner_) +
         of(stirred_) + of(owners_) + of(live_) + of(old_live_) + of(own_shift_) + of(back_shift_) + of(plain_.a) + of(plain_.alpha) +
         of(outlines_) + of(corners_) + of(own_turning_) + of(back_turning_) + of(records_) + of(order_) + of(place_) + of(from_) +
         of(owner_) + of(cursor_) + of(old_id_) + of(spare_zeta_) + of(spare_roll_) + of(held_force_) + of(rank_) + of(by_rank_);
  for (const Flow& one : flow_) sum += of(one.ways);
  sum += of(bins_.of);
  if (with_room)
    for (const Territory& one : territory_) sum += one.bytes();
  sum += (with_room ? shares_in_memory() : pair_count() + 1) * sizeof(Share<D, T>);
  return sum + search_->bytes() + of(slabs_.begin) + of(slabs_.outside);
}

#define SCREE_INSTANTIATE(D, T) template class Engine<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
