// SPDX-License-Identifier: BSD-3-Clause
/// The laws there are. To add one: its file, its #include and its entry here.
#pragma once

#include <variant>

#include "scree/laws/normal/hertz.hpp"
#include "scree/laws/normal/hertz_linear.hpp"
#include "scree/laws/normal/hertz_tsuji.hpp"
#include "scree/laws/normal/kk.hpp"
#include "scree/laws/normal/kk_mollified.hpp"
#include "scree/laws/normal/linear.hpp"
#include "scree/laws/normal/overlap_area.hpp"
#include "scree/laws/normal/power.hpp"
#include "scree/laws/rolling/constant.hpp"
#include "scree/laws/rolling/spring.hpp"
#include "scree/laws/rotational/chord_damping.hpp"
#include "scree/laws/rotational/matrix_damping.hpp"
#include "scree/laws/tangential/constraint.hpp"
#include "scree/laws/tangential/cundall_strack.hpp"
#include "scree/laws/tangential/mindlin.hpp"
#include "scree/laws/tangential/none.hpp"
#include "scree/laws/tangential/viscous.hpp"

namespace scree {

using AnyNormal =
    std::variant<Linear, Hertz, HertzLinear, HertzTsuji, KuwabaraKono, KKMollified, KKMollifiedFull, Power, OverlapArea>;
using AnyTangential = std::variant<Frictionless, CundallStrack, Mindlin, Viscous, ConstraintFriction>;
using AnyRolling = std::variant<Frictionless, RollingConstant, RollingSpring>;
using AnyRotational = std::variant<Frictionless, MatrixDamping, MatrixDampingAsPrinted, ChordDamping>;

}  // namespace scree
