"""How Sphinx builds the documentation; `make docs` runs it without a network."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from generate import everything  # noqa: E402

from sorites import __version__  # noqa: E402

project = "Sorites"
author = "The authors of Sorites"
copyright = "The authors of Sorites, Apache 2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
nitpicky = False

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
maximum_signature_line_length = 80

html_theme = "furo"
html_title = "Sorites"
html_static_path = ["_static"]
html_css_files = ["wide-tables.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}


def setup(app: object) -> None:
    """Write the pages that follow from the code, the schemas and the ledger, before all is read."""
    app.connect("builder-inited", lambda _app: everything(HERE))  # type: ignore[attr-defined]
