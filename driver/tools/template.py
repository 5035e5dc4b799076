"""Pages that need nothing else: one head for all, then NAME.html beside this file, with NAME.js and the data in it."""

import os

from . import source

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="%s">
<link rel="icon" href="data:,">
<title>%s</title>
"""


def page(name, title, style="", scheme="light dark"):
    """The page without its data."""
    texts = {}
    for suffix in ("html", "js"):
        with open(os.path.join(HERE, "%s.%s" % (name, suffix)), encoding="utf-8") as file:
            texts[suffix] = file.read()
    body = texts["html"].replace("@STYLE@", style).replace("@SCRIPT@", texts["js"])
    return HEAD % (scheme, source.html(title)) + body


def filled(text, data):
    """With its data, a JSON text."""
    return text.replace("@DATA@", data.replace("<", "\\u003c"))
