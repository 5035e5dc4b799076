"""What `make site` adds to mkdocs, by its hooks: the order of the pages, the names of links, Cilk's words in programs.

The sidebar is the list of docs/README.md. An entry that is the index of a folder becomes a part of the sidebar with the
folder's pages below it.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent.parent             # docs/
ITEM = re.compile(r"^(?:\d+\. (?P<part>[^\d\n]+)\.$|[ \d]*[*.] \[[^\]]*\]\((?P<page>[\w/.-]+)\))", re.M)
STEP = """
## The program

```c
%s```

<details markdown="1"><summary>Solution</summary>

```c
%s```

</details>
"""


def title_of(path):
    return next(line[2:] for line in path.read_text("utf-8").split("\n") if line.startswith("# ")).replace("`", "")


def by_number(path):
    """Lab 10 comes after lab 9, and an index first."""
    names = path.relative_to(HERE).parts
    return [(name != "README.md", [int(piece) if piece.isdigit() else piece for piece in re.split(r"(\d+)", name)])
            for name in names]


def entry(page):
    """A page; or the pages of a folder, its index first."""
    folder = HERE / Path(page).parent
    if not page.endswith("README.md"):
        return page
    return {title_of(HERE / page): [str(path.relative_to(HERE)) for path in sorted(folder.rglob("*.md"), key=by_number)]}


def on_config(config):
    """The sidebar."""
    nav: list = ["README.md"]
    into = nav
    for match in ITEM.finditer((HERE / "README.md").read_text("utf-8")):
        if match["part"]:
            into = []
            nav.append({match["part"]: into})
        else:
            into.append(entry(match["page"]))
    config.nav = nav
    return config


def on_page_markdown(markdown, page, config, files):
    """A link that is called by its file's name is called by the page's title. A step of the tutorial gets its programs,
    which `cilkc play` shows beside it."""
    folder = Path(page.file.abs_src_path).parent

    def titled(match):
        return "[%s](%s)" % (title_of(folder / match[1]), match[1])
    markdown = re.sub(r"\[([\w/-]+\.md)\]\(\1\)", titled, markdown)
    if page.file.src_uri.endswith("/step.md"):
        markdown += STEP % tuple((folder / (name + ".cilk")).read_text("utf-8") for name in ("starter", "solution"))
    return markdown


def on_page_content(html, page, config, files):
    """C's lexer knows nothing of Cilk."""
    return re.sub(r'<span class="n">(cilk|spawn|sync|inlet|abort|SYNCHED)</span>', r'<span class="k">\1</span>', html)
