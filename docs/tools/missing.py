"""What is missing from the manual, counted by module, and docs/tools/missing.txt, which holds the counts: they may only fall."""
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).parent / "missing.txt"
COLUMNS = ("texts", "members", "examples", "parameters", "costs")
EXPLAINED = """# What is missing, by module (docs/tools/missing.py); the counts may only fall, and scripts/docs --write writes them down:
# texts: public names without a text; members: members of classes without one; examples: functions that no example calls;
# parameters: parameters and options that nothing explains; costs: functions without the fields cpu and gpu
"""


def is_options(entry):
    return entry.kind == "struct" and "options" in entry.last


def is_function(entry):
    return entry.kind == "function"


def names_it(text, name):
    """Whether a comment speaks of a parameter; a bare `a` may be the article."""
    return f"`{name}`" in text or (name != "a" and re.search(rf"\b{re.escape(name)}\b", text) is not None)


def of_entry(entry, made):
    """(column, what is missing) for a name."""
    text = made.text_of(entry)
    explained = text.explained()
    if entry.kind == "alias":
        return
    if not entry.text and not text.paragraphs:
        yield "texts", ""
    described = {member.name for member in entry.members if member.text}
    for member in {m.name: m for m in entry.members}.values():
        said = member.name in described or member.name in explained
        if not said and member.name != entry.last:
            yield ("parameters" if is_options(entry) else "members"), member.name
    if is_function(entry):
        if not text.shows(entry.name):
            yield "examples", ""
        for name in made.parameters_of(entry):
            if name not in explained and name not in ("options", "...") and not names_it(" ".join(entry.text), name):
                yield "parameters", name
        if "cpu" not in text.fields or "gpu" not in text.fields:
            yield "costs", ""


def find(made, modules):
    """{module: {column: [name, ...]}}."""
    found = {}
    for module, entries in modules.items():
        lists = found.setdefault(module, {c: [] for c in COLUMNS})
        for entry in entries:
            for column, part in of_entry(entry, made):
                lists[column].append(entry.name + (f": {part}" if part else ""))
    return found


def totals(counts):
    return [sum(c) for c in zip(*counts.values())]


def written(counts):
    rows = [*sorted(counts.items()), ("total", totals(counts))]
    lines = ["module " + " ".join(COLUMNS)] + [f"{name} {' '.join(map(str, c))}" for name, c in rows]
    return EXPLAINED + "\n".join(lines) + "\n"


def read():
    lines = [line.split() for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return {name: [int(n) for n in numbers] for name, *numbers in lines if name not in ("module", "total")}


def check(counts, before):
    """Messages for each count that rose, or fell and is not written down."""
    for module in sorted(counts.keys() | before.keys()):
        now, was = counts.get(module, [0] * len(COLUMNS)), before.get(module, [0] * len(COLUMNS))
        for column, a, b in zip(COLUMNS, now, was):
            if a > b:
                yield f"{module}: {a} {column} are missing, {b} in docs/tools/missing.txt: the counts may only fall"
            elif a < b:
                yield f"{module}: {a} {column} are missing, fewer than the {b} in docs/tools/missing.txt: " \
                      "scripts/docs --write writes it down"


def report(found, write, verbose):
    """Whether nothing more is missing than is written down."""
    counts = {module: [len(lists[c]) for c in COLUMNS] for module, lists in found.items()}
    if write:
        FILE.write_text(written(counts))
    print("missing: " + ", ".join(f"{n} {c}" for n, c in zip(totals(counts), COLUMNS)))
    messages = list(check(counts, read()))
    for message in messages:
        print(message, file=sys.stderr)
    for module in verbose:
        for column, names in found.get(module, {}).items():
            for name in names:
                print(f"{module} {column}: {name}")
    return not messages
