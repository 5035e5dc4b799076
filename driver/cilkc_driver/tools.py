"""Where things are, and how other programs are run: shared by the compiler driver and the commands.

Kept to modules that the interpreter has loaded anyway (os, sys): importing subprocess, re or tempfile would
double the start-up time of every compilation.
"""

import _signal
import _thread
import os
import sys

VERSION = "0.2.0"
HOME = "."          # the folder of the launcher: driver/, stdlib/ and the default build/ are in it
_found = {}
_running = set()    # children not waited for yet
_starting = _thread.allocate_lock()     # threads start children, too, while the main one ends all of them
_over = False       # no child is started any more


class Stop(Exception):
    """Ends the command with an exit status; the message, if any, has the C compilers' shape."""

    def __init__(self, message=None, status=1, kind="error"):
        Exception.__init__(self, message)
        self.message, self.status, self.kind = message, status, kind


class HelpWanted(Exception):
    """--help among the words of a compilation: start.py, which knows the commands, shows it."""


def split_words(text):
    """Words as gcc splits a response file: blanks separate, quotes and backslashes protect."""
    words: "list[str]" = []
    word: "str | None" = None
    quote: "str | None" = None
    i = 0
    while i < len(text):
        c = text[i]
        if c == "\\" and i + 1 < len(text):
            i += 1
            if text[i] != "\n":
                word = (word or "") + text[i]
        elif quote:
            if c == quote:
                quote = None
            else:
                word = (word or "") + c
        elif c in "'\"":
            quote = c
            word = word or ""
        elif c in " \t\r\n\f\v":
            if word is not None:
                words.append(word)
                word = None
        else:
            word = (word or "") + c
        i += 1
    if word is not None:
        words.append(word)
    return words


def natural(text):
    """The number that these digits are, or None. int() takes digits of all alphabets, and fails on thousands of them."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def set_home(home):
    global HOME
    HOME = os.path.abspath(home)


def build_dir():
    return os.path.abspath(os.environ.get("CILKC_BUILD") or os.path.join(HOME, "build"))


def stdlib_dir():
    return os.path.join(HOME, "stdlib")


def gdb_script():
    """What teaches gdb the commands for Cilk."""
    return os.path.join(HOME, "driver", "tools", "gdb_cilk.py")


def cilkc1():
    path = os.environ.get("CILKC1") or os.path.join(build_dir(), "cilkc1")
    if not os.access(path, os.X_OK):
        raise Stop("the native compiler is not built (%s): run 'make' in %s" % (path, HOME))
    return path


def library(name, target=None):
    parts = [build_dir(), "lib"] + ([target] if target else []) + [name]
    return os.path.join(*parts)


def which(name):
    """Full path of a program, or None."""
    if "/" in name:
        return name if os.access(name, os.X_OK) else None
    for folder in os.environ.get("PATH", "/usr/bin:/bin").split(":"):
        path = (folder or ".") + "/" + name
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def zig():
    """The compiler that `pip install cilkc[zig]` put beside us, or one on the PATH: it brings a C library's headers and
    a linker along. Or None."""
    above = os.path.dirname(HOME)
    for python in sorted(os.listdir(above)) if os.path.isdir(above) else ():
        path = "%s/%s/site-packages/ziglang/zig" % (above, python)
        if os.access(path, os.X_OK):
            return path
    return which("zig")


def is_zig(command):
    """Its linker knows fewer options than others."""
    return any(os.path.basename(word) in ("zig", "ziglang") for word in command[:3])


def system_cc(target=None, cxx=False):
    """The system's C (or C++) compiler, as the words that start it: preprocesses, assembles .s files, links.

    $CILKC_CC overrides it, by a path or by several words (`ccache gcc`).  gcc is preferred: its predefined macros
    are what the system's headers are written for, and what cilkc1 implements.
    """
    key = (target, cxx)
    if key not in _found:
        chosen = os.environ.get("CILKC_CXX" if cxx else "CILKC_CC")
        if chosen:
            names = [chosen]
        elif target:
            names = [target + ("-g++" if cxx else "-gcc")]
        elif cxx:
            names = ["g++", "c++", "clang++", "clang++-19"]
        else:
            names = ["gcc", "cc", "clang", "clang-19"]
        path, rest = None, []
        for name in names:
            path = which(name)
            if chosen and path is None and len(chosen.split()) > 1:
                path, rest = which(split_words(chosen)[0]), split_words(chosen)[1:]
            # CC=cilkc must not find itself under the name cc.
            if path and os.path.realpath(path) != os.path.join(HOME, "cilkc"):
                break
            path = None
        if path is None and not chosen and not target:
            path = zig()
            rest = ["c++" if cxx else "cc"]
        if path is None:
            raise Stop("no %s compiler found (looked for %s); see 'cilkc doctor'"
                       % ("C++" if cxx else "C", ", ".join(names)))
        _found[key] = [path] + rest
    return list(_found[key])


def processors():
    """Those that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


def environment():
    """The caller's environment; LC_ALL decides only the language of the other tools' messages."""
    return os.environ


ENDING = (1, 2, 15)     # SIGHUP, SIGINT, SIGTERM


class SignalsWait:
    """`with SignalsWait() as before:` signals that end us wait until the block is over. before: the mask outside."""

    def __enter__(self):
        # The mask is read before it is changed: a signal that has come already is handled during the change.
        self.before = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
        try:
            _signal.pthread_sigmask(_signal.SIG_BLOCK, ENDING)
        except BaseException:
            self.__exit__()
            raise
        return self.before

    def __exit__(self, *_):
        _signal.pthread_sigmask(_signal.SIG_SETMASK, self.before)


def start(command, actions=()):
    # A signal between the child's start and its entry in the list would leave it running.
    try:
        with SignalsWait() as mask, _starting:
            if _over:
                raise Stop("a signal has ended this call")
            # Python ignores SIGPIPE; what it starts must not inherit that.
            pid = os.posix_spawnp(
                command[0], command, environment(), file_actions=actions, setsigdef=[13], setsigmask=mask
            )
            _running.add(pid)
        return pid
    except OSError as error:
        raise Stop("cannot run %s: %s" % (command[0], error.strerror))


def adopt(pid):
    """A child that others started ends as ours do."""
    _running.add(pid)


def status_of(waited):
    """Exit status as a shell would see it: 128 + n for a process that signal n ended."""
    if os.WIFSIGNALED(waited):
        return 128 + os.WTERMSIG(waited)
    return os.WEXITSTATUS(waited)


def wait(pid):
    status = status_of(os.waitpid(pid, 0)[1])
    _running.discard(pid)
    return status


def stopped(pid):
    """The process, those that it started, and theirs, all of them stopped: so none starts another one meanwhile. (The
    compilers' drivers do not pass on what ends them.)"""
    found = [pid]
    try:
        os.kill(pid, 19)
        for thread in os.listdir("/proc/%d/task" % pid):
            await_stop("/proc/%d/task/%s/stat" % (pid, thread))
            with open("/proc/%d/task/%s/children" % (pid, thread)) as file:
                for child in map(int, file.read().split()):
                    found += stopped(child)
    except OSError:
        pass
    return found


def await_stop(stat):
    """The signal acts on a running thread a moment later. One that waits for a device delays us no longer than a
    second."""
    import time
    for _ in range(1000):
        with open(stat) as file:
            if file.read().rpartition(")")[2].split()[0] in "TtZX":
                return
        time.sleep(0.001)


def descriptor_of(pid):
    """A list of its descriptor, which is readable once the process has ended; an empty one where systems have none."""
    try:
        return [os.pidfd_open(pid)]
    except (AttributeError, OSError):
        return []


def await_end(descriptors):
    """Waits for processes that are not our children. One that ignores its signal delays us no longer than ten seconds."""
    import select
    for descriptor in descriptors:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        waiting.poll(10000)
        os.close(descriptor)


def end_all(for_good=False):
    """Ends the programs that still run, when a signal ends us, and returns after their end and that of the programs
    that they started; for good: no thread of ours starts another one."""
    global _over
    with _starting:
        _over = _over or for_good
        running = list(_running)
    for pid in running:
        ends = []
        for one in stopped(pid):
            ends += descriptor_of(one)
            try:
                os.kill(one, 15)
                os.kill(one, 18)        # it goes on, to its end
            except OSError:
                pass
        try:
            os.waitpid(pid, 0)
        except OSError:
            pass
        await_end(ends)
        _running.discard(pid)


def run(command):
    """Runs a program with our own stdin, stdout and stderr; its exit status."""
    return wait(start(command))


def read_all(fd):
    parts = []
    while True:
        part = os.read(fd, 1 << 16)
        if not part:
            os.close(fd)
            return b"".join(parts)
        parts.append(part)


def output_of(command):
    """(exit status, standard output) of a program; its stderr is thrown away."""
    reader, writer = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    try:
        pid = start(command, [(os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
    finally:
        os.close(writer)
        os.close(null)
    data = read_all(reader)
    return wait(pid), data.decode("utf-8", "replace")


def captured(command, quiet=False):
    """(exit status, stderr) of a program that reads our stdin and writes our stdout; quiet: that has neither."""
    reader, writer = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    try:
        pid = start(
            command,
            [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1) if quiet] + [(os.POSIX_SPAWN_DUP2, writer, 2)],
        )
    except Stop:
        os.close(reader)
        raise
    finally:
        os.close(writer)
        os.close(null)
    messages = read_all(reader)
    return wait(pid), messages


def piped(producer, consumer):
    """Runs producer | consumer: (status, status, producer's stderr, consumer's stderr).

    We keep the pipe between them open until the consumer has ended. This distinguishes a consumer that ends before it
    has read everything from a producer that fails: in the first case the producer's message about its broken pipe is
    no news, and its status is 0.
    """
    text_r, text_w = os.pipe()
    err1_r, err1_w = os.pipe()
    err2_r, err2_w = os.pipe()
    try:
        first = start(producer, [(os.POSIX_SPAWN_DUP2, text_w, 1), (os.POSIX_SPAWN_DUP2, err1_w, 2)])
        os.close(text_w)
        text_w = -1
        try:
            second = start(consumer, [(os.POSIX_SPAWN_DUP2, text_r, 0), (os.POSIX_SPAWN_DUP2, err2_w, 2)])
        except Stop:
            os.close(text_r)
            text_r = -1
            wait(first)
            raise
        for fd in (err1_w, err2_w):
            os.close(fd)
        err1_w = err2_w = -1
        parts = {err1_r: [], err2_r: []}
        unread = set(parts)
        read_until(err2_r, unread, parts)
        code = wait(second)
        os.set_blocking(text_r, False)
        try:
            cut = os.read(text_r, 1) != b""
        except BlockingIOError:
            cut = True                  # the producer still runs and has no reader
    finally:
        for fd in (text_r, text_w, err1_w, err2_w):
            if fd >= 0:
                os.close(fd)
    read_until(err1_r, unread, parts)
    first_code = wait(first)
    if cut:
        return 0, code, b"", b"".join(parts[err2_r])
    return first_code, code, b"".join(parts[err1_r]), b"".join(parts[err2_r])


def read_until(last, unread, parts):
    """Collects what comes from the descriptors in `unread` until `last` is at its end; those at their end are
    closed."""
    import select
    poller = select.poll()
    for fd in unread:
        poller.register(fd, select.POLLIN)
    while last in unread:
        for fd, _ in poller.poll():
            data = os.read(fd, 1 << 16)
            if data:
                parts[fd].append(data)
            else:
                poller.unregister(fd)
                os.close(fd)
                unread.discard(fd)


def reader_gone():
    """Whether stdout is a pipe without a reader, as under `| head`: a tool that wrote there ended for that reason."""
    import select
    poller = select.poll()
    poller.register(1, 0)
    return any(event & select.POLLERR for _, event in poller.poll(0))


def wordless(command, name, code):
    """What to say of a tool that failed and said nothing itself."""
    if code == 0 or reader_gone():
        return b""
    how = "ended by signal %d" % (code - 128) if code > 128 else "failed with status %d and without a message" % code
    return ("cilkc: error: %s %s (%s)\n" % (command[0], how, name)).encode("utf-8", "surrogateescape")


class Messages:
    """What collects the messages of a call for one document (report.py)."""

    where = 2           # the descriptor that the document goes to

    def take(self, data):
        raise NotImplementedError

    def finish(self, status):
        raise NotImplementedError


report: "Messages | None" = None       # None: messages are text on stderr


def write_stderr(data):
    """All of `data` to stderr, past Python's own buffering, so that it keeps its place among the tools' output."""
    if report is not None:
        report.take(data)
        return
    sys.stderr.flush()
    write_all(2, data)


def write_all(fd, data):
    try:
        put(fd, data)
    except OSError:
        pass


def put(fd, data):
    """All of `data`; an error names the stream."""
    try:
        while data:
            data = data[os.write(fd, data):]
    except OSError as error:
        error.filename = "standard output" if fd == 1 else None
        raise


def colour_of(when, stream=2):
    """'always' or 'never' for an option that may also be None or 'auto'."""
    if when in ("always", "never"):
        return when
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return "never"
    return "always" if os.isatty(stream) else "never"


def message(kind, text, colour=None):
    """One line on stderr in the C compilers' shape."""
    if colour_of(colour) == "always" and report is None:
        shade = "35" if kind == "warning" else "31"
        line = "\033[1mcilkc:\033[0m \033[1;%sm%s:\033[0m %s\n" % (shade, kind, text)
    else:
        line = "cilkc: %s: %s\n" % (kind, text)
    write_stderr(line.encode("utf-8", "surrogateescape"))


def quoted(command):
    """A command as a shell would accept it, for -v and -###."""
    safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
    words = []
    for word in command:
        if word and all(c in safe for c in word):
            words.append(word)
        else:
            words.append("'" + word.replace("'", "'\"'\"'") + "'")
    return " ".join(words)


def add_site_packages():
    """Makes the packages importable that were installed with us or are in the virtual environment: we run without
    site."""
    version = "python%d.%d" % sys.version_info[:2]
    for packages in (os.path.join(HOME, "packages"), os.path.join(HOME, ".venv", "lib", version, "site-packages")):
        if os.path.isdir(packages):
            sys.path.append(packages)
            return
    import site
    site.main()


def remove(path):
    """A file, or a folder with all that is in it; links are not followed."""
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            for name in os.listdir(path):
                remove(path + "/" + name)
            os.rmdir(path)
        else:
            os.unlink(path)
    except OSError:
        pass


def beginning(name):
    """The first 200 bytes of a file's name: systems take 255, and the caller appends to it."""
    return os.fsdecode(os.fsencode(name)[:200])


class TempDir:
    """A private folder for intermediate files, removed on leaving, however that happens.

    Only SIGKILL leaves it; a later link removes it.
    """

    def __init__(self):
        self.path: "str | None" = None
        self._keep = []

    def file(self, name):
        if self.path is None:
            base = os.environ.get("TMPDIR") or "/tmp"
            for attempt in range(100):
                path = "%s/cilkc-%d-%d-%s" % (base, os.getpid(), attempt, os.urandom(4).hex())
                self.path = path    # before the folder is made: a signal that comes between the two leaves no folder
                try:
                    os.mkdir(path, 0o700)
                except OSError as error:
                    self.path = None
                    if isinstance(error, FileExistsError):
                        continue
                    raise Stop("cannot make a temporary folder in %s: %s" % (base, error.strerror))
                return path + "/" + name
            raise Stop("cannot make a temporary folder in %s" % base)
        return self.path + "/" + name

    def aside(self, target):
        """A name beside `target`, so that it can be renamed into place; removed on leaving if still there."""
        target = link_target(target)
        folder, _, name = target.rpartition("/")
        path = (folder + "/" if folder else "") + ".%s.cilkc-%d-%s" % (beginning(name), os.getpid(), os.urandom(3).hex())
        self._keep.append(path)
        return path

    def clean(self, ended=False):
        end_all(ended)
        for path in self._keep:
            try:
                os.unlink(path)
            except OSError:
                pass
        self._keep = []
        if self.path is not None:
            remove(self.path)
            self.path = None


def regular(name):
    """Can a new file be renamed to this name, or to what it links to, without harm?  Not onto devices and pipes."""
    try:
        return os.path.isfile(name) or not os.path.exists(name)
    except (OSError, ValueError):
        return False


def bytes_of(name):
    """An object or archive; nothing for what is no file, does not end, or is too large to be looked through."""
    try:
        if os.path.isfile(name) and os.path.getsize(name) <= 64 << 20:
            with open(name, "rb") as file:
                return file.read()
    except OSError:
        pass
    return b""


def link_target(name):
    """The file that is really written: what a symbolic link leads to, as with every compiler."""
    # /dev/stdout leads to a pipe, whose name no path has
    return os.path.realpath(name) if os.path.islink(name) and regular(name) else name


STALE = 3600            # seconds; a process of another container looks dead from here, so the age counts, too


def sweep(folder, start):
    """Removes what a call that was killed left in a folder: files and folders named `start`-PID-..., whose process has
    ended."""
    import time
    try:
        names = [name for name in os.listdir(folder) if name.startswith(start)]
    except OSError:
        return
    for name in names:
        path = folder + "/" + name
        pid = name[len(start):].split("-")[0]
        try:
            found = os.lstat(path)
            if (
                not pid.isdigit()
                or found.st_uid != os.geteuid()
                or found.st_mtime > time.time() - STALE
                or os.path.exists("/proc/" + pid)
            ):
                continue
        except OSError:
            continue
        remove(path)


def put_on_stdout(made):
    with open(made, "rb") as f:
        put(1, f.read())


def put_in_place(made, target):
    """Moves a finished file to its name at once; into a device or pipe it is copied."""
    if not os.path.lexists(made):
        return  # a tool that ended well and wrote nothing was only asked something: `-Wa,--version`
    try:
        target = link_target(target)
        special = os.path.exists(target) and not os.path.isfile(target)
        if not special:
            os.replace(made, target)
            return
        reader = os.open(made, os.O_RDONLY)
        writer = os.open(target, os.O_WRONLY)
        put(writer, read_all(reader))
        os.close(writer)
        os.unlink(made)
    except OSError as error:
        raise Stop("cannot write %s: %s" % (target, error.strerror))
