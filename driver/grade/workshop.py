"""One submission while it is graded: its files, the programs built from them, and runs of both in the sandbox.

The files are copied out of the submission first. Links and special files are left out, so that a submission cannot
name another user's file. Programs come out of the sandbox through a pipe. So nothing that a submission or a
compiler writes is on the host, except these bytes.
"""

import errno
import os
import re
import shlex
import shutil
import stat

from cilkc_driver import flags as tables
from cilkc_driver import home, parts
from cilkc_driver.console import Stop

from . import compare, sandbox, similar
from .cell import size_text

MOST_BYTES, MOST_FILES, MOST_DEPTH, MOST_REMARKS = 16 << 20, 500, 100, 20
# which `cilkc sched-test` runs; the first where cilkc is installed
TEST_PROGRAMS = ("programs", "tests/run", "tests/sched")
# of build/lib, what each tool needs besides the runtime
NEEDED = {
    "dag": ("libcilkprofile.a",),
    "trace": ("libcilkrt-trace.a",),
    "profile": ("libcilkprofile.a", "libcilkrace.a", "player"),
    "race": ("libcilkrace.a", "libcilkrt-debug.a", "libcilkrt-trace.a"),    # an example by `cilkc explore`
    "explore": ("libcilkrt-debug.a", "libcilkrt-trace.a"),
    "step": ("libcilkrt-trace.a",),
}
PROGRAM = "/built/program"
TOOLCHAIN = "/cilkc"
SOURCES = (".cilk", ".cilk1", ".c")
# Functions of a C library that a program for a course has no use for.
SUSPICIOUS = {
    "starts processes": "fork vfork clone execl execle execlp execv execve execvp execvpe fexecve posix_spawn posix_spawnp system popen daemon",
    "sends signals": "kill killpg tgkill sigqueue pthread_kill",
    "opens the network": "socket socketpair connect bind listen accept getaddrinfo gethostbyname",
    "looks into other processes": "ptrace process_vm_readv process_vm_writev",
    "changes the system": "mount umount umount2 unshare setns chroot pivot_root reboot sethostname setuid seteuid setresuid prctl syscall",
    "can see on how many workers it runs": "__cilk_active_size __cilk_self Cilk_set_nproc get_nprocs get_nprocs_conf sysconf sched_getaffinity pthread_getaffinity_np",
    "can see which tool runs it": "getenv secure_getenv environ __environ getauxval",
    "can end before a tool has counted": "_exit _Exit quick_exit",
}
# A directive that gives the following text to another file, and so hides it.
LINE_DIRECTIVE = re.compile(rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:line\b|[0-9])", re.M)
RACE_PRAGMA = re.compile(rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*pragma[ \t]+cilk[ \t]+race\b|\b_Pragma\b|\bcilk_no_race\b", re.M)
INCLUDED = re.compile(
    rb"""^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|include_next|import|embed)[ \t]*[<"]((?:/|[^>"\n]*\.\./)[^>"\n]*)[>"]""",
    re.M,
)
ARCHIVES = (b"PK\3\4", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")
OUTSIDE = re.compile(r'"(?:/(?:etc|proc|sys|home|root|var|dev|run|usr|tmp/cilkc)\b|\.\./|~/)[^"]*"')


# A line of `cilkc emit --stage tokens`. The name of a file may have any characters.
TOKEN = re.compile(r"(.*):(\d+):\d+\t(\w+)\t[^\t]*\t(.*)")
# Headers there are no part of a submission. Any other name may be its own file, by an odd path.
SYSTEM = ("/usr/", TOOLCHAIN + "/")


def toolchain():
    """Binds that make `cilkc` work inside, without the rest of the tree."""
    build = home.build_dir()
    binds = [(os.path.join(home.HOME, name), "%s/%s" % (TOOLCHAIN, name))
             for name in ("cilkc", "driver", "stdlib", "packages", ".venv", *TEST_PROGRAMS, *tables.TABLES)]
    binds += [(os.path.join(build, name), "%s/build/%s" % (TOOLCHAIN, name)) for name in ("cilkc1", "lib")]
    return [(os.path.realpath(source), target) for source, target in binds if os.path.exists(source)]


def provide(names):
    """Builds these files of build/lib where they are absent: inside, nothing can be built."""
    for name in sorted(names):
        if not parts.need(home.library(name)):
            raise Stop("%s is not built: run 'make' in %s" % (home.library(name), home.HOME))


class Failed(Exception):
    """The submission's own failure, as a clause; output: what the compiler printed."""

    def __init__(self, text, output="", incident=None):
        super().__init__(text)
        self.text, self.output, self.incident = text, output, incident


def regular_files(path):
    """[(name, file)] of a submission, and remarks about what is left out. Of too many files it returns one too many."""
    if not os.path.isdir(path):
        return [(os.path.basename(path), path)], []
    found, remarks, folders = [], [], [path]
    while folders and len(found) <= MOST_FILES:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            remarks.append("%s cannot be read: %s" % (shown_name(os.path.relpath(folder, path)), error.strerror))
            continue
        for entry in entries:
            name = os.path.relpath(entry.path, path)
            if entry.is_dir(follow_symlinks=False):
                if name.count("/") < MOST_DEPTH:
                    folders.append(entry.path)
                else:       # Python makes and removes folders by recursion
                    remarks.append("%s is left out: it is in more than %d folders" % (shown_name(name), MOST_DEPTH))
            elif entry.is_file(follow_symlinks=False):
                found.append((name, entry.path))
            else:
                remarks.append("%s is left out: it is not a regular file" % shown_name(name))
    more = len(remarks) - MOST_REMARKS
    return found[: MOST_FILES + 1], remarks[:MOST_REMARKS] + (["... (%d more)" % more] if more > 0 else [])


def shown_name(name):
    return compare.visible(os.fsencode(name)[-100:]).replace("\n", "\\n")


def in_the_way(name, given):
    """Is it a file given to all, or a folder where that file belongs, or below it?"""
    return (name + "/").startswith(given + "/") or given.startswith(name + "/")


class Workshop:
    """name: of the submission; folder: private, removed by `close`."""

    def __init__(self, spec, cell, name, path, folder, own_files=None):
        self.spec, self.cell, self.name, self.path = spec, cell, name, path
        self.folder, self.remarks, self.incidents = folder, [], []
        self.sources = os.path.join(folder, "files")
        self.builds = {}
        self.reference = None           # checks.Reference, where the specification has one
        os.makedirs(self.sources)
        self.take(own_files)

    def take(self, own_files):
        """Copies the files in. own_files: of the reference, {name: file}."""
        if own_files is not None:
            files = list(own_files.items())
        else:
            files, self.remarks = regular_files(self.path)
            if not os.path.isdir(self.path):
                files = [(self.spec.submission[0], self.path)]
        files = [one for one in files if not any(in_the_way(one[0], name) for name in self.spec.files)]
        files += [(name, os.path.join(self.spec.folder, name)) for name in self.spec.files]
        if len(files) > MOST_FILES:
            raise Failed("it has more than %d files" % MOST_FILES)
        total = 0
        for name, source in files:
            total += self.copy(source, os.path.join(self.sources, name))
            if total > MOST_BYTES:
                raise Failed("it has more than %s" % size_text(MOST_BYTES))
        for name in self.spec.submission if own_files is None else []:
            if not os.path.isfile(os.path.join(self.sources, name)):
                raise Failed("%s is not a regular file" % name if os.path.lexists(os.path.join(self.path, name))
                             else "the file %s is missing" % name)
        os.chmod(self.sources, 0o755)

    def copy(self, source, target):
        name = shown_name(os.path.basename(source))
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            fd = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(fd, "rb") as reader, open(target, "wb") as writer:
                if not stat.S_ISREG(os.fstat(fd).st_mode):
                    raise Failed("%s is not a regular file" % name)
                data = reader.read(MOST_BYTES + 1)
                if data.startswith(ARCHIVES) and target.endswith(SOURCES):
                    raise Failed("%s is an archive, and has to be unpacked" % name)
                writer.write(data)
        except OSError as error:
            why = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror
            raise Failed("%s cannot be read: %s" % (name, why))
        os.chmod(target, 0o644)
        return len(data)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    # ----
    # runs ---------------------------------------------------------------------------------------------------------------

    def names(self):
        """The files that are compiled."""
        return sorted(no_flag(os.path.relpath(os.path.join(folder, name), self.sources))
                      for folder, _, names in os.walk(self.sources) for name in names if name.endswith(SOURCES))

    def with_tools(self, words, limits, stdin=b""):
        place = sandbox.Place([*toolchain(), (self.sources, "/submission")], [])
        place.copy = ["/submission"]
        return self.cell.run(place, words, limits, stdin)

    def tool(self, script, *words, stdin=b"", limits=None):
        """A command line for sh, in which $0 is cilkc; its words are "$@"."""
        limits = limits or self.spec.tool_limits
        outcome = self.with_tools(["/bin/sh", "-c", script, TOOLCHAIN + "/cilkc", *words], limits, stdin)
        self.note(outcome, "while it was compiled or measured")
        return outcome

    def note(self, outcome, when):
        if outcome.incident and (outcome.incident, when) not in self.incidents:
            self.incidents.append((outcome.incident, when))

    def built(self, form):
        """The file of a program in this form, built once. Raises Failed."""
        if form not in self.builds:
            try:
                self.builds[form] = self.build(form)
            except Failed as failed:
                self.builds[form] = failed
        if isinstance(self.builds[form], Failed):
            raise self.builds[form]
        return self.builds[form]

    def build(self, form):
        outcome = self.tool(FORMS[form](self.spec.flags, self.names()))
        if not outcome.fine or not outcome.out:
            how = outcome.describe(self.spec.tool_limits) if outcome.incident else "it does not compile"
            raise Failed(how, messages(outcome), outcome.incident)
        folder = os.path.join(self.folder, form)
        os.makedirs(folder)
        with open(os.path.join(folder, "program"), "wb") as file:
            file.write(outcome.out)
        os.chmod(os.path.join(folder, "program"), 0o755)
        os.chmod(folder, 0o755)
        return folder

    def run(self, form, words, stdin=b"", limits=None, nproc=None, force=None, schedule=None,
            stats=None):
        """Runs a program. Its Outcome. The runtime's options are in the environment where they can be: a program without
        Cilk has no such words, and one in OpenCilk's spelling passes all words to main."""
        limits = limits or self.spec.limits
        place = sandbox.Place([(self.built(form), "/built"), (self.sources, "/submission")], ["/submission"])
        options = ["CILK_NPROC=%d" % nproc] if nproc else []
        options += ["CILK_FORCE=%s" % force] if force else []
        options += ["CILK_STATS=%s" % stats] if stats else []
        if schedule and "-fopencilk" in self.spec.flags:
            options.append("CILK_OPTIONS=--sched=" + schedule)
        elif schedule:
            words = ["--sched=" + schedule, *words]
        outcome = self.cell.run(place, ["/usr/bin/env", *options, PROGRAM, *words], limits, stdin)
        self.note(outcome, "while it ran")
        return outcome

    # ---- what its text says -----------------------------------------------------------------------------------------

    def tokens(self):
        """[(file, line, kind, text)] of the submission's own files, after preprocessing. Headers of the system are left
        out."""
        if "tokens" not in self.builds:
            rows = []
            for name in self.names():
                outcome = self.tool('"$0" emit --stage tokens "$@"', name)
                if outcome.incident:
                    raise Failed(outcome.describe(self.spec.tool_limits))
                for line in outcome.out.decode("utf-8", "replace").splitlines():
                    found = TOKEN.fullmatch(line)
                    if found and not os.path.normpath(found[1]).startswith(SYSTEM):
                        name = shown_name(found[1].removeprefix("./"))
                        rows.append((name, int(found[2]), found[3], found[4]))
            self.builds["tokens"] = rows
        return self.builds["tokens"]

    def fingerprints(self):
        given = set(self.spec.files)
        try:
            return similar.fingerprints([row for row in self.tokens() if row[0] not in given])
        except Failed:
            return ""

    def texts(self):
        """(name, bytes) of the submission's own files."""
        for folder, _, names in os.walk(self.sources):
            for name in sorted(names):
                shown = os.path.relpath(os.path.join(folder, name), self.sources)
                if shown not in self.spec.files:
                    with open(os.path.join(folder, name), "rb") as file:
                        yield shown, file.read()

    def line_directives(self):
        """The files that have one."""
        return [name for name, data in self.texts() if LINE_DIRECTIVE.search(data)]

    def suspicions(self):
        """What a submission has no reason to contain. It is reported, and takes no points."""
        allowed, found = set(self.spec.allow), {}
        included = sorted({name.decode("utf-8", "replace") for _, data in self.texts()
                           for name in INCLUDED.findall(data)})
        hidden = self.line_directives()
        remarks = ["it includes files outside of its folder: %s" % ", ".join(included[:4])] if included else []
        remarks += ["it hides text with #line: %s" % ", ".join(hidden)] if hidden else []
        silent = [name for name, data in self.texts() if RACE_PRAGMA.search(data)]
        remarks += ["it can hide races from the race detector: %s" % ", ".join(silent)] if silent else []
        try:
            tokens = self.tokens()
        except Failed:
            return remarks
        own = {text for _, _, kind, text in tokens if kind == "Identifier"}
        for what, functions in SUSPICIOUS.items():
            used = [name for name in functions.split() if name in own - allowed]
            if used:
                found[what] = used
        remarks += ["it %s: %s" % (what, ", ".join(used)) for what, used in found.items()]
        paths = sorted({text for _, _, kind, text in tokens if kind == "StringLiteral" and OUTSIDE.match(text)})
        if paths:
            remarks.append("it names files outside of its folder: %s" % ", ".join(paths[:4]))
        if any(text in ("asm", "__asm__", "__asm") for _, _, kind, text in tokens) and "asm" not in allowed:
            remarks.append("it contains assembly")
        return remarks


def messages(outcome):
    """A compiler's messages, which show lines of the submission."""
    return compare.visible(outcome.err.expandtabs(), len(outcome.err) * 8)


def no_flag(name):
    return "./" + name if name.startswith(("-", "@")) else name


# How a program is made: a script for sh that writes it to stdout, of which $0 is cilkc.
def parallel(flags, names):
    return '"$0" %s -o program >&2 && cat program' % joined(flags + names)


def counted(flags, names):
    """It counts its strands in each run."""
    return parallel(["-cilk-profile", "-w", *flags], names)


def elision(flags, names):
    """By the system's C compiler, from the text without the keywords."""
    lines, made = [], []
    for name in names:
        plain = name.endswith(".c") and "-fopencilk" not in flags
        made.append(name if plain else name + ".elision.c")
        if made[-1] != name:
            lines.append(
                '"$0" elide --standalone %s -o %s >&2 || exit 1' % (joined([*flags, name]), joined([made[-1]]))
            )
    return "\n".join([*lines, "cc -w -O2 %s -o program -lm >&2 && cat program" % joined(made)])


FORMS = {"parallel": parallel, "elision": elision, "counted": counted}


def joined(words):
    return " ".join(map(shlex.quote, words))


def fresh_folder(base, number):
    path = os.path.join(base, "s%d" % number)
    try:
        os.mkdir(path, 0o711)
    except OSError as error:
        raise Stop("%s: %s" % (path, error.strerror))
    return path
