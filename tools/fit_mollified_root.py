#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fit the universal mollified square root M(s); writes the tables behind mollified_root.hpp.

    M(s) = 1/C int_0^min(s,2) f(y) (s-y)^(1/2) dy,   f(y) = exp(-1/(y(2-y))),   C = int_0^2 f

(the definition with z = y - 1), its slope M', and its integrals Q = int_0^s M, J = int_0^s t M(t) dt.
With F_p(s) = 1/C int f (s-y)^p dy all four are sums of F_p:

    M = F_{1/2},  M' = F_{-1/2} / 2,  Q = 2/3 F_{3/2},  J = s Q - 4/15 F_{5/2}.

Three ranges:

* s < 2^first. With 1/y = 1/s + v, F_p = e^{-1/(2s)} s^{2p+2} H_p(s), and
      H_p(s) = 1/C int_0^inf e^{-v/2} e^{-1/(2(2-y))} v^p (1+sv)^{-p-2} dv,  y = s/(1+sv),
  is smooth down to s = 0: one Chebyshev series for each function.
* 2^first <= s < 2^last: 2^bits equal pieces in each octave of s, so that a piece's number and
  centre are bit fields of s. On each, the Chebyshev series of M cut after `degree`, written in powers
  of the distance from the centre; beside it the next two Chebyshev coefficients (for the slope) and Q, J
  at the centre. M is smooth but not analytic at s = 2, where the bump ends, and its high derivatives
  are largest there: on 13/8 <= s < 19/8 there are 2^fine_bits pieces in an octave.
* beyond: with w = s - 1, u = 1/w^2 and m_2k the moments of the bump, F_p = w^p sum_k binom(p, 2k) m_2k u^k.

Needs mpmath. The table for double, checked in (half a minute; the same file on every run):

    python3 tools/fit_mollified_root.py --output src/scree/core/mollified_root_table.inc

A table for a double-double type, written as {hi, lo} (a minute or two; pieces good to 6e-33):

    python3 tools/fit_mollified_root.py --type dd --words 2 --digits 33 --degree 17 --fine-bits 8 --output FILE
"""
import argparse
import sys

from mpmath import binomial, ceil, cos, cosh, exp, ln, mp, mpf, nstr, pi, sinh

HALF = mpf(1) / 2
FINE_FROM, FINE_TO = mpf(13) / 8, mpf(19) / 8


def tanh_sinh(step):
    """Nodes of int_0^1: (x, 1 - x, weight), both distances without cancellation."""
    rule = []
    reach = int(ceil(mpf("4.2") / step)) + int(mp.dps / 20 / step)
    for k in range(-reach, reach + 1):
        e = exp(pi * sinh(k * step))
        rule.append((e / (1 + e), 1 / (1 + e), step * pi * cosh(k * step) * e / (1 + e) ** 2))
    return rule


def exp_sinh(step):
    """Nodes of int_0^inf e^{-v/2} g(v) dv for algebraic g: (v, weight with e^{-v/2})."""
    rule = []
    tau = -ln(mp.dps * 4) - 1
    while True:
        v = exp(tau - exp(-tau))
        if v > 5 * mp.dps + 60:
            return rule
        rule.append((v, step * v * (1 + exp(-tau)) * exp(-v / 2)))
        tau += step


class Mollifier:
    """F_p and H_p by double-exponential quadrature at the working precision."""

    def __init__(self, step):
        self.unit = tanh_sinh(step)
        self.half_line = exp_sinh(step)
        self.C = mpf(1)
        self.bump = [(2 * x, 2 * cx, 2 * w * exp(-1 / (4 * x * cx))) for x, cx, w in self.unit
                     if 1 / (4 * x * cx) < 3 * mp.dps + 40]
        self.C = sum(w for _, _, w in self.bump)

    def moment(self, n):
        return sum(w * (y - 1) ** n for y, _, w in self.bump) / self.C

    def weights(self, s):
        """Pairs (s - y, weight) such that F_p = sum weight (s-y)^p."""
        if s >= 2:
            return [((s - 2) + cy, w / self.C) for _, cy, w in self.bump]
        least = 1 / (min(s, mpf(1)) * (2 - min(s, mpf(1))))
        pairs = []
        for x, cx, w in self.unit:
            a = 1 / (s * x * ((2 - s) + s * cx))
            if a - least < 3 * mp.dps + 40:
                pairs.append((s * cx, s * w * exp(-a) / self.C))
        return pairs

    def M(self, s):
        return sum(w * mp.sqrt(d) for d, w in self.weights(s))

    def slope(self, s):
        return sum(w / mp.sqrt(d) for d, w in self.weights(s)) / 2

    def Q_and_J(self, s):
        q = r = mpf(0)
        for d, w in self.weights(s):
            a = w * d * mp.sqrt(d)
            q += a
            r += a * d
        q *= mpf(2) / 3
        return q, s * q - mpf(4) / 15 * r

    def H(self, p, s):
        total = mpf(0)
        for v, w in self.half_line:
            a = 1 + s * v
            total += w * exp(-HALF / (2 - s / a)) * v**p * a ** (-p - 2)
        return total / self.C


def chebyshev(f, centre, half, n):
    """The first n Chebyshev coefficients of the interpolant through n nodes."""
    xs = [cos(pi * (2 * j + 1) / (2 * n)) for j in range(n)]
    fs = [f(centre + half * x) for x in xs]
    c = [2 * sum(fs[j] * cos(k * pi * (2 * j + 1) / (2 * n)) for j in range(n)) / n for k in range(n)]
    c[0] /= 2
    return c


def powers(c, half):
    """sum c_k T_k(t/half) as coefficients of powers of t."""
    out = [mpf(0)] * len(c)
    before, now = [mpf(1)], [mpf(0), mpf(1)]
    for k, ck in enumerate(c):
        for i, b in enumerate(before):
            out[i] += ck * b
        after = [mpf(0)] + [2 * b for b in now]
        for i, b in enumerate(before):
            after[i] -= b
        before, now = now, after
    return [a / half**i for i, a in enumerate(out)]


def to_double(x):
    with mp.workprec(53):
        return float(+x)


def literal(x, words):
    if x == 0:
        return "0" if words == 1 else "{" + ", ".join(["0"] * words) + "}"
    parts = []
    for _ in range(words):
        part = to_double(x)
        parts.append(part.hex().replace(".0000000000000p", "p") if part else "0")
        x -= mpf(part)
    return parts[0] if words == 1 else "{" + ", ".join(parts) + "}"


def row(values, words):
    return "{" + ", ".join(literal(v, words) for v in values) + "}"


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--type", default="double", help="C++ number type of the table")
    args.add_argument("--words", type=int, default=1, help="doubles in one number of that type")
    args.add_argument("--digits", type=int, default=17, help="decimal digits the fit must carry")
    args.add_argument("--degree", type=int, default=7, help="degree of each piece")
    args.add_argument("--bits", type=int, default=5, help="log2 of the pieces in an octave")
    args.add_argument("--fine-bits", type=int, default=7, help="the same around s = 2")
    args.add_argument("--first", type=int, default=-4, help="pieces start at s = 2^first")
    args.add_argument("--last", type=int, default=5, help="pieces end at s = 2^last")
    args.add_argument("--output", default="-")
    a = args.parse_args()

    mp.dps = a.digits + 15
    m = Mollifier(mpf(1) / (32 if a.digits <= 20 else 64))
    goal = mpf(10) ** -a.digits

    # Smallest arguments: each series is cut once its coefficients stay below the goal.
    end = mpf(2) ** a.first
    third, fifteenth = mpf(1) / 3, mpf(1) / 15
    small = {
        "root": lambda s: m.H(HALF, s),
        "slope": lambda s: m.H(-HALF, s) / 2,
        "integral": lambda s: 2 * third * m.H(3 * HALF, s),
        "moment": lambda s: 2 * third * m.H(3 * HALF, s) - 4 * fifteenth * s * m.H(5 * HALF, s),
    }
    series = {}
    for name, f in small.items():
        c = chebyshev(f, end / 2, end / 2, 3 * a.digits // 2 + 15)
        while abs(c[-1]) < goal / 8 * abs(c[0]):
            c.pop()
        series[name] = c
    terms = max(len(c) for c in series.values())
    for c in series.values():
        c.extend([mpf(0)] * (terms - len(c)))

    # Pieces: the whole range in coarse ones, then the fine ones.
    worst = [(mpf(0), mpf(0)), (mpf(0), mpf(0))]
    rows, beside = [], []
    for fine, bits in enumerate((a.bits, a.fine_bits)):
        for octave in range(a.first, a.last):
            half = mpf(2) ** (octave - bits - 1)
            for i in range(2**bits):
                centre = mpf(2) ** octave + (2 * i + 1) * half
                inside = FINE_FROM < centre < FINE_TO
                if fine and not inside:
                    continue
                if inside and not fine:  # never read: keeps the numbering plain
                    rows.append([mpf(0)] * (a.degree + 1))
                    beside.append([mpf(0)] * 4)
                    continue
                c = chebyshev(m.M, centre, half, a.degree + 9)
                worst[fine] = max(worst[fine], (sum(abs(b) for b in c[a.degree + 1:]) / abs(c[0]), centre))
                rows.append(powers(c[: a.degree + 1], half))
                beside.append(list(m.Q_and_J(centre)) + c[a.degree + 1:a.degree + 3])

    # Tail: coefficients in u until one cannot matter.
    u = 1 / (mpf(2) ** a.last - 1) ** 2
    moments, k = [mpf(1)], 1
    while abs(binomial(-HALF, 2 * k)) * m.moment(2 * k) * u**k > goal / 100:
        moments.append(m.moment(2 * k))
        k += 1
    tail = {
        "root": [binomial(HALF, 2 * k) * b for k, b in enumerate(moments)],
        "slope": [binomial(-HALF, 2 * k) * b / 2 for k, b in enumerate(moments)],
        "integral": [2 * third * binomial(3 * HALF, 2 * k) * b for k, b in enumerate(moments)],
        "moment": [(2 * third * binomial(3 * HALF, 2 * k) - 4 * fifteenth * binomial(5 * HALF, 2 * k)) * b
                   for k, b in enumerate(moments)],
    }

    out = []
    say = out.append
    command = f"--type {a.type} --words {a.words} --digits {a.digits} --degree {a.degree}"
    say("// SPDX-License-Identifier: BSD-3-Clause")
    say("// Generated by tools/fit_mollified_root.py " + command)
    say(f"//     --bits {a.bits} --fine-bits {a.fine_bits} --first {a.first} --last {a.last}")
    for name, (error, where) in zip(("piece", "fine piece"), worst):
        say(f"// Largest relative error of a {name} before rounding: {nstr(error, 2)}, at s = {nstr(where, 4)}.")
    say("// clang-format off")
    say("template <>")
    say(f"struct MollifiedRootTable<{a.type}> {{")
    say(f"  using Number = {a.type};")
    say(f"  static constexpr Number normalisation{'' if a.words > 1 else ' = '}{literal(m.C, a.words)};  // C")
    say(f"  static constexpr int degree = {a.degree};")
    say(f"  static constexpr int bits = {a.bits};")
    say(f"  static constexpr int fine_bits = {a.fine_bits};")
    say(f"  static constexpr int first = {a.first};")
    say(f"  static constexpr int last = {a.last};")
    say(f"  static constexpr double fine_from = {literal(FINE_FROM, 1)};")
    say(f"  static constexpr double fine_to = {literal(FINE_TO, 1)};")
    say(f"  static constexpr int small_terms = {terms};")
    say(f"  static constexpr int tail_terms = {len(moments)};")
    names = ["root", "slope", "integral", "moment"]
    say("  /// Chebyshev coefficients of the smooth factor on 0 < s < 2^first: root, slope, integral, moment.")
    say("  SCREE_FN static const Number* small(int which) {")
    say("    static constexpr Number c[4][small_terms] = {")
    for n in names:
        say("        " + row(series[n], a.words) + ",")
    say("    };")
    say("    return c[which];")
    say("  }")
    say("  /// Coefficients of powers of u = 1/(s-1)^2, in the same order.")
    say("  SCREE_FN static const Number* tail(int which) {")
    say("    static constexpr Number c[4][tail_terms] = {")
    for n in names:
        say("        " + row(tail[n], a.words) + ",")
    say("    };")
    say("    return c[which];")
    say("  }")
    say("  /// Coefficients of powers of s - centre, one row for each piece; the fine ones last.")
    say("  SCREE_FN static const Number* piece(std::uint64_t i) {")
    say(f"    alignas(64) static constexpr Number c[{len(rows)}][degree + 1] = {{")
    for r in rows:
        say("        " + row(r, a.words) + ",")
    say("    };")
    say("    return c[i];")
    say("  }")
    say("  /// At the centre of a piece: Q, J; and the two Chebyshev coefficients after those in piece().")
    say("  SCREE_FN static const Number* beside(std::uint64_t i) {")
    say(f"    alignas(32) static constexpr Number c[{len(rows)}][4] = {{")
    for r in beside:
        say("        " + row(r, a.words) + ",")
    say("    };")
    say("    return c[i];")
    say("  }")
    say("};")
    say("// clang-format on")
    text = "\n".join(out) + "\n"
    if a.output == "-":
        sys.stdout.write(text)
    else:
        with open(a.output, "w") as f:
            f.write(text)
    print(f"C = {nstr(m.C, 25)}; worst pieces "
          + ", ".join(f"{nstr(e, 2)} at s = {nstr(s, 4)}" for e, s in worst)
          + f"; {terms} small terms, {len(moments)} tail terms, {len(rows)} pieces", file=sys.stderr)


if __name__ == "__main__":
    main()
