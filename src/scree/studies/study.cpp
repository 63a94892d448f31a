// SPDX-License-Identifier: BSD-3-Clause
#include "scree/studies/study.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& expected,
                       const std::string& found) {
  throw InputError("--" + option + ": expected " + expected + ", found " + in_quotes(found));
}

double parse_number(const std::string& option, const std::string& text, const std::string& expected,
                    const std::string& whole) {
  double x = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc() || at != end || !std::isfinite(x)) fail(option, expected, whole);
  return x;
}

/// The parts of a text between separators, none of them empty.
std::vector<std::string> split(const std::string& option, const std::string& text, char separator, const std::string& expected) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(separator, from), text.size());
    parts.push_back(text.substr(from, end - from));
    if (parts.back().empty()) fail(option, expected, text);
    from = end + 1;
  }
  return parts;
}

}  // namespace

StudySettings::StudySettings(const std::vector<StudyOption>& options) {
  for (const StudyOption& one : options) {
    values_[one.name] = one.initial;
    given_[one.name] = false;
  }
}

void StudySettings::set(const std::string& name, const std::string& value) {
  if (!values_.contains(name)) throw std::logic_error("the study has no option --" + name);
  values_[name] = value;
  given_[name] = true;
}

bool StudySettings::given(const std::string& name) const {
  text(name);
  return given_.at(name);
}

const std::string& StudySettings::text(const std::string& name) const {
  const auto at = values_.find(name);
  if (at == values_.end()) throw std::logic_error("the study has no option --" + name);
  return at->second;
}

double StudySettings::number(const std::string& name) const {
  const std::string& t = text(name);
  return parse_number(name, t, "a number", t);
}

std::int64_t StudySettings::integer(const std::string& name) const {
  const std::string& t = text(name);
  std::int64_t n = 0;
  const char* end = t.data() + t.size();
  const auto [at, error] = std::from_chars(t.data(), end, n);
  if (error != std::errc() || at != end) fail(name, "an integer", t);
  return n;
}

std::vector<std::string> StudySettings::list(const std::string& name) const {
  return split(name, text(name), ',', "values separated by commas");
}

std::vector<std::vector<std::string>> StudySettings::groups(const std::string& name) const {
  std::vector<std::vector<std::string>> all;
  for (const std::string& group : list(name)) all.push_back(split(name, group, '+', "values joined by +"));
  return all;
}

std::vector<double> StudySettings::numbers(const std::string& name) const {
  std::vector<double> all;
  for (const std::string& one : list(name))
    all.push_back(parse_number(name, one, "numbers separated by commas", text(name)));
  return all;
}

const std::string& StudySettings::one_of(const std::string& name, std::string_view what,
                                         const std::vector<std::string>& names) const {
  const std::string& t = text(name);
  if (std::find(names.begin(), names.end(), t) == names.end())
    throw InputError("--" + name + ": expected " + std::string(what) + " (" + join(names) +
                     "), found " + in_quotes(t) + did_you_mean(t, names));
  return t;
}

}  // namespace scree
