// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "scree/core/errors.hpp"

namespace scree {

std::vector<Expr> monomials(const std::vector<Expr>& of, int degree) {
  std::vector<Expr> all;
  std::vector<int> exponents(of.size());
  for (int d = 0; d <= degree; ++d) {
    const std::function<void(std::size_t, int)> spread = [&](std::size_t at, int left) {
      if (at + 1 >= of.size()) {
        if (of.empty() && left > 0) return;
        if (!of.empty()) exponents[at] = left;
        Expr e = number_expr(1);
        for (std::size_t k = 0; k < of.size(); ++k) e = product_expr(e, power_expr(of[k], exponents[k]));
        all.push_back(e);
        return;
      }
      for (int k = left; k >= 0; --k) {
        exponents[at] = k;
        spread(at + 1, left - k);
      }
    };
    spread(0, d);
  }
  return all;
}

namespace {

constexpr int most_terms = 1000;  // more than any solver here can choose from in reasonable time

/// Orders of spatial derivatives from 1 to `most` in sum: pure ones and mixed.
std::vector<Orders> spatial_orders(const Names& names, int most) {
  std::vector<Orders> all;
  const std::size_t first = names.timed ? 1 : 0, n = names.coordinates.size();
  for (int total = 1; total <= most; ++total) {
    Orders now(n);
    const std::function<void(std::size_t, int)> spread = [&](std::size_t at, int left) {
      if (at + 1 >= n) {
        if (at >= n) return;
        now[at] = left;
        all.push_back(now);
        return;
      }
      for (int k = left; k >= 0; --k) {
        now[at] = k;
        spread(at + 1, left - k);
      }
    };
    spread(first, total);
  }
  return all;
}

/// Terms of make_library, counted without making them: monomials of degree up to d in n factors are C(n + d, d).
double library_size(const LibrarySettings& s, const Names& names, std::size_t fields) {
  const auto products = [](std::size_t n, int degree) {
    double count = 1;
    for (int k = 1; k <= degree; ++k) count *= static_cast<double>(n + static_cast<std::size_t>(k)) / k;
    return count;
  };
  const auto space = static_cast<int>(names.coordinates.size()) - (names.timed ? 1 : 0);
  const double n = static_cast<double>(fields), own = products(fields + (s.coordinates ? names.coordinates.size() : 0), s.degree);
  const double special = n * (2.0 * s.waves + s.inverse + static_cast<double>(s.powers.size())) * (s.pairs ? 1 + n : 1);
  const double orders = space > 0 ? products(static_cast<std::size_t>(space), s.derivatives) - 1 : 0;
  return own + special + orders * (s.conservative ? products(fields, s.degree + 1) - 1 : n * own);
}

}  // namespace

std::vector<Expr> make_library(const LibrarySettings& s, const Names& names, const std::vector<std::size_t>& without) {
  std::vector<Expr> all;
  if (!s.terms.empty()) {
    for (const std::string& text : s.terms) all.push_back(parse_expression(text, names, "term"));
  } else {
    std::vector<Expr> fields, basis;
    for (std::size_t k = 0; k < names.fields.size(); ++k)
      if (std::find(without.begin(), without.end(), k) == without.end()) fields.push_back(field_expr(k));
    if (const double size = library_size(s, names, fields.size()); size > most_terms)
      throw InputError(fmt::format("discover: the library would have {:.0f} terms; expected at most {}. Name fewer variables (--variables), a smaller --degree or fewer --derivatives, or "
                                   "the terms themselves (--terms)", size, most_terms));
    basis = fields;
    if (s.coordinates)
      for (std::size_t k = 0; k < names.coordinates.size(); ++k) basis.push_back(coordinate_expr(k));
    const std::vector<Expr> products = monomials(basis, s.degree);
    all.insert(all.end(), products.begin() + (s.constant ? 0 : 1), products.end());
    std::vector<Expr> special;
    for (const Expr& f : fields) {
      for (int k = 1; k <= s.waves; ++k)
        for (const char* wave : {"sin", "cos"}) special.push_back(call_expr(wave, product_expr(number_expr(k), f)));
      for (int k = 1; k <= s.inverse; ++k) special.push_back(power_expr(f, -k));
      for (const double p : s.powers) special.push_back(power_expr(f, p));
    }
    for (const Expr& e : special) {
      all.push_back(e);
      for (const Expr& f : fields)
        if (s.pairs) all.push_back(product_expr(f, e));
    }
    for (const Orders& orders : spatial_orders(names, s.derivatives)) {
      int total = 0;
      for (const int k : orders) total += k;
      if (s.conservative) {
        // d(u^p)/dx is written as u^{p-1} u_x, up to a factor the same
        for (const Expr& m : monomials(fields, s.degree + 1)) {
          const bool power = m->kind == Expression::Kind::power && m->of[0]->kind == Expression::Kind::field;
          if (m->kind == Expression::Kind::number) continue;
          if (total == 1 && power) all.push_back(product_expr(power_expr(m->of[0], m->of[1]->number - 1), derivative_expr(m->of[0], orders)));
          else all.push_back(derivative_expr(m, orders));
        }
      } else {
        for (const Expr& f : fields)
          for (const Expr& m : products) all.push_back(product_expr(m, derivative_expr(f, orders)));
      }
    }
  }
  for (const std::string& text : s.add) all.push_back(parse_expression(text, names, "term"));
  std::set<std::string> seen;
  std::vector<Expr> unique;
  for (const Expr& e : all)
    if (seen.insert(text_of(e, names)).second) unique.push_back(e);
  return unique;
}

}  // namespace scree
