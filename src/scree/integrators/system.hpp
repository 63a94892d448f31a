// SPDX-License-Identifier: BSD-3-Clause
/// What an integrator sees of the world: a state, and the functions that give its rates.
/// It knows nothing of contacts, walls or threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/errors.hpp"
#include "scree/core/moves.hpp"
#include "scree/core/wide_loop.hpp"
#include "scree/grains/grains.hpp"

namespace scree {

/// Linear and angular accelerations.
template <int D, class T>
struct Accelerations {
  Column<Vec<D, T>> a;
  Column<Spin<D, T>> alpha;
  void resize(std::size_t n) {
    a.resize(n);
    alpha.resize(n);
  }
};

/// v += h a, and likewise for the spin, for grains first … last-1.
template <int D, class T>
void kick(Column<Vec<D, T>>& v, Column<Spin<D, T>>& w, const Accelerations<D, T>& f, const T& h, std::size_t first, std::size_t last) {
  if constexpr (std::is_same_v<T, double>) {
    moves().add(&v[first][0], &f.a[first][0], h, (last - first) * D);
    moves().add(&w[first][0], &f.alpha[first][0], h, (last - first) * spin_size<D>);
  } else {
    for (std::size_t i = first; i < last; ++i) {
      v[i] += f.a[i] * h;
      w[i] += f.alpha[i] * h;
    }
  }
}
/// Orientations turn for a time h, if the state's do.
template <int D>
void turn(State<D, double>& s, const Column<Spin<D, double>>& w, double h, std::size_t first, std::size_t last) {
  if (!s.turns) return;
  if constexpr (D == 3) moves().turn(&s.q[first], &w[first], h, last - first);
  else moves().add(&s.q[first][0], &w[first][0], h, last - first);
}
/// x += h v, and likewise for the orientation.
template <int D, class T>
void drift(State<D, T>& s, const Column<Vec<D, T>>& v, const Column<Spin<D, T>>& w, const T& h, std::size_t first, std::size_t last) {
  if constexpr (std::is_same_v<T, double>) {
    moves().add(&s.x[first][0], &v[first][0], h, (last - first) * D);
    turn(s, w, h, first, last);
  } else {
    for (std::size_t i = first; i < last; ++i) {
      s.x[i] += v[i] * h;
      if (s.turns) s.q[i] = unit_turn(s.q[i] + turn_rate(s.q[i], w[i]) * h);
    }
  }
}
/// The same for all grains.
template <int D, class T>
void kick(Column<Vec<D, T>>& v, Column<Spin<D, T>>& w, const Accelerations<D, T>& f, const T& h) {
  for_each_block<T>(v.size(), [&](std::size_t first, std::size_t last) { kick(v, w, f, h, first, last); });
}
template <int D, class T>
void drift(State<D, T>& s, const Column<Vec<D, T>>& v, const Column<Spin<D, T>>& w, const T& h) {
  for_each_block<T>(s.size(), [&](std::size_t first, std::size_t last) { drift(s, v, w, h, first, last); });
}

/// How the springs move when forces are evaluated once per step: by `before` times their rate
/// before the force is taken, then cut to Coulomb's limit, and by `after` times their rate after
/// it. (h/2, h/2) is the trapezoidal rule, (0, h) is Euler's. The ledger counts the power of this
/// evaluation for before + after. With `commit` false nothing is kept: a predictor's look ahead.
template <class T>
struct SpringMove {
  T before{}, after{};
  bool commit = true;
};

/// What the momentum-shifted form asks for (kk_shifted.hpp): accelerations of the shifted momentum P/m
/// and the shift Σ ψ n/m itself. A contact whose pull is cut carries no shift. Whether one does is
/// decided by this evaluation, so there are two answers: with the contacts that carried one on the way
/// here (`before`), and with those that do from here on (`after`).
template <int D, class T>
struct ShiftedRates {
  struct At {
    Column<Vec<D, T>> a, shift;
  };
  At before, after;
  Column<Spin<D, T>> alpha;
  void resize(std::size_t n) {
    for (At* at : {&before, &after}) {
      at->a.resize(n);
      at->shift.resize(n);
    }
    alpha.resize(n);
  }
};

/// A contact as a scheme sees it that solves for positions (kk_theta.hpp): a spring between two grains, or
/// between a grain and something that moves by itself, with N = f + γ df/dt. Grains go by their rank: the place
/// of their id among all ids, so that sums over bonds have one order however grains are stored.
template <int D, class T>
struct Bond {
  static constexpr std::uint32_t nobody = 0xFFFFFFFFU;
  std::uint32_t i = nobody, j = nobody;  // ranks; nobody: a wall
  std::uint32_t wall = nobody;           // which
  T gamma{};                             // s
  Vec<D, T> force{};                     // elastic, on i; on j the opposite
  Vec<D, T> turning{};                   // the part of its rate that comes from the turning of the normal
  T overlap{}, slope{};                  // ξ, df/dξ
  T stored{};                            // ∫ f dξ, where it is asked for
  Vec<D, T> normal{};                    // from i to its partner
  T distance{};                          // of the two centres, or of a centre from a wall
  std::array<double, static_cast<std::size_t>(D * D)> stiffness{};  // -∂force/∂x_i, symmetric
};

/// All bonds of a state, in the order of the ids, and what else acts on grains. Columns go by rank.
template <int D, class T>
struct Bonds {
  std::vector<std::uint32_t> place;  // of a rank in the state's columns
  std::vector<Bond<D, T>> list;
  Column<T> mass;             // 0: forces do not move it
  Column<Vec<D, T>> body;     // N: gravity, pushes, the pull of an attachment
  Column<T> tether;           // N/m: stiffness of that attachment
  Column<T> drag;             // kg/s: a force -drag v, not in `body`
  T least_gamma{};            // s, of all bonds there may be
  bool energies = false;      // asked for: `stored`
};

/// Where a grain is as a wall sees it; the overlap is negative where they do not touch.
template <int D, class T>
struct WallPlace {
  T overlap{};
  Vec<D, T> normal{};
};

template <int D, class T>
class System {
 public:
  virtual ~System() = default;

  /// Accelerations at time t, the springs of `s` moved as told.
  virtual void forces(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move) = 0;

  /// The same, and then v += kick a, w += kick α, while a grain's numbers are at hand.
  virtual void forces_and_kick(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move, const T& by) {
    forces(t, s, out, move);
    kick(s.v, s.w, out, by);
  }

  /// Between two steps, is nothing done to the state but bringing positions back into their periods?
  virtual bool may_go_on() const { return false; }
  /// forces_and_kick at the end of a step; then positions are brought back into their periods, and the next step begins:
  /// v += by a, w += by α, x += h v. All of it in one pass over the grains. Only where may_go_on(). If more such steps follow,
  /// `most` in all, some of them may be done as well: returns how many.
  virtual std::int64_t forces_and_go_on(const T& /*t*/, State<D, T>&, Accelerations<D, T>&, SpringMove<T>, const T& /*by*/, const T& /*h*/,
                                        std::int64_t /*most*/) { return 1; }

  /// All rates at time t as a pure function of `s`, for methods with stages. With `settle` the
  /// springs of `s` are first cut to their limit and those of lost contacts removed, which is due
  /// once after every accepted step and cheapest with the next step's first stage.
  virtual void rates(const T& t, State<D, T>& s, State<D, T>& dot, bool settle) = 0;

  /// Whether settling can change a state: false if there are no springs to cut or to remove.
  virtual bool settles() const { return true; }

  /// The shift Σ ψ n/m at the positions of `s`. Keeps nothing.
  virtual void shift(const T&, State<D, T>& s, Column<Vec<D, T>>& out) { out.assign(s.size(), {}); }
  /// Rates of the shifted form at the end of a step h, springs moved as told; a contact that began in
  /// this step moves its spring for as long as it has lasted.
  virtual void shifted_forces(const T& t, State<D, T>& s, ShiftedRates<D, T>& out, SpringMove<T> move, const T& /*h*/) {
    Accelerations<D, T> f;
    f.resize(s.size());
    forces(t, s, f, move);
    out.before.a = out.after.a = f.a;
    out.alpha = f.alpha;
    for (auto* at : {&out.before, &out.after}) at->shift.assign(s.size(), {});
  }
  /// Bonds, and what else acts, at time t and the positions of `s`. Keeps nothing. Throws RunError if some contact
  /// is no bond.
  virtual void bonds(const T& t, State<D, T>& s, Bonds<D, T>& out);
  /// A grain (by its rank in the last bonds) at x and a wall at time t.
  virtual WallPlace<D, T> wall_place(const T& /*t*/, std::uint32_t /*wall*/, std::uint32_t /*rank*/, const Vec<D, T>& /*x*/) const { return {}; }
  /// While on, evaluations are trials: overlaps and numbers beyond reason are the integrator's to see and
  /// reject, no fault of the run.
  virtual void forgive(bool) {}

  /// Who is there has changed since the last step: what was remembered of contacts may be stale.
  virtual bool interrupted() const { return false; }
};

template <int D, class T>
void System<D, T>::bonds(const T&, State<D, T>&, Bonds<D, T>&) {
  throw RunError("this system has no bonds to solve for");
}

/// What an integrator remembers between steps. The engine sorts these columns with the grains and
/// matches their springs, and checkpoints save them, so an integrator may keep what it likes.
template <int D, class T>
struct Memory {
  struct Points { std::string name; Column<Vec<D, T>>* column; bool is_velocity; bool is_acceleration = false; };
  struct Spins { std::string name; Column<Spin<D, T>>* column; bool is_velocity; };
  struct States { std::string name; State<D, T>* state; };
  struct Numbers { std::string name; T* value; };
  std::vector<Points> points;
  std::vector<Spins> spins;
  std::vector<Numbers> numbers;
  std::vector<States> states;  // work space: sorted and matched, but not saved
};

/// What a method is, for `list`, `check` and the order tests.
struct Method {
  std::string_view name;
  int order = 1;            // on smooth forces that do not depend on velocity
  int order_if_damped = 1;  // on smooth forces that do
  int force_calls = 1;      // per step; of an implicit method per iteration
  std::string_view note;
  bool adaptive = false;    // chooses its own steps within the step of the run
  bool iterates = false;    // implicit: a step is an iteration
  bool of_bonds = false;    // contacts must be bonds: no friction, a dashpot that is the rate of the spring
  bool one_kick = false;    // a force acts for one step on the velocity it was taken at: v += h a
  bool drifts = false;      // orientations advance by drift() alone, and may be left as they are
};

/// What a scene may choose about a method, in [run]. Zero: the method's own choice.
struct MethodSettings {
  double tolerance = 0;   // of an adaptive step (m, see each method), or of an iteration
  double h_min = 0;       // s; an adaptive step that fails at it ends the run
  double h_max = 0;       // s; at most the run's step
  bool previous = false;  // implicit: start from the last step's stages, not from zero
  int iterations = 0;     // implicit: at most so many
  bool extrapolate = false;  // kk-shifted: Adams-Bashforth drift, not midpoint
  enum class Theta { seed, split, third, energy } theta = Theta::seed;  // kk-theta: which variant
  bool beyond = false;       // kk-theta: θ may be above 1
  std::optional<bool> guard;  // kk-theta: gains of energy are taken out; unless told, as printed and split
};

/// Does kk-theta take out gains of energy (energy_guard.hpp)?
inline bool is_guarded(const MethodSettings& m) {
  using Theta = MethodSettings::Theta;
  return m.theta != Theta::energy && m.guard.value_or(m.theta != Theta::third);
}

template <int D, class T>
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual const Method& method() const = 0;
  virtual Memory<D, T> memory() { return {}; }

  /// Before the first step; not after a restart, where the memory is read back.
  virtual void start(System<D, T>&, State<D, T>& s, const T& t, const T& h) = 0;
  /// From t to t + h.
  virtual void step(System<D, T>&, State<D, T>& s, const T& t, const T& h) = 0;

  /// The same where steps of h follow and nobody looks at the state in between: a scheme may begin the next at once, and do
  /// up to `most` of them. How many has it done, with the next begun? Positions have then been brought back into their periods,
  /// too. 0: one, without beginning the next.
  virtual std::int64_t steps_and_begin_next(System<D, T>& system, State<D, T>& s, const T& t, const T& h, std::int64_t /*most*/) {
    step(system, s, t, h);
    return 0;
  }
  /// Does it ever do several?
  virtual bool runs_ahead() const { return false; }

  /// By how much time the stored springs and ledger lag behind the state after so many steps
  /// (negative: are ahead). Reports move them by this much; the run itself does not.
  virtual T pending(const T& /*h*/, std::int64_t /*steps*/) const { return T(0); }

  // so far
  std::int64_t force_calls = 0;
  std::int64_t accepted = 0, rejected = 0;  // steps; those of the method itself if it is adaptive
  std::int64_t iterations = 0;              // of implicit methods
  std::int64_t guarded = 0, redone = 0;     // kk-theta: steps whose gain of energy was taken out; of those, done again
  T taken{};                                // J: those gains, but for the ones done again
};

}  // namespace scree
