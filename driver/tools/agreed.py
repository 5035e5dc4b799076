"""What the library of `cilkc profile` and the commands that read its files agree on, read from the library's table."""

from types import SimpleNamespace

from cilkc_driver import flags

_rows = [row.partition(")")[0].partition("(") for row in flags.rows(flags.TABLES[4])]
_named = {table: [name for kind, _, name in _rows if kind == table] for table in ("KIND", "MARK", "NUMBER")}

# By their names: KIND.SPAWN is what ends a strand of a dag, MARK.ON a bit of a step's marks.
KIND = SimpleNamespace(**{name: number for number, name in enumerate(_named["KIND"])})
MARK = SimpleNamespace(**{name: 1 << bit for bit, name in enumerate(_named["MARK"])})
BURDEN = int(dict(row.split(", ") for row in _named["NUMBER"])["BURDEN"])
