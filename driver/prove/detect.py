"""The race detector as the judge: a program is built once with it, and run on many inputs."""

import json
import os
import subprocess

from cilkc_driver import home

COUNTED = {"race", "early", "held", "inversion", "unjoined"}
LIMIT = 10  # seconds of a run


class Detector:
    def __init__(self, words, temp):
        self.words, self.temp, self.program, self.runs = list(words), temp, None, 0

    def command(self, *words):
        return [os.path.join(home.HOME, "cilkc"), *words]

    def build(self):
        """Can the program be built for the detector?"""
        if self.program is None:
            program = self.temp.file("detected")
            level = [] if any(word.startswith("-O") for word in self.words) else ["-O2"]
            made = run(
                self.command("build", *level, "-w", "-cilk-tool=race", "-DCILK_RACE=1", *self.words, "-o", program)
            )
            self.program = program if made is not None and made.returncode == 0 else ""
        return bool(self.program)

    def suspects(self, arguments):
        """Does a run with these arguments find something? Quick, and not the last word."""
        if not self.build():
            return False
        self.runs += 1
        found = False
        for synched in "10":
            report = self.temp.file("report.%d.%s" % (self.runs, synched))
            environment = dict(os.environ, CILK_RACE_REPORT=report, CILK_RACE_SYNCHED=synched)
            if run([self.program, *arguments], environment) is None:
                return False
            found |= any(row.get("type") in COUNTED for row in rows_of(report))
        return found

    def races_of(self, driver, text):
        """The same with a further file of this text, which has main; nothing if it leaves its arrays."""
        with open(driver, "w", encoding="utf-8") as file:
            file.write(text)
        program = self.temp.file("driver")
        for command in (
            self.command("build", "-w", "-fsanitize=address", *self.words, driver, "-o", program),
            [program],
        ):
            done = run(command, limit=4 * LIMIT)
            if done is None or done.returncode != 0:
                return []
        return self.races([], driver)

    def races(self, arguments, *more):
        """What `cilkc race` says of this input: rows of its report. more: further files."""
        done = run(self.command("race", "--json", "-w", *self.words, *more, "--", *arguments), limit=4 * LIMIT)
        if done is None or done.returncode not in (1, 3):
            return []
        try:
            return json.loads(done.stdout)["races"]
        except (ValueError, KeyError):
            return []


def run(command, environment=None, limit=LIMIT):
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=limit, errors="replace"
        )
    except (subprocess.TimeoutExpired, OSError):
        return None


def rows_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue  # the program ended while it wrote
        if isinstance(row, dict):
            yield row
