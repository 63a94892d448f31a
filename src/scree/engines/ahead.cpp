// SPDX-License-Identifier: BSD-3-Clause
/// Several steps in one pass over a bed that the caches do not hold.
///
/// A step reads and writes everything there is to a grain once; a large bed waits for memory at that. But what a grain does in
/// the next step depends on its neighbours alone. So grains are stored in slabs a little wider than two grains and a skin, and
/// as soon as slabs s-1, s and s+1 have moved on, slab s may take its next step, while it is still in the cache: the steps
/// follow each other through the bed, two slabs apart,
///
///     sweep of slab s in step n   after its neighbours and itself have gone on in step n-1
///     going on with slab s        after the sweeps of s-1, s and s+1 in step n
///
/// and memory is read once for all of them. Where slabs are long, they are cut into strips along a second axis, where the same
/// holds, so that some slabs of a strip fit into the cache.
///
/// Along a period there is no first slab: step n begins with slab 2n, and goes once around. The slabs before it have what they
/// need last.
///
/// With several threads each has a stretch of slabs; the faster one gets more of them from pass to pass.
///
/// Every sum is what it is step by step; only the order of things that do not depend on each other is another one. Hence the
/// same bits, for any number of steps at once.
///
/// That the list of pairs will do for all of them must be known beforehand (stale.cpp asks after each step). It is foreseen from
/// how far grains move in a step, and how much farther than in the one before, with twice the room; afterwards it is
/// checked. A grain that has outrun even that stops the run: `run.ahead = false` then goes step by step.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"
#include "scree/core/stopwatch.hpp"
#include "scree/core/wide_loop.hpp"
#include "scree/engines/engine.hpp"
#include "scree/neighbours/curve.hpp"

namespace scree {
namespace {

double since(Clock::time_point start) { return seconds(start, Clock::now()); }

/// Where all but a few grains are along an axis: one that has flown away does not make the slabs.
template <int D, class T>
std::pair<double, double> bulk(const Column<Vec<D, T>>& x, int k) {
  std::vector<double> some;
  for (std::size_t i = 0; i < x.size(); i += x.size() / 4096 + 1) some.push_back(static_cast<double>(x[i][k]));
  std::sort(some.begin(), some.end());
  return {some[some.size() / 200], some[some.size() - 1 - some.size() / 200]};
}

/// What a thread has of the slabs: in step 0 those from `begin` to `end`-1, and in each step those two slabs farther on. What it leaves
/// at its beginning, the thread before it takes over at its end; slabs `count` and 0 of a ring are one and the same. Only the first
/// slab of an axis that is open stays the first thread's, and the last one the last one's.
///
/// At time τ a step n sweeps slab begin + τ - 2n, and goes on with the one before it. So a thread's first slabs wait for nobody, and its
/// last ones for the first ones of the next thread, which have been ready for long: threads hardly ever wait for each other.
struct Stretch {
  std::int64_t begin = 0, end = 0;
  bool leaves = false, takes = false;  // at its beginning; at its end
  std::int64_t first(std::int64_t step) const { return begin + (leaves ? 2 * step : 0); }
  std::int64_t last(std::int64_t step) const { return end + (takes ? 2 * step : 0); }
  bool sweeps(std::int64_t slab, std::int64_t step) const { return first(step) <= slab && slab < last(step); }
  bool goes_on(std::int64_t slab, std::int64_t step) const { return first(step) + leaves <= slab && slab < last(step) + takes; }
  /// Does it do so for the first time?
  bool sees_first(std::int64_t slab, std::int64_t step) const { return sweeps(slab, step) && (step == 0 || slab >= last(step - 1)); }
  std::int64_t times(std::int64_t steps) const { return last(steps - 1) + takes - begin + 2 * (steps - 1) + 1; }
};

/// Columns of a slab, as the steps come to them in strips: each step has places 0, 1, … of its own.
struct Course {
  std::int64_t count = 1;
  bool ring = false;
  std::int64_t lag() const { return ring ? 4 : 2; }  // of a step behind the one before, in places
  std::int64_t column(std::int64_t step, std::int64_t place) const { return ring ? (place + 2 * step) % count : place; }
  std::int64_t first_to_go_on() const { return ring ? 1 : 0; }  // the place 0 of a ring is also `count`
  std::int64_t end_of_going_on() const { return ring ? count + 1 : count; }
};

/// So many slabs among so many threads, or fewer, which are to have such shares of what there is to do in so many steps.
std::vector<Stretch> deal_out(std::int64_t count, bool ring, std::int64_t steps, std::int64_t threads, const std::vector<double>& shares) {
  // A stretch needs a few slabs, and the last one of an open axis some to leave. In the middle of the steps all are to have their share.
  const std::int64_t least = 4, way = ring ? 0 : steps - 1;
  const std::int64_t team = std::clamp<std::int64_t>(count / (least + way), 1, threads);
  const double all = std::accumulate(shares.begin(), shares.begin() + team, 0.0);
  std::vector<Stretch> stretches;
  double until = 0;
  for (std::int64_t k = 0; k < team; ++k) {
    const bool leaves = ring || k > 0, takes = ring || k + 1 < team;
    const std::int64_t begin = k == 0 ? 0 : stretches.back().end, later = team - 1 - k;
    until += shares[static_cast<std::size_t>(k)] / all;
    const auto wanted = static_cast<std::int64_t>(std::llround(until * static_cast<double>(count))) - way;
    const std::int64_t end = later == 0 ? count : std::clamp(wanted, begin + least, std::max(begin + least, count - way - (least + way) * later));
    stretches.push_back({begin, end, leaves, takes});
  }
  return stretches;
}

/// Shares of threads that took so long for what they had: a little nearer to those with which they would have been ready together.
void even_out(std::vector<double>& shares, const std::vector<double>& spent, std::size_t team) {
  const double even = 1 / static_cast<double>(shares.size()), mean = std::accumulate(spent.begin(), spent.begin() + static_cast<std::ptrdiff_t>(team), 0.0) / static_cast<double>(team);
  for (std::size_t k = 0; k < team; ++k) {
    const double quicker = std::clamp(mean / spent[k], 0.8, 1.25);  // a thread that was held up once loses little
    shares[k] = std::clamp(shares[k] * (1 + 0.3 * (quicker - 1)), 0.5 * even, 2 * even);
  }
}

}  // namespace

/// Do steps run into each other here at all, and is the bed so large that it pays? Or are there several threads, whose territories then
/// have short borders that lie together in memory?
template <int D, class T>
bool Engine<D, T>::wants_slabs() const {
  if (!ahead || !kernels_.go_on || special_ || turning_ || angular_ || !nothing_between_steps()) return false;
  const bool shared = omp_get_max_threads() > 1 && static_cast<std::int64_t>(world_.grains.size()) >= small_system;
  return search_->reach() > 0 && (is_large() || shared) && !slabs_.sparse;
}
template <int D, class T>
bool Engine<D, T>::is_large() const {
  return static_cast<double>(world_.grains.size()) >= ahead_settings.from;
}

/// How far grains have moved since they were listed, along each axis: squares, added up.
template <int D, class T>
Vec<D, double> Engine<D, T>::moved_since_listed() const {
  const std::size_t n = world_.grains.size();
  Vec<D, double> moved{};
  if (x_listed_.size() != n || !wants_slabs() || slabs_.begin.size() < 2 || slabs_.begin.back() != n) return moved;
  constexpr std::size_t block = 8192;  // fixed, so that sums do not depend on threads
  std::vector<Vec<D, double>> sums((n + block - 1) / block);
#pragma omp parallel for schedule(static) if (parts_of(n) > 1)
  for (std::size_t b = 0; b < sums.size(); ++b)
    for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      const Vec<D, T> way = periods_.shortest(world_.state.x[i] - x_listed_[i]);
      for (int k = 0; k < D; ++k) sums[b][k] += static_cast<double>(way[k] * way[k]);
    }
  for (const auto& one : sums) moved += one;
  return moved;
}

/// The order of slabs, of strips within a slab, and of the third axis within both; false if grains are stored well enough. For threads to
/// share a bed that is not large, slabs alone, each along a curve.
template <int D, class T>
bool Engine<D, T>::order_in_slabs(const SearchInput<D, T>& in, const Vec<D, double>& moved) {
  const std::size_t n = in.x.size();
  T largest = T(0);
  for (std::size_t i = 0; i < n; ++i) largest = in.r[i] > largest ? in.r[i] : largest;
  const double wide = 2 * static_cast<double>(largest), slack = 0.1 * wide, width = wide + search_->reach() + slack;

  const bool large = is_large();
  const auto strayed = [&](const Slabs::Axis& axis, std::int64_t slab, const T& x) {
    if (axis.count == 1) return false;
    double d = static_cast<double>(x) - (axis.lo + static_cast<double>(slab) * axis.width);
    const double half = 0.5 * axis.width * static_cast<double>(axis.count);
    if (axis.ring && d > half) d -= 2 * half;
    if (axis.ring && d < -half) d += 2 * half;
    // whoever is beyond the ends of an open axis belongs to its first or last slab
    return (d < -0.5 * slack && (axis.ring || slab > 0)) || (d > axis.width + 0.5 * slack && (axis.ring || slab + 1 < axis.count));
  };
  if (slabs_.begin.size() > 1 && slabs_.begin.back() == n) {
    std::size_t strays = 0;
    const std::int64_t columns = slabs_.axis[0].count * slabs_.axis[1].count;
#pragma omp parallel for schedule(static) reduction(+ : strays)
    for (std::int64_t c = 0; c < columns; ++c)
      for (std::size_t i = slabs_.begin[static_cast<std::size_t>(c)]; i < slabs_.begin[static_cast<std::size_t>(c) + 1]; ++i)
        strays += strayed(slabs_.axis[0], c / slabs_.axis[1].count, in.x[i][slabs_.axis[0].k]) ||
                  (slabs_.strips > 1 && strayed(slabs_.axis[1], c % slabs_.axis[1].count, in.x[i][slabs_.axis[1].k]));
    // a few do no harm, unless they are listed across slabs that take their steps one by one
    if (slabs_.linked && strays <= (large ? n / 1000 : n / 32) && (large || ++slabs_.age < 8)) return false;
  }

  // Along an axis on which grains have moved far they would soon be in other slabs; of the others the longest comes first. Where slabs are
  // there for threads to share, a period counts half: two threads have two borders along it.
  std::array<Slabs::Axis, D> axes;
  for (int k = 0; k < D; ++k) {
    auto& axis = axes[static_cast<std::size_t>(k)];
    axis.k = k;
    axis.ring = periods_.length[k] > T(0);
    const auto [lo, hi] = axis.ring ? std::pair(world_.domain.lo[k], world_.domain.hi[k]) : bulk(in.x, k);
    const double extent = hi - lo;
    axis.lo = lo;
    axis.count = static_cast<std::int64_t>(std::clamp(extent / width, 1.0, static_cast<double>(std::max<std::size_t>(n / 8, 1))));
    axis.count = std::min<std::int64_t>(axis.count, 1 << 15);
    axis.width = extent > 0 ? extent / static_cast<double>(axis.count) : 1;
    axis.moves = moved[k] > static_cast<double>(n) * 0.25 * slack * slack;
  }
  std::stable_sort(axes.begin(), axes.end(), [&](const auto& a, const auto& b) {
    const auto slabs = [&](const auto& axis) { return large || !axis.ring ? 2 * axis.count : axis.count; };
    return a.moves != b.moves ? b.moves : slabs(a) > slabs(b);
  });
  if (!large) axes[1].count = 1;
  // columns of two grains or more
  const std::int64_t few = std::max<std::int64_t>(1, static_cast<std::int64_t>(n) / 2 / axes[0].count);
  if (few < axes[1].count) {
    axes[1].width *= static_cast<double>(axes[1].count) / static_cast<double>(few);
    axes[1].count = few;
  }
  slabs_.axis = {axes[0], axes[1]};
  slabs_.age = 0;

  const auto cell = [&](const Slabs::Axis& axis, std::size_t i) {
    const double u = std::floor((static_cast<double>(in.x[i][axis.k]) - axis.lo) / axis.width);
    return static_cast<std::uint64_t>(std::clamp(u, 0.0, static_cast<double>(axis.count - 1)));
  };
  std::vector<CurveItem> items(n);
  // within a column by height; within a slab that has none along a curve, so that neighbours are near each other in memory
  const int low = large ? (D == 3 ? 16 : 0) : 30;  // bits
  for_each_index(n, [&](std::size_t i) {
    std::uint64_t key = cell(axes[0], i) * static_cast<std::uint64_t>(axes[1].count) + (large ? cell(axes[1], i) : 0);
    if (!large) {
      std::array<std::uint64_t, D> c;
      for (std::size_t k = 0; k < D; ++k) {
        const double from = axes[k].lo + (k == 0 ? axes[0].width * static_cast<double>(key) : 0.0);
        c[k] = static_cast<std::uint64_t>(std::clamp((static_cast<double>(in.x[i][axes[k].k]) - from) / width, 0.0, 1023.0));
      }
      key = key << low | morton<D>(c);
    } else if constexpr (D == 3) {
      key = key << low | cell(axes[2], i);
    }
    items[i] = {key, static_cast<std::uint32_t>(i)};
  });
  const std::uint64_t columns = static_cast<std::uint64_t>(axes[0].count * axes[1].count);
  sort_by_key(items, low + std::bit_width(columns));
  order_.resize(n);
  slabs_.begin.assign(columns + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    order_[i] = items[i].index;
    ++slabs_.begin[(items[i].key >> low) + 1];
  }
  for (std::size_t c = 0; c < columns; ++c) slabs_.begin[c + 1] += slabs_.begin[c];
  return true;
}

/// After a list was made: how many steps at once the cache allows, and in how many strips, and whether pairs lead to
/// neighbouring slabs alone.
template <int D, class T>
void Engine<D, T>::plan_ahead() {
  const bool was_ahead = std::exchange(slabs_.most, 1) > 1;
  slabs_.linked = true;
  const std::size_t n = world_.grains.size();
  slabs_.sparse = rows_.partner.size() < n;  // in a gas there is too little to do in a slab
  if (!is_large() || !wants_slabs() || slabs_.begin.size() < 2 || slabs_.begin.back() != n) return;
  const Slabs::Axis& across = slabs_.axis[0];
  const Slabs::Axis& along = slabs_.axis[1];
  // of the grains alone: neither how many threads there are nor what the clock says must matter
  const double all = static_cast<double>(bytes_of_grains(false)), room = ahead_settings.cache;
  if (all <= room * 2 / 3) return;
  std::uint32_t fullest = 0;
  for (std::int64_t s = 0; s < across.count; ++s) {
    const auto at = static_cast<std::size_t>(s * along.count);
    fullest = std::max(fullest, slabs_.begin[at + static_cast<std::size_t>(along.count)] - slabs_.begin[at]);
  }
  const double slab = all * fullest / static_cast<double>(n);
  slabs_.strips = 1;
  const std::int64_t lag = 2;  // slabs from step to step
  std::int64_t most = std::min<std::int64_t>(static_cast<std::int64_t>(room / (static_cast<double>(lag) * slab)) - 1, across.count / 4);
  most = std::min(most, ahead_settings.most);
  if (most < std::min<std::int64_t>(4, ahead_settings.most)) {  // strips of what slabs of four steps take
    const std::int64_t steps = std::min({std::int64_t{4}, across.count / 4, along.count / 8, ahead_settings.most});
    const auto strips = static_cast<std::int64_t>(std::ceil(static_cast<double>(lag * steps + lag) * slab / room));
    if (steps > most && strips > 0 && along.count / strips >= 4) {
      most = steps;
      slabs_.strips = strips;
    }
  }
  if (most < 2) return;

  std::vector<std::uint16_t> slab_of(n), strip_of(n);
  for (std::int64_t c = 0; c < across.count * along.count; ++c)
    for (std::size_t i = slabs_.begin[static_cast<std::size_t>(c)]; i < slabs_.begin[static_cast<std::size_t>(c) + 1]; ++i) {
      slab_of[i] = static_cast<std::uint16_t>(c / along.count);
      strip_of[i] = static_cast<std::uint16_t>(c % along.count);
    }
  const auto apart = [](const Slabs::Axis& axis, int a, int b) {
    const int d = std::abs(a - b);
    return d > 1 && !(axis.ring && d == axis.count - 1);
  };
  bool linked = true;
#pragma omp parallel for schedule(static) reduction(&& : linked)
  for (std::size_t i = 0; i < n; ++i)
    for (std::uint32_t p = rows_.begin[i]; p < rows_.begin[i + 1]; ++p) {
      const std::uint32_t j = rows_.partner[p];
      linked = linked && !apart(across, slab_of[i], slab_of[j]) && !(slabs_.strips > 1 && apart(along, strip_of[i], strip_of[j]));
    }
  slabs_.linked = linked;
  if (!linked) return;
  slabs_.most = most;
  slabs_.bytes = slab / static_cast<double>(slabs_.strips);
  if (!was_ahead) pack_choice_.faster = {};  // what was faster step by step need not be so now
  slabs_.least_radius = std::numeric_limits<double>::infinity();
  for (const T& one : world_.grains.r) slabs_.least_radius = std::min(slabs_.least_radius, static_cast<double>(one));
}

/// How far grains will come in so many steps: as in the last one, and more by as much as it was more than the one before; twice that.
template <int D, class T>
StepWays<T> Engine<D, T>::foreseen_ways(std::int64_t steps) const {
  const auto ways = [&](T StepWays<T>::* way) {
    const T now = latest_.*way, before = before_latest_.*way, k = T(static_cast<double>(steps));
    const T grows = now > before ? now - before : T(0);
    return T(2) * (k * now + T(0.5) * k * (k + T(1)) * grows);
  };
  return {ways(&StepWays<T>::longest), ways(&StepWays<T>::apart)};
}

/// For how many steps, of `most`, will the list do?
template <int D, class T>
std::int64_t Engine<D, T>::foreseen(std::int64_t most) const {
  std::int64_t n = std::min(most, slabs_.most);
  if (n < 2 || forgiving_ || fault_) return 1;
  const T reach = T(search_->reach()), limit = reach * T(0.5), skin = reach * T(1 - 1e-9);
  for (; n > 1; n /= 2) {
    const auto [way, apart] = foreseen_ways(n);
    if (!(way <= farthest_ahead())) continue;
    // faults are to be seen at their step
    if (world_.domain.bounded && !(unchecked_ + way <= limit)) continue;
    if (!(largest_overlap + static_cast<double>(apart) / slabs_.least_radius < max_overlap_)) continue;
    if (travelled_ + way <= limit) break;
    if (parted_ + apart < skin && travelled_ + way <= bound_) break;
  }
  return n;
}

/// The evaluations and beginnings of so many steps, of which look() has seen to the first.
template <int D, class T>
void Engine<D, T>::run_ahead(const T& t, State<D, T>& s, const Task& task, Accelerations<D, T>& out, const T& by, const T& h, std::int64_t steps) {
  const std::size_t n = s.size();
  out.resize(n);
  begin_sweep(s, task, out.a);
  idle_ = {};  // rows are dealt out anew in each step
  const SweepView<D, T> contacts = sweep_view(s);
  const GatherView<D, T> sums = gather_view(t, true, out.a, out.alpha);
  const Borders borders = this->borders();
  const Vec<D, T> gravity = gravity_at(t);
  const GoOn<D, T> to{s.w.data(), records_.data(), by, h, borders.lo, borders.hi};
  const auto& axis = slabs_.axis;
  const std::int64_t strips = slabs_.strips, count = axis[0].count;
  slabs_.outside.assign(static_cast<std::size_t>(axis[0].count * axis[1].count), 1);
  const Course along{axis[1].count, axis[1].ring};
  const Scouting scouting = packs_.loaded ? scouting_for(foreseen_ways(steps).apart) : Scouting::watched;
  const T watched_for = packs_.far.gap - packs_.far.moved;

  // f(first column, last column) of a slab, for places from … until-1 of a step along the second axis
  const auto each_piece = [&](std::int64_t slab, std::int64_t step, std::int64_t from, std::int64_t until, const auto& f) {
    const std::int64_t base = slab * along.count;
    if (strips == 1) return f(base, base + along.count);
    if (from >= until) return;
    const std::int64_t first = along.column(step, from), length = until - from;
    const std::int64_t end = std::min(first + length, along.count);
    f(base + first, base + end);
    if (first + length > end) f(base, base + first + length - end);
  };
  const auto row_of = [&](std::int64_t column) { return static_cast<std::size_t>(slabs_.begin[static_cast<std::size_t>(column)]); };
  // What a sweep of a slab, and going on with it, will want. All at once: dealt out over the sweeps it gained nothing.
  const auto fetch_slab = [&](std::int64_t slab) {
    const auto first = packs_.window[window_at(row_of(slab * along.count))], last = packs_.window[window_at(row_of((slab + 1) * along.count))];
    const auto lanes = static_cast<std::size_t>(kernels_.lanes);
    const auto want = [](const auto& column, std::size_t each, std::size_t from, std::size_t until) {
      fetch_for_later(column.data() + each * from, each * (until - from) * sizeof column[0]);
    };
    const auto of_grains = [&](const auto& column, std::size_t each = 1) { want(column, each, first.row, last.row); };
    const auto of_slices = [&](const auto& column, std::size_t each = 1) { want(column, each, first.slice, last.slice); };
    const auto of_packs = [&](const auto& column, std::size_t each = 1) { want(column, each, packs_.begin[first.slice], packs_.begin[last.slice]); };
    const auto of_far = [&](const auto& column) { want(column, 1, packs_.far.begin[first.slice], packs_.far.begin[last.slice]); };
    of_grains(records_);
    if constexpr (D == 3) of_grains(s.w);
    of_grains(out.a);
    of_grains(out.alpha);
    of_grains(packs_.few, 4);
    of_grains(inverse_inertia_);
    of_grains(still_);
    of_slices(packs_.row, lanes);
    of_slices(packs_.length, lanes);
    of_packs(packs_.partner, lanes);
    of_packs(packs_.touch);
    if (springs_) of_packs(packs_.zeta, lanes * static_cast<std::size_t>(spring_size<D>));
    of_packs(packs_.back, lanes);
    of_far(packs_.far.owner);
    of_far(packs_.far.partner);
  };
  const auto sweep_piece = [&](Worker& worker, std::int64_t step, std::int64_t from, std::int64_t until) {
    const std::size_t a = row_of(from), b = row_of(until);
    if (a == b) return;
    if (packs_.loaded) {
      Errands none;
      sweep_windows(worker, s, task, window_at(a), window_at(b), step == 0 ? scouting : Scouting::watched, &none, out.a, out.alpha);
    } else {
      worker.idle_from = worker.idle_to = n;  // what it knows of zeros is not of these rows
      sweep_pairs(worker, s, task, contacts, a, b, out.a, out.alpha);
    }
    sweep_walls(worker, s, task, contacts, a, b, out.a, out.alpha);
    book(worker.orphans, s);
    worker.orphans.clear();
  };
  const auto go_on_piece = [&](Ways<D, T>& box, std::int64_t column, std::int64_t end) {
    while (column < end) {
      std::int64_t next = column;
      bool outside = false;
      const std::size_t first = row_of(column);
      do outside |= slabs_.outside[static_cast<std::size_t>(next++)] != 0;
      while (next < end && row_of(next + 1) - first <= grain_block);
      const std::size_t last = row_of(next);
      if (periods_.any && outside) wrap_records(borders, gravity, s, first, last);
      if (packs_.loaded) packs_.renew_few(first, last);
      const Gone<D, T> gone = kernels_.go_on(sums, to, first, last);
      box.add(gone.ways.lo, gone.ways.hi);
      if constexpr (std::is_same_v<T, double>) turn(s, s.w, h, first, last);
      std::fill(slabs_.outside.begin() + column, slabs_.outside.begin() + next, static_cast<std::uint8_t>(gone.outside));
      column = next;
    }
  };

  const int threads = static_cast<std::int64_t>(n) < small_system ? 1 : omp_get_max_threads();
  std::int64_t begun = 0, pass = steps_in_pass(slabs_, steps, threads);  // steps before this pass, and in it

  struct alignas(128) Progress {
    std::atomic<std::int64_t> done = 0;  // times that this thread has left behind, of all strips
  };
  std::vector<Progress> progress;
  std::vector<Stretch> stretches;
  std::size_t team = 1;
  std::vector<double> spent(static_cast<std::size_t>(threads));
  if (slab_shares_.size() != spent.size()) slab_shares_.assign(spent.size(), 1 / static_cast<double>(threads));
  const auto run_stretch = [&](std::size_t me) {
    const Stretch own = stretches[me];
    const std::size_t after = (me + 1) % team;
    const std::int64_t times = own.times(pass), times_after = stretches[after].times(pass);
    Worker& worker = *workers_[me];
    const auto began = Clock::now();
    double going = 0;
    for (std::int64_t strip = 0; strip < strips; ++strip) {
      const bool last_strip = strip + 1 == strips;
      // the border of this strip and the one before it (side 0) or after it, for sweeps of a step
      const auto border = [&](std::int64_t step, int side) {
        const std::int64_t k = strip + side;
        if (k == 0) return std::int64_t{0};
        return std::clamp<std::int64_t>(along.count * k / strips - along.lag() * step, 0, along.count);
      };
      // Until the next thread has swept a slab.
      const auto wait_for_sweep = [&](std::int64_t slab, std::int64_t step, std::int64_t later = 0) {
        if (team > 1) wait_for(progress[after].done, strip * times_after + slab - own.end + 2 * step + later + 1);
      };
      const auto wait_for_going_on = [&](std::int64_t slab, std::int64_t step) { wait_for_sweep(slab, step, 1); };
      for (std::int64_t time = 0; time < times; ++time) {
        for (std::int64_t step = 0; packs_.loaded && strips == 1 && step < pass; ++step) {
          const std::int64_t slab = own.begin + time + 1 - 2 * step;
          if (own.sees_first(slab, step)) fetch_slab(slab % count);
        }
        for (std::int64_t step = 0; step < pass; ++step) {
          const std::int64_t slab = own.begin + time - 2 * step;
          if (own.sweeps(slab, step)) {
            if (step > 0 && own.takes && slab >= own.last(step - 1)) wait_for_going_on(slab + 1, step - 1);
            each_piece(slab % count, step, border(step, 0), last_strip ? along.count : border(step, 1),
                       [&](std::int64_t from, std::int64_t until) { sweep_piece(worker, begun + step, from, until); });
          }
          if (own.goes_on(slab - 1, step)) {
            if (own.takes && slab >= own.last(step)) wait_for_sweep(slab, step);
            const auto start = Clock::now();
            const std::int64_t first = along.first_to_go_on();
            Ways<D, T>& box = ahead_ways_[me * static_cast<std::size_t>(steps) + static_cast<std::size_t>(begun + step)];
            each_piece((slab - 1) % count, step, strip == 0 ? first : std::max(first, border(step, 0) - 1),
                       last_strip ? along.end_of_going_on() : std::max(first, border(step, 1) - 1),
                       [&](std::int64_t from, std::int64_t until) { go_on_piece(box, from, until); });
            going += since(start);
          }
        }
        progress[me].done.store(strip * times + time + 1, std::memory_order_release);
        progress[me].done.notify_all();
      }
    }
    spent[me] = since(began);
    if (me == 0) {  // waiting counts as sweeping
      phases.sweep += since(began) - going;
      phases.gather += going;
    }
  };
  ahead_ways_.assign(static_cast<std::size_t>(threads * steps), Ways<D, T>::none());  // of each thread, step by step
  for (; begun < steps; begun += pass) {
    pass = std::min(pass, steps - begun);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp single
      {
        stretches = deal_out(count, axis[0].ring, pass, omp_get_num_threads(), slab_shares_);  // there may be fewer than we want
        team = stretches.size();
        progress = std::vector<Progress>(team);
      }
      if (const auto me = static_cast<std::size_t>(omp_get_thread_num()); me < team) run_stretch(me);
    }
    if (team > 1) even_out(slab_shares_, spent, team);
  }
  note_overlaps();
  evaluations += steps - 1;
  at_once += steps;
  if (packs_.loaded) packed += steps;
  for (Territory& one : territory_) std::fill(one.outside.begin(), one.outside.end(), std::uint8_t{1});
  behind_ = &s;

  // What each step has come; that of the last is for the next look().
  StepWays<T> path{};
  for (std::int64_t step = 0; step < steps; ++step) {
    ways_.clear();
    for (std::size_t k = 0; k < static_cast<std::size_t>(threads); ++k) ways_.push_back(ahead_ways_[k * static_cast<std::size_t>(steps) + static_cast<std::size_t>(step)]);
    if (step + 1 < steps) add_ways();
    const StepWays<T> way = step_ways();
    path.longest += way.longest;
    path.apart += way.apart;
  }
  recorded_ = true;
  check_foreseen(path, steps);
  if (packs_.loaded && !(path.apart < watched_for * T(1 - 1e-9))) check_watched(path, steps);
}

/// Was the list good for all of the steps? `path`: what they add up to.
template <int D, class T>
void Engine<D, T>::check_foreseen(const StepWays<T>& path, std::int64_t steps) {
  const T reach = T(search_->reach()), limit = reach * T(0.5), skin = reach * T(1 - 1e-9);
  const bool near = path.longest <= farthest_ahead();  // as packs take for granted, and so for everybody
  if (near && (travelled_ <= limit || (parted_ < skin && travelled_ <= bound_))) return;
  // At any of them a grain was no farther than `path` from where it is now.
  const T way = longest_way() + path.longest;
  if (near && way <= limit) return;
  if (near && way < T(std::numeric_limits<double>::infinity()) && !(room_at_first() < reach)) {
    const auto kept = std::tuple(travelled_, parted_, bound_);
    travelled_ = way;
    measure_flow();
    const bool good = parted_ + path.apart < skin && way + path.longest <= bound_;
    std::tie(travelled_, parted_, bound_) = kept;
    if (good) return;
  }
  blame_the_farthest(steps);
}

/// Some grain was hurled so far that the steps which went at once cannot be vouched for: the one that has come farthest is named.
template <int D, class T>
void Engine<D, T>::blame_the_farthest(std::int64_t steps) {
  if (fault_) return;
  catch_up();
  check(world_.state);
  if (fault_) return;
  std::size_t worst = 0;
  T most = T(-1);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const T one = norm2(periods_.shortest(records_[i].x - x_listed_[i]));
    if (one > most || (one == most && world_.grains.id[i] < world_.grains.id[worst])) {
      most = one;
      worst = i;
    }
  }
  fault_ = GrainFault{fmt::format("grain {} was hurled so fast within {} steps that it may have missed a contact (the step may be too "
                                  "large; run.ahead = false goes step by step)", world_.grains.id[worst], steps)};
}

/// Were the watched far pairs all that could touch? Of the others none was nearer at any of the steps than its gap now less what grains
/// have parted.
template <int D, class T>
void Engine<D, T>::check_watched(const StepWays<T>& path, std::int64_t steps) {
  bool good = path.apart < T(std::numeric_limits<double>::infinity());
  if (good) {
    const PackView<D, T> view = far_view();
    const auto& far = packs_.far;
    std::vector<std::uint32_t> near;
    for (std::size_t w = 0; good && w + 1 < packs_.window.size(); ++w) {
      const std::uint32_t begin = far.begin[packs_.window[w].slice] + far.watched[w], end = far.begin[packs_.window[w + 1].slice];
      near.resize(std::max<std::size_t>(near.size(), end - begin));
      good = kernels_.scout(view, begin, end, path.apart * T(1 + 1e-9), near.data()) == 0;
    }
  }
  if (!good) blame_the_farthest(steps);
}

#define SCREE_INSTANTIATE(D, T)                                                                                      \
  template Vec<D, double> Engine<D, T>::moved_since_listed() const;                                                  \
  template bool Engine<D, T>::order_in_slabs(const SearchInput<D, T>&, const Vec<D, double>&);                       \
  template bool Engine<D, T>::wants_slabs() const;                                                                   \
  template bool Engine<D, T>::is_large() const;                                                                      \
  template void Engine<D, T>::plan_ahead();                                                                          \
  template std::int64_t Engine<D, T>::foreseen(std::int64_t) const;                                                  \
  template void Engine<D, T>::run_ahead(const T&, State<D, T>&, const Task&, Accelerations<D, T>&, const T&, const T&, std::int64_t);
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
