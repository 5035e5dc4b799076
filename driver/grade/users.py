"""A sandbox for root where the kernel makes no namespaces, as in most containers: `python3 -I -S users.py NUMBER
COMMAND...`.

The command gets a user of its own, whom no file belongs to but the folder of this run, and loses two things more. With
Landlock (Linux 5.13) it reads what the plan names and writes its own folder only; where Landlock is missing, what the
submission may not see has to be closed to other users, else nothing runs. A filter of system calls takes away the
network, and what would outlive the command (System V's memory, message queues, keys).

The plan comes from the descriptor NUMBER, since it names files that the command may not know: {"uid": n, "folder": ...,
"give": [[from, to], ...], "read": [...], "masked": [...], "write": [...], "closed": [...]}.

`users.py --end UID` ends every process of that user. kill(-1) misses none, since the kernel holds up forks meanwhile.
"""

import ctypes
import errno
import json
import os
import shutil
import signal
import struct
import sys
import time

C = ctypes.CDLL(None, use_errno=True)
C.syscall.restype = ctypes.c_long
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT, VERSION, PATH_BENEATH = 444, 445, 446, 1, 1
# Landlock's rights, by the version that brought them
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
SCOPES = 3                      # version 6: abstract sockets and signals end at the sandbox

# System calls that fail, by processor: the network, io_uring (which opens sockets, too), keys, System V's objects,
# message queues, and memory in files of no process.
DENIED = {
    "x86_64": (0xC000003E, (41, 425, 248, 249, 250, 29, 64, 68, 240, 319, 447)),
    "aarch64": (0xC00000B7, (198, 425, 217, 218, 219, 194, 190, 186, 180, 279, 447)),
}
LOAD, JUMP_EQUAL, JUMP_ABOVE, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000


def must(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), "%s: %s" % (what, os.strerror(ctypes.get_errno())))
    return result


def filter_calls():
    """Fails the calls in DENIED. Another architecture's numbers would get past them: its calls kill."""
    if os.uname().machine not in DENIED:
        raise OSError(0, "no filter of system calls for this processor")
    architecture, denied = DENIED[os.uname().machine]
    n = len(denied)
    rows = [(LOAD, 0, 0, 4), (JUMP_EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0),
            (JUMP_ABOVE, n + 1, 0, 0x40000000)]
    rows += [(JUMP_EQUAL, n - i, 0, number) for i, number in enumerate(denied)]
    rows += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, FAIL | errno.EACCES)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in rows))
    program = struct.pack("HxxxxxxQ", len(rows), ctypes.addressof(code))
    must(C.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(program), 0, 0), "seccomp")


def parts(path, masked):
    """The path, or what is in it without what is masked."""
    if path in masked:
        return []
    if not any(one.startswith(path + "/") for one in masked):
        return [path]
    return [part for name in sorted(os.listdir(path)) for part in parts(os.path.join(path, name), masked)]


def fence(plan):
    """Landlock; False where the kernel has none."""
    version = C.syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), VERSION)
    if version < 1:
        return False
    handled = 0
    for since, rights in RIGHTS.items():
        handled |= rights if version >= since else 0
    attributes = struct.pack("QQQ", handled, 0, SCOPES if version >= 6 else 0)[:24 if version >= 6 else 8]
    rules = must(C.syscall(LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0), "landlock")
    wanted = [(part, EXECUTE | READ_FILE | READ_DIR) for path in plan["read"] for part in parts(path, plan["masked"])]
    wanted += [(path, handled) for path in (plan["folder"], *plan["write"])]
    for path, rights in wanted:
        try:
            at = os.open(path, os.O_PATH)
        except OSError:
            continue
        rights &= handled if os.path.isdir(path) else handled & OF_FILES
        must(C.syscall(LANDLOCK_ADD, rules, PATH_BENEATH, struct.pack("=Qi", rights, at), 0), "landlock: " + path)
        os.close(at)
    must(C.syscall(LANDLOCK_RESTRICT, rules, 0), "landlock")
    os.close(rules)
    return True


def give(source, target):
    """A copy that all can read: the folder it comes from is closed."""
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)


def become(uid):
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def start(plan, words):
    for source, target in plan["give"]:
        give(source, target)
    os.chmod(plan["folder"], 0o700)
    os.chown(plan["folder"], plan["uid"], plan["uid"])
    become(plan["uid"])
    must(C.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    if not fence(plan):
        for path in plan["closed"]:
            if any(os.access(path, mode) for mode in (os.R_OK, os.W_OK, os.X_OK)):
                raise OSError(0, "this kernel has no Landlock, and other users can look into %s: chmod go-rwx %s"
                              % (path, path))
    filter_calls()
    os.execve(words[0], words, os.environ)


def processes_of(uid):
    """All of that user that live, also those whose parents have ended."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/status" % pid) as file:
                text = file.read()
        except OSError:
            continue
        if "\nUid:\t%d\t" % uid in text and "\nState:\tZ" not in text:
            found.append(int(pid))
    return found


def end(uid):
    """They are gone when it returns, unless the kernel takes longer than some seconds."""
    become(uid)
    try:
        os.kill(-1, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass                    # there is none
    until = time.monotonic() + 5
    while processes_of(uid) != [os.getpid()] and time.monotonic() < until:
        time.sleep(0.005)


if __name__ == "__main__":
    try:
        if sys.argv[1] == "--end":
            end(int(sys.argv[2]))
        else:
            with open(int(sys.argv[1])) as file:
                plan = json.load(file)
            start(plan, sys.argv[2:])
    except Exception as error:
        sys.stderr.write("sandbox: %s\n" % (getattr(error, "strerror", None) or error))
        sys.stderr.flush()
        os._exit(125)
