"""make_reference.py XML ROWS: writes docs/reference, a page for each public name, and holds the counts of what is missing.

XML is Doxygen's folder, ROWS the output of rows.cpp. docs/tools/missing.txt has a line for each module: how many names
have no text, and how many functions' pages no example. The counts may only fall; --write writes those of now.
"""
import argparse
import pathlib
import sys

import declarations
import pages
import texts

DOCS = pathlib.Path(__file__).resolve().parent.parent
COUNTS = DOCS / "tools" / "missing.txt"


def write(path, text):
    """Leaves what is the same alone, so that Sphinx does not read it again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def is_function(entry):
    row = entry.row
    return row["kind"] != "alias" if row else any(d.kind == "function" for d in entry.declarations)


def has_text(entry):
    return bool(entry.text) or bool(entry.row and entry.row["kind"] == "alias")


def count_missing(made, modules):
    counts = {}
    for module, entries in modules.items():
        without_text = sum(not has_text(e) and not made.text_of(e).paragraphs for e in entries)
        without_example = sum(is_function(e) and not made.text_of(e).shows(e.name) for e in entries)
        counts[module] = (without_text, without_example)
    return counts


def written(counts):
    total = tuple(sum(c) for c in zip(*counts.values()))
    lines = ["# module: names without a text, functions without an example (docs/tools/make_reference.py)"]
    lines += [f"{name} {a} {b}" for name, (a, b) in [*sorted(counts.items()), ("total", total)]]
    return "\n".join(lines) + "\n"


def check_counts(counts):
    """Says where there is more missing than is written down, and where less, which then has to be written."""
    before = dict.fromkeys(counts, (0, 0))
    for line in COUNTS.read_text().splitlines():
        name, *numbers = line.split()
        if name not in ("#", "total"):
            before[name] = tuple(map(int, numbers))
    wrong = False
    for name, now in sorted(counts.items()):
        if now == before[name]:
            continue
        wrong = True
        worse = now[0] > before[name][0] or now[1] > before[name][1]
        say = "more is missing than before" if worse else "less is missing: scripts/docs --write writes it down"
        print(f"{name}: {now[0]} names without a text, {now[1]} functions without an example, of {before[name]} "
              f"in docs/tools/missing.txt: {say}", file=sys.stderr)
    return not wrong


def check_names(entries, text_modules):
    """Sections and parameters that no declaration has are mistakes of spelling."""
    for module, (_, _, sections) in text_modules.items():
        for name in sections:
            if name != "all" and (name not in entries or entries[name].module != module):
                raise texts.BadText(f"docs/functions/{module}.md: {name} is no public name of this module")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("xml")
    parser.add_argument("rows")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    entries = declarations.read(given.xml, given.rows)
    text_modules = texts.read(DOCS / "functions")
    check_names(entries, text_modules)
    made = pages.Pages(entries, text_modules)
    modules = {}
    for entry in sorted(entries.values(), key=lambda e: e.name.lower()):
        modules.setdefault(entry.module, []).append(entry)

    folder, kept = DOCS / "reference", set()
    for module, members in modules.items():
        for entry in members:
            kept.add(folder / module / f"{entry.name}.md")
            write(folder / module / f"{entry.name}.md", made.page(entry))
        kept.add(folder / module / "index.md")
        write(folder / module / "index.md", made.module(module, members))
    index = "# Reference\n\n```{toctree}\n:maxdepth: 1\n\n" + "\n".join(f"{m}/index" for m in sorted(modules)) + "\n```\n"
    kept.add(folder / "index.md")
    write(folder / "index.md", index)
    for old in set(folder.rglob("*.md")) - kept:
        old.unlink()

    counts = count_missing(made, modules)
    if given.write:
        COUNTS.write_text(written(counts))
    total = tuple(sum(c) for c in zip(*counts.values()))
    print(f"{len(entries)} names; {total[0]} without a text, {total[1]} functions without an example")
    return 0 if check_counts(counts) else 1


if __name__ == "__main__":
    sys.exit(main())
