"""The whole analysis, and its result: for each procedure that spawns, and for the program."""

import sys
import threading

from . import contracts, solver, touches
from .analysis import STRICT, Analysis
from .apart import Apart
from .execute import Run
from .memory import root_name
from .pairs import Conflict, Pairs
from .recursion import summarise
from .sections import seen_by_callers
from .tree import Program

ROUNDS, RESTARTS = 5, 8
STACK, DEPTH = 512 << 20, 200_000
OVERFLOW = "no signed number overflows, and none is cut off by a conversion"
MEMORY_SAFE = "every access is inside of its object, and to memory that is still there"
BOUNDED = "the run has enough memory and stack"


class Procedure:
    """The verdict on one: `conflicts` is empty where it is proved."""

    def __init__(self, function, facts, pairs, accesses, conflicts):
        self.function, self.facts, self.pairs, self.accesses, self.conflicts = (
            function,
            facts,
            pairs,
            accesses,
            conflicts,
        )

    @property
    def proved(self):
        return not self.conflicts


class Result:
    """procedures; assumptions, contract (of a library: what its callers must see to): sentences."""

    def __init__(self, analysis, procedures, contract):
        self.analysis, self.procedures, self.contract = analysis, procedures, contract
        self.assumptions = sorted({OVERFLOW, MEMORY_SAFE, *analysis.assumptions})
        if analysis.strict:
            self.assumptions.append(STRICT)
        self.out_of_time = False

    @property
    def proved(self):
        return not self.out_of_time and all(procedure.proved for procedure in self.procedures)


def prove(texts, tell=lambda text: None):
    """The Result for the documents. tell(text): how far it has come."""
    box = []

    def work():
        try:
            box.append(analyse(texts, tell))
        except BaseException as error:
            box.append(error)

    # Trees are as deep as the program's text: Python's own limits are for programs that recurse by mistake.
    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
    sys.setrecursionlimit(DEPTH)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if isinstance(box[0], BaseException):
        raise box[0]
    return box[0]


def analyse(texts, tell):
    solver.forget()
    analysis = Analysis(Program(texts))
    try:
        understand(analysis, tell)
        apart = Apart(analysis)
        tell("which parameters are apart")
        apart.suppose()
    except solver.OutOfTime:
        return unfinished(analysis, [])
    return judge(analysis, apart, tell)


def understand(analysis, tell):
    """Facts, and what each function accesses."""
    for _ in range(RESTARTS):
        if converge(analysis, tell):
            break
        # What was found counted on objects that others were not thought to know: all of it is given up.
        analysis.returns.clear()
        for facts in analysis.facts.values():
            facts.before = []
    else:
        analysis.block(None, 0, "which addresses are stored was not found out")
    tell("what procedures access")
    for component in analysis.order:
        summarise(analysis, component)
    check_attributes(analysis)


def check_attributes(analysis):
    """What functions say that they touch has to be so where their bodies are."""
    for declaration in analysis.program.declarations:
        if declaration.touches:
            function = analysis.program.functions.get(declaration)
            try:
                touches.parsed(analysis.program, declaration)
                found = touches.broken(analysis, analysis.facts[function]) if function in analysis.reached else None
            except touches.Unclear as unclear:
                found = declaration.line or 0, str(unclear)
            if found:
                analysis.block(function, *found)


def converge(analysis, tell):
    """Executes all functions until the facts that hold at their calls stay; False where more addresses were stored
    than the runs took for granted."""
    before = leaks(analysis)
    for number in range(ROUNDS + 1):
        tell("what each function does, round %d" % (number + 1))
        for component in analysis.order:
            for function in component:
                execute(analysis, function)
        if leaks(analysis) != before:
            return False
        if number == ROUNDS or not contracts.find_preconditions(analysis):
            break
    return True


def execute(analysis, function):
    facts = analysis.facts[function]
    facts.expanded = {}
    facts.run = Run(analysis, function).execute()
    facts.touches = seen_by_callers(facts)
    contracts.find_return(analysis, function)


def leaks(analysis):
    return analysis.publishes, {facts.function: set(facts.leaked) for facts in analysis.facts.values()}


def judge(analysis, apart, tell):
    procedures = []
    try:
        for function in procedures_of(analysis):
            tell("the pairs of %s" % function.name)
            procedures.append(verdict(analysis, apart, function))
    except solver.OutOfTime:
        return unfinished(analysis, procedures)
    told = {conflict.why for procedure in procedures for conflict in procedure.conflicts}
    for function, line, why in [block for block in analysis.blocks[:1] if block[2] not in told]:
        conflicts = [Conflict("unknown", None, line, None, None, why)]
        procedures.append(Procedure(function or analysis.main, None, 0, 0, conflicts))
    return Result(analysis, procedures, contract(analysis))


def procedures_of(analysis):
    """Those that spawn, in the order of the text."""
    for function in sorted(analysis.reached, key=lambda f: (f.declaration.file or "", f.line or 0)):
        if any(body.has("Spawn", "Thread") for body in analysis.effects.bodies(function)):
            yield function


def verdict(analysis, apart, function):
    facts = analysis.facts[function]
    if facts.run.problem:
        line, why = facts.run.problem
        return Procedure(function, facts, 0, 0, [Conflict("unknown", None, line, None, None, why)])
    pairs = Pairs(analysis, apart, facts).run()
    return Procedure(function, facts, pairs.spawned, pairs.number, pairs.conflicts)


def unfinished(analysis, procedures):
    done = {procedure.function for procedure in procedures}
    for function in procedures_of(analysis):
        if function not in done:
            conflicts = [Conflict("unknown", None, function.line or 0, None, None, "the time is over")]
            procedures.append(Procedure(function, None, 0, 0, conflicts))
    result = Result(analysis, procedures, [])
    result.out_of_time = True
    return result


def contract(analysis):
    """What callers of a library have to see to: which parameters lead to memory of their own."""
    if analysis.main is not None:
        return []
    sentences = []
    for function in analysis.reached:
        if analysis.callers(function) and function.declaration.linkage == "internal":
            continue
        for pair in analysis.facts[function].apart:
            names = sorted(root_name(root) for root in pair)
            sentences.append("%s: what '%s' and '%s' lead to is apart" % (function.name, *names))
    return sorted(sentences)
