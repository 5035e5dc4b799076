"""Expressions: a method for each kind of node that is modelled. A kind without one is Unsupported: nothing is guessed.

`on_KIND` gives the value. `place` gives an lvalue: a Variable, a Place in memory, or None for a temporary object.
`condition` gives a formula that holds where the expression is not zero, or None.
"""

from typing import Any

from .poly import above, at_least, at_most, below, conj, differ, disj, equal, negation, unknown
from .tree import plain
from .values import (
    ANY,
    LITERAL,
    NULL,
    NULL_POINTER,
    OTHER,
    Fun,
    Num,
    Part,
    Place,
    Ptr,
    Unsupported,
    Variable,
    fits,
    num,
    of_type,
)

COMPARE: "dict[str, Any]" = {"<": below, ">": above, "<=": at_most, ">=": at_least, "==": equal, "!=": differ}
STEPS = {"x++": (1, True), "x--": (-1, True), "++x": (1, False), "--x": (-1, False)}
CASTS = {
    "NoOp",
    "LvalueToRvalue",
    "ArrayToPointer",
    "FunctionToPointer",
    "IntToInt",
    "IntToFloat",
    "FloatToInt",
    "FloatToFloat",
    "ToBool",
    "PointerToInt",
    "IntToPointer",
    "PointerToPointer",
    "NullToPointer",
    "RealToComplex",
    "ComplexToReal",
    "ComplexToComplex",
    "ToVoid",
}


class Split(Exception):
    """The statement is executed once for each outcome of this condition."""

    def __init__(self, node):
        self.node = node


class Expressions(Part):
    def value(self, state, node):
        method = getattr(self, "on_" + node.kind, None)
        if method is None:
            raise Unsupported(node, WORDS.get(node.kind, "an expression of kind %s" % node.kind))
        return method(state, node)

    # ---- lvalues

    def place(self, state, node):
        method = getattr(self, "place_" + node.kind, None)
        if method is None:
            if node.kind in ("Assign", "Call", "StmtExpr"):
                self.value(state, node)
                return None
            raise Unsupported(node, "an lvalue of kind %s" % node.kind)
        return method(state, node)

    def place_Paren(self, state, node):
        return self.place(state, node.operand)

    def place_Ident(self, state, node):
        declaration = node.declaration
        if declaration.kind != "variable":
            raise Unsupported(node, "the function '%s' as an object" % node.name)
        self.check_type(node, declaration.type)
        if not self.in_memory(declaration):
            if declaration.function is not self.function.declaration and declaration not in state.variables:
                raise Unsupported(node, "a variable of another function: '%s'" % node.name)
            return Variable(declaration)
        if declaration.storage == "automatic" and declaration.function not in self.owners:
            raise Unsupported(node, "a variable of another function: '%s'" % node.name)
        return self.object(declaration)

    def check_type(self, node, type_):
        for part in type_.parts():
            if part.reducer:
                raise Unsupported(node, "reducers")
            if part.continuation:
                raise Unsupported(node, "continuations")
            if part.kind in ("vector",):
                raise Unsupported(node, "vectors")

    def pointed(self, value, node):
        if node.type.size is None:
            raise Unsupported(node, "an object of variable size")
        if not isinstance(value, Ptr):
            value = of_type_pointer()
        return Place(value.address, value.roots, node.type.size, node.type)

    def place_Unary(self, state, node):
        if node.op != "*":
            raise Unsupported(node, "an lvalue made by %s" % node.op)
        return self.pointed(self.value(state, node.operand), node)

    def place_Index(self, state, node):
        base, index = self.value(state, node.base), self.value(state, node.index)
        if not node.base.type.is_pointer:
            raise Unsupported(node, "an element of a vector")
        if node.type.size is None:
            raise Unsupported(node, "an array whose rows have a variable size")
        if not isinstance(base, Ptr):
            return self.pointed(base, node)
        number = index.poly if isinstance(index, Num) else unknown("index")
        return Place(base.address + number * node.type.size, base.roots, node.type.size, node.type)

    def place_Member(self, state, node):
        if (node.base.type.of if node.arrow else node.base.type).future:
            (self.value if node.arrow else self.place)(state, node.base)
            return None  # its value does not race, and is not known
        if node.arrow:
            base = self.value(state, node.base)
            if not isinstance(base, Ptr):
                base = of_type_pointer()
            whole: Any = Place(base.address, base.roots, node.base.type.of.size, node.base.type.of)
        elif not node.base.lvalue:
            self.value(state, node.base)
            return None
        else:
            whole = self.place(state, node.base)
            if not isinstance(whole, Place):
                return whole
        offset, size = node.offset, node.type.size
        if node.bitField:  # those beside it are the same place
            first, size = node.around
            return whole.at(first, size, node.type, mixed=True)
        if size is None and node.type.kind != "array":
            raise Unsupported(node, "a member of variable size")
        return whole.at(offset, size, node.type, mixed=bool(node.inUnion))

    def place_StringLit(self, state, node):
        return Place(unknown("text"), frozenset([LITERAL]), node.type.size, node.type)

    def place_CompoundLit(self, state, node):
        declaration = node.declaration
        if declaration is None or declaration.storage != "automatic":
            raise Unsupported(node, "a compound literal at file scope")
        self.declare(state, declaration, None)
        place = self.object(declaration)
        self.initialise(state, place, node.init, node)
        return place

    def place_Conditional(self, state, node):
        return self.choose(state, node, lvalue=True)

    def place_ImplicitCast(self, state, node):
        if node.cast != "NoOp":
            raise Unsupported(node, "an lvalue made by a conversion")
        return self.place(state, node.operand)

    # ---- constants and names

    def on_IntLit(self, state, node):
        return num(node.value) if node.value is not None else of_type(node.type)

    on_CharLit = on_IntLit

    def constant(self, state, node):
        return num(node.value) if node.value is not None else of_type(node.type, "size")

    on_SizeofExpr = on_SizeofType = on_AlignofExpr = on_AlignofType = constant
    on_Offsetof = on_TypesCompatible = constant

    def nothing(self, state, node):
        return OTHER

    on_FloatLit = on_Data = nothing

    def on_Ident(self, state, node):
        declaration = node.declaration
        if declaration.kind == "enumerator":
            return num(node.value)
        if declaration.kind == "function":
            return Fun(frozenset([declaration]))
        return self.read(state, self.place(state, node), node)

    def read_place(self, state, node):
        return self.read(state, self.place(state, node), node)

    on_Index = on_Member = on_CompoundLit = on_StringLit = read_place

    def on_Paren(self, state, node):
        return self.value(state, node.operand)

    def on_Generic(self, state, node):
        chosen = list(node.below())
        if len(chosen) != 1:
            raise Unsupported(node, "a generic selection without a choice")
        return self.value(state, chosen[0])

    on_ChooseExpr = on_Generic

    def on_Synched(self, state, node):
        return Num(unknown("SYNCHED", 0, 1))

    def on_ChildResult(self, state, node):
        return of_type(node.type, "result")

    # ---- conversions

    def on_ImplicitCast(self, state, node):
        cast, operand = node.cast, node.operand
        if cast not in CASTS:
            raise Unsupported(node, "a conversion of kind %s" % cast)
        if cast == "LvalueToRvalue":
            future = plain(operand.base) if operand.kind == "Member" else operand
            if future.kind == "Ident" and future.declaration in state.variables and future.declaration.type.future:
                return state.variables[future.declaration]  # of a call that was waited for
            return self.read(state, self.place(state, operand), operand)
        if cast == "ArrayToPointer":
            place = self.place(state, operand)
            return Ptr(place.address, place.roots) if isinstance(place, Place) else of_type(node.type)
        if cast == "FunctionToPointer":
            inner = plain(operand)
            if inner.kind == "Unary" and inner.op == "*":
                return self.value(state, inner.operand)
            return self.value(state, operand)
        if cast == "NullToPointer":
            return NULL_POINTER
        value = self.value(state, operand)
        if cast == "NoOp" and operand.type.kind == node.type.kind and operand.type.signed == node.type.signed:
            return value
        if cast == "IntToPointer" or cast == "PointerToInt":
            if cast == "PointerToInt" and isinstance(value, Ptr):
                self.leak(value.roots)
                self.analysis.publish()
            return self.convert(state, value, operand.type, node.type)
        if isinstance(value, Fun):
            return value if node.type.is_pointer else OTHER
        return self.convert(state, value, operand.type, node.type)

    on_Cast = on_ImplicitCast

    # ---- operators

    def on_Unary(self, state, node):
        op, operand = node.op, node.operand
        if op == "&":
            inner = plain(operand)
            if inner.kind == "Ident" and inner.declaration.kind == "function":
                return Fun(frozenset([inner.declaration]))
            place = self.place(state, operand)
            return Ptr(place.address, place.roots) if isinstance(place, Place) else of_type(node.type)
        if op == "*":
            if node.type.kind == "function":
                return self.value(state, operand)
            return self.read(state, self.place(state, node), node)
        if op in STEPS:
            return self.step(state, node, *STEPS[op])
        if op == "!":
            return self.truth(state, negation(self.condition(state, operand)))
        value = self.value(state, operand)
        if op not in ("-", "+", "~", "__real__", "__imag__"):
            raise Unsupported(node, "the operator %s" % op)
        if isinstance(value, Num) and node.type.is_integer:
            if op == "+":
                return value
            if op == "-":
                return Num(self.ranged(state, -value.poly, node.type))
            if op == "~" and node.type.signed:
                return Num(-value.poly - 1)
        return of_type(node.type, "number")

    def step(self, state, node, by, after):
        """x++ and the like."""
        operand = node.operand
        lvalue = self.place(state, operand)
        atomic = isinstance(lvalue, Place) and lvalue.atomic
        if isinstance(lvalue, Variable) and lvalue.declaration in state.pending:
            self.early(state, lvalue.declaration, node, "updated", "+")
            state.variables[lvalue.declaration] = of_type(operand.type)
            return of_type(node.type)
        self.updating = "+"
        old = of_type(operand.type) if atomic else self.read(state, lvalue, operand)
        if isinstance(old, Num):
            new = Num(self.ranged(state, old.poly + by, operand.type))
            if operand.type.kind == "bool":
                new = of_type(operand.type)
        elif isinstance(old, Ptr):
            new = self.moved(state, old, num(1), operand.type, by, node)
        else:
            new = of_type(operand.type)
        self.write(state, lvalue, new, operand)
        self.updating = None
        return old if after else new

    def on_Binary(self, state, node):
        op = node.op
        if op == ",":
            self.value(state, node.left)
            return self.value(state, node.right)
        if op in COMPARE or op in ("&&", "||"):
            return self.truth(state, self.condition(state, node))
        left, right = self.value(state, node.left), self.value(state, node.right)
        x, y = node.left.type, node.right.type
        if op in ("+", "-") and (x.is_pointer or y.is_pointer):
            if x.is_pointer and y.is_pointer:
                if isinstance(left, Ptr) and isinstance(right, Ptr):
                    return self.distance(state, left, right, x, node)
                return of_type(node.type, "distance")
            pointer, number, type_ = (left, right, x) if x.is_pointer else (right, left, y)
            if not isinstance(pointer, Ptr):
                return of_type(node.type, "pointer")
            return self.moved(state, pointer, number, type_, 1 if op == "+" else -1, node)
        return self.arithmetic(state, op, left, right, node.type, node)

    def on_Assign(self, state, node):
        left, right = node.left, node.right
        if not node.op:
            value = self.value(state, right)
            if left.type.is_scalar and isinstance(value, Num) and left.bitField:
                value = of_type(left.type)
            self.write(state, self.place(state, left), value if left.type.is_scalar else OTHER, left)
            return value
        value = self.value(state, right)
        lvalue = self.place(state, left)
        if isinstance(lvalue, Variable) and lvalue.declaration in state.pending:
            self.early(state, lvalue.declaration, node, "updated", family_of_op(node.op))
            state.variables[lvalue.declaration] = of_type(left.type)
            return of_type(left.type)
        if isinstance(lvalue, Place) and lvalue.atomic:
            self.write(state, lvalue, of_type(left.type), left)
            return of_type(left.type)
        self.updating = family_of_op(node.op)
        old = self.read(state, lvalue, left)
        if left.type.is_pointer:
            if isinstance(old, Ptr):
                new = self.moved(state, old, value, left.type, 1 if node.op == "+" else -1, node)
            else:
                new = of_type(left.type)
        elif left.type.is_integer and node.computed and node.computed.is_integer:
            old = self.convert(state, old, left.type, node.computed)
            new = self.arithmetic(state, node.op, old, value, node.computed, node)
            new = self.convert(state, new, node.computed, left.type)
        else:
            new = of_type(left.type)
        self.write(state, lvalue, of_type(left.type) if left.bitField else new, left)
        self.updating = None
        return new

    # ---- conditions

    def condition(self, state, node):
        if node.kind == "Paren":
            return self.condition(state, node.operand)
        if node.kind == "Binary" and node.op in ("&&", "||"):
            return self.both(state, node)
        if node.kind == "Unary" and node.op == "!":
            return negation(self.condition(state, node.operand))
        if node.kind == "Binary" and node.op in COMPARE:
            left, right = self.value(state, node.left), self.value(state, node.right)
            if node.left.type.is_integer and node.right.type.is_integer:
                left = self.normal(state, left, node.left.type)
                right = self.normal(state, right, node.right.type)
            return self.compared(node.op, left, right)
        if node.kind in ("ImplicitCast", "Cast") and node.cast == "ToBool":
            return self.condition(state, node.operand)
        value = self.value(state, node)
        if isinstance(value, Num):
            return differ(self.normal(state, value, node.type).poly)
        if isinstance(value, Fun):
            return None if any(d.weak for d in value.functions) else True
        return self.not_null(value) if isinstance(value, Ptr) else None

    def compared(self, op, left, right):
        if isinstance(left, Num) and isinstance(right, Num):
            return COMPARE[op](left.poly, right.poly)
        if not isinstance(left, Ptr) or not isinstance(right, Ptr):
            return None
        if NULL in left.roots | right.roots:
            other = left if right.roots == {NULL} else right
            if op in ("==", "!=") and {NULL} in (left.roots, right.roots):
                there = self.not_null(other)
                return there if op == "!=" else negation(there)
        elif op in ("==", "!=") and left.roots != right.roots:
            # Where objects are is not known. What parameters lead to may be one object, others' addresses are made up.
            if any(root.kind not in ("param", "cell", "any") for root in left.roots | right.roots):
                return None
        # < and the like are only defined for addresses in one object.
        return COMPARE[op](left.address, right.address)

    @staticmethod
    def not_null(pointer):
        if all(root.kind in ("local", "literal") for root in pointer.roots):
            return True
        return differ(pointer.address)

    def both(self, state, node):
        """&& and ||: the right side is evaluated where the left one does not decide."""
        first = self.condition(state, node.left)
        entered = first if node.op == "&&" else negation(first)
        if entered is False:
            return first
        branch = state.fork()
        branch.assume(entered)
        inside = len(branch.path)
        second = self.condition(branch, node.right)
        if entered is True:
            state.become(branch)
            return second
        if branch.dead:  # the right side does not come back
            state.assume(negation(entered))
            return first
        facts = implies_all(entered, branch.path[inside:])
        self.rejoin(state, [state.fork(), branch], node)
        state.path += tuple(facts)
        if first is None or second is None:
            return half(second if first is None else first, node.op == "&&")
        return conj(first, second) if node.op == "&&" else disj(first, second)

    def lost(self, declaration, values):
        """One of several values that have nothing in common."""
        for value in values:
            if isinstance(value, Ptr):
                self.leak(value.roots)
        return of_type(declaration.type, declaration.name)

    def on_Conditional(self, state, node):
        return self.choose(state, node, lvalue=False)

    def choose(self, state, node, lvalue):
        formula = self.condition(state, node.cond)
        if node.then is None:
            raise Unsupported(node, "a conditional without its second part")
        evaluate = self.place if lvalue else self.value
        if formula in state.path:
            formula = True
        elif formula is not None and negation(formula) in state.path:
            formula = False
        if not isinstance(formula, bool):
            if node in state.choices:
                taken = state.choices[node]
                state.assume(formula if taken else negation(formula))
                formula = taken
            elif not self.whole and self.splits < 200 and (node.type.is_pointer or lvalue or changes(node)):
                raise Split(node)
        if isinstance(formula, bool):
            return evaluate(state, node.then if formula else getattr(node, "else"))
        values, facts, branches = [], [], []
        for part, entered in ((node.then, formula), (getattr(node, "else"), negation(formula))):
            branch = state.fork()
            branch.assume(entered)
            inside = len(branch.path)
            value = evaluate(branch, part)
            if branch.dead:
                facts.append(negation(entered))
                continue
            values.append(value)
            branches.append(branch)
            facts += implies_all(entered, branch.path[inside:])
        if not branches:
            state.dead = True
            return OTHER
        self.rejoin(state, branches, node)
        for fact in facts:
            state.assume(fact)
        return values[0] if len(values) == 1 else self.either(state, node, formula, values, lvalue)

    def rejoin(self, state, branches, node):
        """Memory and variables after parts of which one was evaluated."""
        if any(branch.locks != state.locks for branch in branches):
            raise Unsupported(node, "a lock that is taken in a part of an expression")
        if all(branch.same_but_path(state) for branch in branches):
            return
        merged = self.join(branches)
        state.variables, state.cells, state.versions = merged.variables, merged.cells, merged.versions
        state.pending, state.workers = merged.pending, merged.workers

    def either(self, state, node, formula, values, lvalue):
        first, second = values
        if lvalue:
            if not isinstance(first, Place) or not isinstance(second, Place):
                raise Unsupported(node, "a conditional lvalue")
            address = self.one_of(state, formula, first.address, second.address)
            return Place(address, first.roots | second.roots, first.size, first.type, True)
        if first == second and first is not OTHER:
            return first
        if isinstance(first, Num) and isinstance(second, Num):
            return Num(self.one_of(state, formula, first.poly, second.poly))
        if isinstance(first, Ptr) and isinstance(second, Ptr):
            return Ptr(self.one_of(state, formula, first.address, second.address), first.roots | second.roots)
        if isinstance(first, Fun) and isinstance(second, Fun):
            return Fun(first.functions | second.functions)
        return OTHER if not fits(first, node.type) and not node.type.is_integer else of_type(node.type)

    def one_of(self, state, formula, first, second):
        if first == second:
            return first
        result = unknown("either")
        if formula is None:
            state.assume(disj(equal(result, first), equal(result, second)))
        else:
            state.assume(disj(negation(formula), equal(result, first)))
            state.assume(disj(formula, equal(result, second)))
        return result

    def on_StmtExpr(self, state, node):
        value = OTHER
        body = node.body.body
        for number, statement in enumerate(body):
            if statement.kind == "Expr" and number == len(body) - 1:
                return self.value(state, statement.expr)
            ends = [end for control, end in self.run(state.fork(), statement) if not end.dead or control]
            if len(ends) != 1:
                raise Unsupported(node, "a statement in an expression that has several ends")
            state.become(ends[0])
        return value

    def on_VaArg(self, state, node):
        """Callers hand on what they give (`Calls.call`)."""
        (list_,) = node.children
        pointer = self.value(state, list_)
        if isinstance(pointer, Ptr):
            self.access(state, "W", Place(pointer.address, pointer.roots, 1, self.analysis.byte, True), node)
        return of_type(node.type, "argument")

    def on_Call(self, state, node):
        return self.call(state, node)[1]


def changes(node):
    """Does it assign something?"""
    return any(inner.kind == "Assign" or (inner.kind == "Unary" and inner.op in STEPS) for inner in node.walk())


def of_type_pointer():
    return Ptr(unknown("pointer"), frozenset([ANY]))


def family_of_op(op):
    """Updates with + and - commute with each other."""
    return "+" if op == "-" else op


def implies_all(entered, facts):
    """Facts that hold where `entered` does; where that is not known, nothing is."""
    if entered is True:
        return list(facts)
    return [] if entered is None else [disj(negation(entered), fact) for fact in facts]


def half(known, both):
    """known && ?, or known || ?: a number stands for what is not known."""
    other = equal(unknown("unknown", 0, 1), 1)
    return conj(known, other) if both else disj(known, other) if known is not None else other


WORDS = {
    "LabelAddr": "the address of a label",
    "Hole": "threads of Cilk-1",
}
