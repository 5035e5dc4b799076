"""Statements: each gives the ends it may have, as (control, state): control is None where the next statement follows,
else "break", "continue" or "return". A kind without a method is Unsupported.
"""

from .expressions import Split, family_of_op
from .memory import GLOBALS, KINDS, POINTED
from .poly import at_least, at_most, conj, disj, negation, size_of, unknown
from .sections import touched_by
from .solver import contradictory
from .tree import plain
from .values import OTHER, Num, Part, Pending, Place, Ptr, Unsupported, Variable, of_type

DECIDES = ("Spawn", "Break", "Continue", "Goto", "Abort", "Return", "Sync")
SPLITTING = ("Expr", "Spawn", "Decl", "Return", "If")
PATHS = 12  # so many states go on apart
MERGED = 40  # the size of a condition that is kept where two paths meet


class Statements(Part):
    def run(self, state, node):
        """The ends of a statement."""
        if state.dead:
            return []
        method = getattr(self, "st_" + node.kind, None)
        if method is None:
            raise Unsupported(node, STATEMENTS.get(node.kind, "a statement of kind %s" % node.kind))
        if node.kind not in SPLITTING:
            return method(state, node)
        before, marks = state.fork(), self.mark()
        try:
            return method(state, node)
        except Split as split:
            self.rewind(marks)
            self.splits += 1
            ends = []
            for taken in (True, False):
                again = before.fork()
                again.choices = {**before.choices, split.node: taken}
                for control, end in self.run(again, node):
                    end.choices = before.choices
                    if not contradictory(end.path):
                        ends.append((control, end))
            return ends

    def sequence(self, state, nodes):
        states, ends, skip = [state], [], None
        for number, node in enumerate(nodes):
            if node is skip:
                continue
            waited = self.waited(node, nodes[number + 1] if number + 1 < len(nodes) else None)
            if waited:
                skip = nodes[number + 1]
            following = []
            for one in states:
                for control, end in self.called(one, node) if waited else self.run(one, node):
                    if control is None and not end.dead:
                        following.append(end)
                    elif not end.dead:
                        ends.append((control, end))
            states = self.fewer(following)
            if not states:
                break
        return ends + [(None, one) for one in states]

    # ---- several paths

    def fewer(self, states):
        if len(states) > 1:
            states = self.merged(states)
        return [self.join(states)] if len(states) > PATHS else states

    def merged(self, states):
        """Equal states become one."""
        kept = []
        for state in states:
            for other in kept:
                if state.same_but_path(other):
                    self.meet(other, state)
                    break
            else:
                kept.append(state)
        return kept

    @staticmethod
    def meet(state, other):
        """The condition of being here by either path."""
        common = 0
        while common < min(len(state.path), len(other.path)) and state.path[common] == other.path[common]:
            common += 1
        first, second = conj(*state.path[common:]), conj(*other.path[common:])
        state.path = state.path[:common]
        either = disj(first, second)
        if first is True or second is True or negation(first) == second or size_of(either) >= MERGED:
            return
        state.assume(either)

    def join(self, states):
        """One state for all: what differs is not known."""
        result = states[0].fork()
        common = 0
        while all(len(s.path) > common and s.path[common] == result.path[common] for s in states):
            common += 1
        result.path = result.path[:common]
        for declaration in list(result.variables):
            values = [state.variables.get(declaration) for state in states]
            if any(value != values[0] for value in values):
                if all(isinstance(value, Ptr) for value in values):
                    roots = frozenset().union(*[value.roots for value in values])
                    result.variables[declaration] = Ptr(unknown(declaration.name), roots)
                else:
                    result.variables[declaration] = self.lost(declaration, values)
        for root in set().union(*[self.known_here(state) for state in states]):
            if any(self.differs(root, state, states[0]) for state in states):
                self.forget(result, root)
        children = {}
        for state in states:
            children.update((event.number, event) for event in state.out)
            result.pending.update(state.pending)
        result.out = tuple(children.values())
        result.workers = frozenset.intersection(*[state.workers for state in states])
        result.sure = frozenset.intersection(*[state.sure for state in states])
        result.touched = tuple(one for one in result.touched if all(one in state.touched for state in states))
        result.locks = tuple(lock for lock in result.locks if all(lock in state.locks for state in states))
        return result

    @staticmethod
    def known_here(state):
        return set(state.cells) | {root for root, _ in state.versions}

    @staticmethod
    def differs(root, state, other):
        return state.cells.get(root) != other.cells.get(root) or any(
            state.versions.get((root, kind)) != other.versions.get((root, kind)) for kind in KINDS
        )

    # ---- what does nothing

    def st_Null(self, state, node):
        return [(None, state)]

    st_Pragma = st_Abort = st_Null

    def st_Function(self, state, node):
        if node.declaration.type.inlet:
            return [(None, state)]
        raise Unsupported(node, "nested functions")

    # ---- simple ones

    def st_Compound(self, state, node):
        return self.sequence(state, node.body)

    def st_Expr(self, state, node):
        self.value(state, node.expr)
        return [(None, state)]

    def st_Decl(self, state, node):
        for variable in node.variables:
            declaration = variable.declaration
            if declaration.hidden and declaration.type.future:
                continue  # of a call that is waited for
            self.check_type(node, declaration.type)
            if declaration.cleanup:
                raise Unsupported(node, "the attribute cleanup")
            if declaration.storage != "automatic":
                continue
            if declaration.type.size is None and declaration.type.kind != "array":
                raise Unsupported(node, "a variable of variable size")
            self.define(state, declaration, variable.init, node)
        return [(None, state)]

    def define(self, state, declaration, init, node):
        if init is None or not self.in_memory(declaration):
            value = None
            if init is not None and init.kind != "InitPlan":
                value = self.value(state, init)
            elif init is not None:
                value = self.planned_scalar(state, init, declaration)
            if value is not None and declaration in state.pending:
                self.early(state, declaration, node, "written")
            self.declare(state, declaration, value)
            return
        self.declare(state, declaration, None)
        place = self.object(declaration)
        if init.kind == "InitPlan":
            self.initialise(state, place, init, node)
        else:
            value = self.value(state, init)
            self.write(state, place, value if declaration.type.is_scalar else OTHER, node)

    def planned_scalar(self, state, plan, declaration):
        """int x = { 1 };"""
        values = [self.value(state, store.value) for store in plan.stores if store.value is not None]
        return values[0] if len(values) == 1 else None

    def initialise(self, state, place, plan, node):
        """The stores of an initialiser with braces. The object is new: no other strand has it."""
        self.access(state, "W", place, node)
        for store in plan.stores:
            value = self.value(state, store.value) if store.value is not None else OTHER
            if isinstance(value, Ptr):
                self.leak(value.roots)
            if store.repeat is None and store.width is None and store.type.is_scalar:
                part = place.at(store.offset, store.type.size, store.type)
                if part.size is not None:
                    self.store(state, part, value)

    def st_If(self, state, node):
        then, other = node.then, getattr(node, "else")
        deciding = decides(then) and (other is None or decides(other))
        self.deciding += deciding
        formula = self.condition(state, node.cond)
        synched = asks_synched(node.cond)
        ends = []
        if not state.dead:
            for part, entered in ((then, formula), (other, negation(formula))):
                if entered is False:
                    continue
                branch = state.fork()
                branch.assume(entered)
                if isinstance(entered, tuple) and contradictory(branch.path):
                    continue
                if synched is not None and synched == (part is then):
                    branch.out, branch.pending = (), {}
                ends += self.run(branch, part) if part is not None else [(None, branch)]
        self.deciding -= deciding
        going_on = self.merged([end for control, end in ends if control is None and not end.dead])
        return [end for end in ends if end[0] is not None] + [(None, end) for end in going_on]

    def st_Switch(self, state, node):
        value = self.normal(state, self.value(state, node.cond), node.cond.type)
        body = node.body.body if node.body.kind == "Compound" else [node.body]
        if any(inner.kind in ("Case", "Default") for part in body for inner in nested(part)):
            raise Unsupported(node, "a switch with a case inside of a statement")
        ends = []
        if not node.default:
            branch = state.fork()
            ends.append((None, branch))
        for number, part in enumerate(body):
            if part.kind not in ("Case", "Default"):
                continue
            branch = state.fork()
            labels, first = [], part
            while first is not None and first.kind in ("Case", "Default"):
                labels.append(self.matches(value, first))
                first = first.statement
            branch.assume(disj(*labels))
            if contradictory(branch.path):
                continue
            ends += self.sequence(branch, ([first] if first is not None else []) + body[number + 1 :])
        return [(None if control == "break" else control, end) for control, end in ends]

    @staticmethod
    def matches(value, label):
        if label.kind == "Default" or not isinstance(value, Num):
            return None
        return conj(at_least(value.poly, label.low), at_most(value.poly, label.high))

    def st_Case(self, state, node):
        """Reached from the case before it."""
        return self.run(state, node.statement) if node.statement is not None else [(None, state)]

    st_Default = st_Case

    def st_Break(self, state, node):
        return [("break", state)]

    def st_Continue(self, state, node):
        return [("continue", state)]

    def st_Return(self, state, node):
        value = self.value(state, node.value) if node.value is not None else None
        if state.dead:
            return []
        if value is not None and node.value.type.is_integer:
            value = self.normal(state, value, node.value.type)
        self.returns.append((value, state.path))
        self.waits_at_the_end(state)
        return [("return", state)]

    # ---- Cilk

    def st_Sync(self, state, node):
        if state.locks:
            raise Unsupported(node, "a lock that is held at a sync")
        state.touched += self.touched_by_children(state)
        state.out, state.pending, state.workers, state.sure = (), {}, frozenset(), frozenset()
        return [(None, state)]

    def touched_by_children(self, state):
        """Futures that the children waited for, which a sync waits for."""
        return touched_by(self, [event for event in state.out if event.number in state.sure])

    def waits_at_the_end(self, state):
        """Futures that were waited for wherever the function returns."""
        found = {(one.address, one.roots): one for one in state.touched + self.touched_by_children(state)}
        if self.touched is not None:
            found = {key: one for key, one in self.touched.items() if key in found}
        self.touched = found

    def st_Touch(self, state, node):
        """It waits for the child that fills the future, and so for what that child had waited for (`State.touched`)."""
        state.workers = frozenset()
        filling = [event for event in state.out if event.future is not None and event.future is node.own]
        if node.renewed is not None:
            state.out = tuple(event for event in state.out if event.future is not node.renewed)
            return [(None, state)]
        place = self.place(state, node.future)
        if isinstance(place, Place):
            same = [e for e in state.out if e.filled is not None and (e.filled.address, e.filled.roots) == key_of(place)]
            state.touched += (place, *touched_by(self, same[:1] if len(same) == 1 else []))
            self.access(state, "R", place, node)
        own = plain(node.future)
        if own.kind == "Ident" and own.declaration is node.own and len(filling) == 1:
            if filling[0].number == filling[0].origin:  # not one of an earlier round
                state.out = tuple(event for event in state.out if event is not filling[0])
        return [(None, state)]

    def waited(self, node, following):
        """A call of a procedure by OpenCilk's function, which is a spawn and a touch of it at once."""
        return (
            node.kind == "Spawn"
            and node.called
            and node.fills
            and following is not None
            and following.kind == "Touch"
            and following.own is not None
            and following.own is receiver_of(node)
        )

    def called(self, state, node):
        state.variables[receiver_of(node)] = self.call(state, node.call)[1]
        return [(None, state)]

    def st_Spawn(self, state, node):
        if state.locks:
            raise Unsupported(node, "a lock that is held at a spawn")
        before = state.out
        event, _ = self.call(state, node.call, spawned=True)
        event.line = node.line or event.line
        event.node = node
        state.workers = frozenset()
        if node.call.type.is_pointer or node.call.type.kind == "record":
            self.leak(self.reached_from(state, event.arguments))  # it may come back
        event.future = receiver_of(node) if node.fills else None
        if node.fills:
            self.fill(state, event, plain(node.delivery.left))
        if node.form in ("receiver", "op"):
            self.deliver(state, event, node.delivery)
        elif node.form == "inlet":
            self.run_inlet(state, event, node)
        elif node.form != "plain":
            raise Unsupported(node, "a spawn of the form %s" % node.form)
        state.out = before + (event,)
        state.sure |= {event.number}
        return [(None, state)]

    def fill(self, state, event, target):
        """It is filled once after each declaration, and a declaration waits for the child of the one before."""
        future = self.place(state, target.base) if target.kind == "Member" else None
        event.filled = future if isinstance(future, Place) else None

    def deliver(self, state, event, delivery):
        target, op = delivery.left, family_of_op(delivery.op) if delivery.op else None
        lvalue = self.place(state, target)
        if isinstance(lvalue, Variable):
            declaration = lvalue.declaration
            old = state.pending.get(declaration)
            if old is not None and (op is None or op != old.op):
                self.earlies.append((old.event.line, declaration.name, event.line, "set again", state.path))
            state.variables[declaration] = of_type(declaration.type, declaration.name)
            state.pending[declaration] = Pending(event, op)
        elif isinstance(lvalue, Place):
            event.delivery, event.delivery_op = lvalue, op
            self.store(state, lvalue, of_type(target.type) if target.type.is_scalar else OTHER)

    def run_inlet(self, state, event, node):
        """What an inlet does, at some time before the sync: its accesses, and the variables that it sets."""
        inlet = self.function.find_inlet(node.inlet)
        if inlet is None:
            raise Unsupported(node, "an inlet that is not here")
        parameters = inlet.parameters
        values = [of_type(parameters[0].type, "result")] if node.value is not None and parameters else []
        values += [self.value(state, argument) for argument in node.arguments]
        inside = state.fork()
        inside.out, inside.pending, inside.locks = (), {}, ()
        speculative = inlet.body.has("Abort")
        updates, reads = self.uses_of(inlet)
        for declaration in updates:
            if declaration in inside.variables:
                inside.variables[declaration] = of_type(declaration.type, declaration.name)
        for root in [*self.known_here(inside), POINTED, GLOBALS]:
            self.forget(inside, root)  # others may have stored there since the spawn
        for number, declaration in enumerate(parameters):
            value = values[number] if number < len(values) else None
            self.declare(inside, declaration, value)
        if inlet.body.has("Spawn", "Sync"):
            raise Unsupported(node, "an inlet that spawns")
        with self.apart() as events:
            self.run(inside, inlet.body)
        event.inlet, event.speculative = tuple(events), speculative
        own = set(parameters)
        for declaration, op in updates.items():
            if declaration in state.variables and declaration not in own:
                state.variables[declaration] = of_type(declaration.type, declaration.name)
                state.pending[declaration] = Pending(event, op, speculative)
        self.inlet_reads[event.origin] = {d for d in reads if d not in updates and d in state.variables}
        for access in events:
            if access.kind == "W":
                for root in access.place.roots:
                    self.forget(state, root)
                if any(r.kind in ("param", "cell", "any") for r in access.place.roots):
                    self.forget_shared(state, access.place.family, set(), access.place.roots)
            elif access.kind == "call":
                self.forget_by_call(state, access.targets, access.arguments)

    def uses_of(self, inlet):
        """({variable that is assigned: the operator, if it is always the same}, variables that are read)"""
        updates, reads = {}, set()
        targets = set()
        for node in inlet.body.walk():
            target = assigned(node)
            if target is not None:
                op = "+" if node.kind == "Unary" else family_of_op(node.op) if node.op else None
                updates[target] = op if updates.get(target, op) == op else None
                targets.add(id(plain(node.operand if node.kind == "Unary" else node.left)))
        for node in inlet.body.walk():
            if node.kind == "Ident" and node.declaration.kind == "variable" and id(node) not in targets:
                reads.add(node.declaration)
        for declaration in reads & set(updates):
            updates[declaration] = None  # it does more than add
        return updates, reads


def receiver_of(spawn):
    """The variable that is the future which a spawn fills, or None."""
    node = plain(spawn.delivery.left) if spawn.delivery is not None else None
    if node is not None and node.kind == "Member" and not node.arrow:
        node = plain(node.base)
    return node.declaration if node is not None and node.kind == "Ident" else None


def key_of(place):
    return place.address, place.roots


def assigned(node):
    """The variable that this node assigns, or None."""
    if node.kind == "Assign":
        target = node.left
    elif node.kind == "Unary" and node.op in ("x++", "x--", "++x", "--x"):
        target = node.operand
    else:
        return None
    target = plain(target)
    return target.declaration if target.kind == "Ident" and target.declaration.kind == "variable" else None


def nested(statement):
    """Statements below it, the rows of labels at its front left out."""
    while statement is not None and statement.kind in ("Case", "Default"):
        statement = statement.statement
    if statement is None or statement.kind == "Switch":
        return
    for child in statement.below():
        if child.kind == "Switch":
            continue
        yield child
        yield from nested(child)


def decides(statement):
    """Is it only about going on?"""
    if statement.kind == "Compound":
        return bool(statement.body) and all(part.kind in DECIDES for part in statement.body)
    return statement.kind in DECIDES


def asks_synched(condition):
    """True for `SYNCHED`, False for `!SYNCHED`, None for others."""
    node = plain(condition)
    if node.kind == "Synched":
        return True
    if node.kind == "Unary" and node.op == "!":
        inner = asks_synched(node.operand)
        return None if inner is None else not inner
    return None


STATEMENTS = {
    "Asm": "inline assembly",
    "Goto": "goto",
    "GotoExpr": "goto",
    "Label": "a label",
    "Thread": "threads of Cilk-1",
    "Send": "threads of Cilk-1",
}
