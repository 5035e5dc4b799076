"""Control groups, where this process may make them: exact limits of memory and processes for one run in the sandbox.

Version 2 has one tree; version 1 has one tree for memory and one for processes. Where a group cannot be made, `made`
returns None, and cell.py watches the processes instead.
"""

import os
import signal
import time

TOP = "/sys/fs/cgroup"
# For each version, the file of a limit: (controller, file, what it limits).
FILES = {1: (("memory", "memory.limit_in_bytes", "memory"), ("pids", "pids.max", "processes")),
         2: (("", "memory.max", "memory"), ("", "pids.max", "processes"))}
OOM = {1: ("memory", "memory.oom_control", "oom_kill"), 2: ("", "memory.events", "oom_kill")}
PIDS = {1: ("pids", "pids.events", "max"), 2: ("", "pids.events", "max")}


def own_paths():
    """{controller: path of our group}; the one of version 2 under ''."""
    paths = {}
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            for name in controllers.split(","):
                paths[name] = path
    return paths


def folders(version, name):
    """{controller: folder of the new group}"""
    own = own_paths()
    if version == 2:
        os.stat(TOP + "/cgroup.controllers")        # else this is the tree of version 1
        return {"": TOP + own[""].rstrip("/") + "/" + name}
    return {controller: "%s/%s%s/%s" % (TOP, controller, own[controller].rstrip("/"), name)
            for controller in ("memory", "pids")}


class Group:
    def __init__(self, version, places):
        self.version, self.places = version, places

    def procs(self):
        """The files that a process writes 0 into to join."""
        return [place + "/cgroup.procs" for place in self.places.values()]

    def event(self, table):
        """How often something of this kind has happened."""
        controller, name, word = table[self.version]
        try:
            with open(self.places[controller] + "/" + name) as file:
                return next((int(line.split()[1]) for line in file if line.split()[:1] == [word]), 0)
        except (OSError, ValueError, IndexError):
            return 0

    def out_of_memory(self):
        return self.event(OOM) > 0

    def out_of_processes(self):
        return self.event(PIDS) > 0

    def members(self):
        found = set()
        for name in self.procs():
            try:
                with open(name) as file:
                    found |= {int(line) for line in file}
            except (OSError, ValueError):
                pass
        return found - {0, os.getpid()}         # 0: a process that is not in our view

    def remove(self):
        for _ in range(100):
            for pid in self.members():
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            for place in self.places.values():
                try:
                    os.rmdir(place)
                except OSError:
                    pass
            if not any(map(os.path.isdir, self.places.values())):
                return
            time.sleep(0.02)


def make(name, limits):
    """A new group with these limits, or None."""
    for version in (2, 1):
        group = None
        try:
            group = Group(version, folders(version, name))
            for place in group.places.values():
                os.mkdir(place)
            for controller, file, what in FILES[version]:
                with open(group.places[controller] + "/" + file, "r+") as out:      # never makes a file
                    out.write("%d" % limits[what])
            return group
        except (OSError, KeyError):
            if group:
                group.remove()
    return None
