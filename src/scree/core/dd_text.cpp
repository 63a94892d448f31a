// SPDX-License-Identifier: BSD-3-Clause
#include "scree/core/dd_text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <vector>

namespace scree {
namespace {

/// A natural number; the least significant word first, no zero on top.
class Natural {
 public:
  Natural(std::uint64_t x = 0) {  // NOLINT: a number is a number
    for (; x; x >>= 32) words_.push_back(static_cast<std::uint32_t>(x));
  }
  bool zero() const { return words_.empty(); }
  int bits() const {
    return zero() ? 0 : 32 * static_cast<int>(words_.size()) - std::countl_zero(words_.back());
  }
  bool odd_below(int bit) const {  // is any of the lowest bits set?
    for (int k = 0; k < static_cast<int>(words_.size()) && 32 * k < bit; ++k) {
      const int left = bit - 32 * k;
      const std::uint32_t mask = left >= 32 ? ~0u : (1u << left) - 1;
      if (words_[static_cast<std::size_t>(k)] & mask) return true;
    }
    return false;
  }

  /// this = this * factor + carry
  void multiply(std::uint32_t factor, std::uint32_t carry = 0) {
    std::uint64_t rest = carry;
    for (std::uint32_t& w : words_) {
      rest += std::uint64_t{w} * factor;
      w = static_cast<std::uint32_t>(rest);
      rest >>= 32;
    }
    if (rest) words_.push_back(static_cast<std::uint32_t>(rest));
  }
  void multiply_by_power(std::uint32_t base, int n) {
    std::uint32_t chunk = 1;
    for (; n > 0; --n) {
      if (chunk > ~0u / base) multiply(chunk), chunk = 1;
      chunk *= base;
    }
    multiply(chunk);
  }
  /// this = this / divisor; returns the remainder.
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t k = words_.size(); k-- > 0;) {
      rest = rest << 32 | words_[k];
      words_[k] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    trim();
    return static_cast<std::uint32_t>(rest);
  }
  Natural shifted(int n) const {  // times 2^n, n >= 0
    Natural out;
    if (zero()) return out;
    const int whole = n / 32, part = n % 32;
    out.words_.assign(static_cast<std::size_t>(whole), 0);
    std::uint64_t rest = 0;
    for (const std::uint32_t w : words_) {
      rest |= std::uint64_t{w} << part;
      out.words_.push_back(static_cast<std::uint32_t>(rest));
      rest >>= 32;
    }
    if (rest) out.words_.push_back(static_cast<std::uint32_t>(rest));
    return out;
  }
  /// The low 64 bits after division by 2^n.
  std::uint64_t from_bit(int n) const {
    std::uint64_t out = 0;
    for (int k = 0; k < 64; ++k) {
      const int at = n + k;
      const auto w = static_cast<std::size_t>(at / 32);
      if (w < words_.size() && words_[w] >> (at % 32) & 1) out |= std::uint64_t{1} << k;
    }
    return out;
  }

  friend int compare(const Natural& a, const Natural& b) {
    if (a.words_.size() != b.words_.size()) return a.words_.size() < b.words_.size() ? -1 : 1;
    for (std::size_t k = a.words_.size(); k-- > 0;)
      if (a.words_[k] != b.words_[k]) return a.words_[k] < b.words_[k] ? -1 : 1;
    return 0;
  }
  Natural& operator+=(const Natural& b) {
    words_.resize(std::max(words_.size(), b.words_.size()) + 1);
    std::uint64_t rest = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      rest += std::uint64_t{words_[k]} + (k < b.words_.size() ? b.words_[k] : 0);
      words_[k] = static_cast<std::uint32_t>(rest);
      rest >>= 32;
    }
    trim();
    return *this;
  }
  Natural& operator-=(const Natural& b) {  // needs *this >= b
    std::int64_t rest = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      rest += std::int64_t{words_[k]} - (k < b.words_.size() ? b.words_[k] : 0);
      words_[k] = static_cast<std::uint32_t>(rest);
      rest >>= 32;
    }
    trim();
    return *this;
  }

 private:
  void trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  std::vector<std::uint32_t> words_;
};

/// |x| = mantissa 2^exponent.
struct Binary {
  std::uint64_t mantissa;
  int exponent;
};
Binary binary(double x) {
  const auto word = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = word & ((std::uint64_t{1} << 52) - 1);
  const int e = static_cast<int>(word >> 52 & 0x7ff);
  return e == 0 ? Binary{fraction, -1074} : Binary{fraction | std::uint64_t{1} << 52, e - 1075};
}

/// A decimal number 0.d1 d2 d3 … 10^point.
struct Decimal {
  bool negative = false;
  std::string digits;  // no zero in front or at the end; empty for zero
  int point = 0;
};

/// x, exactly.
Decimal exact_decimal(const dd& x) {
  Decimal out{x.hi < 0, {}, 0};
  if (x.hi == 0) return out;
  const Binary h = binary(x.hi), l = binary(x.lo);
  const int e = l.mantissa ? std::min(h.exponent, l.exponent) : h.exponent;
  Natural n = Natural(h.mantissa).shifted(h.exponent - e);
  if (l.mantissa) {
    const Natural low = Natural(l.mantissa).shifted(l.exponent - e);
    if ((x.lo < 0) == out.negative) n += low;
    else n -= low;
  }
  // n 2^e = (n 5^-e) 10^e where e < 0
  if (e >= 0) n = n.shifted(e);
  else n.multiply_by_power(5, -e);
  while (!n.zero()) {
    std::uint32_t nine = n.divide(1000000000);
    for (int k = 0; k < 9 && (nine || !n.zero()); ++k, nine /= 10)
      out.digits.push_back(static_cast<char>('0' + nine % 10));
  }
  out.point = static_cast<int>(out.digits.size()) + std::min(e, 0);
  std::reverse(out.digits.begin(), out.digits.end());
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  return out;
}

/// To the nearest number of `keep` digits, halves to even.
Decimal rounded(const Decimal& x, int keep) {
  if (keep >= static_cast<int>(x.digits.size())) return x;
  if (keep < 0) return {x.negative, {}, 0};
  Decimal out{x.negative, x.digits.substr(0, static_cast<std::size_t>(keep)), x.point};
  const std::string_view rest = std::string_view(x.digits).substr(static_cast<std::size_t>(keep));
  const bool odd = keep > 0 && (out.digits.back() - '0') % 2;
  if (rest[0] > '5' || (rest[0] == '5' && (rest.size() > 1 || odd))) {
    int k = keep - 1;
    while (k >= 0 && out.digits[static_cast<std::size_t>(k)] == '9') --k;
    if (k < 0) return {x.negative, "1", x.point + 1};
    ++out.digits[static_cast<std::size_t>(k)];
    out.digits.erase(static_cast<std::size_t>(k) + 1);
  }
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  return out;
}

std::string scientific(const Decimal& x, int decimals) {
  std::string out = x.negative ? "-" : "";
  out += x.digits.empty() ? '0' : x.digits[0];
  const std::string tail = x.digits.size() > 1 ? x.digits.substr(1) : std::string();
  const int zeros = decimals - static_cast<int>(tail.size());
  if (!tail.empty() || zeros > 0) out += "." + tail + std::string(static_cast<std::size_t>(std::max(zeros, 0)), '0');
  const int e = x.digits.empty() ? 0 : x.point - 1;
  return out + fmt::format("e{}{:02}", e < 0 ? '-' : '+', e < 0 ? -e : e);
}

std::string fixed(const Decimal& x, int decimals) {
  std::string out = x.negative ? "-" : "", tail = x.digits;
  if (x.digits.empty() || x.point <= 0) {
    out += '0';
    if (!x.digits.empty()) tail.insert(0, static_cast<std::size_t>(-x.point), '0');
  } else {
    const auto whole = static_cast<std::size_t>(x.point);
    if (tail.size() < whole) tail.append(whole - tail.size(), '0');
    out += tail.substr(0, whole);
    tail.erase(0, whole);
  }
  const int zeros = decimals - static_cast<int>(tail.size());
  if (zeros > 0) tail.append(static_cast<std::size_t>(zeros), '0');
  return tail.empty() ? out : out + "." + tail;
}

std::string plain(const Decimal& x) {
  if (!x.digits.empty() && (x.point < -4 || x.point > 17)) return scientific(x, 0);
  return fixed(x, 0);
}

std::string odd_one(const dd& x) { return isnan(x) ? "nan" : x.hi < 0 ? "-inf" : "inf"; }

/// The double nearest to n/d > 0, halves to even; the smallest are rounded as subnormals.
double nearest_double(Natural n, const Natural& d) {
  if (n.zero()) return 0;
  // A quotient of 64 or 65 bits, by long division; what remains decides ties.
  int e = n.bits() - d.bits() - 64;
  Natural divisor = d;
  if (e < 0) n = n.shifted(-e);
  else divisor = divisor.shifted(e);
  Natural quotient;
  std::vector<Natural> multiples;  // d 2^k, k = 0…64
  for (int k = 0; k <= 64; ++k) multiples.push_back(divisor.shifted(k));
  for (int k = 64; k >= 0; --k) {
    quotient.multiply(2);
    if (compare(n, multiples[static_cast<std::size_t>(k)]) >= 0) {
      n -= multiples[static_cast<std::size_t>(k)];
      quotient += Natural(1);
    }
  }
  // The value is (quotient + fraction) 2^e. Cut to 53 bits, or what a subnormal has.
  const int drop = std::max(quotient.bits() - 53, -1074 - e);
  std::uint64_t m = quotient.from_bit(drop);
  const bool half = quotient.from_bit(drop - 1) & 1;
  if (half && (m % 2 || !n.zero() || quotient.odd_below(drop - 1))) ++m;
  return std::ldexp(static_cast<double>(m), e + drop);
}

}  // namespace

std::string to_text(const dd& x, int digits) {
  if (!isfinite(x)) return odd_one(x);
  return plain(rounded(exact_decimal(x), std::max(digits, 1)));
}

std::string to_text(const dd& x) {
  if (!isfinite(x)) return odd_one(x);
  const Decimal all = exact_decimal(x);
  const int most = static_cast<int>(all.digits.size());
  if (x.lo == 0 || most <= 17) return plain(all);
  // The digits needed to come within half a unit of lo's last place, less some to be sure of the
  // fewest, and then one by one.
  const int gap = binary(x.hi).exponent - binary(x.lo).exponent + 53;
  for (int keep = std::max(17, static_cast<int>(gap * 0.30103) - 2); keep < most; ++keep) {
    std::string text = plain(rounded(all, keep));
    if (parse_dd(text) == x) return text;
  }
  return plain(all);
}

std::string to_scientific(const dd& x, int digits) {
  if (!isfinite(x)) return odd_one(x);
  return scientific(rounded(exact_decimal(x), digits + 1), digits);
}

std::string to_fixed(const dd& x, int digits) {
  if (!isfinite(x)) return odd_one(x);
  const Decimal all = exact_decimal(x);
  return fixed(rounded(all, all.point + digits), digits);
}

std::optional<dd> parse_dd(std::string_view text) {
  if (text.empty() || text.size() > 5000) return std::nullopt;
  std::string_view rest = text;
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  std::string digits;
  int exponent = 0, seen = 0;
  bool point = false;
  std::size_t at = 0;
  for (; at < rest.size(); ++at) {
    const char c = rest[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      ++seen;
      if (!digits.empty() || c != '0') digits.push_back(c);
      if (point) --exponent;
    } else {
      break;
    }
  }
  if (seen == 0) return std::nullopt;
  if (at < rest.size()) {
    if (rest[at] != 'e' && rest[at] != 'E') return std::nullopt;
    std::string_view tail = rest.substr(at + 1);
    const bool plus = !tail.empty() && tail[0] == '+';
    if (plus) tail.remove_prefix(1);
    if (tail.empty() || (plus && tail[0] == '-')) return std::nullopt;
    int written = 0;
    const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), written);
    if (end != tail.data() + tail.size() || error == std::errc::invalid_argument) return std::nullopt;
    // Too long for an int: as good as infinite, on either side.
    if (error != std::errc()) written = tail[0] == '-' ? -100000 : 100000;
    exponent += std::clamp(written, -100000, 100000);
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back(), ++exponent;
  const double sign = negative ? -1 : 1;
  const int magnitude = static_cast<int>(digits.size()) + exponent;
  if (digits.empty() || magnitude < -330) return dd(sign * 0.0);
  if (magnitude > 310) return std::nullopt;

  // The text is n/d.
  Natural n, d(1);
  for (const char c : digits) n.multiply(10, static_cast<std::uint32_t>(c - '0'));
  if (exponent >= 0) n.multiply_by_power(10, exponent);
  else d.multiply_by_power(10, -exponent);
  const double hi = nearest_double(n, d);
  if (!(hi <= DBL_MAX)) return std::nullopt;
  if (hi == 0) return dd(sign * hi);
  // n/d - m 2^e = (n 2^-e - m d)/(d 2^-e), or (n - m d 2^e)/d
  const Binary h = binary(hi);
  Natural product = d;
  product.multiply(static_cast<std::uint32_t>(h.mantissa >> 32));
  product = product.shifted(32);
  Natural low = d;
  low.multiply(static_cast<std::uint32_t>(h.mantissa));
  product += low;
  if (h.exponent < 0) {
    n = n.shifted(-h.exponent);
    d = d.shifted(-h.exponent);
  } else {
    product = product.shifted(h.exponent);
  }
  const bool below = compare(n, product) < 0;
  if (below) std::swap(n, product);
  n -= product;
  const double lo = nearest_double(n, d);
  // A rest just short of half a unit can round up to it: the sum then decides which way hi goes.
  const dd sum = exact_sum(sign * hi, below ? -sign * lo : sign * lo);
  if (!isfinite(sum)) return std::nullopt;
  return sum;
}

}  // namespace scree
