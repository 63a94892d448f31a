// SPDX-License-Identifier: BSD-3-Clause
/// Libraries of candidate terms, as expressions.
#pragma once

#include <string>
#include <vector>

#include "scree/discovery/expression.hpp"

namespace scree {

struct LibrarySettings {
  int degree = 2;                    // of the monomials in the fields
  int derivatives = 0;               // highest order of spatial derivatives; 0: none
  int waves = 0;                     // sin(k u) and cos(k u) for k up to this
  int inverse = 0;                   // u^-1 … u^-n
  std::vector<double> powers;        // u^p for each field, e.g. 0.5
  bool constant = true;              // the term 1
  bool coordinates = false;          // monomials in the coordinates as well
  bool conservative = false;         // derivatives of products, d(u^2, xx), as the weak form wants them
  bool pairs = false;                // products of `waves`, `inverse` and `powers` with all fields
  std::vector<std::string> terms;    // exactly these, in place of all the above
  std::vector<std::string> add;      // and these
};

/// Without the fields in `without` (indices). Terms are unique.
std::vector<Expr> make_library(const LibrarySettings& s, const Names& names, const std::vector<std::size_t>& without = {});

/// All monomials of the given expressions up to a degree, graded: 1, x, y, x^2, x y, y^2.
std::vector<Expr> monomials(const std::vector<Expr>& of, int degree);

}  // namespace scree
