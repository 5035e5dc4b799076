"""One command in a sandbox, watched: its limits, its output, and what it did wrong.

The parent collects stdout and stderr up to a limit, and looks at the processes of the sandbox twenty times a second.
A limit that is exceeded ends the whole sandbox. Its first process dies with it, and the kernel ends every process
inside.
"""

import itertools
import json
import os
import select
import signal
import subprocess
import tempfile
import time

from cilkc_driver.console import Stop

from . import cgroup, sandbox, users

TICK = 0.05
GRACE = 2.0             # seconds for the sandbox itself, beyond the time of the command
DESCRIPTORS = 256

# What a limit says when it is exceeded.
WORDS = {"time": "it took more than %g s", "memory": "it needed more than %s of memory",
         "processes": "it made more than %d processes", "disk": "it wrote more than %s to files",
         "files": "it made more than %d files", "output": "it printed more than %s",
         "lost": "it killed the process that watched it"}


def size_text(n):
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if n >= unit:
            return "%g %s" % (round(n / unit, 1), name)
    return "%d bytes" % n


class Limits:
    """The limits of one run, in seconds, bytes and numbers."""

    NAMES = ("time", "memory", "processes", "disk", "files", "output")

    def __init__(self, **values):
        self.values = values

    def __getitem__(self, name):
        return self.values[name]

    def but(self, **values):
        return Limits(**{**self.values, **values})

    def explained(self, name):
        if name in ("memory", "disk", "output"):
            return WORDS[name] % size_text(self[name])
        return WORDS[name] % self[name] if "%" in WORDS[name] else WORDS[name]


class Closed(Exception):
    """The grader ends before its time."""


class Outcome:
    """How a command ended. incident: the name of the limit that it exceeded, or None."""

    def __init__(self):
        self.status: "int | None" = None
        self.signal, self.out, self.err = 0, b"", b""
        self.wall = self.user = 0.0
        self.incident, self.error = None, None

    @property
    def fine(self):
        return self.status == 0 and self.incident is None

    def describe(self, limits):
        """How it ended, as a clause."""
        if self.incident:
            return limits.explained(self.incident)
        if self.error:
            return "it could not be started (%s)" % self.error
        if self.signal:
            try:
                return "it was ended by %s" % signal.Signals(self.signal).name
            except ValueError:
                return "it was ended by signal %d" % self.signal
        return "it ended with status %s" % self.status


def family(pid):
    """This process and its living descendants."""
    found, open_ = [], [pid]
    while open_:
        one = open_.pop()
        found.append(one)
        try:
            for thread in os.listdir("/proc/%d/task" % one):
                with open("/proc/%d/task/%s/children" % (one, thread)) as file:
                    open_ += [int(word) for word in file.read().split()]
        except (OSError, ValueError):
            pass
    return found


def resident(pids):
    """(bytes of memory, threads) of these processes together."""
    pages = threads = 0
    for pid in pids:
        try:
            with open("/proc/%d/statm" % pid) as file:
                words = file.read().split()
            pages += int(words[1]) - int(words[2])
            threads += len(os.listdir("/proc/%d/task" % pid))
        except (OSError, IndexError, ValueError):
            pass
    return pages * os.sysconf("SC_PAGESIZE"), threads


def used(folder):
    """(bytes, files) below a folder, of any depth."""
    space, files, folders = 0, 0, [folder]
    while folders:
        try:
            for entry in os.scandir(folders.pop()):
                files += 1
                state = entry.stat(follow_symlinks=False)
                space += max(state.st_size, state.st_blocks * 512)      # blocks may be allocated late
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
        except OSError:
            pass
    return space, files


def filled(pids):
    """(bytes, files) in the /tmp of a sandbox, seen through one of its processes."""
    here = os.stat("/").st_dev, os.stat("/").st_ino
    for pid in reversed(pids):
        root = "/proc/%d/root" % pid
        try:
            top = os.stat(root + "/")
            if (top.st_dev, top.st_ino) != here:
                state = os.statvfs(root + "/tmp")
                return (state.f_blocks - state.f_bfree) * state.f_frsize, state.f_files - state.f_ffree
        except OSError:
            pass
    return 0, 0


class Cell:
    """Runs commands, one after the other or from several threads."""

    numbers = itertools.count(1)    # another user for each run: dead processes count until they are waited for

    def __init__(self, kind, use_cgroups=True):
        self.kind, self.use_cgroups = kind, use_cgroups
        self.running, self.closed = set(), False

    def run(self, place, words, limits, stdin=b"", unwanted=lambda: False):
        """Ends the command, with the incident "unwanted", as soon as unwanted() is true."""
        number = os.getpid() * 1000 + next(self.numbers)
        group = cgroup.make("cilkc-grade-%d-%d" % (os.getpid(), number), limits.values) if self.use_cgroups else None
        # a user of its own may not get through the folders above TMPDIR
        base = "/tmp" if self.kind.own_user else None
        scratch = tempfile.mkdtemp(prefix="cilkc-grade-%d-" % os.getpid(), dir=base) if self.kind.bare else None
        try:
            outcome = Run(self, place, words, limits, stdin, group, scratch, number).outcome(unwanted)
            if self.closed:
                raise Closed()
            return outcome
        finally:
            if group:
                group.remove()
            if scratch:
                subprocess.run(["rm", "-rf", scratch], check=False)

    def close(self):
        """Ends everything that runs, from another thread."""
        self.closed = True
        for process in list(self.running):
            end(process)


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    process.kill()


class Run:
    def __init__(self, cell, place, words, limits, stdin, group, scratch, number):
        self.cell, self.limits, self.group, self.stdin, self.scratch = cell, limits, group, stdin, scratch
        self.uid = cell.kind.uid(number)
        self.report, writing = os.pipe()
        cpu = int(limits["time"] * (os.cpu_count() or 1)) + 2
        config = {"report": writing, "uid": self.uid, "folder": sandbox.FOLDER, "scratch": scratch,
                  "copy": place.copy,
                  "limits": {"time": limits["time"], "disk": limits["disk"], "files": limits["files"],
                             "processes": self.process_limit(), "descriptors": DESCRIPTORS, "cpu": cpu}}
        command, read = cell.kind.command(place, config, words)
        if group:
            # The shell joins the group before anything of the sandbox begins.
            join = " && ".join('echo 0 > "%s"' % name for name in group.procs())
            command = ["/bin/sh", "-c", join + ' && exec "$@"', "sh", *command]
        try:
            self.process = self.start(command, read, cell.kind.environment(scratch), writing)
        except OSError as error:
            os.close(self.report)
            raise Stop("cannot start the sandbox: %s" % error.strerror)
        finally:
            os.close(writing)

    def process_limit(self):
        """The sandbox's own processes count, too. Without a sandbox the limit would count all processes of the user."""
        return self.limits["processes"] + 4 if self.cell.kind.own_user else 1 << 20

    def start(self, command, read, environment, writing):
        with tempfile.TemporaryFile() as file, tempfile.TemporaryFile() as reading:
            for one, text in (file, self.stdin), (reading, read):
                one.write(text)
                one.seek(0)
            number = str(reading.fileno())
            process = subprocess.Popen([number if word is sandbox.READ else word for word in command], stdin=file,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                       pass_fds=[writing, reading.fileno()] if read else [writing],
                                       start_new_session=True)
        self.cell.running.add(process)
        if self.cell.closed:
            end(process)
        return process

    def outcome(self, unwanted):
        outcome = Outcome()
        parts = {self.process.stdout.fileno(): [], self.process.stderr.fileno(): [], self.report: []}
        try:
            outcome.incident = self.collect(parts, unwanted)
            if outcome.incident:
                end(self.process)
            self.process.wait()
            outcome.out, outcome.err = (b"".join(parts[pipe.fileno()])[: self.limits["output"]]
                                        for pipe in (self.process.stdout, self.process.stderr))
            self.take_report(outcome, b"".join(parts[self.report]))
            return outcome
        finally:
            self.end()
            self.process.wait()
            self.cell.running.discard(self.process)
            self.process.stdout.close()
            self.process.stderr.close()
            os.close(self.report)

    def end(self):
        end(self.process)
        self.cell.kind.end_all(self.uid, self.scratch)

    def collect(self, parts, unwanted):
        """Reads until all pipes are at their ends. The name of the limit that was exceeded, "unwanted", or None."""
        begun = looked = time.monotonic()
        sizes = dict.fromkeys(parts, 0)
        poller = select.poll()
        for fd in parts:
            os.set_blocking(fd, False)
            poller.register(fd, select.POLLIN)
        unread = set(parts)
        while unread:
            for fd, _ in poller.poll(int(TICK * 1000)):
                data = os.read(fd, 1 << 16)
                if not data:
                    poller.unregister(fd)
                    unread.discard(fd)
                    continue
                sizes[fd] += len(data)
                if sizes[fd] > self.limits["output"]:
                    return "output"
                parts[fd].append(data)
            now = time.monotonic()
            if now - begun > self.limits["time"] + GRACE:
                return "time"
            if now - looked > TICK:
                looked = now
                wrong = "unwanted" if unwanted() else self.look()
                if wrong:
                    return wrong
            if self.report not in unread and self.process.poll() is not None and not self.cell.kind.bare:
                continue            # the pipes are at their ends soon: nothing inside is left
            if self.cell.kind.bare and self.process.poll() is not None:
                self.end()          # what it left running keeps the pipes open
        return None

    def look(self):
        """At what the processes hold now."""
        if self.group and self.group.out_of_memory():
            return "memory"
        if self.group and self.group.out_of_processes():
            return "processes"
        pids = users.processes_of(self.uid) if self.cell.kind.bare and self.uid else family(self.process.pid)
        if not self.group:
            memory, threads = resident(pids)
            if memory > self.limits["memory"]:
                return "memory"
            if threads > self.limits["processes"] + 3:
                return "processes"
        return self.overfull(pids)

    def overfull(self, pids=()):
        """The limit that the command's own files exceed."""
        if not self.cell.kind.own_user:
            return None
        space, files = used(self.scratch) if self.scratch else filled(pids)
        return "disk" if space >= self.limits["disk"] else "files" if files >= self.limits["files"] else None

    def take_report(self, outcome, report):
        try:
            said = json.loads(report.decode().split("\n")[0] or "{}")
        except ValueError:
            said = {}
        outcome.error = said.get("error")
        outcome.status, outcome.signal = said.get("status"), said.get("signal", 0)
        outcome.wall, outcome.user = said.get("wall", 0.0), said.get("user", 0.0)
        used = outcome.user + said.get("system", 0.0)
        if outcome.incident:
            return
        if self.group and self.group.out_of_memory():
            outcome.incident = "memory"
        elif self.group and self.group.out_of_processes():
            outcome.incident = "processes"
        elif not said:
            if self.process.returncode in (125, 1) and outcome.err.startswith((b"sandbox: ", b"bwrap: ")):
                raise Stop("the sandbox failed: %s" % outcome.err.decode("utf-8", "replace").strip())
            outcome.incident = "lost"
        elif outcome.wall > self.limits["time"] or outcome.signal == signal.SIGXCPU and used >= self.limits["time"]:
            outcome.incident = "time"
        elif not self.cell.kind.bare and said.get("files", 0) >= self.limits["files"]:
            outcome.incident = "files"
        elif outcome.signal == signal.SIGXFSZ or said.get("full") and not self.cell.kind.bare:
            outcome.incident = "disk"
        elif self.scratch:
            outcome.incident = self.overfull()


def works(kind):
    """Tries a sandbox: None, or why it does not work."""
    limits = Limits(time=20, memory=1 << 29, processes=16, disk=1 << 20, files=100, output=1 << 16)
    outcome = Cell(kind, use_cgroups=False).run(sandbox.Place(), ["/bin/echo", "here"], limits)
    if outcome.out == b"here\n" and outcome.fine:
        return None
    return (outcome.err.decode("utf-8", "replace").strip() or outcome.describe(limits)).splitlines()[-1]
