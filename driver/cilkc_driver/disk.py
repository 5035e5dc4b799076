"""Files of a call: temporary ones, and results, which get their names by rename when they are complete."""

import os

from .console import Stop, put
from .processes import end_all, read_all


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


def short_name(name):
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

    def beside(self, target):
        """A name beside `target`, so that it can be renamed into place; removed on leaving if still there."""
        target = link_target(target)
        folder, _, name = target.rpartition("/")
        path = (folder + "/" if folder else "") + ".%s.cilkc-%d-%s" % (short_name(name), os.getpid(), os.urandom(3).hex())
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
