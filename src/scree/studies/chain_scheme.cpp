// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/chain_scheme.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/integrators/registry.hpp"
#include "scree/run/read_parts.hpp"

namespace scree {

ChainScheme::ChainScheme(std::string text) : name(std::move(text)) {
  const std::size_t colon = name.find(':');
  integrator = name.substr(0, colon);
  if (colon != std::string::npos) manner = name.substr(colon + 1);
  std::vector<std::string> known;
  for (const Method& one : methods()) known.emplace_back(one.name);
  if (!find_method(integrator))
    throw InputError("--schemes: no integrator is called " + in_quotes(integrator) + did_you_mean(integrator, known));
  std::vector<std::string> manners{"mollified"};
  if (is_theta()) {
    manners = theta_variants;
    manners.emplace_back("printed");
  }
  if (!manner.empty() && std::find(manners.begin(), manners.end(), manner) == manners.end())
    throw InputError("--schemes: " + in_quotes(name) + ": expected one of " + join(manners) + " behind the colon" +
                     did_you_mean(manner, manners));
}

std::vector<std::string> ChainScheme::changes() const {
  std::vector<std::string> all{"run.integrator=" + integrator};
  if (is_theta()) all.push_back("run.variant=" + (as_printed() ? "theta" : manner));
  if (manner == "printed") all.emplace_back("run.guard=false");
  return all;
}

std::vector<ChainScheme> chain_schemes(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

}  // namespace scree
