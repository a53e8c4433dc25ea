"""list_pages.py PREFIX FOLDER: the names that autosummary tables in FOLDER's .rst and __init__.py files give a page each.

Writes docs/tools/pages/*.txt anew, from checkouts of NumPy and CuPy and the installed SciPy:
  list_pages.py numpy NUMPY/doc/source/reference >docs/tools/pages/numpy.txt
  list_pages.py cupy CUPY/docs/source/reference >docs/tools/pages/cupy.txt
  list_pages.py cupyx CUPY/docs/source/reference >docs/tools/pages/cupyx.txt
  list_pages.py scipy site-packages/scipy >docs/tools/pages/scipy.txt
Names stand there without the prefix: sort, linalg.norm.
"""
import pathlib
import re
import sys


def names(text, prefix):
    module, inside = prefix, False
    for line in text.splitlines():
        if found := re.match(r"\.\. (?:currentmodule|module|py:currentmodule|automodule):: *(\S+)", line):
            module, inside = found[1], False
        elif re.match(r"\.\. autosummary::", line):
            inside = True
        elif inside and (found := re.match(r" +([A-Za-z_][\w.]*)(?: .*)?$", line)):
            name = found[1]
            yield name if name.startswith(prefix + ".") else module + "." + name
        elif line and not line.startswith(" "):
            inside = False


def main():
    prefix, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    files = [*folder.rglob("*.rst"), *folder.rglob("__init__.py"), *folder.rglob("_*_api.py")]
    found = {n for f in files for n in names(f.read_text(), prefix)}
    for name in sorted(n.removeprefix(prefix + ".") for n in found if n.startswith(prefix + ".")):
        print(name)


main()
