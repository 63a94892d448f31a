// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/kernel.hpp"

#include <array>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/quadrature.hpp"

namespace scree::fields {
namespace {

using std::numbers::pi;

constexpr std::array<std::string_view, 4> names{"heaviside", "gauss", "lucy", "mollifier"};
constexpr double gauss_cut = 3;  // widths, as MercuryCG has it

/// Measure of the unit sphere: two points, circle, sphere.
double sphere(int dim) { return dim == 1 ? 2 : dim == 2 ? 2 * pi : 4 * pi; }

/// The integral of the kernel without its constant, in widths.
double mass(KernelKind kind, int dim) {
  const double n = dim;
  switch (kind) {
    case KernelKind::heaviside: return sphere(dim) / n;
    case KernelKind::lucy:
      return dim == 1 ? 4.0 / 5 : dim == 2 ? pi / 5 : 16 * pi / 105;
    case KernelKind::gauss: {
      const double c = gauss_cut, edge = std::exp(-0.5 * c * c), line = std::sqrt(2 * pi) * std::erf(c / std::sqrt(2.0));
      if (dim == 1) return line;
      if (dim == 2) return -2 * pi * std::expm1(-0.5 * c * c);
      return 2 * pi * line - 4 * pi * c * edge;
    }
    case KernelKind::mollifier:
      return sphere(dim) * integrate([&](double q) { return std::pow(q, dim - 1) * std::exp(1 / (q * q - 1)); }, 0, 1, 0.1);
  }
  return 1;
}

}  // namespace

std::string_view name_of(KernelKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::vector<std::string> kernel_names() { return {names.begin(), names.end()}; }

KernelKind kernel_named(const std::string& name) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return static_cast<KernelKind>(k);
  throw InputError("kernel: expected one of " + join(kernel_names()) + ", found " + in_quotes(name) +
                   did_you_mean(name, kernel_names()));
}

Kernel::Kernel(KernelKind kind, int dim, double width) : kind_(kind), dim_(dim), width_(width) {
  const double cut = kind == KernelKind::gauss ? gauss_cut : 1;
  reach_ = cut * width;
  inverse2_ = 1 / (width * width);
  cut2_ = cut * cut;
  if (dim == 0) return;
  constant_ = 1 / (mass(kind, dim) * std::pow(width, dim));
  peak_ = value(0);
}

}  // namespace scree::fields
