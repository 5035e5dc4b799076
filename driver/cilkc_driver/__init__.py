"""The Python side of the `cilkc` command: set-up, the compiler driver, and the click commands."""
