"""The compiler's command line, in gcc's shape, turned into one Options object.

Input: argv after the command's name (response files are expanded here).  Output: an Options that says what to
do, with the words for each of the tools: `cpp` for the preprocessor, `cilk1` for cilkc1, `link` for the linker
in the order given, `cc` for files that another compiler handles.  Nothing is run and no file is opened except
response files.  Wrong usage raises Stop with status 2.

Which flags there are and where they go is data, in flags.py; here is what the data cannot say, a method for each
such flag. Flags of -f and -m pass through: cilkc1 refuses those that no compiler knows (codegen/output/switches.def).
"""

import os

from . import flags
from .console import Stop
from .processes import split_words

def natural(text):
    """The number that these digits are, or None. int() takes digits of all alphabets, and fails on thousands of them."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


# What a file is, by its suffix.  'link' is everything that the linker should see.
SUFFIXES = {"i": "cpp-output",
            **{suffix: name + ("", "-header", "-cpp-output", "-cpp-output")[i]
               for name, all_of_it in flags.DIALECTS.items() for i, suffix in enumerate(all_of_it)}, "s": "assembler",
            "S": "assembler-with-cpp", "sx": "assembler-with-cpp", "cc": "c++", "cp": "c++", "cxx": "c++", "cpp": "c++",
            "CPP": "c++", "c++": "c++", "C": "c++", "ii": "c++-cpp-output", "hh": "c++-header", "hpp": "c++-header",
            "hxx": "c++-header", "H": "c++-header", "m": "objective-c", "mm": "objective-c++", "f": "f77", "F": "f77",
            "for": "f77", "f90": "f95", "F90": "f95", "f95": "f95", "ads": "ada", "adb": "ada", "d": "d", "go": "go"}
LANGUAGES = {**{name + kind: name + kind for name in flags.DIALECTS for kind in ("", "-header", "-cpp-output")},
             "cpp-output": "cpp-output", "c-cpp-output": "cpp-output", "none": None, "assembler": "assembler",
             "assembler-with-cpp": "assembler-with-cpp", "c++": "c++", "c++-header": "c++-header",
             "c++-cpp-output": "c++-cpp-output", "objective-c": "objective-c", "objective-c++": "objective-c++",
             "f77": "f77", "f95": "f95", "ada": "ada", "d": "d", "go": "go"}
CILK = tuple(name + kind for name in flags.DIALECTS for kind in ("", "-header", "-cpp-output") if name != "c")
OURS = ("c", "c-header", "cpp-output") + CILK
HEADERS = tuple(name + "-header" for name in flags.DIALECTS)
PREPROCESSED = ("cpp-output",) + tuple(name for name in CILK if name.endswith("-cpp-output"))
NEEDS_CXX = ("c++", "c++-header", "c++-cpp-output", "objective-c++")


class Input:
    """One file of the command line: its name as given and what it is (a value of LANGUAGES, or 'link')."""

    def __init__(self, name, language):
        self.name, self.language = name, language


class Options:
    """What one call asks for; see parse()."""

    def __init__(self):
        self.mode = "link"          # link, obj, asm, cpp, deps, check, or a stage of cilkc1 (ir, ast, ...)
        self.output = None
        self.inputs = []
        self.cpp = []               # for `cc -E`
        self.embed_dirs = []        # where #embed looks
        self.cilk1 = []             # for cilkc1
        self.cc = []                # for a compiler of other languages: what both of the above get
        self.link = []              # words for the linker; an Input stands for its object file
        self.deps = []              # -MD and its companions
        self.deps_file = None
        self.fragments = None       # -MJ: entries of a compilation database
        self.words = []             # all that was given
        self.deps_target = False
        self.deps_of_output = False     # by -MD, not by -Wp,-MD: the target is what -o names
        self.std = None
        self.pic = None
        self.level = None           # -O level as given: '', '0', ... 'fast'
        self.target = None
        self.verbose = self.dry = self.save_temps = False
        self.colour = None
        self.other_cc = None        # --cc
        self.profile = self.span = self.debug = self.trace = self.serial = False
        self.spawn = None
        self.tool = None            # of driver/tools: its library is linked
        self.dist = None            # the transport between machines
        self.scale = None           # -fcilktool=
        self.cilksan = False        # -fsanitize=cilk
        self.sanitize = []          # thread, address, leak, undefined: what the program is linked with
        self.sanitizers = set()
        self.checks, self.trapped = set(), set()    # of undefined; those that need no runtime because they trap
        self.check_words = []       # the same for cilkc1, in the order given
        self.lto = False
        self.counted = set()        # of -fprofile-generate, -fprofile-arcs, -ftest-coverage
        self.own_runtime = False
        self.shared = self.relocatable = self.no_libs = self.static = False
        self.syntax_only = False
        self.warnings = []          # the driver's own warnings, printed once the command is known to be right
        self.quiet = False
        self.jobs = None


def foreign_target(triple):
    """The triple, or None where it names the machine that we run on."""
    return None if triple is None or triple.startswith(os.uname().machine + "-") else triple


def known_target(name):
    """The target of the table that a triple means: its processor, any vendor or none, Linux or nothing; or None."""
    processor, *system = name.split("-")
    if system and system[0] != "linux":
        system = system[1:] or [name]                   # the vendor
    if system not in ([], ["linux"], ["linux", "gnu"]):
        return None
    return next((target for target in flags.TARGETS if target.startswith(processor + "-")), None)


def expand_response_files(words, depth=0):
    """@file is replaced by the words in it; a file that does not exist stays a word, as with gcc."""
    result = []
    for word in words:
        if word.startswith("@") and len(word) > 1:
            try:
                with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:
                    text = file.read()
            except OSError:
                result.append(word)
                continue
            if depth > 20:
                raise Stop("response files nest too deeply: %s" % word, 2)
            result += expand_response_files(split_words(text), depth + 1)
        else:
            result.append(word)
    return result


def language_of(name):
    dot = name.rfind(".")
    if dot < 0 or "/" in name[dot:]:
        return "link"
    return SUFFIXES.get(name[dot + 1:], "link")


def unrecognized(word):
    raise Stop("unrecognized command-line option '%s'" % word, 2)


# What may follow -g besides a level: kinds of debugging information, gcc's and clang's ways of writing it.
DEBUG_WORDS = ("gdb", "dwarf", "split-dwarf", "record-", "column-info", "inline-", "statement-", "variable-",
               "pubnames", "gnu-pubnames", "stabs", "coff", "xcoff", "vms", "btf", "ctf", "line-", "mlt", "full",
               "internal-", "describe-dies", "toggle", "strict-dwarf", "as-loc", "simple-template", "embed-source",
               "modules", "codeview", "template-", "used", "lldb", "dbx", "sce", "key-", "heterogeneous-", "z")


class Parser:
    """One pass over the words. The methods from stage() on are those that flags.py names: each gets the word and the
    value in it or after it."""

    def __init__(self, words):
        self.words = words
        self.at = 0
        self.out = Options()
        self.language = None        # of -x
        self.pic_flag = None

    def argument(self, option):
        if self.at >= len(self.words):
            raise Stop("missing argument to '%s'" % option, 2)
        self.at += 1
        return self.words[self.at - 1]

    def parse(self):
        out = self.out
        out.words = list(self.words)
        only_files = False
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if only_files or word == "-" or not word.startswith("-"):
                self.file(word)
            elif word == "--":
                only_files = True
            else:
                self.option(word)
        self.finish()
        return out

    def file(self, word):
        language = self.language or language_of(word)
        if word == "-" and self.language is None:
            if self.out.mode not in ("cpp", "deps") and "-E" not in self.words:
                raise Stop("-E or -x required when input is from standard input", 2)
            language = "c"
        if word.startswith("-") and word != "-":
            word = "./" + word      # after `--`: no other tool may take it for an option
        item = Input(word, language)
        self.out.inputs.append(item)
        self.out.link.append(item)

    def option(self, word):
        found = flags.find(word)
        if found is None:
            unrecognized(word)
        name, row = found
        shape, actions = row[1], row[2]
        value, words = word[len(name):], [word]
        if shape == ">" or shape in ("+", "=>") and not value and name[-1] != "=":
            value = self.argument(word)
            words = [word, value]
        for action in actions.split("; "):
            verb, _, rest = action.partition(" ")
            if verb == "to":
                self.give(words, rest)
            elif verb == "do":
                getattr(self, rest)(word, value)
            elif verb == "joined":
                self.give((name + value,), rest)
            elif verb == "pair":
                self.give((name, value), rest)
            elif verb == "as":
                template, _, lists = rest.partition(" ")
                self.give((template.replace("%", value),), lists)
            elif verb == "set":
                attribute, _, given = rest.partition(" ")
                setattr(self.out, attribute, given.replace("%", value) if given else True)
            elif verb != "ignore":
                unrecognized(word)

    def give(self, words, lists):
        for name in lists.split(" "):
            getattr(self.out, name).extend(words)

    # ---- what to make
    def stage(self, word, value):
        out = self.out
        if word in ("-M", "-MM"):
            out.deps.append(word)
            out.mode = "deps"
        elif out.mode not in ("cpp", "deps") or word == "-E":
            # The earliest stage wins, as with gcc: -c -E is -E.
            order = ("link", "obj", "asm", "cpp", "deps")
            mode = {"-c": "obj", "-S": "asm"}.get(word, "cpp")
            if out.mode not in order or order.index(mode) > order.index(out.mode):
                out.mode = mode

    def output(self, word, value):
        self.out.output = value             # the last one counts
        if not value:
            raise Stop("the name of the output file may not be empty", 2)

    def dependency_file(self, word, value):
        self.out.deps_file = value
        if not value:
            raise Stop("the name of the dependency file may not be empty", 2)

    def keep(self, word, value):
        if value not in ("cwd", "obj"):
            raise Stop("'%s' is an unknown '-save-temps' option: 'cwd' or 'obj'" % word if value
                       else "missing argument to '%s'" % word, 2)
        self.out.save_temps = value

    def language_of_next(self, word, value):
        if value not in LANGUAGES:
            if word != "-x":
                unrecognized(word)
            raise Stop("language %s not recognized" % value, 2)
        self.language = LANGUAGES[value]

    # ---- for cc -E
    def for_preprocessor(self, word, value):
        """-Wp,-MD,file and the like keep their meaning; macros go through the same door as -D."""
        out = self.out
        parts = value.split(",")
        i = 0
        while i < len(parts):
            if parts[i] in ("-MD", "-MMD") and i + 1 < len(parts):
                out.deps.append(parts[i])
                out.deps_file = parts[i + 1]
                i += 1
            elif parts[i][:2] in ("-D", "-U", "-I"):
                self.option(parts[i])
            elif parts[i] in ("-MT", "-MQ") and i + 1 < len(parts):
                out.deps_target = True
                out.deps += [parts[i], parts[i + 1]]
                i += 1
            elif parts[i] in ("-MP", "-MG"):
                out.deps.append(parts[i])
            else:
                out.cpp.append("-Wp," + parts[i])
            i += 1

    # ---- Cilk's own
    def spawn(self, word, value):
        self.out.spawn = value
        if value not in flags.STRATEGIES:
            raise Stop("unknown spawn strategy '%s'; known are %s" % (value, ", ".join(flags.STRATEGIES)), 2)
        self.out.cilk1.append("--spawn=" + value)

    def dist(self, word, value):
        if value not in flags.TRANSPORTS:
            raise Stop("unknown transport '%s': expected %s" % (value, " or ".join(flags.TRANSPORTS)), 2)
        self.out.dist = value

    def span_in(self, word, value):
        if value not in ("count", "time"):
            raise Stop("unknown unit of work and span '%s': expected count or time" % value, 2)
        self.out.span = value

    def tool(self, word, value):
        if value not in flags.TOOLS:
            raise Stop("unknown tool '%s'; known are %s" % (value, ", ".join(sorted(flags.TOOLS))), 2)
        self.out.tool = value
        self.out.serial = value not in flags.PARALLEL_TOOLS

    def cilktool(self, word, value):
        if value not in flags.CILKTOOLS:
            raise Stop("unknown tool '%s'; known are %s" % (value, ", ".join(sorted(flags.CILKTOOLS))), 2)
        self.opencilk(word, value)
        self.out.scale = value

    def jobs(self, word, value):
        self.out.jobs = self.number(word, value)

    @staticmethod
    def number(option, text):
        found = natural(text)
        if found is None:
            raise Stop("'%s' needs a number" % option, 2)
        return found

    # ---- code generation
    def debug(self, word, level):
        out = self.out
        out.cc.append(word)
        if level in ("0", "1", "2", "3"):
            out.cilk1.append(word)
        elif level.startswith("gdb") and level[3:] in ("0", "1", "2", "3"):
            out.cilk1.append("-g" + level[3:])
        elif level.startswith("dwarf-") and level[6:] not in ("2", "3", "4", "5"):
            raise Stop("unrecognized command-line option '%s': DWARF has versions 2 to 5" % word, 2)
        elif not level.startswith(("z", "no-")):
            if level and not level.startswith(DEBUG_WORDS):
                raise Stop("unrecognized debug output level '%s'" % level, 2)
            out.cilk1 += [word] if level.startswith("dwarf-") else ["-g", word] if level else ["-g"]

    def position(self, word, value):
        self.out.pic = "none" if "no-" in word else word[2:].lower()
        self.pic_flag = word

    def lto(self, word, value):
        if word.startswith("-flto=") and value not in ("auto", "full", "thin", "jobserver") and not value.isdigit():
            raise Stop("unrecognized argument to '-flto=' option: '%s'" % value, 2)
        self.out.lto = word != "-fno-lto"
        self.out.cilk1.append("-flto" if self.out.lto else word)

    def counts(self, word, value):
        words = ("-fprofile-arcs", "-ftest-coverage") if word.lstrip("-") == "coverage" else (word,)
        self.out.cilk1 += words
        for name in words:
            name = name.partition("=")[0]
            (self.out.counted.discard if name.startswith("-fno-") else self.out.counted.add)(name.replace("-fno-", "-f"))

    def samples(self, word, value):
        raise Stop("'%s' is not supported: counts come from the program itself, by -fprofile-generate, and are read by "
                   "-fprofile-use" % word, 2)

    def opencilk(self, word, value):
        """OpenCilk's words are keywords in all text; `__cilk` is what its compiler defines."""
        if "-fopencilk" not in self.out.cilk1:
            self.out.cilk1.append("-fopencilk")
            self.out.cpp.append("-D__cilk=301")
        if word == "-fcilkplus":
            self.out.cilk1.append(word)

    def openmp(self, word, value):
        self.out.link.append("-fopenmp")
        self.out.warnings.append(
            "OpenMP's pragmas are ignored, and its functions see one thread: for a parallel loop write `cilk_for` or `spawn`;"
            " `cilkc explain openmp` shows how"
        )

    def unsupported(self, word, value):
        self.out.warnings.append("'%s' is not supported and has no effect" % word)

    def plugin(self, word, value):
        self.out.warnings.append("compiler plug-ins are not supported: '%s' is ignored" % word)

    def prefix_map(self, word, value):
        if "=" not in value:
            raise Stop("'%s': OLD=NEW is expected" % word, 2)
        if not word.startswith("-fdebug"):
            self.out.cpp.append(word)
        if not word.startswith("-fmacro"):
            self.out.cilk1.append(word)
        self.out.cc.append(word)

    def f_switch(self, word, value):
        self.give((word,), "cilk1 cc")
        if (value[3:] if value.startswith("no-") else value).startswith(flags.PREPROCESSOR_SWITCHES):
            self.out.cpp.append(word)

    def other_width(self, word, value):
        raise Stop("'%s': only 64-bit code can be generated" % word, 2)

    def charset(self, word, name):
        wide = word.startswith("-fwide")
        if name.upper().replace("-", "") not in (
            ("UTF32", "UTF32LE", "UCS4", "UCS4LE") if wide else ("UTF8", "ASCII", "USASCII")
        ):
            raise Stop("'%s' is not supported: strings are UTF-8, wide ones UTF-32" % word, 2)

    def sanitizer(self, word, names):
        out = self.out
        on = not word.startswith("-fno-")
        for name in names.split(","):
            if name == "cilk":
                self.opencilk(word, "")
                self.out.cilksan = on
            elif name in ("thread", "address", "leak"):
                (out.sanitizers.add if on else out.sanitizers.discard)(name)
            elif name in flags.CHECKS:
                (out.checks.update if on else out.checks.difference_update)(flags.CHECKS[name])
                out.check_words.append("--%ssanitize=%s" % ("" if on else "no-", name))
            elif name == "all" and not on:
                out.sanitizers.clear()
                out.checks.clear()
                out.check_words.append("--no-sanitize=all")
            elif name:
                raise Stop(
                    "unknown sanitizer '%s'; known are thread, address, leak, cilk (races), undefined and its checks (%s)"
                    % (name, ", ".join(sorted(flags.CHECKS))), 2
                )

    def sanitizer_mode(self, word, value):
        """-fsanitize-recover, -fsanitize-trap: what a failed check does."""
        out = self.out
        option, _, names = word.partition("=")
        on = not option.startswith("-fno-")
        kind = option[option.index("sanitize"):]
        if kind == "sanitize-undefined-trap-on-error":
            kind, names = "sanitize-trap", "undefined"
        if kind == "sanitize-address-use-after-scope":
            out.cilk1.append(word)
        elif kind in ("sanitize-recover", "sanitize-trap"):
            for name in (names or "all").split(","):
                if name in ("thread", "address", "leak"):
                    continue
                if name != "all" and name not in flags.CHECKS:
                    raise Stop("unknown sanitizer '%s' in '%s'" % (name, word), 2)
                out.check_words.append("--%s%s=%s" % ("" if on else "no-", kind, name))
                if kind == "sanitize-trap":
                    trapped = [c for group in flags.CHECKS.values() for c in group] if name == "all" else flags.CHECKS[name]
                    (out.trapped.update if on else out.trapped.difference_update)(trapped)
        elif on:
            self.unsupported(word, names)

    def target(self, word, triple):
        known = known_target(triple)
        if known is None:
            raise Stop("unknown target '%s'; known are %s" % (triple, ", ".join(flags.TARGETS)), 2)
        self.out.target = foreign_target(known)

    # ---- messages
    def colour(self, word, value):
        when = word.split("=", 1)[1] if "=" in word else ("never" if word.startswith("-fno-") else "always")
        if when not in ("auto", "always", "never"):
            raise Stop("'%s': expected auto, always or never" % word, 2)
        self.out.colour = when

    def format(self, word, form):
        if form not in FORMATS and (
            word.startswith("--") or form.partition("-")[2] != "stderr" or form[:-7] not in FORMATS
        ):
            raise Stop("'%s': expected text, json or sarif" % word, 2)
        self.out.cilk1.append(
            "--diagnostics-format=" + ("text" if form == "text" else "json")
        )  # SARIF is made of all files' JSON
        if form != "text":
            self.out.colour = "never"

    def max_errors(self, word, value):
        self.out.cilk1.append("--max-errors=%d" % self.number(word.partition("=")[0], value))

    def warning(self, word, value):
        out = self.out
        if word[2:].isdigit():
            return                      # cilk2c's levels
        if word.startswith("-Werror-"):
            word = "-Werror=" + word[8:]
        out.cilk1.append(word)
        if word.startswith(("-Wcilk", "-Wno-cilk")):
            return
        out.cc.append(word)
        name = word[2:]
        if name.startswith(("error=", "no-error=")):
            name = name.split("=", 1)[1]
        elif name.startswith("no-"):
            name = name[3:]
        if name.split("=")[0] in flags.PREPROCESSOR_WARNINGS:
            out.cpp.append(word)

    def dump(self, word, value):
        if len(value) != 1:
            unrecognized(word)
        self.unsupported(word, value)

    # ---- what depends on several options
    def finish(self):
        out = self.out
        self.finish_inputs()
        if out.level is not None:
            level = out.level
            if level in ("", "1", "0", "2", "3", "s", "z", "g"):
                flag = "-O" + (level or "1")
            elif level == "fast":
                flag = "-O3"
                out.cilk1.append("-ffast-math")
                out.cpp.append("-ffast-math")
            elif level.isdigit():
                flag = "-O3"
            else:
                raise Stop("argument to '-O' should be a non-negative integer, 'g', 's', 'z' or 'fast'", 2)
            out.cilk1.append(flag)
            for words in (out.cpp, out.cc):
                words.append("-O" + ("3" if flag == "-O3" else level))
        if out.std is not None:
            if out.std in flags.STANDARDS:
                out.cilk1.append("--std=" + flags.STANDARDS[out.std])
                # In the spelling that older compilers know, too; first, since it undoes -trigraphs.
                cpp_std = out.std if out.std in flags.PREPROCESSED_STANDARDS else flags.STANDARDS[out.std]
                out.cpp.insert(0, "-std=" + cpp_std)
            elif "++" not in out.std:
                raise Stop("unrecognized command-line option '-std=%s'" % out.std, 2)
            out.cc.append("-std=" + flags.STANDARDS.get(out.std, out.std))
        if self.pic_flag:
            out.cpp.append(self.pic_flag)
            out.cc.append(self.pic_flag)
        out.cilk1.append("--pic=" + (out.pic or "pie"))
        mode = flags.TOOLS.get(out.tool or "")
        if out.scale:
            mode = flags.CILKTOOLS[out.scale][0]
            out.cpp += ["-D__cilkscale__=1"] + ([] if mode else ["-D__cilkscale_benchmark__=1"])
            if out.tool or out.cilksan:
                raise Stop("'-fcilktool=' is incompatible with another tool", 2)
            out.tool = mode and "profile"
        if out.cilksan:
            if out.sanitizers:
                raise Stop("'-fsanitize=cilk' is incompatible with '-fsanitize=%s'" % sorted(out.sanitizers)[0], 2)
            out.tool, mode = "race", "race"
        if out.tool in ("race", "strands"):
            if "thread" in out.sanitizers:      # both need most of the address space
                raise Stop("'-fsanitize=thread' is incompatible with the race detector", 2)
            out.cpp.append("-D__cilksan__=1")
        if out.tool:
            out.serial = out.tool not in flags.PARALLEL_TOOLS
            # Tools know the library's functions, not their checked forms, nor the headers' inline definitions.
            out.cpp += ["-U_FORTIFY_SOURCE", "-D__NO_INLINE__=1"]
            out.cilk1 += (["--serial"] if out.serial else []) + ["--cilk-" + (mode or out.tool)]
        if out.span:
            out.profile = True
            out.cilk1 += ["--cilk-span"] + (["--cilk-units"] if out.span == "count" else [])
        if out.profile:
            out.cilk1.append("--cilk-profile")
        if out.debug:
            out.cilk1.append("--cilk-debug")
        if out.trace:
            if out.debug or out.sanitizers or out.checks - out.trapped:
                raise Stop("'-cilk-trace' is incompatible with '-cilk-debug' and '-fsanitize='", 2)
            out.cilk1.append("--cilk-trace")
        if out.sanitizers or out.checks:
            if "thread" in out.sanitizers and "address" in out.sanitizers:
                raise Stop("'-fsanitize=thread' is incompatible with '-fsanitize=address'", 2)
            ours = sorted(out.sanitizers - {"leak"})
            out.sanitize = sorted(out.sanitizers) + (["undefined"] if out.checks - out.trapped else [])
            out.cilk1 += ["--sanitize=" + name for name in ours] + out.check_words
            for name in ours:       # they predefine macros
                out.cpp.append("-fsanitize=" + name)
            if out.sanitize:
                out.cc.append("-fsanitize=" + ",".join(out.sanitize))
        if out.lto and out.counted - {"-fprofile-generate"}:
            raise Stop("'-flto' is incompatible with '--coverage'", 2)
        if out.target:
            out.cilk1.append("--target=" + out.target)
        if out.syntax_only and out.mode not in ("cpp", "deps"):
            out.mode = "check"


    def finish_inputs(self):
        out = self.out
        headers = [item for item in out.inputs if item.language.endswith("-header")]
        if out.mode == "link":                  # a header is compiled, and not linked
            out.link = [word for word in out.link if word not in headers]
            if headers and len(headers) == len(out.inputs):
                out.mode = "obj"
        if (
            (out.deps or out.deps_file)
            and not any(word in ("-M", "-MM", "-MD", "-MMD") for word in out.deps)
            and any(item.language not in ("link", "assembler") and not item.language.endswith("cpp-output")
                    for item in out.inputs)
        ):
            raise Stop("'%s' without '-M', '-MM', '-MD' or '-MMD' generates no dependencies"
                       % (out.deps[0] if out.deps else "-MF"), 2)


def first_file(words):
    """Where in the words of `cilkc run` the first input is: what follows is the program's. None without one."""
    reader = Parser(words)
    while reader.at < len(words):
        word = words[reader.at]
        reader.at += 1
        if word == "--":
            return reader.at if reader.at < len(words) else None
        if word == "-" or not word.startswith(("-", "@")):
            return reader.at - 1
        if word.startswith("-"):
            try:
                reader.option(word)     # takes its argument along
            except Stop as stop:
                if "unrecognized" not in stop.message:
                    raise
    return None


FORMATS = ("text", "json", "sarif")


def message_format(words):
    """text, json or sarif: asked for before the words are parsed, for what is wrong with them is a message, too."""
    form = "text"
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in ("-fdiagnostics-format", "--diagnostics-format"):
            form = value.removesuffix("-stderr")
    return form if form in FORMATS else "text"


def parse(arguments):
    return Parser(expand_response_files(arguments)).parse()
