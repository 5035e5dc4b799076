"""What a function may change, by its text and that of all it may call: global objects, and families of types that it
stores through pointers. Coarse, but certain: the values that the analysis keeps over a call depend on it."""

from . import library, touches
from .pointers import FunctionPointers
from .tree import callee_of, plain

STEPS = ("x++", "x--", "++x", "--x")


class Effect:
    """globals: declarations. families: of Type.family, None stands for any. keeps_pointers: an address that it is given
    may be in memory afterwards. locks: it may take one."""

    def __init__(self):
        self.globals, self.families, self.keeps_pointers, self.locks = set(), set(), False, False
        self.calls, self.unknown = set(), False

    def take(self, other):
        self.globals |= other.globals
        self.families |= other.families
        self.keeps_pointers |= other.keeps_pointers
        self.locks |= other.locks
        self.unknown |= other.unknown


class Effects:
    def __init__(self, program):
        self.program = program
        self.pointers = FunctionPointers(program, self.bodies)
        self.direct = {function: self.of_text(function) for function in program.functions.values()}
        self.taken = self.find_taken()
        everything = Effect()
        for effect in self.direct.values():
            everything.take(effect)
        self.stored = everything.globals  # all global objects that some function of ours stores to
        self.whole = not any(effect.unknown for effect in self.direct.values())
        self.unknown = Effect()
        self.unknown.globals = set(everything.globals) | {g for g in program.globals if g.linkage == "external"}
        self.unknown.families, self.unknown.keeps_pointers, self.unknown.unknown = {None}, True, True
        self.unknown.locks = True
        self.total = {function: self.closure(function) for function in self.direct}

    def of(self, targets):
        if targets is None:
            return self.unknown
        effect = Effect()
        for function in targets:
            effect.take(self.total.get(function, self.unknown))
        return effect

    def closure(self, function):
        effect, seen, todo = Effect(), set(), [function]
        while todo:
            one = todo.pop()
            if one in seen:
                continue
            seen.add(one)
            direct = self.direct[one]
            effect.take(direct)
            todo += direct.calls
        if effect.unknown:
            effect.take(self.unknown)
        return effect

    # ---- the text

    def bodies(self, function):
        yield function.body
        for inlet in function.inlets.values():
            yield from self.bodies(inlet)

    def of_text(self, function):
        effect = Effect()
        for body in self.bodies(function):
            for node in body.walk():
                if node.kind == "Assign":
                    self.store(effect, node.left)
                elif node.kind == "Unary" and node.op in STEPS:
                    self.store(effect, node.operand)
                elif node.kind == "Call":
                    self.called(effect, node)
                elif node.kind in ("Cast", "ImplicitCast") and hides_address(node):
                    effect.keeps_pointers = True
                elif node.kind in ("Asm", "Thread", "Send"):
                    effect.unknown = True
                elif node.kind == "Ident" and node.declaration.kind == "function":
                    target = self.program.functions.get(node.declaration)
                    if target is not None:
                        effect.calls.add(target)
        return effect

    def store(self, effect, target):
        target = plain(target)
        if target.type.is_pointer or target.type.kind == "record":
            if not (target.kind == "Ident" and target.declaration.storage == "automatic" and target.type.is_pointer):
                effect.keeps_pointers = True
        if target.kind == "Ident":
            if target.declaration.kind == "variable" and target.declaration.storage != "automatic":
                effect.globals.add(target.declaration)
                if target.declaration.addressTaken or target.declaration.linkage == "external":
                    effect.families.add(target.type.family)
        elif target.kind == "Member" and not target.arrow:
            if target.inUnion or target.bitField:
                effect.families.add(None)
            self.store(effect, target.base)
        elif target.kind == "Index" and target.base.kind == "ImplicitCast" and target.base.cast == "ArrayToPointer":
            self.store(effect, target.base.operand)
        elif target.kind == "Member" and (target.inUnion or target.bitField):
            effect.families.add(None)
        elif target.kind in ("Unary", "Member", "Index"):
            effect.families.add(target.type.family)
        elif target.kind not in ("StringLit", "CompoundLit", "Call"):
            effect.families.add(None)

    def called(self, effect, node):
        declaration = callee_of(node)
        if declaration is None:
            targets = self.pointers.called(node)
            known = [self.program.functions.get(target) for target in targets or ()]
            effect.unknown |= targets is None or None in known
            effect.calls |= set(known) - {None}
            return
        if declaration in self.program.functions:
            return  # by its name, which is met, too
        name = declaration.name
        if name in library.LOCKS or name in library.LOCK_INIT:
            effect.locks |= library.LOCKS.get(name, 0) > 0
            return
        if library.is_atomic(name) or name == "qsort":
            effect.families.add(None)
            effect.keeps_pointers |= library.is_atomic(name)
            return
        if declaration.touches:
            self.said(effect, declaration)
            return
        row = library.row_of(declaration)
        if row is None:
            effect.unknown = True
            return
        effect.keeps_pointers |= any(word.startswith("keeps") or word.endswith("end") or word == "w0" for word in row)
        if any(word[0] == "w" or word.startswith("outs") for word in row):
            effect.families.add(None)
            effect.keeps_pointers |= any(word[0] == "r" for word in row)  # what is copied may be addresses

    def said(self, effect, declaration):
        """By an attribute."""
        try:
            found = touches.parsed(self.program, declaration)
        except touches.Unclear:
            effect.unknown = True
            return
        for touch in found:
            if touch.kind == "W" and touch.object is not None:
                effect.globals.add(touch.object)
            elif touch.kind == "W":
                effect.families.add(None)

    def find_taken(self):
        """Functions that are named other than to be called."""
        taken = set()
        for function in self.direct:
            for body in self.bodies(function):
                self.search(body, taken)
        for variable in self.program.globals:
            if variable.init is not None:
                self.search(variable.init, taken)
        return taken

    def search(self, root, taken):
        callees = set()
        for node in root.walk():
            if node.kind == "Call":
                callees.add(id(plain(node.callee)))
            if node.kind == "Ident" and node.declaration.kind == "function" and id(node) not in callees:
                target = self.program.functions.get(node.declaration)
                if target is not None:
                    taken.add(target)


def hides_address(cast):
    """Does it make a number of an address, or other bytes of an object in which there are addresses?"""
    if cast.cast != "PointerToPointer" or not cast.type.is_pointer or not cast.operand.type.is_pointer:
        return cast.cast == "PointerToInt"
    new, old = ([part.is_pointer for part in type_.of.parts()] for type_ in (cast.type, cast.operand.type))
    return any(old) and not any(new)
