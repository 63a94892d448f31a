#!/usr/bin/env bash
# Equations from a table, as a user meets them.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

# A damped pendulum's small swings, in closed form: x = exp(-t/10) cos(w t), y = x'. y' = -(w² + 0.01) x - 0.2 y.
awk 'BEGIN { w = 2; print "t,x,y"; for (i = 0; i < 600; ++i) { t = 0.02 * i; e = exp(-t / 10);
  printf "%.17g,%.17g,%.17g\n", t, e * cos(w * t), e * (-0.1 * cos(w * t) - w * sin(w * t)) } }' >swing.csv

says "Example:" scree discover --help || fail "discover --help has no example"
scree discover swing.csv --time t >found.txt
grep -q "^x' = 1.000 y$" found.txt || fail "x' is not found: $(cat found.txt)"
grep -q "^y' = -4.010 x - 0.2000 y$" found.txt || fail "y' is not found: $(cat found.txt)"
scree discover swing.csv --latex | grep -q 'y. &= -4.010\\,x' || fail "no LaTeX"

scree discover swing.csv --simulate --weak --ensemble 20 --out found --json --threads 1 >one.json
for key in lhs term coefficient stderr inclusion score residual selected_by; do grep -q "\"$key\"" one.json || fail "the JSON has no $key"; done
for file in discovery.json equations.txt equations.tex equations.png equations.svg simulation.png; do [ -s found/$file ] || fail "no found/$file"; done
scree discover swing.csv --simulate --weak --ensemble 20 --out found --json --threads 2 >two.json
cmp one.json two.json || fail "the number of threads changes the result"

printf 'files = ["swing.csv"]\ndegree = 3\nsolver = "frols"\n' >settings.toml
scree discover settings.toml | grep -q "^y' = -4.010 x - 0.2000 y$" || fail "settings of a file do not work"

# what is wrong is said in one line, with exit code 2, and nothing is written
expect_exit 2 scree discover none.csv
expect_exit 2 scree discover swing.csv --time tt
grep -q 'did you mean "t"' stderr.txt || fail "no nearest name: $(cat stderr.txt)"
expect_exit 2 scree discover swing.csv --terms 'x; system(y)'
grep -q 'unknown name "system"' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree discover swing.csv --solver stlq
expect_exit 2 scree discover swing.csv --degree many --out other
[ ! -e other ] || fail "a bad setting left a folder"
expect_exit 2 scree discover swing.csv --derivative spectral
mkdir busy && touch busy/mine
expect_exit 2 scree discover swing.csv --out busy
head -n 6 swing.csv >few.csv
expect_exit 2 scree discover few.csv
expect_exit 2 scree study rheology --cell swing.csv
printf 'I,mu,mu_stderr,packing\n0.1,0.3,0.01,0.8\n0.2,,0.01,0.8\n' >shear.csv
expect_exit 2 scree study rheology --shear shear.csv
grep -q 'shear.csv: row 2: mu is' stderr.txt || fail "a missing value is not told with its row: $(cat stderr.txt)"

# the data of the documentation's example, and the example
scree study discovery --data lorenz --out examples >/dev/null || fail "no data of an example"
scree discover examples/lorenz.csv --time t | grep -q "^z' = -2.667 z + 1.000 x y$" || fail "the example of the documentation does not work"
# settings that mean nothing to a form are refused, not passed over
expect_exit 2 scree discover swing.csv --implicit --solver lasso
grep -q 'does not apply' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree discover swing.csv --support 20
