// SPDX-License-Identifier: BSD-3-Clause
/// Expressions of named fields: what users write as terms, and what libraries are made of.
///
///     u*u_x    u u_x    u^2    1/(1 + x)    sin(2 x)    x'    d(u^2, xx)
///
/// A text is parsed into a tree and evaluated on columns of numbers; nothing in it is executed.
/// Names are fields and coordinates; u_x, u_xx, u_xt are derivatives of a field by coordinates, x'
/// one by the first coordinate (time), d(e, xx) that of an expression. Functions: sin, cos, tan,
/// tanh, exp, log, sqrt, abs. Two factors side by side are multiplied, so the text that `text_of`
/// prints can be read again.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scree {

struct Expression;
using Expr = std::shared_ptr<const Expression>;

/// Orders of a derivative, one per coordinate.
using Orders = std::vector<int>;

struct Expression {
  enum class Kind { number, field, coordinate, derivative, negative, sum, difference, product, quotient, power, call };
  Kind kind = Kind::number;
  double number = 0;
  std::size_t index = 0;   // of the field or coordinate; of the function in a call
  Orders orders;           // of a derivative
  std::vector<Expr> of;    // its parts
};

/// What names mean. Coordinates come in the order of the axes; with `timed` the first is time.
struct Names {
  std::vector<std::string> fields, coordinates;
  bool timed = false;
};

Expr number_expr(double x);
Expr field_expr(std::size_t field);
Expr coordinate_expr(std::size_t coordinate);
Expr product_expr(const Expr& a, const Expr& b);  // 1 is left out
Expr power_expr(const Expr& a, double exponent);
Expr derivative_expr(const Expr& a, const Orders& orders);  // nothing to do: a itself
Expr call_expr(const std::string& function, const Expr& a);

/// Throws InputError naming the place in the text, what was expected and the nearest name. `what`
/// begins the message.
Expr parse_expression(const std::string& text, const Names& names, const std::string& what);

/// As people write it: x^2 y, u u_x, sin(2 x). The same text means the same expression.
std::string text_of(const Expr& e, const Names& names);
std::string latex_of(const Expr& e, const Names& names);
std::string latex_name(const std::string& name);

/// Whether e is constant + factor × d, with neither depending on d (compared by text); they are
/// given back. Nothing is simplified beyond that.
struct Affine {
  bool is = false;
  bool has_constant = false, has_factor = false;
  Expr constant, factor;
};
Affine affine_in(const Expr& e, const Expr& d, const Names& names);

/// All derivatives within e, inner ones before those that need them, each once.
void collect_derivatives(const Expr& e, const Names& names, std::vector<Expr>& all);

/// A flat program for a stack of columns. Leaves are numbered: fields, coordinates and the
/// derivatives in `known`, for which `load(leaf, first, count, out)` gives values.
class Program {
 public:
  struct Leaf {
    enum class Kind { field, coordinate, derivative };
    Kind kind;
    std::size_t index;
  };
  Program(const Expr& e, const std::vector<Expr>& known, const Names& names);

  using Load = std::function<void(const Leaf&, std::size_t first, std::size_t count, double* out)>;
  void evaluate(std::size_t first, std::size_t count, const Load& load, double* out) const;
  /// The value for given values of the leaves of one point; derivatives are not allowed then.
  double at(const std::vector<double>& fields, const std::vector<double>& coordinates) const;

 private:
  struct Step {
    Expression::Kind kind;
    double number = 0;
    std::size_t index = 0;
    Leaf leaf{};
  };
  void compile(const Expr& e, const std::vector<Expr>& known, const Names& names);
  std::vector<Step> steps_;
};

}  // namespace scree
