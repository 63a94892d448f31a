#!/usr/bin/env bash
# Fields from the command line: afterwards and while a run goes on, the same bytes; points, files, and what is refused.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"
small_scene
cat >>small.toml <<'END'
contacts = true
[[fields]]
name = "profile"
coordinates = "y"
counts = [12]
width = 0.01
boundary = "wall"
balance = true
[[fields]]
name = "series"
counts = [6, 5]
kernel = "lucy"
width_in_radii = 4.0
each = 4
derivatives = 2
[[fields]]
name = "smoothed"
coordinates = "y"
counts = [6]
plateau = true
smooth = 0.012
each = 3
formats = ["csv", "h5", "vtk"]
END
mkdir whole part
# HDF5 stamps its root group with the second, in the first hundred bytes; all the rest is to be equal
same() { cmp -i 128 "$1" "$2"; }
run() { (cd "$1" && shift && scree run ../small.toml --out out --quiet --no-pictures --threads 1 "$@" >/dev/null); }
run whole --time 0.1
cp whole/out/profile.h5 whole/live.h5
(cd whole && scree fields out --frames 0: --coordinates y --counts 12 --width 0.01 --boundary wall --balance --out after.h5 >said.txt)
same whole/live.h5 whole/after.h5 || fail "live fields are other bytes than those made afterwards"
(cd whole && scree fields out --frames 0: --coordinates y --counts 12 --width 0.01 --boundary wall --balance --out after.hdf5 >said.txt)
same whole/after.h5 whole/after.hdf5 || fail "the longer ending makes another file"
(cd whole && scree fields out --frames 0: --counts 6,5 --kernel lucy --width-in-radii 4 --each 4 --derivatives 2 --threads 2 --out after.h5 >said.txt)
same whole/out/series.h5 whole/after.h5 || fail "a live series is other bytes than one made afterwards"
grep -q "mean diameters" whole/said.txt && fail "a width that was given is said to be chosen"

# a run in two parts, the averages from the checkpoint: the same bytes
run part --time 0.05
run part --time 0.1 --resume
same whole/live.h5 part/out/profile.h5 || fail "a resumed run has other fields"
same whole/out/series.h5 part/out/series.h5 || fail "a resumed run has another series"
same whole/out/smoothed.h5 part/out/smoothed.h5 || fail "a resumed run has another series smoothed in time"
cmp whole/out/smoothed.csv part/out/smoothed.csv || fail "a resumed run writes another CSV"
cmp whole/out/smoothed.pvd part/out/smoothed.pvd || fail "a resumed run writes another VTK"

# all sets of a file in one go, afterwards: the bytes of the run itself, whatever else the file holds
(cd whole && scree fields out --config ../small.toml --out sets --no-picture --json >sets.json)
for name in profile series smoothed; do same whole/out/$name.h5 whole/sets/$name.h5 || fail "--config makes another $name"; done
cmp whole/out/smoothed.csv whole/sets/smoothed.csv || fail "--config writes another CSV"
[ "$(grep -c '"name":' whole/sets.json)" = 3 ] || fail "$(cat whole/sets.json)"
# by the command line with the width that was found; a kernel in time of 0.012 s about every third frame
width=$(sed -n '/"plateau"/,$p' whole/sets.json | sed -n 's/^ *"width": \([0-9.e-]*\),*$/\1/p' | head -n 1)
(cd whole && scree fields out --frames 0: --coordinates y --counts 6 --width "$width" --smooth 0.012 --each 3 --out after.csv --no-picture >said.txt)
cmp whole/out/smoothed.csv whole/after.csv || fail "smoothing in time by options makes other numbers"

# points, the contract of the columns, threads
printf 'x,y\n0.01,0.01\n0.03,0.02\n5,5\n' >points.csv
scree fields whole/out --points points.csv --kernel gauss --width 0.005 --boundary none --out f.csv --threads 1 >said.txt
scree fields whole/out --points points.csv --kernel gauss --width 0.005 --boundary none --out g.csv --threads 2 --json >fields.json
cmp f.csv g.csv || fail "two threads give other fields"
[ "$(head -n 1 f.csv | cut -d, -f1-8)" = "x,y,volume_density,density,number_density,momentum_x,momentum_y,velocity_x" ] || fail "$(head -n 1 f.csv)"
[ "$(wc -l <f.csv)" -eq 4 ] || fail "f.csv has other rows"
grep -q "^5,5,0,0,0,0,0,nan," f.csv || fail "a point without grains is not masked"
grep -q "1 of 3 points have no grain within reach" said.txt || fail "$(cat said.txt)"
[ "$(value points fields.json)" = 3 ] || fail "$(cat fields.json)"

# points outside a domain and widths beyond it: masked or smeared, and said
scree fields whole/out --points points.csv --width 0.005 --boundary normalised --domain box:0,0,1,1 --out outside.csv >said.txt
grep -q "^5,5,nan,nan,nan,nan,nan,nan," outside.csv || fail "a point outside the domain is not masked"
grep -q "1 of 3 points are outside the domain and masked" said.txt || fail "$(cat said.txt)"
for border in none normalised wall mirror; do
  scree fields whole/out --points points.csv --width 30 --boundary $border --out wide.csv >said.txt
  grep -q "fields are smeared over the whole domain" said.txt || fail "a width of 30 m: $(cat said.txt)"
  grep -q "inf" wide.csv && fail "a width of 30 m divides by zero"
  awk -F, 'NR == 2 && !($3 > 0) { exit 1 }' wide.csv || fail "a width of 30 m has no density"
done

# everything left out, pictures and VTK
scree fields whole/out --vtk --out maps/map.h5 >said.txt
[ -s maps/map.h5 ] && [ -s maps/map.vti ] || fail "no files"
[ -s maps/map.png ] || [ "$(command -v gnuplot)" = "" ] || fail "no picture"
grep -q "reaches over two mean diameters" said.txt || fail "$(cat said.txt)"
scree fields whole/out --coordinates r-theta --counts 4,8 --centre 0.03,0.01 --out maps/polar.vtk >said.txt
[ -s maps/polar.vts ] || fail "no polar grid"
scree fields whole/out --plateau --coordinates y --no-picture --out maps/y.csv --json >plateau.json
[ "$(value found plateau.json)" = true ] || fail "no plateau: $(cat plateau.json)"
compgen -G 'maps/y*.png' >/dev/null && fail "--no-picture draws"

# a series whose last table has one frame: as many cells in every row as names in the first
scree fields whole/out --frames 0:4 --each 2 --coordinates y --counts 3 --width 0.01 --no-picture --out ragged.csv >said.txt
awk -F, 'NR == 1 { n = NF; for (k = 1; k <= NF; ++k) if ($k == "density_variance") c = k }
         NF != n { print "row " NR " has " NF " of " n " cells"; exit 1 }
         END { if (!c || $c != "nan" || NR != 10) { print "rows", NR, "variance", $c; exit 1 } }' ragged.csv || fail "ragged.csv"

# the mean over everything holds the mass: 150 beads
scree fields whole/out --coordinates 0 --domain box:0,0,1,1 --out mean.csv >said.txt
scree export whole/out --csv --frames -1 --out csv >/dev/null
awk -F, 'FNR == NR { if (FNR > 1) m += 1300 * 4 / 3 * 3.14159265358979 * $9 ^ 3; next }
         FNR == 1 { for (k = 1; k <= NF; ++k) if ($k == "density") c = k }
         FNR == 2 { if (($c - m) ^ 2 > 1e-20 * m * m) { print "mass", $c, m; exit 1 } }' csv/grains.csv mean.csv || fail "the mean has another mass"

# without contacts in the file
scree run small.toml --set output.contacts=false --time 0.01 --out bare --quiet --no-pictures >/dev/null
scree fields bare --out bare.csv >said.txt
grep -q "no contacts" said.txt || fail "missing contacts are not said"
[ -s bare/profile.h5 ] || fail "live fields need no contacts in the file"

# drag, attachments, pushes and gravity in the balance: one step of symplectic Euler adds dt times the momentum rate, exactly
scree run small.toml --set grains.0.drag=2.0 --set grains.0.attachment=30.0 --set 'grains.0.push=[{ force = [0.01, 0.0], force_amplitude = [0.0, 0.02], frequency = 40.0 }]' \
  --set run.integrator=symplectic-euler --set run.dt=1e-5 --set 'output.snapshots={ steps = 1 }' --time 1e-3 --out forced --quiet --no-pictures >said.txt 2>&1
scree fields forced --frames -20: --each 1 --coordinates 0 --domain box:0,0,1,1 --balance --no-picture --out forced.csv >said.txt
grep -q "warning: the run has" said.txt && fail "forces that are known are warned of: $(cat said.txt)"
awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) c[$k] = k; next }
         { for (a = 0; a < 2; ++a) { x = a ? "y" : "x"; p = $c["momentum_" x]
             if (NR > 2) { d = (p - before[a]) / 1e-5; if ((d - rate[a]) ^ 2 > 1e-16 * rate[a] ^ 2) { print "row", NR, x, d, rate[a]; exit 1 } n++ }
             if ($c["body_force_" x] == 0) { print "no body force"; exit 1 }
             before[a] = p; rate[a] = $c["momentum_rate_" x] } }
         END { if (n < 30) { print n + 0, "rows"; exit 1 } }' forced.csv || fail "the momentum rate is not the change of momentum"

# attached grains that were removed before a run was resumed: frames from before still know where they were attached
cp small.toml leaving.toml
printf '[[remove]]\nname = "edge"\nbox = [[0.04, 0.0], [0.1, 1.0]]\nfrom = 0.01\n' >>leaving.toml
leave() { scree run leaving.toml --set grains.0.attachment=30.0 --set 'fields=[]' --out leaving --quiet --no-pictures "$@" >said.txt 2>&1; }
leave --time 0.02
leave --time 0.03 --resume
first=$(scree export leaving --csv --frames 0 --out leaving/first >/dev/null && wc -l <leaving/first/grains.csv)
last=$(scree export leaving --csv --frames -1 --out leaving/last >/dev/null && wc -l <leaving/last/grains.csv)
[ "$last" -lt "$first" ] || fail "no grain left: $last of $first"
scree fields leaving --frames 0 --coordinates 0 --domain box:0,0,1,1 --balance --no-picture --out leaving.csv >said.txt

# what is refused, and leaves nothing
refused() {
  local pattern=$1
  shift
  expect_exit 2 scree fields "$@"
  grep -q -- "$pattern" stderr.txt || fail "expected '$pattern', found: $(cat stderr.txt)"
}
refused 'did you mean "lucy"' whole/out --kernel lucie --out bad.csv
refused 'did you mean "normalised"' whole/out --boundary normalized --out bad.csv
refused 'expected one of 0, x, y, xy, r, r-theta' whole/out --coordinates yz --out bad.csv
refused 'there is no species "glass"' whole/out --species glass --out bad.csv
refused 'needs fields over x and y' whole/out --coordinates y --boundary normalised --domain disc:0,0,1 --out bad.csv
refused 'heaviside has none' whole/out --kernel heaviside --balance --out bad.csv
refused 'not those of normalised fields' whole/out --boundary normalised --balance --out bad.csv
refused 'derivatives of order 4 need 5 points along y, found 4' whole/out --counts 6,4 --derivatives 4 --out bad.csv
printf '[scene]\nname = "x"\n' >small_without.toml
refused 'ends in .h5 (or .hdf5), .csv or .vtk' whole/out --out bad.txt
refused 'VTK takes grids' whole/out --coordinates r --out bad.vtk
refused 'VTK takes grids' whole/out --coordinates r --vtk --out bad.h5
refused 'excludes' whole/out --config small.toml --width 0.01 --out bad
refused 'small_without.toml has no \[\[fields\]\]' whole/out --config small_without.toml --out bad
printf '[[fields]]\nwith = 3\n' >small_without.toml
refused 'small_without.toml:2' whole/out --config small_without.toml --out bad
printf '[[fields]]\nname = "late"\nfrom = 99.0\nwidth = 0.01\n' >small_without.toml
refused 'no frame of the run is due for the fields "late"' whole/out --config small_without.toml --out bad
refused 'is the run itself' whole/out --out whole/out/../out/run.h5
refused 'cannot read the points' whole/out --points none.csv --out bad.csv
refused 'points have no neighbours' whole/out --points points.csv --derivatives 2 --out bad.csv
printf 'x,y\n0.01,oops\n' >points.csv
refused 'points.csv:2: expected a number for y, found "oops"' whole/out --points points.csv --out bad.csv
refused 'expected limits that grow' whole/out --coordinates x --min 1 --max 0 --out bad.csv
[ ! -e bad.csv ] && [ ! -e bad.h5 ] && [ ! -e bad ] || fail "bad input left a file"
expect_exit 2 scree run small.toml --set fields.0.kernel=lucie --out other --quiet
grep -q 'fields.0.kernel: expected a kernel.*did you mean "lucy"' stderr.txt || grep -q 'did you mean "lucy"' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run small.toml --set fields.0.species='["sand"]' --out other --quiet
grep -q 'there is no "sand"' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree run small.toml --set fields.1.name=profile --out other --quiet
for name in run states energies; do
  expect_exit 2 scree run small.toml --set fields.1.name=$name --out other --quiet
  grep -q 'the name of a file of its own' stderr.txt || fail "$(cat stderr.txt)"
done
# what only the whole of a block says is found when the scene is read, by check too
refused_block() {
  local pattern=$1
  shift
  expect_exit 2 scree run small.toml "$@" --out other --quiet
  grep -q -- "$pattern" stderr.txt || fail "expected '$pattern', found: $(cat stderr.txt)"
  expect_exit 2 scree check small.toml "$@"
  grep -q -- "$pattern" stderr.txt || fail "check: expected '$pattern', found: $(cat stderr.txt)"
}
refused_block 'derivatives of order 6 need 7 points along x, found 6' --set fields.1.derivatives=6
refused_block 'points have no neighbours' --set fields.1.points='[[0.01, 0.01]]'
refused_block 'want 1 counts, found 2' --set fields.0.counts='[3, 4]'
refused_block 'heaviside has none' --set fields.0.kernel=heaviside
refused_block 'not those of normalised fields' --set fields.0.boundary=normalised
refused_block 'mirrored at a box or a half-plane' --set fields.1.boundary=mirror --set fields.1.domain=disc:0,0,1
refused_block 'expected one of h5, hdf5, csv, vtk' --set 'fields.1.formats=["vtu"]'
refused_block 'VTK takes grids' --set 'fields.1.formats=["vtk"]' --set fields.1.coordinates=r --set 'fields.1.counts=[6]'
refused_block 'given beside a width' --set fields.0.plateau=true
refused_block 'given twice' --set fields.0.width_in_radii=2
refused_block 'expected limits that grow' --set fields.0.min='[1.0]' --set fields.0.max='[0.5]'
[ ! -e other ] || fail "bad input left a folder"
echo "fields"
