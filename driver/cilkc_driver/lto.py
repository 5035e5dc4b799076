"""-flto at link time: one object in place of all those that carry bitcode.

Objects made with -flto hold machine code and, in a section that the linker drops, their bitcode (codegen/output/link.cpp).
`cilkc1 --link` makes one object of them. Objects of other compilers, and members of archives, are linked as they
are.
"""

import os

from . import home

SECTION = b".cilkc.lto\0"
OBJECTS = (".o", ".obj", ".lo")


def carries_bitcode(name):
    """Does this file hold a section of that name?  An object contains its section names as text."""
    try:
        with open(name, "rb") as file:
            return file.read(4) == b"\x7fELF" and SECTION in file.read()
    except OSError:
        return False


def merge(options, inputs, made, temp, run):
    """{id(input): file to link, or None where it became part of another's} for the inputs that change.

    inputs: of the link, in order; made: {id(input): object} of those compiled in this call; run(command) -> True
    when it went well. Returns None when it did not.
    """
    parts = []
    for item in inputs:
        name = made.get(id(item), item.name)
        if (id(item) in made or name.endswith(OBJECTS)) and carries_bitcode(name):
            parts.append((item, name))
    if not parts:
        return {}
    whole = temp.file("lto.o")
    switches = [w for w in options.cilk1 if not w.startswith(("-W", "-std=", "-flto"))]
    if not run([home.cilkc1(), "--link", *switches, "-o", whole,
                *(os.path.join(".", name) if name.startswith("-") else name for _, name in parts)]):
        return None
    return {id(item): whole if number == 0 else None for number, (item, _) in enumerate(parts)}
