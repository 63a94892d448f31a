// SPDX-License-Identifier: BSD-3-Clause
#include "scree/analysis/student.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree {
namespace {

// Abramowitz and Stegun, table 26.10, to its digits; one degree of freedom is Cauchy's law, whose quantile is a tangent.
TEST(Student, IntervalsAreThoseOfTheTables) {
  EXPECT_NEAR(student_95(1), std::tan(0.475 * M_PI), 1e-12);
  EXPECT_NEAR(student_95(2), 4.303, 5e-4);
  EXPECT_NEAR(student_95(5), 2.571, 5e-4);
  EXPECT_NEAR(student_95(10), 2.228, 5e-4);
  EXPECT_NEAR(student_95(30), 2.042, 5e-4);
  EXPECT_NEAR(student_95(120), 1.980, 5e-4);
  EXPECT_TRUE(std::isinf(student_95(0)));
}

}  // namespace
}  // namespace scree
