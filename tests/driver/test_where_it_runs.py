"""Where a kernel or a container forbids things: a root that is read-only, and system calls that a filter rejects.

docs/install.md says what remains; this is that page's evidence. bwrap makes the root and installs the filter.
"""

import os
import struct

import pytest

from conftest import CILKC, ROOT, command, need

pytestmark = pytest.mark.tier("test")

FIB = ROOT / "samples" / "fib.cilk"
ENOSYS, EPERM = 38, 1
# x86-64's numbers of what the runtime asks for and can do without: as old kernels (ENOSYS), as strict filters (EPERM)
NEWER = {"membarrier": 324, "rseq": 334, "clone3": 435, "process_vm_readv": 310, "getcpu": 309, "userfaultfd": 323,
         "statx": 332, "memfd_create": 319}
STRICT = {"membarrier": 324, "process_vm_readv": 310, "sched_setaffinity": 203, "ptrace": 101, "perf_event_open": 298}


def filter_of(calls, error):
    """A program of classic BPF: these calls fail with an error, all others are let through."""
    words = [(0x20, 0, 0, 0)]                                                   # the call's number
    words += [(0x15, len(calls) - i, 0, number) for i, number in enumerate(calls.values())]
    words += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | error)]       # allow; fail
    return b"".join(struct.pack("HBBI", *word) for word in words)


def inside(words, folder, program=None):
    """Where nothing but one folder can be written, /tmp and /dev/shm neither. With no network, either."""
    root = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
            "--bind", folder, folder, "--chdir", folder, "--setenv", "TMPDIR", folder, "--setenv", "HOME", "/nonexistent"]
    if program is None:
        return command([*root, *words])
    (folder / "filter").write_bytes(program)
    return command(["sh", "-c", 'exec "$@" 9<filter', "sh", root[0], "--seccomp", "9", *root[1:], *words], cwd=folder)


@pytest.mark.parametrize("calls, error", [({}, 0), (NEWER, ENOSYS), (STRICT, EPERM)], ids=["read-only", "old", "strict"])
def test_it_compiles_and_runs(calls, error, tmp_path):
    if os.uname().machine != "x86_64":
        pytest.skip("the numbers of the calls are x86-64's")
    need("bwrap")
    program = filter_of(calls, error) if calls else None
    script = "%s -O2 %s -o fib && ./fib --nproc 2 20 && ./fib --nproc 2 --stats 2 20 && %s race %s -- 8" % (CILKC, FIB, CILKC, FIB)
    done = inside(["sh", "-c", script], tmp_path, program)
    assert done.status == 0 and done.out.count("fib(20) = 6765") == 2 and "no races" in done.out + done.err, str(done)
    if calls:       # the filter is one
        probe = "import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.syscall(%d, 0, 0, 0), ctypes.get_errno())"
        assert inside(["python3", "-c", probe % NEWER["membarrier"]], tmp_path, program).out == "-1 %d\n" % error
    left = {path.name for path in tmp_path.iterdir()} - {"fib", "filter"}
    assert not left
