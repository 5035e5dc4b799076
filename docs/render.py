"""`make docs`: the manual's Markdown as HTML pages with one navigation bar.  Input docs/*.md; output --out DIR."""

import argparse
import re
from pathlib import Path

from jinja2 import Template
from markdown_it import MarkdownIt

PAGE = Template("""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }} - cilkc</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 1rem auto; padding: 0 1rem; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; background: #f4f4f1; }
pre { padding: 0.7rem; overflow-x: auto; } table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: 0.2rem 0.6rem;
text-align: left; vertical-align: top; } nav a { margin-right: 1rem; }
</style></head><body><nav>{% for name, text in pages %}<a href="{{ name }}.html">{{ text }}</a>{% endfor %}</nav>
{{ body }}
</body></html>
""")


def title_of(text):
    found = re.search(r"^# (.*)$", text, re.M)
    return found.group(1).replace("`", "") if found else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, type=Path)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    texts = {path.stem.lower() if path.stem != "README" else "index": path.read_text("utf-8")
             for path in sorted(Path(__file__).parent.glob("*.md"))}
    pages = [(name, title_of(text)) for name, text in sorted(texts.items(), key=lambda item: item[0] != "index")]
    reader = MarkdownIt("commonmark").enable("table")
    for name, text in texts.items():
        body = reader.render(re.sub(r"\]\((\w+)\.md\)", r"](\1.html)", text))
        (out / (name + ".html")).write_text(PAGE.render(title=title_of(text), pages=pages, body=body), "utf-8")
    print("  %d pages in %s" % (len(texts), out))


if __name__ == "__main__":
    main()
