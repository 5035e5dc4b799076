"""--dist: a program whose ranks are several processes, on several machines (docs/travel.md). What is linked for that,
besides the runtime.

The transport `local` is in our library. That of MPI is a file of C, compiled here by MPI's own compiler, and the
program is linked with it: no two MPI libraries have the same binary interface.
"""

import os

from . import console, home, parts as building, processes
from .console import Stop


def parts(o, linker, flavour, temp):
    """The words that start the linker, and those that go before the runtime."""
    if o.shared:
        raise Stop("'--dist' is for programs, and '-shared' makes a library", 2)
    if o.tool or o.scale or o.trace or o.profile:
        raise Stop("'--dist' cannot be used with a tool: profile, trace or race the program on one machine", 2)
    if o.serial:
        raise Stop("'--serial' is incompatible with '--dist'", 2)
    ours = home.library(flavour.replace("libcilkrt", "libcilkdist"), o.target)
    if not building.need(ours, o.dry):
        raise Stop("the library for several machines is not built for this target (%s)" % ours)
    before = ["-Wl,-u,cilk_dist_start", ours]
    if o.dist != "mpi":
        return linker, before
    chosen = os.environ.get("CILKC_MPICC") or "mpicc"
    mpicc = home.which(chosen)
    if not mpicc:
        raise Stop(
            "'--dist=mpi' needs MPI's compiler, and there is no %s: install Open MPI (Debian: libopenmpi-dev, openmpi-bin) or set CILKC_MPICC"
            % chosen
        )
    # Their names for the compiler that they call.
    start = ["env"] + ["%s=%s" % (name, " ".join(linker[:1])) for name in ("OMPI_CC", "MPICH_CC", "I_MPI_CC")] + [mpicc]
    made = temp.file("mpi.o")
    for name in ("mpi.c", "transport.h"):
        building.need(home.library(os.path.join("dist", name)), o.dry)
    command = start + ["-std=gnu17", "-O2", "-fPIC", "-c", home.library(os.path.join("dist", "mpi.c")), "-o", made]
    if o.verbose or o.dry:
        console.write_stderr((" %s\n" % processes.quoted(command)).encode("utf-8", "surrogateescape"))
    if not o.dry:
        code, messages = processes.capture(command)
        if code:
            console.write_stderr(messages)
            raise Stop("the part of the runtime that calls MPI does not compile with %s" % mpicc)
    return start + linker[1:], before[:1] + [made] + before[1:]
