"""`make docs`: the manual's Markdown as HTML pages with one navigation bar.  Input docs/*.md and the folders FOLDERS; output
--out DIR, pictures included.

The order of the pages is that of the list in docs/README.md, which becomes the index. Headings can be linked to;
code is coloured.
"""

import argparse
import re
import shutil
from pathlib import Path

from jinja2 import Template
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

PAGE = Template("""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }} - cilkc</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 1rem auto; padding: 0 1rem; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; background: #f4f4f1; } td code, li code { white-space: nowrap; }
pre { padding: 0.7rem; overflow-x: auto; } table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: 0.2rem 0.6rem;
text-align: left; vertical-align: top; } nav a { margin-right: 1rem; } nav a[aria-current] { font-weight: bold; color: inherit; text-decoration: none; }
{{ colours }}
</style></head><body><nav>{% for name, text in pages %}<a href="{{ name }}.html"{% if name == here %} aria-current="page"{% endif %}>{{ text }}</a>{% endfor %}</nav>
{{ body }}
</body></html>
""")
FORMATTER = HtmlFormatter(nowrap=True, style="friendly")
HERE = Path(__file__).parent
FOLDERS = ("book", "decisions")             # each with an index of its own


def title_of(text):
    found = re.search(r"^# (.*)$", text, re.M)
    return found.group(1).replace("`", "") if found else ""


def coloured(code, language, attributes):
    """What a fence holds; C's lexer knows nothing of Cilk, whose words are added."""
    if language == "c":
        text = highlight(code, get_lexer_by_name("c"), FORMATTER)
        return re.sub(
            r'<span class="n">(cilk|spawn|sync|inlet|abort|SYNCHED)</span>', r'<span class="k">\1</span>', text
        )
    if language == "console":
        return highlight(code, get_lexer_by_name("console"), FORMATTER)
    return ""


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def with_ids(html):
    """Headings get the id of their text."""
    return re.sub(
        r"<h([1-6])>(.*?)</h\1>",
        lambda m: '<h%s id="%s">%s</h%s>' % (m.group(1), slug(re.sub("<.*?>", "", m.group(2))), m.group(2), m.group(1)),
        html,
    )


def pages():
    """(name of the HTML page, text) in the order of the index."""
    index = (HERE / "README.md").read_text("utf-8")
    names = re.findall(r"\]\(([\w-]+)\.md\)", index)
    rest = sorted(path.stem for path in HERE.glob("*.md") if path.stem not in names + ["README"])
    return [("index", index)] + [(name, (HERE / (name + ".md")).read_text("utf-8")) for name in names + rest]


def chapters(folder):
    """(name, text) of a folder's pages: its index first."""
    paths = sorted((HERE / folder).glob("*.md"), key=lambda path: (path.stem != "README", path.stem))
    return [(folder + "/" + path.stem.replace("README", "index"), path.read_text("utf-8")) for path in paths]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    texts = pages()
    titles = {name: title_of(text) for name, text in texts}
    reader = MarkdownIt("commonmark", {"highlight": coloured}).enable("table")
    for folder in FOLDERS:
        (out / folder).mkdir(exist_ok=True)
    for picture in [*HERE.glob("*.svg"), *HERE.glob("*.png"), *HERE.glob("book/*.svg")]:
        shutil.copyfile(picture, out / picture.relative_to(HERE))
    books = [chapters(folder) for folder in FOLDERS]
    contents = {name: title_of(text) for book in books for name, text in book}
    for name, text in (page for book in books for page in book):
        links = re.sub(r"\]\((\.\./)?README\.md\)", r"](\1index.html)", text)
        body = with_ids(reader.render(re.sub(r"\]\(((?:\.\./)?[\w-]+)\.md(#[\w-]+)?\)", r"](\1.html\2)", links)))
        bar = [("../index", titles["index"])] + [(n.partition("/")[2], title) for n, title in contents.items()
                                                 if n.partition("/")[0] == name.partition("/")[0]]
        (out / (name + ".html")).write_text(
            PAGE.render(
                title=contents[name],
                pages=bar,
                here=name.partition("/")[2],
                body=body,
                colours=FORMATTER.get_style_defs("pre"),
            ),
            "utf-8",
        )
    for name, text in texts:
        for folder in FOLDERS:
            text = text.replace("(%s/README.md)" % folder, "(%s/index.html)" % folder)
            text = text.replace("[%s/README.md]" % folder, "[%s]" % contents[folder + "/index"])
        # A link that is called by its file's name is called by the page's title here.
        text = re.sub(r"\[([\w-]+)\.md\]\(\1\.md\)", lambda m: "[%s](%s.html)" % (titles[m.group(1)], m.group(1)), text)
        body = reader.render(re.sub(r"\]\(((?:(?:%s)/)?[\w-]+)\.md(#[\w-]+)?\)" % "|".join(FOLDERS), r"](\1.html\2)", text))
        body = re.sub(r"<thead>\s*<tr>(\s*<th[^>]*></th>)+\s*</tr>\s*</thead>\s*", "", with_ids(body))
        (out / (name + ".html")).write_text(
            PAGE.render(
                title=titles[name],
                pages=list(titles.items()),
                here=name,
                body=body,
                colours=FORMATTER.get_style_defs("pre"),
            ),
            "utf-8",
        )
    print("  %d pages in %s" % (len(texts) + len(contents), out))


if __name__ == "__main__":
    main()
