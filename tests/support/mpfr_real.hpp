// SPDX-License-Identifier: BSD-3-Clause
/// MPFR numbers of 640 bits with operators: enough that sums and products of double-doubles whose
/// exponents differ by up to 250 are exact. Only where SCREE_HAVE_MPFR is defined.
#pragma once

#include <cmath>
#include <utility>

#include <mpfr.h>

#include "scree/core/dd.hpp"

namespace scree::test {

class Real {
 public:
  Real(double x = 0) {  // NOLINT: a double is a Real
    mpfr_init2(x_, 640);
    mpfr_set_d(x_, x, MPFR_RNDN);
  }
  Real(const dd& x) : Real(x.hi) { mpfr_add_d(x_, x_, x.lo, MPFR_RNDN); }  // NOLINT
  Real(const Real& b) : Real(0.0) { mpfr_set(x_, b.x_, MPFR_RNDN); }
  Real& operator=(const Real& b) {
    mpfr_set(x_, b.x_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(x_); }

  mpfr_ptr get() { return x_; }
  mpfr_srcptr get() const { return x_; }
  explicit operator double() const { return mpfr_get_d(x_, MPFR_RNDN); }

  /// f(a) and f(a, b) for MPFR's functions: Real::of(mpfr_exp, a).
  using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  static Real of(Function f, const Real& a) {
    Real r;
    f(r.x_, a.x_, MPFR_RNDN);
    return r;
  }
  static Real of(Operation f, const Real& a, const Real& b) {
    Real r;
    f(r.x_, a.x_, b.x_, MPFR_RNDN);
    return r;
  }
  static Real pi() {
    Real r;
    mpfr_const_pi(r.x_, MPFR_RNDN);
    return r;
  }

  friend Real operator+(const Real& a, const Real& b) { return of(mpfr_add, a, b); }
  friend Real operator-(const Real& a, const Real& b) { return of(mpfr_sub, a, b); }
  friend Real operator*(const Real& a, const Real& b) { return of(mpfr_mul, a, b); }
  friend Real operator/(const Real& a, const Real& b) { return of(mpfr_div, a, b); }
  friend Real sqrt(const Real& a) { return of(mpfr_sqrt, a); }
  friend Real exp(const Real& a) { return of(mpfr_exp, a); }
  friend bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.x_, b.x_) != 0; }
  friend bool operator==(const Real& a, const Real& b) { return mpfr_equal_p(a.x_, b.x_) != 0; }

 private:
  mpfr_t x_;
};

/// |value/exact - 1|; zero if both are zero.
inline double relative_error(const Real& value, const Real& exact) {
  if (value == exact) return 0;
  return std::fabs(static_cast<double>((value - exact) / exact));
}

}  // namespace scree::test
