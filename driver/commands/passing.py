"""Commands of click whose words are mostly the compiler's."""

import click

from . import completing

HELP = dict(help_option_names=["-h", "--help"])


class Passing(click.Command):
    """A command whose words are mostly the compiler's: click sees only its own options, and those spelled out.

    Left to itself, click reads -Wpointer-arith as a cluster of one-letter options, -h among them.
    """

    leading_only = False            # `run`: what follows the first word that is not a flag of ours is left alone

    def parse_args(self, ctx, args):
        if self.leading_only:
            own, rest = (args[:1], args[1:]) if args[:1] in (["-h"], ["--help"]) else ([], args)
        else:
            own, rest = self.split(args)
        return super().parse_args(ctx, own + ["--"] + rest)

    def shell_complete(self, ctx, incomplete):
        own = super().shell_complete(ctx, incomplete)
        return own + (completing.flags(incomplete) if incomplete.startswith("-") else [])

    def split(self, args):
        flags, valued = ["-h", "--help"], []
        for param in self.params:
            if isinstance(param, click.Option):
                (flags if param.is_flag else valued).extend(param.opts + param.secondary_opts)
        own, rest, args = [], [], list(args)
        while args:
            word = args.pop(0)
            if word == "--":
                return own, rest + [word] + args
            if word in flags:
                own.append(word)
            elif word in valued:
                own.append(word)
                if args:
                    own.append(args.pop(0))
            elif word.partition("=")[0] in valued and word.startswith("--"):
                own.append(word)
            elif "-o" in valued and word.startswith("-o") and not word.startswith("-objc"):
                own += ["-o", word[2:]]
            else:
                rest.append(word)
        return own, rest


class PassingAll(Passing):
    leading_only = True
