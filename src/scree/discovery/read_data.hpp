// SPDX-License-Identifier: BSD-3-Clause
/// Tables and field files as data for a discovery; docs/discovery.md has the layouts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/discovery/dataset.hpp"

namespace scree {

struct DataSettings {
  std::vector<std::string> files{};      // .csv, .h5 (or .hdf5)
  std::string time{};                    // column or dataset; empty: "t" or "time", if there is one
  std::vector<std::string> space{};      // coordinates of fields
  std::vector<std::string> variables{};  // empty: all other columns
  std::string by{};                      // CSV: a column that tells trajectories apart
  std::vector<std::string> periodic{};   // coordinates
};

/// Several files are several samples (or more). InputError names file, line, column and what was
/// expected.
Dataset read_data(const DataSettings& settings);

/// A table of columns as data: what a CSV file holds. `name` stands for the file in messages.
Dataset dataset_of_table(const std::string& name, const std::vector<std::string>& columns, const std::vector<std::vector<double>>& values,
                         const DataSettings& settings);

}  // namespace scree
