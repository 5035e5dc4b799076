"""What single operations cost: spawn, sync, inlet, steal, release; the breakdown of Figure 7; unrolling; an idle
worker.

Each figure is a difference of two programs' medians, divided by how often the operation happened; README.md has the
methods.
"""

import os
import re
import subprocess
from types import SimpleNamespace

from . import transform
from .build import CLANG, GCC, HERE
from .cases import ROOT, STRATEGIES, all_cases
from .measure import Job, interleave, median, processor_seconds, say

SIZES = {"full": SimpleNamespace(fib=38, ops=50000000, steals=25, figure=38, small=20, idle=2000, rounds=7),
         "quick": SimpleNamespace(fib=34, ops=5000000, steals=22, figure=34, small=18, idle=500, rounds=3),
         "tiny": SimpleNamespace(fib=20, ops=16000, steals=12, figure=20, small=10, idle=5, rounds=1)}
KINDS = ["spawn", "spawn and sync", "spawn with inlet", "spawn with +="]
# The breakdown adds one overhead at a time to the elision, as the paper did, then all.
# The paper's other protocol takes the deque's lock at every pop, in place of THE.
FIGURE7 = [
    ("elision", ["PLAIN"]),
    ("state saving", ["SAVE"]),
    ("closures", ["FRAME"]),
    ("THE", ["THE"]),
    ("THE with a fence", ["THE", "FENCE"]),
    ("a lock at every pop", ["THE", "LOCK"]),
    ("all of eager", ["SAVE", "FRAME", "THE"]),
    ("release flag", ["FLAG"]),
]
# What makes the compiled program comparable with the parts: the recursion is not unrolled, leaves are spawned.
AS_WRITTEN = ["-fno-inline-recursion", "-fno-inline-leaves"]


def spawns_of_fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return 2 * b - 2


def match_stderr(pattern, *words):
    """What a program writes to stderr, matched; None where it fails or writes no such thing."""
    try:
        done = subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return re.search(pattern, done.stderr, re.M) if done.returncode == 0 else None


def instructions(words):
    """(instructions, what counted them): callgrind, else perf; None when neither works here."""
    tries = [(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"], r"Collected\s*:\s*(\d+)"),
             (["perf", "stat", "-x,", "-e", "instructions:u"], r"^(\d+),.*instructions")]
    for tool, pattern in tries:
        found = match_stderr(pattern, *tool, *words)
        if found:
            return int(found.group(1)), tool[0]
    return None


def stat(program, pattern, *words):
    """A number from a run with statistics, or None."""
    found = match_stderr(pattern, program, *words)
    return float(found.group(1)) if found else None


def times(programs, rounds, preload):
    """{name: median} of {name: words}, run in turn; what fails is left out."""
    jobs = {name: Job(name, words, preload) for name, words in programs.items() if words and words[0]}
    interleave(list(jobs.values()), rounds)
    return {name: median(job.times) for name, job in jobs.items() if job.times and job.problem is None}


def spawn_cost(builder, size, preload):
    source = os.path.join(HERE, "programs", "fib_long.cilk")
    base = "clang" if CLANG else "gcc"
    plain = builder.elision("program-fib_long", source)
    folder = os.path.dirname(source)
    programs = {"elision": plain
                and builder.make("program-fib_long-" + base, [CLANG or GCC, "-w", "-O3", "-I", folder, plain, "-lm"],
                                 [plain])}
    for spawn in STRATEGIES:
        programs[spawn] = builder.cilk("program-fib_long-" + spawn, source, "--spawn=" + spawn)
        programs[spawn + ", nothing inlined"] = builder.cilk(
            "program-fib_long-%s-as-written" % spawn, source, "--spawn=" + spawn, *AS_WRITTEN
        )
    took = times({name: [program, size.fib] for name, program in programs.items()}, size.rounds, preload)
    result = {"base": base, "n": size.fib, "spawns": spawns_of_fib(size.fib), "variants": {}}
    many = spawns_of_fib(size.small + 4) - spawns_of_fib(size.small)
    for name, program in programs.items():
        if name not in took or "elision" not in took:
            continue
        one = {"seconds": took[name], "ratio": took[name] / took["elision"],
               "ns": (took[name] - took["elision"]) / result["spawns"] * 1e9, "instructions": None}
        options = [] if name == "elision" else ["--nproc", 1]
        low, high = (instructions([program, *options, n]) for n in (size.small, size.small + 4))
        if low and high:
            one["instructions_per_call"] = (high[0] - low[0]) / many
            result["counter"] = low[1]
        result["variants"][name] = one
    counted = result["variants"].get("elision", {}).get("instructions_per_call")
    for one in result["variants"].values():
        if counted is not None and "instructions_per_call" in one:
            one["instructions"] = one["instructions_per_call"] - counted
    return result


def section(builder, case, size):
    """Work and span, in instructions of the text, that a sample prints for its timed section; None for programs that
    print none. One run gives all."""
    with open(case.source, encoding="utf-8") as file:
        if "timing.cilkh" not in file.read():
            return None
    program = builder.cilk("span-" + case.name, case.source, "-cilk-span=count")
    words = case.sizes[size if size == "tiny" else "quick"]
    text = r"^section: work ([0-9]+) instructions, span ([0-9]+) instructions"
    found = match_stderr(text, program, "--nproc", 1, *words) if program else None
    return {"arguments": words, "work": int(found.group(1)), "span": int(found.group(2))} if found else None


def operation_costs(builder, size, preload):
    """ns per operation of the loops of ops.cilk, per strategy, above the elision's."""
    folder = os.path.join(HERE, "micro")
    ops, child = os.path.join(folder, "ops.cilk"), os.path.join(folder, "child.cilk")
    sources = builder.headers(ops)
    plain_child = builder.elision("child", child)
    programs = {}
    for kind, name in enumerate(KINDS):
        define = "-DKIND=%d" % kind
        for spawn in STRATEGIES:
            programs[name, spawn] = builder.make(
                "ops%d-%s" % (kind, spawn),
                [os.path.join(ROOT, "cilkc"), "build", "-w", "-O3", "--spawn=" + spawn, define, ops, child], sources
            )
        plain = builder.make("ops%d.elision.c" % kind,
                             [os.path.join(ROOT, "cilkc"), "elide", "--standalone", define, ops], sources)
        if plain and plain_child:
            programs[name, "elision"] = builder.make(
                "ops%d-elision" % kind, [CLANG or GCC or "cc", "-w", "-O3", "-I", folder, define, plain, plain_child],
                [plain]
            )
    took = times({key: [program, size.ops] for key, program in programs.items()}, size.rounds, preload)
    rows = {name: {variant: took[name, variant] / size.ops * 1e9 for variant in ("elision", *STRATEGIES)
                   if (name, variant) in took} for name in KINDS}
    differences = {}
    for what, above in (("sync", "spawn and sync"), ("inlet", "spawn with inlet"), ("implicit inlet", "spawn with +=")):
        differences[what] = {
            s: (rows[above][s] - rows["spawn"][s]) - (rows[above].get("elision", 0) - rows["spawn"].get("elision", 0))
            for s in STRATEGIES
            if s in rows[above] and s in rows["spawn"]
        }
    return {"ns_per_operation": rows, "above_a_spawn": differences}


def steal_costs(builder, size, preload, workers):
    source = os.path.join(HERE, "programs", "fib_long.cilk")
    result = {}
    for spawn in STRATEGIES:
        program = builder.cilk("program-fib_long-" + spawn, source, "--spawn=" + spawn)
        if not program:
            continue
        steals = stat(program, r"^\s*Steals\s.*?(\d+)\s*$", "--nproc", 1, "--force-steal", "always", "--stats", 2,
                      size.steals)
        took = times({"always": [program, "--nproc", 1, "--force-steal", "always", size.steals],
                      "never": [program, "--nproc", 1, size.steals]}, size.rounds, preload)
        one = {"forced_steals": steals, "ns": None, "search_us": None, "median_search_us": None}
        if steals and len(took) == 2:
            one["ns"] = (took["always"] - took["never"]) / steals * 1e9
        profiled = (builder.cilk("program-fib_long-profile-" + spawn, source, "-cilk-profile", "--spawn=" + spawn)
                    if workers > 1 else None)
        if profiled:
            for key, kind in (("search_us", "AVERAGE"), ("median_search_us", "MEDIAN")):
                found = [stat(profiled, kind + r" SEARCH FOR WORK = ([0-9.]+) us", "--nproc", workers, "--stats", 6,
                              size.fib) for _ in range(size.rounds)]
                one[key] = median([x for x in found if x is not None])
        result[spawn] = one
    ns = {spawn: one["ns"] for spawn, one in result.items() if one.get("ns") is not None}
    if "eager" in ns and "lazy" in ns:
        result["release_ns"] = ns["lazy"] - ns["eager"]
    return result


def figure7(builder, size, preload):
    source = os.path.join(HERE, "micro", "figure7.c")
    compiler = CLANG or GCC or "cc"
    programs = {}
    for name, macros in FIGURE7:
        file = "figure7-" + "-".join(macros).lower()
        # The optimiser may inline the elision into itself but not the versions with stores; without inlining they
        # compare.
        programs[name] = [builder.make(file,
                                       [compiler, "-w", "-O3", "-fno-inline", *("-D" + m for m in macros), source],
                                       [source]), size.figure]
    fib = os.path.join(HERE, "programs", "fib_long.cilk")
    for spawn in STRATEGIES:
        programs["cilkc " + spawn] = [builder.cilk("program-fib_long-%s-as-written" % spawn, fib, "--spawn=" + spawn,
                                                   *AS_WRITTEN), size.figure]
    took = times(programs, size.rounds, preload)
    base = took.get("elision")
    if not base:
        return {}
    ratio = {name: seconds / base for name, seconds in took.items()}
    return {"elision_ns_per_spawn": base / spawns_of_fib(size.figure) * 1e9, "ratio": ratio, "sum": sum_of_parts(ratio)}


def sum_of_parts(ratio):
    """What the parts of eager add up to, and how far that is from the whole: the paper's own check.  None where a part
    was not measured."""
    parts = [ratio.get(name) for name in ("state saving", "closures", "THE")]
    whole = ratio.get("all of eager")
    if None in parts or not whole:
        return None
    total = 1 + sum(part - 1 for part in parts)
    return {"parts": total, "whole": whole, "off": total / whole - 1}


def idle_cost(builder, size, workers):
    """How much of another core an idle worker uses, as a share of the run; the median of some runs."""
    program = builder.cilk("program-idle-lazy", os.path.join(HERE, "programs", "idle.cilk"), "--spawn=lazy")
    if not program or workers < 2:
        return None
    shares = []
    for _ in range(min(size.rounds, 3)):
        alone, several = (processor_seconds([program, "--nproc", n, size.idle]) for n in (1, workers))
        if alone and several and several[0] > 0:
            shares.append(max(0.0, several[1] - alone[1]) / several[0])
    return median(shares)


# Far more workers than processors: the run must not become longer than on as many workers as processors by more than
# what switching costs.
CROWD = 256
CROWDED = ("heat", "lu")


def measure_crowds(builder, size, preload, workers):
    """{program: {strategy: T on CROWD workers / T on `workers`}}"""
    result = {}
    for case in all_cases():
        if case.name not in CROWDED:
            continue
        words = case.sizes[{"full": "quick"}.get(size, size)]
        for spawn in STRATEGIES:
            program = builder.cilk("case-%s-%s" % (case.name, spawn), case.source, "--spawn=" + spawn)
            took = times({p: [program, "--nproc", p, *words] for p in (workers, CROWD)} if program else {},
                         SIZES[size].rounds, preload)
            if len(took) == 2 and took[workers] > 0:
                result.setdefault(case.name, {})[spawn] = took[CROWD] / took[workers]
    return result


def all_of_it(builder, size, preload, workers):
    named, size = size, SIZES[size]
    result = {}
    for name, part in (
        ("spawn", lambda: spawn_cost(builder, size, preload)),
        ("operations", lambda: operation_costs(builder, size, preload)),
        ("steal", lambda: steal_costs(builder, size, preload, workers)),
        ("figure7", lambda: figure7(builder, size, preload)),
        ("transformations", lambda: transform.measure(builder, named, preload)),
        ("crowded", lambda: measure_crowds(builder, named, preload, workers)),
        ("idle_share", lambda: idle_cost(builder, size, workers)),
    ):
        say("  " + name)
        result[name] = part()
    return result
