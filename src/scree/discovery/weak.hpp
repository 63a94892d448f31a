// SPDX-License-Identifier: BSD-3-Clause
/// The weak form: equations integrated against compact test functions, with the derivatives moved
/// onto them. Noisy data are never differentiated (Messenger and Bortz, J. Comput. Phys. 443,
/// 110525, 2021).
///
/// A test function is a product of ψ((x - x_c)/(m h)), ψ(ξ) = (1 - ξ²)^p for |ξ| < 1, over the
/// axes. It reaches m - 1 points to either side of its centre. The integrals are sums over the grid
/// (trapezoidal on any spacing; ψ vanishes at its ends, so on an even grid they are accurate to
/// order 2p). As the functions are products, a sum over the grid is one sum after the other over the
/// axes: N × overlap × orders for the first axis, little for the others, and no array larger than the
/// data.
#pragma once

#include <string>
#include <vector>

#include "scree/discovery/columns.hpp"
#include "scree/discovery/factors.hpp"
#include "scree/discovery/matrix.hpp"

namespace scree {

struct WeakSettings {
  std::vector<std::size_t> support;  // m per axis; empty: from the spectrum of the data
  std::size_t overlap = 0;           // test functions over a point, per axis; 0: 16, for large data 6
};

/// D^outer(body) times a factor: how a term is integrated.
struct WeakTerm {
  double factor = 1;
  Expr body;
  Orders outer;
};
/// All derivatives outside, where that is possible: c D(e) and u^n u_x; else outer is zero and what
/// derivatives remain in the body are taken in the usual way.
WeakTerm weak_term(const Expr& e, const Names& names);

/// Test functions along one axis.
struct TestAxis {
  std::size_t support = 0;  // m
  int power = 0;            // p
  std::vector<std::size_t> centres;
};
/// From the spectra of the fields: the wave number k* where the data leave off and noise goes on
/// (a corner in their running sum), and m and p such that the transform of ψ has decayed to two of
/// its standard deviations there while ψ(1 - 1/m) is 1e-10 of ψ(0). InputError if the axis is too
/// short for the orders.
TestAxis test_axis(const Sample& sample, std::size_t axis, int highest, std::size_t support, std::size_t overlap, const std::string& axis_name);

/// Which tile each centre belongs to. Test functions of different tiles lie at least 1.2 m apart, so that those parts of them that are above
/// a few per cent do not overlap: integrals of white noise correlate by less than 1 %, against second derivatives by 1 to 18 % (p = 11 to 5). Those between are seams. Tiles are
/// at least 2 m from each other's beginnings, at most `wanted`.
std::vector<std::size_t> tiles_of(const GridAxis& grid, const TestAxis& test, std::size_t wanted);

/// Rows: test functions (those of the first axis slowest), columns: terms. A test function over a
/// missing value gives NaN.
Matrix weak_rows(const Sample& sample, const Names& names, const std::vector<Expr>& terms, const std::vector<TestAxis>& axes,
                 const DerivativeMethods& methods);

/// Standard errors of coefficients that hold for test functions which overlap: the sandwich with the scores g_i = a_i e_i of all pairs of
/// rows, weighted by the product over the axes of 1 - |c_i - c_j|/(2 m) (Newey and West, Econometrica 55, 703, 1987; in space Conley,
/// J. Econometrics 92, 1, 1999). `rows` are those of the samples, with the terms that x is about in `columns` and the left-hand side in
/// column `side`; those with NaN do not count.
std::vector<double> overlap_errors(const std::vector<Matrix>& rows, const std::vector<std::vector<TestAxis>>& axes, const std::vector<std::vector<std::size_t>>& periods,
                                   const std::vector<std::size_t>& columns, std::size_t side, const std::vector<double>& x);

/// The highest orders per axis among terms in weak form.
Orders highest_orders(const std::vector<Expr>& terms, const Names& names);

}  // namespace scree
