"""What is done in one place only, and what a kind of file may not do."""

import re

import pytest

from cilkc_driver import flags
from conftest import ROOT, in_runtime, runtime_sources
from tree import STRING, code, name_of, sources, users

pytestmark = pytest.mark.tier("check")


def stages(header):
    """The classes of a header that are made of stages, by name."""
    return dict(
        re.findall(r"^(?:struct|class) (\w+) : (?:Body|Cilk)?Stage \{\n(.*?)^\};", (ROOT / header).read_text(), re.M | re.S)
    )


def test_a_stage_of_the_analysis_has_no_state():
    """What stages share is in one place; none has state of its own."""
    found = stages("frontend/sema/c/core/sema.h") | stages("frontend/sema/cilk/rules.h")
    assert len(found) > 10 and found.pop("CilkStage")  # what they are made of
    for name, body in found.items():
        lines = [
            line for line in re.sub(r"\n {6,}", " ", re.sub(r"//.*", "", body)).split("\n") if line.strip() and "Stage::" not in line
        ]
        assert all(re.search(r"\w+\(.*\).*;", line) for line in lines), "%s has more than methods" % name


def test_state_of_a_stage_of_the_code_is_its_own():
    """The stages that emit a body reach each other by methods."""
    found = stages("codegen/core/stages.h")
    assert len(found) > 15
    for name, body in found.items():
        shared, _, own = body.partition("\nprivate:\n")
        shared = re.sub(r"//.*|^  (?:struct|using) .*?^  \};|\{[^{}\n]*\}", "", shared, flags=re.M | re.S)
        assert not re.findall(r"^  [\w:<>, *&]+ \w+(?:\[[^]]*\])*(?: = .*)?;$", shared, re.M), (
            "%s shares its state" % name
        )


@pytest.mark.parametrize("room, never", [
    *(("frontend/" + room, r"const_cast|LLVM[A-Z]\w+\(") for room in ("flow", "plan", "analysis", "show", "elide")),
    ("codegen", r"const_cast<(?:const )?(?!Value\b)"),
])
def test_the_tree_is_only_read(room, never):
    """Graphs, plans, warnings, what is shown and the code are functions of the tree: what they find out is in tables of
    their own."""
    assert sources(room) and not users(never, room)


@pytest.mark.parametrize("what, where", [
    (r"std::rename\s*\(", "frontend/support/output.cpp"),                      # a result gets its name in one place
    (r"install_fatal_error_handler|InstallFatalErrorHandler", "codegen/shim/shim.cpp"),
    (r"\b_?exit\s*\(", "driver/cilkc1/"),
])
def test_done_in_one_place(what, where):
    found = users(what, without="//.*|" + STRING)
    assert found and all(name.startswith(where) for name in found), found


def test_user_errors_are_reported_before_any_code_is_made():
    """What codegen reports comes from LLVM and the file system: emit.cpp and link.cpp pass it on. And a builtin of a
    processor that LLVM has no code for is found where the code is made."""
    own = {"codegen/output/emit.cpp", "codegen/output/link.cpp", "codegen/target/ia32_builtin.cpp"}
    assert users(r"report\s*\(\s*(error|diag)\b", "codegen") == own


TARGETS = re.findall(r"^TARGET\((\w+)\)", (ROOT / "frontend/types/targets.def").read_text(), re.M)


def test_a_target_is_known_in_its_own_files_only():
    """No other file tests which target it is, by its object's name or by a word."""
    names = re.compile(r"x86(?!FP80)|ia32|amd64|arm64|" + "|".join(TARGETS), re.I)
    own = ["codegen/target/", "codegen/abi/"] + ["frontend/types/%s.cpp" % name for name in TARGETS]
    found = sorted(name for name in users(names) if not name.startswith(tuple(own)))
    assert TARGETS and not found, found


RUNTIMES_DATA = {
    "codegen/body/memory.cpp": "where they are",
    "codegen/core/builder.h": "their declarations",
    "codegen/clones/ops.cpp": "the worker, the deque, the flag of releases: with the orders of the protocol",
    "codegen/events/units.cpp": "what a mode has counted in this function",
    "codegen/events/count.cpp": "the same by lines, and the records of lines in the runtime",
}


def test_memory_is_read_and_written_in_one_file():
    """So that instrumentation of memory has one hook. What belongs to the runtime has functions of its own, and these
    users."""
    access = r"LLVMBuild(Load2?|Store|MemCpy|MemMove|MemSet|AtomicRMW\w*|AtomicCmpXchg\w*)\b"
    assert users(access, "codegen") == {"codegen/body/memory.cpp"}
    assert users(r"\bruntime(Load|Store|Exchange)\(", "codegen") == set(RUNTIMES_DATA)


def compared_builtins(text, known):
    """The words in which a text is compared with names of builtins, or with how they begin."""
    text = re.sub("//.*", "", text)
    whole = re.findall(r'(?:[!=]= |\b[fF]amily\((?:n, )?|\bisFamily\()"(\w+)"', text)
    begin = re.findall(r'\.starts_with\("(\w+)"\)', text)
    return sorted({word for word in whole if word in known} | {
        word for word in begin if any(name.startswith(word) for name in known) and len(word) > 2 and word != "cilk_"
    })


def test_a_builtin_is_known_by_its_id():
    """Whoever asks which builtin it is compares ids: a misspelt name would compile, and be found nowhere. The names of
    x86's follow a grammar; Ia32Name holds them against the table when the compiler is built."""
    tables = [(ROOT / "frontend/builtins" / name).read_text() for name in ("builtins.def", "atomics.def")]
    rows = re.findall(r"^(?:BUILTIN\w*|ATOMIC)\((.*?)\)", "\n".join(tables), re.M)
    known = {word for row in rows for word in re.findall(r"^(?:\w+, )?(\w+)|^(\w+)", row)[0] if word}
    known |= {"__sync_", "__atomic_", "__c11_"}
    assert len(known) > 300 and {"load_n", "clzg", "strlen", "fabs"} <= known
    examples = {'op == "load_n"': ["load_n"], 'isFamily("nans")': ["nans"], 'x.starts_with("__sync_")': ["__sync_"]}
    assert {text: compared_builtins(text, known) for text in examples} == examples
    found = {
        name_of(path): words
        for path in sources("codegen", "frontend/consteval", "frontend/sema/builtin")
        if not path.name.startswith("ia32") and path.parent.name != "output"  # features of processors
        for words in [compared_builtins(path.read_text(), known)]
        if words
    }
    assert not found, found
    assert "consteval Ia32Name" in (ROOT / "codegen/target/ia32.h").read_text()
    assert not users(r'\bn\s*[!=]=\s*"(?!\w+" \+ )|\bn\.starts_with\("', "codegen/target")


@pytest.mark.parametrize("table", ["strategies", "modes"])
def test_no_code_asks_which_strategy_or_mode_it_is(table):
    """What differs is a property in the table, or is made by its factory."""
    rows = re.findall(r"^(STRATEGY|MODE)\((\w+),", (ROOT / "frontend/plan" / (table + ".def")).read_text(), re.M)
    assert rows
    word = r"\b(?:SpawnStrategy|Mode)::(?:%s)\b" % "|".join(name for _, name in rows)
    assert users(word, "frontend", "codegen") <= {"codegen/core/options.h"}                # a default


# Files that list strategies themselves, and why. All others ask the table (STRATEGIES), so a new row is in them.
OWN_STRATEGIES = {
    "bench/lines.py": "its programs have clones by hand",
    "bench/tm580.py": "the memo's strategies, and those to compare them with",
    "bench/tm580_report.py": "the same",
    "tests/dist/soak.py": "one that pushes and one that releases",
    "tests/runtime/test_rt.py": "its programs have clones by hand (tests/rt/clones.h)",
    "tests/runtime/test_trace.py": "the same",
    "tests/travel/soak.py": "one that pushes and one that releases",
}


def test_no_list_of_strategies_is_written_by_hand():
    names = "|".join(re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M))
    pair = r"""(["'])(?:%s)\1,\s*(["'])(?:%s)\2""" % (names, names)
    listed = users(pair, "driver", "bench", "tests", suffixes=(".py",), without="(?!)")
    assert listed == set(OWN_STRATEGIES), listed ^ set(OWN_STRATEGIES)


def test_the_strategies_that_the_runtime_numbers_come_first_in_the_table():
    """A record has the number (rt/extensions/replay/record.h), and tools take the name from the table."""
    names = re.findall(r'^STRATEGY\(\w+, "(\w+)"', (ROOT / "frontend/plan/strategies.def").read_text(), re.M)
    numbered = re.findall(r"CILK_SPAWNING_(\w+)", (ROOT / "rt/core/base/module.h").read_text())
    assert [name.lower() for name in numbered] == names[: len(numbered)] and len(numbered) > 1


def test_the_drivers_default_strategy_is_the_compilers():
    default, = re.findall(r"codegen\.spawn = SpawnStrategy::(\w+);", (ROOT / "driver/cilkc1/options.cpp").read_text())
    assert default.lower() == flags.DEFAULT_STRATEGY


READS_TEXT = r"\b(?:sources\(\)|sources|sm)\.(?:text|originalLine|originalText)\(|\bRawLexer\b"


def test_no_text_is_searched_after_the_parser():
    """What the text says is in the tree, or a question of frontend/source. elide edits the user's text, show cuts out
    of it what it prints: no others read it."""
    allowed = ("frontend/source/", "frontend/parse/", "frontend/elide/")
    found = [
        "%s: %s" % (name_of(path), line.strip())
        for path in sources()
        if not name_of(path).startswith(allowed)
        for line in re.sub(r"//.*", "", path.read_text()).split("\n")
        if re.search(READS_TEXT, line)
    ]
    assert found == ["frontend/show/text.cpp: std::string_view text = sources.text();"], "\n".join(found)


def test_the_diagnostic_engine_reads_pragmas_only():
    """Pragmas and the lexer say which warnings are wanted at a place: verdicts and reports do not look around in the
    text."""
    pragmas, _, rest = (ROOT / "frontend/source/diagnostics.cpp").read_text().partition("// ---- verdicts")
    assert rest and re.search(READS_TEXT, pragmas) and not re.search(READS_TEXT, rest)


def test_the_state_of_a_closure_changes_in_one_place():
    """The pool keeps ATTACHED in free memory; the front of a delivery reads. PROTOCOLS.md has the same list."""
    stores = re.compile(r"(?:&\w+(?:->\w+)*->state,|->state =(?!=)|\.state =(?!=)) *(?:CILK_[A-Z]+\b|state\b|to\b)")
    found = {
        in_runtime(path)
        for path in runtime_sources()
        for line in code(path).split("\n")
        if stores.search(line) and "FUTURE" not in line
    }
    assert found - {"replay/places.c"} == {"data/closure.h", "data/pool.c"}
    rows = re.findall(
        r'^CILK_TRANSITION\((\w+), +(\w+), +"(.*)"\)$', (ROOT / "rt/core/data/states.def").read_text(), re.M
    )
    text = (ROOT / "rt/PROTOCOLS.md").read_text()
    quoted = re.findall(r"^\| ([A-Z]+) \| ([A-Z]+) \| (.*) \|$", text, re.M)
    assert len(rows) > 15 and quoted == rows


@pytest.mark.parametrize("what, where", [
    (r"\bclock_gettime\b|\bgettimeofday\b|rdtsc|cntvct|\btime\s*\(\s*(?:NULL|0)\s*\)|\bclock\s*\(\s*\)", {"data/policy.c"}),
    (r"\bs?random\s*\(|\bd?rand(?:48)?(?:_r)?\s*\(|getrandom|next_random", {"data/policy.c"}),
    (r"membarrier", {"steal/barrier.c"}),
    (r"__(?:x86_64|aarch64|i386)__", {"arch/arch.h"}),
    (r"\bexit\s*\(|\b_exit\s*\(|\babort\s*\(\s*\)", {"base/crash.c", "base/message.c", "schedule/stackguard.c", "replay/outcome.c", "dist/courier.c", "travel/courier.c"}),
], ids=["clocks", "chance", "the-fence", "processors", "the-end"])
def test_the_runtime_does_it_in_one_place(what, where):
    """Comments and strings do not count; each place does it."""
    found = set()
    for path in runtime_sources():
        if path.name in ("mpi.c", "local.c"):              # transports know nothing of the runtime
            continue
        text = re.sub("//[^\n]*|" + STRING, "", code(path))
        if re.search(what, text):
            found.add(in_runtime(path))
    assert found == where


def test_the_courier_alone_calls_the_transport():
    """After the start; to wake it is for all threads."""
    calls = {
        (path.name, what)
        for path in (ROOT / "rt/extensions/dist").glob("*.c")
        for what in re.findall(r"\bcilk_the_transport\.(\w+)\(", code(path))
    }
    others = {what for name, what in calls if name != "courier.c"}
    assert ("main.c", "launch") in calls and ("courier.c", "poll") in calls and others == {"launch", "wake"}


def test_the_runtime_declares_in_headers():
    """No .c file says what another one has; what the linker and the C library make has no header."""
    for path in runtime_sources():
        if path.suffix == ".c":
            assert not re.search(
                r"^\s*extern\b(?!.*\b(?:__lsan_ignore_object|__\w+_cilk_private|__dso_handle|SYMBOL)\b)",
                path.read_text(),
                re.M,
            ), path.name


KINDS = re.findall(r"^(EXPR|STMT)\((\w+)", (ROOT / "frontend/ast/nodes.def").read_text(), re.M)


def forgetful_switches(text, what="Stmt"):
    """Switches through the kinds of statements, or of expressions, that end in `default`: [(line, kinds named)]. Inner
    switches are cut out of outer ones."""
    found: "list[tuple[int, str]]" = []
    stack: "list[list]" = []  # where it begins, braces that are open, kinds, whether it has a default
    for token in re.finditer(
        r"\bswitch\b|[{}]|case %sKind::\w+|\bdefault:(?!\s*(?:return )?otherKinds<)|;" % what,
        re.sub(STRING + r"|//[^\n]*", lambda m: " " * len(m.group()), text),
    ):
        word = token.group()
        if word == "switch":
            opening = token.start()
            stack.append([opening, 0, set(), False])
        elif stack and word == "{":
            stack[-1][1] += 1
        elif stack and word == "}":
            stack[-1][1] -= 1
            if stack[-1][1] <= 0:
                start, _, kinds, default = stack.pop()
                if default and len(kinds) >= (3 if what == "Stmt" else 1):
                    found.append((text.count("\n", 0, start) + 1, " ".join(sorted(kinds))))
        elif stack and word.startswith("case"):
            stack[-1][2].add(word.split("::")[1])
        elif stack and word == "default:":
            stack[-1][3] = True
    return found


# Questions to which a kind that they do not know has a cautious answer.
CAUTIOUS = {
    ("codegen/cilk1/thread_paths.cpp", "Compound If Label Send Thread"): "what ends in another statement keeps its closure",
    ("frontend/plan/prefix.cpp", "Case Compound Default If Return"): "another statement may go on after itself",
    ("frontend/plan/prefix.cpp", "Compound Decl Function If Null Switch"): "the prefix ends before another statement",
}


def test_a_switch_over_statements_names_them_all():
    """A walk uses frontend/ast/visit.h, or is a switch without `default`, in which a new kind of statement cannot be
    forgotten (-Werror=switch)."""
    example = "switch (s->kind) {%s default: return; }" % "".join(
        " case StmtKind::%s: { f(); break; }" % name for kind, name in KINDS[-3:]
    )
    assert forgetful_switches(example) and not forgetful_switches(example.replace("default", "case StmtKind::X"))
    assert "-Werror=switch" in (ROOT / "Makefile").read_text()
    found = {
        (name_of(path), kinds): "%s:%d" % (name_of(path), line)
        for path in sources("frontend", "codegen", "driver", "tests")
        for line, kinds in forgetful_switches(path.read_text(errors="replace"))
    }
    assert found.keys() == CAUTIOUS.keys(), found


def test_a_default_says_for_which_kinds_of_expressions_it_was_written():
    """otherKinds (frontend/ast/expr.h) does not compile after a new row of nodes.def until each `default` has been
    looked at. The codes of codegen have rules of their own."""
    example = "switch (e->kind) { case ExprKind::Call: return f(); default: return otherKinds<34>(false); }"
    assert forgetful_switches(example.replace("otherKinds<34>(false)", "false"), "Expr")
    assert not forgetful_switches(example, "Expr")
    assert len(users(r"\botherKinds<\d+>", "frontend")) > 15
    found = [
        "%s:%d" % (name_of(path), line)
        for path in sources("frontend")
        for line, _ in forgetful_switches(path.read_text(), "Expr")
    ]
    assert not found, found


# A comment line that parts a declaration: after a type, a name or a `=`. Or that ends a list, and goes on from above.
TORN = re.compile(
    r"^ *(?!//|#|(?:public|private|else|do|return|try)\b)[\w:<>,* &]*[\w>*&=](?: *\n *//.*)+\n *(?!//)[\w*&]+(?: =.*)?[;,]$"
    r"|^ *\w+\n *// [a-z].*\n\};",
    re.M,
)


def test_no_comment_is_torn():
    """A comment stands above what it describes, or behind it in the same line."""
    assert TORN.search("  Register,\n  // a slot in both clones: arrays,\n  Closure\n  // that are live at many points\n};")
    assert TORN.search("  std::vector<const VarDecl *>\n      // what the fast clone saves here\n      save;")
    assert TORN.search("  FunctionDecl *procedure =\n      // what C calls\n      nullptr;")
    assert not TORN.search("  // what C calls\n  FunctionDecl *procedure = nullptr;\n};")
    found = []
    for path in sources("frontend", "codegen", "driver", "rt", suffixes=(".cpp", ".h", ".def", ".c")):
        text = path.read_text()
        found += ["%s:%d" % (name_of(path), text.count("\n", 0, m.start()) + 1) for m in TORN.finditer(text)]
    assert not found, found


def test_no_expression_is_a_spawn_after_sema():
    """Spawn nodes are the parser's and sema's; everyone else reads SpawnStmt. Lists of kinds that name Spawn among
    those that cannot come are no use of it."""
    found = users(r"as<Spawn>|\bSpawn \*|[!=]= ExprKind::Spawn\b", "frontend", "codegen", suffixes=(".cpp",))
    assert found and all(name.startswith(("frontend/ast/", "frontend/parse/", "frontend/sema/")) for name in found)


@pytest.mark.parametrize("what", [
    r"while \((?:\w+ && )?\(?(\w+)->kind == ExprKind::Paren\)? \1 = ",                                # ignoreParens
    r"\b(\S+) == UnaryOp::PreInc \|\| \1 == UnaryOp::PreDec \|\|",                                       # isIncDec
    r'"\*", "/", "%", "\+"',                                                                         # spelling
    r"std::string decimal\(",
])
def test_questions_about_the_tree_are_answered_in_ast(what):
    assert users(what, "frontend", "codegen", suffixes=(".cpp",)) <= {"frontend/ast/query.cpp"}
