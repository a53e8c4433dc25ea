"""make_reference.py XML ROWS: writes docs/reference, a page for each public name, and fails if one lacks something (missing.py).

XML is Doxygen's folder, ROWS the output of rows.cpp.
"""
import argparse
import pathlib
import sys

import declarations
import missing
import modules as module_pages
import pages
import texts

DOCS = pathlib.Path(__file__).resolve().parent.parent


def write(path, text):
    """Leaves what is the same alone, so that Sphinx does not read it again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def wrong_names(made, entries, text_modules):
    """Sections and parameters that no declaration has are mistakes of spelling."""
    for module, read in text_modules.items():
        where = f"docs/functions/{module}.md"
        of_module = set()
        for entry in entries.values():
            if entry.module == module:
                of_module |= made.explainable(entry)
        for name, text in read.texts.items():
            if name != "all" and (name not in entries or module not in entries[name].modules):
                yield f"{where}: {name} is no public name of this module"
                continue
            for parameter in text.parameters:
                of = [entries[n] for n in text.shared.get(parameter, [name]) if n in entries]
                allowed = of_module if name == "all" else set().union(*map(made.explainable, of))
                if any(n.strip().removeprefix(".") not in allowed for n in parameter.split(",")):
                    yield f"{where}: {name} has no parameter {parameter}"


def write_pages(made, modules, rows):
    folder, kept = DOCS / "reference", {}
    for module, members in modules.items():
        for entry in members:
            kept[folder / module / f"{entry.name}.md"] = made.page(entry)
        kept[folder / module / "index.md"] = module_pages.module(made, module, members)
    kept[folder / "index.md"] = module_pages.index(made, modules)
    for name, text in module_pages.tables(made, rows).items():
        kept[folder / f"{name}.md"] = text
    for path, text in kept.items():
        write(path, text)
    for old in set(folder.rglob("*.md")) - kept.keys():
        old.unlink()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xml")
    parser.add_argument("rows")
    given = parser.parse_args()
    rows = declarations.read_rows(given.rows)
    entries = declarations.read(given.xml, rows, DOCS.parent / "include")
    text_modules = texts.read(DOCS / "functions")
    made = pages.Pages(entries, text_modules)
    modules = {}
    for entry in sorted(entries.values(), key=lambda e: e.name.lower()):
        modules.setdefault(entry.module, []).append(entry)
    wrong = texts.PROBLEMS + list(wrong_names(made, entries, text_modules))
    for message in wrong:
        print(message, file=sys.stderr)
    write_pages(made, modules, rows)
    print(f"{len(entries)} names")
    complete = missing.report(missing.find(made, modules))
    return 0 if complete and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
