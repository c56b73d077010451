"""The documentation as a site: built without a warning, and read on a phone and on a desk."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, ROOT
from tests.evaluators.reporting.chromium import CHROMIUM, browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("sphinx") is None, reason="Sphinx comes with 'make docs' alone"
    ),
]

PHONE, DESK = 390, 1440


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as `make docs` builds them, warnings being errors."""
    folder = tmp_path_factory.mktemp("site")
    flags = ["--quiet", "--fail-on-warning", "--keep-going", "--fresh-env", "-b", "html"]
    command = [sys.executable, "-m", "sphinx", *flags, str(DOCS), str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_that_a_person_wrote_is_there(site: Path) -> None:
    written = [path for path in DOCS.rglob("*.md") if "_build" not in path.parts]
    assert written
    for page in written:
        assert (site / page.relative_to(DOCS)).with_suffix(".html").is_file()


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_no_page_is_wider_than_its_window(site: Path, width: int, tmp_path: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    wide = []
    with browser(tmp_path / "profile") as tab:
        tab.size(width)
        for page in pages:
            tab.go(page.as_uri())
            assert tab.say("document.body.innerText.length"), page
            if tab.say("document.documentElement.scrollWidth") > width:
                wide.append(page.relative_to(site).as_posix())
        assert not tab.errors
    assert not wide
