// SPDX-License-Identifier: BSD-3-Clause
#include "scree/discovery/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

const Names field_names{{"u", "v", "mu"}, {"t", "x", "y"}, true};

double value(const std::string& text, double u, double v = 0) {
  return Program(parse_expression(text, field_names, "test"), {}, field_names).at({u, v, 0}, {0, 0, 0});
}

TEST(Expression, BindsAsPeopleExpect) {
  EXPECT_DOUBLE_EQ(value("1 + 2*u^2", 3), 19);
  EXPECT_DOUBLE_EQ(value("-u^2", 3), -9);
  EXPECT_DOUBLE_EQ(value("2 u v", 3, 5), 30);
  EXPECT_DOUBLE_EQ(value("u/v/2", 3, 5), 0.3);
  EXPECT_DOUBLE_EQ(value("2^3^2", 0), 512);
  EXPECT_DOUBLE_EQ(value("u**-2", 2), 0.25);
  EXPECT_DOUBLE_EQ(value("1/(1 + u)", 3), 0.25);
  EXPECT_DOUBLE_EQ(value("sin(2 u) + sqrt(abs(v))", 0.5, -4), std::sin(1.0) + 2);
  EXPECT_DOUBLE_EQ(value("u - v - 1", 3, 1), 1);
  EXPECT_DOUBLE_EQ(value("(-2)^3 u", 1), -8);
}

TEST(Expression, PrintsWhatItReads) {
  for (const char* text : {"u", "u^2 v", "u u_x", "u_xx", "v_xt", "d(u^2, xx)", "sin(2 u) v", "1/(1 + u)", "(u + v)^2", "u - (v - 1)", "mu u^(-1)", "u/v", "u^0.5", "-u v"}) {
    const Expr e = parse_expression(text, field_names, "test");
    const std::string printed = text_of(e, field_names);
    EXPECT_EQ(text_of(parse_expression(printed, field_names, "test"), field_names), printed) << text;
  }
  EXPECT_EQ(text_of(parse_expression("u*u_x", field_names, "test"), field_names), "u u_x");
  EXPECT_EQ(latex_of(parse_expression("mu u_xx/v", field_names, "test"), field_names), "\\frac{\\mu u_{xx}}{v}");
}

TEST(Expression, ReadsDerivativesOfFieldsByTheirCoordinates) {
  const Expr e = parse_expression("u_xxy", field_names, "test");
  ASSERT_EQ(e->kind, Expression::Kind::derivative);
  EXPECT_EQ(e->orders, (Orders{0, 2, 1}));
  EXPECT_EQ(parse_expression("u'", field_names, "test")->orders, (Orders{1, 0, 0}));
  EXPECT_EQ(parse_expression("d(u_x, xt)", field_names, "test")->orders, (Orders{1, 2, 0}));
}

TEST(Expression, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"w", "u +", "(u", "u_w", "system(u)", "u; v", "__import__", "u[0]", "d(u)", "sin u)", "", "1..2", "u=1", "$(ls)"})
    EXPECT_THROW(parse_expression(text, field_names, "test"), InputError) << text;
  EXPECT_THROW(parse_expression(std::string(3000, '('), field_names, "test"), InputError);
  EXPECT_THROW(parse_expression(std::string(5000, '1'), field_names, "test"), InputError);
  try {
    parse_expression("sni(u)", field_names, "test");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"sin\""), std::string::npos) << error.what();
  }
}

TEST(Expression, KnowsWhatIsLinearInAnUnknown) {
  const Expr mu = parse_expression("mu", field_names, "test");
  const auto split = [&](const char* text) { return affine_in(parse_expression(text, field_names, "test"), mu, field_names); };
  EXPECT_TRUE(split("u v").is);
  EXPECT_FALSE(split("u v").has_factor);
  EXPECT_TRUE(split("u mu + 2").has_factor);
  EXPECT_TRUE(split("mu/u").is);
  EXPECT_FALSE(split("mu^2").is);
  EXPECT_FALSE(split("u/mu").is);
  EXPECT_FALSE(split("mu*mu").is);
  const Affine a = split("u mu - 3 mu + v");  // at u = 5, v = 7: 2 mu + 7
  EXPECT_DOUBLE_EQ(Program(a.factor, {}, field_names).at({5, 7, 0}, {}), 2);
  EXPECT_DOUBLE_EQ(Program(a.constant, {}, field_names).at({5, 7, 0}, {}), 7);
}

}  // namespace
}  // namespace scree
