// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/fft.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace scree {

using Complex = std::complex<double>;

Fourier::Fourier(std::size_t n) : n_(n), padded_(std::has_single_bit(n) ? n : std::bit_ceil(2 * n - 1)) {
  for (std::size_t k = 0; k < padded_ / 2; ++k)
    roots_.push_back(std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(padded_)));
  if (padded_ == n_) return;
  // exp(-πi j²/n), the square taken modulo 2n, so that long transforms lose no digits
  for (std::size_t j = 0; j < n_; ++j)
    chirp_.push_back(std::polar(1.0, -std::numbers::pi * static_cast<double>(j * j % (2 * n_)) / static_cast<double>(n_)));
  filter_.assign(padded_, 0.0);
  for (std::size_t j = 0; j < n_; ++j) {
    filter_[j] = std::conj(chirp_[j]);
    if (j > 0) filter_[padded_ - j] = std::conj(chirp_[j]);
  }
  power_of_two(filter_);
}

void Fourier::power_of_two(std::vector<Complex>& x) const {
  const std::size_t n = padded_;
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const std::size_t half = length / 2, stride = n / length;
    for (std::size_t first = 0; first < n; first += length)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex w = roots_[k * stride], b = x[first + k + half];
        const Complex t(w.real() * b.real() - w.imag() * b.imag(), w.real() * b.imag() + w.imag() * b.real());
        x[first + k + half] = x[first + k] - t;
        x[first + k] += t;
      }
  }
}

void Fourier::forward(std::vector<Complex>& x) const {
  if (padded_ == n_) return power_of_two(x);
  std::vector<Complex> y(padded_);
  for (std::size_t j = 0; j < n_; ++j) y[j] = x[j] * chirp_[j];
  power_of_two(y);
  for (std::size_t k = 0; k < padded_; ++k) y[k] = std::conj(y[k] * filter_[k]);
  power_of_two(y);
  for (std::size_t j = 0; j < n_; ++j) x[j] = std::conj(y[j]) / static_cast<double>(padded_) * chirp_[j];
}

void Fourier::backward(std::vector<Complex>& x) const {
  for (Complex& z : x) z = std::conj(z);
  forward(x);
  for (Complex& z : x) z = std::conj(z) / static_cast<double>(n_);
}

}  // namespace scree
