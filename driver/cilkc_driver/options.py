"""The compiler's command line, in gcc's shape, turned into one Options object.

Input: argv after the command's name (response files are expanded here).  Output: an Options that says what to
do, with the words for each of the tools: `cpp` for the preprocessor, `cilk1` for cilkc1, `link` for the linker
in the order given, `cc` for files that another compiler handles.  Nothing is run and no file is opened except
response files.  Wrong usage raises Stop with status 2.

Flags of -f and -m pass through: cilkc1 refuses those that no compiler knows (codegen/switches.def).
"""

import os

from .tools import Stop

# The checks of -fsanitize=undefined (codegen/ubsan.cpp says what each is), and the words that mean several.
UNDEFINED = ("alignment", "bool", "bounds", "builtin", "integer-divide-by-zero", "nonnull-attribute", "null", "object-size",
             "pointer-overflow", "returns-nonnull-attribute", "shift", "shift-base", "shift-exponent", "signed-integer-overflow",
             "unreachable", "vla-bound")
CHECKS = {name: (name,) for name in UNDEFINED + ("float-cast-overflow", "float-divide-by-zero", "unsigned-integer-overflow")}
CHECKS.update({"undefined": UNDEFINED, "array-bounds": ("bounds",), "bounds-strict": ("bounds",),
               "shift": ("shift", "shift-base", "shift-exponent"),
               "integer": ("shift", "shift-base", "shift-exponent", "signed-integer-overflow", "unsigned-integer-overflow",
                           "integer-divide-by-zero"),
               "enum": (), "function": (), "return": (), "vptr": (), "local-bounds": ()})     # not of C, or nothing to check

# What a file is, by its suffix.  'link' is everything that the linker should see.
SUFFIXES = {
    "c": "c", "h": "c-header", "i": "cpp-output",
    "cilk": "cilk", "cilkh": "cilk-header", "cilki": "cilk-cpp-output", "cilkp": "cilk-cpp-output",
    "s": "assembler", "S": "assembler-with-cpp", "sx": "assembler-with-cpp",
    "cc": "c++", "cp": "c++", "cxx": "c++", "cpp": "c++", "CPP": "c++", "c++": "c++", "C": "c++", "ii": "c++-cpp-output",
    "hh": "c++-header", "hpp": "c++-header", "hxx": "c++-header", "H": "c++-header",
    "m": "objective-c", "mm": "objective-c++", "f": "f77", "F": "f77", "for": "f77", "f90": "f95", "F90": "f95",
    "f95": "f95", "ads": "ada", "adb": "ada", "d": "d", "go": "go",
}
LANGUAGES = {
    "c": "c", "c-header": "c-header", "cpp-output": "cpp-output", "c-cpp-output": "cpp-output",
    "cilk": "cilk", "cilk-header": "cilk-header", "cilk-cpp-output": "cilk-cpp-output", "none": None,
    "assembler": "assembler", "assembler-with-cpp": "assembler-with-cpp", "c++": "c++", "c++-header": "c++-header",
    "c++-cpp-output": "c++-cpp-output", "objective-c": "objective-c", "objective-c++": "objective-c++",
    "f77": "f77", "f95": "f95", "ada": "ada", "d": "d", "go": "go",
}
OURS = ("c", "c-header", "cpp-output", "cilk", "cilk-header", "cilk-cpp-output")
CILK = ("cilk", "cilk-header", "cilk-cpp-output")
HEADERS = ("c-header", "cilk-header")
PREPROCESSED = ("cpp-output", "cilk-cpp-output")
NEEDS_CXX = ("c++", "c++-header", "c++-cpp-output", "objective-c++")

STANDARDS = {
    "c89": "c89", "c90": "c89", "iso9899:1990": "c89", "iso9899:199409": "c89", "gnu89": "gnu89", "gnu90": "gnu89",
    "c99": "c99", "c9x": "c99", "iso9899:1999": "c99", "iso9899:199x": "c99", "gnu99": "gnu99", "gnu9x": "gnu99",
    "c11": "c11", "c1x": "c11", "iso9899:2011": "c11", "gnu11": "gnu11", "gnu1x": "gnu11",
    "c17": "c17", "c18": "c17", "iso9899:2017": "c17", "iso9899:2018": "c17", "gnu17": "gnu17", "gnu18": "gnu17",
    "c2x": "c2x", "c23": "c2x", "iso9899:2024": "c2x", "gnu2x": "gnu2x", "gnu23": "gnu2x",
}

# Warnings that the preprocessor itself gives; it must not see names that only cilkc1 knows.
CPP_WARNINGS = ("all", "extra", "undef", "unused-macros", "comment", "comments", "trigraphs", "multichar", "traditional",
                "endif-labels", "variadic-macros", "long-long", "date-time", "expansion-to-defined", "cpp", "invalid-pch",
                "builtin-macro-redefined", "deprecated", "missing-include-dirs", "error", "system-headers",
                "fatal-errors", "unknown-pragmas", "literal-suffix", "bidi-chars", "normalized", "pedantic")

# The -f switches that change what the preprocessor does or predefines.
# Ours alone: the C compiler that links does not know them.
OWN_SWITCHES = ("-fno-inline-recursion", "-finline-leaves", "-fno-inline-leaves", "-fconstant-parameters", "-fno-constant-parameters")
# What programs would notice the lack of.
UNSUPPORTED = ("-fsplit-stack", "-fgnu-tm", "-fopenacc", "-foffload", "-fstack-limit-", "-fprofile-arcs", "-fprofile-generate", "-fprofile-use",
               "-ftest-coverage", "-fprofile-instr-", "-fcoverage-mapping", "-fxray-instrument")
# -m switches that gcc, the preprocessor, does not know.
CLANGS_SWITCHES = ("-mretpoline", "-mno-retpoline", "-mlvi-", "-mno-lvi-")
ASM_SWITCHES = ("-fPI", "-fpi", "-fno-PI", "-fno-pi", "-fcf-protection", "-fstack-protector", "-ffreestanding", "-fhosted", "-fsanitize",
                "-fdebug-prefix-map", "-ffile-prefix-map", "-fmacro-prefix-map", "-fpreprocessed", "-fdirectives-only")
CPP_SWITCHES = ("fast-math", "finite-math-only", "unsafe-math-optimizations", "math-errno", "signed-char", "unsigned-char",
                "short-wchar", "exceptions", "stack-protector", "cf-protection", "freestanding", "hosted", "gnu89-inline", "inline",
                "extended-identifiers", "input-charset", "exec-charset", "wide-exec-charset", "leading-underscore",
                "max-include-depth", "signaling-nans", "rounding-math", "track-macro-expansion", "tabstop", "associative-math",
                "trapping-math", "signed-zeros", "reciprocal-math")

# Options whose argument is the next word, or joined to the option where JOINED says so.
SEPARATE_CPP = ("-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix",
                "-iwithprefixbefore", "-isysroot", "-imultilib", "-A")
SEPARATE_LINK = ("-T", "-u", "-z", "-e", "--entry", "-R", "-rpath", "-soname", "-h", "-Ttext", "-Tdata", "-Tbss",
                 "-framework")
SEPARATE_IGNORED = ("--param", "-dumpbase", "-dumpdir", "-dumpbase-ext", "-aux-info", "-wrapper", "-G", "-woff", "-arch")
LINK_PLAIN = ("-static", "-shared", "-rdynamic", "-s", "-nostdlib", "-nostartfiles", "-nodefaultlibs", "-nolibc",
              "-static-pie", "-static-libgcc", "-static-libstdc++", "-shared-libgcc", "-symbolic", "-r", "-p", "-pg",
              "-no-pie", "-nopie", "-pie", "--static", "--shared", "-pthreads", "-export-dynamic")
PIC = {"-fPIC": "pic", "-fpic": "pic", "-fPIE": "pie", "-fpie": "pie", "-fno-pic": "none", "-fno-PIC": "none",
       "-fno-pie": "none", "-fno-PIE": "none", "-mdynamic-no-pic": "none"}
ASK_CC = ("-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs")


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
        self.cilk1 = []             # for cilkc1
        self.cc = []                # for a compiler of other languages: what both of the above get
        self.link = []              # words for the linker; an Input stands for its object file
        self.asm = []               # for assembling .s and .S
        self.deps = []              # -MD and its companions
        self.deps_file = None
        self.deps_target = False
        self.std = None
        self.pic = None
        self.level = None           # -O level as given: '', '0', ... 'fast'
        self.target = None
        self.verbose = self.dry = self.save_temps = self.time_report = False
        self.colour = None
        self.other_cc = None        # --cc
        self.profile = self.span = self.debug = self.serial = False
        self.spawn = None
        self.sanitize = []          # thread, address, leak, undefined: what the program is linked with
        self.sanitizers = set()
        self.checks, self.trapped = set(), set()    # of undefined; those that need no runtime because they trap
        self.check_words = []       # the same for cilkc1, in the order given
        self.lto = False
        self.shared = self.relocatable = self.no_libs = self.static = False
        self.syntax_only = False
        self.warnings = []          # the driver's own warnings, printed once the command is known to be right
        self.pedantic = False
        self.quiet = False
        self.jobs = None


def foreign_target(triple):
    """The triple, or None where it names the machine that we run on."""
    return None if triple is None or triple.startswith(os.uname().machine + "-") else triple


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


def split_words(text):
    """Words as gcc splits a response file: blanks separate, quotes and backslashes protect."""
    words, word, quote, i = [], None, None, 0
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
                word += c
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


def language_of(name):
    dot = name.rfind(".")
    if dot < 0 or "/" in name[dot:]:
        return "link"
    return SUFFIXES.get(name[dot + 1:], "link")


class Parser:
    """One pass over the words; the methods are named after the kinds of options."""

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

    def joined(self, word, option):
        """The argument of an option that may be joined to it or be the next word."""
        return word[len(option):] if len(word) > len(option) else self.argument(option)

    def parse(self):
        out = self.out
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
        for handle in (self.stage, self.preprocessor, self.cilk, self.generation, self.linker, self.diagnostics,
                       self.misc):
            if handle(word):
                return
        raise Stop("unrecognized command-line option '%s'" % word, 2)

    # ---- what to make
    def stage(self, word):
        out = self.out
        modes = {"-c": "obj", "-S": "asm", "-E": "cpp", "-E0": "cpp", "-E1": "cpp", "-M": "deps", "-MM": "deps"}
        if word in modes:
            if word in ("-M", "-MM"):
                out.deps.append(word)
                out.mode = "deps"
            elif out.mode not in ("cpp", "deps") or word == "-E":
                # The earliest stage wins, as with gcc: -c -E is -E.
                order = ("link", "obj", "asm", "cpp", "deps")
                if out.mode not in order or order.index(modes[word]) > order.index(out.mode):
                    out.mode = modes[word]
        elif word == "-fsyntax-only":
            out.syntax_only = True
        elif word.startswith("--emit="):
            out.mode = "emit:" + word[7:]
        elif word == "-emit-llvm":
            out.mode = "emit:ir"
        elif word.startswith("-o"):
            if word.startswith("-objc"):
                return False
            out.output = self.joined(word, "-o")          # the last one counts
            if not out.output:
                raise Stop("the name of the output file may not be empty", 2)
        elif word.startswith("--output="):
            out.output = word[9:]
            if not out.output:
                raise Stop("the name of the output file may not be empty", 2)
        elif word == "-x" or (word.startswith("-x") and word[2:] in LANGUAGES):
            name = self.joined(word, "-x")
            if name not in LANGUAGES:
                raise Stop("language %s not recognized" % name, 2)
            self.language = LANGUAGES[name]
        elif word in ("-###", "-n"):
            out.dry = True
        elif word in ("-v", "--verbose", "-v1", "-v2"):
            out.verbose = True
        elif word in ("-save-temps", "--save-temps") or word.startswith("-save-temps=") or \
                word.startswith("--save-temps="):
            out.save_temps = True
        elif word == "--time-report" or word == "-ftime-report":
            out.time_report = True
            out.cilk1.append("--time-report")
        else:
            return False
        return True

    # ---- for cc -E
    def preprocessor(self, word):
        out = self.out
        two = word[:2]
        if two in ("-I", "-D", "-U") or word in ("-C", "-CC", "-P", "-H", "-undef", "-nostdinc", "-trigraphs",
                                                 "-traditional-cpp", "-remap", "-fdirectives-only", "-I-",
                                                 "-fpreprocessed", "-fdollars-in-identifiers"):
            if two in ("-I", "-D", "-U"):
                value = self.joined(word, two)
                both = [two + value]
            else:
                both = [word]
            out.cpp += both
            out.cc += both
            return True
        if word in ("-dM", "-dD", "-dN", "-dI", "-dU"):
            out.cpp.append(word)
            return True
        for option in SEPARATE_CPP:
            if word == option or (word.startswith(option) and option in ("-isystem", "-iquote", "-idirafter",
                                                                         "-include", "-imacros", "-isysroot", "-A")
                                  and word[len(option):len(option) + 1] not in ("",)):
                value = self.joined(word, option)
                out.cpp += [option, value]
                out.cc += [option, value]
                return True
        if word in ("-MD", "-MMD", "-MP", "-MG"):
            out.deps.append(word)
            return True
        if word[:3] in ("-MF", "-MT", "-MQ"):
            value = self.joined(word, word[:3])
            if word[:3] == "-MF":
                out.deps_file = value
            else:
                out.deps_target = True
                out.deps += [word[:3], value]
            return True
        if word == "-MMP" or word == "-MJ":
            return False
        if word.startswith("-Wp,"):
            # -Wp,-MD,file and the like keep their meaning; macros go through the same door as -D.
            parts = word[4:].split(",")
            i = 0
            while i < len(parts):
                if parts[i] in ("-MD", "-MMD") and i + 1 < len(parts):
                    out.deps.append(parts[i])
                    out.deps_file = parts[i + 1]
                    i += 1
                elif parts[i][:2] in ("-D", "-U", "-I"):
                    self.preprocessor(parts[i])
                elif parts[i] in ("-MT", "-MQ") and i + 1 < len(parts):
                    out.deps_target = True
                    out.deps += [parts[i], parts[i + 1]]
                    i += 1
                elif parts[i] in ("-MP", "-MG"):
                    out.deps.append(parts[i])
                else:
                    out.cpp.append("-Wp," + parts[i])
                i += 1
            return True
        if word == "-Xpreprocessor":
            out.cpp += [word, self.argument(word)]
            return True
        if word.startswith("--sysroot"):
            value = word[10:] if word.startswith("--sysroot=") else self.argument(word)
            for words in (out.cpp, out.cc, out.link, out.asm):
                words.append("--sysroot=" + value)
            return True
        if word.startswith("-B"):
            value = self.joined(word, "-B")
            for words in (out.cpp, out.cc, out.link, out.asm):
                words.append("-B" + value)
            return True
        return False

    # ---- Cilk's own
    def cilk(self, word):
        out = self.out
        if word.startswith("--spawn="):
            out.spawn = word[8:]
            if out.spawn not in ("eager", "lazy"):
                raise Stop("unknown spawn strategy '%s': eager and lazy exist" % out.spawn, 2)
            out.cilk1.append(word)
        elif word == "--spawn":
            return self.cilk("--spawn=" + self.argument(word))
        elif word in ("--serial", "-fserial"):
            out.serial = True
            out.cilk1.append("--serial")
        elif word.startswith("--cc="):
            out.other_cc = word[5:]
        elif word in ("--cc", "-cc"):
            out.other_cc = self.argument(word)
        elif word in ("-cilk-profile", "--cilk-profile"):
            out.profile = True
        elif word in ("-cilk-span", "-cilk-critical-path", "--cilk-span", "--cilk-critical-path"):
            out.span = True
        elif word in ("-cilk-debug", "--cilk-debug"):
            out.debug = True
        elif word in ("-cilk-hint", "--cilk-hint"):
            pass
        elif word.startswith("--jobs="):
            out.jobs = self.number(word, word[7:])
        else:
            return False
        return True

    @staticmethod
    def number(option, text):
        if not text.isdigit():
            raise Stop("'%s' needs a number" % option, 2)
        return int(text)

    # ---- code generation
    def generation(self, word):
        out = self.out
        if word.startswith("-O"):
            out.level = word[2:]
        elif word == "--optimize":
            out.level = "1"
        elif word.startswith("-std=") or word.startswith("--std="):
            out.std = word.split("=", 1)[1]
        elif word == "-ansi":
            out.std = "c89"
        elif word.startswith("-g") and not word.startswith("-gnat"):
            out.cc.append(word)
            level = word[2:]
            if level in ("0", "1", "2", "3"):
                out.cilk1.append(word)
            elif level.startswith("gdb") and level[3:] in ("0", "1", "2", "3"):
                out.cilk1.append("-g" + level[3:])
            elif not level.startswith("z") and not level.startswith("no-"):
                out.cilk1.append(word if level.startswith("dwarf-") else "-g")
        elif word in PIC:
            out.pic = PIC[word]
            self.pic_flag = word
        elif word.startswith(("-fsanitize=", "--sanitize=")):
            self.sanitizer(word[11:], True)
        elif word.startswith("-fno-sanitize="):
            self.sanitizer(word[14:], False)
        elif word.startswith(("-fsanitize-", "-fno-sanitize-")):
            self.sanitizer_mode(word)
        elif word == "-flto" or word.startswith("-flto=") or word == "-fno-lto":
            out.lto = word != "-fno-lto"
            out.cilk1.append("-flto" if out.lto else word)
        elif word.startswith(("-flto-", "-fuse-linker-plugin", "-fno-use-linker-plugin", "-ffat-lto", "-fno-fat-lto")):
            pass                    # our objects hold machine code and bitcode; the linker needs no plug-in for them
        elif word.startswith("-fuse-ld="):
            out.link.append(word)
        elif word == "-fopenmp" or word.startswith("-fopenmp="):
            out.link.append("-fopenmp")
            out.warnings.append("OpenMP pragmas are ignored: Cilk's spawn and sync are this compiler's parallelism")
        elif word.startswith(UNSUPPORTED):
            out.warnings.append("'%s' is not supported and has no effect" % word)
        elif word.startswith("-fplugin"):
            out.warnings.append("compiler plug-ins are not supported: '%s' is ignored" % word)
        elif word.startswith("-fdiagnostics-color") or word in ("-fno-diagnostics-color", "-fcolor-diagnostics",
                                                                "-fno-color-diagnostics"):
            when = word.split("=", 1)[1] if "=" in word else ("never" if "-no-" in word else "always")
            self.colour(word, when)
        elif word.startswith("-fdiagnostics-format="):
            form = word.split("=", 1)[1]
            if form not in ("text", "json", "json-stderr"):
                raise Stop("'%s': text and json exist" % word, 2)
            out.cilk1.append("--diagnostics-format=" + form[:4])
        elif word.startswith("-fmax-errors="):
            out.cilk1.append("--max-errors=" + str(self.number("-fmax-errors", word[13:])))
        elif word.startswith("-fdiagnostics-") or word.startswith("-fno-diagnostics-") or \
                word.startswith("-fmessage-length") or word.startswith("-fplugin") or word.startswith("-fdump-") or \
                word.startswith("-frandom-seed") or word.startswith("-fcompare-debug") or \
                word.startswith("-fworking-directory") or word.startswith("-fno-working-directory"):
            pass
        elif word.startswith(("-fmacro-prefix-map=", "-ffile-prefix-map=", "-fdebug-prefix-map=")):
            if "=" not in word.split("=", 1)[1]:
                raise Stop("'%s': OLD=NEW is expected" % word, 2)
            if not word.startswith("-fdebug"):
                out.cpp.append(word)
            if not word.startswith("-fmacro"):
                out.cilk1.append(word)
            out.cc.append(word)
        elif word.startswith("-finline-recursion") or word.startswith(OWN_SWITCHES):
            out.cilk1.append(word)
        elif word.startswith("-f"):
            out.cilk1.append(word)
            out.cc.append(word)
            name = word[5:] if word.startswith("-fno-") else word[2:]
            if name.startswith(CPP_SWITCHES):
                out.cpp.append(word)
        elif word in ("-m32", "-mx32", "-m16", "-miamcu"):
            raise Stop("'%s': only 64-bit code can be generated" % word, 2)
        elif word.startswith(CLANGS_SWITCHES):
            out.cilk1.append(word)
        elif word.startswith("-m"):
            out.cilk1.append(word)
            out.cpp.append(word)
            out.cc.append(word)
            out.asm.append(word)
        elif word.startswith("--target="):
            self.target(word[9:])
        elif word in ("--target", "-target"):
            self.target(self.argument(word))
        elif word.startswith("--param"):
            if word == "--param":
                self.argument(word)
        elif word in SEPARATE_IGNORED:
            self.argument(word)
        else:
            return False
        return True

    def sanitizer(self, names, on):
        out = self.out
        for name in names.split(","):
            if name in ("thread", "address", "leak"):
                (out.sanitizers.add if on else out.sanitizers.discard)(name)
            elif name in CHECKS:
                (out.checks.update if on else out.checks.difference_update)(CHECKS[name])
                out.check_words.append("--%ssanitize=%s" % ("" if on else "no-", name))
            elif name == "all" and not on:
                out.sanitizers.clear()
                out.checks.clear()
                out.check_words.append("--no-sanitize=all")
            elif name:
                raise Stop("unknown sanitizer '%s': thread, address, leak, undefined and the checks of undefined (%s) exist"
                           % (name, ", ".join(sorted(CHECKS))), 2)

    def sanitizer_mode(self, word):
        """-fsanitize-recover, -fsanitize-trap: what a failed check does."""
        out = self.out
        option, _, names = word.partition("=")
        on = not option.startswith("-fno-")
        kind = option[option.index("sanitize"):]
        if kind == "sanitize-undefined-trap-on-error":
            kind, names = "sanitize-trap", "undefined"
        if kind in ("sanitize-recover", "sanitize-trap"):
            for name in (names or "all").split(","):
                if name in ("thread", "address", "leak"):
                    continue
                if name != "all" and name not in CHECKS:
                    raise Stop("unknown sanitizer '%s' in '%s'" % (name, word), 2)
                out.check_words.append("--%s%s=%s" % ("" if on else "no-", kind, name))
                if kind == "sanitize-trap":
                    trapped = [c for group in CHECKS.values() for c in group] if name == "all" else CHECKS[name]
                    (out.trapped.update if on else out.trapped.difference_update)(trapped)
        # What else begins so tunes the other sanitizers' speed: nothing to do.

    def target(self, triple):
        names = ("x86_64-linux-gnu", "x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu", "x86_64-linux")
        if triple in names:
            self.out.target = foreign_target(names[0])
        elif triple.startswith("aarch64"):
            self.out.target = foreign_target("aarch64-linux-gnu")
        else:
            raise Stop("unknown target '%s': x86_64-linux-gnu and aarch64-linux-gnu exist" % triple, 2)

    # ---- linking
    def linker(self, word):
        out = self.out
        if word in ("-pthread", "-pthreads", "--pthread"):
            for words in (out.cpp, out.cc, out.link):
                words.append("-pthread")
        elif word in LINK_PLAIN or word.startswith("-static-lib"):
            out.link.append(word)
            if word == "-pg":
                out.cilk1.append(word)
            if word == "-shared" or word == "--shared":
                out.shared = True
            elif word == "-r":
                out.relocatable = True
            elif word in ("-nostdlib", "-nodefaultlibs"):
                out.no_libs = True
            elif word in ("-static", "--static"):
                out.static = True
        elif word[:2] in ("-l", "-L"):
            value = self.joined(word, word[:2])
            out.link.append(word[:2] + value)
        elif word.startswith("-Wl,"):
            out.link.append(word)
        elif word == "-Xlinker":
            out.link += [word, self.argument(word)]
        elif word in SEPARATE_LINK:
            out.link += [word, self.argument(word)]
        elif word[:2] in ("-u", "-z", "-T", "-R") and len(word) > 2:
            out.link.append(word)
        elif word.startswith("-Wa,"):
            out.asm.append(word)
            out.cc.append(word)
        elif word == "-Xassembler":
            value = [word, self.argument(word)]
            out.asm += value
            out.cc += value
        elif word.partition("=")[0] in ("-specs", "--specs"):  # they govern every step of cc: headers, start files, libraries
            value = word.split("=", 1)[1] if "=" in word else self.argument(word)
            for words in (out.cpp, out.cc, out.link, out.asm):
                words.append("-specs=" + value)
        else:
            return False
        return True

    # ---- messages
    def colour(self, option, when):
        if when not in ("auto", "always", "never"):
            raise Stop("'%s': auto, always and never exist" % option, 2)
        self.out.colour = when

    def diagnostics(self, word):
        out = self.out
        if word.startswith("--color=") or word.startswith("--colour="):
            self.colour(word, word.split("=", 1)[1])
        elif word.startswith("--diagnostics-format="):
            if word[21:] not in ("text", "json"):
                raise Stop("'%s': text and json exist" % word, 2)
            out.cilk1.append(word)
        elif word.startswith("--max-errors="):
            out.cilk1.append("--max-errors=%d" % self.number("--max-errors", word[13:]))
        elif word == "-w":
            out.quiet = True
            for words in (out.cilk1, out.cpp, out.cc):
                words.append(word)
        elif word in ("-pedantic", "--pedantic", "-Wpedantic", "-pedantic-errors", "--pedantic-errors"):
            word = "-pedantic-errors" if "errors" in word else "-pedantic"
            for words in (out.cilk1, out.cpp, out.cc):
                words.append(word)
        elif word == "-W":
            out.cilk1.append("-Wextra")
            out.cc.append(word)
        elif word.startswith("-Wc,"):
            pass
        elif word.startswith("-W") and word[2:].isdigit():
            pass                    # cilk2c's levels
        elif word.startswith("-W"):
            if word.startswith("-Werror-"):
                word = "-Werror=" + word[8:]
            out.cilk1.append(word)
            if word.startswith("-Wcilk") or word.startswith("-Wno-cilk"):
                return True
            out.cc.append(word)
            name = word[2:]
            if name.startswith("error=") or name.startswith("no-error="):
                name = name.split("=", 1)[1]
            elif name.startswith("no-"):
                name = name[3:]
            if name.split("=")[0] in CPP_WARNINGS:
                out.cpp.append(word)
        elif word.startswith("-fmessage"):
            pass
        else:
            return False
        return True

    # ---- what remains
    def misc(self, word):
        if word in ("-pipe", "--pipe", "-pass-exit-codes", "-time", "-Q", "-no-canonical-prefixes", "-ObjC",
                    "-no-integrated-cpp", "-integrated-as", "-no-integrated-as", "-dA", "-dP", "-dp",
                    "-Qunused-arguments", "-Qn", "-Qy", "--coverage", "-nostdinc++"):
            return True
        if word.startswith("-Ofast") or word.startswith("-d") and len(word) == 3 or word.startswith("-iframework"):
            return True
        return False

    # ---- what depends on several options
    def finish(self):
        out = self.out
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
            if out.std in STANDARDS:
                out.cilk1.append("--std=" + STANDARDS[out.std])
                out.cpp.append("-std=" + STANDARDS[out.std])   # the spelling that older compilers know, too
            elif "++" not in out.std:
                raise Stop("unrecognized command-line option '-std=%s'" % out.std, 2)
            out.cc.append("-std=" + STANDARDS.get(out.std, out.std))
        if self.pic_flag:
            out.cpp.append(self.pic_flag)
            out.cc.append(self.pic_flag)
        out.cilk1.append("--pic=" + (out.pic or "pie"))
        if out.span:
            out.profile = True
            out.cilk1.append("--cilk-span")
        if out.profile:
            out.cilk1.append("--cilk-profile")
        if out.debug:
            out.cilk1.append("--cilk-debug")
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
        if out.target:
            out.cilk1.append("--target=" + out.target)
        if out.syntax_only and out.mode not in ("cpp", "deps"):
            out.mode = "check"


def first_file(words):
    """Where in the words of `cilkc run` the first input stands: what follows is the program's. None without one."""
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


def parse(arguments):
    return Parser(expand_response_files(arguments)).parse()
