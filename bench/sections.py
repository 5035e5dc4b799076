"""A page whose sections come from several programs: each replaces its own, and leaves the others as they are.

A section begins with a line `## TITLE`. What is before the first one is the page's head.
"""

import os


def divide(text):
    """{title: text}, in their order; the head has the title None."""
    parts = {}
    for i, part in enumerate(("\n" + text).split("\n## ")):
        if i:
            parts[part.split("\n", 1)[0]] = "## " + part.rstrip() + "\n"
        elif part.strip():
            parts[None] = part.lstrip("\n").rstrip() + "\n"
    return parts


def publish(path, text):
    """The sections of the text replace those of the file with the same titles. New ones come to its end."""
    parts = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            parts = divide(file.read())
    parts.update(divide(text))
    head = [parts.pop(None)] if None in parts else []
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(head + list(parts.values())))
