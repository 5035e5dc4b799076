"""Litmus tests for weak.py: programs whose outcomes under RC11 are published, with each order of the accesses.

Sources: Lahav et al., PLDI 2017 (RC11, its treatment of SC accesses and fences; Z6.U); Alglave, Maranget,
Tautschnig, Herding Cats, TOPLAS 2014 (names and shapes); Batty et al., POPL 2011 (C11). LB is where RC11 differs
from C11 as published: it forbids the outcome, which ARMv8 and POWER show for relaxed accesses.

A shape has its places, a line for each thread, what is asked, and for which orders an execution may end so: {w} and {r}
are the orders of the accesses that matter, {f} for a fence or nothing. After # is a remark.
"""

import re

SHAPES_TEXT = """
SB: X=0 Y=0
  a: store {w} X 1; {f}; r = load {r} Y
  b: store {w} Y 1; {f}; r = load {r} X
  exists a.r == 0 && b.r == 0
  allowed: rlx rlx, rel acq, rlx rlx fence ar, rlx sc, sc acq, rel sc
  forbidden: sc sc, rlx rlx fence sc

SB+one-fence: X=0 Y=0
  a: store {w} X 1; fence sc; r = load {r} Y
  b: store {w} Y 1; {f}; r = load {r} X
  exists a.r == 0 && b.r == 0
  allowed: rlx rlx, rel acq
  forbidden: sc sc, rlx rlx fence sc

SB+heavy: X=0 Y=0
  a: store {w} X 1; heavy; r = load {r} Y
  b: store {w} Y 1; {f}; r = load {r} X
  exists a.r == 0 && b.r == 0
  forbidden: rlx rlx, rel acq

MP: X=0 Y=0
  a: store rlx X 1; {f}; store {w} Y 1
  b: r = load {r} Y; s = load rlx X
  exists b.r == 1 && b.s == 0
  allowed: rlx rlx, rel rlx, rlx acq, rlx rlx fence rel, rlx acq fence acq
  forbidden: rel acq, sc sc, rlx acq fence rel

MP+fences: X=0 Y=0
  a: store rlx X 1; {f}; store {w} Y 1
  b: r = load {r} Y; fence acq; s = load rlx X
  exists b.r == 1 && b.s == 0
  allowed: rlx rlx
  forbidden: rlx rlx fence rel, rlx rlx fence sc, rel rlx

MP+update: X=0 Y=0
  a: store rlx X 1; store {w} Y 1
  c: u = cas rlx Y 1 2
  b: r = load {r} Y; s = load rlx X
  exists b.r == 2 && b.s == 0
  allowed: rlx acq, rel rlx
  forbidden: rel acq

MP+overwrite: X=0 Y=0     # C++20's release sequence; C11's forbids it
  a: store rlx X 1; store {w} Y 1; store rlx Y 2
  b: r = load {r} Y; s = load rlx X
  exists b.r == 2 && b.s == 0
  allowed: rel acq

LB: X=0 Y=0
  a: r = load {r} X; store {w} Y 1
  b: r = load {r} Y; store {w} X 1
  exists a.r == 1 && b.r == 1
  forbidden: rlx rlx, rel acq, sc sc

IRIW: X=0 Y=0
  a: store {w} X 1
  b: store {w} Y 1
  c: r = load {r} X; {f}; s = load {r} Y
  d: r = load {r} Y; {f}; s = load {r} X
  exists c.r == 1 && c.s == 0 && d.r == 1 && d.s == 0
  allowed: rlx rlx, rel acq, sc acq, rel sc
  forbidden: sc sc, rlx rlx fence sc

2+2W: X=0 Y=0
  a: store {w} X 1; {f}; store {r} Y 2
  b: store {w} Y 1; {f}; store {r} X 2
  exists X == 1 && Y == 1
  allowed: rlx rlx, rel rel
  forbidden: sc sc, rlx rlx fence sc

WRC: X=0 Y=0
  a: store {w} X 1
  b: r = load {r} X; store {w} Y 1
  c: r = load {r} Y; s = load {r} X
  exists b.r == 1 && c.r == 1 && c.s == 0
  allowed: rlx rlx, rlx acq, rel rlx
  forbidden: rel acq, sc sc

ISA2: X=0 Y=0 Z=0
  a: store rlx X 1; store {w} Y 1
  b: r = load {r} Y; store {w} Z 1
  c: r = load {r} Z; s = load rlx X
  exists b.r == 1 && c.r == 1 && c.s == 0
  allowed: rlx rlx, rel rlx
  forbidden: rel acq, sc sc

R: X=0 Y=0
  a: store {w} X 1; {f}; store {w} Y 1
  b: store {w} Y 2; {f}; r = load {r} X
  exists Y == 2 && b.r == 0
  allowed: rlx rlx, rel acq
  forbidden: sc sc, rlx rlx fence sc

S: X=0 Y=0
  a: store rlx X 2; store {w} Y 1
  b: r = load {r} Y; store rlx X 1
  exists b.r == 1 && X == 2
  allowed: rlx rlx
  forbidden: rel acq

RWC: X=0 Y=0
  a: store {w} X 1
  b: r = load {r} X; {f}; s = load {r} Y
  c: store {w} Y 1; {f}; r = load {r} X
  exists b.r == 1 && b.s == 0 && c.r == 0
  allowed: rlx rlx, rel acq
  forbidden: sc sc, rlx rlx fence sc

CoRR: X=0
  a: store {w} X 1
  b: r = load {r} X; s = load {r} X
  exists b.r == 1 && b.s == 0
  forbidden: rlx rlx, rel acq, sc sc

CoRR2: X=0
  a: store {w} X 1
  b: store {w} X 2
  c: r = load {r} X; s = load {r} X
  d: r = load {r} X; s = load {r} X
  exists c.r == 1 && c.s == 2 && d.r == 2 && d.s == 1
  forbidden: rlx rlx, rel acq

CoWR: X=0
  a: store {w} X 1; r = load {r} X
  b: store {w} X 2
  exists a.r == 0
  forbidden: rlx rlx, rel acq

CoRW: X=0
  a: r = load {r} X; store {w} X 1
  b: store {w} X 2
  exists a.r == 1
  forbidden: rlx rlx

CoWW: X=0
  a: store {w} X 1; store {w} X 2
  exists X == 1
  forbidden: rlx rlx

updates: X=0
  a: r = add {w} X 1
  b: r = add {w} X 1
  exists X != 2 || a.r == b.r
  forbidden: rlx rlx

SB+updates: X=0 Y=0
  a: x = xchg {w} X 1; r = load {r} Y
  b: x = xchg {w} Y 1; r = load {r} X
  exists a.r == 0 && b.r == 0
  allowed: ar acq, sc acq
  forbidden: sc sc

Z6.U: X=0 Y=0
  a: store sc X 1; store {w} Y 1
  b: r = add sc Y 1; s = load {r} Y
  c: store sc Y 3; r = load sc X
  exists b.r == 1 && b.s == 3 && c.r == 0
  allowed: rel rlx
  forbidden: sc sc
"""


def shape_of(block):
    """(name, (text, question, {orders: allowed})) of one of them."""
    lines = re.sub(r" +#.*", "", block).split("\n")
    name, places = lines[0].split(": ")
    text, question, table = ["place " + places], "", {}
    for line in lines[1:]:
        word, rest = line.strip().split(" ", 1)
        if word == "exists":
            question = rest
        elif word in ("allowed:", "forbidden:"):
            for orders in rest.split(", "):
                write, read, *fence = orders.split(" ", 2)
                table[write, read, "".join(fence)] = word == "allowed:"
        else:
            text += ["thread " + word[:-1], *rest.split("; ")]
    return name, ("\n".join(text), question, table)


SHAPES = dict(shape_of(block) for block in SHAPES_TEXT.strip().split("\n\n"))
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
