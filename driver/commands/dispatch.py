"""From a call that is not compiler-shaped to its click command: makes the packages importable, then loads cli.py."""

import os
import sys

from cilkc_driver import home


def run(arguments, completes_build=False):
    home.add_site_packages()
    try:
        import click  # noqa: F401
    except ImportError:
        if arguments == ["doctor"]:     # it says what is missing, so it needs nothing
            from . import doctor
            return doctor.main()
        sys.stderr.write("cilkc: error: this command needs the set-up: run 'make setup' in %s\n"
                         % os.path.realpath(home.HOME))
        return 1
    if completes_build:
        from . import completing
        completing.as_build()
    from . import cli
    return cli.main(arguments)
