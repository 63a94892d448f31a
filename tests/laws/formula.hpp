// SPDX-License-Identifier: BSD-3-Clause
/// Reads the formula that a law's comment prints, and evaluates it: what is printed is what is
/// computed.
///
///     N = k ξ^{3/2} + α sqrt(m* k) ξ^{1/4} ξ',   α = …
///     T = -k_t ζ - g_t u_t,   |T| ≤ μ |N|
///
/// Products are written by juxtaposition; a star or a prime belongs to the symbol before it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "scree/core/fields.hpp"
#include "scree/core/mollified_root.hpp"

namespace scree::law_checks {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline std::string trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return std::string(s);
}

/// The indented line in the comment above the law called `name`, from the headers in a folder;
/// empty if it prints none.
inline std::string printed_formula(const std::filesystem::path& folder, std::string_view name) {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".hpp") continue;
    const std::string text = read_text(file.path());
    const auto at = text.find("name = \"" + std::string(name) + "\"");
    if (at == std::string::npos) continue;
    const auto above = text.substr(0, at);
    const auto start = above.rfind("\n\n");  // the comment belongs to this struct
    const auto line = above.find("\n///     ", start);
    if (line == std::string::npos) return {};
    return trimmed(std::string_view(text).substr(line + 4, text.find('\n', line + 1) - line - 4));
  }
  throw std::runtime_error("no header in " + folder.string() + " names the law " +
                           std::string(name));
}

using Symbols = std::map<std::string, double>;

/// Evaluates one expression.
class Expression {
 public:
  using Lookup = std::function<double(const std::string&)>;
  Expression(std::string_view text, Lookup lookup) : text_(text), lookup_(std::move(lookup)) {}

  double value() {
    const double x = sum();
    skip();
    if (at_ != text_.size()) fail("unexpected text");
    return x;
  }

 private:
  std::string_view text_;
  Lookup lookup_;
  std::size_t at_ = 0;
  int bars_ = 0;

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(why + " at '" + std::string(text_.substr(at_)) + "' of '" +
                             std::string(text_) + "'");
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected ") + c);
  }
  static bool letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' ||
           static_cast<unsigned char>(c) >= 128;
  }

  double sum() {
    double x = product();
    for (;;) {
      if (take('+'))
        x += product();
      else if (take('-'))
        x -= product();
      else
        return x;
    }
  }
  double product() {
    if (take('-')) return -product();
    double x = power();
    for (;;) {
      const char c = peek();
      if (take('/'))
        x /= power();
      else if (letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '(' ||
               (c == '|' && bars_ == 0))
        x *= power();
      else
        return x;
    }
  }
  double power() {
    const double x = primary();
    if (!take('^')) return x;
    if (!take('{')) return std::pow(x, primary());
    const double p = sum();
    expect('}');
    return std::pow(x, p);
  }
  double primary() {
    const char c = peek();
    if (take('(')) {
      const double x = sum();
      expect(')');
      return x;
    }
    if (take('|')) {
      ++bars_;
      const double x = sum();
      --bars_;
      expect('|');
      return std::abs(x);
    }
    if (std::isdigit(static_cast<unsigned char>(c))) {
      std::size_t used = 0;
      const double x = std::stod(std::string(text_.substr(at_)), &used);
      at_ += used;
      return x;
    }
    if (!letter(c)) fail("expected a number or a symbol");
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (letter(text_[at_]) || std::isdigit(static_cast<unsigned char>(text_[at_]))))
      ++at_;
    while (at_ < text_.size() && (text_[at_] == '*' || text_[at_] == '\'')) ++at_;
    const std::string name(text_.substr(from, at_ - from));
    if (at_ < text_.size() && text_[at_] == '(') return call(name);
    return lookup_(name);
  }
  double call(const std::string& name) {
    expect('(');
    const int outside = std::exchange(bars_, 0);
    const double x = sum();
    const double y = take(',') ? sum() : 0;
    expect(')');
    bars_ = outside;
    if (name == "sqrt") return std::sqrt(x);
    if (name == "min") return std::min(x, y);
    if (name == "max") return std::max(x, y);
    if (name == "S_eps") return mollified_root(x, lookup_("eps"));
    fail("unknown function " + name);
  }
};

/// A printed line: definitions, and limits on the length of what they define.
class Formula {
 public:
  explicit Formula(const std::string& line) {
    int depth = 0;
    std::string clause;
    for (const char c : line + ",") {
      depth += (c == '(') - (c == ')');
      if (c != ',' || depth > 0) {
        clause += c;
        continue;
      }
      split(clause);
      clause.clear();
    }
  }
  /// The symbol `name`, cut to its limit if there is one.
  double value(const std::string& name, const Symbols& known) const {
    double x = evaluate(definitions_.at(name), known);
    const auto limit = definitions_.find("|" + name + "|");
    if (limit == definitions_.end()) return x;
    const double most = evaluate(limit->second, known);
    return std::clamp(x, -most, most);
  }

 private:
  std::map<std::string, std::string> definitions_;

  void split(const std::string& clause) {
    for (const std::string sign : {" ≤ ", " = "}) {
      const auto at = clause.find(sign);
      if (at == std::string::npos) continue;
      definitions_[trimmed(clause.substr(0, at))] = trimmed(clause.substr(at + sign.size()));
      return;
    }
  }
  double evaluate(const std::string& text, const Symbols& known) const {
    return Expression(
               text,
               [&](const std::string& symbol) {
                 if (const auto it = known.find(symbol); it != known.end()) return it->second;
                 if (const auto it = definitions_.find(symbol); it != definitions_.end())
                   return evaluate(it->second, known);
                 throw std::runtime_error("unknown symbol '" + symbol + "' in '" + text + "'");
               })
        .value();
  }
};

/// The coefficients of a law by the names that formulas use.
template <class L> Symbols symbols_of(const L& law) {
  static const std::map<std::string_view, std::string> greek = {
      {"alpha", "α"}, {"mu", "μ"}, {"mu_r", "μ_r"}, {"shear", "G*"}};
  Symbols s;
  for_each_field<L>([&](const auto& f) {
    s[std::string(f.name)] = static_cast<double>(law.*f.member);
    if (const auto it = greek.find(f.name); it != greek.end()) s[it->second] = law.*f.member;
  });
  return s;
}

}  // namespace scree::law_checks
