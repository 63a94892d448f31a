#!/usr/bin/env bash
# A run that starts from a frame of another: springs of another nature and grains of another outline are refused.
. "$SCREE_SOURCE_DIR/tests/cli/common.inc"

cat >block.toml <<'END'
[scene]
name = "block"
dim = 2

[domain]
gravity = [1.0, -9.81]

[material.stone]
density = 2500.0
body = "disc"
height = 1.0

[[grains]]
build = "points"
material = "stone"
positions = [[0.0, 0.01]]
radii = [0.01]
shape = { kind = "polygon", sides = 4 }

[[walls]]
kind = "plane"
point = [0.0, 0.0]
normal = [0.0, 1.0]

[contact]
normal = { law = "overlap-area", Y = 1e6, gamma = 0.5 }
tangential = { law = "cundall-strack", k_t = 1e5, mu = 0.5 }

[run]
integrator = "leapfrog"
dt = 1e-5
time = 0.002

[output]
snapshots = { every = 1e-3 }
contacts = true
END
common=(run block.toml --quiet --no-pictures --threads 1)
constraint=(--set 'contact.tangential={ law = "constraint", mu = 0.5 }')
scree "${common[@]}" --out sprung >/dev/null || fail "no first run"
scree "${common[@]}" "${constraint[@]}" --out solved >/dev/null || fail "no second run"

expect_exit 0 scree "${common[@]}" --out on --set start.run=sprung
expect_exit 0 scree "${common[@]}" --out on2 "${constraint[@]}" --set start.run=solved
expect_exit 2 scree "${common[@]}" --out other "${constraint[@]}" --set start.run=sprung
grep -q 'sprung was run without the tangential law "constraint"' stderr.txt || fail "$(cat stderr.txt)"
expect_exit 2 scree "${common[@]}" --out other --set start.run=solved
grep -q 'solved was run with the tangential law "constraint"' stderr.txt || fail "$(cat stderr.txt)"
# without friction nobody looks at what the contacts remember
expect_exit 0 scree "${common[@]}" --out smooth --set 'contact.tangential={ law = "none" }' --set start.run=solved

expect_exit 2 scree "${common[@]}" --out other --set grains.0.shape.sides=6 --set start.run=sprung
grep -q "grain 0 has another outline in sprung" stderr.txt || fail "$(cat stderr.txt)"
[ ! -e other ] || fail "bad input left a folder"

# A grain that could turn there and cannot here begins without spin; one that has always turned on keeps it.
spin() { # RUN FRAME: of the grain
  scree export "$1" --csv --frames "$2" --out "$1-csv" >/dev/null || fail "no CSV of $1"
  awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "w") column = k } NR == 2 { print $column + 0 }' "$1-csv/grains.csv"
}
[ "$(spin sprung -1)" != 0 ] || fail "the block of the first run does not turn"
expect_exit 0 scree "${common[@]}" --out frozen --set grains.0.rotate=false --set start.run=sprung
[ "$(spin frozen 0)" = 0 ] || fail "a grain that cannot turn begins with a spin of $(spin frozen 0)"
[ "$(spin frozen -1)" = 0 ] || fail "a grain that cannot turn has turned"
[ "$(spin on 0)" = "$(spin sprung -1)" ] || fail "the spin of $(spin sprung -1) became $(spin on 0)"
