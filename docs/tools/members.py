"""What members of classes have from elsewhere: texts of their base classes, and texts and results of the functions of their names."""
import re

import results

CONVERSION = re.compile(r"operator [\w:]")
# The classes whose members call functions, and what is said of these besides.
CALLING = {"ndarray": "", "sparse.matrix": "Of each entry; entries at one position are added up before."}


def base_members(entries, entry):
    """Of the nearest base first."""
    for base in (b for d in entry.declarations for b in d.bases):
        scope = entry.name.rpartition(".")[0]
        name = re.sub("<.*", "", base).replace("::", ".")
        if found := entries.get(f"{scope}.{name}" if scope else name) or entries.get(name):
            yield from found.members
            yield from base_members(entries, found)


def take_from_functions(entries, entry):
    for member in entry.members:
        function = entries.get(member.name)
        if function and function.kind == "alias":
            function = entries.get(function.row["of"])
        if function is None or function.kind != "function":
            continue
        if not member.text and function.row:
            member.text = " ".join(t for t in (function.text[0], CALLING[entry.name], f"See `gp::{member.name}`.") if t)
        if results.is_auto(member.signature) and entry.name == "ndarray":
            member.signature = results.named(member.signature, results.of_method(function, member))
        elif results.is_auto(member.signature) and function.row:
            member.signature = results.named(member.signature, "matrix<R, F>")


def take_from_bases(entries, entry):
    inherited = {}
    for member in base_members(entries, entry):
        if member.text:
            inherited.setdefault(member.name, member.text)
    for member in entry.members:
        member.text = member.text or inherited.get(member.name, "")


def share_conversions(entry):
    """Conversions to several types stand side by side, and one text is for all."""
    for before, one in zip(entry.members, entry.members[1:]):
        if not one.text and CONVERSION.match(one.name) and CONVERSION.match(before.name):
            one.text = before.text


def complete(entries):
    for name in CALLING:
        if name in entries:
            take_from_functions(entries, entries[name])
    for entry in entries.values():
        take_from_bases(entries, entry)
        share_conversions(entry)
