#!/usr/bin/env bash
# The reproduction from the command line: runs, is kept, is chosen by name, and refuses nonsense.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

says "Example:" scree reproduce --help || fail "reproduce --help has no example"
says "scree study force" scree reproduce --list || fail "reproduce --list does not name the commands"
[ ! -e reproduction ] || fail "--list wrote something"
expect_exit 2 scree reproduce forse
grep -q '"force"' stderr.txt || fail "reproduce does not suggest the nearest name: $(cat stderr.txt)"

scree reproduce 000 --list >list.txt # of its figures, all on lines of the thesis
for name in order-kk mollifier order-mollified stepsize; do
  grep -q "^$name " list.txt || fail "000 leaves out $name: $(cat list.txt)"
done
[ "$(wc -l <list.txt)" -eq 4 ] || fail "000 has more than its figures: $(cat list.txt)"

scree reproduce force mollifier --quick --out r --quiet >first.txt
grep -q "^force *done" first.txt || fail "force was not run: $(cat first.txt)"
for file in index.html force/reproduction.json force/force-kk.png force/force-kk.svg force/force.csv force/force.json force/findings.json mollifier/errors.svg; do
  [ -s r/$file ] || fail "no r/$file"
done
grep -q 'src="force/force-kk.svg"' r/index.html || fail "the page does not show the figure"
! grep -q "http" r/index.html || fail "the page wants a network"

scree reproduce force mollifier --quick --out r --quiet >second.txt
[ "$(grep -c " kept " second.txt)" -eq 2 ] || fail "finished studies were run again: $(cat second.txt)"
rm r/mollifier/reproduction.json # as if killed in the middle of it
scree reproduce force mollifier --quick --out r --quiet --json >third.json
[ "$(grep -c '"state": "kept"' third.json)" -eq 1 ] || fail "the killed study was not run again"
[ "$(value holds third.json)" -ge 5 ] || fail "too few claims hold: $(cat third.json)"

# killed in the middle of a run, it goes on with the runs it has not done
scree reproduce trajectory-order --quick --out k --quiet --threads 1 >/dev/null 2>&1 &
pid=$!
until compgen -G "cache/trajectory-*.cbor" >/dev/null; do
  kill -0 $pid || fail "the study kept no run"
  sleep 0.02
done
kill -9 $pid
wait $pid 2>/dev/null || true
[ ! -e k/trajectory-order/reproduction.json ] || fail "the kill came late"
before=$(compgen -G "cache/trajectory-*.cbor" | wc -l)
touch -d '2001-01-01' cache/trajectory-*.cbor
scree reproduce trajectory-order --quick --out k --quiet >after.txt
grep -q "^trajectory-order *done" after.txt || fail "the killed study was not run again: $(cat after.txt)"
[ "$(find cache -name 'trajectory-*.cbor' ! -newermt 2002-01-01 | wc -l)" -eq "$before" ] || fail "finished runs were done again"
[ "$(find cache -name 'trajectory-*.cbor' | wc -l)" -gt "$before" ] || fail "the kill came after all runs"
scree reproduce trajectory-order --quick --out k --quiet >after.txt
grep -q "^trajectory-order *kept" after.txt || fail "what was done after a kill is not kept: $(cat after.txt)"
echo ok
