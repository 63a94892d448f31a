// SPDX-License-Identifier: BSD-3-Clause
/// Numbers as figures write them.
#pragma once

#include <string>

namespace scree {

/// 5·10^{-7}, 10^{-3}; numbers from 0.01 to 1000 as they are.
std::string power_text(double x);

/// 2^{-23} where it is a power of two, else as power_text.
std::string step_text(double h);

}  // namespace scree
