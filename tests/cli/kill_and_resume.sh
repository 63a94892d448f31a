#!/usr/bin/env bash
# kill -9 at random instants: the run file opens every time, and the finished run is the same.
# SCREE_KILLS=50 for the long version.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
small_scene
kills=12
if ldd "$SCREE_BINARY" | grep libomp >/dev/null; then kills=3; fi  # ThreadSanitizer's build is far slower
kills=${SCREE_KILLS:-$kills}

scree run small.toml --out whole --quiet --json --threads 1 >whole.json
hash=$(value state_hash whole.json)
wall=$(value wall_s whole.json)
frames=$(scree info whole --json | sed -n 's/.*"frames": \([0-9]*\).*/\1/p')
[ -n "$hash" ] || fail "no hash"

RANDOM=20261
for ((k = 1; k <= kills; ++k)); do
  rm -rf part
  "$SCREE_BINARY" run small.toml --out part --quiet --threads 1 >/dev/null 2>&1 &  # not the function: $! is to be killed
  pid=$!
  # anywhere from the first millisecond to the end of the run
  sleep "$(awk -v r="$RANDOM" -v w="$wall" 'BEGIN { printf "%.3f", r / 32768 * (w + 0.2) }')"
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  if [ -e part/run.h5 ]; then
    scree info part >info.txt || fail "run file unreadable after kill $k"
  fi
  scree run small.toml --out part --resume --quiet --json --threads 1 >part.json || fail "resume failed after kill $k"
  [ "$(value state_hash part.json)" = "$hash" ] || fail "kill $k: another hash after resuming"
  [ "$(scree info part --json | sed -n 's/.*"frames": \([0-9]*\).*/\1/p')" = "$frames" ] || fail "kill $k: frames are missing"
done
echo "$kills kills, one hash $hash"
