// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/cells.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "scree/core/errors.hpp"
#include "scree/neighbours/curve.hpp"

namespace scree {
namespace {

constexpr std::uint32_t nowhere = 0xFFFFFFFF;  // the cell of a grain that is absent

std::int64_t floor_of(double u) {
  const auto t = static_cast<std::int64_t>(u);
  return t - (u < static_cast<double>(t));
}

/// Which cells of an axis lie within w of u: `count` of them from `first`, which may be negative
/// or beyond the end where the axis is periodic. `all`: the whole circle, each cell once.
struct Reach {
  std::int64_t first, count;
  bool all;
};
Reach within(std::int64_t cells, bool periodic, double u, double w) {
  if (periodic) {
    const std::int64_t a = floor_of(u - w), n = floor_of(u + w) - a + 1;
    return n <= cells ? Reach{a, n, false} : Reach{0, cells, true};
  }
  const double last = static_cast<double>(cells - 1);
  const auto a = static_cast<std::int64_t>(std::clamp(u - w, 0.0, last));
  const auto b = static_cast<std::int64_t>(std::clamp(u + w, 0.0, last));
  return {a, b - a + 1, false};
}

/// Distance from u to the cell [c, c + 1].
double gap(double u, std::int64_t c) {
  const auto low = static_cast<double>(c);
  return std::max({low - u, u - (low + 1), 0.0});
}

}  // namespace

template <int D> void CellExtent<D>::add(const CellExtent& b) {
  for (std::size_t k = 0; k < lo.size(); ++k) {
    lo[k] = std::min(lo[k], b.lo[k]);
    hi[k] = std::max(hi[k], b.hi[k]);
  }
  r_max = std::max(r_max, b.r_max);
  r_sum += b.r_sum;
  grains += b.grains;
  bad = std::min(bad, b.bad);
}

template <int D, class T> CellExtent<D> Cells<D, T>::measure(const SearchInput<D, T>& in) {
  constexpr std::size_t block = 8192;  // fixed, so that r_sum does not depend on threads
  const std::size_t n = in.x.size(), blocks = (n + block - 1) / block;
  extents_.resize(blocks);
#pragma omp parallel for num_threads(threads_for(n)) schedule(static)
  for (std::size_t b = 0; b < blocks; ++b) {
    CellExtent<D> e;
    for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      if (!in.present[i]) continue;
      const auto x = convert<double>(in.x[i]);
      const auto r = static_cast<double>(in.r[i]);
      if (!is_finite(x)) e.bad = std::min(e.bad, i);
      for (int k = 0; k < D; ++k) {
        auto& lo = e.lo[static_cast<std::size_t>(k)];
        auto& hi = e.hi[static_cast<std::size_t>(k)];
        lo = x[k] < lo ? x[k] : lo;
        hi = x[k] > hi ? x[k] : hi;
      }
      e.r_max = r > e.r_max ? r : e.r_max;
      e.r_sum += r;
      ++e.grains;
    }
    extents_[b] = e;
  }
  CellExtent<D> all;
  for (const CellExtent<D>& e : extents_) all.add(e);
  if (all.bad < n)
    throw RunError("the position of grain " + std::to_string(in.id[all.bad]) + " is not finite");
  return all;
}

template <int D, class T> double Cells<D, T>::side(const CellExtent<D>& e) const {
  const double mean = e.grains ? e.r_sum / static_cast<double>(e.grains) : 0;
  const double s = std::max(4 * mean + 2 * skin_, 2 * e.r_max + skin_);
  return s > 0 ? s : 1;
}

template <int D, class T>
void Cells<D, T>::lay_grid(const SearchInput<D, T>& in, const CellExtent<D>& e) {
  r_max_ = e.r_max;
  const auto grains = static_cast<double>(e.grains);
  std::array<double, D> length{};
  length_ = Periods<D, T>(in.domain).length;
  double longest = 0;
  for (std::size_t k = 0; k < length.size(); ++k) {
    const int a = static_cast<int>(k);
    grid_.periodic[k] = in.domain.periodic[k];
    grid_.origin[k] = grid_.periodic[k] ? in.domain.lo[a] : (e.grains ? e.lo[k] : 0);
    length[k] =
        grid_.periodic[k] ? in.domain.hi[a] - in.domain.lo[a] : (e.grains ? e.hi[k] - e.lo[k] : 0);
    longest = std::max(longest, length[k]);
  }
  margin_ = longest * 0x1p-48;
  const double s = std::max(side(e), 16 * margin_);

  // As many slices along x as O(N) entries allow; not even one: hash.
  const double limit = std::min(8 * grains + 64, 0x1p31);
  for (const int slices : {8, 4, 2, 1}) {
    double entries = 1;
    for (std::size_t k = 0; k < length.size(); ++k) {
      const double side = k == 0 ? s / slices : s;
      const double cells = std::floor(length[k] / side);
      const double count = grid_.periodic[k] ? std::max(cells, 1.0) : cells + 1;
      grid_.count[k] = static_cast<std::int64_t>(count);
      grid_.side[k] = grid_.periodic[k] ? length[k] / count : side;
      grid_.inverse[k] = 1 / grid_.side[k];
      entries *= count;
    }
    grid_.hashed = entries > limit;
    grid_.entries =
        grid_.hashed ? std::bit_ceil(4 * e.grains + 16) : static_cast<std::size_t>(entries);
    if (!grid_.hashed) break;
  }
}

template <int D, class T> std::array<double, D> Cells<D, T>::place(const Vec<D, T>& x) const {
  std::array<double, D> u;
  for (int k = 0; k < D; ++k) {
    const auto a = static_cast<std::size_t>(k);
    u[a] = static_cast<double>(x[k] - T(grid_.origin[a])) * grid_.inverse[a];
  }
  return u;
}

/// Counting sort. Within a cell the order depends on who came first, which no row can tell: rows
/// are sorted.
template <int D, class T> void Cells<D, T>::sort_into_cells(const SearchInput<D, T>& in) {
  const std::size_t n = in.x.size();
  const int threads = threads_for(n);
  const Counters counters(threads);
  item_.resize(n);
  starts_.assign(grid_.entries + 1, 0);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    item_[i] = nowhere;
    if (!in.present[i]) continue;
    const auto u = place(in.x[i]);
    std::size_t c = grid_.row(grid_.cell(1, u[1]), D == 3 ? grid_.cell(D - 1, u[D - 1]) : 0) +
                    static_cast<std::size_t>(grid_.cell(0, u[0]));
    if (grid_.hashed) c &= grid_.entries - 1;
    item_[i] = static_cast<std::uint32_t>(c);
    counters.add(starts_[c], 1);
  }
  accumulate(starts_, sums_, threads);
  items_.resize(starts_.back());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    if (item_[i] != nowhere) {
      item_[i] = counters.add(starts_[item_[i]], -1U);
      items_[item_[i]] = {in.x[i], in.r[i], pair_key(in.id[i], i)};
    }
}

/// Calls visit(first, last, shift) for every run of items in which partners of a grain may be: all
/// of them, or those that follow it. The run is seen in the image that `shift` leads to.
template <int D, class T> template <bool Wraps, bool Forward, class Visit>
void Cells<D, T>::walk(const Vec<D, T>& x, const T& r, std::uint32_t item, Visit&& visit) const {
  const CellGrid<D>& g = grid_;
  auto u = place(x);
  if constexpr (Wraps)
    for (std::size_t k = 0; k < u.size(); ++k)
      if (g.periodic[k]) u[k] = std::clamp(u[k], 0.0, static_cast<double>(g.count[k]));
  const double reach = (static_cast<double>(r) + r_max_ + skin_) * (1 + 0x1p-18) + margin_;
  const double reach2 = reach * reach;

  Vec<D, T> shift{};
  // The cell of the box that is seen as cell c of axis k.
  const auto image = [&](std::size_t k, std::int64_t c) {
    if constexpr (Wraps) {
      const int a = static_cast<int>(k);
      shift[a] = c < 0 ? -length_[a] : (c >= g.count[k] ? length_[a] : T(0));
      c = c < 0 ? c + g.count[k] : (c >= g.count[k] ? c - g.count[k] : c);
    }
    return c;
  };
  // Cells a .. b of the row that starts at `base`; a hashed row may pass the end of the table.
  const auto run = [&](std::size_t base, std::int64_t first, std::int64_t end) {
    std::size_t a = base + static_cast<std::size_t>(first),
                b = base + static_cast<std::size_t>(end);
    if (!Forward && g.hashed) {
      b -= a & ~(g.entries - 1);
      a &= g.entries - 1;
      if (b > g.entries) {
        visit(starts_[a], starts_[g.entries], shift);
        a = 0;
        b -= g.entries;
      }
    }
    visit(starts_[a], starts_[b], shift);
  };
  const auto scan_row = [&](std::int64_t y, std::int64_t z, double gap2) {
    const std::int64_t cells = g.count[0];
    const Reach along =
        within(cells, Wraps && g.periodic[0], u[0], sqrt(reach2 - gap2) * g.inverse[0]);
    const std::int64_t end = along.first + along.count;
    const std::size_t base = g.row(y, z);
    if constexpr (Wraps) {
      if (along.first < 0) run(base, image(0, along.first), cells);
      if (end > cells) run(base, 0, image(0, end - 1) + 1);
      shift[0] = T(0);
    }
    run(base, std::max(along.first, std::int64_t{0}), std::min(end, cells));
  };
  // What follows in the grain's own row.
  const auto scan_own_row = [&](std::int64_t y, std::int64_t z) {
    const std::int64_t cells = g.count[0];
    const Reach along = within(cells, Wraps && g.periodic[0], u[0], reach * g.inverse[0]);
    const std::int64_t end = along.first + along.count;
    const std::size_t base = g.row(y, z);
    if constexpr (Wraps) {
      if (end > cells) run(base, 0, image(0, end - 1) + 1);
      shift[0] = T(0);
    }
    visit(item + 1, starts_[base + static_cast<std::size_t>(std::min(end, cells))], shift);
  };
  // Calls f(cell, gap², whether it is the grain's own) for the cells of axis k in reach.
  const auto across = [&](std::size_t k, bool forward, auto&& f) {
    const Reach cells = within(g.count[k], Wraps && g.periodic[k], u[k], reach * g.inverse[k]);
    const std::int64_t own = g.cell(static_cast<int>(k), u[k]);
    for (std::int64_t c = forward ? own : cells.first; c < cells.first + cells.count; ++c) {
      const double away = cells.all ? 0 : gap(u[k], c) * g.side[k];
      f(image(k, c), away * away, c == own);
    }
  };
  const auto layer = [&](std::int64_t z, double gap_z, bool own_z) {
    across(1, Forward && own_z, [&](std::int64_t y, double gap_y, bool own_y) {
      if (Forward && own_z && own_y)
        scan_own_row(y, z);
      else if (gap_y + gap_z <= reach2)
        scan_row(y, z, gap_y + gap_z);
    });
  };
  if constexpr (D == 2)
    layer(0, 0, true);
  else
    across(D - 1, Forward, layer);
}

/// Each pair is met once, by the grain whose item comes first.
template <int D, class T> template <bool Wraps>
void Cells<D, T>::find_forward(const SearchInput<D, T>& in, PairRows& rows) {
  const Near<D, T> near(in.domain, skin_);
  sorter_.build(in.id, rows, [&](std::size_t i, std::vector<FoundPair>& pairs, std::size_t found) {
    if (!in.present[i]) return found;
    const Vec<D, T> x = in.x[i];
    const T r = in.r[i];
    const std::uint64_t me = pair_key(in.id[i], i);
    const auto a = static_cast<std::uint32_t>(me);
    const std::size_t before = found;
    walk<Wraps, true>(
        x, r, item_[i], [&](std::uint32_t first, std::uint32_t last, const Vec<D, T>& shift) {
          if (pairs.size() < found + last - first) pairs.resize(2 * (found + last - first));
          FoundPair* const pair = pairs.data();
          std::size_t at = found;
          for (std::uint32_t c = first; c < last; ++c) {
            const Item& other = items_[c];
            // Lower id first, without a branch, for nobody could predict it.
            const auto b = static_cast<std::uint32_t>(other.key);
            const std::uint32_t swap = (a ^ b) & -static_cast<std::uint32_t>(other.key < me);
            pair[at] = {a ^ swap, b ^ swap};
            at += near.template test<Wraps>(x, r, other.x, other.r, shift);
          }
          found = at;
        });
    if (in.held[i]) {
      const auto both = [&](const FoundPair& pair) {
        return in.held[pair.lower] && in.held[pair.higher];
      };
      found = static_cast<std::size_t>(
          std::remove_if(pairs.data() + before, pairs.data() + found, both) - pairs.data());
    }
    return found;
  });
}

/// Each pair is met from both sides, and listed by the grain with the lower id. Where two rows of
/// cells may be one (few cells in a period, or a hashed table) there is no forward.
template <int D, class T> template <bool Wraps>
void Cells<D, T>::find_around(const SearchInput<D, T>& in, PairRows& rows) {
  const Near<D, T> near(in.domain, skin_);
  builder_.build(in.x.size(), rows, [&](std::size_t i, RowKeys& keys) {
    std::size_t found = 0;
    if (!in.present[i]) return found;
    const Vec<D, T> x = in.x[i];
    const T r = in.r[i];
    const std::uint64_t me = pair_key(in.id[i], i);
    walk<Wraps, false>(
        x, r, item_[i], [&](std::uint32_t first, std::uint32_t last, const Vec<D, T>&) {
          std::uint64_t* key = keys.room(found, last - first);
          std::size_t at = found;
          for (std::uint32_t c = first; c < last; ++c) {
            const Item& other = items_[c];
            key[at] = other.key;
            const int near_enough = near.template test<Wraps>(x, r, other.x, other.r);
            at += static_cast<std::size_t>((other.key > me) & near_enough);
          }
          found = at;
        });
    if (in.held[i]) found = keys.drop_held(found, in.held);
    keys.sort(found);
    return grid_.hashed ? keys.unique(found) : found;
  });
}

template <int D, class T> void Cells<D, T>::find(const SearchInput<D, T>& in, PairRows& rows) {
  lay_grid(in, measure(in));
  sort_into_cells(in);
  bool wraps = false, forward = !grid_.hashed;
  const double farthest = (2 * r_max_ + skin_) * (1 + 0x1p-18) + margin_;
  for (std::size_t k = 0; k < static_cast<std::size_t>(D); ++k)
    if (grid_.periodic[k]) {
      wraps = true;
      forward = forward && static_cast<double>(grid_.count[k]) >
                               2 * (std::floor(farthest * grid_.inverse[k]) + 1);
    }
  if (forward)
    wraps ? find_forward<true>(in, rows) : find_forward<false>(in, rows);
  else
    wraps ? find_around<true>(in, rows) : find_around<false>(in, rows);
}

template <int D, class T>
bool Cells<D, T>::order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) {
  const std::size_t n = in.x.size();
  const CellExtent<D> e = measure(in);
  if (e.grains == 0) return false;
  const double s = side(e), inverse = 1 / s;
  // Blocks of 64 cells start at multiples of their side, so that one grain that strays beyond the
  // others does not shift the curve under them.
  std::array<double, D> origin;
  double longest = 1;
  for (std::size_t k = 0; k < origin.size(); ++k) {
    origin[k] = std::floor(e.lo[k] / (64 * s)) * (64 * s);
    longest = std::max(longest, (e.hi[k] - origin[k]) * inverse);
  }
  constexpr int most = 63 / D;  // bits per axis; where they do not suffice, larger cells
  const int bits = static_cast<int>(std::ceil(std::log2(longest + 1)));
  const double scale = std::ldexp(inverse, -std::max(bits - most, 0));
  const auto key = [&](std::size_t i) {
    if (!in.present[i]) return ~std::uint64_t{0};  // out of the way
    std::array<std::uint64_t, D> c;
    for (int k = 0; k < D; ++k) {
      const auto a = static_cast<std::size_t>(k);
      const double u = (static_cast<double>(in.x[i][k]) - origin[a]) * scale;
      c[a] = static_cast<std::uint64_t>(std::clamp(u, 0.0, std::ldexp(1.0, most) - 1));
    }
    return morton<D>(c);
  };

  const int block = ordered_ ? D : 0;
  std::size_t behind = 0;
#pragma omp parallel for num_threads(threads_for(n)) schedule(static) reduction(+ : behind)
  for (std::size_t i = 1; i < n; ++i) behind += key(i) >> block < key(i - 1) >> block;
  if (ordered_ ? 8 * behind <= n : behind == 0) return false;
  ordered_ = true;

  std::vector<CurveItem> items(n);
#pragma omp parallel for num_threads(threads_for(n)) schedule(static)
  for (std::size_t i = 0; i < n; ++i) items[i] = {key(i), static_cast<std::uint32_t>(i)};
  sort_by_key(items, std::min(64, D * std::min(bits, most) + 1));
  order.resize(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = items[i].index;
  return true;
}

template <int D, class T> std::size_t Cells<D, T>::bytes() const {
  return extents_.capacity() * sizeof(CellExtent<D>) + item_.capacity() * sizeof(std::uint32_t) +
         starts_.capacity() * sizeof(std::uint32_t) + sums_.capacity() * sizeof(std::size_t) +
         items_.capacity() * sizeof(Item) + builder_.bytes() + sorter_.bytes();
}

#define SCREE_INSTANTIATE(D, T) template class Cells<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
