"""The click command for courses: grade."""

import click

from .passing import HELP

GRADE_FORMATS = ["text", "json", "csv", "junit", "html", "gradescope", "prairielearn", "autolab", "github", "github-base64"]


@click.command(context_settings=HELP, short_help="Grade submissions of a course, in a sandbox.")
@click.option("-j", "--jobs", type=click.IntRange(1, 1024), metavar="N", help="Grade N submissions at a time (default: one per processor).")
@click.option("--format", type=click.Choice(GRADE_FORMATS), metavar="FORM", default="text", show_default=True, help="Of the results: %s." % ", ".join(GRADE_FORMATS))
@click.option("-o", "output", type=click.Path(), metavar="FILE", help="Write the results to FILE, or to a folder if the form holds one submission.")
@click.option("--junit", type=click.Path(), metavar="FILE", help="Write JUnit's form, too.")
@click.option("--gradescope", type=click.Path(), metavar="FILE.zip", help="Write an autograder for Gradescope.")
@click.option("--package", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="What it installs: cilkc's .deb or .whl (default: pip's).")
@click.option("--store", type=click.Path(), metavar="FOLDER", help="Results and reports of each submission (default: SPEC.grade).")
@click.option("--again", is_flag=True, help="Grade again what is in the store already.")
@click.option("--sandbox", type=click.Choice(["auto", "bubblewrap", "namespaces", "users"]), default="auto", show_default=True, help="What submissions run in.")
@click.option("--no-sandbox", is_flag=True, help="Run them as you, with limits but without protection.")
@click.option("-v", "--verbose", is_flag=True, help="Print the report of each submission, not a table.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.argument("spec", type=click.Path(), metavar="SPEC.toml")
@click.argument("submissions", nargs=-1, type=click.Path(), metavar="SUBMISSION...")
def grade(spec, submissions, **settings):
    """Compile and run each SUBMISSION, a file or a folder, with the checks of SPEC.toml, and report its points.

    The checks: warnings, output, elision, races, parallelism, overhead, speedup, limits, forbidden words.
    Submissions have no network, and see neither each other nor the specification. What is in the store is not graded
    again, so the same command goes on after an interruption. Without a SUBMISSION the specification is checked. The
    exit status is 0 where all were graded, whatever they got.
    """
    from grade import main as grading
    raise SystemExit(grading.main(spec, list(submissions), settings))
