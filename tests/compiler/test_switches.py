"""Each flag of driver/cilkc_driver/flags.py and codegen/output/switches.def does something, warns, is an error, or says in
its table why it may do nothing. A row without a witness or a reason fails."""

import re

import pytest

from cilkc_driver import flags, options
from cilkc_driver.console import Stop
from conftest import BUILD, MODULES, ROOT, command

pytestmark = pytest.mark.tier("test")

TABLE = (ROOT / "codegen/output/switches.def").read_text()


def names(macro, meaning=r"\w+"):
    return [name for name, _ in re.findall(r'\b%s\("([^"]+)", (%s)\)' % (macro, meaning), TABLE)]


BOOLS = names("F_BOOL") + names("F_BOOL_INVERTED")
FEATURES = re.findall(r'\bM_FEATURE\("([^"]+)"\)', TABLE)


def spelled(letter, name, on=True):
    word = "-%s%s%s" % (letter, "" if on else "no-", name)
    return word + ("1" if name.endswith("=") else "")


def rows(meaning):
    """(letter, name) of all rows of a meaning."""
    return [(macro[0].lower(), name) for macro in ("F_SWITCH", "F_FAMILY", "M_SWITCH", "G_SWITCH")
            for name in names(macro, meaning)]


# ---- effects --------------------------------------------------------------------------------------------------------

WITNESS = """
# 1 "dir/w.c"
struct pair { long a, b; };
extern int outside; extern int away(int); int shown; int tentative; const double tenth = 0.1;
static const char text[] = "text"; _Thread_local int local; extern _Thread_local int distant;
extern double sqrt(double); extern void *malloc(unsigned long); extern int puts(const char *);
int add(int a, int b) { return a + b; }
int less(int *a, float *b) { *a = 1; *b = 2; return *a; }
int null(int *p) { int v = *p; if (!p) return away(v); return v; }
double sum(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
double fused(double a, double b, double c) { return a * b + c; }
double part(double a, double b) { return a / b; }
double zero(double a) { return a + 0.0; }
int unordered(double a) { return a != a; }
double root(double a) { return sqrt(a); }
void clear(char *p, long n) { for (long i = 0; i < n; i++) p[i] = 0; }
void halve(int *a, int *restrict b, long n) { for (long i = 0; i < n; i++) a[i] = b[i] / 2; }
void pairs(struct pair *p) { p->a += 1; p->b += 1; }
static int twice(int a) { return a + away(a); }
int inlined(int a) { return twice(a) + twice(a + 1); }
int tail(int a) { return away(a + 1); }
int chosen(int a) { switch (a) { case 0: return away(1); case 1: return add(2, a); case 2: return shown;
  case 3: return outside; case 4: return away(50) * 3; case 5: return tail(6) / 7; default: return 0; } }
int interposed(int a) { return add(a, 1) + shown; }
int equal1(int a) { return away(a) + 77; }
int equal2(int a) { return away(a) + 77; }
int pointer(int (*g)(int)) { return g(1) + 1; }
int big(int n) { char a[9000]; for (int i = 0; i < n; i++) a[i] = away(i); return a[n]; }
int small(int n) { char a[16]; a[n & 15] = away(n); return a[3]; }
int scoped(int n) { int r = 0; for (int i = 0; i < n; i++) { int v[4]; away((int)(long)v); r += v[i & 3]; } return r; }
int bare(void) { int v; away((int)(long)&v); return v; }
int threads(void) { return local + distant; }
int leaf(int *a) { return a[0] + a[1]; }
const char *name(void) { return text; }
int called(void) { return puts("x\\n"); }
int known(void) { return (int)__builtin_strlen("abc"); }
unsigned long len(void) { extern unsigned long strlen(const char *); return strlen("abcd"); }
"""

CILK_WITNESS = """
static cilk int fixed(int n, int step, int more) {
  int a, b; if (n < 2) return n * step; a = spawn fixed(n - 1, step, more + n); b = spawn fixed(n - 2, step, more);
  sync; return a + b + more; }
cilk int first(int n) { int a; a = spawn fixed(n, 17, n); sync; return a; }
"""

# What a switch changes: switches common to both runs, the one that has the text, the one that has not, the text.
IR = "--emit=ir"
EFFECTS = {
    "wrapv": (IR, "-fno-wrapv", "-fwrapv", "add nsw i32"),
    "wrapv-pointer": (IR, "-fno-wrapv-pointer", "-fwrapv-pointer", "add nsw i32"),
    "strict-overflow": (IR, "-fstrict-overflow", "-fno-strict-overflow", "add nsw i32"),
    "trapv": (IR, "-ftrapv", "-fno-trapv", "sadd.with.overflow"),
    "strict-aliasing": (IR + " -O1", "-fstrict-aliasing", "-fno-strict-aliasing", "!tbaa"),
    "delete-null-pointer-checks": (IR, "-fno-delete-null-pointer-checks", "-fdelete-null-pointer-checks",
                                   "null_pointer_is_valid"),
    "fast-math": (IR, "-ffast-math", "-fno-fast-math", "fadd (?:reassoc nnan ninf nsz|fast)"),
    "finite-math-only": (IR, "-ffinite-math-only", "-fno-finite-math-only", "nnan ninf"),
    "signed-zeros": (IR, "-fno-signed-zeros", "-fsigned-zeros", "nsz"),
    "associative-math": (IR, "-fassociative-math", "-fno-associative-math", "reassoc"),
    "reciprocal-math": (IR, "-freciprocal-math", "-fno-reciprocal-math", "arcp"),
    "math-errno": ("--emit=asm -O2", "-fno-math-errno", "-fmath-errno", r"root:\n(?:\t(?!jmp|ucomi|call).*\n)*\tretq"),
    "rounding-math": (IR, "-frounding-math", "-fno-rounding-math", "experimental.constrained"),
    "trapping-math": (IR, "-ftrapping-math", "-fno-trapping-math", "experimental.constrained"),
    "builtin": (IR + " -O1", "-fno-builtin", "-fbuiltin", "call i64 @strlen"),
    "exceptions": (IR, "-fno-exceptions", "-fexceptions", "noinline nounwind"),
    "asynchronous-unwind-tables": ("--emit=asm", "-fasynchronous-unwind-tables", "-fno-asynchronous-unwind-tables",
                                   "cfi_startproc"),
    "unwind-tables": ("--emit=asm", "-funwind-tables", "-fno-unwind-tables", "cfi_startproc"),
    "common": (IR, "-fcommon", "-fno-common", "@tentative = common"),
    "function-sections": ("--emit=asm", "-ffunction-sections", "-fno-function-sections", r"\.text\.add"),
    "data-sections": ("--emit=asm", "-fdata-sections", "-fno-data-sections", r"\.bss\.shown"),
    "unique-section-names": ("--emit=asm -ffunction-sections", "-funique-section-names", "-fno-unique-section-names",
                             r"\.text\.add"),
    "unroll-loops": ("--emit=asm -O2 -fno-vectorize -fno-slp-vectorize", "-funroll-loops", "-fno-unroll-loops",
                     r"addsd\t24\("),
    "tree-vectorize": ("--emit=asm -O2", "-ftree-vectorize", "-fno-tree-vectorize", "psrld"),
    "vectorize": ("--emit=asm -O2", "-fvectorize", "-fno-vectorize", "psrld"),
    "tree-loop-vectorize": ("--emit=asm -O2", "-ftree-loop-vectorize", "-fno-tree-loop-vectorize", "psrld"),
    "slp-vectorize": ("--emit=asm -O2", "-fslp-vectorize", "-fno-slp-vectorize", r"pairs:\n(?:\t.*\n)*\tpsubq"),
    "tree-slp-vectorize": ("--emit=asm -O2", "-ftree-slp-vectorize", "-fno-tree-slp-vectorize",
                           r"pairs:\n(?:\t.*\n)*\tpsubq"),
    "tree-loop-distribute-patterns": ("--emit=asm -O2", "-ftree-loop-distribute-patterns",
                                      "-fno-tree-loop-distribute-patterns", "memset"),
    "inline": (IR + " -O1", "-fno-inline", "-finline", "@twice"),
    "inline-functions": (IR + " -O1", "-fno-inline-functions", "-finline-functions", "@twice"),
    "optimize-sibling-calls": ("--emit=asm -O2", "-foptimize-sibling-calls", "-fno-optimize-sibling-calls",
                               r"jmp\taway"),
    "jump-tables": ("--emit=asm -O2", "-fjump-tables", "-fno-jump-tables", r"\.LJTI"),
    "verbose-asm": ("--emit=asm", "-fverbose-asm", "-fno-verbose-asm", "# %bb"),
    "plt": ("--emit=asm --pic=pic", "-fno-plt", "-fplt", r"\*away@GOTPCREL"),
    "semantic-interposition": ("--emit=asm -O2 --pic=pic", "-fsemantic-interposition", "-fno-semantic-interposition",
                               r"interposed:\n(?:\t.*\n)*\tcallq\tadd@PLT"),
    "constant-parameters": (IR + " -O2 --lang=cilk", "-fno-constant-parameters", "-fconstant-parameters",
                            r"@fixed.fast\(i32 %n, i32 %step"),
    "instrument-functions": ("--emit=asm -O1", "-finstrument-functions", "-fno-instrument-functions",
                             "__cyg_profile_func_enter"),
    "merge-functions": (IR + " -O2", "-fno-merge-functions", "-fmerge-functions", r"@equal2[^{]*\{\n(?:.*\n)*?.*add"),
    "sanitize-address-use-after-scope": (IR + " --sanitize=address", "-fsanitize-address-use-after-scope",
                                         "-fno-sanitize-address-use-after-scope",
                                         "call void @llvm.lifetime.start"),
    "ident": (IR, "-fident", "-fno-ident", "llvm.ident"),
    # with cases of their own
    "align-functions": ("--emit=asm", "-falign-functions=64", "-fno-align-functions", r"\.p2align\t6"),
    "min-function-alignment": ("--emit=asm", "-fmin-function-alignment=64", "", r"\.p2align\t6"),
    "unsafe-math-optimizations": (IR, "-funsafe-math-optimizations", "-fno-unsafe-math-optimizations", "reassoc"),
    "omit-frame-pointer": ("--emit=asm -O1", "-fno-omit-frame-pointer", "-fomit-frame-pointer", "%rsp, %rbp"),
    "omit-leaf-frame-pointer": ("--emit=asm -O1 -fno-omit-frame-pointer", "-fno-omit-leaf-frame-pointer",
                                "-fomit-leaf-frame-pointer",
                                r"leaf:\n(?:\t.*\n)*\tmovq\t%rsp, %rbp\n(?:\t.*\n)*\tretq"),
    "stack-protector": (IR, "-fstack-protector", "-fno-stack-protector", " ssp "),
    "stack-protector-strong": (IR, "-fstack-protector-strong", "-fno-stack-protector-strong", "sspstrong"),
    "stack-protector-all": (IR, "-fstack-protector-all", "-fno-stack-protector-all", "sspreq"),
    "stack-protector-explicit": (IR, "-fstack-protector-all", "-fstack-protector-explicit", "sspreq"),
    "cf-protection": ("--emit=asm", "-fcf-protection=full", "-fcf-protection=none", "endbr64"),
    "stack-clash-protection": ("--emit=asm", "-fstack-clash-protection", "-fno-stack-clash-protection",
                               r"subq\t\$4096, %rsp"),
    "trivial-auto-var-init": (IR, "-ftrivial-auto-var-init=pattern", "-ftrivial-auto-var-init=uninitialized",
                              "i8 -86"),
    "zero-call-used-regs": (IR, "-fzero-call-used-regs=used", "-fzero-call-used-regs=skip", "zero-call-used-regs"),
    "patchable-function-entry": (IR, "-fpatchable-function-entry=3", "-fpatchable-function-entry=0",
                                 "patchable-function-entry"),
    "PIC": (IR, "-fPIC", "-fno-PIC", "PIC Level"), "pic": (IR, "-fpic", "-fno-pic", "PIC Level"),
    "PIE": (IR, "-fPIE", "-fno-PIE", "PIE Level"), "pie": (IR, "-fpie", "-fno-pie", "PIE Level"),
    "visibility": (IR, "-fvisibility=hidden", "-fvisibility=default", "hidden"),
    "tls-model": (IR, "-ftls-model=local-exec", "-ftls-model=global-dynamic", "localexec"),
    "fp-contract": (IR, "-ffp-contract=on", "-ffp-contract=off", "fmuladd"),
    "ffp-contract": (IR, "-fffp-contract=on", "-fffp-contract=off", "fmuladd"),
    "debug-prefix-map": (IR + " -g", "-fdebug-prefix-map=dir=other", "", '"other/w.c"'),
    "file-prefix-map": (IR + " -g", "-ffile-prefix-map=dir=other", "", '"other/w.c"'),
    "debug-compilation-dir": (IR + " -g", "-fdebug-compilation-dir=/place", "", '"/place"'),
    "file-compilation-dir": (IR + " -g", "-ffile-compilation-dir=/place", "", '"/place"'),
    "profile-generate": (IR, "-fprofile-generate", "-fno-profile-generate", "__llvm_profile_raw_version"),
    "profile-update": (IR + " -fprofile-generate", "-fprofile-update=atomic", "-fprofile-update=single", "atomicrmw add"),
    "profile-arcs": (IR, "-fprofile-arcs", "-fno-profile-arcs", "llvm_gcda_emit_arcs"),
    "test-coverage": (IR, "-ftest-coverage", "-fno-test-coverage", "llvm.gcov"),
    # -m
    "arch=": (IR, "-march=haswell", "", '"target-cpu"="haswell"'),
    "cpu=": (IR, "-mcpu=haswell", "", '"target-cpu"="haswell"'),
    "tune=": (IR, "-mtune=haswell", "", '"tune-cpu"="haswell"'),
    "cmodel=": ("--emit=asm", "-mcmodel=large", "-mcmodel=small", r"movabsq\t\$\.LCPI"),
    "red-zone": (IR, "-mno-red-zone", "-mred-zone", "noredzone"),
    "retpoline": (IR, "-mretpoline", "-mno-retpoline", r"\+retpoline-indirect-calls"),
    "indirect-branch=": ("--emit=asm", "-mindirect-branch=thunk", "-mindirect-branch=thunk-extern",
                         "__llvm_retpoline_r11:"),
    "function-return=": ("--emit=asm", "-mfunction-return=thunk-extern", "-mfunction-return=keep",
                         "jmp\t__x86_return_thunk"),
    "general-regs-only": (IR, "-mgeneral-regs-only", "", "-sse,"),
    "harden-sls=": (IR, "-mharden-sls=return", "-mharden-sls=none", r"\+harden-sls-ret"),
    "lvi-hardening": (IR, "-mlvi-hardening", "", r"\+lvi-load-hardening"),
    "lvi-cfi": (IR, "-mlvi-cfi", "", r"\+lvi-cfi"),
    "branch-protection=": (IR + " --target=aarch64-linux-gnu", "-mbranch-protection=bti", "-mbranch-protection=none",
                           "branch-target-enforcement"),
    "abm": (IR, "-mabm", "-mno-abm", r"\+lzcnt,\+popcnt"),
    "80387": (IR, "-mno-80387", "-m80387", "-x87"),
}
# Those of Cilk's have an effect on what only Cilk has, and -flto one on objects: these files test them.
TESTED_ELSEWHERE = {"inline-leaves": "test_plan.py", "inline-recursion": "test_plan.py",
                    "large-procedures": "test_scaling.py", "profile-use": "test_counts.py",
                    "profile-instr-use": "test_counts.py", "lto": "test_lto.py",
                    "cilk-race-pragmas": "test_race_hints.py"}


def test_each_case_has_a_witness():
    cases = set(re.findall(r'Switch::\w+, "([^"]+)"', (ROOT / "codegen/output/options.cpp").read_text()))
    named = {name for letter, name in rows("Case") if letter == "f"}
    assert cases == named, cases ^ named
    wanted = set(BOOLS) | {name for _, name in rows("Case")}
    known = set(EFFECTS) | set(TESTED_ELSEWHERE)
    assert wanted == known, wanted ^ known
    for name, file in TESTED_ELSEWHERE.items():
        assert re.search(r"-f(no-)?%s" % name, MODULES[file].read_text()), (name, file)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The output of cilkc1 for the witness with some words; that of the same words once."""
    folder, done = tmp_path_factory.mktemp("switches"), {}
    (folder / "w.i").write_text(WITNESS)
    (folder / "w.cilki").write_text(CILK_WITNESS)

    def run(words):
        if words not in done:
            done[words] = command([BUILD / "cilkc1", *words.split(), "--main-file=dir/w.c",
                                   "w.cilki" if "--lang" in words else "w.i"], cwd=folder)
            assert done[words].status == 0 and done[words].err == "", str(done[words])
        return done[words].out

    return run


@pytest.mark.parametrize("name", [name for name in EFFECTS if name not in TESTED_ELSEWHERE])
def test_a_switch_has_its_effect(name, compiled):
    common, with_it, without, text = EFFECTS[name]
    if "--target" not in common:
        common += " --target=x86_64-linux-gnu"
    assert re.search(text, compiled(common + " " + with_it)), text
    assert not re.search(text, compiled((common + " " + without).strip())), text


def test_features_reach_the_code_generator(compiled):
    for on, sign in (True, "+"), (False, "-"):
        text = compiled(" ".join([IR, "--target=x86_64-linux-gnu"] + [spelled("m", name, on) for name in FEATURES]))
        listed = set(re.search(r'"target-features"="([^"]*)"', text).group(1).split(","))
        ours = {"sse4": "sse4.2" if on else "sse4.1"}       # LLVM has no feature of that name
        assert not [name for name in FEATURES if sign + ours.get(name, name) not in listed]


# ---- warnings, errors, and nothing for a reason ---------------------------------------------------------------------

def judged(tmp_path, words, status=0):
    (tmp_path / "x.i").write_text("int x;\n")
    result = command([BUILD / "cilkc1", "--emit=ir", *words, "x.i"], cwd=tmp_path)
    assert result.status == status, str(result)
    return result


def test_what_is_not_supported_warns(tmp_path):
    wrong = [spelled(letter, name, meaning == "Off") for meaning in ("On", "Off") for letter, name in rows(meaning)]
    result = judged(tmp_path, wrong)
    assert len(wrong) > 100 and result.err == "".join(
        "cilkc: warning: '%s' is not supported and has no effect\n" % word for word in wrong)
    right = [spelled(letter, name, meaning == "On") for meaning in ("On", "Off") for letter, name in rows(meaning)
             if meaning == "On" or not name.endswith("=")]
    assert judged(tmp_path, right).err == "" == judged(tmp_path, wrong + ["-w"]).err


@pytest.mark.parametrize("letter, name, meaning", [
    (*row, meaning) for meaning in ("MustBeOn", "MustBeOff") for row in rows(meaning)])
def test_another_layout_is_an_error(letter, name, meaning, tmp_path):
    word = spelled(letter, name, meaning == "MustBeOff")
    assert "'%s' is not supported: it changes how data lie" % word in judged(tmp_path, [word], 2).err
    assert judged(tmp_path, [spelled(letter, name, meaning == "MustBeOn")]).err == ""


def test_what_may_do_nothing_does_nothing(tmp_path):
    words = [spelled(letter, name, on) for meaning in ("Tuning", "Foreign", "Report", "Elsewhere")
             for letter, name in rows(meaning) for on in (True, False)
             if meaning != "Elsewhere" or name not in FRONT_END]
    assert len(words) > 600
    with_all = judged(tmp_path, words)
    assert with_all.err == "" and with_all.out == judged(tmp_path, []).out


# ---- what the front end, the preprocessor and the driver heed -------------------------------------------------------

# The form that is not the default; a text that only one of the forms takes, and whether the first takes it.
FRONT_END = {
    "unsigned-char": ("-funsigned-char", '_Static_assert((char)-1 > 0, "");', True),
    "signed-char": ("-fno-signed-char", '_Static_assert((char)-1 > 0, "");', True),
    "gnu89-inline": ("-fgnu89-inline", "extern inline int f(void) { return 1; } int f(void) { return 2; }", True),
    "freestanding": ("-ffreestanding -Werror=main", "void main(int a) { }", True),
    "hosted": ("-fno-hosted -Werror=main", "void main(int a) { }", True),
    "short-enums": ("-fshort-enums", 'enum e { A }; _Static_assert(sizeof(enum e) == 1, "");', True),
    "short-wchar": ("-fshort-wchar", '_Static_assert(sizeof(L"a") == 4, "");', True),
    "ms-extensions": ("-fms-extensions", "struct a { int x; }; struct b { struct a; }; int f(struct b *p) "
                      "{ return p->x; }", True),
    "cilkplus": ("-fcilkplus --lang=cilk", "int n; void f(void) { int a[4]; a[:] = 1; }", False),
    "syntax-only": ("-fsyntax-only", None, True),
}


@pytest.mark.parametrize("name", FRONT_END)
def test_the_front_end_heeds_a_switch(name, tmp_path):
    words, text, taken = FRONT_END[name]
    first, *others = words.split()
    if text is None:
        assert judged(tmp_path, [first]).out == "" != judged(tmp_path, []).out
        return
    (tmp_path / "f.i").write_text(text + "\n")
    statuses = [command([BUILD / "cilkc1", "--emit=check", *more, *others, "f.i"], cwd=tmp_path).status
                for more in ([first], [])]
    assert (statuses == [0, 1]) == taken, statuses


def test_each_row_for_another_stage_reaches_it():
    known = set(FRONT_END)
    for _, name in rows("Elsewhere"):
        if name in known:
            continue
        word = "-f" + name
        if name.endswith("charset") or name in ("macro-prefix-map", "tabstop", "max-include-depth", "max-errors",
                                                "track-macro-expansion", "use-ld", "plugin", "sanitize"):
            word += {"macro-prefix-map": "=a=b", "use-ld": "=bfd", "plugin": "=x", "sanitize": "=address",
                     "exec-charset": "=UTF-8", "wide-exec-charset": "=UTF-32",
                     "input-charset": "=latin1"}.get(name, "=3")
        found = flags.find(word)
        out = options.parse([word, "x.c"])
        assert (out.cpp or found[1][2].startswith("ignore ") or name in ("exec-charset", "wide-exec-charset")
                or differs([word])), word


def differs(words):
    """The parser keeps something of the words, or warns, answers or refuses."""
    try:
        mine, plain = vars(options.parse(words + ["x.c"])), vars(options.parse(["x.c"]))
    except Stop:
        return True
    return any(mine[name] != plain[name] for name in plain if name not in ("inputs", "link", "words")) or (
        [w for w in mine["link"] if isinstance(w, str)] != [])


# The driver's rows whose work is another table's: all of -f, -m and -W.
HANDED_ON = {"-f", "-m", "-W"}
EXAMPLES = {"-x": ["-x", "nonsense"], "-fsanitize-": ["-fsanitize-trap=all"],
            "-fno-sanitize-": ["-fno-sanitize-trap=all"],
            "--target": ["--target=aarch64-linux-gnu"], "-target": ["-target", "aarch64-linux-gnu"],
            "-std=": ["-std=c11"], "--std=": ["--std=c11"], "-o": ["-o", "out"], "-g": ["-g"],
            "-fexec-charset=": ["-fexec-charset=latin1"], "-fwide-exec-charset=": ["-fwide-exec-charset=latin1"],
            "--embed-dir": ["--embed-dir=d"], "-MF": ["-MD", "-MF", "d"]}


@pytest.mark.parametrize("row", flags.FLAGS, ids=[row[0].split(" ")[0] + row[1] for row in flags.FLAGS])
def test_a_row_of_the_driver_has_an_effect_or_a_reason(row):
    words_of, shape, action = row[:3]
    if action.startswith("ignore"):
        assert action in ("ignore Same", "ignore Tuning", "ignore Foreign", "ignore Report"), row
        return
    values = row[4] if len(row) > 4 else ""
    value = values.split(" ")[0] if values and values == values.lower() else "1"
    for name in words_of.split(" "):
        if name in HANDED_ON and shape == "*":
            continue
        words = EXAMPLES.get(name) or {"-": [name], ">": [name, value], "=>": [name + "=" + value]}.get(
            shape, [name + value])
        assert flags.find(words[0])[1] == row or name == "-MF", words
        assert differs(words), words
