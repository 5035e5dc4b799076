"""A sandbox of Linux namespaces, for machines without bubblewrap: `python3 -I -S namespaces.py NUMBER COMMAND...`.

New mount, process, network, IPC and host-name namespaces; a user namespace, too, unless root calls. The new root is
a small tmpfs with what the plan binds into it, read-only. The first process in there only waits: signals from inside
cannot end it, and when it ends, the kernel ends all others. The plan comes from the descriptor NUMBER, since
it names files of the host. It is JSON: {"bind": [[from, to], ...], "link": [[to, name], ...], "hide": [...],
"disk": n, "files": n}.
"""

import ctypes
import json
import os
import signal
import sys

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
MNT_DETACH, PR_SET_PDEATHSIG = 2, 1
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 442, -100, 0x8000, 1, 2
PIVOT_ROOT = {"x86_64": 155}.get(os.uname().machine, 41)
DEVICES = ("null", "zero", "full", "random", "urandom")

C = ctypes.CDLL(None, use_errno=True)


def must(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


def mount(source, target, kind, flags, data=None):
    must(C.mount(source.encode(), target.encode(), kind.encode(), flags, data.encode() if data else None),
         "mount %s" % target)


class Attributes(ctypes.Structure):
    _fields_ = [
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns", ctypes.c_uint64),
    ]


def read_only(target):
    """This mount and all below it."""
    wish = Attributes(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0)
    must(C.syscall(MOUNT_SETATTR, AT_FDCWD, target.encode(), AT_RECURSIVE, ctypes.byref(wish), ctypes.sizeof(wish)),
         "mount_setattr %s" % target)


def bind(source, target, folder, writable=False):
    if folder:
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, "w").close()
    mount(source, target, "none", MS_BIND | MS_REC)
    if not writable:
        read_only(target)


def tmpfs(target, size, files, mode="1777"):
    os.makedirs(target, exist_ok=True)
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "size=%d,nr_inodes=%d,mode=%s" % (size, files, mode))


def new_root(plan, top):
    # some are below `top`
    sources = [(os.open(source, os.O_PATH), os.path.isdir(source), target) for source, target in plan["bind"]]
    tmpfs(top, 1 << 20, 4096, "755")
    for source, folder, target in sources:
        bind("/proc/self/fd/%d" % source, top + target, folder)
        os.close(source)
        for hidden in plan["hide"]:
            if hidden.startswith(target + "/"):
                tmpfs(top + hidden, 4096, 16, "755")
    for target, name in plan["link"]:
        os.symlink(target, top + name)
    os.makedirs(top + "/proc")
    mount("proc", top + "/proc", "proc", MS_NOSUID | MS_NODEV)
    for name in ("sys", "sysrq-trigger", "irq", "bus"):
        if os.path.exists(top + "/proc/" + name):
            mount(top + "/proc/" + name, top + "/proc/" + name, "none", MS_BIND | MS_REC)
            read_only(top + "/proc/" + name)
    os.makedirs(top + "/dev")
    for name in DEVICES:
        bind("/dev/" + name, top + "/dev/" + name, False, writable=True)
    for name, target in (
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ):
        os.symlink(target, top + "/dev/" + name)
    for name in ("/tmp", "/dev/shm"):
        tmpfs(top + name, plan["disk"], plan["files"])
    old = top + "/.old"
    os.makedirs(old)
    must(C.syscall(PIVOT_ROOT, top.encode(), old.encode()), "pivot_root")
    os.chdir("/")
    must(C.umount2(b"/.old", MNT_DETACH), "umount")
    os.rmdir("/.old")
    mount("none", "/", "none", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def user_namespace(inside):
    """Outside we stay the user we are; inside, the rights to mount last until the command begins."""
    uid, gid = os.getuid(), os.getgid()
    must(C.unshare(CLONE_NEWUSER), "unshare")
    for name, text in (("setgroups", "deny"),
                       ("uid_map", "%d %d 1" % (inside, uid)),
                       ("gid_map", "%d %d 1" % (inside, gid))):
        with open("/proc/self/" + name, "w") as file:
            file.write(text)


def passed_on(status):
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def first(plan, words):
    """Process 1 of the sandbox."""
    C.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    C.sethostname(b"sandbox", 7)
    mount("none", "/", "none", MS_REC | MS_PRIVATE)
    new_root(plan, "/tmp")
    child = os.fork()
    if child == 0:
        os.execvpe(words[0], words, plan["environment"])
    while True:
        pid, status = os.wait()
        if pid == child:
            return passed_on(status)


def main(plan, words):
    C.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        if os.getuid() != 0:
            user_namespace(plan["inside"])
        must(C.unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP),
             "unshare")
        child = os.fork()
        if child == 0:
            os._exit(first(plan, words))
        _, status = os.waitpid(child, 0)
        return passed_on(status)
    except Exception as error:
        sys.stderr.write("sandbox: %s\n" % (getattr(error, "strerror", None) or error))
        return 125


if __name__ == "__main__":
    status = 125
    try:
        with open(int(sys.argv[1])) as file:
            plan = json.load(file)
        status = main(plan, sys.argv[2:])
    finally:
        sys.stderr.flush()
        os._exit(status)
