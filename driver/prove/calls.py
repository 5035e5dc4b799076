"""Calls: of functions with a body, of the C library, of locks; what comes back."""

from math import prod

from . import library, touches
from .poly import atoms_of, below, poly, rewrite, substitute, unknown
from .sections import touched_by
from .solver import follows
from .tree import callee_of, plain
from .values import (
    ANY,
    LITERAL,
    NULL,
    NULL_POINTER,
    OTHER,
    Event,
    Fun,
    Num,
    Part,
    Place,
    Ptr,
    Root,
    Unsupported,
    of_type,
    only,
    rename_value,
)

ERRNO = "errno"


class Calls(Part):
    def call(self, state, node, spawned=False):
        """(event, value); no event where the C library is called."""
        declaration = callee_of(node)
        callee = self.value(state, node.callee)
        targets = callee.functions if isinstance(callee, Fun) else None
        if declaration is not None:
            self.refuse(node, declaration)
            if not spawned and declaration.name in library.LOCKS and not self.analysis.defines(declaration):
                return None, self.lock(state, node, declaration.name)
        arguments = []
        for argument in node.arguments:
            value = self.value(state, argument)
            if argument.type.is_integer:
                value = self.normal(state, value, argument.type)
            arguments.append(value if argument.type.is_scalar else OTHER)
        if declaration is not None and not spawned and not self.analysis.defines(declaration):
            done, value = self.library(state, declaration, arguments, node)
            if done:
                return None, value
        event = Event("call", node, arguments=arguments, spawned=spawned, site=(node, 0))
        if spawned and declaration is not None and declaration.touches and not self.analysis.defines(declaration):
            with self.apart() as events:
                touches.apply(self, state, declaration, arguments, node, Effects(self, state, arguments, node))
            event.inside = tuple(events)
        elif targets is not None and all(self.analysis.defines(target) for target in targets):
            event.targets = tuple(sorted((self.analysis.function(t) for t in targets), key=lambda f: f.name))
        else:
            event.why = unknown_call(declaration)
        if event.targets and any(len(arguments) > len(f.parameters) for f in event.targets):
            self.leak(self.reached_from(state, arguments))
        if state.locks and self.analysis.effects.of(event.targets).locks:
            raise Unsupported(node, "a call that may take a lock while another one is held")
        event.cells = {root: dict(cells) for root, cells in state.cells.items()}
        event.versions = dict(state.versions)
        self.emit(state, event)
        self.forget_by_call(state, event.targets, arguments)
        if not spawned:
            state.touched += touched_by(self, [event])
        if event.targets and all(f.declaration.noreturn for f in event.targets):
            state.dead = True
        return event, self.returned(state, event, node)

    def refuse(self, node, declaration):
        name = declaration.name
        if name.startswith(OF_REDUCERS):
            self.analysis.block(self.function, node.line, "reducers")
        if name in library.NEVER or declaration.returnsTwice or name.startswith(("Cilk_start", "Cilk_wait")):
            self.analysis.block(self.function, node.line, "'%s'" % name)
            raise Unsupported(node, "'%s'" % name)

    def returned(self, state, event, node):
        type_ = node.type
        known = self.analysis.returns.get(event.targets[0]) if event.targets and len(event.targets) == 1 else None
        if known is None or not type_.is_scalar or type_.is_floating:
            if type_.is_pointer or type_.kind == "record":
                self.leak(self.reached_from(state, event.arguments))
            return of_type(type_, "result")
        function = event.targets[0]
        map_ = self.analysis.actuals(self, event, function)
        if type_.is_integer:
            if known.exact is not None and known.atoms <= set(map_):
                return rename_value(known.exact, map_)
            result = of_type(type_, function.name + "()")
            self.believe(state, known, map_, result.poly)
            return result
        return self.returned_pointer(state, event, node, known, map_)

    def returned_pointer(self, state, event, node, known, map_):
        function, roots = event.targets[0], set()
        for root in known.roots:
            if root.kind == "heap":
                roots.add(self.block(node))
            else:
                roots |= self.analysis.actual_roots(self, event, function, root)
        if len(roots) > 1:
            roots.discard(NULL)
        found = frozenset(roots or {ANY})
        if ANY in found:
            self.leak(self.reached_from(state, event.arguments))
        if known.exact is not None and known.atoms <= set(map_):
            return Ptr(substitute(known.exact.address, map_), found)
        if known.fresh and only(found) is not None:
            return Ptr(self.analysis.base(only(found)), found)
        address = unknown(function.name + "()") * (node.type.alignment if node.type.is_pointer else 1)
        self.believe(state, known, map_, address)
        return Ptr(address, found)

    def believe(self, state, known, map_, result):
        map_ = {**map_, known.atom: result}
        for fact in known.facts:
            if all(a in map_ or self.analysis.is_quotient(a) for a in atoms_of(fact)):
                state.assume(rewrite(fact, map_))

    def block(self, node):
        """A new block of memory."""
        return Root("heap", node, unknown("block").direct().pop())

    # ---- locks

    def lock(self, state, node, name):
        value = self.value(state, node.arguments[0])
        if not isinstance(value, Ptr) or ANY in value.roots:
            raise Unsupported(node, "a lock that is not known")
        place = Place(value.address, value.roots, 4, node.arguments[0].type.of)
        place.shared = name in library.SHARED
        self.analysis.publish()  # who takes it later may read pointers that were stored under it
        if library.LOCKS[name] > 0:
            if not all(self.in_order(state, held, place) for held in state.locks):
                raise Unsupported(node, "a lock that is taken while another one is held")
            state.locks += (place,)
            return of_type(node.type)
        for held in state.locks:
            if held.address == place.address and held.roots == place.roots:
                state.locks = tuple(lock for lock in state.locks if lock is not held)
                return of_type(node.type)
        raise Unsupported(node, "a lock is released of which it is not known that this function took it")

    def in_order(self, state, held, place):
        """Two that are held at once are taken upwards in one object, or in an order of global objects: then no
        two are taken in both orders."""
        first, second = only(held.roots), only(place.roots)
        if first is None or second is None:
            return False
        if first == second:
            return follows(below(held.address, place.address), state.path)
        return first.kind == second.kind == "global" and self.analysis.orders_locks(first, second)

    # ---- the C library

    def library(self, state, declaration, arguments, node):
        """(is it known?, the value)"""
        name = declaration.name
        if library.is_atomic(name):
            return True, self.atomic(state, name, arguments, node)
        if name in library.LOCK_INIT:
            if name in ("pthread_mutex_init", "pthread_rwlock_init") and arguments[1:] and arguments[1] != self.null():
                raise Unsupported(node, "a mutex with attributes")
            Effects(self, state, arguments, node).apply("w0")  # each that initialises it makes another lock
            return True, of_type(node.type)
        if name == "__cilk_self":
            worker = unknown("Self", 0)
            state.workers |= worker.direct()
            return True, Num(worker)
        if name == "qsort":
            return self.qsort(state, arguments, node), OTHER
        if declaration.touches:
            touches.apply(self, state, declaration, arguments, node, Effects(self, state, arguments, node))
            return True, of_type(node.type, name)
        row = library.row_of(declaration)
        if row is None:
            return False, OTHER
        if node.value is not None:
            return True, Num(poly(node.value))
        effects = Effects(self, state, arguments, node)
        for word in row:
            effects.apply(word)
        if state.dead or effects.result is not None:
            return True, effects.result
        return True, of_type(node.type, name)

    @staticmethod
    def null():
        return NULL_POINTER

    def atomic(self, state, name, arguments, node):
        if "fence" in name or "synchronize" in name or "lock_free" in name:
            return of_type(node.type)
        if not arguments or not isinstance(arguments[0], Ptr):
            raise Unsupported(node, "an atomic access to a place that is not known")
        type_ = node.arguments[0].type.of
        place = Place(arguments[0].address, arguments[0].roots, type_.size, type_)
        place.atomic = True
        loads = "load" in name
        self.access(state, "R" if loads else "W", place, node, 0)
        if not loads:
            self.store(state, place, OTHER)
        generic = name in ("__atomic_load", "__atomic_store", "__atomic_exchange", "__atomic_compare_exchange")
        for number, value in enumerate(arguments[1:], 1):
            if isinstance(value, Ptr):
                moved = generic or number == 1 and "compare_exchange" in name
                # Where the value is copied to or from an object, others get its contents, not its address.
                self.leak(self.reached_from(state, [value]) - value.roots if moved else value.roots)
                if moved:
                    there = Place(value.address, value.roots, type_.size, type_)
                    there.atomic = False
                    self.access(state, "W", there, node, number)
                    self.store(state, there, of_type(type_))
        if type_.is_pointer:
            self.analysis.publish()
        return of_type(node.type, "atomic")

    def qsort(self, state, arguments, node):
        array, count, size, compare = arguments
        if not isinstance(array, Ptr) or not isinstance(compare, Fun):
            raise Unsupported(node, "qsort with a function that is not known")
        if not all(self.analysis.defines(d) for d in compare.functions):
            raise Unsupported(node, "qsort with a function that has no body here")
        length = (
            unknown("length", 0) if not isinstance(count, Num) or not isinstance(size, Num) else count.poly * size.poly
        )
        effects = Effects(self, state, arguments, node)
        effects.block("W", 0, length)
        inside = state.fork()
        elements = []
        for _ in range(2):
            number = unknown("element", 0)
            inside.assume(below(number, count.poly) if isinstance(count, Num) else None)
            step = size.poly if isinstance(size, Num) else unknown("size", 0)
            elements.append(Ptr(array.address + number * step, array.roots))
        event = Event("call", node, arguments=elements, spawned=False, site=(node, 1), cells={})
        event.targets = tuple(self.analysis.function(d) for d in compare.functions)
        event.versions = dict(state.versions)
        self.emit(inside, event)
        self.forget_by_call(state, event.targets, arguments[:1])
        return True


OF_REDUCERS = "__cilkrts_reducer", "__builtin_cilk_", "cilk_rt_view"


def unknown_call(declaration):
    """Why a call is not followed."""
    if declaration is None:
        return "a call through a pointer"
    return "reducers" if declaration.name.startswith(OF_REDUCERS) else "'%s' has no body here" % declaration.name


class Effects:
    """The words of a row, applied to a call."""

    def __init__(self, run, state, arguments, node):
        self.run, self.state, self.arguments, self.node, self.result = run, state, arguments, node, None

    def apply(self, word):
        node, run = self.node, self.run
        if word == "nothing":
            return
        if word == "never":
            self.state.dead = True
        elif word == "new":
            root = run.block(node)
            self.result = Ptr(run.analysis.base(root), frozenset([root]))
        elif word == "errno":
            root = Root("global", None, ERRNO)
            self.result = Ptr(run.analysis.base(root), frozenset([root]))
        elif word == "frees":
            self.free()
        elif word.startswith("texts"):
            self.texts(int(word[5:] or 0))
        elif word.startswith("outs"):
            for number in range(int(word[4:]) + 1, len(self.arguments)):
                if isinstance(self.arguments[number], Ptr):
                    self.block("W", number, self.length())
        elif word.startswith("keeps"):
            self.keep(int(word[5:]))
        elif word[0] in "=~":
            self.result = self.arguments[int(word[1:])]
            if word[0] == "~" and isinstance(self.result, Ptr):
                self.result = Ptr(unknown("found"), self.result.roots)
        elif word[0] in "rw" and word[1].isdigit():
            self.argument(word[0].upper(), int(word[1]), word[2:])
        else:
            self.hidden("R" if word.endswith("?") else "W", word.strip("@?"))

    def argument(self, kind, number, how):
        if number >= len(self.arguments):
            return
        value = self.arguments[number]
        if isinstance(value, Ptr) and value.roots <= {NULL, LITERAL} and kind == "R":
            return
        if isinstance(value, Ptr) and value.roots == {NULL} and how != "kept":
            return
        if how == "$":
            self.block(kind, number, self.length(1))
        elif how == "kept":
            if not isinstance(value, Ptr) or NULL in value.roots:
                self.arguments[number] = Ptr(unknown("pointer"), frozenset([ANY]))
            self.block(kind, number, self.length())
        elif how == "end":  # strtol stores where it stopped
            self.keep(0)
            self.block("W", number, poly(8))
        elif how[:1] == "#":
            sizes = [self.arguments[int(word)] for word in how[1:].split("*")]
            known = all(isinstance(size, Num) for size in sizes)
            self.block(kind, number, prod(size.poly for size in sizes) if known else self.length())
        else:
            type_ = plain(self.node.arguments[number]).type
            self.block(kind, number, poly(type_.of.size or 16) if type_.is_pointer else self.length())

    def keep(self, number):
        self.run.leak(self.run.reached_from(self.state, [self.arguments[number]]))

    @staticmethod
    def length(least=0):
        return unknown("length", least)

    def block(self, kind, number, length):
        value = self.arguments[number]
        if not isinstance(value, Ptr):
            value = Ptr(unknown("pointer"), frozenset([ANY]))
        place = Place(value.address, value.roots, 1, self.run.analysis.byte, True)
        self.run.access(self.state, kind, place, self.node, number + (10 if kind == "W" else 0), length=length)
        if kind == "W":
            for root in value.roots:
                self.run.forget(self.state, root)
            if any(root.kind in ("param", "cell", "any") for root in value.roots):
                self.run.forget_shared(self.state, None, set(), value.roots)

    def free(self):
        value = self.arguments[0]
        if isinstance(value, Ptr) and value.roots == {NULL}:
            return
        self.block("W", 0, self.length())

    def texts(self, first):
        for number, argument in enumerate(self.node.arguments):
            type_ = argument.type
            if number < first or not type_.is_pointer or not isinstance(self.arguments[number], Ptr):
                continue
            inner = plain(argument)
            if type_.of.size == 1:
                if not self.arguments[number].roots <= {LITERAL, NULL}:
                    self.block("R", number, self.length(1))
            elif type_.of.kind not in ("void", "record") and inner.kind != "Cast":
                raise Unsupported(self.node, "a pointer given to a function that prints")

    def hidden(self, kind, name):
        """State of the library's own."""
        root = Root("global", None, name + " of the C library")
        place = Place(self.run.analysis.base(root), frozenset([root]), 1, self.run.analysis.byte)
        self.run.access(self.state, kind, place, self.node, 20)
