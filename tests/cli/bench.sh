#!/usr/bin/env bash
# The bench from the command line: options, exit codes, files. No time is judged.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

says "Example:" scree bench --help || fail "bench --help has no example"
expect_exit 2 scree bench --beds W9
grep -q '"W9"' stderr.txt || fail "no name of the wrong bed: $(cat stderr.txt)"
expect_exit 2 scree bench --laws hertz --beds W4
expect_exit 2 scree bench --beds W1 --sizes 321
expect_exit 2 scree bench --states nowhere --beds W2
expect_exit 2 scree bench --peers --searches

# the gas needs no settling
scree bench --beds W4 --steps 4 --repeats 1 --threads 1,2 --quiet --json --export states --out results >gas.json 2>gas.err
[ "$(head -c 1 gas.json)" = "{" ] || fail "no JSON: $(head -3 gas.json)"
for key in code law bed grains threads grain_steps_per_s spread bytes_per_grain contacts_per_grain state_hash; do
  [ -n "$(value $key gas.json)" ] || fail "the rows have no $key"
done
[ "$(value grains gas.json)" = 32000 ] || fail "the gas has $(value grains gas.json) grains"
[ -s states/w4_32000.dump ] && [ -s states/w4_32000.data ] || fail "no exported states"
[ "$(wc -l <results/*.csv)" -eq 3 ] || fail "the CSV has $(wc -l <results/*.csv) lines"

# from the exported state: the same bits
scree bench --beds W4 --steps 4 --repeats 1 --threads 1 --quiet --json --states states >again.json
[ "$(value state_hash gas.json)" = "$(value state_hash again.json)" ] || fail "another hash from the exported state"

# the searches, in one table, with one hash
scree bench --searches --beds W4 --steps 4 --repeats 1 --threads 1 --quiet --states states >searches.txt || fail "searches: $(cat searches.txt)"
grep -q "corner-hash" searches.txt || fail "no corner-hash in $(cat searches.txt)"
[ "$(grep -o "[0-9a-f]\{16\}$" searches.txt | sort -u | wc -l)" -eq 1 ] || fail "searches differ: $(cat searches.txt)"

# a peer that fails is told, and is no reason to stop
mkdir bin && printf '#!/bin/sh\necho out of order\nexit 7\n' >bin/lmp && chmod +x bin/lmp
PATH="$PWD/bin:$PATH" "$SCREE_BINARY" bench --peers --beds W4 --steps 4 --repeats 1 --threads 1 --quiet --states states >peers.txt ||
  fail "a failing peer ends the bench"
grep -q "ended with 7: out of order" peers.txt || fail "no word of the peer: $(cat peers.txt)"
echo ok
