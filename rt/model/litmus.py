"""Litmus tests for weak.py: programs whose outcomes under RC11 are published, with each order of the accesses.

Sources: Lahav et al., PLDI 2017 (RC11, its treatment of SC accesses and fences; Z6.U); Alglave, Maranget,
Tautschnig, Herding Cats, TOPLAS 2014 (names and shapes); Batty et al., POPL 2011 (C11). LB is where RC11 differs
from C11 as published: it forbids the outcome, which ARMv8 and POWER show for relaxed accesses.
"""

# name: (text with {w} and {r} for the orders of the accesses that matter, {f} for a fence; what is asked; {orders:
# allowed})
SHAPES = {
    "SB": (
        """place X=0 Y=0
thread a
store {w} X 1
{f}
r = load {r} Y
thread b
store {w} Y 1
{f}
r = load {r} X""",
        "a.r == 0 && b.r == 0",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "acq", ""): True,
            ("sc", "sc", ""): False,
            ("rlx", "rlx", "fence sc"): False,
            ("rlx", "rlx", "fence ar"): True,
            ("rlx", "sc", ""): True,
            ("sc", "acq", ""): True,
            ("rel", "sc", ""): True,
        },
    ),
    "SB+one-fence": (
        """place X=0 Y=0
thread a
store {w} X 1
fence sc
r = load {r} Y
thread b
store {w} Y 1
{f}
r = load {r} X""",
        "a.r == 0 && b.r == 0",
        {
            ("rlx", "rlx", ""): True,
            ("sc", "sc", ""): False,
            ("rel", "acq", ""): True,
            ("rlx", "rlx", "fence sc"): False,
        },
    ),
    "SB+heavy": (
        """place X=0 Y=0
thread a
store {w} X 1
heavy
r = load {r} Y
thread b
store {w} Y 1
{f}
r = load {r} X""",
        "a.r == 0 && b.r == 0",
        {("rlx", "rlx", ""): False, ("rel", "acq", ""): False},
    ),
    "MP": (
        """place X=0 Y=0
thread a
store rlx X 1
{f}
store {w} Y 1
thread b
r = load {r} Y
s = load rlx X""",
        "b.r == 1 && b.s == 0",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "acq", ""): False,
            ("rel", "rlx", ""): True,
            ("rlx", "acq", ""): True,
            ("sc", "sc", ""): False,
            ("rlx", "acq", "fence rel"): False,
            ("rlx", "rlx", "fence rel"): True,
            ("rlx", "acq", "fence acq"): True,
        },
    ),
    "MP+fences": (
        """place X=0 Y=0
thread a
store rlx X 1
{f}
store {w} Y 1
thread b
r = load {r} Y
fence acq
s = load rlx X""",
        "b.r == 1 && b.s == 0",
        {
            ("rlx", "rlx", "fence rel"): False,
            ("rlx", "rlx", "fence sc"): False,
            ("rel", "rlx", ""): False,
            ("rlx", "rlx", ""): True,
        },
    ),
    "MP+update": (
        """place X=0 Y=0
thread a
store rlx X 1
store {w} Y 1
thread c
u = cas rlx Y 1 2
thread b
r = load {r} Y
s = load rlx X""",
        "b.r == 2 && b.s == 0",
        {("rel", "acq", ""): False, ("rlx", "acq", ""): True, ("rel", "rlx", ""): True},
    ),
    "MP+overwrite": (
        """place X=0 Y=0
thread a
store rlx X 1
store {w} Y 1
store rlx Y 2
thread b
r = load {r} Y
s = load rlx X""",
        "b.r == 2 && b.s == 0",
        {("rel", "acq", ""): True},
    ),  # C++20's release sequence; C11's forbids it
    "LB": (
        """place X=0 Y=0
thread a
r = load {r} X
store {w} Y 1
thread b
r = load {r} Y
store {w} X 1""",
        "a.r == 1 && b.r == 1",
        {("rlx", "rlx", ""): False, ("rel", "acq", ""): False, ("sc", "sc", ""): False},
    ),
    "IRIW": (
        """place X=0 Y=0
thread a
store {w} X 1
thread b
store {w} Y 1
thread c
r = load {r} X
{f}
s = load {r} Y
thread d
r = load {r} Y
{f}
s = load {r} X""",
        "c.r == 1 && c.s == 0 && d.r == 1 && d.s == 0",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "acq", ""): True,
            ("sc", "sc", ""): False,
            ("rlx", "rlx", "fence sc"): False,
            ("sc", "acq", ""): True,
            ("rel", "sc", ""): True,
        },
    ),
    "2+2W": (
        """place X=0 Y=0
thread a
store {w} X 1
{f}
store {r} Y 2
thread b
store {w} Y 1
{f}
store {r} X 2""",
        "X == 1 && Y == 1",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "rel", ""): True,
            ("sc", "sc", ""): False,
            ("rlx", "rlx", "fence sc"): False,
        },
    ),
    "WRC": (
        """place X=0 Y=0
thread a
store {w} X 1
thread b
r = load {r} X
store {w} Y 1
thread c
r = load {r} Y
s = load {r} X""",
        "b.r == 1 && c.r == 1 && c.s == 0",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "acq", ""): False,
            ("sc", "sc", ""): False,
            ("rlx", "acq", ""): True,
            ("rel", "rlx", ""): True,
        },
    ),
    "ISA2": (
        """place X=0 Y=0 Z=0
thread a
store rlx X 1
store {w} Y 1
thread b
r = load {r} Y
store {w} Z 1
thread c
r = load {r} Z
s = load rlx X""",
        "b.r == 1 && c.r == 1 && c.s == 0",
        {("rlx", "rlx", ""): True, ("rel", "acq", ""): False, ("sc", "sc", ""): False, ("rel", "rlx", ""): True},
    ),
    "R": (
        """place X=0 Y=0
thread a
store {w} X 1
{f}
store {w} Y 1
thread b
store {w} Y 2
{f}
r = load {r} X""",
        "Y == 2 && b.r == 0",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "acq", ""): True,
            ("sc", "sc", ""): False,
            ("rlx", "rlx", "fence sc"): False,
        },
    ),
    "S": (
        """place X=0 Y=0
thread a
store rlx X 2
store {w} Y 1
thread b
r = load {r} Y
store rlx X 1""",
        "b.r == 1 && X == 2",
        {("rlx", "rlx", ""): True, ("rel", "acq", ""): False},
    ),
    "RWC": (
        """place X=0 Y=0
thread a
store {w} X 1
thread b
r = load {r} X
{f}
s = load {r} Y
thread c
store {w} Y 1
{f}
r = load {r} X""",
        "b.r == 1 && b.s == 0 && c.r == 0",
        {
            ("rlx", "rlx", ""): True,
            ("rel", "acq", ""): True,
            ("sc", "sc", ""): False,
            ("rlx", "rlx", "fence sc"): False,
        },
    ),
    "CoRR": (
        """place X=0
thread a
store {w} X 1
thread b
r = load {r} X
s = load {r} X""",
        "b.r == 1 && b.s == 0",
        {("rlx", "rlx", ""): False, ("rel", "acq", ""): False, ("sc", "sc", ""): False},
    ),
    "CoRR2": (
        """place X=0
thread a
store {w} X 1
thread b
store {w} X 2
thread c
r = load {r} X
s = load {r} X
thread d
r = load {r} X
s = load {r} X""",
        "c.r == 1 && c.s == 2 && d.r == 2 && d.s == 1",
        {("rlx", "rlx", ""): False, ("rel", "acq", ""): False},
    ),
    "CoWR": (
        """place X=0
thread a
store {w} X 1
r = load {r} X
thread b
store {w} X 2""",
        "a.r == 0",
        {("rlx", "rlx", ""): False, ("rel", "acq", ""): False},
    ),
    "CoRW": (
        """place X=0
thread a
r = load {r} X
store {w} X 1
thread b
store {w} X 2""",
        "a.r == 1",
        {("rlx", "rlx", ""): False},
    ),
    "CoWW": (
        """place X=0
thread a
store {w} X 1
store {w} X 2""",
        "X == 1",
        {("rlx", "rlx", ""): False},
    ),
    "updates": (
        """place X=0
thread a
r = add {w} X 1
thread b
r = add {w} X 1""",
        "X != 2 || a.r == b.r",
        {("rlx", "rlx", ""): False},
    ),
    "SB+updates": (
        """place X=0 Y=0
thread a
x = xchg {w} X 1
r = load {r} Y
thread b
x = xchg {w} Y 1
r = load {r} X""",
        "a.r == 0 && b.r == 0",
        {("ar", "acq", ""): True, ("sc", "sc", ""): False, ("sc", "acq", ""): True},
    ),
    "Z6.U": (
        """place X=0 Y=0
thread a
store sc X 1
store {w} Y 1
thread b
r = add sc Y 1
s = load {r} Y
thread c
store sc Y 3
r = load sc X""",
        "b.r == 1 && b.s == 3 && c.r == 0",
        {("rel", "rlx", ""): True, ("sc", "sc", ""): False},
    ),
}

CASES = [
    (name, orders, shape, question, allowed)
    for name, (shape, question, table) in SHAPES.items()
    for orders, allowed in table.items()
]


def text(shape, orders, question, allowed):
    write, read, fence = orders
    return shape.format(w=write, r=read, f=fence) + "\nexists %s %s\n" % (
        question,
        "allowed" if allowed else "forbidden",
    )
