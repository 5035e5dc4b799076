"""Programs for several ranks, built and run: for tests/runtime/test_dist.py and soak.py."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("CILKC_BUILD") or "build")
BUILD = BUILD if BUILD.is_absolute() else ROOT / BUILD
# The arguments of short runs, and of runs that are long enough for a rank to die in the middle.
PROGRAMS = {
    "fib.cilk1": (["21"], ["32"]),
    "pfold.cilk1": (["2", "3", "3", "7"], ["2", "3", "4", "9"]),
    "knary.cilk1": (["6", "4", "1"], ["9", "4", "1", "2000"]),
    "queens.cilk1": (["8", "4"], ["14", "5"]),
    "nqueens.cilk": (["9", "4"], ["14", "4"]),
    "search.cilk": (["20000"], ["40000000"]),
}


MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def built(name, folder, *flags, transport="local"):
    """The program for several ranks."""
    flags = ("--dist=" + transport, *flags)
    out = Path(folder) / (name.replace(".", "-") + "".join(flags).replace("=", "-"))
    if not out.exists():
        subprocess.run([str(ROOT / "cilkc"), "-O2", *flags, str(HERE / name), "-o", str(out)], check=True)
    return out


def command(program, arguments, ranks, nproc, transport="local", **more):
    """(its words, its environment)."""
    words = [str(program), "--nproc", str(nproc), *arguments]
    if transport == "mpi":
        return ["mpirun", "--oversubscribe", "-n", str(ranks), *words], dict(os.environ, **MPI, **more)
    return words, dict(os.environ, CILK_RANKS=str(ranks), **more)


def expected(program, arguments):
    """What one rank prints."""
    done = subprocess.run(
        [program, "--nproc", "1", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
        env=dict(os.environ, CILK_RANKS="1"),
    )
    return done.stdout


def build_mutated(folder, flavour=""):
    out = Path(folder) / ("mutated" + flavour)
    sanitize = ["-fsanitize=address,undefined"] if flavour == "-asan" else []
    libraries = [str(BUILD / "lib" / ("lib%s%s.a" % (name, flavour))) for name in ("cilkdist", "cilkrt")]
    subprocess.run(
        [
            "gcc",
            "-g",
            "-O1",
            *sanitize,
            "-I.",
            "-Irt/core",
            "-Irt/extensions",
            "-Istdlib",
            "-Itests/rt/cilk1",
            str(HERE / "mutated.c"),
            "-o",
            str(out),
            "-Wl,-u,cilk_dist_start",
            *libraries,
            "-lpthread",
            "-lm",
        ],
        check=True,
        cwd=ROOT,
    )
    return out


def messages(program, number, seed):
    """(None, or what went wrong with so many messages; was work given to ranks?; how many were delivered: there may be
    no rank left earlier; how many ranks were refused)"""
    words = [program, "--nproc", "2", str(number), str(seed)]
    done = subprocess.run(words, capture_output=True, timeout=600, text=True, errors="replace")
    lines = done.stderr.splitlines()
    refused, lines = ([line for line in lines if ("was rejected: " in line) == one] for one in (True, False))
    form = r"(\d+) messages delivered, (no )?work was given; .*; (\d+) ranks were cut off"
    found = re.fullmatch(form, lines[0]) if len(lines) == 1 else None
    good = not done.returncode and found is not None and int(found[1]) > 0 and int(found[3]) == len(refused)
    problem = None if good else "seed %d: status %d, %r" % (seed, done.returncode, lines[:20])
    return problem, found is not None and not found[2], int(found[1]) if found else 0, len(refused)


def ids_of(process, ranks):
    """The processes of the ranks, in their order, or fewer where it has ended."""
    children, ids = "/proc/%d/task/%d/children" % (process.pid, process.pid), []
    while len(ids) < ranks and process.poll() is None:
        ids = Path(children).read_text().split() if os.path.exists(children) else []
        time.sleep(0.0005)
    return [int(one) for one in ids]


def run(program, arguments, ranks, nproc, kills=(), delay_us=0, twice=0, transport="local"):
    """(status, stdout, stderr, how many ranks were killed). Messages are late by up to delay_us; of `twice` one comes
    twice."""
    more = {"CILK_DIST_DELAY": str(delay_us)} if delay_us else {}
    more.update({"CILK_DIST_TWICE": str(twice)} if twice else {})
    words, env = command(program, arguments, ranks, nproc, transport, **more)
    killed = 0
    with subprocess.Popen(
        words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        others = ids_of(process, ranks)[1:] if kills else []
        for wait, which in kills:
            time.sleep(wait)
            if process.poll() is not None or not others:
                break
            try:
                os.kill(others.pop(which % len(others)), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        try:
            out, err = process.communicate(timeout=min(300, float(os.environ.get("CILKC_TEST_PATIENCE", "inf"))))
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return "hangs", out, err, killed
    return process.returncode, out, err, killed
