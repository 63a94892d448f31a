// SPDX-License-Identifier: BSD-3-Clause
/// Kernels and their integrals: constants, unit mass, lines, parts inside a region.
#include <gtest/gtest.h>

#include <random>

#include "scree/core/errors.hpp"
#include "scree/fields/line_integral.hpp"
#include "scree/fields/region.hpp"
#include "tests/fields/direct.hpp"

namespace scree::fields {
namespace {

const std::vector<KernelKind> kernels{KernelKind::heaviside, KernelKind::gauss, KernelKind::lucy, KernelKind::mollifier};
constexpr double pi = std::numbers::pi;

TEST(FieldKernels, PublishedConstants) {
  const double w = 0.37;
  // E2(1) of the exponential integral to 15 digits
  EXPECT_NEAR(Kernel(KernelKind::mollifier, 2, w).constant() * pi * w * w * 0.148495506775922, 1, 1e-14);
  // ∫_{-1}^1 exp(1/(x² - 1)) dx (OEIS A186475)
  EXPECT_NEAR(Kernel(KernelKind::mollifier, 1, w).constant() * w * 0.443993816168079, 1, 1e-14);
  EXPECT_NEAR(Kernel(KernelKind::lucy, 1, w).peak(), 1.25 / w, 1e-14 / w);
  EXPECT_NEAR(Kernel(KernelKind::lucy, 2, w).peak(), 5 / (pi * w * w), 1e-13);
  EXPECT_NEAR(Kernel(KernelKind::lucy, 3, w).peak(), 105 / (16 * pi * w * w * w), 1e-12);
}

TEST(FieldKernels, HaveUnitMassAndTheRightSlope) {
  for (const KernelKind kind : kernels)
    for (const int dim : {1, 2, 3}) {
      const Kernel k(kind, dim, 0.8);
      const double sphere = dim == 1 ? 2 : dim == 2 ? 2 * pi : 4 * pi;
      const double mass = direct::tanh_sinh(
          [&](double r) { return sphere * std::pow(r, dim - 1) * k.value(std::min(r * r, std::nextafter(k.reach() * k.reach(), 0.0))); }, 0,
          k.reach());
      EXPECT_NEAR(mass, 1, 1e-13) << name_of(kind) << " in " << dim;
      for (const double r : {0.1, 0.33, 0.6}) {
        const double h = 1e-4, f = (k.value(std::pow(r + h, 2)) - k.value(std::pow(r - h, 2))) / (2 * h);
        if (kind == KernelKind::heaviside) continue;
        EXPECT_NEAR(k.slope(r * r) * r, f, 1e-5 * k.peak()) << name_of(kind);  // h² times a third derivative below 1000 peaks
        double phi = 0, slope = 0;
        k.value_and_slope(r * r, phi, slope);
        EXPECT_EQ(phi, k.value(r * r));
        EXPECT_NEAR(slope, k.slope(r * r), 1e-14 * std::abs(slope));
      }
      EXPECT_EQ(k.value(k.reach() * k.reach()), 0);
    }
}

TEST(FieldKernels, UnknownNamesGetTheNearest) {
  try {
    kernel_named("molifier");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"mollifier\""), std::string::npos) << error.what();
  }
}

/// Lines of all lengths, from a millionth of the width to ten widths, through the middle and past the edge.
TEST(FieldKernels, LineIntegralsToTwelveDigits) {
  std::mt19937 random(3);
  const auto unit = [&] { return 2 * static_cast<double>(random()) / 4294967296.0 - 1; };
  for (const KernelKind kind : kernels) {
    const double w = 0.6;
    const Kernel k(kind, 2, w);
    double worst = 0;
    for (int n = 0; n < 400; ++n) {
      const double length = std::pow(10, -6 + 7 * (n % 20) / 19.0) * w, angle = pi * unit();
      const std::vector<double> y{1.2 * k.reach() * unit(), 1.2 * k.reach() * unit() * (n % 3 == 0 ? 1e-3 : 1)};
      const std::vector<double> b{length * std::cos(angle), length * std::sin(angle)};
      const double ours = line_integral<2>(k, y.data(), b.data());
      worst = std::max(worst, std::abs(ours - direct::line(kind, 2, w, y, b)) / k.peak());
      // and their slope is the difference of the ends
      const Chord c = chord<2>(y.data(), b.data());
      if (!k.smooth()) continue;
      EXPECT_NEAR(slope_along_line(k, c.h2, c.t0, c.t1), k.value(c.h2 + c.t1 * c.t1) - k.value(c.h2 + c.t0 * c.t0), 1e-12 * k.peak());
    }
    EXPECT_LT(worst, 1e-12) << name_of(kind);
  }
}

/// Over a whole line through the middle the mollifier's integral is that of the one-dimensional kernel.
TEST(FieldKernels, AnInfiniteLineSeesTheWholeKernel) {
  for (const KernelKind kind : kernels) {
    const Kernel k(kind, 1, 0.3);
    const double y = 5, b = 10;
    EXPECT_NEAR(line_integral<1>(k, &y, &b), 0.1, 1e-14) << name_of(kind);
  }
}

/// The divergence of a stress at rest is a sum of large terms that cancel: each is wanted to some 1e-15 of the peak, also of lines that
/// pass the middle closely, where lucy's gradient has a kink.
TEST(FieldKernels, SlopesAlongLinesToRounding) {
  std::mt19937 random(5);
  const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0; };
  for (const KernelKind kind : {KernelKind::gauss, KernelKind::lucy, KernelKind::mollifier}) {
    const Kernel k(kind, 2, 0.7);
    double worst = 0;
    for (int n = 0; n < 200000; ++n) {
      const double h = k.reach() * (n % 3 == 0 ? std::pow(10, -5 * unit()) : 1.05 * unit());
      const double t0 = k.reach() * (2.4 * unit() - 1.2), t1 = t0 + k.reach() * std::pow(10, -2 + 2 * unit());
      worst = std::max(worst, std::abs(slope_along_line(k, h * h, t0, t1) - (k.value(h * h + t1 * t1) - k.value(h * h + t0 * t0))));
    }
    EXPECT_LT(worst, 1e-14 * k.peak()) << name_of(kind);
  }
}

TEST(FieldKernels, TheMassInsideARegionInSpace) {
  // Octants, quarters and halves of a ball are known; a plane at a third of the reach is one integral.
  for (const KernelKind kind : kernels) {
    const double w = 0.5;
    const Kernel k(kind, 3, w);
    const double far = 100;
    const double x[3]{0, 0, 0};
    EXPECT_NEAR(RegionMass(Region::box({0, 0, 0}, {far, far, far}), {0, 1, 2})(k, x), 0.125, 1e-12) << name_of(kind);
    EXPECT_NEAR(RegionMass(Region::box({0, 0, -far}, {far, far, far}), {0, 1, 2})(k, x), 0.25, 1e-12);
    EXPECT_NEAR(RegionMass(Region::half_plane({0, 0, 0}, {1, 2, -2}), {0, 1, 2})(k, x), 0.5, 1e-13);
    // the marginal of the ball: ∫ 2 pi s phi(√(s² + z²)) ds is integrated once more
    const double d = k.reach() / 3;
    const double cap = direct::tanh_sinh(
        [&](double z) {
          const double room = std::sqrt(std::max(0.0, k.reach() * k.reach() - z * z));
          return direct::tanh_sinh([&](double s) { return 2 * pi * s * direct::phi(kind, 3, w, std::min(std::hypot(s, z), k.reach() * (1 - 1e-16))); },
                                   0, room, 1.0 / 16);
        },
        d, k.reach(), 1.0 / 16);
    EXPECT_NEAR(RegionMass(Region::half_plane({-d, 0, 0}, {1, 0, 0}), {0, 1, 2})(k, x), 1 - cap, 1e-12) << name_of(kind);
    EXPECT_NEAR(RegionMass(Region::box({-d, -far, -far}, {far, far, far}), {0, 1, 2})(k, x), 1 - cap, 1e-12) << name_of(kind);
    // a cylinder whose side is far is a half-space
    EXPECT_NEAR(RegionMass(Region::disc(1e7 - d, 0, 1e7), {0, 1, 2})(k, x), 1 - cap, 1e-6);
    EXPECT_EQ(RegionMass(Region::disc(0, 0, 2 * k.reach()), {0, 1, 2})(k, x), 1);
    EXPECT_EQ(RegionMass(Region::annulus(0, 0, 2 * k.reach(), 9), {0, 1, 2})(k, x), 0);
  }
}

/// A point 8 mm off the inner side of an annulus, where the angle changes within a fiftieth of the width: by quadrature in 25 digits.
TEST(FieldKernels, TheMassBesideANearRing) {
  const Kernel k(KernelKind::lucy, 3, 0.36);
  const double x[3]{0.55, 0.35, 0.85};
  EXPECT_NEAR(RegionMass(Region::annulus(0.5, 0.5, 0.15, 0.6), {0, 1, 2})(k, x), 0.67409823085162725, 1e-13);
}

TEST(FieldKernels, RegionsAreReadAndRefused) {
  EXPECT_EQ(parse_region("annulus:0,0.5,0.1,0.2", 2).text(2), "annulus:0,0.5,0.1,0.2");
  EXPECT_EQ(parse_region("box:0,0,1,2", 2).text(2), "box:0,0,1,2");
  EXPECT_EQ(parse_region("half-plane:0,0,0,2", 2).text(2), "half-plane:0,0,0,1");
  for (const char* bad : {"anulus:0,0,1,2", "disc:0,0", "disc:0,0,x", "annulus:0,0,2,1", "box:0,0,0,1", "half-plane:0,0,0,0", "disc"})
    EXPECT_THROW(parse_region(bad, 2), InputError) << bad;
  EXPECT_THROW(RegionMass(Region::disc(0, 0, 1), {1}), InputError);
}

}  // namespace
}  // namespace scree::fields
