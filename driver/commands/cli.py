"""The click commands of `cilkc`: run, profile, check, elide, emit, explain, doctor, bench, completion, help.

Each command prepares words and hands them to compile.py. Compiler-shaped calls use compile.py, too, so both ways of
calling accept the same flags.  Exit status: 0, 1 (errors in the program), 2 (wrong usage); for `run` the program's
own, or 125 when it was not run.
"""

import os
import sys

import click

from cilkc_driver import answers, compile as compiler, console, home, options as opts, run as runs
from cilkc_driver.console import Stop
from tools.agreed import BURDEN

from . import completing, courses, usage
from .passing import HELP, Passing, PassingAll

# Flags that every command which reads sources passes on as they are.
SOURCES = dict(ignore_unknown_options=True, allow_interspersed_args=True)

# Sections of the help: the tools that run the program to see what it does, and the commands about cilkc itself.
SECTIONS = (
    ("Commands", ("build", "run", "check", "elide", "emit")),
    ("See the parallelism",
     ("race", "prove", "profile", "trace", "dag", "memory", "simulate", "speedup", "see", "step", "explore", "debug")),
    ("Schedulers of your own", ("sched-test",)),
    ("Courses", ("grade",)),
    ("Editors", ("lsp", "dap", "play")),
    ("About cilkc", ("explain", "doctor", "bench", "completion", "help")),
)
STAGES = ["tokens", "tree", "ast", "ir", "asm", "plan", "clones", "closures", "threads"]

def stop_with(stop):
    if stop.message is not None:
        console.message(stop.kind, stop.message)
    raise SystemExit(stop.status)


class Group(click.Group):
    """Adds a guess to the message about a command that does not exist; an interrupt ends without click's word for
    it."""

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise SystemExit(130)

    def format_commands(self, ctx, formatter):
        """In sections: what is not named in one is under the first."""
        named = [name for _, names in SECTIONS for name in names]
        for title, names in SECTIONS:
            rows = [(name, self.commands[name].get_short_help_str(90)) for name in self.commands
                    if name in names or (title == SECTIONS[0][0] and name not in named)]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx, incomplete):
        return completing.files(ctx, None, incomplete) + super().shell_complete(ctx, incomplete)

    def resolve_command(self, ctx, args):
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            name = args[0] if args else ""
            close = nearest(name, self.list_commands(ctx))
            if os.path.splitext(name)[1]:
                error.message = "%s: No such file or directory" % name
            elif close:
                error.message = "no such command '%s'; did you mean '%s'?" % (name, close)
            else:
                error.message = "no such command or file '%s'" % name
            raise


def nearest(word, candidates):
    import difflib
    found = difflib.get_close_matches(word, candidates, n=1, cutoff=0.5)
    return found[0] if found else None


def print_version(ctx, param, value):
    if value and not ctx.resilient_parsing:
        click.echo(answers.version_text(), nl=False)
        ctx.exit()


@click.group(cls=Group, help=usage.MAIN_HELP, invoke_without_command=True, context_settings=dict(
    help_option_names=["-h", "--help"], max_content_width=110))
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version,
              help="Print the version and exit.")
@click.pass_context
def cilkc(ctx):
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(2)


class BuildCommand(click.Command):
    """`build` explains its flags itself; compile.py parses them."""

    def format_help(self, ctx, formatter):
        formatter.write(usage.BUILD_USAGE + usage.flags_help())

    def shell_complete(self, ctx, incomplete):
        return completing.flags(incomplete) if incomplete.startswith("-") else super().shell_complete(ctx, incomplete)


@cilkc.command(cls=BuildCommand, context_settings=dict(ignore_unknown_options=True, **HELP),
               short_help="Compile and link Cilk and C files.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, shell_complete=completing.files)
def build(words):
    raise SystemExit(compiler.main(list(words)))


@cilkc.command(cls=PassingAll, context_settings=dict(ignore_unknown_options=True, allow_interspersed_args=False, **HELP),
               short_help="Compile a program and run it at once.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE [--] [ARGS]...",
                shell_complete=completing.files)
def run(words):
    """Compile FILE and run it with ARGS; the exit status is the program's, or 125 when it could not be run.

    FLAGS are those of `build`, before FILE (-O2 unless another level is given).  What follows FILE goes to the
    program, Cilk's own options first: cilkc run fib.cilk -- --nproc 2 30
    """
    raise SystemExit(runs.main(list(words)))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="How parallel a program is, and what limits it.")
@click.option("--json", is_flag=True, help="Print JSON; what the program prints goes to stderr.")
@click.option("--csv", is_flag=True, help="Print CSV; what the program prints goes to stderr.")
@click.option("-o", "output", metavar="FILE", multiple=True, help="FILE.html: the page; FILE.svg: the flame graph; FILE.json, FILE.csv. May be repeated.")
@click.option("-P", "--nproc", type=click.IntRange(1, 4096), metavar="P", help="Judge for P workers (default: the processors of this machine).")
@click.option("--burden", type=click.IntRange(0, 10**12), default=BURDEN, show_default=True, metavar="N", help="Instructions that a steal costs.")
@click.option("--root", metavar="PROC", help="Also show work, span and parallelism of this procedure with all that it spawns.")
@click.option("--top", type=click.IntRange(1, 100000), metavar="N", help="How many rows a table has.")
@click.option("--svg", type=click.Path(), metavar="FILE", help="Write the flame graph of the spawn tree.")
@click.option("--html", type=click.Path(), metavar="FILE", help="Write a page with all of it.")
@click.option("--sweep", is_flag=True, help="Also run in parallel on 1 to P workers, for the speedup.")
@click.option("--sweep-svg", type=click.Path(), metavar="FILE", help="Write the plot of that.")
@click.option("--what-if/--no-what-if", default=True, help="Compute the parallelism if the heaviest lines were free (two more runs).")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def profile(words, **settings):
    """Run the program and report its work, span and parallelism: for all of it, per procedure, per spawn and per line.

    Work is the number of instructions on one worker. Span is the longest chain of instructions that depend on each
    other, which no number of workers shortens. Both are counted, not timed: they are the same each time. The
    program runs serially, two to four times with the same input; its output is shown once. FLAGS are those of
    `build` (-O2 unless another level is given). The exit status is the program's, or 125 when it could not be run.
    """
    if settings["json"] and settings["csv"]:
        raise click.UsageError("--json and --csv exclude each other.")
    if settings["sweep_svg"] and not settings["sweep"]:
        raise click.UsageError("--sweep-svg needs --sweep.")
    from tools import profile as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="What each worker did when: a timeline of a parallel run.")
@click.option("-o", "output", metavar="FILE", help="FILE.html: a page (default NAME.trace.html); FILE.json: for Perfetto.")
@click.option("--html", type=click.Path(), metavar="FILE", help="Write the page to FILE.")
@click.option("--perfetto", metavar="FILE.json", help="Write a trace for Perfetto or chrome://tracing, in place of the page unless -o or --html names one.")
@click.option("--json", is_flag=True, help="Print the summary as JSON; what the program prints goes to stderr.")
@click.option("-P", "--nproc", type=click.IntRange(1, 1024), metavar="P", help="Run on P workers (default: as the program does).")
@click.option("--limit", type=click.FloatRange(0.05, 10000), default=50, show_default=True, metavar="MB", help="Files are thinned to stay below this.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def trace(words, **settings):
    """Run the program in parallel and show for each worker what it ran, its victims, when it looked for work or slept.

    The program runs once. Its output is followed by a summary and the name of the file that was made. FLAGS are
    those of `build` (-O2 unless another level is given). The exit status is the program's, or 125 when it could not
    be run; what a program did before a crash is shown.
    """
    from tools import trace as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Draw the spawn dag, with its critical path.")
@click.option("-o", "output", metavar="FILE", multiple=True, help="FILE.svg, FILE.dot, FILE.html or FILE.json; may be repeated (default: NAME.dag.svg).")
@click.option("--html", type=click.Path(), metavar="FILE", help="Write a page to FILE, in which boxes open.")
@click.option("--json", is_flag=True, help="Print the dag as JSON; what the program prints goes to stderr.")
@click.option("--root", metavar="PROC", help="Draw the instance of this procedure that has the most work, and what it spawns.")
@click.option("--strands", type=click.IntRange(1, 20000), default=80, show_default=True, metavar="N", help="How many strands a picture has at most.")
@click.option("--depth", type=click.IntRange(1, 10000), metavar="N", help="Open no more than N levels of procedures.")
@click.option("--limit", type=click.FloatRange(0.05, 1000), default=5, show_default=True, metavar="MB", help="A page is kept below this.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def dag(words, **settings):
    """Run the program and draw its spawn dag: procedures as boxes, strands as circles, the critical path in red, with
    work and span.

    The program runs once, serially. The instructions are those that `cilkc profile` counts. A large dag is drawn in
    part: boxes with the most work are open, the others say what is in them, and a page (--html FILE) opens them.
    FLAGS are those of `build` (-O2 unless another level is given). The exit status is the program's, or 125 when it
    could not be run.
    """
    from tools import dag as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="How much memory it may need on P workers, over all schedules.")
@click.option("--json", is_flag=True, help="Print JSON; what the program prints goes to stderr.")
@click.option("-o", "output", metavar="FILE", multiple=True, help="FILE.html: the page; FILE.svg: the plot; FILE.json. May be repeated.")
@click.option("-P", "--nproc", default="1,2,4,8,16", show_default=True, metavar="LIST", help="Numbers of workers: 1,2,8 or 1-4.")
@click.option("--threshold", metavar="SIZE", help="Also answer, approximately: may it need more than half of SIZE (64K, 10M, 2G), or never more than SIZE?")
@click.option("--svg", type=click.Path(), metavar="FILE", help="Write the plot of the marks.")
@click.option("--html", type=click.Path(), metavar="FILE", help="Write a page with all of it.")
@click.option("--measure/--no-measure", default=True, help="Also run in parallel, and measure the heap.")
@click.option("--top", type=click.IntRange(1, 100000), default=12, show_default=True, metavar="N", help="How many rows a table has.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def memory(words, **settings):
    """Run the program and report the largest memory that it may need on P workers, over all schedules: the mark of P.
    Report which lines allocate it, too.

    The program runs serially once, which gives exact marks for every number of workers, in the bytes that the
    program asked for; then in parallel on up to as many workers as this machine has processors. Its output is shown
    once. FLAGS are those of `build` (-O2 unless another level is given). The exit status is the program's, or 125
    when it could not be run.
    """
    from tools import memory as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Run the program on up to 4096 virtual processors.")
@click.option("-P", "--nproc", "processors", default="8,32,256", show_default=True, metavar="LIST", help="Numbers of processors: 1,8,256.")
@click.option("--counted", is_flag=True, help="The length of a thread is its number of instructions, not its time.")
@click.option("--root", metavar="PROCEDURE", help="Play the instance of this procedure with the most work, without what is around it.")
@click.option("--costs", metavar="LIST", help="Costs, in ns or instructions: steal=1000,send=500,thread=0; between ranks of 4 processors: rank=4,latency=2000,kb=80.")
@click.option("--json", is_flag=True, help="Print JSON.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def simulate(words, **settings):
    """Run a program of Cilk-1 once for each number of processors. All its threads run on one real processor, and their
    lengths are measured; the schedule is that of the simulated processors. The dag of a program of Cilk-5 is recorded
    in one serial run, and played: lengths are counted, in instructions.

    FLAGS are those of `build` (-O2 unless another level is given). The table has the columns of the Cilk-1 paper:
    T_P beside T_1/P + T_inf, space, requests and steals of a processor; below it, how T_P depends on T_1/P and
    T_inf.
    """
    from tools import simulate as tool
    raise SystemExit(tool.main(words, settings))


def worker_numbers(ctx, param, text):
    """[1, 2, 8] of 1,2,8 or 1-4."""
    numbers = []
    for part in text.split(",") if text else []:
        low, _, high = part.partition("-")
        first, last = opts.natural(low), opts.natural(high or low)
        if first is None or last is None or not 1 <= first <= last <= 1024:
            raise click.BadParameter("a list like 1,2,8 or 1-4 is expected.")
        numbers += range(first, last + 1)
    return numbers


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Time the program on 1 to P workers.")
@click.option("-P", "--nproc", "numbers", metavar="LIST", callback=worker_numbers, help="Numbers of workers: 1,2,8 or 1-4 (default: 1 to the processors of this machine).")
@click.option("--runs", type=click.IntRange(1, 1000), default=5, show_default=True, metavar="N", help="Runs for each number of workers; the best counts.")
@click.option("--csv", is_flag=True, help="Print CSV.")
@click.option("--json", is_flag=True, help="Print JSON.")
@click.option("-o", "output", metavar="FILE", multiple=True, help="FILE.svg: the plot; FILE.csv, FILE.json. May be repeated.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def speedup(words, **settings):
    """Run the program on several numbers of workers: the time, the speedup over one worker, and how many workers had
    something to do.

    FILE is a source, built with FLAGS (-O2 unless another level is given) and compared with its elision, too; or a
    program that is built already. What it prints goes to stderr, once. The exit status is 0, or the program's where
    that failed, or 125 where it could not be run.
    """
    if settings["json"] and settings["csv"]:
        raise click.UsageError("--json and --csv exclude each other.")
    from tools import speedup as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Find determinacy races.")
@click.option("--json", is_flag=True, help="Print JSON; what the program prints goes to stderr.")
@click.option("--report", metavar="OUT.json", type=click.Path(), help="Write JSON to a file, too.")
@click.option("--html", type=click.Path(), metavar="FILE", help="Write a page with what was found.")
@click.option("--sarif", type=click.Path(), metavar="FILE", help="Write SARIF, for editors and code hosts.")
@click.option("-o", "output", metavar="FILE", help="FILE.html, FILE.sarif or FILE.json.")
@click.option("--nproc", metavar="N", type=click.IntRange(1), help="Look on N workers first; the serial run follows where that finds something.")
@click.option("--synched", type=click.Choice(["both", "true", "false"]), default="both", help="The value of SYNCHED while children are outstanding (both: two runs).")
@click.option("--prove", is_flag=True, help="Where nothing is found, try for 10 s to prove it for every input.")
@click.option("--order", type=click.Choice(["note", "error", "off"]), default="note", help="How to report results whose combination depends on their order.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def race(words, **settings):
    """Run the program with the race detector: which parallel accesses to one place, one of them a write, does this
    input lead to? And which results of children may be read before they arrive?

    FLAGS are those of `build` (-O2 unless another level is given); the result does not depend on them. The program
    runs serially (with --nproc N, in parallel first); its output is shown once. The exit status is 0 if nothing was found, and 1 if something was.
    Status 2: the program failed or could not be compiled. Status 3: something was found, and the program failed.
    """
    from tools import race as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Prove that no input leads to a race.")
@click.option("--json", is_flag=True, help="Print JSON.")
@click.option("-o", "output", metavar="FILE", help="FILE.html, FILE.sarif or FILE.json: write a page, SARIF or JSON, too.")
@click.option("--timeout", type=click.FloatRange(0.1, 86400), default=60, show_default=True, metavar="SECONDS", help="Give up the proof after so long.")
@click.option("--inputs/--no-inputs", default=True, help="Where something is not proved, run the program to find an input that races.")
@click.option("--fix", is_flag=True, help="Look for edits after which all is proved, and show them.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE...", shell_complete=completing.files)
def prove(words, **settings):
    """Is the program free of determinacy races on every input? Each procedure that spawns is proved, or what is not
    decided is shown; or an input on which `cilkc race` finds a race.

    FLAGS are those of `build`. FILE... are all files of the program, or of a library without main. The exit status is
    0 if all is proved, 1 if an input races, 3 if something is not decided, 2 where the files do not compile.
    """
    from prove import main as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="One page: source, work, dag, time, races, memory.")
@click.option("-o", "output", metavar="FILE.html", help="The page (default: NAME.see.html).")
@click.option("-P", "--nproc", type=click.IntRange(1, 1024), metavar="P", help="Workers of the parallel run (default: as the program does).")
@click.option("--without", multiple=True, type=click.Choice(["profile", "dag", "trace", "race", "memory"]), help="Leave a tool out. May be repeated.")
@click.option("--json", is_flag=True, help="Print what is known of each line as JSON.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def see(words, **settings):
    """Run the program with each tool, and put what they find around its source, on one page.

    A line that is clicked is highlighted in the dag, the timeline, the tables, the races and the memory; what is
    clicked there shows its line. FLAGS are those of `build`. The program runs about eight times, on the same input.
    The exit status is 0, or 125 where nothing could be shown.
    """
    from tools import see as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Try schedules until one fails, and shrink it.")
@click.option("--schedules", type=click.IntRange(1, 10**7), metavar="N", help="Try at most N schedules (default: 1000; with --all no limit but --time).")
@click.option("--time", type=click.FloatRange(0.1, 10**6), default=120.0, show_default=True, metavar="SECONDS", help="Begin no schedule after this time.")
@click.option("--seed", type=click.IntRange(0, 2**63), default=1, show_default=True, metavar="N", help="Which schedules are tried: the same N, the same schedules.")
@click.option("--all", is_flag=True, help="One schedule of each class on two workers, until there is no other.")
@click.option("--from", "record", metavar="RECORD", type=click.Path(), help="Begin with a run of --sched=record:RECORD, then try schedules near it.")
@click.option("--timeout", type=click.FloatRange(0.1, 10**6), default=10.0, show_default=True, metavar="SECONDS", help="A run that takes longer counts as a failure.")
@click.option("--ignore", multiple=True, metavar="REGEX", help="Lines of output that match are not compared. May be repeated.")
@click.option("-o", "output", metavar="FILE.html", help="The page of a failing schedule (default: NAME.explore.html).")
@click.option("--no-page", is_flag=True, help="Write no page.")
@click.option("--json", is_flag=True, help="Print JSON.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def explore(words, **settings):
    """Run the program under many schedules until one fails. A schedule fails if its output is not that of one worker,
    if it crashes or does not end, or if the runtime's checks fail.

    A failing schedule is shrunk to a few steals, shown on a page step by step, and repeated by the command that is
    printed. FLAGS are those of `build`. That nothing was found in N schedules proves nothing, unless
    --all has run each class of them; `cilkc race` judges all schedules of an input. The exit status is 0 where nothing
    was found, 1 where something was, 2 where the program does not compile.
    """
    from tools import explore as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="One run, step by step, with all values, on a page.")
@click.option("-P", "workers", type=click.IntRange(1, 64), default=2, show_default=True, metavar="P", help="Run P workers, one at a time.")
@click.option("--schedule", metavar="LIST", help="POINT=WORKER,...: after this point this worker goes on. Default: each goes on until it waits.")
@click.option("--seed", type=click.IntRange(0, 2**63), metavar="N", help="Let chance choose which worker goes on: the same N, the same run.")
@click.option("--from", "record", metavar="RECORD", type=click.Path(), help="Repeat a run of --sched=record:RECORD.")
@click.option("--steps", type=click.IntRange(1, 10**6), default=5000, show_default=True, metavar="N", help="End the run after N points.")
@click.option("--timeout", type=click.FloatRange(0.1, 10**6), default=10.0, show_default=True, metavar="SECONDS", help="End a run that takes longer.")
@click.option("--serve", is_flag=True, help="Serve the page on this machine: a click lets another worker go next.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Of --serve (default: a free one).")
@click.option("--tui", is_flag=True, help="Play the run in the terminal.")
@click.option("-o", "output", metavar="FILE.html", help="The page (default: NAME.step.html).")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def step(words, **settings):
    """Run the program once, one worker at a time, and write a page that plays the run: forward, back, and to the next
    steal or switch.

    The page shows each worker's line and deque, and the arguments and variables of each live instance, the global
    variables, the heap, locks and output at each step. FLAGS are those of `build`. The exit status is the program's
    own, 0 when it was ended after N points, or 125 when it was not run.
    """
    from play import steps
    from tools import step as tool
    raise SystemExit((steps if settings["serve"] else tool).main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="gdb, with commands for stolen and suspended procedures.")
@click.option("--core", metavar="FILE", type=click.Path(), help="Look at a core file of FILE... in place of running it.")
@click.option("-ex", "--ex", "ex", multiple=True, metavar="COMMAND", help="A command for gdb, as its own -ex.")
@click.option("--batch", is_flag=True, help="Run these commands, then end.")
@click.option("--script", is_flag=True, help="Print the name of the script with gdb's commands for Cilk.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE... [-- ARGS...]", shell_complete=completing.files)
def debug(words, **settings):
    """Build the program with -O0 -g and start gdb with the commands `info cilk-workers`, `cilk bt`, `cilk closures`,
    `cilk closure N` and `cilk frame N`.

    FLAGS are those of `build`. A FILE that is a program is debugged as it is. The exit status is gdb's, or 125 when it
    was not started.
    """
    from tools import debug as tool
    raise SystemExit(tool.main(words, settings))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Report errors and warnings only.")
@click.option("--json", is_flag=True, help="Print all messages as JSON on stdout.")
@click.option("--sarif", is_flag=True, help="Print all messages as SARIF 2.1.0 on stdout.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE...", shell_complete=completing.files)
def check(json, sarif, words):
    """Report what is wrong with each FILE and compile nothing.  FLAGS are those of `build`."""
    if not words:
        raise click.UsageError("Missing argument 'FILE'.")
    if json and sarif:
        raise click.UsageError("--json and --sarif exclude each other.")
    form = ["-fdiagnostics-format=" + ("json" if json else "sarif")] if json or sarif else []
    raise SystemExit(compiler.main(["-fsyntax-only"] + list(words) + form, 1 if form else None))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Print the C program without the Cilk keywords.")
@click.option("-o", "output", metavar="OUT.c", default="-", type=click.Path(), help="Write to OUT.c instead of stdout.")
@click.option("--standalone", is_flag=True, help="A file that compiles where cilkc is not installed.")
@click.option("--gnu", is_flag=True, help="Keep inlets as GNU C nested functions.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE", shell_complete=completing.files)
def elide(output, standalone, gnu, words):
    """Print FILE's serial elision: its own text in plain C, with the same comments and layout."""
    words = list(words)
    if not words:
        raise click.UsageError("Missing argument 'FILE'.")
    extra = (["--standalone"] if standalone else []) + (["--gnu"] if gnu else [])
    raise SystemExit(compiler.stage("elide", words, output, extra))


@cilkc.command(cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Print what a stage of the compiler sees.")
@click.option("--stage", required=True, type=click.Choice(STAGES), help="Which stage's result to print.")
@click.option("-o", "output", default="-", type=click.Path(), help="Write to a file instead of stdout.")
@click.option("--procedure", metavar="NAME", help="With --stage plan or clones: show this procedure only.")
@click.option("--json", is_flag=True, help="With --stage tree: print the typed tree as JSON.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE", shell_complete=completing.files)
def emit(stage, output, procedure, json, words):
    """Print tokens, parse tree, AST, LLVM IR, assembly, or the plan of the clones; or the clones as commented C, the C
    of threads (closures), or procedures as threads."""
    words = list(words)
    if not words:
        raise click.UsageError("Missing argument 'FILE'.")
    if procedure and stage not in ("plan", "clones"):
        raise click.UsageError("--procedure works only with --stage plan and --stage clones.")
    if json and stage != "tree":
        raise click.UsageError("--json works only with --stage tree.")
    stage = "export" if json else stage
    raise SystemExit(compiler.stage(stage, words, output, ["--procedure=" + procedure] if procedure else []))


@cilkc.command(context_settings=dict(HELP, ignore_unknown_options=True), short_help="Explain a diagnostic.")
@click.argument("code", required=False, type=click.UNPROCESSED, shell_complete=completing.codes)
@click.option("--list", "list_all", is_flag=True, help="List all codes.")
def explain(code, list_all):
    """Explain the CODE in brackets at the end of an error: what it means, a wrong and a right example."""
    from . import explain as texts
    try:
        if list_all or code is None:
            if code is None and not list_all:
                raise click.UsageError("Missing argument 'CODE'; --list shows them all.")
            texts.print_list()
        else:
            texts.print_one(code)
    except Stop as stop:
        stop_with(stop)


@cilkc.command("sched-test", cls=Passing, context_settings=dict(SOURCES, **HELP), short_help="Test a scheduler of your own.")
@click.option("--scheduler", metavar="NAME[:OPTIONS]", help="The scheduler, as after --sched=: one of several in FILE, one with options, or one of the runtime's.")
@click.option("--programs", metavar="NAME,...", help="Only these programs; --list shows all.")
@click.option("--runs", type=click.IntRange(0, 100000), default=4, show_default=True, metavar="N", help="Draw N seeds of pct for each program.")
@click.option("--timeout", type=click.FloatRange(0.1, 86400), default=60.0, show_default=True, metavar="SECONDS", help="How long one run may take.")
@click.option("--jobs", type=click.IntRange(0, 1024), default=0, metavar="N", help="Run N at a time (default: one per processor).")
@click.option("--list", is_flag=True, help="List the programs.")
@click.option("--json", is_flag=True, help="Print JSON.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FLAGS] FILE...", shell_complete=completing.files)
def sched_test(words, **settings):
    """Run small programs, one for each thing that the runtime does, under the scheduler that FILE brings along
    (<cilk-sched.h>).

    Each runs on 1, 2 and 4 workers, with forced steals, and in orders drawn by chance, with -cilk-debug. For each
    program one line says: right, wrong output, crash or hang; a hang with the fiber that the scheduler withholds,
    and each failure with the command that repeats it. Exit status: 0 if all are right, 1 if not, 2 if nothing could
    be tested.
    """
    from tools import sched_test as tool
    raise SystemExit(tool.main(words, settings))


cilkc.add_command(courses.grade)


@cilkc.command(context_settings=HELP, short_help="A page to write and run programs on, in a browser.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Listen on this port of 127.0.0.1 (default: a free one).")
@click.option("--browser", is_flag=True, help="Open the page at once.")
@click.option("--sandbox", type=click.Choice(["auto", "bubblewrap", "namespaces", "users"]), default="auto", show_default=True, help="What programs run in.")
@click.option("--no-sandbox", is_flag=True, help="Run them as you, with limits but without protection.")
@click.option("--class", "class_", is_flag=True, help="Serve the visitors of a site, behind a proxy.")
@click.option("--origin", metavar="URL", help="With --class: the address that visitors open, such as https://cilk.example.edu.")
@click.option("--listen", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="With --class: where the proxy finds it.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="With --class: run N programs at a time (default: one per processor).")
@click.option("--seconds", type=click.IntRange(1, 600), metavar="N", default=10, show_default=True, help="With --class: the longest run.")
@click.option("--shares", type=click.Path(file_okay=False), metavar="FOLDER", help="With --class: offer links to programs, which are kept here.")
@click.option("--share-days", type=click.IntRange(1, 3650), metavar="N", default=90, show_default=True, help="With --shares: how long.")
@click.option("--visitor-header", metavar="NAME", help="With --class: the header in which the proxy names who logged in.")
@click.argument("file", required=False, type=click.Path())
def play(file, **settings):
    """Serve a page with an editor, and beside it what the program prints, its elision, its clones, its dag, its
    timeline, its races.

    The page needs nothing of the network. Programs run in the sandbox that `cilkc grade` has. It answers only under
    the printed address.
    """
    from play import main as playing
    try:
        raise SystemExit(playing.main(file, settings))
    except Stop as stop:
        stop_with(stop)


@cilkc.command(context_settings=HELP, short_help="The language server, for editors.")
@click.option("--stdio", is_flag=True, help="Use standard input and output: the default.")
def lsp(stdio):
    """Serve an editor by the Language Server Protocol, on standard input and output: messages with corrections, hovers,
    names, completion, hints of what runs in parallel. Editors start it; see docs/editors.md.
    """
    from lsp import main as serving
    try:
        raise SystemExit(serving.main())
    except Stop as stop:
        stop_with(stop)


@cilkc.command(context_settings=HELP, short_help="The debug adapter, for editors.")
def dap():
    """Serve an editor by the Debug Adapter Protocol, on standard input and output, with gdb: stacks that go on where a
    procedure was stolen, breakpoints, values, recorded schedules. Editors start it; see docs/debug.md.
    """
    from tools import dap as serving
    raise SystemExit(serving.main())


@cilkc.command(context_settings=HELP, short_help="Show what is installed, what is missing, how to get it.")
def doctor():
    """Look for everything that cilkc needs, and say how to get what is missing.

    Exit status 1 when something needed is missing.
    """
    from . import doctor as examination
    compiler.catch_signals()            # a folder to remove
    raise SystemExit(examination.main())


@cilkc.command(context_settings=dict(ignore_unknown_options=True, help_option_names=[]),
               short_help="Measure against the elision and against peers.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def bench(words):
    """Run the benchmarks of bench/; its own --help lists the options."""
    if not os.path.isdir(os.path.join(home.HOME, "bench")):
        stop_with(Stop("the benchmarks are part of the source tree, which is not here (%s)" % home.HOME))
    python = os.path.join(home.HOME, ".venv", "bin", "python3")
    if not os.access(python, os.X_OK):
        python = sys.executable
    os.environ.setdefault("CILKC_BUILD", home.build_dir())
    # Not by -m, which would look for it in the working folder.
    start = "import runpy, sys; sys.path[0] = sys.argv.pop(1); runpy.run_module('bench', run_name='__main__')"
    os.execv(python, [python, "-c", start, home.HOME] + list(words))


@cilkc.command(context_settings=HELP, short_help="Print a shell's completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell):
    """Print the script that completes cilkc's commands and flags.

    \b
    bash:  into ~/.local/share/bash-completion/completions/cilkc
    zsh:   into a folder of $fpath, as _cilkc
    fish:  into ~/.config/fish/completions/cilkc.fish
    """
    from click.shell_completion import get_completion_class
    kind = get_completion_class(shell)
    assert kind is not None             # one of the three above
    made = kind(cilkc, {}, "cilkc", "_CILKC_COMPLETE")
    # Not made.source(): for bash that runs the shell only to learn its version.
    click.echo(made.source_template % made.source_vars())


@cilkc.command(name="help", context_settings=HELP, short_help="Show the help of a command.")
@click.argument("command", required=False, shell_complete=completing.commands)
@click.option("--man", is_flag=True, help="Print the manual page, as `make install` installs it.")
@click.pass_context
def help_command(ctx, command, man):
    """Show this help, or that of COMMAND."""
    parent = ctx.parent
    if man:
        if command is not None:
            raise click.UsageError("--man prints the page of the whole command: leave out '%s'" % command)
        from . import manpage
        click.echo(manpage.page(cilkc), nl=False)
        return
    if command is None:
        click.echo(parent.get_help())
        return
    found = cilkc.get_command(parent, command)
    if found is None:
        close = nearest(command, cilkc.list_commands(parent))
        raise click.UsageError("no such command '%s'%s" % (command, "; did you mean '%s'?" % close if close else ""))
    with click.Context(found, info_name=command, parent=parent) as inner:
        click.echo(found.get_help(inner))


def main(arguments):
    if console.colour_of(None, 1) == "never":
        os.environ.setdefault("NO_COLOR", "1")
    try:
        return cilkc.main(args=arguments, prog_name="cilkc", standalone_mode=False)
    except click.ClickException as error:
        # In the shape that the compiler's own messages have.
        text = error.format_message().rstrip(".")
        console.message("error", text[:1].lower() + text[1:])
        context = getattr(error, "ctx", None)
        if context is not None:
            console.write_stderr(("cilkc: try '%s --help'\n" % context.command_path).encode())
        return runs.NOT_RUN if context is not None and context.info_name == "run" else error.exit_code
