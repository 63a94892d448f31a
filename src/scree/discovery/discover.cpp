// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/discover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

constexpr std::size_t wanted_blocks = 40;
constexpr std::size_t shown_rows = 2000;  // of data against model

/// Fields that never change, by index.
std::vector<std::size_t> constant_fields(const Dataset& data) {
  std::vector<std::size_t> found;
  for (std::size_t f = 0; f < data.names.fields.size(); ++f) {
    double lo = INFINITY, hi = -INFINITY;
    for (const Sample& s : data.samples)
      for (const double x : s.fields[f])
        if (std::isfinite(x)) lo = std::min(lo, x), hi = std::max(hi, x);
    if (hi - lo <= 1e-13 * std::max(std::abs(lo), std::abs(hi))) found.push_back(f);
  }
  return found;
}

/// Whether a field keeps its value along the first axis in every sample, as a parameter of each trajectory does.
bool steady(const Dataset& data, std::size_t f) {
  double size = 0, change = 0;
  for (const Sample& s : data.samples) {
    const std::size_t stride = s.stride(0);
    std::vector<double> lo(stride, INFINITY), hi(stride, -INFINITY);
    for (std::size_t i = 0; i < s.points(); ++i) {
      const double x = s.fields[f][i];
      if (!std::isfinite(x)) continue;
      lo[i % stride] = std::min(lo[i % stride], x);
      hi[i % stride] = std::max(hi[i % stride], x);
      size = std::max(size, std::abs(x));
    }
    for (std::size_t j = 0; j < stride; ++j) change = std::max(change, hi[j] - lo[j]);
  }
  return change <= 1e-13 * size;
}

/// Rows of [Θ | B] become blocks; rows with a number that is none are left out and counted.
struct Gathered {
  Factors factors;
  std::size_t dropped = 0, seen = 0;
  Matrix shown;  // rows for the picture
  // weak form: all rows by sample, and where their test functions are
  std::vector<Matrix> rows;
  std::vector<std::vector<TestAxis>> axes;
  std::vector<std::vector<std::size_t>> periods;  // in points; 0: not periodic
};

std::size_t finite_rows(Matrix& m) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < m.rows; ++i) {
    bool good = true;
    for (std::size_t j = 0; j < m.cols && good; ++j) good = std::isfinite(m(i, j));
    if (!good) continue;
    if (kept != i)
      for (std::size_t j = 0; j < m.cols; ++j) m(kept, j) = m(i, j);
    ++kept;
  }
  if (kept == m.rows) return 0;
  const std::size_t gone = m.rows - kept;
  Matrix tight(kept, m.cols);
  for (std::size_t j = 0; j < m.cols; ++j) std::copy(m.column(j), m.column(j) + kept, tight.column(j));
  m = std::move(tight);
  return gone;
}

/// Blocks of rows of samples: their bounds in points (strong) or test functions (weak).
struct Piece {
  std::size_t sample, first, count, part;
};
std::vector<Piece> pieces(const std::vector<std::size_t>& sizes, std::size_t terms) {
  std::size_t total = 0;
  for (const std::size_t n : sizes) total += n;
  // small problems: as many blocks as leave each a few rows; large ones: blocks of bounded memory
  const std::size_t least = std::max<std::size_t>(wanted_blocks, total / std::max<std::size_t>(1, 4000000 / std::max<std::size_t>(terms, 1)));
  std::vector<Piece> all;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const std::size_t share = std::clamp<std::size_t>(least * sizes[s] / std::max<std::size_t>(total, 1), 1, std::max<std::size_t>(1, sizes[s] / 2));
    for (std::size_t k = 0; k < share; ++k) {
      const std::size_t first = sizes[s] * k / share, last = sizes[s] * (k + 1) / share;
      if (last > first) all.push_back({s, first, last - first, k});
    }
  }
  return all;
}

template <class Rows> Gathered gather(const std::vector<Piece>& all, std::size_t terms, std::size_t sides, Rows&& rows) {
  Gathered g{Factors(terms, sides), 0, 0, {}, {}, {}, {}};
  std::vector<Factors::Block> blocks(all.size());
  std::vector<std::size_t> gone(all.size());
  std::vector<Matrix> shown(all.size());
  std::size_t total = 0;
  for (const Piece& p : all) total += p.count;
  const std::size_t every = std::max<std::size_t>(1, total / shown_rows);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(all.size()); ++k) {
    const auto b = static_cast<std::size_t>(k);
    Matrix m(all[b].count, terms + sides);
    rows(all[b], m);
    gone[b] = finite_rows(m);
    Matrix some((m.rows + every - 1) / every, m.cols);
    for (std::size_t j = 0; j < m.cols; ++j)
      for (std::size_t i = 0; i < some.rows; ++i) some(i, j) = m(i * every, j);
    shown[b] = std::move(some);
    blocks[b] = Factors::condense(m);
    blocks[b].sample = all[b].sample;
    blocks[b].part = all[b].part;
  }
  std::size_t kept = 0;
  for (std::size_t b = 0; b < all.size(); ++b) {
    g.factors.add(std::move(blocks[b]));
    g.dropped += gone[b];
    g.seen += all[b].count;
    kept += shown[b].rows;
  }
  g.shown = Matrix(kept, terms + sides);
  std::size_t at = 0;
  for (const Matrix& m : shown) {
    for (std::size_t j = 0; j < m.cols; ++j) std::copy(m.column(j), m.column(j) + m.rows, g.shown.column(j) + at);
    at += m.rows;
  }
  return g;
}

const char* rows_are(bool weak) { return weak ? "test functions" : "rows"; }

void check_rows(std::size_t rows, std::size_t terms, bool weak) {
  if (rows < terms)
    throw InputError(fmt::format("discover: {} {} cannot determine {} terms; expected at least as many. Use more data{} or a smaller library (--degree, --derivatives, --terms)",
                                 rows, rows_are(weak), terms, weak ? ", a smaller --support" : ""));
}

Gathered gather_strong(const Dataset& data, const std::vector<Expr>& all, std::size_t terms, const DerivativeMethods& methods) {
  check_rows(data.points(), terms, false);
  std::vector<Columns> columns;
  std::vector<std::size_t> sizes;
  for (const Sample& s : data.samples) {
    columns.emplace_back(s, data.names, all, methods, true);
    sizes.push_back(s.points());
  }
  return gather(pieces(sizes, all.size()), terms, all.size() - terms, [&](const Piece& p, Matrix& m) {
    for (std::size_t j = 0; j < all.size(); ++j) columns[p.sample].evaluate(j, p.first, p.count, m.column(j));
  });
}

/// Test functions by tiles, of which those of different ones share no data, and seams: the order of rows, and where each tile is in it.
struct Tiled {
  std::vector<std::size_t> order;
  std::vector<Piece> pieces;
};
Tiled tiled(const Sample& s, std::size_t number, const std::vector<TestAxis>& axes) {
  const auto dim = static_cast<double>(axes.size());
  const auto wanted = static_cast<std::size_t>(std::ceil(std::pow(static_cast<double>(wanted_blocks), 1 / dim)));
  std::vector<std::vector<std::size_t>> tile_of;
  std::size_t rows = 1, count = 1;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    tile_of.push_back(tiles_of(s.axes[a], axes[a], wanted));
    rows *= axes[a].centres.size();
  }
  std::vector<std::size_t> seams;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    std::size_t most = 0;
    for (const std::size_t t : tile_of[a])
      if (t != Factors::seam) most = std::max(most, t + 1);
    count *= most;
    for (std::size_t& t : tile_of[a])
      if (t != Factors::seam) t *= count / most;  // number of tiles on the axes before
  }
  std::vector<std::vector<std::size_t>> members(count);
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t rest = i, tile = 0;
    for (std::size_t a = axes.size(); a-- > 0;) {
      const std::size_t one = tile_of[a][rest % axes[a].centres.size()];
      rest /= axes[a].centres.size();
      tile = one == Factors::seam || tile == Factors::seam ? Factors::seam : tile + one;
    }
    (tile == Factors::seam ? seams : members[tile]).push_back(i);
  }
  Tiled t;
  const std::size_t most = std::clamp<std::size_t>(rows / wanted_blocks, 1, 20000);  // rows of a block: memory is bounded
  const auto add = [&](const std::vector<std::size_t>& some, std::size_t part) {
    const std::size_t blocks = (some.size() + most - 1) / most;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t first = some.size() * b / blocks, last = some.size() * (b + 1) / blocks;
      t.pieces.push_back({number, t.order.size() + first, last - first, part});
    }
    t.order.insert(t.order.end(), some.begin(), some.end());
  };
  for (std::size_t k = 0; k < members.size(); ++k) add(members[k], k);
  add(seams, Factors::seam);
  return t;
}

Gathered gather_weak(const Dataset& data, const std::vector<Expr>& all, std::size_t terms, const DerivativeMethods& methods, const WeakSettings& settings,
                     std::vector<std::string>& notes) {
  if (data.names.coordinates.empty()) throw InputError("--weak: the weak form integrates over coordinates, and the data have none; say --time");
  if (!settings.support.empty() && settings.support.size() != data.names.coordinates.size())
    throw InputError(fmt::format("--support: expected {} numbers (axes {}), found {}", data.names.coordinates.size(), join(data.names.coordinates), settings.support.size()));
  const Orders highest = highest_orders(all, data.names);
  for (const Expr& e : all) {
    std::vector<Expr> left;
    collect_derivatives(weak_term(e, data.names).body, data.names, left);
    if (!left.empty())
      notes.push_back(fmt::format("{} has a derivative that cannot be moved onto test functions: the data are differentiated there, noise and all", text_of(e, data.names)));
  }
  std::vector<std::vector<TestAxis>> axes_of;
  std::size_t total = 0;
  for (const Sample& s : data.samples) {
    std::vector<TestAxis> axes;
    std::string text;
    for (std::size_t a = 0; a < s.axes.size(); ++a) {
      axes.push_back(test_axis(s, a, highest[a], settings.support.empty() ? 0 : settings.support[a], settings.overlap, data.names.coordinates[a]));
      text += fmt::format("{}{}: {} centres, {} points to either side, power {}", a == 0 ? "" : "; ", data.names.coordinates[a], axes[a].centres.size(),
                          axes[a].support, axes[a].power);
    }
    if (axes_of.empty()) notes.push_back("test functions " + text);
    std::size_t count = 1;
    for (const TestAxis& axis : axes) count *= axis.centres.size();
    total += count;
    axes_of.push_back(std::move(axes));
  }
  check_rows(total, terms, true);
  std::vector<Matrix> rows;
  std::vector<std::vector<std::size_t>> order, periods;
  std::vector<Piece> all_pieces;
  for (std::size_t k = 0; k < data.samples.size(); ++k) {
    rows.push_back(weak_rows(data.samples[k], data.names, all, axes_of[k], methods));
    Tiled tiles = tiled(data.samples[k], k, axes_of[k]);
    order.push_back(std::move(tiles.order));
    all_pieces.insert(all_pieces.end(), tiles.pieces.begin(), tiles.pieces.end());
    periods.emplace_back();
    for (const GridAxis& axis : data.samples[k].axes) periods.back().push_back(axis.periodic ? axis.size() : 0);
  }
  Gathered g = gather(all_pieces, terms, all.size() - terms, [&](const Piece& p, Matrix& m) {
    for (std::size_t j = 0; j < all.size(); ++j)
      for (std::size_t i = 0; i < p.count; ++i) m(i, j) = rows[p.sample](order[p.sample][p.first + i], j);
  });
  g.rows = std::move(rows);
  g.axes = std::move(axes_of);
  g.periods = std::move(periods);
  return g;
}

/// What is left of the factors without some terms.
Factors without(const Factors& f, const std::vector<std::size_t>& gone) {
  Factors left(f.terms() - gone.size(), f.sides());
  for (const Factors::Block& b : f.blocks()) {
    Matrix r(b.r.rows, b.r.cols - gone.size());
    std::size_t to = 0;
    for (std::size_t j = 0; j < b.r.cols; ++j)
      if (std::find(gone.begin(), gone.end(), j) == gone.end()) std::copy_n(b.r.column(j), b.r.rows, r.column(to++));
    left.add({std::move(r), b.rows, b.sample, b.part});
  }
  return left;
}

std::string list_of(const std::vector<std::size_t>& which, const std::vector<std::string>& names) {
  std::vector<std::string> some;
  for (const std::size_t k : which) some.push_back(names[k]);
  return join(some);
}

std::optional<double> threshold_of(const DiscoverySettings& s, const std::string& lhs, const std::string& field) {
  for (const std::string& name : {lhs, field})
    if (const auto at = s.thresholds.find(name); at != s.thresholds.end()) return at->second;
  return s.threshold;
}

}  // namespace

double Discovery::score() const {
  double least = equations.empty() ? 0 : equations.front().score;
  for (const FoundEquation& e : equations) least = std::min(least, e.score);
  return least;
}
double Discovery::residual() const {
  double most = 0;
  for (const FoundEquation& e : equations) most = std::max(most, e.residual);
  return most;
}

DerivativeMethods methods_for(const Dataset& data, const DiscoverySettings& s) {
  DerivativeMethods methods;
  for (std::size_t a = 0; a < data.names.coordinates.size(); ++a) {
    const bool time = a == 0 && data.names.timed;
    const bool periodic = std::all_of(data.samples.begin(), data.samples.end(), [a](const Sample& one) { return one.axes[a].periodic; });
    const std::string& asked = time ? s.time_method : s.space_method;
    const std::string name = !asked.empty() ? asked : periodic ? "spectral" : time ? "fd4" : "fd6";
    DerivativeMethod m = derivative_method(name, "--derivative");
    m.window = s.window;
    m.alpha = s.tv_alpha;
    methods.push_back(m);
  }
  return methods;
}

Discovery discover(const Dataset& data, const DiscoverySettings& s) {
  check_dataset(data);
  Discovery report;
  report.names = data.names;
  report.notes = data.notes;
  const Names& names = data.names;
  const bool fields = names.coordinates.size() > (names.timed ? 1u : 0u);
  const std::vector<std::size_t> constant = constant_fields(data);
  for (const std::size_t f : constant) report.notes.push_back(fmt::format("{} is constant: left out of the library", names.fields[f]));

  // left-hand sides
  std::vector<Expr> sides;
  std::vector<std::string> side_fields;
  if (s.lhs.empty()) {
    if (!names.timed)
      throw InputError("discover: the data have no time, so there is no x' to explain; name the time (--time t) or what is to be explained (--lhs mu)");
    for (std::size_t f = 0; f < names.fields.size(); ++f) {
      if (std::find(constant.begin(), constant.end(), f) != constant.end()) continue;
      if (steady(data, f)) {
        report.notes.push_back(fmt::format("{} does not change in time: taken as a parameter, without an equation of its own", names.fields[f]));
        continue;
      }
      Orders orders(names.coordinates.size());
      orders[0] = 1;
      sides.push_back(derivative_expr(field_expr(f), orders));
      side_fields.push_back(names.fields[f]);
    }
    if (sides.empty()) throw InputError("discover: no variable changes in time; there is nothing to explain");
  } else {
    for (const std::string& text : s.lhs) {
      sides.push_back(parse_expression(text, names, "--lhs"));
      const Expression& side = *sides.back();
      if (names.timed && side.kind == Expression::Kind::derivative && side.orders[0] > 0 && side.of[0]->kind == Expression::Kind::field && steady(data, side.of[0]->index))
        throw InputError(fmt::format("--lhs: {} is zero, since {} does not change in time; there is nothing to explain", text, names.fields[side.of[0]->index]));
      side_fields.push_back(text);
    }
  }
  for (const auto& [name, value] : s.thresholds) {
    std::vector<std::string> known = side_fields;
    for (const Expr& e : sides) known.push_back(text_of(e, names));
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("--threshold: no equation is called {}; expected one of {}{}", in_quotes(name), join(known), did_you_mean(name, known)));
    (void)value;
  }

  // the library
  LibrarySettings ls = s.library;
  ls.degree = s.degree.value_or(2);
  ls.derivatives = s.derivatives.value_or(fields ? 4 : 0);
  ls.conservative = s.weak;
  std::vector<std::size_t> out = constant;
  if (!s.lhs.empty())  // what is to be explained does not explain itself
    for (const Expr& e : sides)
      if (e->kind == Expression::Kind::field) out.push_back(e->index);
  if (s.implicit)  // standard errors of unknowns are weights, see implicit.cpp
    for (const Expr& e : sides)
      for (std::size_t f = 0; f < names.fields.size(); ++f)
        if (names.fields[f] == text_of(e, names) + "_stderr") out.push_back(f);
  std::vector<Expr> library = make_library(ls, names, out);
  std::erase_if(library, [&](const Expr& e) {
    return std::any_of(sides.begin(), sides.end(), [&](const Expr& side) { return text_of(side, names) == text_of(e, names); });
  });
  if (library.empty()) throw InputError("discover: the library has no terms");
  const DerivativeMethods methods = methods_for(data, s);

  double noise = 0;
  for (const Sample& one : data.samples)
    for (std::size_t f = 0; f < names.fields.size(); ++f)
      if (!names.coordinates.empty()) noise = std::max(noise, estimated_noise(one, f));
  const bool differences = std::any_of(methods.begin(), methods.end(), [](const DerivativeMethod& m) {
    return m.kind == DerivativeMethod::Kind::fd || m.kind == DerivativeMethod::Kind::spectral;
  });
  if (noise > 2e-3 && !s.weak && differences)
    report.notes.push_back(fmt::format("the data seem to carry noise of {:.2g} % of their deviation: try --weak or --derivative sg", 100 * noise));

  if (!s.weak && (!s.weak_settings.support.empty() || s.weak_settings.overlap > 0)) throw InputError("discover: --support and --overlap are of test functions; say --weak as well");
  if (s.implicit) {
    if (s.weak) throw InputError("discover: --implicit and --weak cannot be had together");
    for (const Expr& side : sides) report.equations.push_back(discover_implicit(data, s, side, library, methods, report));
    return report;
  }

  // the system
  const std::string solver = s.solver.empty() ? "stlsq" : s.solver;
  std::vector<Expr> all = library;
  all.insert(all.end(), sides.begin(), sides.end());
  Gathered g = s.weak ? gather_weak(data, all, library.size(), methods, s.weak_settings, report.notes) : gather_strong(data, all, library.size(), methods);
  if (g.dropped > 0) report.notes.push_back(fmt::format("{} of {} {} left out: a value in them is missing or not finite", g.dropped, g.seen, rows_are(s.weak)));
  report.rows = g.factors.rows();
  for (const Expr& e : library) report.library.push_back(text_of(e, names));
  check_rows(g.factors.rows(), library.size(), s.weak);
  const Matrix whole = g.factors.combined();
  std::vector<std::size_t> gone;
  for (const Dependence& d : dependent_columns(problem_of(whole, library.size(), 0).a, 1e-10)) {
    gone.push_back(d.term);
    report.notes.push_back(d.on.empty() ? fmt::format("{} is zero everywhere: left out", report.library[d.term])
                                        : fmt::format("{} is a combination of {} on these data: left out", report.library[d.term], list_of(d.on, report.library)));
  }
  if (!gone.empty()) {
    g.factors = without(g.factors, gone);
    for (std::size_t k = gone.size(); k-- > 0;) {
      library.erase(library.begin() + static_cast<std::ptrdiff_t>(gone[k]));
      report.library.erase(report.library.begin() + static_cast<std::ptrdiff_t>(gone[k]));
      g.shown.data.erase(g.shown.data.begin() + static_cast<std::ptrdiff_t>(gone[k] * g.shown.rows),
                         g.shown.data.begin() + static_cast<std::ptrdiff_t>((gone[k] + 1) * g.shown.rows));
      --g.shown.cols;
    }
  }
  const std::size_t p = library.size();
  std::vector<std::size_t> column_of;  // of each term that is left, among all
  for (std::size_t j = 0; j < p + gone.size(); ++j)
    if (std::find(gone.begin(), gone.end(), j) == gone.end()) column_of.push_back(j);
  if (p == 0) throw InputError("discover: all terms of the library are zero on these data; name others (--terms, --degree)");
  for (std::size_t e = 0; e < sides.size(); ++e) {
    FoundEquation found;
    found.lhs_expression = sides[e];
    found.lhs = text_of(sides[e], names);
    found.latex_lhs = latex_of(sides[e], names);
    const Problem problem = problem_of(g.factors.combined(), p, e);
    if (std::all_of(problem.b.begin(), problem.b.end(), [](double x) { return x == 0; }))
      throw InputError(fmt::format("discover: the left-hand side {} is zero everywhere; there is nothing to explain", found.lhs));
    const auto threshold = threshold_of(s, found.lhs, side_fields[e]);
    std::vector<Support> path = support_path(solver, problem, s.sparse);
    Support chosen;
    if (threshold) {
      chosen = support_at(solver, problem, *threshold, s.sparse);
      if (std::find(path.begin(), path.end(), chosen) == path.end()) path.push_back(chosen);
      std::stable_sort(path.begin(), path.end(), [](const Support& a, const Support& b) { return a.size() < b.size(); });
      found.selected_by = fmt::format("threshold {}", brief(*threshold));
    }
    const Choice choice = choose_support(g.factors, e, path, s.selection);
    found.path = choice.candidates;
    found.chosen = choice.chosen;
    SelectionSettings selection = s.selection;
    selection.by = choice.by;
    if (!choice.held_out)
      report.notes.push_back(fmt::format("{}: nothing could be held out, since {}. {}scores are of the fit itself. More data{} would help", found.lhs,
                                         s.weak ? "the test functions overlap or are too few" : "the rows are too few", threshold ? "Its " : "The choice is by loss, and ",
                                         s.weak ? " or a smaller --support" : ""));
    if (!threshold) {
      chosen = path[choice.chosen];
      found.selected_by = choice.by;
    }
    std::vector<double> inclusion(p, 0.0), spread;
    if (s.ensemble.bags > 0) {
      const Ensemble ensemble = bootstrap(g.factors, e, s.ensemble, [&](const Bag& bag) {
        if (threshold) return support_at(solver, bag.drawn, *threshold, s.sparse);
        const std::vector<Support> bag_path = support_path(solver, bag.drawn, s.sparse);
        return bag_path[best_left_out(bag, bag_path, selection)];
      });
      inclusion = ensemble.inclusion;
      spread = ensemble.stderr_;
      found.inclusion = inclusion;
      chosen.clear();
      for (std::size_t j = 0; j < p; ++j)
        if (inclusion[j] >= s.ensemble.cutoff) chosen.push_back(j);
      found.selected_by += fmt::format("; inclusion of at least {} in {} bags", brief(s.ensemble.cutoff), s.ensemble.bags);
    } else {
      for (const std::size_t j : chosen) inclusion[j] = 1;
    }
    const std::vector<Support> just{chosen};
    const Choice judged = choose_support(g.factors, e, just, s.selection);
    found.score = 1 - judged.candidates[0].held_out * judged.candidates[0].held_out;
    found.residual = judged.candidates[0].residual;
    if (const auto at = std::find(path.begin(), path.end(), chosen); at != path.end()) {
      found.chosen = static_cast<std::size_t>(at - path.begin());
    } else {
      found.path.push_back(judged.candidates[0]);
      found.chosen = found.path.size() - 1;
    }
    const std::vector<double> x = least_squares(problem, chosen);
    std::vector<double> error(p);
    if (!s.weak) {
      error = block_errors(g.factors, e, x, chosen);
    } else {
      std::vector<std::size_t> columns;
      std::vector<double> values;
      for (const std::size_t j : chosen) columns.push_back(column_of[j]), values.push_back(x[j]);
      const std::vector<double> overlapping = overlap_errors(g.rows, g.axes, g.periods, columns, column_of.size() + gone.size() + e, values);
      const auto parts = static_cast<double>(g.factors.parts());
      for (std::size_t j = 0; j < chosen.size(); ++j) error[chosen[j]] = overlapping[j] * std::sqrt(parts / std::max(parts - 1, 1.0));
    }
    for (const std::size_t j : chosen) {
      const double err = spread.empty() ? error[j] : std::max(error[j], spread[j]);
      found.terms.push_back({report.library[j], latex_of(library[j], names), x[j], err, inclusion[j], library[j]});
    }
    for (std::size_t i = 0; i < g.shown.rows; ++i) {
      double model = 0;
      for (const std::size_t j : chosen) model += x[j] * g.shown(i, j);
      found.data.push_back(g.shown(i, p + e));
      found.model.push_back(model);
    }
    report.equations.push_back(std::move(found));
  }
  return report;
}

}  // namespace scree
