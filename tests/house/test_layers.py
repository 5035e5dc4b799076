"""Which file may know of which: the rooms of the compiler and of the runtime are in layers, nothing goes in a circle."""

import ast
import re

import pytest

from conftest import BUILD, ROOT, RT_WINGS, command, in_runtime, runtime_sources
from tree import circles, code, includes, name_of, sources

pytestmark = pytest.mark.tier("check")


# The rooms from the ground up: a file includes headers of its own room, of rooms below it, and nothing else.
LAYERS = """
frontend/support  frontend/types  frontend/source  frontend/ast  frontend/builtins  frontend/flow  frontend/consteval
frontend/parse
frontend/sema/c/core  frontend/sema/c/builtin  frontend/sema/c/decl  frontend/sema/c/init  frontend/sema/c/expr
frontend/sema/c/warn  frontend/sema/c/stmt  frontend/sema/cilk  frontend/sema/cilk1  frontend/sema/opencilk  frontend/sema
frontend/plan  frontend/analysis  frontend/show  frontend/index  frontend/export  frontend/elide
rt/abi  codegen/shim  codegen/core  codegen  codegen/abi  codegen/target  codegen/module
codegen/body  codegen/c  codegen/builtin  codegen/serial  codegen/clones  codegen/cilk1  codegen/events  codegen/output
driver/cilkc1
""".split()
# What looks like a room of the list but is not, by the folder that mentions it.
OUTSIDE = {"frontend": r"llvm", "codegen": r"antlr|Cilk(Lexer|Parser)", "rt": r"frontend/|codegen/|driver/"}


def room(name):
    """The room that a file of the tree belongs to; what the compiler may know of the runtime is a room of its own, on
    the ground."""
    if name.startswith("rt/"):
        return "rt/abi"
    return name.rsplit("/", 1)[0]


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer != "rt/abi"])
def test_a_room_includes_what_is_below_it(layer):
    known = {name_of(path.parent) for path in sources(suffixes=(".h",))}
    assert known <= set(LAYERS), "rooms without a place: %s" % (known - set(LAYERS))
    below = set(LAYERS[:LAYERS.index(layer) + 1]) | {"rt/abi"}
    found = [
        (path, name)
        for path, name in includes(layer)
        if str(path.parent) == layer and name.startswith(("frontend/", "codegen/", "driver/", "rt/"))
    ]
    wrong = ["%s includes %s" % (path, name) for path, name in found if room(name) not in below]
    assert not wrong, "\n".join(wrong)


def test_compiler_and_runtime_meet_at_the_contract():
    """The compiler includes the contract and nothing else of the runtime; the contract includes only itself. So neither
    side is above the other."""
    contract = {
        str(path.relative_to(ROOT))
        for name in ("abi.h", "abi.def", "abi_tags.def", "library.def", "cilk1.h")
        for path in (ROOT / "rt").rglob(name)
    }
    seen = {name for _, name in includes() if name.startswith("rt/")}
    assert len(seen) > 5 and seen <= contract
    inside = {
        (name, other)
        for name in contract
        for other in re.findall(r'^#\s*include\s+"(.*)"', (ROOT / name).read_text(), re.M)
    }
    assert {
        str((ROOT / name).parent.relative_to(ROOT) / other) if "/" not in other else other for name, other in inside
    } <= contract


@pytest.mark.parametrize("top", sorted(OUTSIDE))
def test_no_include_goes_back(top):
    found = list(includes(top))
    assert found, "no file of %s includes anything" % top
    wrong = ["%s includes %s" % pair for pair in found if re.match(OUTSIDE[top], pair[1])]
    assert not wrong, "\n".join(wrong)


def test_the_shim_alone_includes_llvms_classes():
    """All other files of codegen use the C API."""
    users = {str(path) for path, name in includes("codegen") if name.startswith("llvm/")}
    assert users and all(re.fullmatch(r"codegen/shim/\w+\.cpp", name) for name in users), users


def test_no_circle_of_includes():
    """No file reaches itself through what it includes, in the compiler and in the runtime."""
    graph = {}
    for path, name in [*includes(), *includes("rt")]:
        graph.setdefault(str(path), set()).add(name if (ROOT / name).exists() else str(path.parent / name))
    assert graph and not circles(graph), circles(graph)


# The command's folders from the ground up. The launcher hands `commands` to the base, which imports none of it.
PYTHON = ("cilkc_driver", "tools", "grade", "lsp", "play", "prove", "commands")


def imports():
    """{module of the command: the modules that it imports}, imports inside of functions included."""
    paths = {".".join(path.relative_to(ROOT / "driver").with_suffix("").parts): path
             for folder in PYTHON for path in (ROOT / "driver" / folder).glob("*.py")}
    graph = {}
    for module, path in paths.items():
        found = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                where = ".".join(filter(None, [path.parent.name if node.level else "", node.module]))
                found |= {where} | {where + "." + name.name for name in node.names}
        graph[module] = found & set(paths)
    return graph


def test_the_commands_folders_are_in_layers():
    folders = {path.parent.name for path in (ROOT / "driver").glob("*/__init__.py")}
    assert folders == set(PYTHON), folders ^ set(PYTHON)
    arrows = {(a, b) for a, names in imports().items() for b in names}
    up = [pair for pair in sorted(arrows) if PYTHON.index(pair[0].split(".")[0]) < PYTHON.index(pair[1].split(".")[0])]
    assert len(arrows) > 200 and not up, up


def test_no_circle_of_imports():
    graph = imports()
    assert not circles(graph), circles(graph)


def test_the_runtimes_numbers_reach_the_front_end_in_one_place():
    """The closure's header and the unit of the runtime's memory, for the layout in the plan of the clones."""
    assert {str(path) for path, name in includes("frontend") if name.startswith("rt/")} == {"frontend/plan/layout.cpp"}


RUNTIME = re.findall(
    r"^\| `(\w+)/?` \|", (ROOT / "rt" / "README.md").read_text().split("## Rooms")[1].split("\n## ")[0], re.M
)


def unit(path):
    """A file of the runtime without its suffix: a .c file and its header are one. These folders are one each."""
    room = path.parent.name
    return room + "/" if room in ("arch", "sched", "cilk1", "dist") else in_runtime(path.with_suffix(""))


def runtime_arrows():
    """(a unit of the runtime, a unit whose header it includes)"""
    arrows = set()
    for path in runtime_sources():
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(), re.M):
            target = next((folder / name for folder in (path.parent, *RT_WINGS) if (folder / name).exists()), None)
            if target and target.suffix == ".h" and target.parent not in RT_WINGS and unit(target) != unit(path):
                arrows.add((unit(path), unit(target)))
    return arrows


def test_the_runtimes_rooms_are_in_layers():
    """The table of rt/README.md has every room, from the ground up. A file includes headers of its own room and of
    rooms before it."""
    folders = {path.parent.name for path in runtime_sources()}
    assert folders == set(RUNTIME) and len(RUNTIME) > 10
    level = {name: number for number, name in enumerate(RUNTIME)}
    arrows = runtime_arrows()
    assert len(arrows) > 200
    assert [(a, b) for a, b in sorted(arrows) if level[a.split("/")[0]] < level[b.split("/")[0]]] == []


def test_the_runtimes_files_include_one_another_in_no_circle():
    graph = {}
    for one, other in runtime_arrows():
        graph.setdefault(one, set()).add(other)
    assert not circles(graph), circles(graph)


def test_the_protocols_name_no_observer():
    """They have one hook for a step. Its row in rt/core/observe/hooks.def says which observers hear of it."""
    rows = re.findall(r"^CILK_HOOK_ROW\((\w+),", (ROOT / "rt/core/observe/hooks.def").read_text(), re.M)
    used = set()
    for path in runtime_sources():
        text = code(path)
        used.update(re.findall(r"\bCILK_HOOK\((\w+), [^.]", text))
        if path.parent.name in ("protocol", "steal", "views") and path.name != "exit.c" or path.name == "schedule.c":
            named = re.findall(
                r'"(?:observe/(?!hook)\w+|data/step|replay/\w+)\.h"|\bCILK_EVENT\(|\bcilk_(?:count|count_n|point|step_\w+|span_\w+)\(',
                text,
            )
            assert named == [], "%s: %s" % (path, named)
    assert len(rows) > 50 and set(rows) == used


def calls_between(objects, kinds="TWDBRVC"):
    """{unit: units that have what the linker finds for it}. objects: {object file: its unit}. kinds: nm's letters."""
    has, wants = {}, {}
    for line in command(["nm", "-A", *objects]).out.splitlines():
        name, _, rest = line.partition(":")
        unit_of_it = objects[name]
        kind, symbol = rest.split()[-2:]
        if kind == "U":
            wants.setdefault(unit_of_it, set()).add(symbol)
        elif kind in kinds and has.get(symbol) != "data/slots":       # they stand between the core and an extension
            has[symbol] = unit_of_it
    return {name: {has[symbol] for symbol in symbols if symbol in has} - {name} for name, symbols in wants.items()}


def unit_of_calls(path):
    room = path.parent.name
    return room + "/" if room in ("cilk1", "dist") else in_runtime(path.with_suffix(""))


def test_the_runtimes_files_call_one_another_in_small_circles():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {frozenset("bc")}
    objects = {BUILD / "rt/release" / (str(path.relative_to(ROOT / "rt")) + ".o"): path for path in runtime_sources(".c")}
    # Some do not exist: they are libraries of their own.
    graph = calls_between({str(name): unit_of_calls(path) for name, path in objects.items() if name.exists()})
    assert len(graph) > 80 and "data/places" in graph["protocol/deliver"]
    large = [sorted(group) for group in circles(graph) if len(group) > 3]
    assert not large, large


def test_cs_rules_know_cilks_by_their_hooks_alone():
    """They include no file of Cilk's rooms, and need nothing of them to link: frontend/sema/c/core/hooks.h has the calls
    that Cilk's rules override."""
    inside = [name for _, name in includes("frontend/sema/c") if name.startswith("frontend/sema/")]
    assert len(inside) > 30 and [name for name in inside if not name.startswith("frontend/sema/c/")] == []
    sides = {
        str(path): "c" if "/sema/c/" in str(path) else "cilk"
        for path in (BUILD / "obj/frontend/sema").rglob("*.o")
        if (ROOT / path.parent.relative_to(BUILD / "obj")).is_dir()
    }
    graph = calls_between(sides, kinds="TDRB")
    assert graph == {"c": set(), "cilk": {"c"}}


# The race detector's shadow, cells, histories and bags ask each other at each access.
@pytest.mark.parametrize("tool, most", [("race", 11), ("profile", 7), ("memory", 4)])
def test_the_files_of_a_tools_library_call_one_another_in_circles_of_a_known_size(tool, most):
    objects = {str(path): path.name.split(".")[0] for path in (BUILD / "rt" / "tools" / tool).glob("*.o")}
    graph = calls_between(objects, kinds="TW")
    sizes = {len(group) for group in circles(graph)}
    assert len(graph) > 3 and max(sizes) <= most, [sorted(group) for group in circles(graph)]
