"""Pages of the tools in chromium, with no network but this machine."""

import html
import json
import re
import shutil

from conftest import command

OUTSIDE = re.compile(r"""(src|href)\s*=\s*["'](?!data:)|@import|https?://(?!www\.w3\.org/(?:2000/svg|1999/xhtml))""")


def browser(page, home, *more):
    """What the page became, and what the browser complained of."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert found, "the pages are tested in chromium, which is not installed"
    return command(
        [found, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=%s" % (home / "profile"),
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--enable-logging=stderr", "--v=0",
         "--window-size=1200,800", "--dump-dom", *more, page],
        cwd=home,
    )


def shown(file, fragment="", *more):
    """The elements of a page that needs no other file and has no complaint."""
    assert not OUTSIDE.search(file.read_text())
    result = browser(file.as_uri() + fragment, file.parent, *more)
    assert result.status == 0 and "CONSOLE" not in result.err, result.err
    return result.out


PHONE, DESK = 390, 1400
IN_FRAMES = """<body></body><script>
const wide = {};
for (const address of %s) {
  const frame = document.body.appendChild(document.createElement("iframe"));
  frame.width = %d;
  frame.addEventListener("load", () => setTimeout(() => {
    wide[address] = frame.contentDocument.documentElement.scrollWidth;
    document.body.dataset.wide = JSON.stringify(wide);
  }, 1000));
  frame.src = address;
}
</script>"""


def widths(files, width, home):
    """{name: how wide it became} of pages that are shown in a window of this width."""
    addresses = [file.as_uri() for file in files]
    (home / "frames.html").write_text(IN_FRAMES % (json.dumps(addresses), width))
    out = browser((home / "frames.html").as_uri(), home, "--virtual-time-budget=15000", "--allow-file-access-from-files").out
    wide = json.loads(html.unescape(re.search(r'data-wide="([^"]*)"', out)[1]))
    assert set(wide) == set(addresses), wide
    return {file.name: wide[file.as_uri()] for file in files}
