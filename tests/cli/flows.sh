#!/usr/bin/env bash
# The scenes of flows: equal state_hash over threads, searches and resuming; grains that come and go in every file.
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
  echo "$name: $first"
}

check plane-shear 3000
check sheared-box 3000
check chute 600
check silo 4000 --set prepare.time=0.1 --set prepare.rest=1
check heap 6000 --set output.snapshots.every=0.01 --set output.energy.every=0.005

# Frames with more and more grains open everywhere, and what passed the gates is told.
rows() { awk -F, -v frame="$1" 'NR > 1 && $1 == frame' csv/grains.csv | wc -l; }
for kind in csv vtk lammps; do scree export heap/run.h5 --$kind --out $kind >/dev/null; done
[ "$(rows 0)" -lt "$(rows 12)" ] || fail "no grain came in"
head -n 1 csv/signals.csv | grep -q '^step,time,funnel.count,funnel.mass,floor.count,floor.mass$' || fail "signals.csv has other columns"
[ "$(tail -n 1 csv/signals.csv | cut -d, -f3)" = "$(grep -A 2 '"inserted"' heap/summary.json | sed -n 's/^ *"count": \([0-9]*\),$/\1/p')" ] ||
  fail "signals and summary differ"
[ -s lammps/run.lammpstrj ] && ls vtk/vtk/*.vtp >/dev/null || fail "an export is missing"

# A resumed run has the same history as one that was not interrupted.
scree run "$(scene heap)" --quiet --no-pictures --out whole --steps 6000 --set output.snapshots.every=0.01 --set output.energy.every=0.005 >/dev/null
scree export whole/run.h5 --csv --out whole-csv >/dev/null
for file in grains signals; do cmp -s csv/$file.csv whole-csv/$file.csv || fail "$file.csv of the resumed run differs"; done

# A box that fills up says how far it got.
scree run "$(scene heap)" --no-pictures --out full --steps 500 --set insert.0.rate=1e6 >said.txt 2>&1
grep -q '"funnel" has let in only [0-9]* of the 10001 grains that were due' said.txt || fail "no word of a full box: $(cat said.txt)"

# Profiles of any run: all grains are in them, by volume.
scree export sheared-box --profile y --bins 8 --out profile --frames 0:0 >said.txt
grep -q "not steady" said.txt || fail "a run of 3000 steps is steady: $(cat said.txt)"
head -n 1 profile/profile.csv | grep -q '^y,packing,vx,vy,temperature$' || fail "profile.csv has other columns"
scree export sheared-box --csv --out profile --frames 0:0 >/dev/null
filled=$(awk -F, 'NR > 1 { s += $2 } END { print s / 8 * 0.04 * 0.04 }' profile/profile.csv)
r=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "radius") c = k } NR > 1 { s += 3.14159265358979 * $c * $c } END { print s }' profile/grains.csv)
awk -v a="$filled" -v b="$r" 'BEGIN { exit !((a - b) ^ 2 < 1e-10 * b ^ 2) }' || fail "profile has $filled m2 of discs, the run $r"
expect_exit 2 scree export sheared-box --profile z
expect_exit 2 scree export sheared-box --profile y --steady
grep -q "has not become steady" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree export sheared-box --profile w

# What a run cannot start from.
cat >from.toml <<END
[scene]
base = "$(scene heap)"
[start]
run = "heap"
END
expect_exit 2 scree run from.toml --quiet --out started
grep -q "without \[\[insert\]\]" stderr.txt || fail "$(cat stderr.txt)"
