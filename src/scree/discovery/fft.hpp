// SPDX-License-Identifier: BSD-3-Clause
/// The discrete Fourier transform of any length: powers of two by Cooley and Tukey, other lengths as
/// a convolution of such a one (Bluestein, 1970). Ours, so that its bits do not depend on a library.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace scree {

class Fourier {
 public:
  explicit Fourier(std::size_t n);
  std::size_t size() const { return n_; }

  /// X_k = Σ_j x_j exp(-2πi jk/n), in place.
  void forward(std::vector<std::complex<double>>& x) const;
  /// Its inverse, with the factor 1/n.
  void backward(std::vector<std::complex<double>>& x) const;

  /// The signed wave number of entry k: 0, 1, …, -2, -1. Half of an even n counts as positive.
  static double wave_number(std::size_t k, std::size_t n) {
    return k <= n / 2 ? static_cast<double>(k) : static_cast<double>(k) - static_cast<double>(n);
  }

 private:
  void power_of_two(std::vector<std::complex<double>>& x) const;
  std::size_t n_, padded_;
  std::vector<std::complex<double>> roots_;            // exp(-2πi k/padded), k < padded/2
  std::vector<std::complex<double>> chirp_, filter_;   // of Bluestein; empty for powers of two
};

}  // namespace scree
