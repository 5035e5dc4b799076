"""Symbolic execution of one function: what happens in it, under which conditions, while which children are outstanding.

The work is in memory.py, expressions.py, arithmetic.py, calls.py, statements.py and loops.py; here is what they share.
"""

import contextlib
from typing import Any

from .arithmetic import Numbers
from .calls import Calls
from .expressions import Expressions, Split
from .loops import Loops
from .memory import Memory, cell_name
from .poly import ATOMS
from .statements import Statements
from .values import OTHER, Fun, Num, Ptr, Root, State, Unsupported, of_type

DEEPEST = 3  # so many pointers are followed from a parameter
EVENTS = 60000  # of one function; beyond that it is not decided


class Facts:
    """What is known of a function: values at its beginning, and what the analysis finds, round by round.

    stable: atoms that mean the same all the time while the function runs. leaked: its objects whose address others may
    have. before: formulas over parameters that hold at every call. apart: pairs of regions that never meet. touches:
    futures that it has waited for when it returns.
    """

    def __init__(self, analysis, function):
        self.analysis, self.function = analysis, function
        self.stable, self.entry, self.parameters, self.leaked = set(), {}, {}, set()
        self.before, self.groups, self.touches = [], [], ()
        self.run: Any = None
        self.sections: Any = None
        self.apart, self.refuted = set(), {}
        self.expanded = {}

    def named(self, make):
        first = len(ATOMS)
        value = make()
        self.stable.update(range(first, len(ATOMS)))
        return value

    def parameter(self, declaration):
        if declaration not in self.parameters:
            self.parameters[declaration] = self.named(lambda: self.fresh_parameter(declaration))
        return self.parameters[declaration]

    def fresh_parameter(self, declaration):
        type_ = declaration.type
        if type_.is_pointer and not type_.to_function:
            root = Root("param", self.function, declaration)
            return Ptr(self.analysis.base(root, type_.alignment), frozenset([root]))
        if type_.to_function:
            known = self.analysis.effects.pointers.targets.get(declaration)
            return Fun(frozenset(known)) if known else OTHER
        return of_type(type_, declaration.name)

    def entry_value(self, root, key, type_):
        """What a cell holds when the function begins."""
        if (root, key) not in self.entry:
            self.entry[root, key] = self.named(lambda: self.fresh_entry(root, key, type_))
        return self.entry[root, key]

    def fresh_entry(self, root, key, type_):
        if type_.is_pointer and not type_.to_function and depth(root) < DEEPEST:
            inner = Root("cell", self.function, (root, key))
            return Ptr(self.analysis.base(inner, type_.alignment), frozenset([inner]))
        return of_type(type_, cell_name(root, key)) if type_.is_integer else OTHER

    def atoms(self):
        """Those that stand for something at the beginning of the function."""
        found = set(self.analysis.base_atoms)
        for value in [*self.parameters.values(), *self.entry.values()]:
            if isinstance(value, (Num, Ptr)):
                found |= value[0].atoms()
        return found


def depth(root):
    return 1 + depth(root.what[0]) if root.kind == "cell" else 0


class Run(Memory, Expressions, Numbers, Calls, Statements, Loops):
    """One pass over one function. events: accesses and calls; returns: (value, path); earlies: uses of results that may
    not be there; problem: (line, why), if something is not modelled, and then the rest is worth nothing."""

    def __init__(self, analysis, function):
        self.analysis, self.function = analysis, function
        self.facts = analysis.facts[function]
        self.events, self.returns, self.earlies = [], [], []
        self.touched: Any = None  # futures waited for at all ends so far
        self.problem: Any = None
        self.cell_values, self.inlet_reads = {}, {}
        self.counting = None  # what names_that_count() found
        self.updating = None  # the operator of the assignment that reads and writes a place
        self.budget, self.splits, self.whole, self.deciding = EVENTS, 0, 0, 0
        self.owners = {function.declaration}
        for inlet in function.inlets:
            self.owners.add(inlet)

    def execute(self):
        state = State()
        state.path = tuple(self.facts.before)
        try:
            for declaration in self.function.parameters:
                self.check_type(self.function.body, declaration.type)
                self.declare(state, declaration, self.facts.parameter(declaration))
            for control, end in self.run(state, self.function.body):
                if control is None and not end.dead:
                    self.returns.append((None, end.path))
                    self.waits_at_the_end(end)
        except Unsupported as stop:
            self.problem = (stop.line, stop.why)
        except Split:
            self.problem = (self.function.line or 0, "a condition inside of a condition")
        except RecursionError:
            self.problem = (self.function.line or 0, "it is nested too deeply")
        return self

    # ---- what was noted

    def mark(self):
        return len(self.events), len(self.returns), len(self.earlies), self.whole, self.deciding

    def rewind(self, marks):
        """Forgets what was noted since."""
        events, returns, earlies, self.whole, self.deciding = marks
        del self.events[events:], self.returns[returns:], self.earlies[earlies:]

    @contextlib.contextmanager
    def apart(self):
        """What is noted inside goes into a list of its own."""
        kept = self.events, self.returns, self.earlies
        self.events, self.returns, self.earlies = [], [], []
        try:
            yield self.events
        finally:
            self.events, self.returns, self.earlies = kept
