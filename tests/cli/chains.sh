#!/usr/bin/env bash
# Chains of beads: scenes with one hash however they are run, a step below gamma refused, what check and study say.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

check() {  # check NAME STEPS OPTIONS…
  local name=$1 steps=$2
  shift 2
  local common=(run "$(scene "$name")" --quiet --no-pictures --json "$@")
  scree "${common[@]}" --out "$name" --force --threads 1 --steps "$steps" >run.json
  local first
  first=$(value state_hash run.json)
  scree "${common[@]}" --out "$name" --force --threads 2 --steps "$steps" --set run.neighbours=hierarchy >run.json
  [ "$(value state_hash run.json)" = "$first" ] || fail "$name: two threads and another search give another hash"
  scree "${common[@]}" --out "$name" --force --threads 1 --steps $((steps / 2)) >/dev/null
  scree "${common[@]}" --out "$name" --resume --threads 1 --steps "$steps" >run.json
  [ "$(value state_hash run.json)" = "$first" ] || fail "$name: resumed run gives another hash"
  says "$name" scree list || fail "$name is not listed"
}
check bead-alignment 200
check bead-alignment 20 --set grains.0.count=20000
check bead-alignment 100 --set run.variant=energy
check bead-alignment 80 --set run.dt=0.4
check newtons-cradle 2000
check piston-front 400
# beads that are not alike, behind a front that reaches forty of them; what they are must show in the hash
plain=$(value state_hash run.json)
own=(--set "grains.0.mass={ min = 0.5, max = 2.0 }" --set "grains.0.gap={ min = 0.0, max = 0.01 }")
check piston-front 400 "${own[@]}"
soft=$(value state_hash run.json)
[ "$soft" != "$plain" ] || fail "masses and gaps of single beads change nothing"
check piston-front 400 "${own[@]}" --set "grains.0.stiffness={ mean = 1.0, spread = 0.5 }"
[ "$(value state_hash run.json)" != "$soft" ] || fail "stiffnesses of single beads change nothing"
check bead-alignment 20 --set grains.0.count=20000 --set "grains.0.stiffness={ mean = 1.0, spread = 0.5 }" --set grains.0.strikers=10000

# theta <= 1 means dt >= gamma: check says so, a smaller step is refused and nothing written
says "theta <= 1 means dt >= 0.05 s" scree check "$(scene bead-alignment)" || fail "check is silent about theta"
expect_exit 2 scree run "$(scene bead-alignment)" --out small --set run.dt=0.01
grep -q "run.dt: .*expected dt >= gamma" stderr.txt || fail "$(cat stderr.txt)"
[ ! -e small ] || fail "bad input left something behind"
expect_exit 0 scree run "$(scene bead-alignment)" --out small --set run.dt=0.01 --set run.variant=split --steps 10 --quiet --no-pictures
# energy never grows: by the guard and for variant = "energy"; without proved up to dt = 2 gamma, beyond which check warns
says "never grows, whatever dt: the guard" scree check "$(scene bead-alignment)" --set run.dt=0.4 || fail "check is silent about the guard"
says "never grows: dt <= 2 gamma" scree check "$(scene bead-alignment)" --set run.guard=false || fail "check is silent about energy"
says "may gain energy" scree check "$(scene bead-alignment)" --set run.dt=0.4 --set run.guard=false || fail "check does not warn of dt above 2 gamma"
scree run "$(scene bead-alignment)" --out guarded --quiet --no-pictures --json --set run.dt=0.4 >guarded.json
grep -A1 '"guard"' guarded.json | grep -Eq '"redone": 0' && grep -A3 '"guard"' guarded.json | grep -q '"steps": 2' || fail "guard: $(grep -A4 '"guard"' guarded.json)"
says "never grows, whatever dt" scree check "$(scene newtons-cradle)" || fail "check does not know what variant = energy does"
expect_exit 2 scree run "$(scene bead-alignment)" --out other --set contact.normal.A=-1
expect_exit 2 scree run "$(scene bead-alignment)" --out other --set grains.0.mass=0.0
expect_exit 2 scree run "$(scene bead-alignment)" --out other --set run.variant=thid
grep -q '"third"' stderr.txt || fail "no nearest variant: $(cat stderr.txt)"
expect_exit 1 scree run "$(scene bead-alignment)" --out fails --quiet --no-pictures --set run.iterations=1 --set run.tolerance=1e-15 --set run.dt=0.4
grep -q "did not converge in step [0-9]* (t = " stderr.txt || fail "$(cat stderr.txt)"

# the study
scree study chain --case alignment --quick --schemes kk-theta --steps 0.2 --set run.dt=0.2 --json --quiet >chain.json
[ "$(value scheme chain.json)" = kk-theta ] && [ "$(value h chain.json)" = 0.2 ] || fail "chain.json: $(head -c 300 chain.json)"
awk -v e="$(value error chain.json)" 'BEGIN { exit !(e > 0.0077 && e < 0.0080) }' || fail "error $(value error chain.json) instead of 7.87e-3"
for file in chain.json errors.csv velocities.csv scene.toml; do [ -s "study-chain/$file" ] || fail "no $file"; done
expect_exit 2 scree study chain --case font
grep -q '"front"' stderr.txt || fail "no nearest case: $(cat stderr.txt)"
