"""The command line as data: every flag of `cilkc` and every option of cilkc1, once.

From here come the driver's parser (options.py) and the questions that it answers (answers.py). The texts of
`cilkc build --help`, the manual page and the completion come from here, too (commands/). driver/cilkc1/generate.py makes
cilkc1's own table of options from this table. tests/driver/test_flags.py checks the rest: that docs/command.md describes
every flag shown here, that cilkc1 accepts all that is passed on to it.

Literals and a few small functions: every compilation imports this file, which opens four more. Which -f and -m
switches mean something to the code generator is listed in codegen/output/switches.def; what is here says only where such
words go.

A row: (names, shape, action[, topic[, values[, text]]]).

    names    words apart; a name that ends with = is a prefix
    shape    -  the word alone                      >  its argument is the next word
             +  the argument is joined or next      =  NAME=VALUE
             => NAME=VALUE or NAME VALUE            *  whatever begins so; the rest is the value
    action   what the parser does, several parted by `;`.  % is the value
             to LISTS         the word or words, as given, into those lists of Options
             pair LISTS       the name and the value, as two words
             joined LISTS     the name and the value, as one
             as WORD LISTS    that word instead
             set NAME [VALUE] an attribute of Options (True)
             do METHOD        a method of options.Parser
             ask WHAT         a question about the compiler: answers.py answers it
             ignore MEANING   nothing, for the reason that it gives: Same (it is so anyway, or what it names is not here),
                              Tuning, Foreign, Report (codegen/output/switches.def)
             unknown          no flag at all
    topic    where the help shows it (TOPICS); rows without one are other spellings, or are taken for other
             compilers' sake
    values   what completion offers, or in capitals what the value is
    text     a line of its own in the help
"""

# What the compiler has a table of is read from there: a new row is known here, too.
TABLES = ("frontend/plan/strategies.def", "frontend/plan/modes.def", "frontend/source/dialects.def",
          "frontend/types/targets.def", "rt/tools/profile/profile.def")


def rows(name):
    """The rows of one of them, as written: they begin at the left, with a capital, and go on in lines that do not."""
    folder = __file__.rpartition("/")[0] or "."
    with open("%s/../../%s" % (folder, name), encoding="utf-8") as file:
        return [line for line in file.read().replace("\n ", " ").splitlines() if line[:1].isupper()]


def words(row):
    """The quoted parts of a row."""
    return row.split('"')[1::2]


TRANSPORTS = ("mpi", "local")          # of --dist (dist.py)
_strategies = rows(TABLES[0])
STRATEGIES = tuple(words(row)[0] for row in _strategies)
# those that are not for comparison only
USUAL_STRATEGIES = tuple(words(row)[0] for row in _strategies if "Experimental" not in row)
DEFAULT_STRATEGY = "lazy"              # cilkc1's (driver/cilkc1/options.cpp)
_modes = rows(TABLES[1])
MODES = tuple(words(row)[0] for row in _modes)
# objects that link together agree on them
AGREED_MODES = tuple(sorted(words(row)[0] for row in _modes if "AnyRuntime" not in row))
# Each dialect's suffixes: of text, of headers, of preprocessed text.
DIALECTS = {words(row)[0]: tuple(word[1:] for word in words(row)[2:]) for row in rows(TABLES[2])}
TARGETS = tuple(row[row.index("(") + 1:row.index(")")] + "-linux-gnu" for row in rows(TABLES[3]))

FLAGS: "tuple[tuple[str, ...], ...]" = (
    # ---- what to make
    ("-o", "+", "do output", "result", "OUT"),
    ("--output=", "=", "do output"),
    ("-objc", "*", "unknown"),
    ("-c -S -E", "-", "do stage", "stop"),
    ("-fsyntax-only", "-", "set syntax_only", "stop"),
    ("-E0 -E1", "-", "do stage"),
    ("--emit=", "=", "set mode emit:%"),
    ("-emit-llvm", "-", "set mode emit:ir"),
    ("-x", "+", "do language_of_next", "tools", "LANG"),
    ("-v", "-", "set verbose", "tools"),
    ("-###", "-", "set dry", "tools"),
    ("-save-temps", "-", "set save_temps", "tools"),
    ("-n", "-", "set dry"),
    ("--verbose -v1 -v2", "-", "set verbose"),
    ("--save-temps", "-", "set save_temps"),
    ("-save-temps= --save-temps=", "*", "do keep"),
    # ---- the preprocessor
    ("-I", "+", "joined cpp cc", "preprocessor"),
    ("-isystem -iquote -idirafter -include -imacros", "+", "pair cpp cc", "preprocessor"),
    ("--embed-dir", "=>", "as % embed_dirs", "preprocessor"),
    ("-D", "+", "joined cpp cc", "preprocessor"),
    ("-U", "+", "joined cpp cc", "preprocessor"),
    ("-isysroot -A", "+", "pair cpp cc"),
    ("-iprefix -iwithprefix -iwithprefixbefore -imultilib", ">", "pair cpp cc"),
    ("-C -CC -P -H -undef -nostdinc -trigraphs -traditional-cpp -remap -fdirectives-only -fpreprocessed -fdollars-in-identifiers",
     "-", "to cpp cc"),
    ("-ftrigraphs", "-", "as -trigraphs cpp cc"),
    ("-dM -dD -dN -dI -dU", "-", "to cpp"),
    ("-M -MM", "-", "do stage", "dependencies"),
    ("-MD -MMD", "-", "set deps_of_output; to deps", "dependencies"),
    ("-MF", "+", "do dependency_file", "dependencies"),
    ("-MT -MQ", "+", "set deps_target; pair deps", "dependencies"),
    ("-MP -MG", "-", "to deps", "dependencies"),
    ("-MJ", "+", "set fragments %", "dependencies", "FILE", "appends an entry of a compilation database"),
    ("-Wp,", "*", "do for_preprocessor"),
    ("-Xpreprocessor", ">", "pair cpp"),
    ("--sysroot", "=>", "as --sysroot=% cpp cc link"),
    ("-B", "+", "joined cpp cc link"),
    # ---- warnings and messages
    ("-Wall -Wextra", "-", "do warning", "warnings"),
    ("-Werror", "-", "do warning", "warnings"),
    ("-W", "*", "do warning", "warnings", "[no-]NAME"),
    ("-W", "-", "as -Wextra cilk1; to cc"),
    ("-Wc,", "*", "ignore Foreign"),
    ("-w", "-", "set quiet; to cilk1 cpp cc", "warnings"),
    ("-pedantic", "-", "to cilk1 cpp cc", "warnings"),
    ("--pedantic -Wpedantic", "-", "as -pedantic cilk1 cpp cc"),
    ("-pedantic-errors --pedantic-errors", "-", "as -pedantic-errors cilk1 cpp cc"),
    ("-fdiagnostics-color", "*", "do colour"),
    ("-fno-diagnostics-color -fcolor-diagnostics -fno-color-diagnostics", "-", "do colour"),
    ("-fdiagnostics-format=", "=", "do format"),
    ("-fmax-errors=", "=", "do max_errors"),
    ("-fdiagnostics- -fno-diagnostics- -fmessage-length", "*", "ignore Report"),
    # ---- code generation
    ("-O", "*", "set level %", "optimisation", "0 1 2 3 s g fast"),
    ("--optimize", "-", "set level 1"),
    ("-g", "*", "do debug", "debug"),
    ("-gnat", "*", "unknown"),
    ("-std=", "=", "set std %", "standard", "c89 c99 c11 c17 c23 gnu89 gnu99 gnu11 gnu17 gnu23"),
    ("--std=", "=", "set std %"),
    ("-ansi", "-", "set std c89", "standard"),
    ("-f", "*", "do f_switch", "generation", "NAME"),
    ("-m", "*", "to cilk1 cpp cc", "generation", "NAME"),
    ("-fPIC -fPIE", "-", "do position", "generation"),
    ("-fpic -fpie -fno-pic -fno-PIC -fno-pie -fno-PIE -mdynamic-no-pic", "-", "do position"),
    ("-flto -fno-lto", "-", "do lto", "generation"),
    ("-flto=", "*", "do lto"),
    # our objects hold machine code and bitcode
    ("-flto- -fuse-linker-plugin -fno-use-linker-plugin -ffat-lto -fno-fat-lto", "*", "ignore Same"),
    ("-finline-recursion -fno-inline-recursion -finline-leaves -fno-inline-leaves -fconstant-parameters -fno-constant-parameters",
     "*", "to cilk1"),
    ("-flarge-procedures=", "*", "to cilk1", "generation", "N"),
    ("-mretpoline -mno-retpoline -mlvi- -mno-lvi-", "*", "to cilk1"),  # gcc, the preprocessor, does not know them
    ("-m32 -mx32 -m16 -miamcu", "-", "do other_width"),
    ("-fmacro-prefix-map= -ffile-prefix-map= -fdebug-prefix-map=", "=", "do prefix_map"),
    ("-fsanitize=", "=", "do sanitizer"),
    ("-fno-sanitize=", "=", "do sanitizer"),
    ("-fsanitize- -fno-sanitize-", "*", "do sanitizer_mode"),
    ("-fopencilk", "-", "do opencilk", "cilk", "", "C files are in OpenCilk's spelling"),
    ("-fcilkplus", "-", "do opencilk"),
    ("-fno-opencilk", "-", "ignore Same"),
    ("-fcilktool=", "=", "do cilktool", "cilk", "cilkscale cilkscale-instructions cilkscale-benchmark",
     "the program prints work and span at its end"),
    ("-lopencilk-pedigrees", "-", "as --cilk-pedigree cilk1"),  # OpenCilk's library: here it is the mode
    ("-ftapir=opencilk -ftapir=cilk", "-", "ignore Same"),  # the other runtimes that Tapir's code may call are not here
    ("-lcilkrts", "-", "ignore Same"),  # Cilk Plus': ours is linked anyway
    ("--opencilk-resource-dir=", "=", "ignore Same"),  # where OpenCilk's runtime is
    ("-fopenmp", "-", "do openmp"),
    ("-fopenmp=", "*", "do openmp"),
    # ---- counts of what a program does
    ("-fprofile-generate -fno-profile-generate", "-", "do counts", "counts", "", "the program writes how often its code ran"),
    ("-fprofile-generate=", "=", "do counts"),
    ("-fprofile-use", "-", "to cilk1", "counts", "", "the optimiser reads that (default.profdata)"),
    ("-fprofile-use= -fno-profile-use -fprofile-instr-use -fno-profile-instr-use -fprofile-update=", "*", "to cilk1"),
    ("--coverage", "-", "do counts", "counts", "", "counts lines, for `llvm-cov gcov`"),
    ("-coverage -fprofile-arcs -ftest-coverage -fno-profile-arcs -fno-test-coverage", "-", "do counts"),
    ("-fauto-profile -fprofile-sample-use", "*", "do samples"),
    # What programs would miss; more of this kind is in codegen/output/switches.def.
    ("-fsanitize-coverage -Wstack-usage", "*", "do unsupported"),
    ("-fexec-charset= -fwide-exec-charset=", "=", "do charset"),
    ("-fplugin", "*", "do plugin"),
    ("-frandom-seed -fcompare-debug -fworking-directory -fno-working-directory", "*", "ignore Report"),
    # ---- the linker
    ("-L -l", "+", "joined link", "linker"),
    ("-Wl,", "*", "to link", "linker"),
    ("-Xlinker", ">", "pair link", "linker"),
    ("-shared", "-", "to link; set shared", "linker"),
    ("-static", "-", "to link; set static", "linker"),
    ("--shared", "-", "to link; set shared"),
    ("--static", "-", "to link; set static"),
    ("-pthread", "-", "to cpp cc link", "linker"),
    ("-pthreads --pthread", "-", "as -pthread cpp cc link"),
    ("-pie", "-", "to link", "linker"),
    ("-r", "-", "to link; set relocatable"),
    ("-nostdlib -nodefaultlibs", "-", "to link; set no_libs"),
    ("-pg", "-", "to link cilk1"),
    ("-rdynamic -s -t -nostartfiles -nolibc -static-pie -static-libgcc -static-libstdc++ -shared-libgcc -symbolic -p -no-pie -nopie -export-dynamic",
     "-", "to link"),
    ("-static-lib", "*", "to link"),
    ("-fuse-ld=ld", "-", "ignore Same"),  # clang's name for the linker that is used anyway
    ("-fuse-ld=", "*", "to link"),
    ("-u -z -T -R", "+", "to link"),
    ("-e --entry -rpath -soname -h -Ttext -Tdata -Tbss", ">", "to link"),
    ("-Wa,", "*", "to cc"),
    ("-Xassembler", ">", "to cc"),
    # they govern every step of cc: headers, start files, libraries
    ("-specs --specs", "=>", "as -specs=% cpp cc link"),
    # ---- Cilk's own
    ("--spawn", "=>", "do spawn", "cilk", " ".join(STRATEGIES),
     "how a spawn keeps its parent available to thieves; one per program"),
    ("--serial", "-", "set serial; to cilk1", "cilk", "", "the serial elision, compiled directly"),
    ("-fserial -ftapir=serial", "-", "set serial; as --serial cilk1"),
    ("--dist", "=>", "do dist", "cilk", "mpi local",
     "several machines: what is marked `remote` may run on any of them"),
    ("--own-runtime", "-", "set own_runtime", "cilk", "",
     "a shared library that exports its interface, not its runtime"),
    ("--verify-clones", "-", "to cilk1", "cilk", "",
     "compare the code of each clone with its plan, for tests of the compiler"),
    ("--cc", "=>", "set other_cc %", "cilk", "CMD", "compile .c files with CMD"),
    ("-cc", ">", "set other_cc %"),
    ("-cilk-profile", "-", "set profile", "cilk", "", "count strands: `Threads` of --stats"),
    ("-cilk-span", "-", "set span", "cilk", "", "measure work and span (also -cilk-critical-path)"),
    ("-cilk-span=", "=", "do span_in", "cilk", "count time", "in instructions of the text, or in time"),
    ("-cilk-debug", "-", "set debug", "cilk", "", "check the runtime's invariants"),
    ("-cilk-trace", "-", "set trace", "cilk", "", "keep a trace of what the workers do, for `cilkc trace`"),
    ("--cilk-profile", "-", "set profile"),
    ("-cilk-critical-path --cilk-span --cilk-critical-path", "-", "set span"),
    ("--cilk-span= -cilk-critical-path= --cilk-critical-path=", "=", "do span_in"),
    ("--cilk-debug", "-", "set debug"),
    ("--cilk-trace", "-", "set trace"),
    *(("-cilk-%s --cilk-%s" % (mode, mode), "-", "as --cilk-%s cilk1" % mode) for mode in MODES
      if mode not in ("debug", "profile", "span", "trace")),
    ("-cilk-loop= --cilk-loop=", "=", "as --cilk-loop=% cilk1"),
    ("-cilk-any-sync --cilk-any-sync", "-", "as --cilk-any-sync cilk1"),
    # for the tools (driver/tools): the serial form with a mode and its library
    ("-cilk-tool --cilk-tool", "=>", "do tool"),
    ("-cilk-hint --cilk-hint", "-", "ignore Report"),
    ("--sanitize=", "=", "do sanitizer", "cilk", "thread address undefined", "find errors while the program runs"),
    ("--target", "=>", "do target", "cilk", " ".join(TARGETS), "the machine to compile for"),
    ("-target", ">", "do target"),
    ("--diagnostics-format=", "=", "do format", "cilk", "text json sarif", "how messages look"),
    ("--color=", "=", "do colour", "cilk", "auto always never", "colours of messages"),
    ("--colour=", "=", "do colour"),
    ("--max-errors=", "=", "do max_errors", "cilk", "N", "stop after N errors"),
    ("--time-report", "-", "to cilk1", "cilk", "", "where the compiler's time goes"),
    ("-ftime-report", "-", "as --time-report cilk1"),
    ("--jobs=", "=", "do jobs", "cilk", "N", "how many files are compiled at once"),
    # ---- questions
    ("--version", "-", "ask version", "questions"),
    ("-version -V", "-", "ask version"),
    ("--help", "-", "ask help", "questions"),
    ("-help", "-", "ask help"),
    ("--help=", "*", "ask help"),
    ("-dumpmachine -dumpversion", "-", "ask cc", "questions"),
    ("-dumpfullversion -dumpspecs", "-", "ask cc"),
    ("-print-include-dir --print-include-dir", "-", "ask include"),
    ("-print-runtime-dir --print-runtime-dir -print-cflags --print-cflags -print-libs --print-libs -print-cmake-dir --print-cmake-dir "
     "-print-doc-dir --print-doc-dir", "-", "ask place"),
    ("-print-file-name=libcilkrt --print-file-name=libcilkrt", "*", "ask runtime"),
    ("-print-", "*", "ask cc", "questions", "WHAT"),
    ("--print-", "*", "ask cc"),
    # ---- what other compilers take and means nothing here
    ("--param", "=>", "ignore Tuning"),
    ("-aux-info -wrapper", ">", "do unsupported"),
    ("-dumpbase -dumpdir -dumpbase-ext -woff", ">", "ignore Report"),
    ("-G -arch", ">", "ignore Foreign"),
    ("-pipe --pipe -pass-exit-codes -time -Q -no-canonical-prefixes -no-integrated-cpp -integrated-as -no-integrated-as -dA -dP -dp "
     "-Qunused-arguments -Qn -Qy -nostdinc++", "-", "ignore Report"),
    ("-d", "*", "do dump"),
    ("-iframework", "*", "ignore Foreign"),
)

# The help: sections, and in each the topics in the order shown. A topic without a text shows its rows one a line.
TOPICS = (
    ("Flags have the C compilers' shape:", (
        ("result", "name of the result"),
        ("stop", "stop at: object, assembly, preprocessed, checked"),
        ("optimisation", "optimisation"),
        ("debug", "debug information"),
        ("preprocessor", "the preprocessor"),
        ("dependencies", "dependencies for make"),
        ("warnings", "warnings"),
        ("standard", "the C standard (default gnu17)"),
        ("generation", "code generation"),
        ("counts", "counts"),
        ("linker", "the linker"),
        ("tools", "what a file is; what is done"),
        ("questions", "what this is (@FILE: more words)"))),
    ("Cilk's own:", (("cilk", None),)),
)

# The preprocessor gets a -f switch that begins with one of these, after -f or -fno-: such a switch changes what is
# predefined.
PREPROCESSOR_SWITCHES = ("fast-math", "finite-math-only", "unsafe-math-optimizations", "math-errno", "signed-char",
                         "unsigned-char", "short-wchar", "exceptions", "stack-protector", "cf-protection",
                         "freestanding", "hosted", "gnu89-inline", "inline", "extended-identifiers", "input-charset",
                         "exec-charset", "wide-exec-charset", "max-include-depth", "signaling-nans", "rounding-math",
                         "track-macro-expansion", "tabstop", "associative-math", "trapping-math", "signed-zeros",
                         "reciprocal-math")
# Switches of the code generation that the preprocessor of a .S file gets.
ASSEMBLER_SWITCHES = ("-fPI", "-fpi", "-fno-PI", "-fno-pi", "-fcf-protection", "-fstack-protector", "-ffreestanding",
                      "-fhosted", "-fsanitize", "-fdebug-prefix-map", "-ffile-prefix-map", "-fmacro-prefix-map",
                      "-fpreprocessed", "-fdirectives-only")
# Warnings that the preprocessor itself gives; it must not see names that only cilkc1 knows.
PREPROCESSOR_WARNINGS = ("all", "extra", "undef", "unused-macros", "comment", "comments", "trigraphs", "multichar",
                         "traditional", "endif-labels", "variadic-macros", "long-long", "date-time",
                         "expansion-to-defined", "cpp", "invalid-pch", "builtin-macro-redefined", "deprecated",
                         "missing-include-dirs", "error", "system-headers", "fatal-errors", "unknown-pragmas",
                         "literal-suffix", "bidi-chars", "normalized", "pedantic")

# -std=: what users write, and the spelling that cilkc1 and older preprocessors know.
STANDARDS = {"c89": "c89", "c90": "c89", "iso9899:1990": "c89", "iso9899:199409": "c89", "gnu89": "gnu89",
             "gnu90": "gnu89", "c99": "c99", "c9x": "c99", "iso9899:1999": "c99", "iso9899:199x": "c99",
             "gnu99": "gnu99", "gnu9x": "gnu99", "c11": "c11", "c1x": "c11", "iso9899:2011": "c11", "gnu11": "gnu11",
             "gnu1x": "gnu11", "c17": "c17", "c18": "c17", "iso9899:2017": "c17", "iso9899:2018": "c17",
             "gnu17": "gnu17", "gnu18": "gnu17", "c2x": "c2x", "c23": "c2x", "iso9899:2024": "c2x", "gnu2x": "gnu2x",
             "gnu23": "gnu2x"}
# Those that are more to the preprocessor than what they are to cilkc1: the amendment of 1994 has digraphs.
PREPROCESSED_STANDARDS = ("iso9899:199409",)

# Tools that run the program in its serial form: the mode that it is compiled in. The library is libcilk<tool>.a.
TOOLS = {"profile": "count", "race": "race", "strands": "strands", "memory": "memory"}
PARALLEL_TOOLS = {"strands"}       # its programs run in parallel nevertheless
# OpenCilk's -fcilktool=: the mode, or None for a program that runs in parallel; and the member of libcilkprofile.a that
# begins the table.
CILKTOOLS = {"cilkscale": ("scale", "cilk_scale_seconds"), "cilkscale-instructions": ("count", "cilk_scale_units"),
             "cilkscale-benchmark": (None, "cilk_scale_benchmark")}

# cilkc1's own options: (name in C++, word, shape, values, text). Of -O -g -f -m and -W it takes what compilers take.
CILKC1 = (
    ("output", "-o", ">", "OUT", "where the result goes ('-' is standard output)"),
    ("emit", "--emit=", "=", "obj asm ir bc ast tree tokens clones plan elide closures threads index export check",
     "what is made"),
    ("lang", "--lang=", "=", " ".join(DIALECTS), "the language of text whose file name does not show it"),
    ("mainFile", "--main-file=", "=", "NAME", "the file's name as the user gave it"),
    ("standard", "--std=", "=", " ".join(sorted(set(STANDARDS.values()))), "the C standard"),
    ("pedantic", "-pedantic", "-", "", "report what the standard does not have"),
    ("pedanticErrors", "-pedantic-errors", "-", "", "as errors"),
    ("optimize", "-O", "*", "0 1 2 3 s z g", "optimisation"),
    ("debug", "-g", "*", "0 1 2 3", "debug information"),
    ("gdbScript", "--gdb-script=", "=", "FILE", "what gdb is to load with the program"),
    ("pic", "--pic=", "=", "none pie pic", "position-independent code"),
    ("target", "--target=", "=", "TRIPLE", "%s" % " or ".join(TARGETS)),
    ("machine", "-m", "*", "NAME", "as gcc's"),
    ("profileCalls", "-pg", "-", "", "calls of mcount"),
    ("spawn", "--spawn=", "=", " ".join(STRATEGIES), "spawn strategy"),
    ("serial", "--serial", "-", "", "the elision"),
    ("loop", "--cilk-loop=", "=", "N", "report the loops around line N to the modes"),
    ("anySync", "--cilk-any-sync", "-", "", "race: the run may leave out any sync"),
    ("mode", "--cilk-", "*", "MODE", "an instrumentation mode: %s" % ", ".join(MODES)),
    ("sanitize", "--sanitize=", "=", "LIST", "thread, address, undefined and its checks"),
    ("noSanitize", "--no-sanitize=", "=", "LIST", "without these"),
    ("sanitizeRecover", "--sanitize-recover=", "=", "LIST", "go on after a report"),
    ("noSanitizeRecover", "--no-sanitize-recover=", "=", "LIST", "end after a report"),
    ("sanitizeTrap", "--sanitize-trap=", "=", "LIST", "trap, without a report"),
    ("noSanitizeTrap", "--no-sanitize-trap=", "=", "LIST", "report"),
    ("warning", "-W", "*", "[no-]NAME", "as gcc's"),
    ("noWarnings", "-w", "-", "", "no warnings"),
    ("colour", "--color=", "=", "auto always never", "colours in messages"),
    ("format", "--diagnostics-format=", "=", "text json", "how messages look"),
    ("maxErrors", "--max-errors=", "=", "N", "stop after N errors"),
    ("messageWidth", "--message-width=", "=", "N", "columns of a message"),
    ("feature", "-f", "*", "NAME", "as gcc's"),
    ("coverageFile", "--coverage-file=", "=", "STEM", "the names of the files of -ftest-coverage, without .gcno"),
    ("timeReport", "--time-report", "-", "", "where the time goes"),
    ("checkAst", "--check-ast", "-", "", "verify the tree's invariants"),
    ("verifyClones", "--verify-clones", "-", "", "verify the clones of procedures, and the IR"),
    ("link", "--link", "-", "", "link the bitcode of objects made with -flto, optimise all together, make one object"),
    ("standalone", "--standalone", "-", "", "with --emit=elide: needs no header of ours"),
    ("gnu", "--gnu", "-", "", "with --emit=elide: keeps inlets as GNU nested functions"),
    ("procedure", "--procedure=", "=", "NAME", "with --emit=clones and --emit=plan: of this procedure only"),
    ("explain", "--explain=", "=", "CODE", "what a diagnostic means; list: all codes"),
    ("print", "--print=", "=", "strategies modes dialects targets predefined llvm", "the names in a table, or the version of LLVM"),
    ("help", "--help", "-", "", "this text"),
    ("version", "--version", "-", "", "what this is"),
)


def table():
    """({word: row}, {its first two characters: [(prefix, row)]}), the longest prefix first."""
    exact, prefixes = {}, {}
    for row in FLAGS:
        shape = row[1]
        for name in row[0].split(" "):
            if shape in "-+=>":
                if shape != "=":
                    exact[name] = (name, row)
            if shape in "+=*" or shape == "=>":
                prefix = name + "=" if shape == "=>" else name
                prefixes.setdefault(prefix[:2], []).append((prefix, row))
    for rows in prefixes.values():
        rows.sort(key=by_length)
    return exact, prefixes


def by_length(pair):
    return -len(pair[0])


EXACT, PREFIXES = table()


def find(word):
    """(name, row) of the flag that a word is, or None; the name is what precedes the value."""
    found = EXACT.get(word)
    if found is not None:
        return found
    for pair in PREFIXES.get(word[:2], ()):
        if word.startswith(pair[0]):
            return pair
    return None



def asks(arguments):
    """May these words hold a question about the compiler? answers.py, which few calls need, looks closer."""
    found = [find(word) for word in arguments]
    return any(pair is not None and pair[1][2].startswith("ask ") for pair in found) or set(arguments) == {"-v"}


# The checks of -fsanitize=undefined (codegen/body/ubsan.cpp says what each is), and the words that mean several.
UNDEFINED = ("alignment", "bool", "bounds", "builtin", "integer-divide-by-zero", "nonnull-attribute", "null",
             "object-size", "pointer-overflow", "returns-nonnull-attribute", "shift", "shift-base", "shift-exponent",
             "signed-integer-overflow", "unreachable", "vla-bound")
CHECKS: "dict[str, tuple[str, ...]]" = {
    name: (name,) for name in UNDEFINED + ("float-cast-overflow", "float-divide-by-zero", "unsigned-integer-overflow")
}
CHECKS.update(
    {
        "undefined": UNDEFINED,
        "array-bounds": ("bounds",),
        "bounds-strict": ("bounds",),
        "shift": ("shift", "shift-base", "shift-exponent"),
        "integer": ("shift", "shift-base", "shift-exponent", "signed-integer-overflow", "unsigned-integer-overflow",
                    "integer-divide-by-zero"),
        # not of C, or nothing to check
        "enum": (),
        "function": (),
        "return": (),
        "vptr": (),
        "local-bounds": (),
    }
)
