// SPDX-License-Identifier: BSD-3-Clause
#include "scree/run/simulation.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "scree/core/errors.hpp"
#include "scree/grains/body.hpp"
#include "scree/integrators/registry.hpp"

namespace scree {
namespace {

/// A column as numbers that HDF5 knows, in the given order: vectors become runs of components.
template <class T>
std::vector<T> flat(const Column<T>& column, const std::vector<std::uint32_t>& order) {
  std::vector<T> out;
  out.reserve(order.size());
  for (const std::uint32_t i : order) out.push_back(column[i]);
  return out;
}
template <int N, class T>
std::vector<T> flat(const Column<Vec<N, T>>& column, const std::vector<std::uint32_t>& order) {
  std::vector<T> out;
  out.reserve(order.size() * static_cast<std::size_t>(N));
  for (const std::uint32_t i : order)
    for (int k = 0; k < N; ++k) out.push_back(column[i][k]);
  return out;
}

template <class T>
void fill(Column<T>& column, const std::vector<T>& from) { column.assign(from.begin(), from.end()); }
template <int N, class T>
void fill(Column<Vec<N, T>>& column, const std::vector<T>& from) {
  column.resize(from.size() / static_cast<std::size_t>(N));
  for (std::size_t i = 0; i < column.size(); ++i)
    for (int k = 0; k < N; ++k) column[i][k] = from[i * static_cast<std::size_t>(N) + static_cast<std::size_t>(k)];
}
/// Arrays of the run's number type; of a double-double the low words stand apart, as NAME.lo.
template <class T>
void put(Checkpoint& c, const std::string& name, std::vector<T> values) {
  if constexpr (is_dd<T>) {
    std::vector<double> hi, lo;
    for (const dd& x : values) {
      hi.push_back(x.hi);
      lo.push_back(x.lo);
    }
    c.arrays[name] = std::move(hi);
    c.arrays[name + ".lo"] = std::move(lo);
  } else {
    c.arrays[name] = std::move(values);
  }
}
template <class T>
std::vector<T> take(const Checkpoint& c, const std::string& name) {
  if constexpr (is_dd<T>) {
    const auto& hi = c.array<double>(name);
    const auto& lo = c.array<double>(name + ".lo");
    if (hi.size() != lo.size()) throw RunError("checkpoint: '" + name + "' and its low words differ in length");
    std::vector<dd> values;
    for (std::size_t k = 0; k < hi.size(); ++k) values.emplace_back(hi[k], lo[k]);
    return values;
  } else {
    return c.array<T>(name);
  }
}

template <class C> struct Element { using type = C; };
template <int N, class T> struct Element<Vec<N, T>> { using type = T; };

/// What an integrator has counted, by the names of a checkpoint.
template <int D, class T>
std::array<std::pair<const char*, std::int64_t*>, 6> counts(Integrator<D, T>& i) {
  return {{{"force_calls", &i.force_calls}, {"accepted", &i.accepted}, {"rejected", &i.rejected}, {"iterations", &i.iterations},
           {"guarded", &i.guarded}, {"redone", &i.redone}}};
}

template <int D, class T>
std::unique_ptr<Search<D, T>> search_for(const Scene<D, T>& scene) {
  const double skin = scene.run.skin > 0 ? scene.run.skin : default_skin * mean_radius(scene.world);
  return make_search<D, T>(scene.run.neighbours, skin, largest_radius(scene.world));
}

}  // namespace

template <int D, class T>
double largest_radius(const World<D, T>& world) {
  double r = 0;
  for (const Inlet<D>& inlet : world.inlets) r = std::max(r, inlet.r_max);
  for (const T& one : world.grains.r) r = std::max(r, static_cast<double>(one));
  return r;
}

template <int D, class T>
double mean_radius(const World<D, T>& world) {
  if (!world.inlets.empty()) return mean_radius(with_arrivals(world));
  double sum = 0;
  for (const T& one : world.grains.r) sum += static_cast<double>(one);
  return sum / static_cast<double>(world.grains.size());
}

template <int D, class T>
World<D, T> with_arrivals(World<D, T> world) {
  for (const Inlet<D>& inlet : world.inlets)
    for (const double r : {inlet.r_min, inlet.r_max}) {
      const std::size_t i = world.grains.size();
      world.grains.resize(i + 1);
      world.state.resize(i + 1);
      world.grains.shape[i] = inlet.shape_count > 0 ? inlet.shape_first : 0;
      const auto [m, inertia] = mass_and_inertia(world, inlet.material, T(r), world.grains.shape[i]);
      world.grains.r[i] = T(r);
      world.grains.m[i] = m;
      world.grains.inertia[i] = inertia;
      world.grains.stiffness[i] = T(1);
      world.grains.id[i] = static_cast<std::uint32_t>(i);
      world.grains.material[i] = inlet.material;
      world.grains.group[i] = inlet.group;
      world.state.x[i] = convert<T>((inlet.region.lo + inlet.region.hi) * 0.5);
      world.state.v[i] = convert<T>(inlet.velocity);
    }
  world.inlets.clear();
  return world;
}

template <int D, class T>
Simulation<D, T>::Simulation(Scene<D, T>& scene, double dt, const T& t0)
    : scene_(scene), dt_(dt), t0_(t0),
      integrator_(make_integrator<D, T>(scene.run.integrator, t0, scene.run.method)),
      engine_(scene.world, scene.table, search_for(scene), scene.run.max_overlap) {
  engine_.remember(integrator_->memory());
  engine_.run_step = dt_;
  engine_.ahead = scene.run.ahead && integrator_->runs_ahead();
  engine_.keeps_ledger = scene.run.ledger;
}

template <int D, class T>
void Simulation<D, T>::start() {
  State<D, T>& s = scene_.world.state;
  if (scene_.world.domain.shear.profile && !(t0_ < T(0)) && scene_.start.run.empty()) add_profile();
  engine_.wake_all();
  engine_.impose(t0_, s);
  engine_.wrap(t0_, s);
  engine_.exchange(t0_, dt_, 0, s);
  s.e.assign(s.size(), {});
  scene_.world.retired = {};
  initial_energy = engine_.energies(t0_, T(0)).mechanical();
  engine_.open_ledger(t0_);
  engine_.void_ledger();
  integrator_->start(engine_, s, t0_, dt_);
}

/// The velocity of a homogeneous shear flow, zero in the middle of the box.
template <int D, class T>
void Simulation<D, T>::add_profile() {
  const Domain<D>& domain = scene_.world.domain;
  const T middle = (T(domain.lo[1]) + T(domain.hi[1])) * T(0.5);
  State<D, T>& s = scene_.world.state;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!scene_.world.grains.held[i]) s.v[i][0] += T(domain.shear.rate) * (s.x[i][1] - middle);
}

template <int D, class T>
void Simulation<D, T>::step(bool watched) {
  if (!watched) advance(1);
  else {
    integrator_->step(engine_, scene_.world.state, time(), dt_);
    end_of_steps(1, false);
  }
}

template <int D, class T>
std::int64_t Simulation<D, T>::advance(std::int64_t most) {
  const std::int64_t begun = integrator_->steps_and_begin_next(engine_, scene_.world.state, time(), dt_, most);
  end_of_steps(std::max<std::int64_t>(begun, 1), begun > 0);
  return std::max<std::int64_t>(begun, 1);
}

/// `begun`: the next step has begun, and what is done between two steps would come to nothing (Engine::may_go_on()).
template <int D, class T>
void Simulation<D, T>::end_of_steps(std::int64_t count, bool begun) {
  State<D, T>& s = scene_.world.state;
  if (!integrator_->method().adaptive) integrator_->accepted += count;
  steps_ += count;
  grain_steps += count * static_cast<std::int64_t>(s.size());
  if (begun) return;
  engine_.move_servos(time(), dt_);
  engine_.impose(time(), s);
  engine_.wrap(time(), s);
  engine_.doze(time(), dt_, steps_, s);
  engine_.exchange(time(), dt_, steps_, s);
}

template <int D, class T>
std::vector<std::string> Simulation<D, T>::signal_names() const {
  const World<D, T>& w = scene_.world;
  std::vector<std::string> names;
  for (const Inlet<D>& one : w.inlets)
    for (const char* what : {".count", ".mass"}) names.push_back(one.name + what);
  for (const Outlet<D>& one : w.outlets)
    for (const char* what : {".count", ".mass"}) names.push_back(one.name + what);
  const auto servo = [&](const std::string& name, bool on) {
    if (on)
      for (const char* what : {".displacement", ".speed", ".force"}) names.push_back(name + what);
  };
  for (const Wall<D>& one : w.walls) servo(one.name, one.servo.on);
  for (const Group<D>& one : w.groups) servo(one.name, one.servo.on);
  return names;
}

template <int D, class T>
std::vector<double> Simulation<D, T>::signals() const {
  const World<D, T>& w = scene_.world;
  std::vector<double> values;
  for (const auto* tallies : {&w.let_in, &w.let_out})
    for (const Tally<T>& one : *tallies) {
      values.push_back(static_cast<double>(one.count));
      values.push_back(static_cast<double>(one.mass));
    }
  for (std::size_t k = 0; k < w.servoed.size(); ++k) {
    if (!(k < w.walls.size() ? w.walls[k].servo.on : w.groups[k - w.walls.size()].servo.on)) continue;
    for (const T& x : {w.servoed[k].s, w.servoed[k].u, w.servoed[k].pushed_back})
      values.push_back(static_cast<double>(x));
  }
  return values;
}

template <int D, class T>
Frame Simulation<D, T>::frame(bool contacts) {
  Frame f = engine_.frame(time(), steps_, integrator_->pending(dt_, steps_), contacts);
  f.energies.initial = initial_energy;
  return f;
}

template <int D, class T>
Energies Simulation<D, T>::energies() {
  Energies e = engine_.energies(time(), integrator_->pending(dt_, steps_));
  e.initial = initial_energy;
  return e;
}

template <int D, class T>
double Simulation<D, T>::kinetic() const {
  const auto& g = scene_.world.grains;
  const auto& s = scene_.world.state;
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    if (!g.held[i])
      sum += 0.5 * static_cast<double>(g.m[i] * norm2(engine_.velocity(i)) + g.inertia[i] * norm2(s.w[i]));
  return sum;
}

template <int D, class T>
Checkpoint Simulation<D, T>::save() {
  Checkpoint c;
  const World<D, T>& w = scene_.world;
  const auto order = order_by_id(w.grains.id);
  const auto add = [&](const std::string& name, const auto& column) {
    if (column.size() == order.size()) put(c, name, flat(column, order));
  };
  for_each_column(w.grains, [&](const auto& column, const auto& info) { add("grains." + std::string(info.name), column); });
  for_each_column(w.state, [&](const auto& column, const auto& info) { add("state." + std::string(info.name), column); });
  Memory<D, T> memory = integrator_->memory();
  for (const auto& one : memory.points) add("integrator." + one.name, *one.column);
  for (const auto& one : memory.spins) add("integrator." + one.name, *one.column);
  for (const auto& one : memory.numbers) put(c, "integrator." + one.name, std::vector<T>{*one.value});

  if (!w.inlets.empty() || !w.outlets.empty()) {
    std::vector<std::int64_t> counts;
    std::vector<T> masses, retired;
    for (const auto* tallies : {&w.let_in, &w.let_out})
      for (const Tally<T>& one : *tallies) {
        counts.push_back(one.count);
        masses.push_back(one.mass);
      }
    for (int k = 0; k < Ledger::size; ++k) retired.push_back(w.retired[k]);
    c.arrays["gates.count"] = counts;
    put(c, "gates.mass", masses);
    put(c, "gates.retired", retired);
    c.values["next_id"] = static_cast<std::int64_t>(w.next_id);
  }
  if (!w.servoed.empty()) {
    std::vector<T> servos;
    for (const Servoed<T>& one : w.servoed) servos.insert(servos.end(), {one.s, one.u, one.pushed_back});
    put(c, "servos", servos);
  }

  std::vector<std::uint32_t> id1, id2;
  std::vector<T> zeta, roll;
  std::vector<std::uint8_t> slack;
  for (const auto& r : engine_.springs()) {
    slack.push_back(r.slack);
    id1.push_back(r.id1);
    id2.push_back(r.id2);
    for (int k = 0; k < spring_size<D>; ++k) zeta.push_back(r.zeta[k]);
    for (int k = 0; k < spin_size<D>; ++k) roll.push_back(r.roll[k]);
  }
  c.arrays["springs.id1"] = id1;
  c.arrays["springs.id2"] = id2;
  put(c, "springs.zeta", zeta);
  put(c, "springs.roll", roll);
  c.arrays["springs.slack"] = slack;
  c.values["changed"] = std::int64_t{engine_.changed};
  c.values["steps"] = steps_;
  c.values["dt"] = static_cast<double>(dt_);
  c.values["t0"] = static_cast<double>(t0_);
  c.values["initial_energy"] = initial_energy;
  c.values["largest_overlap"] = engine_.largest_overlap;
  c.values["rebuilds"] = engine_.rebuilds;
  if (const auto& work = engine_.friction_effort; work.solves > 0) {
    c.arrays["friction.counts"] = std::vector<std::int64_t>{work.solves, work.sweeps, work.unfinished, work.most, work.newton};
    c.values["friction.worst"] = work.worst;
  }
  c.values["integrator"] = std::string(integrator_->method().name);
  for (const auto& [name, count] : counts(*integrator_)) c.values[name] = *count;
  c.values["dim"] = std::int64_t{D};
  c.values["real"] = std::string(is_dd<T> ? "dd" : "double");
  return c;
}

template <int D, class T>
void Simulation<D, T>::load(const Checkpoint& c) {
  World<D, T>& w = scene_.world;
  if (c.text("real") != (is_dd<T> ? "dd" : "double"))
    throw RunError("the checkpoint is of another number type than the scene");
  if (c.integer("dim") != D) throw RunError("the checkpoint is of another dimension than the scene");
  const auto read = [&](const std::string& name, auto& column) {
    using E = typename Element<typename std::remove_reference_t<decltype(column)>::value_type>::type;
    fill(column, take<E>(c, name));
  };
  const std::size_t built = w.grains.size();
  if (w.inlets.empty() && w.outlets.empty() && c.array<std::uint32_t>("grains.id").size() != built)
    throw RunError("the checkpoint has another number of grains than the scene");
  for_each_column(w.grains, [&](auto& column, const auto& info) {
    const std::string name = "grains." + std::string(info.name);
    if (info.name == "home" && ((column.empty() && built > 0) || !c.has(name))) return;  // nobody asks for homes here
    if (info.name == "shape" && w.shapes.empty()) return;  // all are round
    if (info.name == "stiffness" && !c.has(name)) return;  // all are alike
    if (info.name == "calm" && !w.sleep.on()) return;
    if (info.name == "calm" && !c.has(name))
      return column.assign(c.array<std::uint32_t>("grains.id").size(), typename std::remove_reference_t<decltype(column)>::value_type{});
    read(name, column);
  });
  for_each_column(w.state, [&](auto& column, const auto& info) { read("state." + std::string(info.name), column); });
  w.state.zeta.clear();
  w.state.roll.clear();
  // A prepared state may be carried on by another integrator: it then starts afresh.
  if (c.text("integrator") == integrator_->method().name) {
    Memory<D, T> memory = integrator_->memory();
    for (auto& one : memory.points)
      if (c.has("integrator." + one.name)) read("integrator." + one.name, *one.column);
    for (auto& one : memory.spins)
      if (c.has("integrator." + one.name)) read("integrator." + one.name, *one.column);
    for (auto& one : memory.numbers)
      if (c.has("integrator." + one.name)) *one.value = take<T>(c, "integrator." + one.name).at(0);
  }
  if (!w.inlets.empty() || !w.outlets.empty()) {
    const auto& counts = c.array<std::int64_t>("gates.count");
    const auto masses = take<T>(c, "gates.mass"), retired = take<T>(c, "gates.retired");
    std::size_t at = 0;
    for (auto* tallies : {&w.let_in, &w.let_out})
      for (Tally<T>& one : *tallies) {
        one = {counts.at(at), masses.at(at)};
        ++at;
      }
    for (int k = 0; k < Ledger::size; ++k) w.retired[k] = retired.at(static_cast<std::size_t>(k));
    w.next_id = static_cast<std::uint32_t>(c.integer("next_id"));
  }
  if (!w.servoed.empty()) {
    const auto servos = take<T>(c, "servos");
    for (std::size_t k = 0; k < w.servoed.size(); ++k) w.servoed[k] = {servos.at(3 * k), servos.at(3 * k + 1), servos.at(3 * k + 2)};
  }
  steps_ = c.integer("steps");
  dt_ = engine_.run_step = T(c.real("dt"));
  t0_ = T(c.real("t0"));
  initial_energy = c.real("initial_energy");

  std::vector<typename Engine<D, T>::SpringRecord> records;
  const auto& id1 = c.array<std::uint32_t>("springs.id1");
  const auto& id2 = c.array<std::uint32_t>("springs.id2");
  const auto zeta = take<T>(c, "springs.zeta");
  const auto roll = take<T>(c, "springs.roll");
  const auto& slack = c.array<std::uint8_t>("springs.slack");
  for (std::size_t p = 0; p < id1.size(); ++p) {
    typename Engine<D, T>::SpringRecord r{id1[p], id2[p], {}, {}, slack[p]};
    for (int k = 0; k < spring_size<D>; ++k) r.zeta[k] = zeta[p * spring_size<D> + static_cast<std::size_t>(k)];
    for (int k = 0; k < spin_size<D>; ++k) r.roll[k] = roll[p * spin_size<D> + static_cast<std::size_t>(k)];
    records.push_back(r);
  }
  engine_.reload(time(), records);
  engine_.void_ledger();
  engine_.changed = c.integer("changed") != 0;
  engine_.largest_overlap = c.real("largest_overlap");
  engine_.rebuilds = c.integer("rebuilds");
  engine_.friction_effort = {};
  if (c.has("friction.counts")) {
    const auto& counts = c.array<std::int64_t>("friction.counts");
    engine_.friction_effort = {counts.at(0), counts.at(1), counts.at(2), static_cast<int>(counts.at(3)), c.real("friction.worst"),
                               counts.size() > 4 ? counts[4] : 0};  // older files know of sweeps alone
  }
  for (const auto& [name, count] : counts(*integrator_))
    if (c.has(name)) *count = c.integer(name);
}

#define SCREE_INSTANTIATE(D, T)                      \
  template double largest_radius(const World<D, T>&); \
  template double mean_radius(const World<D, T>&);    \
  template World<D, T> with_arrivals(World<D, T>);    \
  template class Simulation<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
