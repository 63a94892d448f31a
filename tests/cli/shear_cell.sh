#!/usr/bin/env bash
# The Taylor-Couette cell, made small: its phases can be killed and resumed, threads do not matter, and
# a run may start from a frame of another.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
export SCREE_CACHE=off  # what is killed in a phase is to be resumed there, not taken from a cache

small=(--set 'grains.1.radius={ values = [4.5e-3, 3.7e-3], counts = [60, 240] }' --set grains.1.count=300
  --set grains.2.packing=0.78 --set walls.0.radius=0.115 --set prepare.0.time=0.6 --set prepare.1.time=0.2
  --set 'output.snapshots={ every = 0.01 }' --set 'output.checkpoints={ every = 0.02 }' --set run.time=0.1
  --quiet --no-pictures)
for k in 0 1 2; do small+=(--set "grains.$k.inner=0.03"); done
for k in 0 1; do small+=(--set "grains.$k.outer=0.115"); done
cell=$(scene taylor-couette)

scree run "$cell" "${small[@]}" --out whole --threads 1 --json >whole.json
hash=$(value state_hash whole.json)
[ -n "$hash" ] || fail "no hash"
scree run "$cell" "${small[@]}" --out two --threads 2 --set run.neighbours=hierarchy --json >two.json
[ "$(value state_hash two.json)" = "$hash" ] || fail "two threads and another search give another hash"

# kill -9 at the first checkpoint of each phase; $done: what the log says when the phase before is over
for phase in compaction rest run; do
  case $phase in compaction) done="dt =" ;; rest) done="compaction: settled" ;; run) done="rest: settled" ;; esac
  rm -rf part
  "$SCREE_BINARY" run "$cell" "${small[@]}" --out part --threads 1 >/dev/null 2>&1 &
  pid=$!
  until sed -n "/$done/,\$p" part/log.txt 2>/dev/null | grep 'checkpoint at' >/dev/null; do
    kill -0 "$pid" 2>/dev/null || break  # a fast machine: the run is over, and resuming finds its end
    sleep 0.01
  done
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  scree run "$cell" "${small[@]}" --out part --resume --threads 1 --json >part.json || fail "resume failed in $phase"
  [ "$(value state_hash part.json)" = "$hash" ] || fail "killed in $phase: another hash after resuming"
done

# a frame of the long run, and the run from there: same places, frame by frame
short=$(scene taylor-couette-short)
scree run "$short" "${small[@]}" --set start.run=whole --set start.time=0.05 --out short --set run.time=0.03 --json >short.json
scree compare whole short --json >compare.json
worst=$(awk -F'[:,]' '/"largest"/ { if ($2 > w) w = $2 } END { print w + 0 }' compare.json)
# the clocks round differently, and contacts of 300 grains let that grow little in 0.03 s
awk -v w="$worst" 'BEGIN { exit !(w < 1e-9) }' || fail "the run from a frame goes another way: $worst radii"
[ "$(value time short.json | cut -c1-4)" = 0.08 ] || fail "the clock did not go on: $(value time short.json)"
expect_exit 2 scree run "$short" "${small[@]}" --set start.run=whole --set start.time=0.055 --out other
grep -q "has no frame at 0.055 s; the nearest is at" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run "$short" --set start.run=whole --quiet --out other
grep -q "is another one in whole" stderr.txt || fail "$(cat stderr.txt)"
[ ! -e other ] || fail "bad input left a folder"

# a packing that the discs do not reach, and what can be seen at once
expect_exit 1 scree run "$cell" "${small[@]}" --set grains.2.packing=0.89 --set run.max_overlap=0.4 --out dense
grep -q 'in the phase "compaction", with the ring "press" at a radius of' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run "$cell" "${small[@]}" --set grains.2.packing=0.92 --out dense2
grep -q 'grains.2.packing.*cannot be reached: expected at most 0.9069' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run "$cell" "${small[@]}" --set grains.1.outer=0.06 --out tight
grep -q 'room for only [0-9]* of 300 grains, which fill 0\.[345]' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run "$cell" "${small[@]}" --set grains.2.packing=0.3 --out loose
grep -q 'expected a smaller one: a ring shrinks' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run "$cell" "${small[@]}" --set prepare.0.time=-1 --out negative
grep -q 'prepare.0.time: expected a number > 0 in s, found -1' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run "$cell" "${small[@]}" --set walls.0.until=rset --out phase
grep -q 'did you mean "rest"?' stderr.txt || fail "$(cat stderr.txt)"

# pictures and profiles of the cell
scree export whole --stress --times 0,0.1 --strip 0.02 --out pictures >/dev/null
expect_exit 2 scree export whole --stress --times 0,99 --out nowhere
grep -q -- '--times 99: expected a time of the run' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree export whole --csv --bins 7 --out nowhere
grep -q -- '--bins belongs to' stderr.txt || fail "$(cat stderr.txt)"
[ ! -e nowhere ] || fail "a refused export wrote something"
[ -s pictures/stress.png ] || [ "$(command -v gnuplot)" = "" ] || fail "no picture of stresses"
scree export whole --radial --bins 12 --out pictures --json >radial.json
[ "$(wc -l <pictures/radial.csv)" -eq 13 ] || fail "radial.csv has other rows"
[ "$(value frames radial.json)" -gt 5 ] || fail "$(cat radial.json)"
# one frame has no interval: nothing is said, rather than 0 to 0
scree export whole --radial --frames -1 --out single >said.txt
grep -q "decays over" said.txt && ! grep -q "95 %" said.txt || fail "$(cat said.txt)"
scree export whole --radial --frames -1 --out single --json | grep -q '"interval": null' || fail "an interval of one frame"

# the study of its fields takes runs that are there: the last frames of each, velocities half a step behind, the speed of the wall
scree run "$short" "${small[@]}" --set start.run=whole --set run.time=1e-3 --set 'output.snapshots={ every = 1e-4 }' --out dense_short >/dev/null
fields=(--quick --quiet --frames 10 --strip-frames 7 --width 0.015 --strip-width 0.015 --spacings 4e-4 --radii 12)
scree study couette --run whole --short dense_short "${fields[@]}" --out study --json >couette.json
[ "$(value frames couette.json)" = 10 ] || fail "other frames: $(value frames couette.json)"
near() { awk -v a="$(value "$1" couette.json)" -v b="$2" 'BEGIN { exit !((a - b) ^ 2 <= 1e-8 * b * b) }' || fail "$1 is $(value "$1" couette.json), not $2"; }
near lag "$(awk '$1 == "dt" { print $3 / 2 }' CONVFMT=%.17g OFMT=%.17g "$cell")"  # half a step
near spacing 4e-4
near wall_speed 0.0015  # 0.05 rad/s at 0.03 m
awk -F, 'NR > 1 && $1 == "wall" && !($9 <= 1e-9 * $10) { print; exit 1 }' study/balances.csv || fail "the exact balance does not hold up to the wall"
grep -q "v_t / wall speed" study/couette-profiles.gp || fail "the velocity is not in units of the wall's"
# several cells: a start counts once, at however many speeds; those joined have one speed and turn as far as asked
scree run "$cell" "${small[@]}" --set scene.seed=2 --out second --threads 1 >/dev/null
scree run "$cell" "${small[@]}" --set grains.0.motion.0.rate=0.25 --set run.time=0.02 --out quicker --threads 1 >/dev/null
scree study couette-cells --runs whole+second,quicker --windows 0.003,0.006 --quiet --out cells --json >cells.json
awk -F, 'NR > 1 { print $1 ": " $2 " " $3 }' cells/decay.csv >starts.txt
printf '%s\n' '0.05 rad/s: 2 2' '0.25 rad/s: 1 1' 'all speeds: 3 2' | diff - starts.txt || fail "other starts"
awk -F, 'NR > 1 && $4 == 0 && $5 == 4 { n++ } END { exit !(n == 6) }' cells/packing.csv || fail "bands are missing: $(cat cells/packing.csv)"
[ "$(command -v gnuplot)" = "" ] || [ -s cells/couette-cells-packing.png ] || fail "no picture of the packing"
expect_exit 2 scree study couette-cells --runs whole+quicker --windows 0.003,0.006 --quiet --out nowhere
grep -q "to have the same" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree study couette-cells --runs whole --quiet --out nowhere
grep -q "turns by 0.005 rad in .* none of them in the last" stderr.txt || fail "$(cat stderr.txt)"
[ ! -e nowhere ] || fail "a refused study wrote something"
# a cell whose wall is at rest has no such unit; runs without contacts and bad options are refused
scree run "$cell" "${small[@]}" --set 'grains.0.motion=[]' --out still >/dev/null
scree study couette --run still --short dense_short "${fields[@]}" --out study_still --json >couette.json
near wall_speed 0
grep -q "v_t (m/s)" study_still/couette-profiles.gp || fail "the velocity has another unit"
scree run "$short" "${small[@]}" --set start.run=whole --set run.time=1e-3 --set 'output.snapshots={ every = 1e-4 }' --set output.contacts=false --out blind >/dev/null
scree run "$short" "${small[@]}" --set start.run=whole --set run.time=1e-3 --set 'output.snapshots={ every = 1e-4 }' --set grains.1.drag=1.0 --out dragged >/dev/null
expect_exit 2 scree study couette --run whole --short dragged "${fields[@]}" --out no
grep -q "have drag, attachment or push" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree study couette --run whole --short blind "${fields[@]}" --out no
grep -q "the short run has no contacts" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree study couette --run blind --short dense_short "${fields[@]}" --out no
grep -q "the run has no contacts" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree study couette --run whole --short dense_short "${fields[@]/4e-4/0}" --out no
grep -q -- "--spacings: expected numbers > 0" stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree study couette --run nowhere --short dense_short "${fields[@]}" --out no
[ ! -e no ] || fail "bad input left a folder"
echo "shear cell: $hash"
