"""`cilkc grade`: the command. Reads the specification, finds a sandbox, grades, and writes what was asked for."""

import os
import sys

from cilkc_driver import compile as compiler
from cilkc_driver import console, link, options, processes
from cilkc_driver.console import Stop
from tools import instrumented

from . import cell, checks, formats, gradescope, report, run, sandbox, spec, workshop
from .store import Store, file_part


def main(spec_file, submissions, settings):
    """The exit status: 0 when all submissions were graded, whatever they got; 1 when something failed; 2 for wrong
    usage or a wrong specification."""
    compiler.catch_signals()
    try:
        return grade(spec_file, submissions, settings)
    except Stop as stop:
        console.message(stop.kind, stop.message)
        return stop.status
    except cell.Closed:
        return 1
    except OSError as error:
        console.message("error", "%s: %s" % (error.filename or "cilkc grade", error.strerror))
        return 1


def grade(spec_file, submissions, settings):
    read = spec.read(spec_file, checks.KINDS)
    if settings["package"] and not settings["gradescope"]:
        raise Stop("--package belongs to --gradescope", 2)
    if settings["gradescope"]:
        instrumented.writable([settings["gradescope"]], 2)
        gradescope.write(settings["gradescope"], read, settings["package"])
    if not submissions:
        print("%s: %d checks, %s points"
              % (spec_file, len(read.checks), report.points(sum(check.points for check in read.checks))))
        return 0
    names = list_submissions(submissions, read)
    form, output = settings["format"], settings["output"]
    folder = form in formats.SINGLE and (len(names) > 1 or os.path.isdir(output or ""))
    instrumented.writable([settings["junit"], None if folder else output], 2)
    if form in formats.SINGLE and len(names) > 1 and not output:
        raise Stop("--format %s is for one submission; with several, -o FOLDER gets a file for each" % form, 2)
    kind = choose_sandbox(settings, [read.folder, *(os.path.dirname(os.path.abspath(path)) for path in submissions)])
    store = Store(settings["store"] or os.path.splitext(os.path.basename(spec_file))[0] + ".grade", read,
                  settings["again"])
    workshop.provide({name for check in read.checks for name in check.parts} | {runtime(read)})
    jobs = settings["jobs"] or processes.processors()
    results = run.Grading(read, cell.Cell(kind), store, jobs, settings["quiet"]).grade(names)
    if settings["junit"]:
        write(settings["junit"], formats.as_junit(results, read.title))
    show(results, read, form, output, store.folder, settings["verbose"])
    return 0


def runtime(read):
    """The one that programs are linked with by the flags of the specification."""
    return link.runtime_flavour(options.parse([*read.flags, *read.submission]))


def list_submissions(paths, read):
    """[(name, path)]: a file that is called as the specification wants is named after its folder, another after
    itself."""
    found: "dict[str, str]" = {}
    for path in paths:
        full = os.path.abspath(path)
        base = os.path.basename(full)
        if not os.path.lexists(full):
            raise Stop("%s: No such file or directory" % path, 2)
        if not os.path.isdir(full):
            base = os.path.basename(os.path.dirname(full)) if base == read.submission[0] else os.path.splitext(base)[0]
        name = "".join(c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode() for c in base)
        if file_part(name) in map(file_part, found):
            raise Stop("two submissions are called %s: %s and %s" % (name, found.get(name, "another"), path), 2)
        found[name] = path
    return list(found.items())


def choose_sandbox(settings, hidden):
    if settings["no_sandbox"]:
        console.message("warning", "--no-sandbox: the submissions run as you, and can read and change all that you can")
        return sandbox.Bare(hidden)
    names = [settings["sandbox"]] if settings["sandbox"] != "auto" else list(sandbox.KINDS)
    return sandbox.choose(names, hidden, cell.works)


def show(results, read, form, output, folder, verbose):
    if form == "text":
        if len(results) == 1 or verbose:
            text = "\n".join(map(report.one, results))
        else:
            text = report.table(results, read.title, folder)
        write(output, text)
    elif form in formats.ALL:
        write(output, formats.ALL[form](results, read.title))
    elif len(results) == 1 and not os.path.isdir(output or ""):
        write(output, formats.SINGLE[form](results[0], read.title))
    else:
        os.makedirs(output, exist_ok=True)
        for result in results:
            write(os.path.join(output, file_part(result["submission"]) + formats.ENDS.get(form, ".json")),
                    formats.SINGLE[form](result, read.title))


def write(name, text):
    """To a file, complete or not at all, or to stdout."""
    if not name:
        sys.stdout.write(text)
        return
    instrumented.write_file(name, text, 1)
