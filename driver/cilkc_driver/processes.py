"""Running other programs: their command lines, their output, and their end when a signal ends us.

Kept to modules that the interpreter has loaded anyway (os, sys): importing subprocess, re or tempfile would
double the start-up time of every compilation.
"""

import _signal
import _thread
import os

from .console import Stop

_running = set()    # children not waited for yet
_starting = _thread.allocate_lock()     # threads start children, too, while the main one ends all of them
_over = False       # no child is started any more


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


def processors():
    """Those that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


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
            pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions, setsigdef=[13],
                                  setsigmask=mask)
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


def stop_tree(pid):
    """The process, those that it started, and theirs, all of them stopped: so none starts another one meanwhile. (The
    compilers' drivers do not pass on what ends them.)"""
    found = [pid]
    try:
        os.kill(pid, 19)
        for thread in os.listdir("/proc/%d/task" % pid):
            await_stop("/proc/%d/task/%s/stat" % (pid, thread))
            with open("/proc/%d/task/%s/children" % (pid, thread)) as file:
                for child in map(int, file.read().split()):
                    found += stop_tree(child)
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
        for one in stop_tree(pid):
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


def capture(command, quiet=False):
    """(exit status, stderr) of a program that reads our stdin and writes our stdout; quiet: that has neither."""
    reader, writer = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    try:
        pid = start(command,
                    [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1) if quiet] + [(os.POSIX_SPAWN_DUP2, writer, 2)])
    except Stop:
        os.close(reader)
        raise
    finally:
        os.close(writer)
        os.close(null)
    messages = read_all(reader)
    return wait(pid), messages


def pipe(producer, consumer):
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
