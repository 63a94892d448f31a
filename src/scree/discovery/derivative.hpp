// SPDX-License-Identifier: BSD-3-Clause
/// Numerical derivatives of a column of a sample along one axis of its grid.
///
///     fd2, fd4, fd6   finite differences on 3, 5, 7 points and more for higher derivatives, of the
///                     given order at the ends too; any spacing (Fornberg, Math. Comp. 51, 699, 1988)
///     sg              local polynomials by least squares (Savitzky and Golay, Anal. Chem. 36, 1627,
///                     1964); even spacing. Fields themselves are smoothed likewise.
///     spectral        Fourier series; even spacing, periodic
///     tv              total variation of the derivative penalised (Chartrand, ISRN Appl. Math. 2011,
///                     164564): min ½ Σ (g - f)² + α Σ |g''|, derivative g'; even spacing
///
/// A missing value (NaN) makes those derivatives missing that need it.
#pragma once

#include <string>
#include <vector>

#include "scree/discovery/dataset.hpp"

namespace scree {

struct DerivativeMethod {
  enum class Kind { fd, sg, spectral, tv };
  Kind kind = Kind::fd;
  int order = 4;           // of fd
  std::size_t window = 0;  // points of sg, odd; 0: chosen from the noise of the field
  int degree = 0;          // of the polynomials of sg; 0: 4, or more for high derivatives
  double alpha = 0;        // of tv; 0: so that what is taken away is as large as the estimated noise
};

/// "fd2", "fd4", "fd6", "sg", "spectral", "tv". InputError names the nearest.
DerivativeMethod derivative_method(const std::string& name, const std::string& what);
std::string name_of(const DerivativeMethod& method);

/// Weights of the m-th derivative at the point `at` of a window of n points one step apart, of the
/// polynomial of the given degree through them; m = 0 smooths. (Times h^-m.)
std::vector<double> savitzky_golay_weights(std::size_t n, std::size_t at, int degree, int m);

/// The m-th derivative along an axis. InputError (naming sample and axis) where the axis does not
/// suit the method; m = 0 smooths with sg and tv.
std::vector<double> differentiate(const Sample& sample, const std::vector<double>& column, std::size_t axis, int m,
                                  const DerivativeMethod& method, const std::string& axis_name);

}  // namespace scree
