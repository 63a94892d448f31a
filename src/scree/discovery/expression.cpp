// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"

namespace scree {
namespace {

using Kind = Expression::Kind;

struct Function {
  const char* name;
  double (*f)(double);
};
const std::array functions{Function{"sin", [](double x) { return std::sin(x); }}, Function{"cos", [](double x) { return std::cos(x); }},
                           Function{"tan", [](double x) { return std::tan(x); }}, Function{"tanh", [](double x) { return std::tanh(x); }},
                           Function{"exp", [](double x) { return std::exp(x); }}, Function{"log", [](double x) { return std::log(x); }},
                           Function{"sqrt", [](double x) { return std::sqrt(x); }}, Function{"abs", [](double x) { return std::abs(x); }}};

std::size_t function_index(const std::string& name) {
  std::size_t k = 0;
  while (k < functions.size() && name != functions[k].name) ++k;
  return k;
}

std::shared_ptr<Expression> make(Kind kind, std::vector<Expr> of = {}) {
  auto e = std::make_shared<Expression>();
  e->kind = kind;
  e->of = std::move(of);
  return e;
}

bool is_number(const Expr& e, double x) { return e->kind == Kind::number && e->number == x; }

/// x^n by multiplication where n is a small whole number: exact, quick, and right for negative x.
double power(double x, double n) {
  if (n == std::floor(n) && std::abs(n) <= 16) {
    double y = 1;
    for (int k = 0; k < static_cast<int>(std::abs(n)); ++k) y *= x;
    return n < 0 ? 1 / y : y;
  }
  return std::pow(x, n);
}

class Parser {
 public:
  Parser(const std::string& text, const Names& names, const std::string& what) : text_(text), names_(names), what_(what) {
    if (text.size() > 4000) throw InputError(what + ": an expression of more than 4000 characters");
  }
  Expr all() {
    Expr e = sum();
    skip();
    if (at_ < text_.size()) fail("expected an operator or the end");
    return e;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {} at character {} of {}", what_, message, at_ + 1, in_quotes(text_)));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  struct Deeper {
    explicit Deeper(Parser& p) : parser(p) {
      if (++p.depth_ > 100) p.fail("more than 100 levels of brackets and powers");
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  Expr sum() {
    const Deeper deeper(*this);
    Expr e = product();
    while (true) {
      if (take('+')) e = make(Kind::sum, {e, product()});
      else if (take('-')) e = make(Kind::difference, {e, product()});
      else return e;
    }
  }
  Expr product() {
    Expr e = signed_power();
    while (true) {
      const char c = peek();
      if (c == '*' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') return e;
      if (take('*')) e = make(Kind::product, {e, signed_power()});
      else if (take('/')) e = make(Kind::quotient, {e, signed_power()});
      else if (std::isalpha(static_cast<unsigned char>(c)) || c == '(' || c == '_' || std::isdigit(static_cast<unsigned char>(c)))
        e = make(Kind::product, {e, power_of()});
      else return e;
    }
  }
  Expr signed_power() {
    const Deeper deeper(*this);
    if (take('-')) {
      const Expr e = signed_power();
      return e->kind == Kind::number ? number_expr(-e->number) : Expr(make(Kind::negative, {e}));
    }
    if (take('+')) return signed_power();
    return power_of();
  }
  Expr power_of() {
    const Expr base = primary();
    skip();
    const bool stars = text_.compare(at_, 2, "**") == 0;
    if (stars) at_ += 2;
    if (!stars && !take('^')) return base;
    return make(Kind::power, {base, signed_power()});
  }
  Expr primary() {
    const Deeper deeper(*this);
    skip();
    Expr e;
    if (take('(')) {
      e = sum();
      if (!take(')')) fail("expected )");
    } else if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) {
      double x = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), x);
      if (error != std::errc()) fail("expected a number");
      at_ = static_cast<std::size_t>(end - text_.data());
      e = number_expr(x);
    } else if (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      e = named();
    } else {
      fail("expected a number, a name or (");
    }
    while (at_ < text_.size() && text_[at_] == '\'') {
      ++at_;
      if (!names_.timed) fail("x' means a derivative by time, and the data have no time");
      Orders orders(names_.coordinates.size());
      orders[0] = 1;
      e = derivative_expr(e, orders);
    }
    return e;
  }
  std::string word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    return text_.substr(from, at_ - from);
  }
  /// "xxt" as orders; false if it is no sequence of coordinates.
  bool orders_of(const std::string& letters, Orders& orders) const {
    orders.assign(names_.coordinates.size(), 0);
    std::size_t at = 0;
    while (at < letters.size()) {
      if (at > 0 && letters[at] == '_') ++at;
      std::size_t best = names_.coordinates.size();
      for (std::size_t k = 0; k < names_.coordinates.size(); ++k)
        if (letters.compare(at, names_.coordinates[k].size(), names_.coordinates[k]) == 0 &&
            (best == names_.coordinates.size() || names_.coordinates[k].size() > names_.coordinates[best].size()))
          best = k;
      if (best == names_.coordinates.size()) return false;
      if (++orders[best] > 8) return false;
      at += names_.coordinates[best].size();
    }
    return !letters.empty();
  }
  Expr named() {
    const std::size_t from = at_;
    const std::string name = word();
    const bool call = peek() == '(';
    for (std::size_t k = 0; k < names_.fields.size(); ++k)
      if (names_.fields[k] == name) return field_expr(k);
    for (std::size_t k = 0; k < names_.coordinates.size(); ++k)
      if (names_.coordinates[k] == name) return coordinate_expr(k);
    if (call && name == "d") {
      take('(');
      const Expr e = sum();
      if (!take(',')) fail("expected , and coordinates, as in d(u^2, xx)");
      skip();
      Orders orders;
      if (!orders_of(word(), orders)) fail("expected coordinates (" + join(names_.coordinates) + ")");
      if (!take(')')) fail("expected )");
      return derivative_expr(e, orders);
    }
    if (const std::size_t k = function_index(name); call && k < functions.size()) {
      take('(');
      auto e = make(Kind::call, {sum()});
      e->index = k;
      if (!take(')')) fail("expected )");
      return e;
    }
    if (name == "pi" && !call) return number_expr(3.14159265358979323846);
    for (std::size_t cut = name.find('_', 1); cut != std::string::npos; cut = name.find('_', cut + 1))
      for (std::size_t k = 0; k < names_.fields.size(); ++k) {
        Orders orders;
        if (names_.fields[k] == name.substr(0, cut) && orders_of(name.substr(cut + 1), orders))
          return derivative_expr(field_expr(k), orders);
      }
    std::vector<std::string> known = names_.fields;
    known.insert(known.end(), names_.coordinates.begin(), names_.coordinates.end());
    if (call)
      for (const Function& f : functions) known.emplace_back(f.name);
    at_ = from;
    fail(fmt::format("unknown name {}; expected one of {}{}", in_quotes(name), join(known), did_you_mean(name, known)));
  }

  const std::string& text_;
  const Names& names_;
  const std::string& what_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// How tightly a kind binds: brackets go around what binds less.
int binding(Kind kind) {
  switch (kind) {
    case Kind::sum:
    case Kind::difference: return 1;
    case Kind::negative: return 2;
    case Kind::product:
    case Kind::quotient: return 3;
    case Kind::power: return 4;
    default: return 5;
  }
}

/// The same printer for people and for LaTeX.
class Printer {
 public:
  Printer(const Names& names, bool latex) : names_(names), latex_(latex) {}
  std::string text(const Expr& e) const {
    switch (e->kind) {
      case Kind::number: return e->number < 0 ? fmt::format("({})", shortest(e->number)) : shortest(e->number);
      case Kind::field: return name(names_.fields[e->index]);
      case Kind::coordinate: return name(names_.coordinates[e->index]);
      case Kind::derivative: return derivative(e);
      case Kind::negative: return fmt::format("-{}", bracketed(e->of[0], 3));
      case Kind::sum: return text(e->of[0]) + " + " + bracketed(e->of[1], 2);
      case Kind::difference: return text(e->of[0]) + " - " + bracketed(e->of[1], 2);
      case Kind::product: return bracketed(e->of[0], 3) + " " + bracketed(e->of[1], 4);
      case Kind::quotient:
        return latex_ ? "\\frac{" + text(e->of[0]) + "}{" + text(e->of[1]) + "}" : bracketed(e->of[0], 3) + "/" + bracketed(e->of[1], 4);
      case Kind::power:
        return latex_ ? fmt::format("{}^{{{}}}", bracketed(e->of[0], 5), text(e->of[1])) : fmt::format("{}^{}", bracketed(e->of[0], 5), bracketed(e->of[1], 5));
      case Kind::call: {
        const std::string f = functions[e->index].name;
        return (latex_ ? f == "abs" ? "\\operatorname{abs}" : "\\" + f : f) + "(" + text(e->of[0]) + ")";
      }
    }
    return {};
  }

 private:
  std::string bracketed(const Expr& e, int needed) const {
    return binding(e->kind) < needed ? fmt::format("({})", text(e)) : text(e);
  }
  std::string name(const std::string& n) const { return latex_ ? latex_name(n) : n; }
  std::string derivative(const Expr& e) const {
    const Expr& inner = e->of[0];
    std::string letters;
    int order = 0;
    bool single = true;
    // time last: u_xt
    for (std::size_t k = names_.timed ? 1 : 0; k <= names_.coordinates.size(); ++k) {
      const std::size_t c = k == names_.coordinates.size() ? 0 : k;
      if (k == names_.coordinates.size() && !names_.timed) break;
      for (int j = 0; j < e->orders[c]; ++j) {
        if (names_.coordinates[c].size() > 1 && order > 0) letters += latex_ ? " " : "_";
        letters += latex_ ? latex_name(names_.coordinates[c]) : names_.coordinates[c];
        ++order;
      }
      single &= names_.coordinates[c].size() == 1;
    }
    const bool only_time = names_.timed && names_.coordinates.size() == 1;
    if (only_time && inner->kind == Kind::field) return text(inner) + std::string(static_cast<std::size_t>(order), '\'');
    if (inner->kind == Kind::field) {
      const std::string n = text(inner);
      if (!latex_) return n + "_" + letters;
      return names_.fields[inner->index].size() > 1 ? fmt::format("{{{}}}_{{{}}}", n, letters) : fmt::format("{}_{{{}}}", n, letters);
    }
    return latex_ ? fmt::format("({})_{{{}}}", text(inner), letters) : fmt::format("d({}, {})", text(inner), letters);
  }

  const Names& names_;
  bool latex_;
};

}  // namespace

Expr number_expr(double x) {
  auto e = make(Kind::number);
  e->number = x;
  return e;
}
Expr field_expr(std::size_t field) {
  auto e = make(Kind::field);
  e->index = field;
  return e;
}
Expr coordinate_expr(std::size_t coordinate) {
  auto e = make(Kind::coordinate);
  e->index = coordinate;
  return e;
}
Expr product_expr(const Expr& a, const Expr& b) {
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  return make(Kind::product, {a, b});
}
Expr power_expr(const Expr& a, double exponent) {
  if (exponent == 0) return number_expr(1);
  return exponent == 1 ? a : Expr(make(Kind::power, {a, number_expr(exponent)}));
}
Expr derivative_expr(const Expr& a, const Orders& orders) {
  int total = 0;
  for (const int k : orders) total += k;
  if (total == 0) return a;
  auto e = make(Kind::derivative, {a});
  e->orders = orders;
  if (a->kind == Kind::derivative) {  // of a derivative: one of higher order
    e->of = a->of;
    for (std::size_t k = 0; k < orders.size(); ++k) e->orders[k] += a->orders[k];
  }
  return e;
}
Expr call_expr(const std::string& function, const Expr& a) {
  auto e = make(Kind::call, {a});
  e->index = function_index(function);
  return e;
}

Expr parse_expression(const std::string& text, const Names& names, const std::string& what) {
  return Parser(text, names, what).all();
}

std::string text_of(const Expr& e, const Names& names) { return Printer(names, false).text(e); }
std::string latex_of(const Expr& e, const Names& names) { return Printer(names, true).text(e); }

std::string latex_name(const std::string& name) {
  static const std::vector<std::string> greek{"alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "kappa", "lambda", "mu",
                                              "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"};
  for (const std::string& letter : greek)
    if (name == letter) return "\\" + name;
  if (name.size() == 1) return name;
  std::string safe;
  for (const char c : name) safe += c == '_' ? "\\_" : std::string(1, c);
  return "\\mathrm{" + safe + "}";
}

Affine affine_in(const Expr& e, const Expr& d, const Names& names) {
  const std::string wanted = text_of(d, names);
  const std::function<bool(const Expr&)> contains = [&](const Expr& x) {
    if (text_of(x, names) == wanted) return true;
    for (const Expr& part : x->of)
      if (contains(part)) return true;
    return false;
  };
  const Expr zero = number_expr(0);
  const std::function<Affine(const Expr&)> split = [&](const Expr& x) -> Affine {
    if (!contains(x)) return {true, true, false, x, zero};
    if (text_of(x, names) == wanted) return {true, false, true, zero, number_expr(1)};
    std::vector<Affine> parts;
    for (const Expr& part : x->of) parts.push_back(split(part));
    for (const Affine& part : parts)
      if (!part.is) return {};
    switch (x->kind) {
      case Kind::negative:
        return {true, parts[0].has_constant, parts[0].has_factor, make(Kind::negative, {parts[0].constant}), make(Kind::negative, {parts[0].factor})};
      case Kind::sum:
      case Kind::difference:
        return {true, parts[0].has_constant || parts[1].has_constant, parts[0].has_factor || parts[1].has_factor,
                make(x->kind, {parts[0].constant, parts[1].constant}), make(x->kind, {parts[0].factor, parts[1].factor})};
      case Kind::product:
      case Kind::quotient: {
        const bool first = parts[0].has_factor;
        if (parts[1].has_factor && (first || x->kind == Kind::quotient)) return {};
        const Affine& moved = parts[first ? 0 : 1];
        const auto times = [&](const Expr& y) { return first ? Expr(make(x->kind, {y, x->of[1]})) : Expr(make(x->kind, {x->of[0], y})); };
        if (x->kind == Kind::product && !first) return {true, moved.has_constant, true, times(moved.constant), product_expr(x->of[0], moved.factor)};
        if (x->kind == Kind::product) return {true, moved.has_constant, true, times(moved.constant), product_expr(moved.factor, x->of[1])};
        return {true, moved.has_constant, true, times(moved.constant), times(moved.factor)};
      }
      default: return {};
    }
  };
  return split(e);
}

void collect_derivatives(const Expr& e, const Names& names, std::vector<Expr>& all) {
  for (const Expr& part : e->of) collect_derivatives(part, names, all);
  if (e->kind != Kind::derivative) return;
  const std::string text = text_of(e, names);
  for (const Expr& known : all)
    if (text_of(known, names) == text) return;
  all.push_back(e);
}

Program::Program(const Expr& e, const std::vector<Expr>& known, const Names& names) { compile(e, known, names); }

void Program::compile(const Expr& e, const std::vector<Expr>& known, const Names& names) {
  Step step{e->kind, e->number, e->index, {}};
  switch (e->kind) {
    case Kind::field: step.leaf = {Leaf::Kind::field, e->index}; break;
    case Kind::coordinate: step.leaf = {Leaf::Kind::coordinate, e->index}; break;
    case Kind::derivative: {
      const std::string text = text_of(e, names);
      std::size_t k = 0;
      while (k < known.size() && text_of(known[k], names) != text) ++k;
      if (k == known.size()) throw std::logic_error("expression: the derivative " + text + " has not been computed");
      step.leaf = {Leaf::Kind::derivative, k};
      break;
    }
    case Kind::power:
      compile(e->of[0], known, names);
      if (e->of[1]->kind == Kind::number) {  // a known exponent needs no column
        step.number = e->of[1]->number;
        step.index = 1;
      } else {
        compile(e->of[1], known, names);
        step.index = 0;
      }
      break;
    default:
      for (const Expr& part : e->of) compile(part, known, names);
  }
  steps_.push_back(step);
}

void Program::evaluate(std::size_t first, std::size_t count, const Load& load, double* out) const {
  constexpr std::size_t chunk = 256;  // of rows: a stack of them stays in the cache
  std::vector<double> stack;
  for (std::size_t from = 0; from < count; from += chunk) {
    const std::size_t n = std::min(chunk, count - from);
    std::size_t top = 0;  // columns on the stack
    const auto push = [&]() -> double* {
      ++top;
      if (stack.size() < top * chunk) stack.resize(top * chunk);
      return stack.data() + (top - 1) * chunk;
    };
    for (const Step& step : steps_) {
      const auto binary = [&](auto&& f) {
        --top;
        double* a = stack.data() + (top - 1) * chunk;
        const double* b = a + chunk;
        for (std::size_t i = 0; i < n; ++i) a[i] = f(a[i], b[i]);
      };
      const auto unary = [&](auto&& f) {
        double* a = stack.data() + (top - 1) * chunk;
        for (std::size_t i = 0; i < n; ++i) a[i] = f(a[i]);
      };
      switch (step.kind) {
        case Kind::number: {
          double* a = push();
          std::fill(a, a + n, step.number);
          break;
        }
        case Kind::field:
        case Kind::coordinate:
        case Kind::derivative: {
          double* a = push();
          load(step.leaf, first + from, n, a);
          break;
        }
        case Kind::negative: unary([](double a) { return -a; }); break;
        case Kind::sum: binary([](double a, double b) { return a + b; }); break;
        case Kind::difference: binary([](double a, double b) { return a - b; }); break;
        case Kind::product: binary([](double a, double b) { return a * b; }); break;
        case Kind::quotient: binary([](double a, double b) { return a / b; }); break;
        case Kind::power:
          if (step.index == 1) {
            const double p = step.number;
            if (p == 2) unary([](double a) { return a * a; });
            else if (p == 3) unary([](double a) { return a * a * a; });
            else unary([p](double a) { return power(a, p); });
          } else {
            binary([](double a, double b) { return power(a, b); });
          }
          break;
        case Kind::call: unary(functions[step.index].f); break;
      }
    }
    std::memcpy(out + from, stack.data(), n * sizeof(double));
  }
}

double Program::at(const std::vector<double>& fields, const std::vector<double>& coordinates) const {
  double value = 0;
  evaluate(0, 1, [&](const Leaf& leaf, std::size_t, std::size_t, double* out) {
    if (leaf.kind == Leaf::Kind::derivative) throw std::logic_error("expression: a derivative has no value at a point");
    *out = leaf.kind == Leaf::Kind::field ? fields[leaf.index] : coordinates[leaf.index];
  }, &value);
  return value;
}

}  // namespace scree
