"""`make site`: docs/ as a site. A link that leads nowhere, or a page without a place in the sidebar, ends the build."""

import re
import sys

import pytest

from conftest import ROOT, command
from pages import DESK, PHONE, browser, widths

pytestmark = pytest.mark.tier("all")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="`make site` and `make test-all` install what makes the site")
    made = tmp_path_factory.mktemp("made") / "site"
    result = command([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", made], cwd=ROOT, timeout=600)
    assert result.status == 0, str(result)
    return made


def test_the_sidebar_is_the_list_of_the_manual(site):
    text = (site / "index.html").read_text().partition("md-nav--primary")[2].partition("md-nav--secondary")[0]
    order = [name for name in re.findall(r'<a href="([\w/.-]+)\.html"', text) if name != "index"]
    assert order[:4] == ["start", "install", "language", "library"] and order[-1].startswith("decisions/13"), order
    assert order.index("labs/9-pack/handout") < order.index("labs/10-pipeline/handout")


def test_programs_have_the_colours_of_cilk_and_teachers_files_stay_away(site):
    assert '<span class="k">spawn</span>' in (site / "language.html").read_text()
    assert (site / "labs/1-spawn/starter.cilk").exists() and not list(site.rglob("solution.*"))


def test_the_search_works_without_a_server(site):
    page = site / "start.html"
    assert "https://" not in page.read_text()
    found = browser(page.as_uri() + "?q=indolent", site.parent, "--virtual-time-budget=20000").out
    assert re.search(r'href="[^"]*tm580\.html[^"]*" class="md-search-result__link', found), "nothing was found"


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_pages_fit(site, width, tmp_path):
    pages = [site / name for name in ("index.html", "start.html", "running.html", "opencilk.html", "labs/1-spawn/mistakes.html")]
    wide = widths(pages, width, tmp_path)
    assert max(wide.values()) <= width, wide
