"""The values of a program's variables at each point of a run (rt/extensions/replay/step.c), for step_story.py.

The log has the memory that changed and where the variables of each place are; the words for types are those of
codegen/events/step.cpp. A variable is a *shape* whose *leaves* are numbers, pointers and texts; what is kept of a step
is the leaves that changed. A block of the heap is an object once a pointer with a type leads to it.
"""

import bisect
import re
import struct
import sys

CELLS, LEAVES = 24, 64          # of an array that are shown; of a variable
LARGEST = 1 << 12               # bytes of a closure
UNKNOWN = "?"
POISON = 0xAA                   # of what has no value yet: -ftrivial-auto-var-init=pattern, and blocks of the heap
ORDER = "<" if sys.byteorder == "little" else ">"
FLOATS = {2: "e", 4: "f", 8: "d"}
SCALAR = re.compile(r"([iufcbx])(\d+)")
ARRAY = re.compile(r"a(\d+):")
FUTURE = re.compile(r"w(\d+)\.(\d+):")         # it has its value in the states FULL and ORDERED of rt/core/abi.h
FULL = (3, 4)


class Leaf:
    __slots__ = ("number", "at", "type", "bits", "text", "label", "variable", "missing")

    def __init__(self, number, at, kind, bits, label, variable):
        self.number, self.at, self.type, self.bits, self.label, self.variable = number, at, kind, bits, label, variable
        self.text, self.missing = None, None


class Variable:
    def __init__(self, number, name, line, kind, owner):
        self.number, self.name, self.line, self.kind, self.owner = number, name, line, kind, owner
        self.at, self.leaves, self.shape, self.bound = 0, [], None, False

    def data(self):
        return {"n": self.name, "o": self.owner, "k": self.kind, "s": self.shape}


class Frame:
    """The variables of an instance, or of a C function that it has called."""

    def __init__(self, name, at):
        self.name, self.at, self.variables, self.visible = name, at, {}, []


class Values:
    def __init__(self):
        self.memory: "dict[int, int]" = {}
        self.lines: "dict[int, set[Leaf]]" = {}         # leaves by the 64 bytes that they are in
        self.scopes, self.records, self.variables = {}, {}, []
        self.leaves, self.frames = 0, {}                # frames: of an instance, the innermost last
        self.blocks, self.sizes, self.objects = [], {}, {}
        self.touched: "set[Leaf]" = set()
        self.closures, self.shown_of = {}, {}   # of instances: where its closure is; the frames that a step had last
        self.begin()

    # ---- the log ----

    def begin(self):
        """A new step."""
        self.scope, self.places, self.type, self.printed = None, [], "", None
        self.freed, self.typed = [], []

    def line(self, words):
        if words[0] == "scope":
            rows = [word.split("|") for word in words[3:]]
            self.records.update(((words[2], row[1]), row[2:]) for row in rows if row[0] == "#")
            self.scopes[words[1]] = (words[2], [row for row in rows if row[0] != "#"])
        elif words[0] == "global":
            unit, rows = self.scopes[words[1]]
            row = rows[int(words[2])]
            self.bind(self.variable(row[0], int(row[1]), "g", -1), int(words[3], 16), unit, row[3])
        elif words[0] == "vars":
            self.scope, self.places = words[1], [int(w, 16) for w in words[2:]]
        elif words[0] == "type":
            self.type = words[1] if len(words) > 1 else ""
        elif words[0] == "out":
            self.printed = int(words[1])
        elif words[0] == "mem":
            at, data = int(words[1], 16), bytes.fromhex(words[2])
            self.memory.update(zip(range(at, at + len(data)), data))
            for line in range(at >> 6, (at + len(data) + 63 >> 6) + 1):
                self.touched.update(self.lines.get(line, ()))
        elif words[0] == "block":
            at = int(words[1], 16)
            if at not in self.sizes:
                bisect.insort(self.blocks, at)
            self.sizes[at] = int(words[2])
            self.drop(at)
        elif words[0] == "free":
            self.drop(int(words[1], 16))

    def drop(self, at):
        old = self.objects.pop(at, None)
        if old:
            self.freed.append(old.number)
            self.unbind(old)

    # ---- variables ----

    def variable(self, name, line, kind, owner):
        made = Variable(len(self.variables), name, line, kind, owner)
        self.variables.append(made)
        return made

    def bind(self, variable, at, unit, kind, count=None):
        """Its memory begins there from now on."""
        if variable.bound and variable.at == at:
            return
        moved = bool(variable.leaves)
        self.unbind(variable)
        if not moved:
            variable.shape = self.shape(variable, at, unit, kind if count is None else "a%d:%s" % (count, kind), "")
        # a slow clone restores what it needs into memory of its own, which is filled with the pattern; a closure has all
        elsewhere = moved and not self.in_closure(variable.owner, at)
        for leaf in variable.leaves:
            leaf.at += at - variable.at if moved else 0
            leaf.missing = bytes([POISON]) * size_of(leaf.type[1]) if elsewhere else None
            self.lines.setdefault(leaf.at >> 6, set()).add(leaf)
            self.touched.add(leaf)
        variable.at, variable.bound = at, True

    def in_closure(self, instance, at):
        return 0 <= at - self.closures.get(instance, -LARGEST) < LARGEST

    def unbind(self, variable):
        variable.bound = False
        for leaf in variable.leaves:
            self.lines.get(leaf.at >> 6, set()).discard(leaf)

    def suspend(self, instance, closure):
        """It is on no stack any more: what is not in its closure keeps its value."""
        self.closures[instance] = closure
        for frame in self.frames.get(instance, []):
            for variable in frame.variables.values():
                if not self.in_closure(instance, variable.at):
                    self.unbind(variable)

    def leaf(self, variable, at, unit, kind, label, bits=None):
        made = Leaf(self.leaves, at, (unit, kind), bits, label, variable)
        self.leaves += 1
        variable.leaves.append(made)
        return made.number

    def shape(self, variable, at, unit, kind, label):
        """A number for a leaf; {a: cells, n: of so many}; {r: its type, m: [[name, shape]]}."""
        array = ARRAY.match(kind)
        if array:
            element, count = kind[array.end():], int(array[1])
            if element == "c1":
                return self.leaf(variable, at, unit, kind, label)
            size, cells = self.size(unit, element), []
            for i in range(min(count, CELLS)):
                if len(variable.leaves) >= LEAVES or not size:
                    break
                cells.append(self.shape(variable, at + i * size, unit, element, "%s[%d]" % (label, i)))
            return {"a": cells, "n": count}
        record = self.records.get((unit, kind)) if kind.startswith("r") else None
        if record:
            members = []
            for member in record[2:]:
                name, offset, inner = member.split("@")
                place, *bits = [int(n) for n in offset.split(".")]
                if len(variable.leaves) < LEAVES:
                    inside = (variable, at + place, unit, inner, label + "." + name if name else label)
                    members.append([name, self.leaf(*inside, bits) if bits else self.shape(*inside)])
            return {"r": record[0], "m": members}
        return self.leaf(variable, at, unit, kind, label)

    def size(self, unit, kind):
        array = ARRAY.match(kind)
        if array:
            return int(array[1]) * self.size(unit, kind[array.end():])
        if kind.startswith("r"):
            return int(self.records.get((unit, kind), ("", "0"))[1])
        return size_of(kind)

    def bytes(self, at, size):
        try:
            return bytes(self.memory[i] for i in range(at, at + size))
        except KeyError:
            return None

    def shown(self, unit, kind, at, bits=None):
        """The value of a leaf that is there."""
        array = ARRAY.match(kind)
        if array:
            return self.text(at, int(array[1]))
        future = FUTURE.match(kind)
        if future:
            state = self.bytes(at, 8)
            filled = state and int.from_bytes(state, sys.byteorder) in FULL
            return self.shown(unit, kind[future.end():], at + int(future[2])) if filled else UNKNOWN
        size = size_of(kind)
        data = self.bytes(at, size) if size else None
        if not data:
            return UNKNOWN
        if bits:
            whole = int.from_bytes(data, sys.byteorder) >> bits[0] & (1 << bits[1]) - 1
            return str(whole - (1 << bits[1]) if kind[0] == "i" and whole >> bits[1] - 1 else whole)
        if data.count(POISON) == size and (size > 1 or kind[0] not in "u"):
            return UNKNOWN
        if kind[0] == "p":
            return self.pointer(unit, kind[1:], int.from_bytes(data, sys.byteorder))
        if kind[0] == "f" and size in FLOATS:
            return "%.6g" % struct.unpack(ORDER + FLOATS[size], data)[0]
        if kind[0] == "c":
            return repr(chr(data[0])) if 32 <= data[0] < 127 else str(int.from_bytes(data, sys.byteorder, signed=True))
        if kind[0] in "iub":
            return str(int.from_bytes(data, sys.byteorder, signed=kind[0] == "i"))
        return data[:8].hex() + ("…" if size > 8 else "")

    def text(self, at, most):
        made = ""
        for i in range(at, at + min(most, 60)):
            c = self.memory.get(i)
            if not c or c == POISON:
                return UNKNOWN if not made and c == POISON else '"%s"' % made
            made += chr(c) if 32 <= c < 127 else "\\%o" % c
        return '"%s"' % made

    def pointer(self, unit, kind, to):
        """→ what it points to, # the number of the variable or object."""
        if not to:
            return "NULL"
        at = bisect.bisect_right(self.blocks, to) - 1
        if at >= 0 and to < self.blocks[at] + max(self.sizes[self.blocks[at]], 1):
            begin = self.blocks[at]
            size = self.size(unit, kind)
            if begin not in self.objects and size and kind != "v":
                count = self.sizes[begin] // size
                name = self.records[unit, kind][0] if (unit, kind) in self.records else "heap"
                self.objects[begin] = made = self.variable(name.removeprefix("struct "), 0, "h", -2)
                made.name += " " + str(sum(v.owner == -2 for v in self.variables))
                self.typed.append(made.number)
                self.bind(made, begin, unit, kind, None if count <= 1 else count)
            found = self.objects.get(begin)
            if found:
                label = next((leaf.label for leaf in found.leaves if leaf.at == to), "") if to != begin else ""
                return "→%s%s#%d" % (found.name, label, found.number)
        for leaf in self.lines.get(to >> 6, ()):
            if leaf.at == to:
                first = leaf.variable.leaves[0] is leaf
                return "→%s%s#%d" % (leaf.variable.name, "" if first else leaf.label, leaf.variable.number)
        return "0x%x" % to

    # ---- steps ----

    def settle(self, step, instance, name):
        """All lines of the step are read. instance: that its worker runs; name: of its procedure."""
        if self.scope in self.scopes:
            self.enter(step, instance, name)
        made, waiting = [], self.touched
        for _ in range(20):
            self.touched = set()
            for leaf in sorted(waiting, key=lambda one: one.number):
                unit, kind = leaf.type
                if leaf.missing is not None:
                    if self.bytes(leaf.at, size_of(kind)) == leaf.missing and leaf.text is not None:
                        continue            # it was not restored, and keeps what it had
                    leaf.missing = None
                text = self.shown(unit, kind, leaf.at, leaf.bits)
                if text != (leaf.text or UNKNOWN):      # what is not named has no value yet
                    made += [leaf.number, text]
                leaf.text = text
            waiting = self.touched
            if not waiting:
                break
        unit = self.scopes[self.scope][0] if self.scope in self.scopes else ""
        if self.type and step.memory:
            step.access = (unit, self.type, int(step.memory, 16))
            step.value = self.shown(*step.access)
        step.changes, step.born, step.freed, step.printed = made, self.typed, self.freed, self.printed
        self.begin()

    def after(self, step):
        """What is in the memory that a step was about to access, now that its worker has gone on."""
        return self.shown(*step.access) if step.access else None

    def enter(self, step, instance, name):
        frames = self.frames.setdefault(instance, [Frame("", None)])
        at = self.places[0] if self.places else None
        if step.procedure == name:
            self.returned(frames, 1)
        else:
            known = next((i for i, f in enumerate(frames) if i and f.name == step.procedure and f.at in (at, None)), 0)
            if known:
                self.returned(frames, known + 1)
            else:
                frames.append(Frame(step.procedure, at))
        unit, rows = self.scopes[self.scope]
        frame, visible = frames[-1], []
        for row, place in zip(rows, self.places):
            key = (row[0], row[1])
            found = frame.variables.get(key)
            if not found:
                found = frame.variables[key] = self.variable(row[0], int(row[1]), row[2], instance)
            self.bind(found, place, unit, row[3])
            visible.append(found.number)
        frame.visible = visible
        now = [[f.name, f.visible] for f in frames]
        if self.shown_of.get(instance) != now:
            self.shown_of[instance] = now
            step.frames = [instance, now]

    def returned(self, frames, first):
        """Drops the frames of C functions beginning at `first`."""
        for frame in frames[first:]:
            for variable in frame.variables.values():
                self.unbind(variable)
        del frames[first:]

    def find(self, instance, name):
        """The variable of that name in the innermost frame of an instance."""
        for frame in reversed(self.frames.get(instance, [])):
            for number in frame.visible:
                if self.variables[number].name == name:
                    return self.variables[number]
        return None

    def leave(self, instance):
        for frame in self.frames.pop(instance, []):
            for variable in frame.variables.values():
                self.unbind(variable)


def size_of(kind):
    if kind.startswith("p"):
        return struct.calcsize("P")
    array = ARRAY.match(kind)
    if array:
        return int(array[1]) * size_of(kind[array.end():])
    future = FUTURE.match(kind)
    if future:
        return int(future[1])
    scalar = SCALAR.match(kind)
    return int(scalar[2]) if scalar else 0
