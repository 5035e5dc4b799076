"""Describes the machine, and says when it is not idle.  What cannot be read is None."""

import os
import platform
import re
import subprocess

from .build import BUILD, CARGO, CILKC, CLANG, GCC


def text_of(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return None


def version(*words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else None


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe():
    info = text_of("/proc/cpuinfo") or ""
    model = re.search(r"^model name\s*:\s*(.*)$", info, re.M)
    level3 = text_of("/sys/devices/system/cpu/cpu0/cache/index3/size")
    return {
        "cpu": model.group(1) if model else platform.processor() or platform.machine(),
        "cores": cores(),
        "cache": level3 and "%s of level 3" % level3,
        "governor": text_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "virtual": "hypervisor" in info,
        "kernel": "%s %s %s" % (platform.system(), platform.release(), platform.machine()),
        "libc": " ".join(platform.libc_ver()),
        "cilkc": version(CILKC, "--version"),
        "gcc": GCC and version(GCC, "--version"),
        "clang": CLANG and version(CLANG, "--version"),
        "rustc": CARGO and version("rustc", "--version"),
        "build": os.path.basename(BUILD),
        "load": list(os.getloadavg()),
    }


def warning(load):
    """A note for the reader when other programs compete for the processors; None on an idle machine."""
    if load[0] > 0.5:
        return ("the machine was not idle: load average %.1f on %d cores. Wall times, and everything on two workers, "
                "are unreliable; --user-time helps for one worker." % (load[0], cores()))
    return None
