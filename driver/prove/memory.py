"""Memory of a symbolic run: what cells hold, what a store may change.

A cell that was not stored since the function began has a name: its value at entry, the same atom in every path
(`facts.entry`). What is read under a lock or atomically is always unknown, as another strand may have changed it.
"""

from .solver import check_time
from .tree import plain
from .values import (
    ANY,
    LITERAL,
    NULL,
    OTHER,
    Event,
    Part,
    Place,
    Ptr,
    Root,
    Unsupported,
    Variable,
    fits,
    of_type,
    only,
    serial,
)

KINDS = ("integer", "pointer", "other")
NAMED = ("param", "global", "cell", "local", "heap")
# Regions that a state does not know yet, as a whole: what pointers lead to, and global objects that others may reach.
POINTED, GLOBALS = Root("unknown", None, "pointed"), Root("unknown", None, "globals")


def kind_of_family(family):
    """Which values a store of this family may change; None: all."""
    return family.split()[0] if family else None


class Memory(Part):
    # ---- objects

    def in_memory(self, declaration):
        return bool(
            declaration.addressTaken
            or declaration.storage != "automatic"
            or declaration.crossesNested
            or not declaration.type.is_scalar
            or declaration.type.atomic
        )

    def root_of(self, declaration):
        if declaration.storage == "automatic":
            return Root("local", self.function, declaration)
        return Root("global", None, declaration)

    def object(self, declaration):
        root = self.root_of(declaration)
        return Place(self.analysis.base(root), frozenset([root]), declaration.type.size, declaration.type)

    def declare(self, state, declaration, value):
        """The variable begins here. In a loop, children of earlier rounds still deliver there."""
        if declaration not in self.names_that_count():
            state.pending.pop(declaration, None)
        if not self.in_memory(declaration):
            state.variables[declaration] = value if value is not None else of_type(declaration.type, declaration.name)
            return
        root = self.root_of(declaration)
        self.forget(state, root)
        if declaration.type.is_integer and value is not None:
            value = self.normal(state, value, declaration.type)
        if value is not None and declaration.type.is_scalar and not declaration.type.volatile:
            state.cells[root] = {self.cell(0, declaration.type): value}

    def names_that_count(self):
        """Variables of which something else is done than to have children deliver there."""
        if self.counting is None:
            targets, idents = set(), []
            for body in self.analysis.effects.bodies(self.function):
                for node in body.walk():
                    if node.kind == "Spawn" and node.form == "receiver" and not node.delivery.op:
                        targets.add(id(plain(node.delivery.left)))
                    if node.kind == "Ident":
                        idents.append(node)
            self.counting = {node.declaration for node in idents if id(node) not in targets}
        return self.counting

    @staticmethod
    def cell(offset, type_):
        return offset, type_.size, bool(type_.signed), kind_of_type(type_)

    # ---- events

    def emit(self, state, event):
        event.path, event.out, event.locks, event.touched = state.path, state.out, state.locks, state.touched
        event.update = self.updating
        event.deciding, event.workers = self.deciding > 0, state.workers
        self.events.append(event)
        self.budget -= 1
        check_time()
        if self.budget < 0:
            raise Unsupported(event.node, "too many paths")
        return event

    def access(self, state, kind, place, node, part=0, length=None, atomic=False):
        roots = frozenset(root for root in place.roots if root not in (NULL, LITERAL))
        if not roots:
            return
        seen = Place(place.address, roots, place.size, place.type, place.mixed)
        seen.atomic = place.atomic or atomic
        self.emit(state, Event(kind, node, place=seen, length=length, site=(node, part)))

    # ---- reading

    def load(self, state, place, node):
        type_ = place.type
        if not type_.is_scalar:
            return OTHER
        if type_.volatile or place.atomic or state.locks or place.mixed:
            return of_type(type_, "value")
        root = only(place.roots)
        if root is None or root.kind not in NAMED:
            return of_type(type_, "value")
        offset = (place.address - self.analysis.base(root)).constant()
        if offset is None:
            return of_type(type_, "value")
        key = self.cell(offset, type_)
        cells = state.cells.get(root, {})
        if key in cells:
            return cells[key]
        if any(overlap(key, other) for other in cells):
            return of_type(type_, "value")
        return self.unstored(self.version(state.versions, root, key[3]), root, key, type_)

    def version(self, versions, root, kind):
        """Since when nothing that is not a cell was stored in the region."""
        if (root, kind) in versions:
            return versions[root, kind]
        if root.kind in ("param", "cell"):
            return versions.get((POINTED, kind), 0)
        return versions.get((GLOBALS, kind), 0) if root.kind == "global" and self.analysis.reachable(root) else 0

    def unstored(self, version, root, key, type_):
        """What a cell holds that nothing was stored in since `version`; 0: since the function began."""
        if version == 0 and root.kind == "global":
            known = self.analysis.constant(root.what, key)
            if known is not None and fits(known, type_):
                return known
        if version or root.kind not in ("param", "global", "cell"):
            memo = self.cell_values
            if (root, key, version) not in memo:
                memo[root, key, version] = of_type(type_, cell_name(root, key))
            return memo[root, key, version]
        return self.facts.entry_value(root, key, type_)

    # ---- writing

    def store(self, state, place, value):
        root, type_ = only(place.roots), place.type
        if type_.is_integer:
            value = self.normal(state, value, type_)
        if place.atomic or state.locks or place.mixed or type_.volatile:
            value = OTHER if not type_.is_scalar else of_type(type_, "value")
        if root is not None and root.kind in NAMED:
            offset = (place.address - self.analysis.base(root)).constant()
            if offset is not None and place.size is not None:
                self.store_cell(state, root, offset, place, value)
                self.forget_others(state, place, root)
                return
            if root.kind in ("local", "heap", "global"):
                self.forget(state, root)
                self.forget_others(state, place, root)
                return
        for known in place.roots:
            self.forget(state, known)
        if any(r.kind in ("param", "cell", "any") for r in place.roots):
            self.forget_shared(state, place.family, set(), place.roots)

    def forget_others(self, state, place, root):
        """Regions that may be the same as one that was stored to."""
        if root.kind in ("param", "cell"):
            self.forget_shared(state, place.family, {root}, place.roots)
        elif root.kind == "global" and self.analysis.reachable(root):
            kept = {known for known in self.known_roots(state) if known.kind not in ("param", "cell")}
            self.forget_shared(state, place.family, kept, place.roots, (POINTED,))

    def store_cell(self, state, root, offset, place, value):
        type_ = place.type
        key = (offset, place.size, bool(type_.signed), kind_of_type(type_))
        cells = state.cells.setdefault(root, {})
        others = [other for other in cells if other != key and overlap(key, other)]
        if others or not type_.is_scalar or value is OTHER or not fits(value, type_):
            if type_.is_floating and not others and self.analysis.strict and not place.mixed:
                return  # no cell of a floating type is known
            self.forget(state, root)
            cells = state.cells[root]
        if type_.is_scalar and value is not OTHER and fits(value, type_):
            cells[key] = value

    # ---- forgetting

    def forget(self, state, root):
        """All of the region may have changed."""
        if root.kind in NAMED:
            state.cells[root] = {}
        if root.kind in NAMED or root in (POINTED, GLOBALS):
            for kind in KINDS:
                state.versions[root, kind] = next(serial)

    def known_roots(self, state):
        known = set(state.cells) | {root for root, _ in state.versions}
        known |= {root for root, _ in self.facts.entry} | {root for root, *_ in self.cell_values}
        return known - {POINTED, GLOBALS}

    def forget_shared(self, state, family, kept, roots, others=(POINTED, GLOBALS)):
        """A store through a pointer that may lead to other regions, too. Only cells of the stored family change. roots:
        where it leads to; objects of our own only if nothing is known of it, and others may have their address."""
        kind = kind_of_family(family) if self.analysis.strict else None
        if kind == "floating":
            return
        kinds = None if kind is None else {kind}
        for root in self.known_roots(state) - kept:
            own = root.kind in ("local", "heap")
            if self.reached_by_any(root, roots) if own else self.analysis.reachable(root):
                self.forget_kinds(state, root, kinds)
        for root in kept:
            for one in kinds or KINDS if root.kind in ("param", "cell", "global") else ():
                state.versions[root, one] = self.version(state.versions, root, one)
        for root in others:
            self.forget_kinds(state, root, kinds)

    def reached_by_any(self, root, roots):
        return ANY in roots and leak_of(root) in self.facts.leaked

    def forget_kinds(self, state, root, kinds):
        if kinds is None:
            self.forget(state, root)
            return
        cells = state.cells.get(root, {})
        for key in [key for key in cells if key[3] in kinds]:
            del cells[key]
        for kind in kinds:
            state.versions[root, kind] = next(serial)

    def forget_by_call(self, state, targets, arguments):
        """What a call of these functions may have changed."""
        effect = self.analysis.effects.of(targets)
        for declaration in effect.globals:
            self.forget(state, Root("global", None, declaration))
        reached = self.reached_from(state, arguments)
        if effect.keeps_pointers:
            self.leak(reached)
        if not effect.families:
            return
        kinds = {kind_of_family(family) for family in effect.families} if self.analysis.strict else {None}
        if None not in kinds and not kinds & {"pointer", "integer"}:
            return
        changed = None if None in kinds else kinds & {"pointer", "integer"}
        for root in self.known_roots(state) | reached:
            if root.kind in ("local", "heap"):
                if root in reached or leak_of(root) in self.facts.leaked:
                    self.forget_kinds(state, root, changed)
            elif root.kind in NAMED and self.analysis.reachable(root):
                self.forget_kinds(state, root, changed)
        for root in (POINTED, GLOBALS):
            self.forget_kinds(state, root, changed)

    def reached_from(self, state, arguments):
        reached, todo = set(), [r for value in arguments if isinstance(value, Ptr) for r in value.roots]
        while todo:
            root = todo.pop()
            if root in reached:
                continue
            reached.add(root)
            for value in state.cells.get(root, {}).values():
                if isinstance(value, Ptr):
                    todo.extend(value.roots)
        return reached

    def leak(self, roots):
        """Others may have an address in these regions from now on: it was stored in memory."""
        self.facts.leaked |= {leak_of(root) for root in roots if root.kind in ("local", "heap")}

    # ---- lvalues

    def read(self, state, lvalue, node):
        if isinstance(lvalue, Variable):
            declaration = lvalue.declaration
            if declaration in state.pending:
                self.early(state, declaration, node, "read")
                return of_type(declaration.type, declaration.name)
            if declaration not in state.variables:
                return of_type(declaration.type, declaration.name)
            return state.variables[declaration]
        if lvalue is None:
            return of_type(node.type, "value")
        self.access(state, "R", lvalue, node)
        return self.load(state, lvalue, node)

    def write(self, state, lvalue, value, node):
        if isinstance(lvalue, Variable):
            declaration = lvalue.declaration
            if declaration in state.pending or declaration in self.watched(state):
                self.early(state, declaration, node, "written")
            state.variables[declaration] = value
        elif lvalue is not None:
            self.access(state, "W", lvalue, node)
            if isinstance(value, Ptr):
                self.leak(value.roots)
            if lvalue.atomic and not lvalue.type.is_integer:
                self.analysis.publish()
            self.store(state, lvalue, value)

    def watched(self, state):
        """Variables that the inlets of children outstanding read."""
        return {d for event in state.out for d in self.inlet_reads.get(event.origin, ())}

    def early(self, state, declaration, node, how, op=None):
        """The procedure uses a variable that a child outstanding may still set."""
        pending = state.pending.get(declaration)
        if pending is not None:
            if how == "updated" and pending.op is not None and op == pending.op:
                return
            if pending.speculative and self.deciding:
                return
            if declaration.type.volatile:
                return
        spawn = pending.event.line if pending else 0
        self.earlies.append((spawn, declaration.name, node.line or 0, how, state.path))


def kind_of_type(type_):
    return "integer" if type_.is_integer else "pointer" if type_.is_pointer else "other"


def leak_of(root):
    """What an object is called among those whose address others may have: blocks, by the call that makes them."""
    return root if root.kind == "local" else Root("heap", root.owner, None)


def overlap(a, b):
    """Two cells."""
    return a[0] < b[0] + (b[1] or 1) and b[0] < a[0] + (a[1] or 1)


def cell_name(root, key):
    return "%s%s" % (root_name(root), "[%d]" % key[0] if key[0] else "")


def root_name(root):
    what = root.what
    if root.kind == "cell":
        return "*" + cell_name(what[0], what[1])
    if root.kind in ("param", "local", "global"):
        return what if isinstance(what, str) else what.name
    return root.kind
