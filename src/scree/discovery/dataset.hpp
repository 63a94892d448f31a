// SPDX-License-Identifier: BSD-3-Clause
/// The data of a discovery: several samples (trajectories, fields on grids, plain tables), each on a
/// grid of its own, with the same fields and coordinates.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/discovery/expression.hpp"

namespace scree {

/// One axis of a grid, rising. The period of a periodic one is the number of points times the step:
/// the last point is not the first again.
struct GridAxis {
  std::vector<double> at;
  bool periodic = false;

  std::size_t size() const { return at.size(); }
  double step() const { return size() < 2 ? 0 : (at.back() - at.front()) / static_cast<double>(size() - 1); }
  /// Largest deviation of a distance between neighbours from the mean, over the mean.
  double unevenness() const;
  bool uniform() const { return unevenness() < 1e-6; }
};

/// Fields on a grid; the last axis varies fastest. A table of rows without coordinates has one axis
/// that only counts them, and `names.coordinates` is empty then. What is missing is NaN.
struct Sample {
  std::string name;
  std::vector<GridAxis> axes;
  std::vector<std::vector<double>> fields;

  std::size_t points() const;
  std::size_t stride(std::size_t axis) const;  // in points, of a step along the axis
};

struct Dataset {
  Names names;
  std::vector<Sample> samples;
  std::vector<std::string> notes;  // what was done to the data on reading

  std::size_t points() const;
};

/// InputError if a sample has no points, an axis that does not rise, fields of a wrong size or with
/// no finite value.
void check_dataset(const Dataset& data);

/// How rough a field is: an estimate of the standard deviation of white noise on it, over the
/// standard deviation of the field, from differences of fourth order along its longest axis.
double estimated_noise(const Sample& sample, std::size_t field);

}  // namespace scree
