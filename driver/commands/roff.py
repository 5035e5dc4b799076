"""cilk.h(3), made of docs/library.md, so that both say the same. `roff.py PAGE.md NAME SECTION SUMMARY` prints a page
for man.

How it works: markdown-it's tokens, of which the manual uses few: headings, paragraphs, lists, tables, code. A link's
text stays; where it led is listed in the manual. `make install` runs this with the packages of the command.
"""

import sys


def escaped(text):
    """As roff wants it: backslashes, hyphens that must stay hyphens, lines that would be read as requests."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def inline(token):
    parts = []
    for child in token.children or ():
        if child.type == "text":
            parts.append(escaped(child.content))
        elif child.type == "code_inline":
            parts.append("\\fB%s\\fR" % escaped(child.content))
        elif child.type == "softbreak":
            parts.append("\n")
        elif child.type in ("strong_open", "em_open"):
            parts.append("\\fB" if child.type == "strong_open" else "\\fI")
        elif child.type in ("strong_close", "em_close"):
            parts.append("\\fR")
    text = "".join(parts)
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


class Page:
    """The tokens of a page, one after the other, into lines of roff."""

    def __init__(self, name, section, summary, version):
        self.lines = ['.TH "%s" %s "" "cilkc %s" "Cilk Library"' % (name.upper(), section, version), ".SH NAME",
                      "%s \\- %s" % (name, escaped(summary)), ".SH DESCRIPTION"]
        self.heading = None     # the level of the heading that we are in
        self.cells = []         # of the row of a table that we are in
        self.head = self.item = self.row = False

    def take(self, token):
        kind = token.type
        if kind == "heading_open":
            self.heading = int(token.tag[1])
        elif kind == "heading_close":
            self.heading = None
        elif kind == "inline" and self.heading:
            if self.heading > 1:
                self.lines.append((".SH " if self.heading == 2 else ".SS ")
                                  + inline(token).upper().replace("\\FB", "\\fB").replace("\\FR", "\\fR"))
        elif kind == "inline" and self.row:
            self.cells.append(inline(token).replace("\n", " "))
        elif kind == "inline":
            self.lines.append(inline(token))
        elif kind == "paragraph_open" and not self.item:
            self.lines.append(".PP")
        elif kind == "list_item_open":
            self.lines.append(".IP \\(bu 2")
            self.item = True
        elif kind == "paragraph_close":
            self.item = False
        elif kind in ("fence", "code_block"):
            self.lines += [".PP", ".RS 4", ".nf", escaped(token.content.rstrip("\n")), ".fi", ".RE"]
        elif kind in ("thead_open", "thead_close"):
            self.head = kind == "thead_open"
        elif kind == "tr_open":
            self.row, self.cells = True, []
        elif kind == "tr_close":
            self.row = False
            if not self.head and self.cells:
                self.lines += [".TP", self.cells[0] or "\\&", ": ".join(self.cells[1:])]

    def text(self):
        return "\n".join(self.lines) + "\n.SH SEE ALSO\n.BR cilkc (1),\nPREFIX/share/doc/cilkc/docs\n"


def page(markdown, name, section, summary, version):
    from markdown_it import MarkdownIt
    made = Page(name, section, summary, version)
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        made.take(token)
    return made.text()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(page(file.read(), *sys.argv[2:6]))
