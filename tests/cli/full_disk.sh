#!/usr/bin/env bash
# A disk that is full (here: a file that may not grow) ends the run with 1 and leaves the last
# checkpoint whole, from which the run goes on when there is room again.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
# clang's OpenMP runtime keeps a file of its own in shared memory and dies of the limit used below
if ldd "$SCREE_BINARY" | grep libomp >/dev/null; then exit 77; fi
small_scene
begin part
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
end=$(beyond part)
code=0
(ulimit -f 8; exec "$SCREE_BINARY" run small.toml --out part --resume --time "$end" --quiet >/dev/null 2>stderr.txt) || code=$?
[ "$code" -eq 1 ] || fail "exit code $code on a full disk: $(cat stderr.txt)"
[ -s stderr.txt ] || fail "no message"
scree run small.toml --out part --resume --time "$end" --quiet --json >part.json
scree run small.toml --out whole --time "$end" --quiet --json >whole.json
[ "$(value state_hash part.json)" = "$(value state_hash whole.json)" ] || fail "another hash after the full disk"
echo ok
