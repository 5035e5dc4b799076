#!/usr/bin/env python3
"""Random Cilk programs whose answer does not depend on the schedule.

    generate.py SEED            the program; generate.py FIRST-LAST: several in one, each of which says its seed
    generate.py SEED --elision  its C elision, written by this generator and not by the compiler under test
    generate.py SEED --loud     a smaller one that prints what does depend on the schedule: which worker did what,
                                inlets in their order, the order of a lock's owners

A program is a handful of procedures that spawn one another down to a fixed depth.  Every procedure computes a number
from its seed: it spawns into receivers of all kinds, and adds up results by `op=` and by inlets; it waits, aborts,
loops, jumps, computes with all types, takes locks and returns. What keeps the result independent of the schedule:
  * a variable that a child may still write is neither read nor written before the next sync (`self.pending`);
  * several children may share an accumulator only if all use the same commutative operator on it, inlets included;
  * after an abort only the fact is used that some child came back;
  * what a lock protects is left as it was found, but for what any strand may see of it: two sums that are one number
    apart.
Arithmetic has no undefined behaviour: it is unsigned, or of numbers that are small enough, and each divisor and
shift is in its range. Half of the programs have futures: futures.py.
"""

import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from futures import Futures  # noqa: E402

PRELUDE = r'''
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
%(include)s
typedef unsigned long u64;
struct pair { u64 a, b; };
struct mixed { int i; double d; char c; };
struct big { u64 v[12]; char tail[5]; };
struct floats { float x, y; };
struct bits { unsigned a : 3; int b : 12; u64 c : 33; unsigned d : 1; };
struct one { char c; };
struct long_double { long double x; int n; };
union either { u64 number; struct { unsigned low, high; } halves; unsigned char bytes[8]; };
typedef const u64 *number;
enum colour { RED = 3, GREEN = 70, BLUE = 1 << 20 };

static u64 mix(u64 x) { x ^= x >> 31; x *= 0x9e3779b97f4a7c15ul; x ^= x >> 29; return x; }
static void work(u64 n) { volatile u64 i; for (i = 0; i < n %% 499; i++) ; }
static u64 work_less(u64 n) { work(n); return n & 3; }
static const u64 numbers[4] = { 5, 7, 11, 13 };
static struct { u64 added, taken, wrong; } shared_sums;
'''

# name of the type, how to make one from a number, how to make a number from one
TYPES = {
    "u64": ("u64", "(%s)", "(%s)"),
    "int": ("int", "(int)((%s) & 0xffff)", "(u64)(%s)"),
    "char": ("char", "(char)((%s) & 63)", "(u64)(%s)"),
    "short": ("short", "(short)((%s) & 0x3fff)", "(u64)(%s)"),
    "double": ("double", "(double)((%s) & 0xfffff)", "(u64)(%s)"),
    "float": ("float", "(float)((%s) & 0xffff)", "(u64)(%s)"),
    "ld": ("long double", "(long double)((%s) & 0xfffff)", "(u64)(%s)"),
    "pair": ("struct pair", "make_pair(%s)", "from_pair(%s)"),
    "mixed": ("struct mixed", "make_mixed(%s)", "from_mixed(%s)"),
    "big": ("struct big", "make_big(%s)", "from_big(%s)"),
    "uchar": ("unsigned char", "(unsigned char)(%s)", "(u64)(%s)"),
    "schar": ("signed char", "(signed char)((int)((%s) & 127) - 64)", "(u64)(%s)"),
    "bool": ("_Bool", "(_Bool)((%s) & 4)", "(u64)(%s)"),
    "llong": ("long long", "(long long)((%s) >> 1)", "(u64)(%s)"),
    "i128": ("__int128", "((__int128)((%s) >> 1) * 1000003)", "(u64)((%s) >> 3)"),
    "colour": ("enum colour", "((%s) & 1 ? GREEN : BLUE)", "(u64)(%s)"),
    "pointer": ("number", "(numbers + ((%s) & 3))", "*(%s)"),
    "complex": ("double _Complex", "make_complex(%s)", "from_complex(%s)"),
    "floats": ("struct floats", "make_floats(%s)", "from_floats(%s)"),
    "bits": ("struct bits", "make_bits(%s)", "from_bits(%s)"),
    "one": ("struct one", "make_one(%s)", "(u64)(%s).c"),
    "long_double": ("struct long_double", "make_long_double(%s)", "from_long_double(%s)"),
    "either": ("union either", "make_either(%s)", "from_either(%s)"),
    "void": ("void", None, None),
}
ODD = ["uchar", "schar", "bool", "llong", "i128", "colour", "pointer", "complex", "floats", "bits", "one",
       "long_double", "either"]

HELPERS = r"""
static struct pair make_pair(u64 x) { struct pair p; p.a = x; p.b = mix(x); return p; }
static u64 from_pair(struct pair p) { return p.a * 3 + p.b; }
static struct mixed make_mixed(u64 x) { struct mixed m; m.i = (int)(x & 0xffff); m.d = (double)(x & 0xfff); m.c = (char)(x & 63); return m; }
static u64 from_mixed(struct mixed m) { return (u64)m.i * 5 + (u64)m.d * 3 + (u64)m.c; }
static struct big make_big(u64 x)
{
    struct big b;
    int i;
    for (i = 0; i < 12; i++)
        b.v[i] = x = mix(x + 1);
    memset(b.tail, (int)(x & 31), sizeof b.tail);
    return b;
}
static u64 from_big(struct big b)
{
    u64 x = (u64)b.tail[4];
    int i;
    for (i = 0; i < 12; i++)
        x = x * 7 + b.v[i];
    return x;
}
static double _Complex make_complex(u64 x) { return (double)(x & 0xfff) + (double)(x >> 12 & 0xfff) * 1.0i; }
static u64 from_complex(double _Complex z) { return (u64)__real__ z * 3 + (u64)__imag__ z; }
static struct floats make_floats(u64 x) { struct floats f = { .y = (float)(x & 0xff), .x = (float)(x >> 8 & 0xff) }; return f; }
static u64 from_floats(struct floats f) { return (u64)f.x * 5 + (u64)f.y; }
static struct bits make_bits(u64 x) { struct bits b; b.a = x & 7; b.b = (int)(x & 0xfff) - 2048; b.c = x & 0x1ffffffff; b.d = x >> 5 & 1; return b; }
static u64 from_bits(struct bits b) { return (u64)b.a + (u64)(b.b + 2048) * 3 + (u64)b.c * 5 + b.d; }
static struct one make_one(u64 x) { return (struct one){ (char)(x & 63) }; }
static struct long_double make_long_double(u64 x) { return (struct long_double){ .n = (int)(x & 0xffff), .x = (long double)(x & 0xfffff) }; }
static u64 from_long_double(struct long_double l) { return (u64)l.x * 7 + (u64)l.n; }
static union either make_either(u64 x) { union either e; if (x & 1) e.number = x; else e.halves.low = (unsigned)x, e.halves.high = 5; return e; }
static u64 from_either(union either e) { return e.number ^ e.bytes[3] ^ e.halves.high; }
static void take_lock_elided(u64 n)
{
    shared_sums.added += n;
    work(n & 63);
    shared_sums.taken -= n;
    if (shared_sums.added + shared_sums.taken != 0) shared_sums.wrong++;
}
"""
LOCK = "static Cilk_lockvar shared_lock;\nstatic void take_lock(u64 n) { Cilk_lock(shared_lock); take_lock_elided(n); Cilk_unlock(shared_lock); }\n"
NO_LOCK = "static void take_lock(u64 n) { take_lock_elided(n); }\n"

COMMUTATIVE = ["+=", "^=", "|=", "&=", "*=", "-="]


class Procedure:
    def __init__(self, number, rng):
        self.number = number
        self.name = "p%d" % number
        # few statements, a leaf test without side effects: what compilers inline
        self.tiny = rng.random() < 0.5
        self.static = rng.random() < 0.5
        # A parameter that is the same in every call, one that recursion passes on, or none
        self.constant = rng.choice([None, None, "%d" % rng.randint(-3, 300), "table", "pass"])
        self.result = rng.choice(
            ["u64"] * 5
            + ["int", "char", "short", "double", "float", "ld", "pair", "mixed", "big", "void", "void"]
            + [rng.choice(ODD)] * 4
        )
        # extra parameters, apart from (u64 seed, int depth) and the `u64 *out` of a void procedure
        self.extra = [
            rng.choice(["u64", "int", "char", "double", "pair", "mixed", "big", "float"] + [rng.choice(ODD)] * 4)
            for _ in range(rng.choice([0, 0, 0, 1, 2, 4]))
        ]

    def parameters(self):
        words = ["u64 seed", "int depth"]
        if self.result == "void":
            words.append("u64 *out")
        words += ["%s x%d" % (TYPES[t][0], i) for i, t in enumerate(self.extra)]
        words += {None: [], "table": ["const u64 *constant"]}.get(self.constant, ["int constant"])
        return ", ".join(words)

    def types(self):
        words = ["u64", "int"] + (["u64 *"] if self.result == "void" else []) + [TYPES[t][0] for t in self.extra]
        words += {None: [], "table": ["const u64 *"]}.get(self.constant, ["int"])
        return ", ".join(words)

    def constant_argument(self, caller):
        if self.constant in (None, "table"):
            return [] if self.constant is None else ["numbers"]
        if self.constant == "pass":
            return ["constant" if caller is self else "17"]
        return [self.constant]

    def constant_term(self):
        return {None: "0", "table": "constant[seed & 3]"}.get(self.constant, "(u64)constant")


class Generator(Futures):
    def __init__(self, seed, elision):
        self.rng = random.Random(seed)
        self.futures_begin(seed)
        self.elision = elision
        self.most = 30000                                    # about so many procedure instances
        self.procedures = [Procedure(i, self.rng) for i in range(self.rng.randint(2, 6))]
        # for tables of procedures
        self.same = [p for p in self.procedures if p.result == "u64" and not p.extra and not p.constant]
        self.counter = 0
        self.lines = []

    # ---- text

    def out(self, text, level=1):
        self.lines.append("    " * level + text)

    def cilk(self, text):
        """Cilk words, left out in the elision."""
        return "" if self.elision else text

    def name(self, stem):
        self.counter += 1
        return "%s%d" % (stem, self.counter)

    def spawn(self, call):
        return self.cilk("spawn ") + call

    def sync(self, level):
        self.out(self.cilk("sync") + ";", level)
        self.pending.clear()

    # ---- expressions over what may be read now

    def value(self):
        touched = self.future_value(TYPES)
        return touched or self.plain_value()

    def plain_value(self):
        r = self.rng
        return r.choice(
            ["seed", "sum", "seed + sum", "mix(seed + %dul)" % r.randint(0, 99), "%dul" % r.randint(0, 1000),
             "(sum ^ seed)", "sum * %dul + 1" % r.randint(2, 9), "(u64)depth"]
            + ["x%d_" % i for i in range(len(self.current.extra))]
        )

    def condition(self):
        r = self.rng
        return r.choice(
            ["(seed & %d) == %d" % (m, r.randint(0, m)) for m in (1, 3)]
            + ["sum %% %d < 2" % r.randint(2, 5), "depth > %d" % r.randint(1, 3)]
        )

    def call(self, procedure, seed, out_place=None):
        words = [seed, "depth - %d" % self.rng.choice([1, 1, 1, 2])]
        if procedure.result == "void":
            words.append(out_place)
        words += [TYPES[t][1] % self.value() for t in procedure.extra]
        words += procedure.constant_argument(self.current)
        return "%s(%s)" % (procedure.name, ", ".join(words))

    def some(self, want=None):
        found = [p for p in self.procedures if want is None or (p.result == "void") == (want == "void")]
        return self.rng.choice(found) if found else None

    # ---- statements; each makes its variables, spawns, and says what has to be added to `sum` after the next sync

    def declare(self, text):
        self.declarations.append(text)

    def spawn_one(self, level, seed):
        """One spawn into a receiver of its own."""
        r = self.rng
        p = self.some()
        self.spawns += self.weight
        if p.result == "void":
            cell = self.name("cell")
            self.declare("u64 %s = 0;" % cell)
            self.pending.add(cell)
            self.out(self.spawn(self.call(p, seed, "&" + cell)) + ";", level)
            self.later.append(cell)
            return
        ctype, make, read = TYPES[p.result]
        kind = r.choice(["local", "member", "element", "pointer", "op", "inlet", "static_arm", "alloca"])
        v = self.name("v")
        call = self.spawn(self.call(p, seed))
        if kind == "local":
            self.declare(
                "%s %s%s;"
                % (
                    r.choice(["", "", "register ", "volatile "]) if p.result in ("u64", "int", "double") else "",
                    ctype,
                    " " + v,
                )
            )
            self.out("%s = %s;" % (v, call), level)
            self.later.append(read % v)
        elif kind == "member":
            self.declare("struct { char pad; %s m; int after; } %s;" % (ctype, v))
            self.out("%s.after = 7;" % v, level)
            self.out("%s.m = %s;" % (v, call), level)
            self.later.append(read % (v + ".m"))
            self.later.append("(u64)%s.after" % v)
        elif kind == "element":
            self.declare("%s %s[3];" % (ctype, v))
            index = r.choice(["0", "2", "depth & 1", "(int)(seed % 3)"])
            keep = self.name("k")
            self.declare("int %s = 0;" % keep)
            self.out("%s = %s;" % (keep, index), level)
            self.out("%s[%s] = %s;" % (v, keep, call), level)
            self.later.append(read % ("%s[%s]" % (v, keep)))
        elif kind == "pointer":
            other = self.name("q")
            self.declare("%s %s, *%s;" % (ctype, v, other))
            self.out("%s = &%s;" % (other, v), level)
            self.out("*%s = %s;" % (other, call), level)
            self.out("%s = 0;" % other, level)
            self.later.append(read % v)
        elif kind == "alloca":
            self.declare("%s *%s;" % (ctype, v))
            self.out("%s = Cilk_alloca(sizeof *%s);" % (v, v), level)
            self.out("*%s = %s;" % (v, call), level)
            self.later.append(read % ("*" + v))
        elif kind == "static_arm":
            self.declare("%s %s, %s_;" % (ctype, v, v))
            self.out("%s = %s_ = %s;" % (v, v, make % "seed"), level)
            self.out("*(%s ? &%s : &%s_) = %s;" % (self.condition(), v, v, call), level)
            self.later.append("%s + %s" % (read % v, read % (v + "_")))
        elif kind == "op" and p.result in ("u64", "int", "short", "char"):
            self.declare("%s %s = %d;" % (ctype, v, r.randint(1, 50)))
            self.out("%s %s %s;" % (v, r.choice(COMMUTATIVE) if p.result == "u64" else "+=", call), level)
            self.later.append(read % v)
        else:
            factor = r.randint(1, 5)
            self.accumulate_inlet(p, v, call, factor, level)
        self.pending.add(v)

    def accumulate_inlet(self, p, v, call, factor, level):
        """An inlet that adds what came back to v; several calls may use it."""
        ctype, _, read = TYPES[p.result]
        self.declare("u64 %s = 0;" % v)
        inl = self.name("inl")
        body = self.rng.choice([
            "%s += %s * k;" % (v, read % "r"),
            "u64 w = %s; if (w %% 2 == 0) { %s += w * k; return; } %s += k;" % (read % "r", v, v),
            "static u64 never; int i; for (i = 0; i < 2; i++) %s += %s + k; if (%s == 0 && v_%s) never++;"
            % (v, read % "r", v, v),
        ])
        if "v_" in body:
            self.declare("const int v_%s = 0;" % v)
        self.inlets.append("%svoid %s(%s r, u64 k) { %s }" % (self.cilk("inlet "), inl, ctype, body))
        extra = self.rng.choice(["%dul" % factor, "seed & 7", "(u64)depth"])
        self.out("%s(%s, %s);" % (inl, call, extra), level)
        self.later.append(v)
        self.pending.add(v)
        return inl

    def spawn_loop(self, level):
        """A loop of spawns: into an array, into an accumulator, or through one inlet."""
        r = self.rng
        n = r.randint(2, 5)
        i = self.name("i")
        self.declare("int %s;" % i)
        kind = r.choice(["array", "op", "inlet", "void", "table" if self.same else "array"])
        self.spawns += n * self.weight
        seed = "mix(seed + %dul) + (u64)%s" % (r.randint(0, 99), i)
        if kind == "void" and self.some("void") is None:
            kind = "op"
        if kind == "void":
            p, v = self.some("void"), self.name("cells")
            self.declare("u64 %s[%d];" % (v, n))
            self.out("memset(%s, 0, sizeof %s);" % (v, v), level)
            self.out("for (%s = 0; %s < %d; %s++)" % (i, i, n, i), level)
            self.out(self.spawn(self.call(p, seed, "&%s[%s]" % (v, i))) + ";", level + 1)
            self.later += ["%s[%d]" % (v, k) for k in range(n)]
            self.pending.add(v)
            return
        p = self.rng.choice(self.same) if kind == "table" else self.some("value")
        if p is None:
            return self.spawn_one(level, seed.replace(i, "3"))
        ctype, _, read = TYPES[p.result]
        v = self.name("w")
        if kind in ("array", "table"):
            call = self.call(p, seed)
            if kind == "table":
                call = call.replace(p.name, "table[%s %% %d]" % (i, len(self.same)), 1)
            self.declare("%s %s[%d];" % (ctype, v, n))
            step = r.choice(["++", "++"])
            self.out("for (%s = 0; %s < %d; %s%s) {" % (i, i, n, i, step), level)
            if r.random() < 0.3:
                self.out("work(seed + (u64)%s);" % i, level + 1)
            self.out("%s[%s] = %s;" % (v, i, self.spawn(call)), level + 1)
            if r.random() < 0.2:
                self.out("if (%s == %d) %s;" % (i, r.randint(0, n), self.cilk("sync")), level + 1)
            self.out("}", level)
            self.later += [read % ("%s[%d]" % (v, k)) for k in range(n)]
        elif kind == "op" and p.result == "u64":
            self.declare("u64 %s = %d;" % (v, r.randint(0, 9)))
            op = r.choice(COMMUTATIVE)
            self.out("for (%s = %d; %s >= 0; %s--)" % (i, n - 1, i, i), level)
            self.out("%s %s %s;" % (v, op, self.spawn(self.call(p, seed))), level + 1)
            self.later.append(v)
        else:
            self.out("for (%s = 0; %s < %d; %s++) {" % (i, i, n, i), level)
            self.accumulate_inlet(p, v, self.spawn(self.call(p, seed)), r.randint(1, 3), level + 1)
            self.out("}", level)
        self.pending.add(v)

    def abort_block(self, level):
        """Children of which the first to come back stops the rest; then a sync, and only the fact is used."""
        p = self.some("value")
        if p is None:
            return
        r = self.rng
        n = r.randint(1, 4)
        self.spawns += n * self.weight
        stop, i, inl = self.name("stop"), self.name("i"), self.name("first")
        self.declare("int %s = 0, %s;" % (stop, i))
        ctype, _, read = TYPES[p.result]
        self.inlets.append(
            "%svoid %s(%s r) { if (%s >= 0 && !%s) { %s = 1; %s } }"
            % (self.cilk("inlet "), inl, ctype, read % "r", stop, stop, self.cilk("abort;"))
        )
        self.flush(level)  # children spawned before must be back: an abort would stop them too
        self.out("%s = 0;" % stop, level)
        self.out("for (%s = 0; %s < %d && !%s; %s++)" % (i, i, n, stop, i), level)
        self.out("%s(%s);" % (inl, self.spawn(self.call(p, "seed + (u64)%s" % i))), level + 1)
        self.sync(level)
        self.out("sum += (u64)%s;" % stop, level)

    def plain_abort(self, level):
        """An abort in the procedure's own text: what the children would have delivered is not used."""
        p = self.some("value")
        if p is None:
            return
        self.spawns += 2 * self.weight
        ctype, make, _ = TYPES[p.result]
        v = self.name("lost")
        self.declare("%s %s, %s_;" % (ctype, v, v))
        self.flush(level)
        self.out("%s = %s;" % (v, self.spawn(self.call(p, "seed * 3"))), level)
        self.out("%s_ = %s;" % (v, self.spawn(self.call(p, "seed * 5"))), level)
        self.out(self.cilk("abort") + ";", level)
        self.sync(level)

    def flush(self, level):
        """sync, and add what the children delivered."""
        self.sync(level)
        for term in self.later:
            self.out("sum = sum * 31 + (%s);" % term, level)
        self.later = []

    def statements(self, level, count, nested=False):
        r = self.rng
        for _ in range(count):
            kind = r.choice(
                ["spawn"] * 4
                + ["loop"] * 2
                + ["sync"] * 2
                + ["work", "if", "switch", "block", "abort", "plain_abort", "synched", "goto", "while", "lock",
                   "arithmetic", "arithmetic", "control"]
            )
            if nested and kind in ("abort", "plain_abort", "goto", "while", "if", "switch"):
                kind = "spawn"
            if self.with_futures and self.choices.random() < 0.35:
                self.future_statement(level, TYPES, nested)
            if kind == "spawn":
                self.spawn_one(level, "seed + %dul" % r.randint(0, 50))
            elif kind == "loop":
                self.spawn_loop(level)
            elif kind == "sync":
                self.flush(level)
            elif kind == "work":
                self.out("work(mix(seed));", level)
            elif kind in ("abort", "plain_abort"):
                self.abort_block(level) if kind == "abort" else self.plain_abort(level)
            elif kind == "lock":
                self.out("take_lock(%s);" % self.plain_value(), level)
            elif kind == "arithmetic":
                self.arithmetic(level)
            elif kind == "control":
                self.control(level)
            elif kind == "synched":
                self.out("if (%s) work(3);" % ("SYNCHED" if not self.elision else "1"), level)
            elif kind == "block":
                self.out("{", level)
                self.statements(level + 1, r.randint(1, 2), True)
                self.out("}", level)
            elif kind == "goto":
                label = self.name("label")
                self.flush(level)
                self.out("if (%s)" % self.condition(), level)
                self.out("goto %s;" % label, level + 1)
                self.arm(level)
                self.out("%s: ;" % label, level)
            elif kind == "if":
                self.flush(level)
                self.out("if (%s) {" % self.condition(), level)
                self.arm(level + 1)
                self.out("} else {", level)
                self.arm(level + 1)
                self.out("}", level)
            elif kind == "switch":
                self.flush(level)
                self.out("switch (seed %% %d) {" % r.randint(2, 4), level)
                for k in range(r.randint(1, 3)):
                    self.out("case %d:" % k, level)
                    self.arm(level + 1)
                    if r.random() < 0.7:
                        self.out("break;", level + 1)
                self.out("default:", level)
                self.arm(level + 1)
                self.out("}", level)
            elif kind == "while":
                turns = self.name("turns")
                self.declare("int %s;" % turns)
                self.flush(level)
                n = r.randint(2, 3)
                self.out("%s = %d;" % (turns, n), level)
                self.out("while (%s-- > 0) {" % turns, level)
                self.weight *= n
                self.arm(level + 1)
                self.weight //= n
                self.out("}", level)

    def expression(self, depth):
        """A u64, of what `plain_value` gives, and constants."""
        r = self.rng
        if depth == 0 or r.random() < 0.15:
            return r.choice([
                self.plain_value(),
                self.plain_value(),
                "%dul" % r.choice([0, 1, 2, 7, 63, 255, 65536, 2**31, 2**32 + 5, 2**63]),
                "(u64)%d" % -r.randint(1, 99),
            ])
        a, b, c = (self.expression(depth - 1) for _ in range(3))
        odd = r.choice([t for t in TYPES if t != "void"])
        return r.choice([
            "(%s %s %s)" % (a, r.choice("+-*&|^"), b),
            "(%s %s (%s | 1))" % (a, r.choice("/%"), b),
            "(%s %s (%s & 63))" % (a, r.choice(["<<", ">>"]), b),
            "(%s ? %s : %s)" % (a, b, c),
            "(u64)(%s %s %s)" % (a, r.choice(["<", ">", "==", "!=", "<=", ">="]), b),
            "~%s" % a,
            "- %s" % a,
            "(u64)!%s" % a,
            "(u64)(%s %s %s)" % (a, r.choice(["&&", "||"]), b),
            TYPES[odd][2] % ("(%s)" % (TYPES[odd][1] % a)),
            "(u64)(%s)%s" % (r.choice(["unsigned char", "unsigned short", "unsigned"]), a),
            "(u64)((int)(%s & 0xffff) %s %d)" % (a, r.choice("+-*/%"), r.randint(1, 99)),
            "(u64)((int)(%s & 0xffff) - 32768 >> %d)" % (a, r.randint(0, 14)),
            "(u64)((double)(%s & 0xffff) * 0.5)" % a,
            "((void)(%s), %s)" % (a, b),
        ])

    def arithmetic(self, level):
        """Statements without spawns, on variables of many types."""
        r = self.rng
        v, odd = self.name("y"), r.choice([t for t in TYPES if t != "void"])
        ctype, make, read = TYPES[odd]
        shape = r.choice(["plain", "array", "assign", "member", "pointer"])
        if shape == "plain":
            self.out("{ %s %s = %s; sum ^= %s; }" % (ctype, v, make % self.expression(2), read % v), level)
        elif shape == "array":
            n = r.randint(2, 6)
            self.declare("%s %s[%d];" % (ctype, v, n))
            self.out(
                "{ int i; for (i = 0; i < %d; i++) %s[i] = %s; for (i = 0; i < %d; i++) sum = sum * 3 + (%s); }"
                % (n, v, make % ("(%s + (u64)i)" % self.expression(1)), n, read % ("%s[(i * 5 + 1) %% %d]" % (v, n))),
                level,
            )
        elif shape == "assign":
            small = r.choice(["unsigned char", "unsigned short", "unsigned", "u64", "long long"])
            mask = "& 0xfff" if small == "long long" else ""
            op = r.choice(["+", "*", "/", "%", "<<", ">>", "&", "|", "^"])
            self.out(
                "{ %s %s = (%s)(%s %s); %s %s= (%s)(%s & 7) + 1; %s%s; sum += (u64)%s; }"
                % (small, v, small, self.expression(1), mask, v, op, small, self.expression(1), v,
                   r.choice(["++", "--"]), v),
                level,
            )
        elif shape == "member":
            self.out(
                "{ struct { char pad; %s m; unsigned f : 5; } %s = { 1, %s, %s & 31 }, copy_%s = %s; copy_%s.f += 3; sum += %s + copy_%s.f; }"
                % (ctype, v, make % self.expression(2), self.expression(1), v, v, v, read % ("copy_%s.m" % v), v),
                level,
            )
        else:
            self.out(
                "{ u64 %s[5] = { [2] = %s, %s }, *at = %s + 4; do sum = sum * 5 + *at; while (at-- > %s + %d); }"
                % (v, self.expression(1), self.expression(1), v, v, r.randint(1, 3)),
                level,
            )

    def control(self, level):
        """Loops, jumps and switches without spawns."""
        r = self.rng
        i = self.name("c")
        body = r.choice([
            "if (%s & 1) continue; sum += %s; if (sum %% 7 == 0) break;" % (self.expression(1), self.expression(1)),
            "switch (sum %% 5) { case 1: sum += 3; case 2: sum ^= %s; break; case 3 ... 4: continue; default: sum--; }"
            % self.expression(1),
            "if (sum & 2) goto out_%s; sum = sum * 3 + 1;" % i,
            "{ unsigned char k = (unsigned char)%s; while (k) { if (k & 1) sum += k; k >>= 1; } }"
            % self.expression(1),
        ])
        loop = r.choice(["for (%s = 0; %s < %d; %s++) { %s }", "for (%s = 0; %s < %d; %s += 2) { %s }"]) % (
            i, i, r.randint(2, 9), i, body
        )
        self.out("{ int %s; %s%s }" % (i, loop, " out_%s: sum++;" % i if "goto" in body else ""), level)

    def arm(self, level):
        """A branch: what it spawns is back at its end."""
        before = self.later
        self.later = []
        self.statements(level, self.rng.randint(1, 2), True)
        self.flush(level)
        self.later = before

    def finish(self, p, level):
        if p.result == "void":
            self.out("*out += mix(sum);", level)
            self.out("return;", level)
        else:
            self.out("return %s;" % (TYPES[p.result][1] % "mix(sum)"), level)

    def value_of_tiny(self):
        return self.rng.choice(["seed", "t", "seed + t", "t * 3 + 1", "t ^ 5", "t >> 1"])

    def tiny(self, p):
        """In the style of fib: a test without side effects, a few spawns with changes of locals between them, a sync, a
        sum."""
        r = self.rng
        self.current, self.value = p, self.value_of_tiny
        self.weight, spawns = 1, 0
        terms, receivers, body = (
            ["t", p.constant_term()] + [TYPES[t][2] % ("x%d" % i) for i, t in enumerate(p.extra)],
            [],
            [],
        )
        for _ in range(r.randint(1, 3)):
            q = self.some()
            kind = r.choice(["local", "local", "local", "op", "branch", "loop", "inlet"])
            place, v = "&cell" + self.name(""), self.name("v")
            seed = r.choice(["t", "seed + t", "seed + 1", "t * 7"])
            spawns += 2 if kind == "loop" else 1
            if q.result == "void":
                receivers.append("u64 %s = 0;" % place[1:])
                terms.append(place[1:])
                body.append(self.spawn(self.call(q, seed, place)) + ";")
                if kind == "loop":
                    spawns -= 1
            else:
                ctype, make, read = TYPES[q.result]
                call = self.spawn(self.call(q, seed))
                if kind in ("op", "loop") and q.result in ("u64", "int", "short", "char"):
                    i = self.name("i")
                    receivers.append("%s %s = %d;" % (ctype, v, r.randint(0, 9)))
                    statement = "%s %s %s;" % (v, r.choice(["+=", "-="]), call)
                    if kind == "loop":
                        receivers.append("int %s;" % i)
                        statement = "for (%s = 0; %s < 2; %s++) { %s t += (u64)%s; }" % (i, i, i, statement, i)
                    body.append(statement)
                elif kind == "inlet":
                    receivers.append("u64 %s = 0;" % v)
                    receivers.append(
                        "%svoid in_%s(%s r) { %s += %s; }" % (self.cilk("inlet "), v, ctype, v, read % "r")
                    )
                    body.append("in_%s(%s);" % (v, call))
                    read = "%s"
                elif kind == "local" and self.with_futures and self.choices.random() < 0.6:
                    body.append("%s = %s;" % (self.future(ctype, v), call))
                    if self.choices.random() < 0.4:
                        body.append("t += %s;" % (read % self.touch(v)))
                    terms.append(read % self.touch(v))
                    continue
                else:
                    receivers.append("%s %s;" % (ctype, v))
                    body.append(
                        "if (t & 1) %s = %s; else %s = %s;" % (v, call, v, make % "t + 2")
                        if kind == "branch"
                        else "%s = %s;" % (v, call)
                    )
                terms.append(read % v)
            if r.random() < 0.6:
                body.append(r.choice(
                    ["t = t * 5 + 1;", "t ^= seed;", "seed += t;", "if (t % 3 == 0) t++;", "t += work_less(t);"]
                ))
        leaf, result = "%s * 3 + (u64)depth" % r.choice(["seed", "t"]), " + ".join(terms)
        if p.result == "void":
            at_leaf, at_end = "{ *out += %s; return; }" % leaf, "*out += %s;" % result
        else:
            at_leaf, at_end = "return %s;" % (TYPES[p.result][1] % leaf), "return %s;" % (TYPES[p.result][1] % result)
        shape = r.choice(["first", "first", "else", "then"])
        self.out(
            "%s%s%s %s(%s)"
            % ("static " if p.static else "", self.cilk("cilk "), TYPES[p.result][0], p.name, p.parameters()),
            0,
        )
        self.out("{", 0)
        self.out("u64 t = %s;" % r.choice(["seed", "seed + 3", "seed ^ (u64)depth"]))
        inner = 1
        if shape == "first":
            for line in receivers:
                self.out(line)
            self.out("if (depth <= 0) %s" % at_leaf)
        elif shape == "else":
            self.out("if (depth <= 0) %s else {" % at_leaf)
        else:
            self.out("if (depth > 0) {")
        if shape != "first":
            inner = 2
            for line in receivers:
                self.out(line, inner)
        for line in body + [self.cilk("sync") + ";", at_end]:
            self.out(line, inner)
        if shape != "first":
            self.out("}" + (" else " + at_leaf if shape == "then" else ""))
        self.out("}", 0)
        self.out("", 0)
        del self.value
        return spawns

    def procedure(self, p):
        r = self.rng
        if p.tiny:
            return self.tiny(p)
        self.current = p
        self.pending, self.later, self.declarations, self.inlets = set(), [], [], []
        self.weight, self.spawns, self.live = 1, 0, []
        saved, self.lines = self.lines, []
        # Small procedures whose first statement is the leaf's return are expanded into their callers and run in place.
        early = r.random() < 0.5
        self.statements(1, r.randint(1, 2) if early else r.randint(1, 5))
        self.flush(1)
        if r.random() < 0.3:  # a child that only the implicit sync waits for
            q = self.some("void")
            if q:
                self.spawns += 1
                self.declare("u64 last = 0;")
                self.out("%s;" % self.spawn(self.call(q, "seed", "&last")))
        self.finish(p, 1)
        body, self.lines = self.lines, saved
        head = "%s%s%s %s(%s)" % ("static " if p.static else "", self.cilk("cilk "), TYPES[p.result][0], p.name,
                                  p.parameters())
        self.out(head, 0)
        self.out("{", 0)
        if early:
            self.out("if (depth <= %d)" % r.choice([0, 0, 1]))
            if p.result == "void":
                self.out("{ *out += seed * %dul; return; }" % r.randint(1, 9), 2)
            else:
                self.out(
                    "return %s;" % (TYPES[p.result][1] % ("(seed * %dul + %dul)" % (r.randint(1, 9), r.randint(0, 9)))),
                    2,
                )
        self.out("u64 sum = mix(seed ^ %dul);" % p.number)
        for i, t in enumerate(p.extra):
            self.out("u64 x%d_ = %s;" % (i, TYPES[t][2] % ("x%d" % i)))
        for line in self.declarations:
            self.out(line)
        for line in self.inlets:
            self.out(line)
        self.out("")
        for i in range(len(p.extra)):
            self.out("sum += x%d_;" % i)
        if p.constant:
            self.out("sum += %s;" % p.constant_term())
        if not early:
            self.out("if (depth <= 0) {")
            self.out("work(seed);", 2)
            self.finish(p, 2)
            self.out("}")
        self.lines += body
        self.out("}", 0)
        self.out("", 0)
        return self.spawns

    def program(self):
        include = '#include <cilk-lib.cilkh>' if not self.elision else "#define Cilk_alloca(n) __builtin_alloca(n)"
        self.out(PRELUDE % {"include": include} + HELPERS + (NO_LOCK if self.elision else LOCK), 0)
        for p in self.procedures:
            self.out(
                "%s%s%s %s(%s);"
                % ("static " if p.static else "", self.cilk("cilk "), TYPES[p.result][0], p.name, p.types()),
                0,
            )
        self.stage_prototypes(TYPES)
        if self.same:
            self.out("typedef %su64 (*procedure)(u64, int);" % self.cilk("cilk "), 0)
            self.out("static procedure table[] = { %s };" % ", ".join(p.name for p in self.same), 0)
        self.out("", 0)
        most = max([self.procedure(p) for p in self.procedures] + [self.stage(stage, TYPES) for stage in self.stages])
        depth, nodes = 0, 1
        while depth < 10 and nodes * max(most, 1) <= self.most:
            nodes *= max(most, 2)
            depth += 1
        p = self.procedures[0]
        self.current = Procedure(0, random.Random(0))
        self.current.extra = []
        self.current.constant = None
        self.live = []
        self.out("%sint main(void)" % self.cilk("cilk "), 0)
        self.out("{", 0)
        self.out("u64 seed, sum = 0;")
        self.out("int depth = %d;" % (depth + 1))
        self.out("for (seed = 1; seed <= %d; seed++) {" % max(2, 60000 // max(nodes, 1) if nodes < 30000 else 2))
        if p.result == "void":
            self.out("sum = 0;", 2)
            self.out(self.spawn(self.call(p, "seed", "&sum")) + ";", 2)
        else:
            self.out("%s r;" % TYPES[p.result][0], 2)
            self.out("r = %s;" % self.spawn(self.call(p, "seed")), 2)
        self.out(self.cilk("sync") + ";", 2)
        self.out('printf("%%lu\\n", %s);' % ("sum" if p.result == "void" else TYPES[p.result][2] % "r"), 2)
        self.out("}")
        self.out('printf("%lu\\n", shared_sums.wrong + shared_sums.added + shared_sums.taken);')
        self.out("return 0;")
        self.out("}", 0)
        return "\n".join(self.lines) + "\n"


LOUD = r"""
#include <sched.h>
static Cilk_lockvar heard_lock;
static u64 heard_hash, heard_times;
extern int cilk_rt_self(void);
static void heard(u64 what, int sender)
{
    Cilk_lock(heard_lock);
    heard_hash = heard_hash * 6364136223846793005ul + (what * 64 + (u64)sender) * 2 + 1;
    heard_times++;
    Cilk_unlock(heard_lock);
}
static void work(u64 n) { volatile u64 i; heard(n, cilk_rt_self()); if (n % 3 == 0) sched_yield(); for (i = 0; i < n % 499; i++) ; }
"""


def program(seed, elision=False, loud=False):
    made = Generator(seed, elision)
    if loud:
        made.most = 1000
    text = made.program()
    if loud:
        text = re.sub(r"^static void work\(.*$", lambda _: LOUD, text, flags=re.M)
        text = re.sub(r"^(\s*inlet void \w+\([^{]*\{)", r"\1 heard(__LINE__, Self);", text, flags=re.M)
        text = re.sub(r"seed <= \d+;", "seed <= 2;", text)
        head, _, tail = text.rpartition("return 0;")
        text = head + 'printf("%lu %lu\\n", heard_times, heard_hash);\n    return 0;' + tail
    return text


def programs(seeds, elision=False):
    """Several in one: compiled and started once. What each defines has its number in its name."""
    text = ""
    for seed in seeds:
        made = Generator(seed, elision)
        made.program()
        text += made.lines[0] if not text else ""
        text += re.sub(r"\b(p\d+|stage\d+|table|procedure|main)\b", r"\1_%d" % seed, "\n".join(made.lines[1:])) + "\n"
    spawn, sync, cilk = ("", "", "") if elision else ("spawn ", "sync;", "cilk ")
    text += "%sint main(void)\n{\n    int r;\n" % cilk
    for seed in seeds:
        text += '    printf("program %d\\n");\n    r = %smain_%d(); %s\n' % (seed, spawn, seed, sync)
    return text + "    return r;\n}\n"


if __name__ == "__main__":
    several = re.fullmatch(r"(\d+)-(\d+)", sys.argv[1]) if len(sys.argv) in (2, 3) else None
    if several and sys.argv[2:] in ([], ["--elision"]):
        sys.stdout.write(programs(range(int(several[1]), int(several[2]) + 1), bool(sys.argv[2:])))
        sys.exit()
    if (
        len(sys.argv) not in (2, 3)
        or not sys.argv[1].lstrip("-").isdigit()
        or sys.argv[2:] not in ([], ["--elision"], ["--loud"])
    ):
        sys.exit(__doc__)
    sys.stdout.write(program(int(sys.argv[1]), *(sys.argv[2:] == [word] for word in ("--elision", "--loud"))))
