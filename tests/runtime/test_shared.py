"""Shared libraries of Cilk procedures. A program and its libraries have one runtime; a plugin of a C program has a
runtime of its own. Images that disagree are refused with a message that names them."""

import re

import pytest

from conftest import CILKC, ROOT, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

TREE = """cilk long %(name)s(int n) { long a, b; if (n < 2) return 1; a = spawn %(name)s(n - 1); b = spawn %(name)s(n - 2); sync; return a + b; }
"""
PROGRAM = """#include <stdio.h>
%(declare)s
cilk long mid(int n)
{
  long a, b;
  if (n < 3) { %(leaf)s return a + b; }
  a = spawn mid(n - 1);
  b = spawn mid(n - 2);
  sync;
  return a + b;
}
cilk int main(void)
{
  for (int i = 0; i < 5; i++) { long r; r = spawn mid(12); sync; printf("%%ld\\n", r); }
  return 0;
}
"""
RUNS = (
    ["--nproc", "1"],
    ["--nproc", "2"],
    ["--nproc", "4"],
    ["--nproc", "1", "--force-steal", "always"],
    ["--nproc", "2", "--force-steal", "random"],
)


def library(folder, name, *flags):
    (folder / (name + ".cilk")).write_text(TREE % {"name": name})
    compiled([CILKC, "-O2", "-fPIC", "-shared", *flags, name + ".cilk", "-o", "lib%s.so" % name], cwd=folder)


def program(folder, flags, libraries, leaf):
    declare = "\n".join("extern cilk long %s(int n);" % name for name in libraries)
    (folder / "main.cilk").write_text(PROGRAM % {"declare": declare, "leaf": leaf})
    return command(
        [
            CILKC,
            "-O2",
            *flags,
            "main.cilk",
            "-L.",
            "-Wl,-rpath,$ORIGIN",
            *("-l" + name for name in libraries),
            "-o",
            "main",
        ],
        cwd=folder,
    )


@pytest.mark.sample(8)
@pytest.mark.parametrize("position", [[], ["-fPIC"], ["-no-pie", "-fno-pie"]], ids=["pie", "pic", "static-code"])
@pytest.mark.parametrize("spawn", STRATEGIES)
def test_a_program_and_its_libraries_share_one_runtime(spawn, position, tmp_path):
    flag = "--spawn=" + spawn
    library(tmp_path, "tree", flag)
    library(tmp_path, "bush", flag)
    for names, leaf in (
        (["tree"], "a = spawn tree(10 + n); b = 0; sync;"),
        (["tree", "bush"], "a = spawn tree(9 + n); b = spawn bush(8 + n); sync;"),
    ):
        built = program(tmp_path, [flag, *position], names, leaf)
        assert built.status == 0, str(built)
        def fib(n):
            a, b = 1, 1
            for _ in range(n - 1):
                a, b = b, a + b
            return b
        small = [fib(10 + n) if len(names) == 1 else fib(9 + n) + fib(8 + n) for n in (1, 2)]
        while len(small) < 12:
            small.append(small[-1] + small[-2])
        for options in RUNS:
            result = command(["./main", *options], cwd=tmp_path)
            assert (result.status, result.out) == (0, "%d\n" % small[11] * 5), str(result)


@pytest.mark.parametrize("ours, theirs, words", [
    (["--spawn=lazy"], ["--spawn=eager"], ["--spawn=lazy", "--spawn=eager"]),
    (["--spawn=eager"], ["--spawn=lazy"], ["--spawn=lazy", "--spawn=eager"]),
    (["-cilk-span"], [], ["-cilk-profile -cilk-span", "without ", "-cilk-debug"]),
    ([], ["-cilk-debug"], ["with -cilk-debug", "without ", ", -cilk-debug"]),
])
def test_a_library_compiled_otherwise_is_refused(ours, theirs, words, tmp_path):
    library(tmp_path, "tree", *theirs)
    assert program(tmp_path, ours, ["tree"], "a = spawn tree(9); b = 0; sync;").status == 0
    result = command(["./main", "--nproc", "2"], cwd=tmp_path)
    assert result.status == 1 and result.out == ""
    assert (
        "libtree.so was compiled" in result.err or "but ./libtree.so" in result.err or "libtree.so with" in result.err
    )
    assert "./main" in result.err and "must be compiled alike" in result.err
    for word in words:
        assert word in result.err


PLUGIN = """#include <cilk.h>
cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync; return a + b; }
extern int EXPORT(fib)(CilkContext *const, int);
int plugin_run(int n)
{
  char *argv[] = { "plugin", "--nproc", "2", 0 };
  int argc = 3, r;
  CilkContext *c = Cilk_init(&argc, argv);
  r = EXPORT(fib)(c, n);
  Cilk_terminate(c);
  return r;
}
typedef cilk int procedure(int);
procedure *plugin_procedure(void) { return fib; }
"""
HOST = """#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  void *opened[2];
  for (int i = 0; i < 2; i++) {
    opened[i] = dlopen(argv[1 + i], RTLD_NOW | (argc > 3 ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!opened[i]) { puts(dlerror()); return 1; }
  }
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 2; i++) printf("%d\\n", ((int (*)(int))dlsym(opened[i], "plugin_run"))(18 + i));
  for (int i = 0; i < 2; i++) dlclose(opened[i]);
  for (int round = 0; round < 10; round++) {
    void *h = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!h) { puts(dlerror()); return 1; }
    if (((int (*)(int))dlsym(h, "plugin_run"))(10) != 55) return 2;
    dlclose(h);
  }
  return 0;
}
"""
CILK_HOST = """#include <dlfcn.h>
#include <stdio.h>
typedef cilk int procedure(int);
cilk int main(int argc, char **argv)
{
  void *h = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!h) { puts(dlerror()); return 1; }
  procedure *p = ((procedure *(*)(void))dlsym(h, "plugin_procedure"))();
  for (int i = 0; i < 20; i++) {
    int a, b;
    a = spawn p(16);
    b = spawn p(15);
    sync;
    if (a != 987 || b != 610) { printf("%d %d\\n", a, b); return 2; }
  }
  puts("right");
  return 0;
}
"""


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "plugin.cilk").write_text(PLUGIN)
    (folder / "host.c").write_text(HOST)
    (folder / "host.cilk").write_text(CILK_HOST)
    for spawn in STRATEGIES:
        compiled([CILKC, "-O2", "-fPIC", "-shared", "--spawn=" + spawn, "plugin.cilk", "-o", spawn + ".so"], cwd=folder)
        compiled([CILKC, "-O2", "--spawn=" + spawn, "host.cilk", "-o", "host-" + spawn], cwd=folder)
    compiled(["cp", "lazy.so", "lazy2.so"], cwd=folder)
    compiled(["cc", "host.c", "-o", "host"], cwd=folder)
    return folder


def test_a_library_of_another_version_is_refused(tmp_path):
    """Objects say by which interface they were made."""
    library(tmp_path, "tree")
    assert program(tmp_path, [], ["tree"], "a = spawn tree(9); b = 0; sync;").status == 0
    (tmp_path / "old.c").write_text("""#include "rt/core/abi.h"
static cilk_module old = { .abi_version = CILK_ABI_VERSION - 1, .group = "spawn", .flags = "--spawn=lazy" };
__attribute__((constructor)) static void join(void) { cilk_rt_join(&old); }
""")
    compiled(["gcc", "-shared", "-fPIC", "-I%s" % ROOT, "old.c", "-o", "libold.so"], cwd=tmp_path)
    result = command(["./main"], cwd=tmp_path, env={"LD_PRELOAD": "./libold.so"})
    assert result.status == 1 and result.out == "", str(result)
    assert "libold.so was made by a different version of cilkc from the runtime in this process" in result.err, str(result)


def test_plugins_of_a_c_program_have_their_own_runtimes(plugins):
    for pair in (["./lazy.so", "./lazy2.so"], ["./lazy.so", "./eager.so"], ["./eager.so", "./lazy.so"]):
        result = command(["./host", *pair], cwd=plugins)
        assert (result.status, result.out) == (0, "2584\n4181\n" * 3), str(result)


def test_plugins_in_the_global_scope_share_and_must_agree(plugins):
    result = command(["./host", "./lazy.so", "./lazy2.so", "global"], cwd=plugins)
    assert (result.status, result.out) == (0, "2584\n4181\n" * 3), str(result)
    result = command(["./host", "./lazy.so", "./eager.so", "global"], cwd=plugins)
    assert (
        result.status == 1
        and "./eager.so was compiled with --spawn=eager, but ./lazy.so with --spawn=lazy" in result.err
    )


def test_a_context_of_another_runtime_is_refused(plugins):
    (plugins / "foreign.c").write_text("""#include <dlfcn.h>
int main(void)
{
  void *a = dlopen("./lazy.so", RTLD_NOW | RTLD_LOCAL), *b = dlopen("./lazy2.so", RTLD_NOW | RTLD_LOCAL);
  void *(*init)(int *, char **) = (void *(*)(int *, char **))dlsym(a, "Cilk_init");
  int (*run)(void *, int) = (int (*)(void *, int))dlsym(b, "mt_fib");
  return run(init(0, 0), 3);
}
""")
    compiled(["cc", "foreign.c", "-o", "foreign"], cwd=plugins)
    result = command(["./foreign"], cwd=plugins)
    assert result.status == 1 and "fib was called with a context of another copy of the runtime" in result.err


@pytest.mark.parametrize("spawn", STRATEGIES)
def test_a_cilk_program_spawns_procedures_of_its_plugins(spawn, plugins):
    for options in RUNS:
        result = command(["./host-" + spawn, *options, "./%s.so" % spawn], cwd=plugins)
        assert (result.status, result.out) == (0, "right\n"), str(result)
    other = "lazy" if spawn == "eager" else "eager"
    result = command(["./host-" + spawn, "./%s.so" % other], cwd=plugins)
    assert (
        result.status == 1
        and "./%s.so was compiled with --spawn=%s, but ./host-%s with --spawn=%s" % (other, other, spawn, spawn)
        in result.err
    )


@pytest.mark.parametrize("flag", ["-static", "-static-pie"])
def test_static_programs_start(flag, tmp_path):
    (tmp_path / "main.cilk").write_text("cilk int main(void) { return 5; }\n")
    compiled([CILKC, flag, "main.cilk", "-o", "main"], cwd=tmp_path)
    assert command(["./main"], cwd=tmp_path).status == 5


def test_libraries_export_the_interface_only(plugins):
    names = [
        line.split()[-1].split("@")[0]
        for line in command(["nm", "-D", "--defined-only", plugins / "lazy.so"]).out.splitlines()
    ]
    own = {"fib.fast", "mt_fib", "plugin_run", "plugin_procedure"}
    assert own <= set(names) and "cilk_self" in names
    assert not [
        name for name in names if name not in own and not re.fullmatch(r"cilk_self|(cilk_rt|Cilk|__cilkrts)_\w+", name)
    ]


@pytest.mark.parametrize("host", ["c", "cilk"])
def test_private_variables_of_a_library(host, tmp_path):
    """Worker 0 shares the caller's copy, wherever the variable and the runtime are."""
    (tmp_path / "lib.cilk").write_text(
        "#include <cilk.h>\nprivate int mine;\nvoid set(int n) { mine = n; }\nint get(void) { return mine; }\n"
        "cilk int next(void) { return ++mine; }\nextern int EXPORT(next)(CilkContext *const);\n"
    )
    (tmp_path / "main.c").write_text(
        "#include <stdio.h>\nstruct CilkContext;\nstruct CilkContext *Cilk_init(int *, char **); void Cilk_terminate(struct CilkContext *);\n"
        "void set(int); int get(void); int mt_next(struct CilkContext *);\n"
        "int main(int argc, char **argv) { struct CilkContext *c = Cilk_init(&argc, argv); set(40); int r = mt_next(c);\n"
        'printf("%d %d\\n", r, get()); Cilk_terminate(c); return 0; }\n'
    )
    (tmp_path / "own.cilk").write_text("private int unused_here;\ncilk int some(void) { return unused_here; }\n")
    compiled([CILKC, "-fPIC", "-shared", "lib.cilk", "-o", "libp.so"], cwd=tmp_path)
    compiled(
        [CILKC, "main.c", *(["own.cilk"] if host == "cilk" else []), "-L.", "-lp", "-Wl,-rpath,$ORIGIN", "-o", "main"],
        cwd=tmp_path,
    )
    assert command(["./main", "--nproc", "1"], cwd=tmp_path).out == "41 41\n"


@pytest.mark.parametrize("nproc, again", [("1", "8 8"), ("2", "1 7")])
def test_private_variables_of_a_library_that_was_unloaded(nproc, again, tmp_path):
    """They are left out from then on, and those of the program are shared as before. If the library is loaded again, at
    the same addresses perhaps, its variables are new: the context does not know them. Only a single worker, which is the
    thread that calls, has the same as that thread."""
    (tmp_path / "lib.cilk").write_text(
        "#include <cilk.h>\nprivate int theirs;\nvoid set(int n) { theirs = n; }\nint get(void) { return theirs; }\n"
        "cilk int next(void) { return ++theirs; }\nextern int EXPORT(next)(CilkContext *const);\n"
    )
    (tmp_path / "main.cilk").write_text("""#include <cilk.h>
#include <dlfcn.h>
#include <stdio.h>
private int mine;
cilk int add(void) { return ++mine; }
extern int EXPORT(add)(CilkContext *const);
static void *library;
static void open_it(void) { if (!(library = dlopen("./libp.so", RTLD_NOW))) puts(dlerror()); }
static int next(CilkContext *c) { return ((int (*)(CilkContext *))dlsym(library, "mt_next"))(c); }
int main(int argc, char **argv)
{
    open_it();
    CilkContext *c = Cilk_init(&argc, argv);
    mine = 40;
    printf("%d ", next(c));
    printf("%d ", EXPORT(add)(c));
    int error = dlclose(library), there = dlopen("./libp.so", RTLD_NOW | RTLD_NOLOAD) != NULL;
    printf("%d ", EXPORT(add)(c));
    printf("%d %d %d\\n", mine, error, there);
    open_it();
    ((void (*)(int))dlsym(library, "set"))(7);
    printf("%d ", next(c));
    printf("%d\\n", ((int (*)(void))dlsym(library, "get"))());
    Cilk_terminate(c);
    return 0;
}
""")
    compiled([CILKC, "-fPIC", "-shared", "lib.cilk", "-o", "libp.so"], cwd=tmp_path)
    compiled([CILKC, "main.cilk", "-o", "main"], cwd=tmp_path)
    result = command(["./main", "--nproc", nproc], cwd=tmp_path)
    assert (result.status, result.out) == (0, "1 41 42 42 0 0\n%s\n" % again), str(result)
