// SPDX-License-Identifier: BSD-3-Clause
/// A dense matrix by columns: what the parts of discovery hand to each other. Eigen works on it in
/// the source files only, so that nobody else waits for its headers.
#pragma once

#include <cstddef>
#include <vector>

namespace scree {

struct Matrix {
  std::size_t rows = 0, cols = 0;
  std::vector<double> data;

  Matrix() = default;
  Matrix(std::size_t r, std::size_t c) : rows(r), cols(c), data(r * c) {}
  double& operator()(std::size_t i, std::size_t j) { return data[j * rows + i]; }
  double operator()(std::size_t i, std::size_t j) const { return data[j * rows + i]; }
  double* column(std::size_t j) { return data.data() + j * rows; }
  const double* column(std::size_t j) const { return data.data() + j * rows; }
};

}  // namespace scree
