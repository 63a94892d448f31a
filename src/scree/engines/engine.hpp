// SPDX-License-Identifier: BSD-3-Clause
/// The engine: who runs the loops, where the memory of contacts lives, and why the result does not
/// depend on threads, lists or sorting.
///
///   refresh   makes the list of candidate pairs anew when unlisted grains may have come to touch, stores
///             the grains in the order the search prefers and matches every spring to its new place
///   sweep     over rows of pairs: a row belongs to the grain with the lower id, so every contact is
///             evaluated once, in one orientation. The owner adds the forces of its row in the order
///             of the partners' ids; the partner's share is left in the pair's slot
///   gather    over grains: adds the shares left by grains of lower id, again in id order, then its
///             own row's sum, then body forces
///
/// A thread writes only what belongs to the grains it was given, and no sum runs over threads. A pair that
/// is listed but does not touch has a share of zero, which changes no sum that began with +0: what is
/// listed cannot change a result. Hence the same bits always. In a large bed sweep and gather of several steps run behind each
/// other (ahead.cpp).
#pragma once

#include <omp.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "scree/analysis/frame.hpp"
#include "scree/engines/ahead.hpp"
#include "scree/engines/batch.hpp"
#include "scree/engines/friction_solver.hpp"
#include "scree/engines/packs.hpp"
#include "scree/engines/territories.hpp"
#include "scree/engines/tilt.hpp"
#include "scree/integrators/system.hpp"
#include "scree/neighbours/search.hpp"
#include "scree/neighbours/sheared.hpp"
#include "scree/shapes/shared_area.hpp"
#include "scree/shapes/wall.hpp"

namespace scree {

/// A run that went wrong at a grain.
struct GrainFault {
  std::string what;  // a sentence naming the grain(s)
};

template <int D, class T>
class Engine final : public System<D, T> {
 public:
  Engine(World<D, T>& world, const ContactTable& table, std::unique_ptr<Search<D, T>> search,
         double max_overlap);

  void forces(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move) override;
  void forces_and_kick(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move, const T& by) override;
  bool may_go_on() const override;
  std::int64_t forces_and_go_on(const T& t, State<D, T>& s, Accelerations<D, T>& out, SpringMove<T> move, const T& by, const T& h,
                                std::int64_t most) override;
  void rates(const T& t, State<D, T>& s, State<D, T>& dot, bool settle) override;
  bool settles() const override { return springs_ || rolls_ || windowed_ || !world_.servoed.empty(); }
  void shift(const T& t, State<D, T>& s, Column<Vec<D, T>>& out) override;
  void shifted_forces(const T& t, State<D, T>& s, ShiftedRates<D, T>& out, SpringMove<T> move, const T& h) override;
  void bonds(const T& t, State<D, T>& s, Bonds<D, T>& out) override;
  WallPlace<D, T> wall_place(const T& t, std::uint32_t wall, std::uint32_t rank, const Vec<D, T>& x) const override;
  bool interrupted() const override { return changed; }
  void forgive(bool on) override { forgiving_ = on; }

  /// Columns of the integrator that are to be sorted and matched with the state.
  void remember(Memory<D, T> memory) { memory_ = std::move(memory); }

  /// Between two steps: puts held grains where their motion wants them, and lets walls and grains come
  /// and go. Who is there stays so for the whole next step, whatever times its stages look at.
  void impose(const T& t, State<D, T>& s);
  /// Brings positions back into the periods. Done after every step, by a rule that looks at the
  /// position alone: were it left to the rebuilding of lists, their timing would change bits. Where
  /// gravity acts along a periodic axis, the height that a grain regains is booked as work.
  void wrap(const T& t, State<D, T>& s);

  /// After a step that ends at t, before impose(): servos go on to t and take the speed of the next step.
  void move_servos(const T& t, const T& h);
  /// Before a run: nobody sleeps.
  void wake_all();
  /// Between two steps of h, after impose(): grains fall asleep and wake (sleep.cpp).
  void doze(const T& t, const T& h, std::int64_t step, State<D, T>& s);
  /// Between two steps of h, after wrap(): grains come in and go out. What they carry is booked as work.
  void exchange(const T& t, const T& h, std::int64_t step, State<D, T>& s);

  /// The present instant in id order; `pending` as in Integrator. Changes nothing.
  Frame frame(const T& t, std::int64_t step, const T& pending, bool with_contacts);
  /// The same without grains and contacts: energies alone.
  Energies energies(const T& t, const T& pending);
  /// XXH64 over time, step and, in id order, x, v, q, w and the springs of touching contacts.
  std::uint64_t hash(const T& t, std::int64_t step);

  /// Springs by identity, for checkpoints. A wall k is the partner id 2^32 - 1 - k.
  struct SpringRecord {
    std::uint32_t id1, id2;
    Spring<D, T> zeta;
    Spin<D, T> roll;
    std::uint8_t slack = 0;  // 1: its pull was cut in the last shifted evaluation
  };
  /// At the start of a run: contacts of angular grains that are there bring their elastic energy, which the ledger
  /// counts among what the normal forces have taken.
  void open_ledger(const T& t);
  /// Of a run without a ledger nobody is to go on adding to one.
  void void_ledger();

  std::vector<SpringRecord> springs(bool touching_only = false);
  /// After the world's columns were read back: forgets the list and takes over the springs.
  void reload(const T& t, const std::vector<SpringRecord>& records);

  /// Of the grain stored at i. Where steps run into each other it is that of the middle of the step that has begun.
  const Vec<D, T>& velocity(std::size_t i) const { return behind_ ? records_[i].v : world_.state.v[i]; }

  /// A NaN, an overlap beyond reason or an escape seen since the last call.
  std::optional<GrainFault> fault() const { return fault_; }
  /// Largest kinetic energy of a free grain over m g r: the measure of rest.
  double unrest() const;

  bool ahead = true;     // several steps may go through a large bed at once (ahead.cpp)
  bool keeps_ledger = true;  // what contacts dissipate is booked; otherwise it is not known, and said to be no number
  bool changed = false;  // grains or walls came or went at the last impose()
  T run_step{};          // of the run: friction that is solved for acts so long, rotational damping stops no grain in less
  /// Friction as a constraint, so far: solutions, sweeps over all contacts in sum and at most, how many solutions
  /// stopped at the largest number of sweeps, with the worst slip left, and steps of Newton's method.
  struct FrictionWork {
    std::int64_t solves = 0, sweeps = 0, unfinished = 0;
    int most = 0;
    double worst = 0;
    std::int64_t newton = 0;
  } friction_effort;
  std::int64_t rebuilds = 0;
  std::int64_t evaluations = 0;
  std::int64_t at_once = 0;    // steps that went through the bed together with others
  std::int64_t packed = 0;     // steps of which contacts lay side by side (packs.hpp)
  double largest_overlap = 0;  // over the smaller radius, so far
  std::size_t contacts() const;  // touching in the last evaluation
  std::size_t sleepers() const;  // grains asleep
  std::int64_t taken_in() const; // pairs that were far, of packs, and touched
  double coordination() const;   // mean number of contacts of a grain that is not held, walls included
  std::size_t bytes() const;
  const Slabs& slabs() const { return slabs_; }  // in which grains are stored
  double skin() const { return search_->reach(); }
  /// Wall-clock seconds in refresh, sweep and gather, for the profile.
  struct Phases { double refresh = 0, sweep = 0, gather = 0; } phases;

 private:
  struct Record {
    std::int64_t id1, id2;
    T xi;
    Vec<D, T> force, point, branch;
    Spring<D, T> zeta;
    Spin<D, T> roll;
    T stored{};             // energy in the contact
    T slid{}, rolled{};     // energy that cutting the springs to their limits takes out of them
    T owed{};               // part of `stored` that the ledger has among the normal losses (angular grains)
  };
  struct Task {
    SpringTask<T> springs;
    bool commit = false;
    T weight{};                                      // of powers in the ledger, when committing
    State<D, T>* dot = nullptr;                      // rates wanted
    Column<Vec<Ledger::size, T>>* powers = nullptr;  // powers wanted
    bool record = false;                             // contacts wanted
    Shifting shifting = Shifting::none;              // the momentum-shifted form: everything, or ψ alone
    bool lean = false;                               // places and velocities are asked of the records alone
  };
  /// Springs that ended in this sweep, with their contact.
  struct Orphan {
    std::size_t slot, i;
    T slid, rolled, work;
  };
  /// What a grain exerts on a wall with a servo, along the direction against which it presses.
  struct Press {
    std::uint32_t wall, id;
    T force;
  };
  struct Worker {
    std::vector<Press> presses;
    std::vector<std::uint32_t> roused;  // sleepers beside which something moves
    std::vector<RubbingContact<T>> rubbing;
    Batch<D, T> batch;
    std::vector<Orphan> orphans;
    std::vector<Record> records;
    T overlap{};  // largest, over the smaller radius
    std::uint32_t overlap_i = 0, overlap_j = 0;
    bool overlap_wall = false;
    std::vector<std::uint8_t> idle;       // of each batch of rows: their sums are zero in memory already…
    std::vector<std::uint32_t> not_idle;  // … but for these
    std::size_t idle_from = 0, idle_to = 0;  // the rows that were dealt to it then
    Column<std::byte> desk;                  // of packs
    std::vector<std::uint32_t> met;          // far pairs of packs that touch
    std::int64_t taken_in = 0;               // of them, in all
  };

  std::vector<Record> take_records();
  void evaluate(const T& t, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  void look(const T& t, State<D, T>& s, bool keep, bool lean = false);
  void catch_up();
  /// Takes over the places and velocities of grains first … last-1, and tells which ways they have come.
  Ways<D, T> record(const State<D, T>& s, std::size_t first, std::size_t last);
  struct Borders { Vec<D, T> lo, hi; };
  Borders borders() const;
  void wrap(const Borders& borders, const Vec<D, T>& gravity, State<D, T>& s, std::size_t first, std::size_t last);
  void wrap_records(const Borders& borders, const Vec<D, T>& gravity, State<D, T>& s, std::size_t first, std::size_t last);
  // stale.cpp
  void begin_journey();
  T room_at_first() const;
  bool stale(const State<D, T>& s);
  void take_places(const State<D, T>& s);
  StepWays<T> step_ways() const;
  void add_ways();
  T longest_way();
  void measure_flow();
  T room_at_walls(std::size_t i, const T& way) const;
  void refresh(State<D, T>& s, bool keep, bool lean = false);
  void settle_list(State<D, T>& s);
  // ahead.cpp
  bool nothing_between_steps() const;
  bool wants_slabs() const;
  Vec<D, double> moved_since_listed() const;
  bool order_in_slabs(const SearchInput<D, T>& in, const Vec<D, double>& moved);
  bool is_large() const;
  void plan_ahead();
  std::size_t bytes_of_grains(bool with_room) const;
  std::int64_t foreseen(std::int64_t most) const;
  T farthest_ahead() const { return T(2 * search_->reach()); }  // that a grain may come before somebody looks at the ways again
  void run_ahead(const T& t, State<D, T>& s, const Task& task, Accelerations<D, T>& out, const T& by, const T& h, std::int64_t steps);
  StepWays<T> foreseen_ways(std::int64_t steps) const;
  void check_foreseen(const StepWays<T>& path, std::int64_t steps);
  void check_watched(const StepWays<T>& path, std::int64_t steps);
  void blame_the_farthest(std::int64_t steps);
  void keep_sprung();
  void list_walls(const State<D, T>& s);
  void list_wall_rows();
  /// By two threads, pairs of rows of the one that have a partner of the other: rows and pairs.
  using Strangers = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;
  Strangers count_incoming();
  void list_incoming(const Strangers& strangers, const std::uint32_t* slot_of = nullptr);
  void list_owners();
  void release();
  void match(const std::vector<std::uint32_t>& order, const Column<std::uint32_t>& old_id);
  void move_springs(State<D, T>& s);
  void sweep(State<D, T>& s, const Task& task, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  void begin_sweep(State<D, T>& s, const Task& task, const Column<Vec<D, T>>& f);
  void end_sweep(State<D, T>& s, const Task& task);
  void sweep_and_go_on(const T& t, State<D, T>& s, const Task& task, Accelerations<D, T>& out, const T& by, const T& h);
  SweepView<D, T> sweep_view(State<D, T>& s);
  std::size_t cut(std::size_t first, std::size_t last, std::size_t part, std::size_t parts) const;
  // territories.cpp
  void settle();
  void survey();
  std::uint32_t window_at(std::size_t row) const;
  /// f(k, territory) on all threads, for the territory of each, and then then(k, territory), which may wait for what f does on the others.
  template <class F, class Then> void for_each_territory(F&& f, Then&& then) {
    const auto of_thread = [&](std::size_t thread, std::size_t threads) {  // there may be fewer than we want
      for (std::size_t k = thread; k < territory_.size(); k += threads) f(k, territory_[k]);
      for (std::size_t k = thread; k < territory_.size(); k += threads) then(k, territory_[k]);
    };
    if (territory_.size() == 1) return of_thread(0, 1);
#pragma omp parallel num_threads(static_cast<int>(territory_.size()))
    of_thread(static_cast<std::size_t>(omp_get_thread_num()), static_cast<std::size_t>(omp_get_num_threads()));
  }
  template <class F> void for_each_territory(F&& f) {
    for_each_territory(std::forward<F>(f), [](std::size_t, Territory&) {});
  }
  void note_overlaps();
  void sweep_pairs(Worker& worker, State<D, T>& s, const Task& task, const SweepView<D, T>& view, std::size_t first,
                   std::size_t last, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  void sweep_walls(Worker& worker, State<D, T>& s, const Task& task, const SweepView<D, T>& view, std::size_t first,
                   std::size_t last, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  // packs.cpp
  /// Of the list, wherever its pairs lie now.
  std::size_t pair_count() const { return rows_.begin.empty() ? 0 : rows_.begin.back(); }
  double share_that_touches() const;
  bool may_pack(const State<D, T>& s, const Task& task, std::int64_t most);
  bool choose_packs(State<D, T>& s, const Task& task, std::int64_t most);
  void make_windows();
  bool make_packs(State<D, T>& s);
  void list_entries(const Strangers& strangers, const Room<std::uint32_t>& slot_of);
  void mark_borders();
  std::uint32_t most_packs(std::size_t slice) const;
  void clear_pack(std::size_t slice, std::size_t one, std::uint32_t beside);
  void clear_shares(std::size_t slice);
  void unload_packs(bool soon = false);
  /// Which far pairs to look at: those that are watched, or all, to see who is to be watched.
  enum class Scouting : std::uint8_t { watched, sort };
  Scouting scouting_for(const T& apart);
  void sweep_packs(std::size_t thread, const Territory& own, State<D, T>& s, const Task& task, const SweepView<D, T>& view, Scouting scouting,
                   Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  PackView<D, T> far_view() const;
  void sweep_windows(Worker& worker, State<D, T>& s, const Task& task, std::size_t from, std::size_t to, Scouting scouting, Errands* errands,
                     Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  void scout_window(Worker& worker, const PackView<D, T>& view, std::size_t window, Scouting scouting);
  std::size_t shares_in_memory() const { return std::max(shares_touched_, packs_.spare * static_cast<std::size_t>(kernels_.lanes)); }
  template <class F> void each_touching_pair(F&& f) const;
  /// The spring of a slot that is in the state: of any pair, or, while the others are in packs, of a contact with a wall.
  Spring<D, T>& spring_at(State<D, T>& s, std::size_t slot) const { return s.zeta[slot - packs_.taken]; }
  void look_for_overlaps(Worker& worker, std::uint32_t first, std::uint32_t last) const;
  void take_in(Worker& worker, std::uint32_t far, std::uint32_t slice);
  void change_pack(Worker& worker, std::uint32_t slice, std::uint32_t pack, unsigned now);
  // angular.cpp
  /// A contact of an angular grain. The arms lead from the centres to P; the velocities are those of i as j sees it.
  struct Pressed {
    std::size_t i, j, slot;  // j: a grain or a wall
    bool wall;
    SharedArea<T> shared;    // as seen from i
    Vec<2, T> ri, rj, branch;
    Vec<2, T> v;             // at P
    Spin<2, T> w;
    T inverse_mass;
  };
  bool is_angular(std::size_t i) const { return angular_ && world_.grains.shape[i] != 0; }
  void load_shapes();
  void list_outlines();
  void place_outlines(const State<D, T>& s);
  SharedArea<T> share(std::size_t i, std::size_t j, const Vec<D, T>& d) const;
  SharedArea<T> share_with_wall(std::size_t i, std::size_t wall, const Vec<D, T>& x) const;
  void sweep_angular(Worker& worker, State<D, T>& s, const Task& task, std::size_t first, std::size_t last,
                     Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  void sweep_angular_walls(Worker& worker, State<D, T>& s, const Task& task, std::size_t first, std::size_t last,
                           Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  void press(Worker& worker, State<D, T>& s, const Task& task, const Pressed& c, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m);
  T length_of(const Pressed& c) const;
  // rotational.cpp
  /// A contact as laws of rotational damping see it.
  struct Twist {
    std::size_t i, j, slot;  // j: a grain or a wall
    bool wall;
    Vec<D, T> ri, rj;        // arms
    Vec<D, T> slip;          // velocity of i as j sees it, along the contact
    Spin<D, T> spin;         // of i less that of j
    T elastic;               // normal force without dashpots
    Vec<D, T> force;         // on i, without them
    T chord, length, mass;   // of the shared area; 4 r*, m*
  };
  void note_turning(const ContactLaws& laws, const Twist& c);
  Spin<D, T> turning_torque(std::size_t i, const State<D, T>& s) const;

  // constraint.cpp
  void note_rubbing(Worker& worker, const ContactLaws& laws, std::size_t i, std::size_t j, bool wall, std::size_t slot,
                    const Vec<D, T>& n, const Vec<D, T>& ri, const Vec<D, T>& rj, const T& slip, const T& normal, const T& force);
  void solve_friction(State<D, T>& s, Accelerations<D, T>& out);
  void part(Worker& worker, State<D, T>& s, const Task& task, std::size_t slot, std::size_t i, std::uint16_t material_j,
            const T& pressed);
  bool takes_notes(const Task& task, bool of_walls) const;
  bool is_usual(const Task& task) const;
  void close_few(Worker& worker, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f, Column<Spin<D, T>>& m) const;
  void flush(Worker& worker, State<D, T>& s, const Task& task, const SweepView<D, T>& view);
  void note(Worker& worker, State<D, T>& s, const Task& task);
  T stiffness_of(std::size_t i, std::size_t j) const;
  T stiffness_of(std::size_t i) const { return own_stiffness_ ? world_.grains.stiffness[i] : T(1); }
  template <class Then>
  void gather(const T& t, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f_a, Column<Spin<D, T>>& m_alpha, const Then& then);
  void gather(const T& t, State<D, T>& s, const Task& task, Column<Vec<D, T>>& f_a, Column<Spin<D, T>>& m_alpha);
  /// Does nothing but contacts and gravity act?
  bool is_plain(const Task& task) const { return !special_ && !turning_ && !(moving_ && (task.commit || task.powers)); }
  GatherView<D, T> gather_view(const T& t, bool plain, Column<Vec<D, T>>& f_a, Column<Spin<D, T>>& m_alpha) const;
  void body_forces(const T& t, const State<D, T>& s, std::size_t i, Vec<D, T>& f, Spin<D, T>& m,
                   Vec<Ledger::size, T>& power) const;
  void add_shift(const Batch<D, T>& b, const State<D, T>& s, int c, const Vec<D, T>& tangential);
  void flush_shift(Worker& worker, State<D, T>& s);
  Vec<D, T> turning(const Batch<D, T>& b, const State<D, T>& s, int c) const;
  void rank_grains(Bonds<D, T>& out);
  void bonds_of(const State<D, T>& s, std::size_t i, bool energies, std::vector<Bond<D, T>>& out) const;
  void body_of(const T& t, const State<D, T>& s, std::size_t rank, Bonds<D, T>& out) const;
  T viscous_time_of(const ContactLaws& laws, const T& r_eff, const T& m_eff) const;
  WallPose<D, T> pose_of_wall(std::size_t k, const T& t) const;
  void check(const State<D, T>& s);
  void pose_walls(const T& t);
  void set_presence(State<D, T>& s, bool starting);
  void move_held(const T& t, State<D, T>& s);
  static void book(std::vector<Orphan>& orphans, State<D, T>& s);
  void load_grains();
  void restore(const std::vector<SpringRecord>& records);
  T energy_of_contacts_with(const std::vector<std::uint16_t>& taken, const State<D, T>& s) const;
  Vec<D, T> gravity_at(const T& t) const;
  Vec<D, T> shortest(Vec<D, T> d) const;
  Vec<D, T> wrapped(Vec<D, T> x) const;
  void boost(Batch<D, T>& b) const;
  void into_periods(Vec<D, T>& x) const;
  void cross_border(State<D, T>& s, std::size_t i, bool up);
  T servo_place(std::size_t k, const T& t) const;
  void add_presses();
  bool asleep(std::size_t i) const { return sleeps_ && world_.grains.calm[i] == Sleep::asleep; }
  void load_rest();
  void drop_resting(Worker& worker, bool commit) const;
  void restore_touch();
  void wake_beside(const std::vector<std::uint16_t>& taken, const State<D, T>& s);
  template <class F> void each_touching(std::size_t i, const State<D, T>& s, F&& f) const;
  template <class F> void each_state(F&& f);
  std::string name_of(std::uint32_t i) const;

  World<D, T>& world_;
  const ContactTable& table_;
  std::unique_ptr<Search<D, T>> search_;
  Periods<D, T> periods_;
  double max_overlap_;
  const Kernels<D, T>& kernels_;
  T presence_time_{};  // who is there is decided at this time
  bool need_effective_ = false, springs_ = false, rolls_ = false;
  bool special_ = false;   // some group is pushed, attached, dragged…
  bool moving_ = false;    // some group or wall moves
  bool windowed_ = false;  // some group or wall comes or goes
  bool angular_ = false, all_angular_ = false;  // some grains are, or all
  bool turning_ = false;   // some law damps rotation
  bool own_stiffness_ = false;  // grains have stiffnesses of their own
  bool constrained_ = false;  // some law of friction is solved for
  FrictionSettings friction_settings_;
  FrictionSolver<T> friction_solver_;
  std::vector<RubbingContact<T>> rubbing_;
  bool sleeps_ = false;    // grains may fall asleep
  Memory<D, T> memory_;

  // per grain, in storage order
  Column<T> inverse_mass_, inverse_inertia_;
  Column<std::uint8_t> present_, still_;  // is there; does not move by itself
  Column<std::uint8_t> resting_, deep_;   // asleep, or held and still; so is every grain of its row
  std::vector<std::uint8_t> seen_;        // at a look
  Column<Vec<D, T>> x_listed_;
  Column<GrainRecord<D, T>> records_;  // as of the last evaluation
  // since the list was made (stale.cpp)
  T travelled_{};  // no grain has moved farther
  T parted_{};     // no two grains that could come to touch have moved farther with respect to each other…
  T bound_{};      // … as long as none has moved farther than this
  T unchecked_{};  // nor farther since somebody looked whether one has left the domain
  int shy_{};      // for so many lists neighbours are not compared, since it did not help
  std::vector<Ways<D, T>> ways_, ahead_ways_;  // of this step, of each thread; of several
  StepWays<T> latest_{}, before_latest_{};  // of the last two steps
  Slabs slabs_;
  std::vector<Territory> territory_;  // of each thread
  std::vector<double> slab_shares_;   // of each thread, where several steps go at once
  struct Flow {
    Travel<D, T> all;
    T room{}, apart2{};               // the least that is left at walls; how far two have parted, squared
    Column<BinOfWays<D, T>> ways;     // in bins
  };
  std::vector<Flow> flow_;  // of each thread
  Ways<D, T> places_ = Ways<D, T>::none();  // the box of the listed places, and the largest radius, once somebody has asked
  T largest_{};
  T spread_{};  // the diagonal of the box of all ways, at the last longest_way()
  struct {
    Room<std::uint32_t> of;  // each grain
    std::size_t count = 0;
    T spread{};              // they are wide enough for ways with this diagonal
  } bins_;
  bool recorded_ = false;         // the present places are in records_ already, and ways_ are theirs
  State<D, T>* behind_ = nullptr;      // its places and velocities are older than those in records_: see catch_up()
  Accelerations<D, T> own_;  // sums over rows, for the shifted form

  // pairs: slots 0 … pairs-1, then grain-wall pairs
  PairRows rows_, old_rows_;
  Column<std::uint8_t> stirred_;  // GatherView::stirred, in a sparse bed
  Column<std::uint32_t> owners_;  // of each pair, in a sparse bed: most rows are empty, and batches are made up without asking each
  std::vector<std::uint32_t> wall_begin_, wall_partner_, old_wall_begin_, old_wall_partner_;
  std::vector<std::uint32_t> wall_rows_;  // grains that have some
  Column<std::uint32_t> in_begin_;
  Room<std::uint32_t> in_slot_;
  Column<std::uint8_t> live_, old_live_;  // bits of a slot: see below
  static constexpr std::uint32_t none = 0xFFFFFFFFU;
  enum : std::uint8_t { touches = 1, sprung = 2, slack = 4 };  // now; has springs; its pull is cut (shifted form)
  /// What Worker::idle was noted for: a list, and where the sums are.
  struct Idle {
    std::int64_t list = -1;
    const Vec<D, T>* f = nullptr;
    bool operator==(const Idle&) const = default;
  } idle_;
  Packs<D, T> packs_;
  PackChoice pack_choice_;
  std::size_t packed_bytes_ = 0;  // with packs, at most
  Room<Share<D, T>> back_;    // of each pair: force and torque on its partner, 0 where it does not touch; empty until there was a sweep
  std::size_t shares_touched_ = 0;  // of that memory, wherever it is now: packs take it over
  /// The momentum-shifted form's share of a contact: forces on P and shifts ψ n, see ShiftedRates.
  struct ShiftShare {
    Vec<D, T> f_before, f_after, shift_before, shift_after;
    ShiftShare& operator+=(const ShiftShare& o) {
      f_before += o.f_before;
      f_after += o.f_after;
      shift_before += o.shift_before;
      shift_after += o.shift_after;
      return *this;
    }
  };
  Column<ShiftShare> own_shift_, back_shift_;  // in use only with that form
  Accelerations<D, T> plain_;
  bool listed_ = false;
  bool incoming_listed_ = false;  // in_begin_ and in_slot_ are those of the present list
  /// Until it is known which form the contacts of a new list take, springs of those before wait where shares will be, by the numbers of the old list
  /// (from_). What the state has are those of walls.
  bool springs_wait_ = false;
  static void put_waiting(Room<Share<D, T>>& shares, std::size_t pair, const Spring<D, T>& zeta) {
    std::memcpy(reinterpret_cast<std::byte*>(shares.data()) + pair * sizeof zeta, &zeta, sizeof zeta);
  }
  static Spring<D, T> waiting_spring(const Room<Share<D, T>>& shares, std::size_t pair) {
    Spring<D, T> zeta;
    std::memcpy(&zeta, reinterpret_cast<const std::byte*>(shares.data()) + pair * sizeof zeta, sizeof zeta);
    return zeta;
  }

  // contacts as bonds; in use only with schemes that solve for positions
  std::vector<std::uint32_t> rank_, by_rank_;  // of a grain, by where it is stored; and the other way
  std::int64_t ranked_ = -1;          // the rebuild after which that was so
  std::vector<double> viscous_time_;  // of each of the laws, before scaling
  std::vector<std::vector<Bond<D, T>>> bonds_;  // of each thread

  // angular grains: outlines turned and to size, about their centres
  struct Outline {
    std::uint32_t begin = 0, count = 0;  // of its corners
    Vec<2, T> lo{}, hi{};                // of a box around it
  };
  Column<Outline> outlines_;
  Column<Vec<2, T>> corners_;
  std::vector<Vec<2, T>> unit_corners_;  // of the world's shapes, one after the other
  std::vector<std::uint32_t> shape_begin_;
  Column<Turning<D, T>> own_turning_, back_turning_;  // in use with rotational damping

  std::vector<WallPose<D, T>> walls_, walls_listed_;
  std::vector<std::uint8_t> walls_move_, group_present_, wall_present_;
  T extent_{};

  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Orphan> orphans_;

  // sheared box, servos, inlets
  Tilt<D, T> tilt_;
  T way_listed_{};                   // of the tilt, when the list was made
  Sheared<D, T>* sheared_ = nullptr; // the search, if the box is sheared
  bool servo_groups_ = false, homes_ = false;
  Column<T> held_force_;             // on held grains of groups with a servo, along its direction
  std::vector<Press> presses_;
  std::optional<GrainFault> fault_;
  bool forgiving_ = false;

  // room for rebuilding, given back at its end by a search with a skin
  std::vector<std::uint32_t> order_;
  Room<std::uint32_t> place_, from_, owner_, cursor_;
  Column<std::uint32_t> old_id_;
  Column<Spring<D, T>> spare_zeta_;
  Column<Spin<D, T>> spare_roll_;
};

}  // namespace scree
