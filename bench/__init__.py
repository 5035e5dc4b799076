"""Measurements: cilkc against the elision and against peers.  `python3 -m bench --help`; see README.md."""
