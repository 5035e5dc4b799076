"""What a sandbox is made of: which files are visible in it, and the command that starts it.

Four kinds, one interface: `Bubblewrap` (bwrap), `Namespaces` (namespaces.py), `Users` (users.py), `Bare` (limits
alone, only on request). In the first two a program has no network, sees its own processes only, and of the files: /usr
read-only, what the caller binds, and an empty /tmp of limited size. In the third it has no network and a user of its
own. `choose` takes the first kind that works here, and refuses where none does.
"""

import json
import os
import subprocess
import sys
import tempfile

from cilkc_driver import home
from cilkc_driver.console import Stop

HERE = os.path.dirname(os.path.abspath(__file__))
READ = "READ"
FOLDER = "/tmp/work"            # where commands run, inside
INSIDE = 1000                   # the user inside
FIRST_UID = 1_900_000_000       # what root becomes: users that no machine has
LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC = ("/etc/ld.so.cache", "/etc/alternatives")
DOCUMENTS = ("/usr/share/doc", "/usr/local/share/doc")      # solutions of the labs may be in there
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": FOLDER, "TMPDIR": "/tmp", "LC_ALL": "C.UTF-8",
               "TERM": "dumb", "NO_COLOR": "1"}


def python():
    return os.path.realpath(sys.executable or "/usr/bin/python3")


def folders_above(path):
    """Options that make them readable; bwrap would make them for their owner alone."""
    parts = path.strip("/").split("/")[:-1]
    return [word for i in range(len(parts)) for word in ("--dir", "/" + "/".join(parts[:i + 1]))]


class Place:
    """What one run sees: (from, to) in `bind`, read-only; the folders in `copy`, copied into its working folder."""

    def __init__(self, bind=(), copy=()):
        self.bind, self.copy = list(bind), list(copy)


class Sandbox:
    """bare: a command uses the files where they are, and the caller ends its processes; own_user: as a user that has
    nothing else."""

    name, bare, own_user = "", False, True

    def __init__(self, hidden=()):
        """hidden: folders of the host that no submission may see, even below what is visible."""
        self.hidden = [os.path.realpath(folder) for folder in hidden]

    def system(self):
        """(binds, links) of the operating system."""
        binds, links = [("/usr", "/usr")], []
        for name in LINKS:
            if os.path.islink("/" + name):
                links.append((os.readlink("/" + name), "/" + name))
            elif os.path.isdir("/" + name):
                binds.append(("/" + name, "/" + name))
        binds += [(path, path) for path in ETC if os.path.exists(path)]
        if not python().startswith(("/usr/", "/bin/")):
            binds.append((os.path.realpath(sys.base_prefix),) * 2)
        return binds, links

    def masked(self):
        """Folders below /usr that are empty inside."""
        return [folder for folder in [*DOCUMENTS, *self.hidden] if folder.startswith("/usr/") and os.path.isdir(folder)]

    def inner(self, config, words):
        return [python(), "-I", "-S", self.inner_file(), json.dumps(dict(config, bare=self.bare)), *words]

    def inner_file(self):
        return "/inner.py"

    def uid(self, number):
        """What root becomes inside; another user for each run, so that each has its own count of processes."""
        return FIRST_UID + number % 50_000_000 if os.getuid() == 0 else None

    def command(self, place, config, words):
        """The words that start it, and what it reads from the descriptor READ, a number there. Names
        of the host's files are in that: every process inside can read the words of process 1."""
        raise NotImplementedError

    def environment(self, scratch):
        return {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}

    def end_all(self, uid, scratch):
        """What a command left running, where the kernel does not end it, and left outside of its folder."""


class Bubblewrap(Sandbox):
    name = "bubblewrap"

    def __init__(self, hidden=()):
        super().__init__(hidden)
        self.program = home.which("bwrap")
        if self.program is None:
            raise Stop("bwrap is not installed")
        self.options = subprocess.run([self.program, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, check=False).stdout

    def command(self, place, config, words):
        limits, binds_links = config["limits"], self.system()
        size = str(limits["disk"])
        made = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
                "--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv"]
        if os.getuid() != 0:
            made += ["--unshare-user", "--uid", str(INSIDE), "--gid", str(INSIDE)]
            if "--disable-userns" in self.options:
                made.append("--disable-userns")
        for item in ENVIRONMENT.items():
            made += ["--setenv", *item]
        for source, target in binds_links[0]:
            made += [*folders_above(target), "--ro-bind", source, target]
        for folder in self.masked():
            made += ["--tmpfs", folder]
        for target, name in binds_links[1]:
            made += ["--symlink", target, name]
        made += ["--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs",
                 "/tmp"]
        for source, target in [(os.path.join(HERE, "inner.py"), "/inner.py"), *place.bind]:
            made += [*folders_above(target), "--ro-bind", source, target]
        made += ["--remount-ro", "/dev", "--remount-ro", "/"]
        read = b"".join(os.fsencode(word) + b"\0" for word in made)
        return [self.program, "--args", READ, "--", *self.inner(config, words)], read


class Namespaces(Sandbox):
    name = "namespaces"

    def command(self, place, config, words):
        binds, links = self.system()
        limits = config["limits"]
        plan = {"bind": [*binds, (os.path.join(HERE, "inner.py"), "/inner.py"), *place.bind], "link": links,
                "hide": self.masked(), "disk": limits["disk"], "files": limits["files"], "inside": INSIDE,
                "environment": ENVIRONMENT}
        words = [python(), "-I", "-S", os.path.join(HERE, "namespaces.py"), READ, *self.inner(config, words)]
        return words, json.dumps(plan).encode()


class Bare(Sandbox):
    """No sandbox: the command runs as the caller, with limits. What would be bound is used where it is."""

    name, bare, own_user = "none", True, False

    def inner_file(self):
        return os.path.join(HERE, "inner.py")

    def uid(self, number):
        return None

    def environment(self, scratch):
        return dict(os.environ)

    def command(self, place, config, words):
        return self.inner_where(place.bind, config, words), b""

    def inner_where(self, bind, config, words):
        """The words for what is bound, but used where it is."""
        def real(path):
            for source, target in bind:
                if path == target or path.startswith(target + "/"):
                    return source + path[len(target):]
            return path
        config = dict(config, copy=[real(path) for path in config["copy"]], folder=config["scratch"])
        return self.inner(config, [real(word) for word in words])


class Users(Bare):
    """A user of its own for each run (users.py). What the caller's own folders hold is copied for it."""

    name, own_user = "users", True
    reads = ("/proc", "/sys/devices/system", os.path.join(HERE, "inner.py"))
    writes = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")

    def __init__(self, hidden=()):
        super().__init__(hidden)
        if os.getuid() != 0:
            raise Stop("it needs root")

    def uid(self, number):
        return Sandbox.uid(self, number)

    def environment(self, scratch):
        return dict(ENVIRONMENT, HOME=scratch, TMPDIR=scratch)

    def command(self, place, config, words):
        scratch, own = config["scratch"], os.path.realpath(tempfile.gettempdir()) + "/"
        bind = [(os.path.join(scratch, "given%d" % i) if source.startswith(own) else source, target)
                for i, (source, target) in enumerate(place.bind)]
        given = [(old, new) for (old, _), (new, _) in zip(place.bind, bind) if old != new]
        system = [source for source, _ in self.system()[0]]
        plan = {"uid": config["uid"], "folder": scratch, "give": given, "masked": self.masked(), "write": self.writes,
                "read": [*system, *self.reads, *(source for source, _ in bind if not source.startswith(scratch))],
                "closed": [*self.hidden, *self.masked()]}
        words = self.inner_where(bind, dict(config, uid=None, scratch=os.path.join(scratch, "work")), words)
        return [python(), "-I", "-S", os.path.join(HERE, "users.py"), READ, *words], json.dumps(plan).encode()

    def end_all(self, uid, scratch):
        subprocess.run([python(), "-I", "-S", os.path.join(HERE, "users.py"), "--end", str(uid)], check=True)
        # without Landlock it can leave something there
        subprocess.run(["find", "/tmp", "/var/tmp", "/dev/shm", "-mindepth", "1", "-maxdepth", "1", "-uid", str(uid),
                        "!", "-path", scratch, "-exec", "rm", "-rf", "{}", "+"], stderr=subprocess.DEVNULL, check=False)


KINDS = {"bubblewrap": Bubblewrap, "namespaces": Namespaces, "users": Users}


UNPROTECTED = "--no-sandbox runs programs as you, with limits but without protection"


def in_chroot(mounts="/proc/self/mountinfo"):
    """Is the root no mount? Linux then makes no sandbox there, not even for root."""
    try:
        with open(mounts) as file:
            return not any(line.split()[4] == "/" for line in file)
    except OSError:
        return False


def choose(names, hidden, works):
    """The first of these kinds that works, which works(sandbox) tries: None, or the reason why not."""
    if in_chroot():
        names = [name for name in names if KINDS[name].bare]
    if not names:
        raise Stop(
            "this is a chroot, in which Linux makes no sandbox\ncilkc: note: run it outside of the chroot, or in a "
            "container (podman, systemd-nspawn); " + UNPROTECTED, 2
        )
    reasons = []
    for name in names:
        try:
            found = KINDS[name](hidden)
            wrong = works(found)
        except Stop as stop:
            wrong = stop.message
        if not wrong:
            return found
        reasons.append("%s: %s" % (name, wrong))
    raise Stop("there is no sandbox on this machine (%s)\ncilkc: note: install bubblewrap and allow user namespaces; %s"
               % ("; ".join(reasons), UNPROTECTED), 2)
