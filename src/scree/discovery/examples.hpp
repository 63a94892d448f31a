// SPDX-License-Identifier: BSD-3-Clause
/// Data of known equations, for tests, for the study of noise and to try things out: the set-ups of
/// the published examples, with our own solvers.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "scree/discovery/dataset.hpp"

namespace scree {

/// x' = f(x) by the classical Runge-Kutta method, `parts` steps between rows.
Sample integrate_ode(const std::function<std::vector<double>(const std::vector<double>&)>& f, std::vector<double> start, double dt, std::size_t rows,
                     std::size_t parts = 8);

/// u_t = L u + a (u²)_x, periodic on [from, from + length): Fourier in space, in time the exponential
/// Runge-Kutta method of fourth order (Cox and Matthews 2002) with the coefficients as contour
/// integrals (Kassam and Trefethen, SIAM J. Sci. Comput. 26, 1214, 2005). `symbol` is L(ik); the
/// product is dealiased by the 2/3 rule. Rows every dt.
Sample integrate_pde(const std::function<std::complex<double>(std::complex<double>)>& symbol, double a, const std::function<double(double)>& start, double from,
                     double length, std::size_t points, double dt, std::size_t rows, std::size_t parts);

/// A known system: its data and the truth.
struct Example {
  std::string name;
  Dataset data;
  int degree = 2, derivatives = 0;
  struct Equation {
    std::string lhs;
    std::vector<std::pair<std::string, double>> terms;
  };
  std::vector<Equation> truth;
};
/// "lorenz", "burgers", "kdv", "kuramoto-sivashinsky", "michaelis-menten".
Example make_example(const std::string& name);

/// White noise of `level` times the standard deviation of each field.
void add_noise(Dataset& data, double level, std::uint64_t seed);

}  // namespace scree
