"""versions.py SITE VERSION: what stands beside the versions of the manual: an index.html that leads to VERSION, and versions.json.

versions.json lists all versions that are in SITE, the newest first: [{"version": "0.2.0", "path": "0.2.0/"}, ...].
"""
import json
import pathlib
import re
import sys

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>gparray</title>
<meta http-equiv="refresh" content="0; url={0}/index.html">
<link rel="canonical" href="{0}/index.html">
<p><a href="{0}/index.html">The manual of gparray {0}</a></p>
</html>
"""


def order(version):
    return [int(n) for n in version.split(".")]


def versions(site):
    found = [p.name for p in site.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", p.name) and (p / "index.html").exists()]
    return sorted(found, key=order, reverse=True)


def main():
    site, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    (site / "index.html").write_text(PAGE.format(version))
    listed = [{"version": v, "path": f"{v}/"} for v in versions(site)]
    (site / "versions.json").write_text(json.dumps(listed, indent=2) + "\n")


if __name__ == "__main__":
    main()
