#!/usr/bin/env bash
# The reproduction from the command line: runs, is kept, is chosen by name, and refuses nonsense.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

says "Example:" scree reproduce --help || fail "reproduce --help has no example"
says "scree study force" scree reproduce --list || fail "reproduce --list does not name the commands"
[ ! -e reproduction ] || fail "--list wrote something"
expect_exit 2 scree reproduce forse
grep -q '"force"' stderr.txt || fail "reproduce does not suggest the nearest name: $(cat stderr.txt)"

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

# killed in the middle of a run, it goes on
scree reproduce energy-13 --quick --out k --quiet >/dev/null 2>&1 &
pid=$!
sleep 0.3
kill -9 $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
[ ! -e k/energy-13/reproduction.json ] || echo "(the kill came late)"
scree reproduce force --quick --out k --quiet >/dev/null
[ -s k/index.html ] || fail "nothing after the kill"
echo ok
