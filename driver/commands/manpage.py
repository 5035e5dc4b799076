"""cilkc(1), made of the texts that `--help` shows, so that both say the same.  `cilkc help --man` prints it."""

import click

from cilkc_driver import home

from . import usage
from .roff import escaped


def block(text):
    return ".nf\n%s\n.fi\n" % escaped(text.strip("\n"))


def page(group):
    context = click.Context(group, info_name="cilkc")
    parts = ['.TH CILKC 1 "" "cilkc %s" "User Commands"\n' % home.VERSION,
             ".SH NAME\ncilkc \\- compile and run Cilk\\-5 and C programs\n.SH SYNOPSIS\n",
             block("cilkc [FLAGS] FILE...\ncilkc COMMAND [WORDS]...\ncilkc COMMAND --help"),
             ".SH DESCRIPTION\n", block(usage.MAIN_HELP.replace("\b\n", "")), ".SH COMMANDS\n"]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        words = " ".join(p.make_metavar() if p.metavar else "[%s]" % str(p.name).upper() for p in command.params
                         if isinstance(p, click.Argument) and name != "build")
        parts.append(".TP\n.B %s\n" % escaped(("%s %s" % (name, words)).strip()))
        parts.append(escaped(command.get_short_help_str(200)) + "\n")
        for param in command.params:
            if isinstance(param, click.Option) and param.help:
                parts.append(".RS\n.TP\n.B %s\n%s\n.RE\n" % (escaped(", ".join(param.opts)), escaped(param.help)))
    parts += [
        ".SH FLAGS\n", block(usage.flags_help()), ".SH EXIT STATUS\n", block(usage.STATUS_HELP), ".SH ENVIRONMENT\n",
        block(usage.ENVIRONMENT_HELP), ".SH FILES\n",
        block("PREFIX/share/doc/cilkc     the manual, samples\nPREFIX/lib/cilkc           compiler, runtime, headers")
    ]
    return "".join(parts)
