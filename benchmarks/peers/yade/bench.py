# SPDX-License-Identifier: BSD-3-Clause
# W1, W2, W3 for YADE. Run as:  yade -n -x -j THREADS bench.py   with settings in the environment:
#   W=w1|w2|w3  STATE=w1_8000.dump  STEPS=500  WARM=100  VERLET=-0.2 (x r_min; >0: metres)  TIMING=0|1  OUT=file (dump of the end)
#   EVERY=100  LOOKS=0 (then so many more dumps go to OUT.looks)
from yade import *
import json
import math
import os
import sys
import time

T0 = time.time()
W = os.environ.get("W", "w1")
STATE = os.environ.get("STATE", "w1_8000.dump")
EVERY, LOOKS = int(os.environ.get("EVERY", 100)), int(os.environ.get("LOOKS", 0))
STEPS = int(os.environ.get("STEPS", "500"))
WARM = int(os.environ.get("WARM", "100"))
VERLET = float(os.environ.get("VERLET", "-0.2"))
TIMING = os.environ.get("TIMING", "0") == "1"
OUT = os.environ.get("OUT", "")
DT = 5e-6
MU = math.atan(0.5)


def read_state(path):
    with open(path) as f:
        for _ in range(5):
            f.readline()
        box = [tuple(map(float, f.readline().split()[:2])) for _ in range(3)]
        f.readline()
        return box, [list(map(float, line.split())) for line in f]


box, rows = read_state(STATE)
lin = W == "w2"
if lin:
    # per body values; YADE combines two equal bodies to k = k_body / 2 and c = c_body / 2 (springs in series),
    # and cn is given in kg/s here: m_eff * 4409 1/s with the mean grain mass
    meff = 0.5 * 4.0 / 3.0 * math.pi * 1e-9 * 2500.0
    mat = ViscElMat(density=2500, kn=4000.0, ks=4000.0 * 2 / 7, cn=2 * meff * 4409.0, cs=2 * meff * 2204.5, frictionAngle=MU)
else:
    mat = FrictMat(young=5e7, poisson=0.3, density=2500, frictionAngle=MU)
O.materials.append(mat)

shift = Vector3(0, 0, 0)
if W == "w3":
    shift = Vector3(0, 0, 0)
else:
    shift = Vector3(0, 0, 5e-3)  # room below the floor; the cell is periodic in z too but never wraps there
    O.periodic = True
    O.cell.setBox(box[0][1], box[1][1], max(r[4] for r in rows) + 25e-3)

for r in rows:
    b = sphere(Vector3(r[2], r[3], r[4]) + shift, r[5], material=mat, fixed=(r[1] == 2))
    if r[1] == 2:
        b.mask = 3  # meets the mobile grains (mask 1), not its own kind (avoidSelfInteractionMask)
    else:
        b.state.vel = Vector3(*r[6:9])
        b.state.angVel = Vector3(*r[9:12])
        if W == "w3":
            b.state.blockedDOFs = "zXY"
    O.bodies.append(b)
if W == "w1":
    # A Wall has infinite bounds and the periodic collider never returns from its first re-sort with one; a box
    # as wide as the cell loses most of its contacts. A box 1 mm (half a grain) narrower than the cell works.
    bx, by = 0.5 * box[0][1], 0.5 * box[1][1]
    O.bodies.append(utils.box((bx, by, shift[2] - 1e-3), (bx - 0.5e-3, by - 0.5e-3, 1e-3), fixed=True, material=mat))
if W == "w3":
    O.bodies.append(wall(Vector3(0, 0, 0), axis=0, sense=1, material=mat))

if lin:
    ip, law = Ip2_ViscElMat_ViscElMat_ViscElPhys(), Law2_ScGeom_ViscElPhys_Basic()
    a = math.radians(25)
    grav = (9.81 * math.sin(a), 0, -9.81 * math.cos(a))
else:
    # betan: c_n = 2 betan sqrt(m_eff k_tangent); 0.10298 restitutes 0.7 (contact ends at zero overlap)
    ip, law = Ip2_FrictMat_FrictMat_MindlinPhys(betan=0.10298, betas=0.10298), Law2_ScGeom_MindlinPhys_Mindlin()
    grav = (0, -9.81, 0) if W == "w3" else (0, 0, -9.81)

collider = InsertionSortCollider(
    [Bo1_Sphere_Aabb(), Bo1_Wall_Aabb(), Bo1_Box_Aabb()], verletDist=VERLET, allowBiggerThanPeriod=True, avoidSelfInteractionMask=2)
O.engines = [
    ForceResetter(),
    collider,
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom(), Ig2_Box_Sphere_ScGeom()], [ip], [law]),
    NewtonIntegrator(gravity=grav, damping=0),
]
O.dt = DT
O.trackEnergy = False
T1 = time.time()
O.run(WARM, True)
T2 = time.time()
O.timingEnabled = TIMING
n0 = collider.numAction
O.run(STEPS, True)
wall_s = time.time() - T2
n1 = collider.numAction

mobile = [b for b in O.bodies if isinstance(b.shape, Sphere) and b.mask == 1]
nreal = sum(1 for i in O.interactions if i.isReal)
cnt = {}
for i in O.interactions:
    if i.isReal and isinstance(O.bodies[i.id1].shape, Sphere) and isinstance(O.bodies[i.id2].shape, Sphere):
        cnt[i.id1] = cnt.get(i.id1, 0) + 1
        cnt[i.id2] = cnt.get(i.id2, 0) + 1
z = sum(cnt.get(b.id, 0) for b in mobile) / len(mobile)
rss = {k.strip(): v.split()[0] for k, v in (s.split(":", 1) for s in open("/proc/self/status") if s.startswith("Vm"))}
res = dict(code="yade", w=W, n=len(rows), mobile=len(mobile), steps=STEPS, warm=WARM, wall=wall_s, psps=len(rows) * STEPS / wall_s,
           coordination=z, rebuilds=n1 - n0, verlet=VERLET, interactions=len(O.interactions), real=nreal,
           setup_s=T1 - T0, warm_s=T2 - T1, rss_kb=int(rss["VmRSS"]), hwm_kb=int(rss["VmHWM"]), threads=O.numThreads,
           ke=utils.kineticEnergy(), zmax=max(b.state.pos[2] for b in mobile))
print("RESULT " + json.dumps(res))
if TIMING:
    from yade import timing
    timing.stats()
def write(name, mode):
    with open(name, mode) as f:
        f.write("ITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS %s\n" % (
            O.iter, len(rows), "ff ff pp" if W == "w3" else "pp pp ff"))
        for lo, hi in box:
            f.write("%.17g %.17g\n" % (lo, hi))
        f.write("ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz\n")
        for r, b in zip(rows, (b for b in O.bodies if isinstance(b.shape, Sphere))):
            p = O.cell.wrap(b.state.pos) - shift if O.periodic else b.state.pos
            f.write("%d %d " % (r[0], r[1]) + " ".join("%.17g" % c for c in (*p, r[5], *b.state.vel, *b.state.angVel)) + "\n")


if OUT:
    write(OUT, "w")
    for _ in range(LOOKS):
        O.run(EVERY - O.iter % EVERY, True)
        write(OUT + ".looks", "a")
