"""cilkc1's options as C++, made from the table in driver/cilkc_driver/flags.py. Prints OPTION(id, word, shape, values),
and USAGE(text)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from cilkc_driver import flags  # noqa: E402

SHAPES = {"-": "Alone", ">": "Next", "=": "Value", "*": "Prefix"}


def form(row):
    """A word as the usage shows it."""
    _, word, shape, values, _ = row
    return word + (" " if shape == ">" else "") + values.replace(" ", "|")


def main():
    # The longest first: the first that fits is meant.
    rows = sorted(flags.CILKC1, key=lambda row: -len(row[1]))
    print("// made by driver/cilkc1/generate.py from driver/cilkc_driver/flags.py")
    print("#ifdef OPTION")
    for name, word, shape, values, _ in rows:
        print('OPTION(%s, "%s", %s, "%s")' % (name, word, SHAPES[shape], values if values == values.lower() else ""))
    print("#undef OPTION\n#endif")
    lines = ["  %-38s %s" % (form(row), row[4]) for row in flags.CILKC1]
    print('#ifdef USAGE\nUSAGE(R"(%s\n)")\n#undef USAGE\n#endif' % "\n".join(lines))


main()
