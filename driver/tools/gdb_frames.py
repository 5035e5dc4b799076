"""The frames of the program: what kind of function each is in, and its variables, in a frame or in a closure. Names,
lines and texts are those of the tables that the compiler writes with -g (rt/core/abi.def: cilk_sig, cilk_slot_info)."""

import os
import re

import gdb

from gdb_data import MOST, closure_at, text

WIDE = 60               # characters of a value in a line


class Selection:
    """Puts the user's thread and frame back."""

    def __enter__(self):
        self.thread = gdb.selected_thread()
        try:
            self.frame = gdb.selected_frame() if self.thread else None
        except gdb.error:
            self.frame = None

    def __exit__(self, *_):
        if self.thread and self.thread.is_valid():
            self.thread.switch()
            if self.frame and self.frame.is_valid():
                self.frame.select()


def stack(thread):
    """The frames of a thread, newest first."""
    thread.switch()
    frame, frames = gdb.newest_frame(), []
    while frame is not None and len(frames) < MOST:
        frames.append(frame)
        try:
            frame = frame.older()
        except gdb.error:
            break
    return frames


def link_name(address):
    """The linker's name of the function at an address; "" if it has none."""
    words = gdb.execute("info symbol 0x%x" % address, to_string=True).split()
    return words[0] if words and words[0] != "No" else ""


names = {}


def kind_of(frame):
    """fast, slow, deliver, c: which code a frame runs; runtime and system where the user has none of it."""
    function = frame.function()
    if function is None:
        return "system"
    key = (function.name, function.symtab.filename, function.line, int(function.value().address))
    if key not in names:
        names[key] = classify(function)
    return names[key]


def classify(function):
    # gdb reads f.slow as f[slow]
    which = re.search(r"[.\[](fast|slow|deliver|thunk)\b|^(mt_)", link_name(int(function.value().address)))
    if which:
        return "runtime" if which[1] in ("thunk", None) else which[1]
    runtime = gdb.lookup_global_symbol("cilk_rt_sync")          # in rt/core/protocol, a room of rt/
    if runtime and function.symtab.fullname().startswith(os.path.dirname(os.path.dirname(runtime.symtab.fullname())) + "/"):
        return "runtime"
    return "c" if os.path.exists(function.symtab.fullname()) or function.name == "main" else "system"


def closure_of(frame):
    """The closure of a Cilk procedure's frame; None if it has none (yet)."""
    try:
        block = frame.block()
    except RuntimeError:
        return None
    while block and not block.is_global and not block.is_static:
        for symbol in block:
            if symbol.name == "cilk.closure":
                value = symbol.value(frame)
                return closure_at(value) if not value.is_optimized_out and int(value) else None
        block = block.superblock
    return None


def shown(value):
    try:
        words = " ".join(value.format_string(max_elements=8, repeat_threshold=5).split())
    except (gdb.error, ValueError, TypeError) as error:
        words = "<%s>" % error
    return words if len(words) <= WIDE else words[:WIDE - 3] + "..."


def scopes(block):
    """The variables of a place, the innermost scope first; those hidden by one of the same name are left out."""
    seen = set()
    while block is not None and not block.is_global and not block.is_static:
        here = [
            s
            for s in block
            if (s.is_variable or s.is_argument)
            and s.addr_class != gdb.SYMBOL_LOC_STATIC
            and "." not in s.name
            and s.name not in seen
        ]
        for symbol in here:
            seen.add(symbol.name)
            yield symbol
        if block.function:
            return
        block = block.superblock


class Variables:
    """Arguments and locals as (name, value), at a procedure's present place."""

    def __init__(self):
        self.arguments, self.locals = [], []

    def add(self, symbol, value):
        (self.arguments if symbol.is_argument else self.locals).append((symbol.name, value))

    def settle(self):
        self.arguments.reverse()        # of slow clones gdb has them by name; the tables by place
        return self


def of_frame(frame):
    made = Variables()
    try:
        block = frame.block()
    except RuntimeError:
        return made
    for symbol in scopes(block):
        try:
            made.add(symbol, symbol.value(frame))
        except gdb.error as error:
            made.add(symbol, "<%s>" % error)
    return made


def block_at(sig, line):
    """The innermost scope of the slow clone's text at a line."""
    start = int(sig["slow"])
    whole = gdb.block_for_pc(start)
    while whole and not whole.function:
        whole = whole.superblock
    if whole is None:
        return None
    found, size = whole, whole.end - whole.start + 1
    for row in gdb.find_pc_line(start).symtab.linetable() or ():
        if row.line == line and whole.start <= row.pc < whole.end:
            block = gdb.block_for_pc(row.pc)
            if block and block.end - block.start < size:
                found, size = block, block.end - block.start
    return found


def slots_of(sig):
    return [sig["slots"][i] for i in range(int(sig["nslots"]))] if int(sig["slots"]) else []


def of_closure(closure, line):
    """What a closure that is on no stack keeps: its slots, by the types that the slow clone's variables have."""
    made = Variables()
    sig = closure["sig"]
    slots = {(text(s["name"]), int(s["line"])): s for s in slots_of(sig)}
    block = block_at(sig, line)
    for symbol in scopes(block) if block else ():
        slot = slots.get((symbol.name, symbol.line))
        if slot is None:
            continue                    # lives in no scope that goes on after a spawn or sync
        try:
            made.add(symbol, in_slot(closure, slot, symbol.type))
        except gdb.error as error:
            made.add(symbol, "<%s>" % error)
    return made


def in_slot(closure, slot, kind):
    place = gdb.Value(int(closure) + int(slot["offset"]))
    if kind.strip_typedefs().code == gdb.TYPE_CODE_ARRAY and kind.sizeof != int(slot["size"]):
        # of variable size: the slot has its address
        block = place.cast(gdb.lookup_type("unsigned long").pointer()).dereference()
        return "%s at 0x%x" % (text(slot["type"]), int(block))
    return place.cast(kind.pointer()).dereference()


def named(closure, address):
    """The place at an address, in a closure's words: x, a[2], p.y; None if it is elsewhere."""
    for slot in slots_of(closure["sig"]):
        offset = address - int(closure) - int(slot["offset"])
        if 0 <= offset < int(slot["size"]):
            name, line = text(slot["name"]), int(slot["line"])
            kinds = [symbol.type for symbol in all_symbols(block_at(closure["sig"], 0))
                     if symbol.name == name and symbol.line == line]
            return name + (inside(kinds[0], offset) if kinds else "")
    return None


def all_symbols(block):
    """The symbols of a function, in whatever scope they are."""
    if block is None:
        return
    seen, at = set(), block.start
    while at < block.end:
        inner = gdb.block_for_pc(at)
        if inner is None:
            return
        for scope in climb(inner, block):
            if (scope.start, scope.end) not in seen:
                seen.add((scope.start, scope.end))
                yield from scope
        line = gdb.find_pc_line(at)
        at = line.last + 1 if line.last and line.last >= at else at + 1


def climb(block, top):
    while block is not None and block.start >= top.start and block.end <= top.end:
        yield block
        if block.function:
            return
        block = block.superblock


def inside(kind, offset):
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        element = kind.target()
        if element.sizeof and offset < kind.sizeof:
            return "[%d]%s" % (offset // element.sizeof, inside(element, offset % element.sizeof))
    elif kind.code == gdb.TYPE_CODE_STRUCT:
        for field in kind.fields():
            at = field.bitpos // 8 if hasattr(field, "bitpos") else 0
            if field.name and at <= offset < at + field.type.sizeof:
                return ".%s%s" % (field.name, inside(field.type, offset - at))
    return ""
