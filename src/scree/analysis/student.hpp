// SPDX-License-Identifier: BSD-3-Clause
/// Student's t: the interval of a mean whose deviation is estimated from the same few numbers.
#pragma once

namespace scree {

/// The probability of |t| < `t` with `freedom` degrees of freedom, by the finite series of Abramowitz and Stegun (26.7.3 and 26.7.4).
double student_within(double t, int freedom);

/// The t with student_within(t, freedom) = 0.95, infinite without a degree of freedom: a 95 % interval is mean ± t standard errors.
double student_95(int freedom);

}  // namespace scree
