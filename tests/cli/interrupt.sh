#!/usr/bin/env bash
# Ctrl-C writes a checkpoint and exits with 130; --resume goes on to the same end.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
small_scene
scree run small.toml --out whole --quiet --json >whole.json
for signal in INT TERM; do
  rm -rf part
  # (a shell ignores SIGINT in background commands; env -u cannot undo that, so use a subshell trap)
  (trap - INT; exec "$SCREE_BINARY" run small.toml --out part --quiet >/dev/null 2>stderr.txt) &
  pid=$!
  sleep 0.4
  kill -s "$signal" "$pid" || fail "the run ended before it could be interrupted"
  code=0
  wait "$pid" || code=$?
  [ "$code" -eq 130 ] || fail "exit code $code after SIG$signal: $(cat stderr.txt)"
  [ -e part/checkpoint.h5 ] || fail "no checkpoint after SIG$signal"
  [ ! -e part/summary.json ] || fail "an interrupted run has no summary"
  expect_exit 2 scree run small.toml --out part --quiet  # it would be overwritten
  scree run small.toml --out part --resume --quiet --json >part.json
  [ "$(value state_hash part.json)" = "$(value state_hash whole.json)" ] || fail "another hash after SIG$signal"
done
# a finished run is not overwritten either, but goes on when asked for more
expect_exit 2 scree run small.toml --out whole --quiet
grep -q -- --force stderr.txt || fail "the message does not name --force"
scree run small.toml --out long --time 0.4 --quiet --json >long.json
scree run small.toml --out whole --resume --time 0.4 --quiet --json >more.json
[ "$(value state_hash more.json)" = "$(value state_hash long.json)" ] || fail "a run that went on differs"
echo ok
