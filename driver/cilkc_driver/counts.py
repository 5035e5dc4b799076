"""-fprofile-generate and --coverage: LLVM's runtime, which writes the counts of a program, and the names of the files
of --coverage. The runtime is of the same version as the LLVM that made the code: their formats change together."""

import glob
import os

from . import home, processes
from .console import Stop


def runtime(target):
    """The words of a link that count."""
    processor = (target or os.uname().machine).partition("-")[0]
    version = processes.output_of([home.cilkc1(), "--print=llvm"])[1].strip()
    for root in ("/usr/lib/llvm-%s/lib/clang" % version, "/usr/lib/clang", "/usr/lib64/clang", "/usr/local/lib/clang"):
        for name in ("linux/libclang_rt.profile-%s.a", "%s-*linux-gnu/libclang_rt.profile.a"):
            for path in glob.glob("%s/%s*/lib/%s" % (root, version, name % processor)):
                return ["-Wl,-u,__llvm_profile_runtime", path]
    raise Stop("the runtime of -fprofile-generate and --coverage (libclang_rt.profile of LLVM %s for %s) is not "
               "installed: install libclang-rt-%s-dev (Debian, Ubuntu) or compiler-rt (Fedora)"
               % (version, processor, version))


def coverage_stem(o, item, target):
    """What the files of one input are named after, as with clang: beside its object, or else after the program."""
    if target not in (None, "-"):
        stem = os.path.splitext(target)[0]
    else:
        folder, base = os.path.split(o.output or "a")
        stem = os.path.join(folder, base + "-" + os.path.splitext(os.path.basename(item.name))[0])
    return os.path.abspath(stem)
