#!/usr/bin/env bash
# The scenes that people run: equal state_hash over threads, searches, skins, SIMD and resuming.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

check() {  # check NAME SCENE STEPS OPTIONS…: hash of one way to run it
  local name=$1 file=$2 steps=$3
  shift 3
  local first=""
  while read -r label options; do
    # shellcheck disable=SC2086
    scree run "$file" --out "$name" --force --quiet --no-pictures --json --steps "$steps" "$@" $options >run.json
    local hash
    hash=$(value state_hash run.json)
    [ -n "$first" ] || first=$hash
    [ "$hash" = "$first" ] || fail "$name: $label gives $hash instead of $first"
  done <<'END'
one --threads 1
two --threads 2
three --threads 3
eight --threads 8
brute --threads 2 --set run.neighbours=brute
corner-hash --threads 2 --set run.neighbours=corner-hash
hierarchy --threads 2 --set run.neighbours=hierarchy
thin-skin --threads 2 --set run.skin=1e-4
thick-skin --threads 1 --set run.skin=2e-3
END
  local simd
  for simd in plain v3; do
    SCREE_SIMD=$simd scree run "$file" --out "$name" --force --quiet --no-pictures --json --steps "$steps" "$@" >run.json
    [ "$(value state_hash run.json)" = "$first" ] || fail "$name: SIMD $simd gives another hash"
  done
  # half, then the rest
  scree run "$file" --out "$name" --force --quiet --no-pictures --json --steps $((steps / 2)) "$@" >/dev/null
  scree run "$file" --out "$name" --resume --quiet --no-pictures --json --steps "$steps" "$@" >run.json
  [ "$(value state_hash run.json)" = "$first" ] || fail "$name: resumed run gives another hash"
  echo "$name: $first"
}

check column "$(scene column-collapse)" 400 --set prepare.time=0.03
check box "$(scene box-of-spheres)" 60 --set grains.0.count=3000
check chute "$(scene chute)" 1500  # velocity-verlet in space, where a step runs into the next, and a flow that lists outlive

# all 20 000 spheres, without the quadratic search
first=""
for threads in 1 2 8; do
  scree run "$(scene box-of-spheres)" --out box --force --quiet --no-pictures --json --steps 40 --threads $threads >run.json
  [ -n "$first" ] || first=$(value state_hash run.json)
  [ "$(value state_hash run.json)" = "$first" ] || fail "the whole box differs on $threads threads"
done
echo "whole box: $first"

# A bed that comes to rest: where the machine has AVX2 its contacts lie side by side for some of the steps.
at_rest() {
  local narrow="[[0.0,0.0,0.0],[0.02,0.02,0.06]]"
  scree run "$(scene box-of-spheres)" --out rest --force --quiet --no-pictures --json --set run.integrator=velocity-verlet \
    --set grains.0.count=200 --set "grains.0.box=$narrow" --set "walls.0.box=$narrow" --set run.time=0.15 "$@" >run.json
}
at_rest
first=$(value state_hash run.json)
if grep -q avx2 /proc/cpuinfo; then
  [ "$(value steps_side_by_side run.json)" -gt 0 ] || fail "no contacts lay side by side"
fi
SCREE_SIMD=plain at_rest --set run.ledger=false
[ "$(value steps_side_by_side run.json)" = 0 ] || fail "plain kernels have no packs"
[ "$(value state_hash run.json)" = "$first" ] || fail "a bed at rest differs with plain kernels"
[ "$(value balance_error run.json)" = null ] || fail "without a ledger the balance is not known: $(value balance_error run.json)"
echo "at rest: $first"
