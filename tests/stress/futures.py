"""Futures in random Cilk programs: what generate.py asks for where a program has some.

They keep its rules: what is touched was spawned into before, in the order of the text, on every path; nothing is
touched whose child an abort may have stopped, since before an abort all children are back. So a touch gives what the
call in the elision has given.

A *stage* is a procedure that gets pointers to futures: of its caller, or of somebody further out. It touches them
itself, at its beginning, its middle or its end, passes them on, or puts them into an array or a structure first.
`self.live` are the futures that may be touched at this point of the text, (name, type); what was declared in a block or
a branch is taken off at its end.
"""

import random

# The types of the futures that stages get.
PASSED = ("u64", "pair", "big")


class Stage:
    def __init__(self, number, rng):
        self.name = "stage%d" % number
        self.of = rng.choice(["u64", "u64", "u64", "pair", "big"])     # what it touches
        self.shape = rng.choice(["first", "last", "middle", "both", "on", "array", "heap"])


class Futures:
    """The part of Generator that makes futures."""

    def futures_begin(self, seed):
        mine = random.Random("futures %d" % seed)
        self.with_futures = mine.random() < 0.5
        self.stages = [Stage(i, mine) for i in range(mine.randint(1, 4))] if self.with_futures else []
        self.live = []
        self.choices = mine

    # ---- text

    def future(self, ctype, name):
        return self.cilk("future ") + ctype + " " + name

    def touch(self, name):
        return "(%s%s)" % (self.cilk("touch "), name)

    def touched(self, name, kind, types):
        """A number from a future."""
        return types[kind][2] % self.touch(name)

    def stage_parameters(self, stage, types):
        ctype = types[stage.of][0]
        return "u64 seed, int depth, %s, %s" % (self.future(ctype, "*a"), self.future(ctype, "*b"))

    def stage_call(self, stage, seed, a, b):
        return "%s(%s, depth - 1, %s, %s)" % (stage.name, seed, a, b)

    def stage_prototypes(self, types):
        for stage in self.stages:
            self.out("static %su64 %s(%s);" % (self.cilk("cilk "), stage.name, self.stage_parameters(stage, types)), 0)

    # ---- a stage

    def stage(self, stage, types):
        """Touches *a, and *b if there is one. Returns how many procedures it spawns."""
        r = self.choices
        use = types[stage.of][2]
        both = [
            "sum = sum * 13 + %s;" % (use % self.touch("*a")),
            "if (b) sum = sum * 17 + %s;" % (use % self.touch("*b")),
        ]
        r.shuffle(both)
        spawns = 0
        self.out("static %su64 %s(%s)" % (self.cilk("cilk "), stage.name, self.stage_parameters(stage, types)), 0)
        self.out("{", 0)
        self.out("u64 sum = mix(seed + %dul), v = 0;" % r.randint(0, 99))
        if stage.shape in ("first", "both"):
            self.out(both[0])
        if stage.shape == "middle":
            for line in both:
                self.out(line)
        deeper = self.same and r.random() < 0.7
        if deeper:
            spawns += 1
            call = self.spawn("%s(seed * 3 + %dul, depth - 1)" % (r.choice(self.same).name, r.randint(0, 9)))
            self.out("if (depth > 0) v = %s;" % call)
        if stage.shape == "on":                  # another stage touches the same, in parallel
            next_stage = r.choice([s for s in self.stages if s.of == stage.of])
            spawns += 1
            self.out("u64 on = 0;")
            self.out(
                "if (depth > 0) on += %s;"
                % self.spawn(self.stage_call(next_stage, "seed + 1", "b ? b : a", "b ? a : b"))
            )
            self.out(both[0])
            self.out("%s; sum ^= on;" % self.cilk("sync"))
        elif stage.shape == "array":
            ctype = types[stage.of][0]
            self.out("%s;" % self.future(ctype, "*all[2]"))
            self.out("all[0] = a; all[1] = b;")
            self.out(
                "for (int i = 0; i < 2; i++) if (all[i]) { sum += %s; sum += %s; }"
                % (use % self.touch("*all[i]"), use % self.touch("*all[0]"))
            )
        elif stage.shape == "heap":
            ctype = types[stage.of][0]
            self.out("struct kept { %s; int n; } *kept = malloc(sizeof *kept);" % self.future(ctype, "*it"))
            self.out("kept->it = b ? b : a;")
            self.out("u64 w = %s;" % (use % self.touch("*kept->it")))
            self.out("free(kept);")
            self.out("sum ^= w;")
        if stage.shape == "last" and not deeper:
            self.out("return sum + %s;" % (use % self.touch("*a")))
        else:
            if stage.shape in ("last", "both"):
                self.out(both[1])
                self.out(both[0])
            self.out("%s;" % self.cilk("sync"))
            self.out("return mix(sum + v);")
        self.out("}", 0)
        self.out("", 0)
        return spawns

    # ---- in a procedure

    def live_of(self, kind):
        return [name for name, of in self.live if of == kind]

    def future_value(self, types):
        """A touch of something live as a value, or None."""
        r = self.choices
        if not self.live or r.random() < 0.6:
            return None
        name, kind = r.choice(self.live)
        return self.touched(name, kind, types)

    def spawn_into(self, level, kind, types, declare, name=None):
        """One future gets a child: a procedure, or a stage that touches live ones."""
        r = self.choices
        name = name or self.name("f")
        stages = [s for s in self.stages if self.live_of(s.of)] if kind == "u64" else []
        self.spawns += self.weight
        if stages and r.random() < 0.6:
            stage = r.choice(stages)
            known = self.live_of(stage.of)
            call = self.stage_call(
                stage,
                "seed + %dul" % r.randint(0, 50),
                "&" + r.choice(known),
                r.choice(["0"] + ["&" + k for k in known]),
            )
        else:
            found = [p for p in self.procedures if p.result == kind]
            call = self.call(r.choice(found), "seed + %dul" % r.randint(0, 50))
        text = "%s = %s;" % (name, self.spawn(call))
        self.out((self.future(types[kind][0], text) if declare else text), level)
        self.live.append((name, kind))
        return name

    def kinds(self):
        return [p.result for p in self.procedures if p.result != "void"]

    def future_statement(self, level, types, nested):
        """Futures are declared, spawned into, passed on, touched. In a block of its own where they cannot stay."""
        r = self.choices
        kinds = self.kinds()
        if not kinds:
            return
        before, inner, start = list(self.live), level, len(self.lines)
        if nested:
            self.out("{", level)
            inner = level + 1
        shape = r.choice(["one", "one", "two", "later", "array", "chain", "vla", "beside"])
        if shape == "chain" and "u64" not in kinds:
            shape = "array"
        if shape == "vla" and not nested:            # goto must not pass its declaration
            shape = "two"
        if shape in ("one", "two"):
            for _ in range(1 if shape == "one" else r.randint(2, 3)):
                self.spawn_into(inner, r.choice(kinds), types, True)
        elif shape == "later":
            names = [(self.name("f"), r.choice(kinds)) for _ in range(2)]
            for name, kind in names:
                self.out("%s;" % self.future(types[kind][0], name), inner)
            for name, kind in names:
                self.spawn_into(inner, kind, types, False, name)
                if r.random() < 0.3:
                    self.out("sum += %s;" % self.touched(name, kind, types), inner)
        elif shape in ("array", "vla", "chain"):
            kind = "u64" if shape == "chain" else r.choice(kinds)
            n, i, a = r.randint(2, 5), self.name("i"), self.name("fs")
            stages = [s for s in self.stages if s.of == "u64"] if shape == "chain" else []
            size = "(int)(seed %% 1) + %d" % n if shape == "vla" else str(n)
            self.out("%s[%s];" % (self.future(types[kind][0], a), size), inner)
            procedure = r.choice([p for p in self.procedures if p.result == kind])
            call = self.call(procedure, "mix(seed + %dul) + (u64)%s" % (r.randint(0, 99), i))
            self.spawns += n * self.weight
            self.out("for (int %s = 0; %s < %d; %s++) {" % (i, i, n, i), inner)
            if stages:
                self.out("if (%s == 0) %s[0] = %s;" % (i, a, self.spawn(call)), inner + 1)
                stage = r.choice(stages)
                linked = self.stage_call(
                    stage, "seed + (u64)%s" % i, "&%s[%s - 1]" % (a, i), "%s > 1 ? &%s[%s - 2] : 0" % (i, a, i)
                )
                self.out("else %s[%s] = %s;" % (a, i, self.spawn(linked)), inner + 1)
            else:
                self.out("%s[%s] = %s;" % (a, i, self.spawn(call)), inner + 1)
            if r.random() < 0.3:
                then = r.choice(
                    ["%s;" % self.cilk("sync"), "sum ^= %s;" % self.touched("%s[%s / 2]" % (a, i), kind, types)]
                )
                self.out("if (%s == %d) { %s }" % (i, r.randint(0, n - 1), then), inner + 1)
            self.out("}", inner)
            if not nested and r.random() < 0.5:      # else only the end of the procedure waits for them
                self.live += [("%s[%d]" % (a, k), kind) for k in range(n)]
            if r.random() < 0.7:
                self.out(
                    "for (int %s = %d; %s >= 0; %s--) sum = sum * 7 + %s;"
                    % (i, n - 1, i, i, self.touched("%s[%s]" % (a, i), kind, types)),
                    inner,
                )
        elif shape == "beside":                      # with other receivers and inlets under way
            self.spawn_one(inner, "seed + 1")
            self.spawn_into(inner, r.choice(kinds), types, True)
            self.spawn_one(inner, "seed + 2")
        self.future_uses(inner, types, before)
        if nested:
            if any("&" in line for line in self.lines[start:]):      # children have addresses of what ends here
                self.out("%s;" % self.cilk("sync"), inner)
            self.out("}", level)
            self.live = before

    def future_uses(self, level, types, before):
        """Touches in the places where they are allowed."""
        r = self.choices
        fresh = [f for f in self.live if f not in before]
        for name, kind in fresh:
            t = self.touched(name, kind, types)
            how = r.choice(
                ["add", "twice", "initialiser", "if", "switch", "statement", "pointer", "pass", "not yet", "not yet"]
            )
            if how == "add":
                self.out("sum = sum * 3 + %s;" % t, level)
            elif how == "twice":
                self.out("sum += %s ^ %s * 3;" % (t, t), level)
            elif how == "initialiser":
                self.out("{ u64 w = %s; sum += w; }" % t, level)
            elif how == "if":
                self.out("if (%s %% 3 == 0) sum++; else if (%s %% 2) sum += 2;" % (t, t), level)
            elif how == "switch":
                self.out("switch (%s %% 3) { case 0: sum ^= 5; break; case 1: sum++; default: sum += 7; }" % t, level)
            elif how == "statement":
                self.out(("touch %s;" % name) if not self.elision else "(void)%s;" % name, level)
            elif how == "pointer":
                self.out(
                    "{ %s = &%s; sum ^= %s; }"
                    % (self.future(types[kind][0], "*q"), name, self.touched("*q", kind, types)),
                    level,
                )
            elif how == "pass" and kind in PASSED and [s for s in self.stages if s.of == kind]:
                stage, v = r.choice([s for s in self.stages if s.of == kind]), self.name("got")
                self.declare("u64 %s;" % v)
                self.pending.add(v)
                self.spawns += self.weight
                self.out(
                    "%s = %s;"
                    % (v, self.spawn(self.stage_call(stage, "seed ^ 3", "&" + name, r.choice(["0", "&" + name])))),
                    level,
                )
                self.later.append(v)
