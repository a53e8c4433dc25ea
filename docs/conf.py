"""Sphinx's settings; scripts/docs runs it."""
import pathlib
import re

here = pathlib.Path(__file__).parent
config = (here.parent / "include/gparray/config.hpp").read_text()
project = "gparray"
author = "the gparray authors"
version = release = ".".join(re.search(rf"VERSION_{part} (\d+)", config)[1] for part in ("MAJOR", "MINOR", "PATCH"))
html_title = f"gparray {release}"

extensions = ["myst_parser", "sphinx_design"]
exclude_patterns = ["_site", "functions", "README.md", "tools"]
myst_enable_extensions = ["deflist", "colon_fence"]
# Anchors of headings, as GitHub makes them.
myst_heading_anchors = 3
# Drawings of docs/architecture.md that scripts read are no language's.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "cpp"

html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_static_path = ["tools/static"]
html_css_files = ["manual.css"]


def take_pages_that_exist(app, name, source):
    """index.md names the guides in their order; those that are not written yet are left out of its toctrees and cards."""
    def kept(match):
        return match[0] if (here / f"{match[1]}.md").exists() else ""
    if name == "index":
        text = re.sub(r"^:::\{grid-item-card\}[^\n]*\n:link: (\S+)\n.*?^:::\n", kept, source[0], flags=re.MULTILINE | re.DOTALL)
        source[0] = re.sub(r"^([a-z0-9/-]+)\n", kept, text, flags=re.MULTILINE)


def setup(app):
    app.connect("source-read", take_pages_that_exist)
