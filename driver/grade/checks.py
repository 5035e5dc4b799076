"""The kinds of checks: each is a class with its keys in SPEC.toml, and `run`, which looks at a submission and returns a
Verdict.

A new kind is a class here and a row of KINDS. `timed` checks measure time: they run alone, after all others.
"""

import json
import os
import re

from cilkc_driver import processes
from cilkc_driver.console import Stop
from tools.profile_model import figure

from . import compare, spec
from .workshop import NEEDED, Failed, messages

MOST_SHOWN = 12             # lines of a message
SHORT = 0.02                # seconds: a run that is shorter cannot be timed
SKIPPED = "not measured"
WORK_AT_MOST = 10           # times that of the reference
MORE_WORKERS = (2, 4)       # on which a program has the strands that it has on one
STRANDS = re.compile(rb"^ +Threads .* (\d+)$", re.M)
JUDGED_FOR = 4              # workers that `cilkc profile` speaks of: the same report on every machine


class Verdict:
    """credit: 0 to 1, or None where the check could not be measured here. text: one line; detail: further lines."""

    def __init__(self, credit, text, detail=""):
        self.credit, self.text, self.detail = credit, text, detail

    def data(self):
        return {"credit": self.credit, "text": self.text, "detail": self.detail}


def shortened(text, most=MOST_SHOWN):
    lines = text.rstrip("\n").split("\n")
    return "\n".join(lines[:most] + (["... (%d more lines)" % (len(lines) - most)] if len(lines) > most else []))


class Check:
    kind, timed, default_partial = "", False, False
    parts: "tuple[str, ...]" = ()       # of build/lib, which its tools link or run
    keys: "dict[str, object]" = {}
    required: "tuple[str, ...]" = ()

    def __init__(self, whole_spec, row, where):
        self.spec, self.row, self.where = whole_spec, row, where
        self.points, self.name = row["points"], row.get("name", self.kind)
        self.partial, self.hidden = row.get("partial", self.default_partial), row.get("hidden", False)

    def files(self):
        """Names of files of the specification that the verdict depends on."""
        return []

    def limits(self):
        own = {name: self.row[name] for name in ("time", "memory") if name in self.row}
        return self.spec.limits.but(**own)

    def verdict(self, work):
        """Without partial credit it is all or nothing."""
        try:
            made = self.run(work)
        except Failed as failed:
            reported_once = self.kind == Compiles.kind or all(check.kind != Compiles.kind for check in self.spec.checks)
            return Verdict(0.0, failed.text, shortened(failed.output) if reported_once else "")
        if made.credit is not None and made.credit < 1 and not self.partial:
            made.credit = 0.0
        return made

    def run(self, work):
        raise NotImplementedError


class Compiles(Check):
    """Without errors and, unless `warnings = true`, without warnings. With `partial` a program with warnings has half
    of the points."""
    kind, keys = "compile", {"warnings": spec.yes_or_no, "flags": spec.words}

    def run(self, work):
        work.built("parallel")
        if self.row.get("warnings"):
            return Verdict(1.0, "it compiles")
        flags = [*self.spec.flags, *self.row.get("flags", ["-Wall"])]
        outcome = work.tool('"$0" check "$@"', *flags, *work.names())
        said = messages(outcome)
        if outcome.incident or outcome.status != 0:
            return Verdict(0.0, outcome.describe(self.spec.tool_limits) if outcome.incident
                           else "it does not compile with %s" % " ".join(flags), shortened(said))
        count = said.count(": warning: ")
        if count:
            return Verdict(0.5, "it compiles with %s" % plural(count, "warning"), shortened(said))
        return Verdict(1.0, "it compiles without warnings")


def plural(n, word):
    return "%d %s%s" % (n, word, "" if n == 1 else "s")


CASE = {"args": spec.words, "stdin": spec.text, "stdin-file": spec.file_name, "expect": spec.text,
        "expect-file": spec.file_name, "status": spec.whole, "name": spec.text}
RUN_KEYS = {"time": spec.seconds, "memory": spec.size}


class Cases(Check):
    """A check over inputs: `case` is a list of tables, or the keys of one case are those of the check."""
    default_partial = True
    inputs = ("args", "stdin", "stdin-file")
    keys = {**CASE, **RUN_KEYS, "case": list}

    def __init__(self, whole_spec, row, where):
        super().__init__(whole_spec, row, where)
        self.name = row.get("name", self.kind)
        own = {key: row[key] for key in CASE if key in row and key != "name"}
        allowed = {key: value for key, value in CASE.items() if key in self.keys}
        rows = row.get("case", [own])
        if "case" in row and own:
            spec.wrong(where, "`case` and `%s` exclude each other" % next(iter(own)))
        if not isinstance(rows, list) or not rows:
            spec.wrong(where, "`case` is a list of tables: [[check.case]]")
        self.cases = [Case(spec.table(one, allowed, "%s, case %d" % (where, n)), n) for n, one in enumerate(rows, 1)]

    def files(self):
        return [case.row[key] for case in self.cases for key in ("stdin-file", "expect-file") if key in case.row]

    def run(self, work):
        good, wrong = 0, []
        for case in self.cases:
            problem = self.problem(work, case)
            if problem:
                wrong.append((case, problem))
            else:
                good += 1
        total = len(self.cases)
        if not wrong:
            return Verdict(1.0, self.all_right(total))
        first, _, rest = wrong[0][1].partition("\n")
        if total == 1:
            return Verdict(0.0, first, shortened(rest) if rest else "")
        detail = "\n".join("%s: %s" % (case.title(), problem) for case, problem in wrong)
        return Verdict(good / total, "%d of %d inputs right; %s" % (good, total, first), shortened(detail, 40))

    def all_right(self, total):
        return "%s right" % plural(total, "input")

    def problem(self, work, case):
        """What is wrong with this input, or None."""
        raise NotImplementedError


class Case:
    def __init__(self, row, number):
        self.row, self.number, self.args = row, number, row.get("args", [])

    def stdin(self, whole_spec, where):
        if "stdin-file" in self.row:
            return whole_spec.read_file(self.row["stdin-file"], where)
        return self.row.get("stdin", "").encode()

    def title(self):
        return self.row.get("name") or "input %d (%s)" % (self.number, " ".join(self.args) or "no arguments")


COMPARE = {"compare": spec.one_of(*compare.WAYS), "tolerance": spec.number, "ignore": spec.pattern}


class Output(Cases):
    """stdout and the exit status are as given, or as the reference's."""
    kind, keys = "output", {**Cases.keys, **COMPARE, "nproc": spec.workers}

    def __init__(self, whole_spec, row, where):
        super().__init__(whole_spec, row, where)
        for case in self.cases:
            if "expect" in case.row and "expect-file" in case.row:
                spec.wrong(where, "`expect` and `expect-file` exclude each other")
            if not whole_spec.reference and not {"expect", "expect-file", "status"} & set(case.row):
                spec.wrong(where,
                           "case %d has neither `expect` nor `expect-file`, and there is no `reference`" % case.number)
        self.same = compare.Comparison(row)

    def expected(self, work, case):
        """(bytes or None, status)"""
        if "expect" in case.row:
            return case.row["expect"].encode(), case.row.get("status", 0)
        if "expect-file" in case.row:
            return self.spec.read_file(case.row["expect-file"], self.where), case.row.get("status", 0)
        if self.spec.reference:
            return work.reference.answer(case.args, case.stdin(self.spec, self.where))
        return None, case.row["status"]

    def problem(self, work, case):
        wanted, status = self.expected(work, case)
        stdin = case.stdin(self.spec, self.where)
        for workers in self.row.get("nproc", [2]):
            outcome = work.run("parallel", case.args, stdin, self.limits(), nproc=workers)
            on = "on %s: " % plural(workers, "worker")
            if outcome.incident or outcome.error or outcome.status != status:
                said = shortened(compare.visible(outcome.err), 6)
                how = (outcome.describe(self.limits()) if outcome.incident or outcome.status is None or status == 0
                       else "status %d, not %d" % (outcome.status, status))
                return on + how + ("\n" + said if said else "")
            difference = wanted is not None and self.same.difference(wanted, outcome.out, hidden=self.hidden)
            if difference:
                return on + difference
        return None


# A text without these words has nothing to schedule, and its program perhaps no such option.
SPAWNS = {"spawn", "cilk_spawn", "_Cilk_spawn", "cilk_for", "_Cilk_for"}


class Elision(Cases):
    """The parallel program prints what its own elision prints, on several numbers of workers and with forced steals."""
    kind = "elision"
    keys = {key: value
            for key, value in {**Cases.keys, **COMPARE, "nproc": spec.workers, "schedules": spec.runs}.items()
            if not key.startswith(("expect", "status"))}

    def __init__(self, whole_spec, row, where):
        super().__init__(whole_spec, row, where)
        self.same = compare.Comparison(row)

    def runs(self, work):
        """(what it is called, its --sched, workers, --force-steal)"""
        for workers in self.row.get("nproc", [1, 2, 4]):
            yield "on %s" % plural(workers, "worker"), None, workers, None
        yield "on 2 workers, with every continuation stolen", None, 2, "always"
        if "schedules" in self.row and any(text in SPAWNS for _, _, _, text in work.tokens()):
            for seed in range(1, self.row["schedules"] + 1):
                schedule = "replay:%d:3" % seed
                yield "with --sched=%s" % schedule, schedule, None, None

    def problem(self, work, case):
        stdin = case.stdin(self.spec, self.where)
        serial = work.run("elision", case.args, stdin, self.limits())
        if serial.incident or serial.status is None:
            return "its elision: " + serial.describe(self.limits())
        for title, schedule, workers, force in self.runs(work):
            outcome = work.run("parallel", case.args, stdin, self.limits(), workers, force, schedule)
            on = title + ": "
            if outcome.incident or outcome.status != serial.status:
                return (on + outcome.describe(self.limits())
                        + ("" if outcome.incident else "; its elision ended with status %d" % serial.status))
            difference = self.same.difference(serial.out, outcome.out)
            if difference:
                return on + "it does not print what its elision prints\n" + difference
        return None

    def all_right(self, total):
        return "it prints what its elision prints"


ENDED = re.compile(r"ended with status \d+")         # by itself: a check of its output judges the status
DETECTOR = re.compile(r"^(.*: )?race detector: fatal error: (.*)$", re.M)
DONE = {"read": "read", "write": "written"}


class Race(Cases):
    """`cilkc race` finds nothing on these inputs."""
    kind, parts = "race", NEEDED["race"]
    keys = {key: Cases.keys[key] for key in ("args", "stdin", "stdin-file", "case", "name")}
    default_partial = False

    def problem(self, work, case):
        work.built("parallel")
        outcome = work.tool('"$0" race --json "$@"', *self.spec.race_flags, *self.spec.flags, *work.names(), "--", *case.args,
                            stdin=case.stdin(self.spec, self.where))
        if outcome.incident:
            return outcome.describe(self.spec.tool_limits)
        try:
            report = json.loads(outcome.out)
            if report["races"]:
                said = [race_text(row) for row in report["races"][:6]] + self.example(work, case)
                return "%s\n%s" % (plural(len(report["races"]), "race"), "\n".join(said))
        except (ValueError, LookupError, TypeError):
            report = {}
        stopped = DETECTOR.search(compare.visible(outcome.err, len(outcome.err)))
        if stopped or outcome.status != 0 and not ENDED.fullmatch(report.get("failed") or ""):
            return "the program cannot be examined for races: %s" % (
                (stopped[1] or "") + stopped[2] if stopped else "it " + (report.get("failed") or "does not end")
            )
        return None

    def example(self, work, case):
        """A run in which it goes wrong, in a sentence, if one is found soon."""
        if "example" not in work.builds:    # one for each submission
            outcome = work.tool('"$0" explore --json --no-page --schedules 60 --time 5 -w "$@"', *self.spec.flags,
                                *work.names(), "--", *case.args, stdin=case.stdin(self.spec, self.where))
            try:
                found = json.loads(outcome.out)
                why = found["why"] and "for example, on schedule %s: %s" % (found["schedule"], found["why"])
            except (ValueError, LookupError, TypeError):
                why = ""
            work.builds["example"] = [compare.one_line(compare.visible(str(why).encode()))] if why else []
        return work.builds["example"]

    def all_right(self, total):
        return "no races"


RACES = {
    "race": "{object} is {first} and {second} in parallel",
    "early": "{object} is {first} by the result of a child, and may be {second} before that",
    "held": "a lock is held over a spawn or sync: {object}, {first}",
    "inversion": "two locks are acquired in both orders: {object}, {first} and {second}",
}


def race_text(row):
    first, second = ("%s at %s:%d" % (DONE[a["kind"]], os.path.basename(a["file"]), a["line"]) for a in row["accesses"])
    words = RACES.get(row["type"], "{object} is {first} and {second}").format(
        object=row["object"], first=first, second=second
    )
    return "; ".join(filter(None, [words, row.get("why"), row.get("hint")]))


class Proved(Check):
    """`cilkc prove` proves the submission; partial credit by procedures that spawn. Nothing of it runs."""
    kind = "prove"

    def run(self, work):
        work.built("parallel")
        seconds = str(max(1, self.spec.tool_limits["time"] // 2))
        outcome = work.tool('"$0" prove --json --no-inputs --timeout "$@"', seconds, *self.spec.flags, *work.names())
        try:
            report = {} if outcome.incident else json.loads(outcome.out)
            rows = [(row, row["verdict"] == "proved") for row in report["procedures"]]
            proved = report["verdict"] == "proved"
        except (ValueError, LookupError, TypeError):
            said = "" if outcome.incident else shortened(compare.visible(outcome.err), 6)
            return Verdict(0.0, "it cannot be proved: %s" % outcome.describe(self.spec.tool_limits), said)
        if proved:
            return Verdict(1.0, "free of determinacy races on every input")
        good = sum(is_proved for _, is_proved in rows)
        open_ones = [row for row, is_proved in rows if not is_proved]
        detail = "\n".join("%s: %s" % (row["name"], row["findings"][0]["why"]) for row in open_ones)
        return Verdict(min(good / len(rows), 0.99) if rows else 0.0,
                       "%d of %s proved" % (good, plural(len(rows), "procedure")), shortened(detail))


def profile(check, work, options, what_if="--no-what-if"):
    """(what `cilkc profile` reports, or nothing; then what to say of that)"""
    case = check.cases[0]
    words = [*options, *check.spec.flags, *work.names(), "--", *case.args]
    outcome = work.tool('"$0" profile --json %s -P %d "$@"' % (what_if, JUDGED_FOR), *words,
                        stdin=case.stdin(check.spec, check.where))
    try:
        report = {} if outcome.incident else json.loads(outcome.out)
    except ValueError:
        report = {}
    said = re.search(r"^cilkc: error: (.*)", compare.visible(outcome.err), re.M)
    why = said[1] if said and not outcome.incident else outcome.describe(check.spec.tool_limits)
    return (report if isinstance(report, dict) else {}), "it cannot be measured: %s" % why


class Parallelism(Cases):
    """`cilkc profile` counts a parallelism of at least this."""
    kind, parts = "parallelism", NEEDED["profile"]
    keys = {**{key: Cases.keys[key] for key in ("args", "stdin", "stdin-file", "name")}, "at-least": spec.positive,
            "root": spec.text, "burdened": spec.yes_or_no, "strands": spec.one_of("same", "vary"),
            "work-at-most": spec.positive}
    required, default_partial = ("at-least",), False

    def __init__(self, whole_spec, row, where):
        super().__init__(whole_spec, row, where)
        if row.get("root") and row.get("burdened"):
            spec.wrong(where, "`root` and `burdened` exclude each other: the cost of steals is that of the whole program")

    def run(self, work):
        least, root = self.row["at-least"], self.row.get("root")
        work.built("parallel")
        options = ["--root", root] if root else []
        report, said = profile(self, work, options)
        try:
            numbers = (
                report["root"]["inclusive"] if root else report["burdened"] if self.row.get("burdened") else report
            )
            value = float(numbers["parallelism"])
        except (ValueError, LookupError, TypeError):
            return Verdict(0.0, said)
        text = "parallelism %s%s, at least %g is asked for" % (figure(value), " of %s" % root if root else "", least)
        if value >= least:
            wrong = self.too_much(work, report) or self.different(work)
            return Verdict(0.0, wrong) if wrong else Verdict(1.0, text)
        # Why: the more thorough runs may know, as of a sync that is not needed.
        reason = profile(self, work, options, "--what-if")[0].get("sentence") or report.get("sentence", "")
        return Verdict(value / least, text, str(reason))


    def too_much(self, work, report):
        """Spawned work without a purpose makes any program parallel."""
        least = work.reference and work.reference.work_of(self)
        most = self.row.get("work-at-most", WORK_AT_MOST)
        if not least or report["work"] <= most * least:
            return ""
        return "it does %s times the work of the reference, at most %g times is allowed" % (
            figure(report["work"] / least), most)

    def different(self, work):
        """A program may look at the number of workers, and be serial in parallel runs. The strands of a run do not
        depend on its schedule, unless there is an abort or SYNCHED."""
        if self.row.get("strands") == "vary":
            return ""
        case, counts = self.cases[0], {}
        for workers in (1, *MORE_WORKERS):
            outcome = work.run("counted", case.args, case.stdin(self.spec, self.where), nproc=workers, stats="2")
            found = STRANDS.findall(outcome.err)
            if outcome.incident or not found:
                return "on %s: its strands cannot be counted: %s" % (
                    plural(workers, "worker"), outcome.describe(self.spec.limits))
            counts[workers] = int(found[-1])
            if counts[workers] != counts[1]:
                return "on %s it has %s, on one %d" % (
                    plural(workers, "worker"), plural(counts[workers], "strand"), counts[1])
        return ""


class Grain(Cases):
    """`cilkc profile` counts at least so many instructions in a strand, on average: less is eaten up by spawns and
    steals."""

    parts = NEEDED["profile"]
    kind, keys = ("grain",
                  {**{key: Cases.keys[key] for key in ("args", "stdin", "stdin-file", "name")},
                   "at-least": spec.positive})
    required, default_partial = ("at-least",), False

    def run(self, work):
        work.built("parallel")
        least = self.row["at-least"]
        report, said = profile(self, work, [])
        if not isinstance(report.get("strand"), (int, float)):
            return Verdict(0.0, said)
        value = report["strand"]
        return Verdict(min(1.0, value / least),
                       "a strand has %s instructions on average, at least %g are asked for" % (figure(value), least))


class Timed(Cases):
    """What measures time. The best of several runs counts, since others disturb a run and nothing speeds it up."""
    timed, default_partial = True, False
    keys = {**{key: Cases.keys[key] for key in ("args", "stdin", "stdin-file", "name", "time", "memory")},
            "runs": spec.runs}

    def best(self, work, form, nproc=None):
        case, times = self.cases[0], []
        for _ in range(max(1, self.row.get("runs", 3))):
            outcome = work.run(form, case.args, case.stdin(self.spec, self.where), self.limits(), nproc)
            if not outcome.fine:
                raise Failed(outcome.describe(self.limits()))
            times.append(outcome.wall)
        return min(times)

    def compared(self, slow, fast):
        """The quotient, or None and a verdict."""
        if min(slow, fast) < SHORT:
            return None, Verdict(None, "%s: a run takes less than %g s" % (SKIPPED, SHORT))
        return slow / fast, None


class Overhead(Timed):
    """One worker takes at most so many times as long as the elision."""
    kind, keys, required = "overhead", {**Timed.keys, "at-most": spec.positive}, ("at-most",)

    def run(self, work):
        serial = self.best(work, "elision")
        value, skipped = self.compared(self.best(work, "parallel", 1), serial)
        if skipped:
            return skipped
        return Verdict(
            min(1.0, self.row["at-most"] / value),
            "one worker takes %.2f times as long as the elision, at most %g is allowed" % (value, self.row["at-most"]),
        )


class Speedup(Timed):
    """So many workers are at least so many times as fast as one. It is not measured where the machine has fewer
    processors."""

    kind, keys, required = ("speedup", {**Timed.keys, "at-least": spec.positive, "nproc": spec.whole},
                            ("at-least", "nproc"))

    def run(self, work):
        workers, have = self.row["nproc"], processes.processors()
        work.built("parallel")
        if workers > have:
            return Verdict(None, "%s: it needs %d processors, and this machine has %d" % (SKIPPED, workers, have))
        one = self.best(work, "parallel", 1)
        value, skipped = self.compared(one, self.best(work, "parallel", workers))
        if skipped:
            return skipped
        return Verdict(min(1.0, value / self.row["at-least"]),
                       "%d workers are %.2f times as fast as one, at least %g is asked for"
                       % (workers, value, self.row["at-least"]))


class Scheduler(Check):
    """`cilkc sched-test` finds the scheduler right; partial credit by the programs."""
    kind, keys, default_partial = "scheduler", {"programs": spec.words, "runs": spec.runs}, True
    parts = ("libcilkrt-debug.a",)

    def run(self, work):
        programs = ["--programs", ",".join(self.row["programs"])] if "programs" in self.row else []
        outcome = work.tool('"$0" sched-test --json --jobs 1 "$@"', "--runs", str(self.row.get("runs", 2)), "--timeout",
                            str(self.spec.limits["time"]), *programs, *self.spec.submission)
        if outcome.incident:
            return Verdict(0.0, outcome.describe(self.spec.tool_limits))
        try:
            rows = json.loads(outcome.out)["programs"]
            wrong = [": ".join([row["name"], row["verdict"], *(one["message"] for one in row["failures"][:1])])
                     for row in rows if row["verdict"] != "right"]
            credit = 1 - len(wrong) / len(rows)
        except (ValueError, LookupError, TypeError, ZeroDivisionError):
            return Verdict(0.0, "it cannot be tested", shortened(compare.visible(outcome.err), 6))
        return Verdict(credit, "%d of %d programs are right under it" % (len(rows) - len(wrong), len(rows)),
                       "\n".join(map(compare.one_line, wrong)))


class Words(Check):
    """Over the text after preprocessing: macros hide nothing."""
    keys, required = {"words": spec.words}, ("words",)

    def find_words(self, work):
        """{word: [file:line, ...]}"""
        places = {}
        for file, line, _, text in work.tokens():
            if text in self.row["words"]:
                places.setdefault(text, []).append("%s:%d" % (file, line))
        return places


class Forbidden(Words):
    kind = "forbidden"

    def run(self, work):
        hiding = work.line_directives()
        if hiding:
            return Verdict(0.0, "#line hides text in %s" % ", ".join(hiding))
        found = self.find_words(work)
        if not found:
            return Verdict(1.0, "none of the forbidden words")
        return Verdict(0.0,
                       "forbidden: " + ", ".join("'%s' (%s)" % (word, places[0]) for word, places in found.items()),
                       "\n".join("%s: %s" % (word, ", ".join(places[:8])) for word, places in found.items()))


class Required(Words):
    kind, default_partial = "required", True

    def run(self, work):
        found = self.find_words(work)
        missing = [word for word in self.row["words"] if word not in found]
        if not missing:
            return Verdict(1.0, "all required words")
        return Verdict(1 - len(missing) / len(self.row["words"]),
                       "missing: " + ", ".join("'%s'" % word for word in missing))


KINDS = {kind.kind: kind
         for kind in (Compiles, Output, Elision, Race, Proved, Parallelism, Grain, Overhead, Speedup, Scheduler, Forbidden,
                      Required)}


class Reference:
    """The answers of the specification's own solution, each computed once: by its elision, which runs serially."""

    def __init__(self, work, lock):
        self.work, self.lock, self.answers, self.works = work, lock, {}, {}

    def answer(self, args, stdin):
        key = tuple(args), stdin
        with self.lock:
            if key not in self.answers:
                self.answers[key] = self.compute(args, stdin)
            return self.answers[key]

    def work_of(self, check):
        """What `cilkc profile` counts; 0 where it cannot."""
        with self.lock:
            if check.name not in self.works:
                report, _ = profile(check, self.work, [])
                self.works[check.name] = report.get("work", 0)
            return self.works[check.name]

    def compute(self, args, stdin):
        try:
            outcome = self.work.run("elision", args, stdin)
        except Failed as failed:
            raise Stop("the reference of the specification: %s\n%s" % (failed.text, failed.output), 2)
        if outcome.incident or outcome.status is None:
            raise Stop("the reference of the specification: %s" % outcome.describe(self.work.spec.limits), 2)
        return outcome.out, outcome.status
