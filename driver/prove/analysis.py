"""The program as a whole: which functions there are, in which order they are looked at, the regions that all know, and
what was assumed on the way."""

from . import library
from .effects import Effects
from .execute import Facts, Run
from .memory import root_name
from .poly import ATOMS, Atom, poly, quotient
from .tree import Type, plain
from .values import ANY, NULL_POINTER, OTHER, Num, Ptr, num, of_type, rename_roots, rename_value

APART = 1 << 16  # every object begins at a multiple of this, at least: a multiple of all sizes of scalars
STRICT = "memory is accessed by the type of what is in it (no -fno-strict-aliasing code)"


class Analysis:
    def __init__(self, program):
        self.program = program
        self.bases, self.base_atoms = {}, set()
        self.assumptions, self.blocks, self.returns = set(), [], {}
        self.lock_order = {}  # {region of a lock: those of locks that are taken under it}
        self.publishes = False  # pointers are handed on atomically or under a lock
        self.byte = byte_type()
        self.effects = Effects(program)
        self.functions = list(program.functions.values())
        self.facts = {function: Facts(self, function) for function in self.functions}
        self.main = self.find_main()
        self.whole = self.main is not None and self.effects.whole
        self.strict = not program.types_alias and not self.casts_between_families()
        self.reached = self.find_reached()
        self.order = self.components()
        self.component = {function: part for part in self.order for function in part}
        self.constants = {}
        if program.assembly:
            self.blocks.append((self.functions[0] if self.functions else None, 0, "assembly at file scope"))
        for document in program.documents:
            if any(type_.reducer for type_ in document.types):
                self.blocks.append((None, 0, "reducers"))
        for declaration in program.globals:
            if declaration.alias:
                self.blocks.append((None, declaration.line, "the alias '%s'" % declaration.name))

    # ---- functions

    def defines(self, declaration):
        function = self.program.functions.get(declaration)
        return function is not None and not (function.is_system and declaration.name in library.OURS)

    def function(self, declaration):
        return self.program.functions[declaration]

    def find_main(self):
        found = [f for f in self.functions if f.declaration.name == "main"]
        return next((f for f in found if f.cilk), found[0] if found else None)

    def find_reached(self):
        """All that may run: from main, or where there is none, from all functions of the files."""
        todo = [self.main] if self.main else [f for f in self.functions if not f.is_system]
        todo += [f for f in self.functions if f.declaration.constructor]
        seen = set()
        while todo:
            function = todo.pop()
            if function not in seen:
                seen.add(function)
                todo += self.effects.direct[function].calls
        return seen

    def components(self):
        """Sets of functions that call each other, callees first (Tarjan)."""
        index, low, stack, done, out = {}, {}, [], set(), []

        def visit(function):
            index[function] = low[function] = len(index)
            stack.append(function)
            for other in sorted(
                self.effects.direct[function].calls & self.reached, key=lambda f: (f.name, f.line or 0)
            ):
                if other not in index:
                    visit(other)
                    low[function] = min(low[function], low[other])
                elif other not in done:
                    low[function] = min(low[function], index[other])
            if low[function] == index[function]:
                part = []
                while not part or part[-1] is not function:
                    part.append(stack.pop())
                    done.add(part[-1])
                out.append(part)

        for function in sorted(self.reached, key=lambda f: (f.name, f.line or 0)):
            if function not in index:
                visit(function)
        return out

    def recursive(self, function):
        return len(self.component[function]) > 1 or function in self.effects.direct[function].calls

    def is_open(self, function):
        """May it be called in a way that no call event shows?"""
        if function is self.main or function in self.effects.taken or function.declaration.constructor:
            return True
        if self.main is None and (function.declaration.linkage != "internal" or not self.callers(function)):
            return True
        return any(
            self.facts[caller].run is None or self.facts[caller].run.problem for caller in self.callers(function)
        )

    def callers(self, function):
        return [f for f in self.reached if function in self.effects.direct[f].calls]

    # ---- what is assumed

    def assume(self, text):
        self.assumptions.add(text)

    def block(self, function, line, why):
        """Nothing of the program is decided where this is in it."""
        if (function, line, why) not in self.blocks:
            self.blocks.append((function, line, why))

    def publish(self):
        self.publishes = True

    def orders_locks(self, first, second):
        """Notes that `second` is taken while `first` is held; False if that happens the other way round, too."""
        self.lock_order.setdefault(first, set()).add(second)
        seen, todo = set(), [second]
        while todo:
            root = todo.pop()
            if root not in seen:
                seen.add(root)
                todo += self.lock_order.get(root, ())
        return first not in seen

    def casts_between_families(self):
        """Does a cast make a pointer to one family of types from a pointer to another, or does `&` one to a member of a
        union? Are there pointers to void, other than a call's result, of which pointers to several families are
        made, through which something could be stored?"""
        from_void = set()
        for function in self.functions:
            for body in self.effects.bodies(function):
                for node in body.walk():
                    if node.kind in ("Cast", "ImplicitCast") and node.cast in ("PointerToPointer", "NoOp"):
                        if node.type.is_pointer and node.operand.type.is_pointer and self.differ(node):
                            return True
                        if node.type.is_pointer and not node.type.of.const:
                            from_void |= retyped(node)
                    if node.kind in ("Cast", "ImplicitCast") and node.cast == "IntToPointer":
                        return True
                    if node.kind == "Unary" and node.op == "&" or node.kind == "ImplicitCast" and node.cast == "ArrayToPointer":
                        if in_union(node.operand):
                            return True
        return len(from_void - {frozenset()}) > 1

    @staticmethod
    def differ(node):
        new, old = node.type.of, plain(node.operand).type
        old = old.of if old.is_pointer else node.operand.type.of
        if {"void", "function"} & {new.kind, old.kind} or (new.size == 1 and new.is_integer):
            return False
        return families(new) != families(old)

    # ---- regions

    def base(self, root, align=1):
        """The address at which a region begins: of a parameter, the parameter itself."""
        if root not in self.bases:
            if root.kind == "heap":
                self.bases[root] = poly(ATOMS[root.what]) * APART
            else:
                atom = Atom(root_name(root)) if root.kind in ("param", "cell") else Atom("&" + root_name(root), self.least(root))
                self.base_atoms.add(atom.number)
                self.bases[root] = poly(atom) * (APART if root.kind in ("global", "local") else align)
        return self.bases[root]

    @staticmethod
    def least(root):
        """Only what is weak may not be there, and have the address 0."""
        return 0 if root.kind == "global" and not isinstance(root.what, str) and root.what.weak else 1

    def reachable(self, root):
        """May a pointer that is not known lead there?"""
        if root.kind != "global":
            return True
        declaration = root.what
        if isinstance(declaration, str):
            return False
        return bool(declaration.addressTaken) or (declaration.linkage == "external" and not self.whole)

    @staticmethod
    def is_quotient(number):
        return ATOMS[number].quotient is not None

    # ---- constants

    def constant(self, declaration, key):
        """What a global object always holds, or None."""
        if declaration not in self.constants:
            self.constants[declaration] = self.find_constants(declaration)
        known = self.constants[declaration]
        return known.get(key) if known is not None else None

    def find_constants(self, declaration):
        if isinstance(declaration, str) or declaration.type.volatile or declaration.type.atomic:
            return None
        type_ = declaration.type
        fixed = bool(type_.const or (type_.kind == "array" and type_.of.const))
        if not declaration.defined or declaration.weak or declaration.storage == "thread" or declaration.private:
            return None
        if not fixed:
            if declaration in self.effects.stored or declaration.addressTaken:
                return None
            if declaration.linkage == "external" and not self.whole:
                return None
        init = declaration.init
        if type_.is_scalar:
            value = constant_value(init) if init is not None else zero_of(type_)
            return {self_key(0, type_): value} if value is not None else None
        if init is None or init.kind != "InitPlan" or type_.kind != "array":
            return None
        cells = {}
        for store in init.stores:
            value = constant_value(store.value) if store.value is not None and store.repeat is None else None
            if value is not None and store.type.is_integer and store.width is None:
                cells[self_key(store.offset, store.type)] = value
        return cells

    # ---- from the callee's names to the caller's

    def argument(self, event, function, declaration):
        number = function.parameters.index(declaration)
        return event.arguments[number] if event.arguments is not None and number < len(event.arguments) else OTHER

    def cell_at(self, run, event, root, key, type_):
        """What a cell of a region of the caller's holds at a call."""
        for known, cells in (event.cells or {}).items():
            if rename_roots({known}, event.map) == {root}:
                if key in cells:
                    return rename_value(cells[key], event.map)
                if any(other[0] < key[0] + (key[1] or 1) and key[0] < other[0] + (other[1] or 1) for other in cells):
                    return of_type(type_, "value")
        if root.kind in ("heap", "local") or event.cells is None:
            return of_type(type_, "value")
        if event.locks or type_.volatile or type_.atomic:
            return of_type(type_, "value")
        version = run.version(event.versions or {}, root, key[3])
        return rename_value(run.unstored(version, root, key, type_), event.map)

    def entry_actual(self, run, event, function, root, key, type_):
        """The same of a cell that the callee reads at its beginning."""
        if root.kind == "global":
            return self.cell_at(run, event, root, key, type_)
        if root.kind == "param":
            pointer = self.argument(event, function, root.what)
        else:
            inner, where = root.what
            pointer = self.entry_actual(run, event, function, inner, where, POINTER)
        if isinstance(pointer, Ptr) and len(pointer.roots) == 1:
            (target,) = pointer.roots
            if target.kind in ("param", "global", "cell", "local", "heap"):
                offset = (pointer.address - self.base(target)).constant()
                if offset is not None:
                    return self.cell_at(run, event, target, (key[0] + offset, *key[1:]), type_)
        return of_type(type_, "value")

    def actuals(self, run, event, function):
        """{atom at the beginning of the callee: polynomial of the caller}"""
        facts, map_ = self.facts[function], {}

        def bind(formal, actual):
            if isinstance(formal, Num) and len(formal.poly.terms) == 1:
                ((mono, factor),) = formal.poly.terms.items()
                if len(mono) == 1 and factor == 1:
                    atom = ATOMS[mono[0]]
                    map_[mono[0]] = actual.poly if isinstance(actual, Num) else poly(atom.again())
            elif isinstance(formal, Ptr):
                for mono, factor in formal.address.terms.items():
                    if len(mono) == 1:
                        exact = actual.address.exact(factor) if isinstance(actual, Ptr) else None
                        map_[mono[0]] = exact if exact is not None else poly(ATOMS[mono[0]].again())

        for declaration, formal in facts.parameters.items():
            bind(formal, self.argument(event, function, declaration))
        for (root, key), formal in list(facts.entry.items()):
            if isinstance(formal, (Num, Ptr)):
                type_ = POINTER if isinstance(formal, Ptr) else INTEGERS[key[1], key[2]]
                bind(formal, self.entry_actual(run, event, function, root, key, type_))
        return map_

    def actual_roots(self, run, event, function, root):
        if root.kind == "param":
            value = self.argument(event, function, root.what)
        elif root.kind == "cell":
            inner, key = root.what
            value = self.entry_actual(run, event, function, inner, key, POINTER)
        else:
            return frozenset([root])
        return value.roots if isinstance(value, Ptr) else frozenset([ANY])


def in_union(node):
    """Is the lvalue a part of a union's member?"""
    node = plain(node)
    while node.kind == "Member" or node.kind == "Index" and plain(node.base).type.kind == "array":
        if node.kind == "Member" and (node.inUnion or node.arrow):
            return bool(node.inUnion)
        node = plain(node.base)
    return False


def retyped(cast):
    """The types before and after a cast of a pointer to void, but of a new block and of NULL: sets of families."""
    inner = plain(cast.operand)
    if not inner.type.is_pointer or inner.type.of.kind != "void":
        return set()
    while inner.kind in ("Cast", "ImplicitCast"):
        inner = plain(inner.operand)
    types = [cast.type.of] + [inner.type.of] * bool(inner.type.is_pointer)
    return {frozenset(families(type_) - {None}) for type_ in types if inner.kind not in ("Call", "IntLit")}


def families(type_):
    """The families of an object, and of its parts."""
    return {part.family for part in type_.parts() if part.is_scalar}


def made_type(**members):
    type_ = Type()
    vars(type_).update(members)
    return type_


def byte_type():
    return made_type(kind="integer", size=1, signed=False, spelling="unsigned char")


POINTER = made_type(kind="pointer", size=8, spelling="void *", of=made_type(kind="void", spelling="void"))
INTEGERS = {
    (size, signed): made_type(kind="integer", size=size, signed=signed, spelling="integer")
    for size in (1, 2, 4, 8, 16)
    for signed in (False, True)
}


def self_key(offset, type_):
    return Run.cell(offset, type_)


def zero_of(type_):
    return num(0) if type_.is_integer else NULL_POINTER if type_.is_pointer and not type_.to_function else None


def constant_value(node):
    """The value of an initialiser, where it is plain."""
    if node.kind in ("IntLit", "CharLit", "SizeofExpr", "SizeofType") and node.value is not None:
        return num(node.value)
    if node.kind == "Ident" and node.declaration.kind == "enumerator":
        return num(node.value)
    if node.kind == "Paren":
        return constant_value(node.operand)
    if node.kind in ("ImplicitCast", "Cast"):
        value = constant_value(node.operand) if node.type.is_integer and node.operand.type.is_integer else None
        if value is None or not node.type.limits[0] <= value.poly.constant() <= node.type.limits[1]:
            return None
        return value
    if node.kind == "Unary" and node.op == "-":
        value = constant_value(node.operand)
        return Num(-value.poly) if value is not None else None
    if node.kind == "Binary" and node.op in ("+", "-", "*", "/", "<<"):
        left, right = constant_value(node.left), constant_value(node.right)
        if left is None or right is None or not node.type.is_integer:
            return None
        a, b = left.poly, right.poly
        if node.op == "/" and b.constant() > 0:
            return Num(quotient(a, b.constant()))
        if node.op == "<<" and 0 <= b.constant() < 31:
            return Num(a * (1 << b.constant()))
        value = a + b if node.op == "+" else a - b if node.op == "-" else a * b if node.op == "*" else None
        if value is None or not node.type.limits[0] <= value.constant() <= node.type.limits[1]:
            return None
        return Num(value)
    return None
