#!/usr/bin/env bash
# Every verb, as a user meets it.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
small_scene

for verb in run check new list info compare export discover bench; do
  says "Example:" scree $verb --help || fail "$verb --help has no example"
done
says "scree" scree --version || fail "no version"
expect_exit 2 scree
expect_exit 2 scree rnu small.toml
expect_exit 2 scree run

says "column-collapse" scree list || fail "list does not name the scenes"
says '"damped-verlet"' scree list --json || fail "list --json does not name the integrators"
says drum.toml scree new drum || fail "new says nothing"
expect_exit 2 scree new drum
expect_exit 2 scree new drumm other.toml
grep -q '"drum"' stderr.txt || fail "new does not suggest the nearest name"
for name in binary-collision oblique-collision column-collapse box-of-spheres drum pyramid; do
  scree new $name x.toml --force >/dev/null
  scree check x.toml >check.txt || fail "the template $name does not check"
  grep -q "contact time" check.txt || fail "check of $name says nothing about the step"
  ! grep -q "warning.*larger than" check.txt || fail "the template $name has too large a step"
done
says '"recommended"' scree check small.toml --json || fail "check --json has no recommended step"

# the advisor: an error ten times smaller takes more calls; of many grains the cheapest fixed step is named, too
scree check small.toml --error 1e-6 >fine.txt
grep -q "for an error of 1e-06 of the speed" fine.txt || fail "check --error is not heard: $(cat fine.txt)"
grep -q "damped-verlet (yours) .* force calls a contact" fine.txt || fail "no advice on the scene's own scheme"
grep -q "(cheapest) *tolerance" fine.txt && grep -q "(cheapest fixed step) *dt = " fine.txt || fail "no fixed step: $(cat fine.txt)"
! says "(cheapest fixed step)" scree check "$(scene binary-collision)" --error 1e-6 || fail "two grains are not many"
calls() { scree check small.toml --error "$1" --json | awk '/"calls"/ { c = $2 + 0 } /"integrator": "damped-verlet"/ { print c; exit }'; }
awk -v a="$(calls 1e-4)" -v b="$(calls 1e-5)" 'BEGIN { exit !(a > 0 && b > a) }' || fail "a smaller error costs no more"
[ -n "$(value cheapest_fixed <(scree check small.toml --json))" ] || fail "check --json has no cheapest_fixed"
expect_exit 2 scree check small.toml --error 2

scree run small.toml --out a --quiet --set output.contacts=true --time 0.05 >a.txt
grep -q "a/run.h5" a.txt || fail "run does not say where the results are"
for file in run.h5 summary.json log.txt checkpoint.h5; do [ -s a/$file ] || fail "no a/$file"; done
scree run small.toml --out b --quiet --time 0.05 --set run.dt=5e-6 --json >b.json
for key in scene grains walls dim real integrator dt steps time contacts coordination max_overlap wall_s \
  grain_steps_per_s rebuilds threads state_hash out; do
  [ -n "$(value $key b.json)" ] || fail "the summary has no $key"
done
for key in kinetic rotational potential elastic dissipated work balance_error; do
  [ -n "$(value $key b.json)" ] || fail "the energies have no $key"
done

# what is counted (docs/integrators.md): two calls a step of damped-verlet and some at the start, six and five of an
# accepted and a rejected step of rkf45n, iterations of gauss4; in summary.json as with --json
[ "$(value accepted b.json)" -eq "$(value steps b.json)" ] && [ "$(value steps b.json)" -eq 10000 ] || fail "accepted steps: $(value accepted b.json)"
[ "$(value rejected b.json)$(value iterations b.json)" = 00 ] || fail "damped-verlet rejects or iterates"
[ $(($(value force_calls b.json) - 20000)) -ge 0 ] && [ $(($(value force_calls b.json) - 20000)) -lt 10 ] || fail "force calls: $(value force_calls b.json)"
scree run small.toml --out n --quiet --time 0.02 --set run.integrator=rkf45n --set run.tolerance=1e-8 --set run.h_min=1e-10 >/dev/null
n=n/summary.json
[ "$(value accepted $n)" -gt "$(value steps $n)" ] && [ "$(value rejected $n)" -gt 0 ] || fail "rkf45n: $(cat $n)"
[ "$(value force_calls $n)" -eq $((6 * $(value accepted $n) + 5 * $(value rejected $n))) ] || fail "calls of rkf45n: $(cat $n)"
scree run small.toml --out g --quiet --time 0.002 --set run.integrator=gauss4 >/dev/null
[ "$(value iterations g/summary.json)" -ge "$(value steps g/summary.json)" ] || fail "gauss4 does not iterate: $(cat g/summary.json)"

scree compare a b >compare.txt
[ "$(wc -l <compare.txt)" -eq 12 ] || fail "compare has $(wc -l <compare.txt) lines, not 11 common times"
awk 'NR == 2 && $2 != 0 { exit 1 }' compare.txt || fail "the runs differ at t = 0"
says '"distance"' scree compare a b --json || fail "compare --json"
expect_exit 2 scree compare a nowhere

scree export a --csv --vtk --lammps --out x >/dev/null
head -1 x/grains.csv | grep -qx "frame,time,id,x,y,vx,vy,w,radius" || fail "grains.csv: $(head -1 x/grains.csv)"
head -1 x/contacts.csv | grep -qx "frame,time,id1,id2,overlap,fx,fy" || fail "contacts.csv: $(head -1 x/contacts.csv)"
[ "$(wc -l <x/grains.csv)" -eq 1651 ] || fail "grains.csv has $(wc -l <x/grains.csv) lines"
[ -s x/grains.pvd ] && [ -s x/energies.csv ] || fail "exports are missing"
grep -q "ITEM: ATOMS id type x y z radius" x/run.lammpstrj || fail "LAMMPS dump"
scree info a --scene >scene.txt
grep -q "cundall-strack" scene.txt || fail "info --scene"

# a step too large ends the run with the grain, the step and the time, and the last good state saved
expect_exit 2 scree run small.toml --out c --set run.dt=1e-2
[ ! -e c ] || fail "bad input left something behind"
expect_exit 1 scree run small.toml --out c --quiet --set run.max_overlap=1e-3 --set grains.0.velocity='[0.0, -3.0]'
grep -q "grain .*step .*t = .*last good state" stderr.txt || fail "fault message: $(cat stderr.txt)"
[ -e c/checkpoint.h5 ] || fail "the last good state was not saved"
echo ok
