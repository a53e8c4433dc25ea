"""What is missing from the manual: nothing may be."""
import re
import sys

# What is missing, and what it is missing from, in words.
KINDS = {
    "texts": "has no text", "members": "is a member without a text", "examples": "is called by no example of its own",
    "parameters": "is a parameter or an option that nothing explains", "returns": "returns an array, and no field says of which dtype and shape",
    "costs": "has no fields cpu and gpu",
}
# Results that a signature says in full.
PLAIN = re.compile(r"void|bool|char|int|double|float|any_array|(std::)?(size_t|u?int\d+_t|string|string_view)|[a-z_:]*dtype|dims|device|format")


def is_options(entry):
    return entry.kind == "struct" and "options" in entry.last


def is_function(entry):
    return entry.kind == "function"


def names_it(text, name):
    """Whether a comment speaks of a parameter; a bare `a` may be the article."""
    return f"`{name}`" in text or (name != "a" and re.search(rf"\b{re.escape(name)}\b", text) is not None)


def returns_arrays(entry):
    found = (re.sub(r"^(const|inline) |[&*]+$", "", d.result(entry.last)) for d in entry.declarations)
    return entry.row is not None or not all(PLAIN.fullmatch(result) for result in found)


def of_entry(entry, made):
    """(kind, what is missing) for a name."""
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
        if "returns" not in text.fields and returns_arrays(entry):
            yield "returns", ""
        if "cpu" not in text.fields or "gpu" not in text.fields:
            yield "costs", ""


def find(made, modules):
    """(module, kind, name) of each."""
    for module, entries in modules.items():
        for entry in entries:
            for kind, part in of_entry(entry, made):
                yield module, kind, entry.name + (f": {part}" if part else "")


def report(found):
    """Whether nothing is missing."""
    found = list(found)
    for module, kind, name in found:
        print(f"{module}: {name} {KINDS[kind]}", file=sys.stderr)
    return not found
