"""One file, as it is in the editor, through the compiler: its messages and its index.

The text goes into a folder of its own, below which it has its full name, and so have the unsaved texts of other files:
quoted #includes find those first. What is not there follows by -iquote. Names of the copies become those of the files
in what comes back.

The driver of the next compilation has started already and waits for its words (waiting.py): that is a third of the
time until an editor has its messages.
"""

import json
import os
import queue
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from cilkc_driver import home

LIMIT = 30              # seconds for one compilation
SUFFIXES = (".cilk", ".cilkh", ".cilk1", ".cilk1h", ".cilkp", ".cilki", ".cilk1i")
OPENCILK = re.compile(r"\bcilk_(spawn|sync|for|scope|reducer)\b")
PROJECT = "compile_flags.txt"
DATABASE = "compile_commands.json"


class Result:
    def __init__(self, messages, index):
        self.messages, self.index = messages, index


def command(words):
    """`cilkc WORDS`, by the interpreter and from the folder that we run from."""
    return [sys.executable, "-I", "-S", os.path.join(home.HOME, "cilkc"), *words]


def flags_of(path, extra):
    """The flags of a file: those of the project, then the editor's."""
    folder = os.path.dirname(path)
    while True:
        name = os.path.join(folder, PROJECT)
        if os.path.isfile(name):
            with open(name, errors="replace") as file:
                words = [line.strip() for line in file if line.strip() and not line.lstrip().startswith("#")]
            return resolved(words, folder) + extra
        found = from_database(os.path.join(folder, DATABASE), path)
        if found is not None:
            return found + extra
        if os.path.dirname(folder) == folder:
            return extra
        folder = os.path.dirname(folder)


def from_database(name, path):
    """The flags that compile_commands.json has for a file; None if it does not name it."""
    if not os.path.isfile(name):        # from a pipe nothing may ever come
        return None
    try:
        with open(name) as file:
            entries = json.load(file)
        for entry in entries:
            if os.path.realpath(os.path.join(entry["directory"], entry["file"])) == os.path.realpath(path):
                words = list(entry.get("arguments") or shlex.split(entry["command"]))[1:]
                return resolved(only_flags(words, entry["file"]), entry["directory"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    return None


def only_flags(words, file):
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in ("-o", "-MF", "-MT", "-MQ"):
            words[:1] = []
        elif word not in ("-c", "-S", "-E", "-MD", "-MMD", "-MP", file):
            kept.append(word)
    return kept


def resolved(words, folder):
    """Folders of -I and its like are relative to where the flags are written."""
    made, words = [], list(words)
    for position, word in enumerate(words):
        before = words[position - 1] if position else ""
        if before in ("-I", "-iquote", "-isystem", "-idirafter", "-include"):
            word = os.path.join(folder, word)
        elif word.startswith("-I") and len(word) > 2:
            word = "-I" + os.path.join(folder, word[2:])
        made.append(word)
    return made


def with_copies(flags, folder):
    """For each -I folder that has unsaved texts, their folder before it."""
    made = []
    for word in flags:
        if word.startswith("-I/") and os.path.isdir(folder + word[2:]):
            made.append("-I" + folder + word[2:])
        made.append(word)
    return made


def on_disk(name):
    try:
        with open(name, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None


class Folder:
    """A folder that goes with this process, even after SIGKILL: a shell reads from us until we have ended."""

    def __init__(self):
        self.name = tempfile.mkdtemp(prefix="cilkc-lsp-")
        keeper = subprocess.Popen(["/bin/sh", "-c", 'read -r none; rm -rf -- "$0"', self.name], stdin=subprocess.PIPE,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
        self.keepers = [keeper]

    def close(self):
        while self.keepers:                 # not again, if a signal has come during this call
            self.keepers.pop().communicate()


class Compiler:
    def __init__(self):
        self.folder = Folder()
        self.count = 0
        self.waiting = queue.SimpleQueue()      # at most one driver, but two threads may have started one at a time
        self.prepare()

    def close(self):
        while not self.waiting.empty():
            self.waiting.get().communicate()
        self.folder.close()

    @staticmethod
    def start_driver():
        return subprocess.Popen([sys.executable, "-I", "-S", os.path.join(os.path.dirname(__file__), "waiting.py"),
                                 home.HOME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def prepare(self):
        if self.waiting.empty():
            self.waiting.put(self.start_driver())

    def run(self, words, folder):
        """`cilkc WORDS` in this folder: what it wrote to stdout, and to stderr."""
        try:
            process = self.waiting.get_nowait()
        except queue.Empty:
            process = self.start_driver()
        if process.poll() is not None:      # it was ended from outside
            process.communicate()
            process = self.start_driver()
        with process:
            try:
                return process.communicate(json.dumps([folder, words]).encode() + b"\n", timeout=LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            finally:
                self.prepare()

    def place(self, path, text, others):
        """Writes the texts. (folder, the main file's name there, flags that find what is not there)"""
        self.count += 1
        folder = os.path.join(self.folder.name, str(self.count))
        path = os.path.abspath(path)
        texts = {path: text.encode("utf-8", "replace")}
        for name, other in others.items():
            data = other.encode("utf-8", "replace")
            if name != path and data != on_disk(name):
                texts[name] = data
        for name, data in texts.items():
            try:
                os.makedirs(os.path.dirname(folder + name), exist_ok=True)
                with open(folder + name, "wb") as file:
                    file.write(data)
            except (OSError, ValueError):       # an address need not be a name that a file can have
                if name == path:
                    raise
        places = dict.fromkeys(map(os.path.dirname, texts))
        return folder, folder + path, [word for one in places for word in ("-iquote", one)]

    @staticmethod
    def forget(folder):
        shutil.rmtree(folder, ignore_errors=True)

    def analyse(self, path, text, others=None, extra=()):
        """Messages as report.py makes them, and the index (None where there is none)."""
        try:
            folder, name, found = self.place(path, text, others or {})
        except (OSError, ValueError) as error:
            return Result([message("this text cannot be compiled: %s" % (getattr(error, "strerror", None) or error))], None)
        flags = flags_of(path, list(extra))
        if path.endswith(".c") and "-fopencilk" not in flags and OPENCILK.search(text):
            flags.append("-fopencilk")
        words = ["--emit=index", "-o", "-", "-fdiagnostics-format=json", *with_copies(flags, folder), *found, name]
        if not path.endswith((*SUFFIXES, ".c", ".h")):
            words[-1:-1] = ["-x", "cilk"]
        try:
            made, messages = self.run(words, os.path.dirname(path) if os.path.isdir(os.path.dirname(path)) else folder)
            messages, made = read_messages(messages), read_index(made)
        except subprocess.TimeoutExpired:
            return Result([message("the compiler took more than %d s" % LIMIT)], None)
        finally:
            self.forget(folder)
        here = os.path.dirname(path)

        def original(file):
            return os.path.abspath(file[len(folder) :] if file.startswith(folder + "/") else os.path.join(here, file))

        for one in messages:
            for entry in [one, *one["children"]]:
                for place in entry["locations"] + entry.get("fixits", []):
                    for spot in place.values():
                        if isinstance(spot, dict) and spot.get("file"):
                            spot["file"] = original(spot["file"])
        if made is not None:
            made["files"] = [original(file) for file in made["files"]]
        return Result(messages, made)


def message(text):
    return {"kind": "error", "message": text, "locations": [], "fixits": [], "children": []}


def read_messages(data):
    try:
        made = json.loads(data.decode("utf-8", "replace"))
        if isinstance(made, list):
            return made
    except ValueError:
        pass
    text = data.decode("utf-8", "replace").strip()
    return [message(text.splitlines()[-1])] if text else []


def read_index(data):
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return None
