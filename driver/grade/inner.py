"""The first program inside a sandbox: takes rights away, then runs the command and reports how it ended.

Called as `python3 -I -S inner.py CONFIGURATION COMMAND...`. It imports nothing of ours: the file alone is visible in
the sandbox. The report is one line of JSON on the descriptor `report`, which the command does not inherit. This
process cannot be inspected by the command (PR_SET_DUMPABLE), so only one that ends without a word shows that the
command killed it.
"""

import json
import os
import resource
import signal
import sys
import time

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG = 4, 38, 1
MS_REMOUNT, MS_NOSUID, MS_NODEV = 32, 2, 4


def libc():
    import ctypes
    return ctypes.CDLL(None, use_errno=True)


def copy(source, target):
    """The files of the submission, which the command may change: in the sandbox's own folder."""
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(source):
        here, there = os.path.join(source, name), os.path.join(target, name)
        if os.path.isdir(here):
            copy(here, there)
            continue
        with open(here, "rb") as reader, open(there, "wb") as writer:
            writer.write(reader.read())
        os.chmod(there, os.stat(here).st_mode & 0o777)


def drop_privileges(call, uid, disk, inodes):
    """Root gives its rights up. Before, it limits how many files there may be, which bubblewrap cannot."""
    for folder in ("/tmp", "/dev/shm"):
        options = "size=%d,nr_inodes=%d,mode=1777" % (disk, inodes)
        call.mount(b"tmpfs", folder.encode(), b"tmpfs", MS_REMOUNT | MS_NOSUID | MS_NODEV, options.encode())
        os.chmod(folder, 0o1777)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def limit(kind, value):
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def command(config, words):
    """In the child: becomes the command."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):     # Python ignores them, and a command would inherit that
        signal.signal(number, signal.SIG_DFL)
    limits = config["limits"]
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, limits["disk"])
    limit(resource.RLIMIT_NOFILE, limits["descriptors"])
    limit(resource.RLIMIT_CPU, limits["cpu"])
    limit(resource.RLIMIT_NPROC, limits["processes"])
    for path in ([words[0]] if "/" in words[0] else [folder + "/" + words[0]
                                                     for folder in os.environ["PATH"].split(":")]):
        if os.access(path, os.X_OK):
            os.execv(path, words)
    raise FileNotFoundError(2, "No such file or directory")


def main(config, words):
    report = config["report"]
    os.set_inheritable(report, False)
    call = libc()
    if config["bare"]:
        call.prctl(PR_SET_PDEATHSIG, 9)
    if config["uid"] is not None:
        drop_privileges(call, config["uid"], config["limits"]["disk"], config["limits"]["files"])
    call.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.makedirs(config["folder"], exist_ok=True)
    for source in config["copy"]:
        copy(source, config["folder"])
    os.chdir(config["folder"])
    start = time.monotonic()
    child = os.fork()
    if child > 0:
        # The time is over. A Cilk program reports what each worker does, as of a lock that it waits for, and ends.
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGQUIT))
        signal.setitimer(signal.ITIMER_REAL, config["limits"]["time"])
    if child == 0:
        try:
            command(config, words)
        except Exception as error:
            os.write(report,
                     json.dumps({"error": "%s: %s" % (words[0], getattr(error, "strerror", error))}).encode() + b"\n")
        finally:
            os._exit(127)
    _, status, used = os.wait4(child, 0)
    wall = time.monotonic() - start
    disk = os.statvfs("/tmp")
    ended = {"status": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
             "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, "files": disk.f_files - disk.f_ffree,
             "full": disk.f_bfree == 0, "wall": wall, "user": used.ru_utime, "system": used.ru_stime,
             "memory": used.ru_maxrss * 1024}
    os.write(report, json.dumps(ended).encode() + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1]), sys.argv[2:]))
