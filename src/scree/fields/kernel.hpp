// SPDX-License-Identifier: BSD-3-Clause
/// Coarse-graining kernels: phi_w(r) >= 0, radial, with unit integral over the line, the plane or space.
///
///     heaviside   1                                  r < w
///     gauss       exp(-r²/(2 w²))                    r < 3 w   (w is the standard deviation)
///     lucy        (1 + 3 r/w)(1 - r/w)³              r < w     Lucy, Astron. J. 82, 1013 (1977)
///     mollifier   exp(1/(r²/w² - 1))                 r < w     seed 003, section 6.2
///
/// each times a constant: lucy 5/(4 w), 5/(pi w²), 105/(16 pi w³) in one, two and three dimensions; the mollifier
/// in the plane 1/(pi w² E2(1)) with the exponential integral E2. The cut gauss is normalised over what is left of it.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

namespace scree::fields {

enum class KernelKind { heaviside, gauss, lucy, mollifier };

std::string_view name_of(KernelKind kind);
std::vector<std::string> kernel_names();
/// InputError naming the nearest.
KernelKind kernel_named(const std::string& name);

class Kernel {
 public:
  /// `dim` 1, 2 or 3: what its integral is taken over. 0: the kernel of an average over everything, 1 everywhere.
  Kernel(KernelKind kind, int dim, double width);

  KernelKind kind() const { return kind_; }
  int dim() const { return dim_; }
  double width() const { return width_; }
  double reach() const { return reach_; }      // m: zero from here on
  double constant() const { return constant_; }
  double peak() const { return peak_; }        // phi(0)
  /// Whether it has a gradient; a heaviside has none.
  bool smooth() const { return dim_ == 0 || kind_ != KernelKind::heaviside; }

  /// phi from r².
  double value(double r2) const {
    if (dim_ == 0) return 1;
    const double q2 = r2 * inverse2_;
    if (!(q2 < cut2_)) return 0;
    switch (kind_) {
      case KernelKind::heaviside: return constant_;
      case KernelKind::gauss: return constant_ * std::exp(-0.5 * q2);
      case KernelKind::lucy: {
        const double q = std::sqrt(q2), p = 1 - q;
        return constant_ * (1 + 3 * q) * p * p * p;
      }
      case KernelKind::mollifier: return constant_ * std::exp(1 / (q2 - 1));
    }
    return 0;
  }
  /// phi'(r)/r from r², so that grad phi = slope * x.
  double slope(double r2) const {
    if (dim_ == 0) return 0;
    const double q2 = r2 * inverse2_;
    if (!(q2 < cut2_)) return 0;
    switch (kind_) {
      case KernelKind::heaviside: return 0;
      case KernelKind::gauss: return -constant_ * inverse2_ * std::exp(-0.5 * q2);
      case KernelKind::lucy: {
        const double p = 1 - std::sqrt(q2);
        return -12 * constant_ * inverse2_ * p * p;
      }
      case KernelKind::mollifier: {
        const double e = 1 / (q2 - 1);
        return -2 * constant_ * inverse2_ * e * e * std::exp(e);
      }
    }
    return 0;
  }

  /// Both at once.
  void value_and_slope(double r2, double& phi, double& steep) const {
    if (kind_ == KernelKind::mollifier && dim_ > 0) {
      const double q2 = r2 * inverse2_;
      const double e = q2 < 1 ? 1 / (q2 - 1) : 0;
      phi = q2 < 1 ? constant_ * std::exp(e) : 0;
      steep = -2 * inverse2_ * e * e * phi;
      return;
    }
    phi = value(r2);
    steep = slope(r2);
  }

 private:
  KernelKind kind_;
  int dim_;
  double width_, reach_, inverse2_, cut2_, constant_ = 1, peak_ = 1;
};

}  // namespace scree::fields
