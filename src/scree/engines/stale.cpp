// SPDX-License-Identifier: BSD-3-Clause
/// Is the list of pairs still good?
///
/// A pair that is not listed had a gap of a skin or more when the list was made. It cannot touch before its two grains have come
/// that far with respect to each other: |Δ_i - Δ_j| < skin will do, Δ being the way of a grain since then. Three bounds on that,
/// from the cheapest to the best:
///
///   1. No grain has moved half a skin. The longest way in each step is known for the price of copying; only when these add
///      up to half a skin is everybody's way looked at.
///   2. The box of all ways in a step has a diagonal, and no two grains can have come farther with respect to each other.
///      It adds up over the steps.
///   3. Grains that flow side by side move alike, though they move far. Bins as wide as two grains, what any two may have
///      parted and a skin hold, for where grains were, the boxes of their ways; a bin and those around it bound |Δ_i - Δ_j| of all
///      pairs that could come to touch. Others are too far from each other.
///
/// In a chute the third holds three times as long as the first, so a third of the skin does. Walls are grains that stand
/// still: who is not listed with a wall has its gap looked at. With walls that move, or are not the same all along a period, the
/// first bound alone counts.
///
/// What is listed changes no bit, so all of this may be chosen by cost.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/parallel.hpp"
#include "scree/core/reals.hpp"
#include "scree/engines/engine.hpp"

namespace scree {
namespace {

/// The diagonal of a box.
template <int D, class T>
T diagonal(const Ways<D, T>& box) {
  return norm(box.hi - box.lo);
}

/// The corner of a box that is farthest from where nothing has moved: its distance, squared.
template <int D, class T>
T longest2(const Ways<D, T>& box) {
  Vec<D, T> most;
  for (int k = 0; k < D; ++k) most[k] = box.hi[k] > -box.lo[k] ? box.hi[k] : -box.lo[k];
  return norm2(most);
}
template <int D, class T>
T longest(const Ways<D, T>& box) {
  return sqrt(longest2(box));
}

/// Bins over the places where grains were when the list was made: so wide that grains in bins that do not touch each other
/// are farther apart than `width`.
template <int D, class T>
class Bins {
 public:
  Bins(const Ways<D, T>& places, const Periods<D, T>& periods, const Domain<D>& domain, double width, std::size_t most) {
    std::array<double, D> extent;
    for (int k = 0; k < D; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      periodic_[axis] = periods.length[k] > T(0);
      lo_[k] = periodic_[axis] ? domain.lo[k] : static_cast<double>(places.lo[k]);
      extent[axis] = periodic_[axis] ? static_cast<double>(periods.length[k]) : static_cast<double>(places.hi[k] - places.lo[k]);
    }
    for (; count(extent, width) > static_cast<double>(std::max<std::size_t>(most, 1)); width *= 1.25) {}
    for (std::size_t k = 0; k < D; ++k) {
      count_[k] = static_cast<std::int64_t>(along(extent[k], width));
      inverse_[k] = extent[k] > 0 ? static_cast<double>(count_[k]) / extent[k] : 0.0;
      size_ *= static_cast<std::size_t>(count_[k]);
    }
  }
  std::size_t size() const { return size_; }
  std::size_t of(const Vec<D, T>& x) const {
    std::size_t at = 0;
    for (std::size_t k = 0; k < D; ++k) {
      const double place = (static_cast<double>(x[static_cast<int>(k)]) - lo_[static_cast<int>(k)]) * inverse_[k];
      auto c = static_cast<std::int64_t>(place) - std::int64_t{place < 0};
      if (periodic_[k]) c = c < 0 ? c + count_[k] : (c >= count_[k] ? c - count_[k] : c);  // a stage may look a little outside
      at = at * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(std::clamp<std::int64_t>(c, 0, count_[k] - 1));
    }
    return at;
  }
  /// f(bin) for a bin and half of those that touch it, so that all bins together name each two once; some come twice where there are few.
  template <class F>
  void around(std::size_t bin, const F& f) const {
    std::array<std::int64_t, D> at;
    for (std::size_t k = D; k-- > 0;) {
      at[k] = static_cast<std::int64_t>(bin % static_cast<std::size_t>(count_[k]));
      bin /= static_cast<std::size_t>(count_[k]);
    }
    int offsets = 1;
    for (int k = 0; k < D; ++k) offsets *= 3;
    for (int o = offsets / 2; o < offsets; ++o) {
      std::size_t other = 0;
      bool there = true;
      for (std::size_t k = 0, rest = static_cast<std::size_t>(o); k < D; ++k, rest /= 3) {
        std::int64_t c = at[k] + static_cast<std::int64_t>(rest % 3) - 1;
        if (periodic_[k]) c = (c + count_[k]) % count_[k];
        there &= c >= 0 && c < count_[k];
        other = other * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(std::max<std::int64_t>(c, 0));
      }
      if (there) f(other);
    }
  }

 private:
  static double along(double extent, double width) { return std::max(1.0, std::floor(extent / width)); }
  static double count(const std::array<double, D>& extent, double width) {
    double all = 1;
    for (const double one : extent) all *= along(one, width);
    return all;
  }
  std::array<bool, D> periodic_;
  std::array<std::int64_t, D> count_;
  std::array<double, D> inverse_;
  Vec<D, double> lo_;
  std::size_t size_ = 1;
};

}  // namespace

/// How far a grain may go from where it was listed before it meets a wall that it is not listed with: a skin, of which a wall
/// that moves may take half. A wall that is not the same all along the periods is met at once by who comes back at the other
/// side, so there it is half a skin, too.
template <int D, class T>
T Engine<D, T>::room_at_first() const {
  if (walls_.empty()) return T(std::numeric_limits<double>::infinity());
  bool whole = true;
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    whole &= !walls_move_[k] && (!periods_.any || walls_[k].kind == WallKind::plane);
    for (int a = 0; a < D; ++a) whole &= !(periods_.length[a] > T(0)) || walls_[k].normal[a] == T(0);
  }
  return T(search_->reach()) * T(whole ? 1.0 : 0.5);
}

template <int D, class T>
void Engine<D, T>::begin_journey() {
  travelled_ = parted_ = unchecked_ = T(0);
  bound_ = room_at_first();
  places_ = Ways<D, T>::none();
}

template <int D, class T>
Ways<D, T> Engine<D, T>::record(const State<D, T>& s, std::size_t first, std::size_t last) {
  return kernels_.record(s.x.data() + first, s.v.data() + first, s.w.data() + first, records_.data() + first, last - first);
}

/// Takes over the places, unless the last step did.
template <int D, class T>
void Engine<D, T>::take_places(const State<D, T>& s) {
  if (!std::exchange(recorded_, false)) {
    const std::size_t parts = parts_of(s.size());
    ways_.assign(parts, Ways<D, T>::none());
    for_each_part(s.size(), parts, [&](std::size_t k, std::size_t first, std::size_t last) { ways_[k] = record(s, first, last); });
  }
  add_ways();
}

/// Of all threads.
template <int D, class T>
StepWays<T> Engine<D, T>::step_ways() const {
  auto all = Ways<D, T>::none();
  for (const Ways<D, T>& one : ways_) all.add(one.lo, one.hi);
  return {longest(all), diagonal(all)};
}

template <int D, class T>
void Engine<D, T>::add_ways() {
  before_latest_ = latest_.known() ? latest_ : StepWays<T>{};
  latest_ = step_ways();
  travelled_ += latest_.longest;
  unchecked_ += latest_.longest;
  parted_ += latest_.apart;
  packs_.far.moved += latest_.apart;
}

template <int D, class T>
bool Engine<D, T>::stale(const State<D, T>& s) {
  if (s.size() == 0) return false;
  take_places(s);
  const T reach = T(search_->reach());
  T limit = reach * T(0.5);
  if (sheared_) {  // across the border the image's way counts too
    const T gone = tilt_.way - way_listed_;
    limit -= (gone < T(0) ? -gone : gone) * T(0.5);
  }
  if (!(limit > T(0))) return true;
  // whoever flies alone needs no new list, but must not fly away
  if (world_.domain.bounded && !forgiving_ && unchecked_ > limit) {
    catch_up();
    check(s);
    unchecked_ = T(0);
  }
  // arms grow with the ways of grains, and by a period with those who come back at the other side
  const T extent = extent_ + travelled_ + norm(periods_.length);
  for (std::size_t k = 0; k < walls_.size(); ++k)
    if (walls_move_[k] && !(displacement(walls_listed_[k], walls_[k], extent) <= limit)) return true;
  if (travelled_ <= limit) return false;
  const T skin = reach * T(1 - 1e-9);  // sums are rounded
  if (!sheared_ && parted_ < skin && travelled_ <= bound_) return false;

  travelled_ = longest_way();
  if (travelled_ <= limit) {  // some have come back, or the sum over steps was too cautious: as if all had gone so far at once
    parted_ = travelled_ * T(2);
    bound_ = room_at_first();
    return false;
  }
  if (sheared_ || !(travelled_ < T(std::numeric_limits<double>::infinity())) || room_at_first() < reach) return true;
  if (shy_ > 0) {
    --shy_;
    return true;
  }
  measure_flow();
  // what would be used up in a step or two is not worth another look
  const bool over = !(parted_ < skin * T(0.92)) || !(travelled_ + limit * T(0.1) < bound_);
  if (over && travelled_ < limit * T(1.2)) shy_ = 8;  // at the first look: here neighbours do not move alike
  return over;
}

/// Of a grain since the list was made; infinite if some place is not a number.
template <int D, class T>
T Engine<D, T>::longest_way() {
  const std::size_t parts = parts_of(records_.size());
  flow_.resize(parts);
  const bool binned = bins_.of.size() == records_.size();
  for_each_part(records_.size(), parts, [&](std::size_t k, std::size_t first, std::size_t last) {
    Flow& own = flow_[k];
    if (binned) own.ways.assign(bins_.count, BinOfWays<D, T>::none());
    own.all = kernels_.travel(records_.data() + first, x_listed_.data() + first, periods_.length, binned ? bins_.of.data() + first : nullptr, own.ways.data(), last - first);
  });
  T most = T(0);
  auto box = Ways<D, T>::none();
  for (const Flow& one : flow_) {
    most = one.all.longest2 > most ? one.all.longest2 : most;
    box.add(one.all.box.lo, one.all.box.hi);
  }
  spread_ = diagonal(box);
  return sqrt(most);
}

/// How far a grain may go on, after the way it has come, before it touches a wall that it is not listed with. Walls stand still.
template <int D, class T>
T Engine<D, T>::room_at_walls(std::size_t i, const T& way) const {
  const Grains<D, T>& g = world_.grains;
  const T reach = T(search_->reach());
  T room = T(std::numeric_limits<double>::infinity());
  if (g.held[i] || !present_[i]) return room;
  std::uint32_t q = wall_begin_[i];
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    if (q < wall_begin_[i + 1] && wall_partner_[q] == k) {
      ++q;
      continue;
    }
    T gap = reach - way;  // it was a skin or more
    if (gap < reach * T(0.5)) {
      const T now = meet(walls_[k], records_[i].x).distance - g.r[i];
      gap = now > gap ? now : gap;
    }
    room = gap < room ? gap : room;
  }
  return room;
}

/// The third bound, and what is left at walls. Asked after longest_way().
template <int D, class T>
void Engine<D, T>::measure_flow() {
  const Grains<D, T>& g = world_.grains;
  const std::size_t n = g.size();
  const std::size_t parts = parts_of(n);
  if (!(places_.lo[0] <= places_.hi[0])) {
    places_ = Ways<D, T>::none();
    largest_ = T(0);
    for (std::size_t i = 0; i < n; ++i) {
      places_.add(x_listed_[i], x_listed_[i]);
      largest_ = g.r[i] > largest_ ? g.r[i] : largest_;
    }
  }
  // no two grains have parted farther than `spread`, nor will by another skin before the list is stale
  const auto lay = [&](const T& spread) {
    const double width = 2 * static_cast<double>(largest_) + static_cast<double>(spread) + search_->reach();
    return Bins<D, T>(places_, periods_, world_.domain, width, n / 10);
  };
  const bool keeps = !is_large();  // for the next look; in a large bed that would be memory
  if (bins_.of.size() != n || !(spread_ <= bins_.spread)) {
    // ways will be longer before the list ends
    bins_.spread = spread_ * T(keeps ? (bins_.of.empty() ? 2.5 : 1.5) : 1.0);
    const auto bins = lay(bins_.spread);
    bins_.count = bins.size();
    bins_.of.resize(n);
    for_each_index(n, [&](std::size_t i) { bins_.of[i] = static_cast<std::uint32_t>(bins.of(x_listed_[i])); });
    longest_way();
  }
  const auto bins = lay(bins_.spread);
  if (!walls_.empty())
    for_each_part(n, parts, [&](std::size_t k, std::size_t first, std::size_t last) {
      T room = T(std::numeric_limits<double>::infinity());
      for (std::size_t i = first; i < last; ++i) {
        const T own = room_at_walls(i, norm(periods_.shortest(records_[i].x - x_listed_[i])));
        room = own < room ? own : room;
      }
      flow_[k].room = room;
    });
  // the boxes of all threads, in those of the first one
  for_each_part(bins.size(), parts, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t k = 1; k < flow_.size(); ++k)
      for (std::size_t b = first; b < last; ++b) flow_[0].ways[b].add(flow_[k].ways[b]);
  });
  for_each_part(bins.size(), parts, [&](std::size_t part, std::size_t first, std::size_t last) {
    const auto& ways = flow_[0].ways;
    T most = T(0);
    for (std::size_t b = first; b < last; ++b) {
      const Ways<D, T> here = ways[b].box();
      if (!(here.lo[0] <= here.hi[0])) continue;
      bins.around(b, [&](std::size_t other) {
        const Ways<D, T> there = ways[other].box();
        if (!(there.lo[0] <= there.hi[0])) return;
        Ways<D, T> apart;  // from the way of one here to the way of one there
        apart.hi = there.hi - here.lo;
        apart.lo = there.lo - here.hi;
        const T one = longest2(apart);
        most = one > most ? one : most;
      });
    }
    flow_[part].apart2 = most;
  });
  T apart2 = T(0), left = T(std::numeric_limits<double>::infinity());
  for (const Flow& one : flow_) {
    apart2 = one.apart2 > apart2 ? one.apart2 : apart2;
    if (!walls_.empty()) left = one.room < left ? one.room : left;
  }
  if (!keeps) {
    bins_ = {};
    flow_ = {};
  }
  parted_ = sqrt(apart2);
  bound_ = travelled_ + left;
}

#define SCREE_INSTANTIATE(D, T)                                                                                          \
  template void Engine<D, T>::begin_journey();                                                                           \
  template Ways<D, T> Engine<D, T>::record(const State<D, T>&, std::size_t, std::size_t);                                \
  template bool Engine<D, T>::stale(const State<D, T>&);                                                                 \
  template StepWays<T> Engine<D, T>::step_ways() const;                                                                  \
  template void Engine<D, T>::add_ways();                                                                                \
  template T Engine<D, T>::longest_way();                                                                                \
  template void Engine<D, T>::measure_flow();
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
