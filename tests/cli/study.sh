#!/usr/bin/env bash
# Studies from the command line: options, exit codes, files.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

says "Example:" scree study --help || fail "study --help has no example"
says "order" scree study --help || fail "study --help does not name the studies"
says "Example:" scree study order --help || fail "study order --help has no example"
says "studies" scree list || fail "list does not show the studies"
says '"studies": \[' scree list --json || fail "list --json has no studies"
says '"name": "order"' scree list --json || fail "list --json does not name the order study"

# bad input: exit code 2, the nearest name, nothing written
expect_exit 2 scree study
expect_exit 2 scree study ordr
grep -q '"order"' stderr.txt || fail "no nearest study: $(cat stderr.txt)"
expect_exit 2 scree study order --lav kk
grep -q -- '"--law"' stderr.txt || fail "no nearest option: $(cat stderr.txt)"
expect_exit 2 scree study order --law kkk
grep -q '"kk"' stderr.txt || fail "no nearest law: $(cat stderr.txt)"
expect_exit 2 scree study order --integrator leapfrogg
grep -q '"leapfrog"' stderr.txt || fail "no nearest integrator: $(cat stderr.txt)"
expect_exit 2 scree study order --eps abc
expect_exit 2 scree study order --case scene --scene nowhere.toml
expect_exit 2 scree study order --case scene --scene oblique-bounc
expect_exit 2 scree study order --set run.integratr=rk4
expect_exit 2 scree study order kk
expect_exit 2 scree study stepsize --law kk
expect_exit 2 scree study --law kk order
expect_exit 2 scree study order --case powerlaw --set run.time=2
grep -q "the case powerlaw has no scene to change" stderr.txt || fail "--set without a scene: $(cat stderr.txt)"
expect_exit 2 scree study order --case powerlaw --print-scene
expect_exit 2 scree study mollifier --print-scene
grep -q "has no scene" stderr.txt || fail "--print-scene without a scene: $(cat stderr.txt)"
expect_exit 2 scree study collapse --aspects 0.5,none
expect_exit 2 scree study collapse --geometry cylindr
grep -q '"cylinder"' stderr.txt || fail "no nearest geometry: $(cat stderr.txt)"
expect_exit 2 scree study collapse --aspects 50 --grains 60
grep -q "too few for a column" stderr.txt || fail "a needle: $(cat stderr.txt)"
[ ! -e study-collapse ] || fail "bad input left something behind"
[ ! -e study-order ] || fail "bad input left something behind"

# the scene is one that `run` takes, with --set applied
scree study order --law kk-mollified --eps 2e-5 --set contact.normal.g=1e9 --print-scene >scene.toml
grep -q "eps = 2e-0\{0,1\}5" scene.toml || fail "the scene has no eps: $(cat scene.toml)"
grep -q "g = 1e\|g = 1000000000" scene.toml || fail "--set does not change the scene: $(cat scene.toml)"
scree check scene.toml >/dev/null || fail "the printed scene does not check"
[ ! -e study-order ] || fail "--print-scene wrote something"

# JSON alone on standard output, files in the folder, the same study again
scree study order --quick --finest 17 --quiet --json >order.json 2>order.err
[ "$(head -c 1 order.json)" = "{" ] && [ "$(value study order.json)" = order ] || fail "no JSON: $(head -3 order.json)"
[ ! -s order.err ] || fail "messages: $(cat order.err)"
for file in order.json order.csv scene.toml findings.json order.gp order.dat order.png order.svg; do
  [ -s study-order/$file ] || fail "no study-order/$file"
done
head -1 study-order/order.csv | grep -q "^integrator,law,eps,q,real,h,steps,force_calls,value,error,in_window$" || fail "order.csv: $(head -1 study-order/order.csv)"
scree study order --quick --finest 17 --quiet >text.txt
grep -q "order of x in double" text.txt || fail "no table for people: $(cat text.txt)"
expect_exit 2 scree study cost --out study-order
grep -q "holds the study" stderr.txt || fail "a study replaces another: $(cat stderr.txt)"

# any scene
scree study order --scene scene.toml --integrator rk4 --quick --quiet --json >any.json
[ "$(value case any.json)" = scene ] && [ "$(value integrator any.json)" = rk4 ] || fail "a study of a scene: $(head -8 any.json)"

# without gnuplot: a warning, and all the rest
mkdir bin && ln -s "$(command -v cat)" bin/cat
PATH="$PWD/bin" "$SCREE_BINARY" study order --quick --finest 17 --quiet --out plain >/dev/null 2>warning.txt || fail "no gnuplot, no study"
grep -q "warning: no picture" warning.txt || fail "no warning: $(cat warning.txt)"
[ -s plain/order.json ] && [ -s plain/order.gp ] || fail "no files without gnuplot"
echo ok
