#!/usr/bin/env bash
# Ctrl-C writes a checkpoint and exits with 130; --resume goes on to the same end.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
small_scene
for signal in INT TERM; do
  begin part
  kill -s "$signal" "$pid"
  code=0
  wait "$pid" || code=$?
  [ "$code" -eq 130 ] || fail "exit code $code after SIG$signal: $(cat stderr.txt)"
  [ -e part/checkpoint.h5 ] || fail "no checkpoint after SIG$signal"
  [ ! -e part/summary.json ] || fail "an interrupted run has no summary"
  expect_exit 2 scree run small.toml --out part --quiet  # it would be overwritten
  end=$(beyond part)
  scree run small.toml --out part --resume --time "$end" --quiet --json >part.json
  scree run small.toml --out whole --force --time "$end" --quiet --json >whole.json
  [ "$(value state_hash part.json)" = "$(value state_hash whole.json)" ] || fail "another hash after SIG$signal"
done
# a finished run is not overwritten either, but goes on when asked for more
expect_exit 2 scree run small.toml --out whole --quiet
grep -q -- --force stderr.txt || fail "the message does not name --force"
more=$(beyond whole)
scree run small.toml --out long --time "$more" --quiet --json >long.json
scree run small.toml --out whole --resume --time "$more" --quiet --json >more.json
[ "$(value steps more.json)" -gt "$(value steps whole.json)" ] || fail "the run did not go on"
[ "$(value state_hash more.json)" = "$(value state_hash long.json)" ] || fail "a run that went on differs"
echo ok
