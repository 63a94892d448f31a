// SPDX-License-Identifier: BSD-3-Clause
/// Runs a study as the command line would.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/studies/study.hpp"

namespace scree::test {

inline StudyResult run_study(const std::string& name,
                             const std::vector<std::pair<std::string, std::string>>& options = {},
                             const std::vector<std::string>& overrides = {}, bool quick = true) {
  const Study* study = find_study(name);
  if (!study) throw std::logic_error("no study is called " + name);
  StudySettings settings(study->options());
  for (const auto& [option, value] : options) settings.set(option, value);
  settings.overrides = overrides;
  settings.quick = quick;
  return study->run(settings, [](double, const std::string&) {});
}

}  // namespace scree::test
