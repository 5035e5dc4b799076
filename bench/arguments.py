"""What the options of all parts have in common: the kinds of their values.

Each function makes a `type` for argparse, which reports a wrong value with the name of its option, status 2.
"""

import argparse

MOST = 100000


def whole(low, high=MOST):
    """A whole number in these bounds."""
    def read(word):
        if not (word.isascii() and word.isdigit() and low <= int(word[:20]) <= high):
            raise argparse.ArgumentTypeError("'%s' is not a number from %d to %d" % (word, low, high))
        return int(word)
    return read


def several(low, high=MOST):
    """Such numbers with commas between them."""
    def read(word):
        return [whole(low, high)(part) for part in word.split(",")]
    return read


def costs(word):
    """NAME=VALUE,..., which stays a text."""
    try:
        for part in word.split(","):
            float(part.partition("=")[2])
    except ValueError:
        raise argparse.ArgumentTypeError("'%s' is not of the form NAME=NUMBER,..." % word)
    return word
