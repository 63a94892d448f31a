// SPDX-License-Identifier: BSD-3-Clause
#include "scree/neighbours/cell_table.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "scree/core/errors.hpp"
#include "scree/neighbours/curve.hpp"

namespace scree {
namespace {

constexpr std::size_t crowd = 4;  // grains of a level over those of its largest class
constexpr std::size_t most_candidates = 8192;  // that wait for their test
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
[[gnu::always_inline]] inline Reach within(std::int64_t cells, bool periodic, double u, double w) {
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
  r_min = std::min(r_min, b.r_min);
  r_max = std::max(r_max, b.r_max);
  r_sum += b.r_sum;
  grains += b.grains;
  bad = std::min(bad, b.bad);
}

/// The extents of the grains present in each class; of(i, r) says which class a grain is in.
template <int D, class T> template <class Class>
void CellTable<D, T>::measure(const SearchInput<D, T>& in, std::size_t classes, const Class& of,
                              Extents& all) {
  constexpr std::size_t block = 8192;  // fixed, so that r_sum does not depend on threads
  const std::size_t n = in.x.size(), blocks = (n + block - 1) / block;
  blocks_.resize(blocks * classes);
#pragma omp parallel for num_threads(threads_for(n)) schedule(static)
  for (std::size_t b = 0; b < blocks; ++b) {
    CellExtent<D>* const extents = blocks_.data() + b * classes;
    const auto add = [&](CellExtent<D>& e, std::size_t i, const double r) {
      const auto x = convert<double>(in.x[i]);
      if (!is_finite(x)) e.bad = std::min(e.bad, i);
      for (int k = 0; k < D; ++k) {
        auto& lo = e.lo[static_cast<std::size_t>(k)];
        auto& hi = e.hi[static_cast<std::size_t>(k)];
        lo = x[k] < lo ? x[k] : lo;
        hi = x[k] > hi ? x[k] : hi;
      }
      e.r_min = r < e.r_min ? r : e.r_min;
      e.r_max = r > e.r_max ? r : e.r_max;
      e.r_sum += r;
      ++e.grains;
    };
    const auto each = [&](auto&& f) {
      for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i)
        if (in.present[i]) f(i, static_cast<double>(in.r[i]));
    };
    if (classes == 1) {  // in registers
      CellExtent<D> all_of_it;
      each([&](std::size_t i, double r) { add(all_of_it, i, r); });
      extents[0] = all_of_it;
    } else {
      std::fill_n(extents, classes, CellExtent<D>());
      each([&](std::size_t i, double r) { add(extents[of(i, r)], i, r); });
    }
  }
  all.assign(classes, {});
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t c = 0; c < classes; ++c) all[c].add(blocks_[b * classes + c]);
}

template <int D, class T> CellExtent<D> CellTable<D, T>::measure(const SearchInput<D, T>& in) {
  measure(in, 1, [](std::size_t, double) { return 0; }, classes_);
  const CellExtent<D>& all = classes_.front();
  if (all.bad < in.x.size())
    throw RunError("the position of grain " + std::to_string(in.id[all.bad]) + " is not finite");
  return all;
}

template <int D, class T> double CellTable<D, T>::side(const CellExtent<D>& e) const {
  const double s = std::max(4 * e.r_mean() + 2 * skin_, 2 * e.r_max + skin_);
  return s > 0 ? s : 1;
}

/// Which levels there are, and who is where.
template <int D, class T> void CellTable<D, T>::lay_levels(const SearchInput<D, T>& in) {
  CellExtent<D> all = measure(in);
  if (all.grains == 0) {
    all.lo.fill(0);
    all.hi.fill(0);
    all.r_min = 0;
  }
  length_ = Periods<D, T>(in.domain).length;
  double longest = 0;
  for (std::size_t k = 0; k < periodic_.size(); ++k) {
    const int a = static_cast<int>(k);
    periodic_[k] = in.domain.periodic[k];
    low_[k] = in.domain.lo[a];
    longest = std::max(longest, periodic_[k] ? in.domain.hi[a] - low_[k] : all.hi[k] - all.lo[k]);
  }
  margin_ = longest * 0x1p-48;

  // Classes of sizes in (d_max f^-(c + 1), d_max f^-c], f near 2.
  const double d_max = 2 * all.r_max + skin_, d_min = 2 * all.r_min + skin_;
  const double octaves = d_max > d_min ? std::log2(d_max / d_min) : 0;
  const auto classes = static_cast<std::size_t>(
      std::clamp(std::round(octaves), 1.0, static_cast<double>(most_levels_)));
  levels_.clear();
  level_.clear();
  if (classes == 1) {
    levels_.emplace_back().extent = all;
    return;
  }
  const double octave = std::min(octaves / static_cast<double>(classes), 2.0);
  std::array<double, 32> bound{};  // on the radius, from above, of the classes but the first
  for (std::size_t c = 1; c < classes; ++c)
    bound[c - 1] = (d_max * std::exp2(-octave * static_cast<double>(c)) - skin_) / 2;
  level_.resize(in.x.size());
  measure(
      in, classes,
      [&](std::size_t i, double r) {
        std::uint8_t c = 0;
        for (std::size_t k = 0; k + 1 < classes; ++k) c += r <= bound[k];
        return level_[i] = c;
      },
      classes_);

  // A class joins the level above it while the grains there stay few.
  std::array<std::uint8_t, 32> level{};
  std::size_t most = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const CellExtent<D>& e = classes_[c];
    if (e.grains == 0) continue;
    if (levels_.empty() || levels_.back().extent.grains + e.grains > most) {
      levels_.emplace_back();
      most = crowd * e.grains;
    }
    levels_.back().extent.add(e);
    level[c] = static_cast<std::uint8_t>(levels_.size() - 1);
  }
  if (levels_.size() == 1) {
    level_.clear();
    return;
  }
#pragma omp parallel for num_threads(threads_for(level_.size())) schedule(static)
  for (std::size_t i = 0; i < level_.size(); ++i) level_[i] = level[level_[i]];
}

template <int D, class T> void CellTable<D, T>::lay_grid(CellLevel<D>& g) {
  const CellExtent<D>& e = g.extent;
  std::array<double, D> length{};
  for (std::size_t k = 0; k < length.size(); ++k) {
    const int a = static_cast<int>(k);
    g.origin[k] = periodic_[k] ? low_[k] : e.lo[k];
    length[k] = periodic_[k] ? static_cast<double>(length_[a]) : e.hi[k] - e.lo[k];
  }
  const double s = std::max(side(e), 16 * margin_);

  // As many slices along x as O(N) entries allow; not even one: hash.
  const double limit = std::min(8 * static_cast<double>(e.grains) + 64, 0x1p31);
  for (const int slices : {8, 4, 2, 1}) {
    double entries = 1;
    for (std::size_t k = 0; k < length.size(); ++k) {
      const double side = k == 0 ? s / slices : s;
      const double cells = std::floor(length[k] / side);
      const double count = periodic_[k] ? std::max(cells, 1.0) : cells + 1;
      g.count[k] = static_cast<std::int64_t>(count);
      g.side[k] = periodic_[k] ? length[k] / count : side;
      g.inverse[k] = 1 / g.side[k];
      entries *= count;
    }
    g.hashed = entries > limit;
    g.entries = g.hashed ? std::bit_ceil(4 * e.grains + 16) : static_cast<std::size_t>(entries);
    if (!g.hashed) break;
  }
  g.forward = !g.hashed;
  for (std::size_t k = 0; k < length.size(); ++k)
    if (periodic_[k])
      g.forward = g.forward && static_cast<double>(g.count[k]) >
                                   2 * (std::floor(reach_of(e.r_max, g) * g.inverse[k]) + 1);
}

/// Of two levels the one asks that has fewer rows of cells to look into, all its grains together.
template <int D, class T> void CellTable<D, T>::share_questions() {
  const auto rows = [this](const CellLevel<D>& from, const CellLevel<D>& into) {
    const double w = 2 * reach_of(from.extent.r_max, into);
    double sum = static_cast<double>(from.extent.grains);
    for (std::size_t k = into.hashed ? 0 : 1; k < into.count.size(); ++k)
      sum *= std::min(w * into.inverse[k] + 1, static_cast<double>(into.count[k]));
    return sum;
  };
  for (std::size_t a = 0; a < levels_.size(); ++a)
    for (std::size_t b = a + 1; b < levels_.size(); ++b) {
      const bool down = rows(levels_[a], levels_[b]) <= rows(levels_[b], levels_[a]);
      CellLevel<D>& from = levels_[down ? a : b];
      const std::size_t to = down ? b : a;
      const CellLevel<D>& into = levels_[to];
      from.asks |= 1U << to;
      for (std::size_t k = 0; k < periodic_.size(); ++k)
        if (periodic_[k] && static_cast<double>(into.count[k]) <
                                2 * reach_of(from.extent.r_max, into) * into.inverse[k] + 2)
          from.wraps |= 1U << to;
    }
}

template <int D, class T>
std::array<double, D> CellTable<D, T>::place(const CellLevel<D>& g, const Vec<D, T>& x) const {
  std::array<double, D> u;
  for (int k = 0; k < D; ++k) {
    const auto a = static_cast<std::size_t>(k);
    u[a] = static_cast<double>(x[k] - T(g.origin[a])) * g.inverse[a];
  }
  return u;
}

/// Counting sort. Within a cell the order depends on who came first, which no row can tell: rows
/// are sorted.
template <int D, class T> void CellTable<D, T>::sort_into_cells(const SearchInput<D, T>& in) {
  const std::size_t n = in.x.size();
  const int threads = threads_for(n);
  const Counters counters(threads);
  std::size_t entries = 0;
  for (CellLevel<D>& g : levels_) {
    g.first = entries;
    entries += g.entries;
  }
  item_.resize(n);
  starts_.assign(entries + 1, 0);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    item_[i] = nowhere;
    if (!in.present[i]) continue;
    const CellLevel<D>& g = levels_[level_of(i)];
    const auto u = place(g, in.x[i]);
    std::size_t c = g.row(g.cell(1, u[1]), D == 3 ? g.cell(D - 1, u[D - 1]) : 0) +
                    static_cast<std::size_t>(g.cell(0, u[0]));
    if (g.hashed) c &= g.entries - 1;
    c += g.first;
    item_[i] = static_cast<std::uint32_t>(c);
    counters.add(starts_[c], 1);
  }
  accumulate(starts_, sums_, threads);
  items_.resize(starts_.back());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    if (item_[i] != nowhere) {
      item_[i] = counters.add(starts_[item_[i]], -1U);
      items_.set(item_[i], in.x[i], in.r[i], pair_key(in.id[i], i));
    }
}

/// Calls visit(first, last, image) for every run of items in which partners of a grain may be: all
/// of them, or those that follow it.
template <int D, class T> template <bool Wraps, bool Forward, class Visit>
void CellTable<D, T>::walk(const CellLevel<D>& g, const Vec<D, T>& x, const T& r,
                           std::uint32_t item, Visit&& visit) const {
  auto u = place(g, x);
  if constexpr (Wraps)
    for (std::size_t k = 0; k < u.size(); ++k)
      if (periodic_[k]) u[k] = std::clamp(u[k], 0.0, static_cast<double>(g.count[k]));
  const double reach = reach_of(static_cast<double>(r), g);
  const double reach2 = reach * reach;

  std::array<unsigned, 3> digit{};  // of the image
  // The cell of the box that is seen as cell c of axis k.
  const auto image = [&](std::size_t k, std::int64_t c) {
    if constexpr (Wraps) {
      digit[k] = c < 0 ? 1 : (c >= g.count[k] ? 2 : 0);
      c = c < 0 ? c + g.count[k] : (c >= g.count[k] ? c - g.count[k] : c);
    }
    return c;
  };
  const std::uint32_t* const starts = starts_.data() + g.first;
  const auto items = [&](std::uint32_t first, std::uint32_t last) {
    if (first < last) visit(first, last, digit[0] + 3 * digit[1] + 9 * digit[2]);
  };
  // Cells a .. b of the row that starts at `base`. A hashed row may pass the end of the table, and
  // a long one all of it.
  const auto run = [&](std::size_t base, std::int64_t first, std::int64_t end) {
    std::size_t a = base + static_cast<std::size_t>(first),
                b = base + static_cast<std::size_t>(end);
    if (!Forward && g.hashed) {
      if (b - a >= g.entries) {
        a = 0;
        b = g.entries;
      }
      b -= a & ~(g.entries - 1);
      a &= g.entries - 1;
      if (b > g.entries) {
        items(starts[a], starts[g.entries]);
        a = 0;
        b -= g.entries;
      }
    }
    items(starts[a], starts[b]);
  };
  const auto scan_row = [&](std::int64_t y, std::int64_t z, double gap2) {
    const std::int64_t cells = g.count[0];
    const Reach along =
        within(cells, Wraps && periodic_[0], u[0], sqrt(reach2 - gap2) * g.inverse[0]);
    const std::int64_t end = along.first + along.count;
    const std::size_t base = g.row(y, z);
    if constexpr (Wraps) {
      if (along.first < 0) run(base, image(0, along.first), cells);
      if (end > cells) run(base, 0, image(0, end - 1) + 1);
      digit[0] = 0;
    }
    run(base, std::max(along.first, std::int64_t{0}), std::min(end, cells));
  };
  // What follows in the grain's own row.
  const auto scan_own_row = [&](std::int64_t y, std::int64_t z) {
    const std::int64_t cells = g.count[0];
    const Reach along = within(cells, Wraps && periodic_[0], u[0], reach * g.inverse[0]);
    const std::int64_t end = along.first + along.count;
    const std::size_t base = g.row(y, z);
    if constexpr (Wraps) {
      if (end > cells) run(base, 0, image(0, end - 1) + 1);
      digit[0] = 0;
    }
    items(item + 1, starts[base + static_cast<std::size_t>(std::min(end, cells))]);
  };
  // Calls f(cell, gap², whether it is the grain's own) for the cells of axis k in reach.
  const auto across = [&](std::size_t k, bool forward, auto&& f) {
    const Reach cells = within(g.count[k], Wraps && periodic_[k], u[k], reach * g.inverse[k]);
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

template <int D, class T> template <bool Wraps>
void CellTable<D, T>::find_pairs(const SearchInput<D, T>& in, PairRows& rows) {
  const ScanTask<D, T> task(in, items_, skin_);
  runs_.resize(std::max(runs_.size(), static_cast<std::size_t>(threads_for(in.x.size()))));
  sorter_.build(in.id, rows, [&](std::size_t begin, std::size_t end, Room<FoundPair>& pairs,
                                 std::size_t found) {
    std::vector<ScanRun>& runs = runs_[static_cast<std::size_t>(omp_get_thread_num())];
    runs.clear();
    const std::size_t before = found;
    std::size_t candidates = 0;
    bool held = false, hashed = false;
    const auto test_all = [&] {
      const std::size_t room = found + candidates + ScanItems<D, T>::padding;
      if (pairs.size() < room) pairs.resize(2 * room);
      FoundPair* const out = pairs.data() + found;
      found += static_cast<std::size_t>(
          scan(task, runs.data(), runs.data() + runs.size(), out) - out);
      runs.clear();
      candidates = 0;
    };
    for (std::size_t i = begin; i < end; ++i) {
      if (!in.present[i]) continue;
      held = held || in.held[i];
      const auto keep = [&](bool several, bool twice) {
        return [&, several, twice](std::uint32_t first, std::uint32_t last, unsigned image) {
          runs.push_back({static_cast<std::uint32_t>(i), first, last,
                          static_cast<std::uint8_t>(image), several, twice});
          candidates += last - first;
          if (candidates > most_candidates) test_all();
        };
      };
      const CellLevel<D>& own = levels_[level_of(i)];
      hashed = hashed || own.hashed;
      if (own.forward)
        walk<Wraps, true>(own, in.x[i], in.r[i], item_[i], keep(false, false));
      else
        walk<Wraps, false>(own, in.x[i], in.r[i], 0, keep(Wraps, true));
      for (std::uint32_t asks = own.asks; asks; asks &= asks - 1) {
        const auto l = static_cast<std::size_t>(std::countr_zero(asks));
        hashed = hashed || levels_[l].hashed;
        walk<Wraps, false>(levels_[l], in.x[i], in.r[i], 0, keep(own.wraps >> l & 1, false));
      }
    }
    test_all();
    FoundPair* const first = pairs.data() + before;
    FoundPair* last = pairs.data() + found;
    if (held)
      last = std::remove_if(first, last, [&](const FoundPair& pair) {
        return in.held[pair.lower] && in.held[pair.higher];
      });
    // In a hashed table two rows of cells may overlap.
    if (hashed) {
      std::sort(first, last);
      last = std::unique(first, last);
    }
    return static_cast<std::size_t>(last - pairs.data());
  });
}

template <int D, class T> void CellTable<D, T>::find(const SearchInput<D, T>& in, PairRows& rows) {
  lay_levels(in);
  for (CellLevel<D>& level : levels_) lay_grid(level);
  share_questions();
  sort_into_cells(in);
  if (std::find(periodic_.begin(), periodic_.end(), true) != periodic_.end())
    find_pairs<true>(in, rows);
  else
    find_pairs<false>(in, rows);
}

template <int D, class T>
bool CellTable<D, T>::order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) {
  const std::size_t n = in.x.size();
  const CellExtent<D> e = measure(in);
  if (e.grains == 0) return false;
  // A few large grains among small ones do not make the cells larger.
  const double typical = 4 * e.r_mean() + 2 * skin_;
  const double s = most_levels_ > 1 && typical > 0 ? typical : side(e);
  const double inverse = 1 / s;
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
  for (std::size_t first = 1; first < n; first += 1024) {  // every key once but for a few
    std::uint64_t before = key(first - 1) >> block;
    for (std::size_t i = first; i < std::min(first + 1024, n); ++i) {
      const std::uint64_t own = key(i) >> block;
      behind += own < before;
      before = own;
    }
  }
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

template <int D, class T> void CellTable<D, T>::release() {
  const auto give_back = [](auto&... one) { ((one = std::remove_reference_t<decltype(one)>{}), ...); };
  give_back(level_, item_, starts_, sums_, items_, runs_, sorter_);
}

template <int D, class T> std::size_t CellTable<D, T>::bytes() const {
  std::size_t runs = 0;
  for (const auto& of_thread : runs_) runs += of_thread.capacity() * sizeof(ScanRun);
  return (blocks_.capacity() + classes_.capacity()) * sizeof(CellExtent<D>) +
         levels_.capacity() * sizeof(CellLevel<D>) + level_.capacity() + item_.capacity() * sizeof(std::uint32_t) +
         starts_.capacity() * sizeof(std::uint32_t) + sums_.capacity() * sizeof(std::size_t) +
         items_.bytes() + sorter_.bytes() + runs;
}

#define SCREE_INSTANTIATE(D, T) template class CellTable<D, T>;
SCREE_FOR_REALS(SCREE_INSTANTIATE)
#undef SCREE_INSTANTIATE

}  // namespace scree
