"""What each transformation of the clones is worth: programs with it switched off, in units of the same program with all
of them on.

One worker, lazy, programs run in turn; the programs are those that the transformations are for and some that they
are not for.
"""

from .cases import all_cases
from .measure import Job, interleave, median

SWITCHES = {
    "recursion not inlined": ["-fno-inline-recursion"],
    "leaves not inlined": ["-fno-inline-leaves"],
    "neither": ["-fno-inline-recursion", "-fno-inline-leaves"],
    "parameters not constant": ["-fno-constant-parameters"],
    "all off": ["-fno-inline-recursion", "-fno-inline-leaves", "-fno-constant-parameters"],
}
PROGRAMS = ("fib-long", "fib-struct", "nqueens-count", "treesum", "mutual", "knary-empty", "cilksort", "parallel")
ROUNDS = {"full": 5, "quick": 3, "tiny": 1}


def measure(builder, size, preload):
    """{program: {"words": its arguments, "ratio": {what is off: T / T with all on}}}"""
    result = {}
    smaller = {"full": "quick"}.get(size, size)     # the quick sizes are long enough for one worker
    for case in all_cases():
        if case.name not in PROGRAMS:
            continue
        jobs = []
        for label, words in {"all on": [], **SWITCHES}.items():
            name = "-".join(["transform", case.name, *(word[5:] for word in words)])
            program = builder.cilk(name, case.source, "--spawn=lazy", *words)
            if program:
                jobs.append(Job(label, [program, "--nproc", 1, *case.sizes[smaller]], preload))
        interleave(jobs, ROUNDS[size])
        took = {job.variant: median(job.times) for job in jobs if job.times and job.problem is None}
        if took.get("all on"):
            result[case.name] = {"words": case.sizes[smaller],
                                 "ratio": {label: took[label] / took["all on"] for label in SWITCHES if label in took}}
    return result
