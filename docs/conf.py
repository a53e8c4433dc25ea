"""Sphinx's settings; scripts/docs runs it."""
import pathlib
import re

config = (pathlib.Path(__file__).parent.parent / "include/gparray/config.hpp").read_text()
project = "gparray"
author = "the gparray authors"
version = release = ".".join(re.search(rf"VERSION_{part} (\d+)", config)[1] for part in ("MAJOR", "MINOR", "PATCH"))
html_title = f"gparray {release}"

extensions = ["myst_parser"]
exclude_patterns = ["_site", "functions", "README.md", "tools"]
myst_enable_extensions = ["deflist"]
# Anchors of headings, as GitHub makes them.
myst_heading_anchors = 3
# Drawings of docs/architecture.md that scripts read are no language's.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "cpp"

html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
