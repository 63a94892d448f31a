// SPDX-License-Identifier: BSD-3-Clause
/// The sandwich B⁻¹ M B⁻¹ of a covariance: B = AᵀA ("bread", of columns in any units), M ("meat") that of the scores g = Aᵀe, a sum over
/// what is correlated (Liang and Zeger, Biometrika 73, 13, 1986). For sources of this folder only: they are built with Eigen's threads off.
#pragma once

#include <Eigen/Dense>

namespace scree {

inline Eigen::MatrixXd sandwich(const Eigen::MatrixXd& bread, const Eigen::MatrixXd& meat) {
  using Eigen::MatrixXd;
  const Eigen::VectorXd unit = bread.diagonal().cwiseSqrt().cwiseMax(1e-300).cwiseInverse();
  const MatrixXd inverse = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(unit.asDiagonal() * bread * unit.asDiagonal()).pseudoInverse();
  return unit.asDiagonal() * inverse * (unit.asDiagonal() * meat * unit.asDiagonal()) * inverse * unit.asDiagonal();
}

}  // namespace scree
