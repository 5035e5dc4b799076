"""Runs programs in turn, several rounds, and takes medians.

All variants of a case run once per round, and each round starts with the next variant. So a slow minute of the machine
falls on all variants.  A ratio's spread comes from the ratios within each round, not from the two medians.
"""

import os
import re
import subprocess
import time

TIME = re.compile(r"^time: ([0-9.]+) s", re.M)
RUN_TIMEOUT = 300


def say(text):
    print(text, flush=True)


class Job:
    """One variant: its command, its environment, and what each round took in seconds."""

    def __init__(self, variant, words, env=None, clock="wall"):
        self.variant, self.words, self.env, self.clock = variant, [str(w) for w in words], env or {}, clock
        self.times, self.output, self.problem = [], None, None

    def run(self):
        try:
            done = subprocess.run(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, errors="replace", timeout=RUN_TIMEOUT, env=dict(os.environ, **self.env))
        except subprocess.TimeoutExpired:
            self.problem = "no end within %d s" % RUN_TIMEOUT
            return
        except OSError as problem:
            self.problem = str(problem)
            return
        found = TIME.search(done.stderr)
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            self.problem = "exit status %d %s" % (done.returncode, last)
        elif found is None:
            self.problem = "it prints no line `time: ... s`"
        else:
            self.times.append(float(found.group(1)))
            self.output = done.stdout


def interleave(jobs, rounds, seconds=None):
    """Runs the jobs round robin; stops early, after two rounds at least, once `seconds` have passed."""
    began = time.monotonic()
    for number in range(rounds):
        if seconds and number >= 2 and time.monotonic() - began > seconds:
            break
        for place in range(len(jobs)):
            job = jobs[(place + number) % len(jobs)]
            if job.problem is None:
                job.run()
    return jobs


def quantile(values, q):
    """By linear interpolation; None of nothing."""
    values = sorted(values)
    if not values:
        return None
    place = q * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def median(values):
    return quantile(values, 0.5)


def spread(values):
    return {"median": quantile(values, 0.5), "q1": quantile(values, 0.25), "q3": quantile(values, 0.75)}


def ratio(above, below):
    """Median and quartiles of the ratios of two jobs' times, round by round; None where one of them has no times."""
    pairs = [a / b for a, b in zip(above, below) if b > 0]
    return spread(pairs) if pairs else None


def processor_seconds(words):
    """(wall seconds, processor seconds) of a whole program, or None."""
    try:
        began = time.monotonic()
        process = subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        return (time.monotonic() - began, usage.ru_utime + usage.ru_stime) if status == 0 else None
    except OSError:
        return None
