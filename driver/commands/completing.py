"""Completion: what a shell offers at a word of `cilkc`. The shell calls cilkc with the words so far in the environment
(click's protocol); files are the shell's own affair."""

import os
from typing import Any

from click import shell_completion
from click.shell_completion import CompletionItem

from cilkc_driver import console

from . import usage

FILES = "file"          # click's word for "the shell's completion of files"


def as_build():
    """`cilkc -O2 fi` is `cilkc build -O2 fi`: changes the words that the shell has passed."""
    name, rest = os.environ["COMP_WORDS"].split(None, 1)        # by blanks or by the ends of lines, as the shell likes
    os.environ["COMP_WORDS"] = "%s build %s" % (name, rest)
    number = os.environ.get("COMP_CWORD", "")
    if number.isdigit() and not os.environ["_CILKC_COMPLETE"].startswith("fish"):
        os.environ["COMP_CWORD"] = str(int(number) + 1)


def files(ctx, param, incomplete):
    return [CompletionItem(incomplete, type=FILES)]


def flags(incomplete):
    return [CompletionItem(flag) for flag in usage.completions() if flag.startswith(incomplete)]


def codes(ctx, param, incomplete):
    """The codes of messages, with their texts."""
    from . import explain
    try:
        rows = [line.split(None, 2) for line in explain.codes()]
    except console.Stop:
        return []
    return [CompletionItem(row[0], help=row[-1]) for row in rows if row[0].startswith(incomplete)]


def commands(ctx, param, incomplete):
    group = ctx.find_root().command
    return [CompletionItem(name) for name in group.list_commands(ctx) if name.startswith(incomplete)]


def whole(kind: Any):
    """A shell's class for `--spawn=l`. click drops what is before the `=`. But zsh and fish replace the whole word, and
    bash, for which `=` is a word of its own, the part after it."""
    class Whole(kind):
        def get_completions(self, args, incomplete):
            if args[-1:] == ["="]:                      # bash
                args, incomplete = args[:-2], args[-2] + "=" + incomplete
            elif incomplete == "=":
                args, incomplete = args[:-1], args[-1] + "="
            flag, equals, _ = incomplete.partition("=")
            if not equals or not flag.startswith("-"):
                return super().get_completions(args, incomplete)
            start = "" if self.name == "bash" else flag + "="
            known = [item.value.partition("=")[2] for item in flags(incomplete)]
            found = [CompletionItem(value) for value in known if value] or super().get_completions(args, incomplete)
            return [CompletionItem(start + item.value, item.type, item.help) for item in found]
    return Whole


for _shell in (shell_completion.BashComplete, shell_completion.ZshComplete, shell_completion.FishComplete):
    shell_completion.add_completion_class(whole(_shell), _shell.name)
