// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/names.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace scree {
namespace {

std::string folded(std::string_view name) {
  std::string out;
  for (char c : name.substr(0, 64))
    out += c == '_' ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return out;
}

/// Damerau and Levenshtein, optimal string alignment: three rows of the table suffice.
int distance(const std::string& a, const std::string& b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), above(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const int change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[n];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string typed = folded(name);
  std::string best;
  double best_score = 1e9;
  for (const std::string& one : candidates) {
    const std::string other = folded(one);
    if (other.empty() || typed.empty()) continue;
    const double longer = static_cast<double>(std::max(typed.size(), other.size()));
    const bool begins = typed.starts_with(other) || other.starts_with(typed);
    double score = distance(typed, other);
    if (begins) score = std::min(score, 0.4 * longer);
    if (score <= std::max(1.0, 0.4 * longer) && score < longer && score < best_score) {
      best_score = score;
      best = one;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string near = nearest(name, candidates);
  return near.empty() ? "" : "; did you mean \"" + near + "\"?";
}

std::string join(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& one : names) out += (out.empty() ? "" : ", ") + one;
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string out = "\"";
  const auto put = [&out](std::string_view part) {
    for (const char c : part) {
      const auto u = static_cast<unsigned char>(c);
      if (u >= 0x20 && u != 0x7f) {
        out += c;
      } else {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", u);
        out += escape;
      }
    }
  };
  if (text.size() <= most) {
    put(text);
  } else {
    // cut at the beginning of a character, not inside one
    const auto inside = [&](std::size_t k) {
      return (static_cast<unsigned char>(text[k]) & 0xc0) == 0x80;
    };
    std::size_t head = most - 20, tail = text.size() - 12;
    while (head > 0 && inside(head)) --head;
    while (tail < text.size() && inside(tail)) ++tail;
    put(text.substr(0, head));
    out += " ... ";
    put(text.substr(tail));
  }
  return out + '"';
}

std::string shortest(double x) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return std::string(buffer, end);
}

std::string brief(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", x);
  return buffer;
}

}  // namespace scree
