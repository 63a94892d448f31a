// SPDX-License-Identifier: BSD-3-Clause
/// Double-doubles to decimal text and back, both exactly: no digit is lost on the way.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "scree/core/dd.hpp"

namespace scree {

/// The fewest digits, 17 or more (less trailing zeros), that parse_dd turns back into x, words and
/// all. About 33 where both words are full; what is exactly a double needs its exact decimal
/// expansion (0.1 as a double has 55 digits), because the double-double nearest to a shorter text
/// is another number. Without exponent between 1e-5 and 1e17. "inf", "-inf", "nan".
std::string to_text(const dd& x);

/// x correctly rounded to that many significant digits, trailing zeros dropped.
std::string to_text(const dd& x, int digits);

/// As printf's %.{digits}e and %.{digits}f, correctly rounded.
std::string to_scientific(const dd& x, int digits);
std::string to_fixed(const dd& x, int digits);

/// An integer, a decimal fraction or either with an exponent; hi is the double nearest to it, lo the
/// double nearest to the rest. Nothing if it is anything else (blanks, inf, nan, hexadecimal), too
/// large for a double, or longer than 5000 characters.
std::optional<dd> parse_dd(std::string_view text);

}  // namespace scree

/// {} as to_text; {:.20} or {:.20g} with twenty significant digits; {:.20e} and {:.20f}.
template <> struct fmt::formatter<scree::dd> {
  int digits = -1;
  char kind = 'g';

  constexpr auto parse(format_parse_context& context) {
    auto at = context.begin();
    const auto end = context.end();
    if (at != end && *at == '.') {
      digits = 0;
      for (++at; at != end && *at >= '0' && *at <= '9' && digits < 2000; ++at)
        digits = 10 * digits + (*at - '0');
    }
    if (at != end && (*at == 'e' || *at == 'f' || *at == 'g')) kind = *at++;
    if (at != end && *at != '}') throw format_error("double-double: expected {}, {:.Ng}, e or f");
    return at;
  }
  template <class Context> auto format(const scree::dd& x, Context& context) const {
    const std::string text = digits < 0    ? scree::to_text(x)
                             : kind == 'e' ? scree::to_scientific(x, digits)
                             : kind == 'f' ? scree::to_fixed(x, digits)
                                           : scree::to_text(x, digits);
    return fmt::format_to(context.out(), "{}", text);
  }
};
