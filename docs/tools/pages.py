"""The text of a function's, type's or constant's page, in MyST's Markdown."""
import re

import declarations
import forms
import manuals
import members
import missing
import results
import signatures
import texts

DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
          "complex128").split()

ALSO = {
    declarations.RANGES: "Instead of an array it takes a range of numbers in host memory, too: a `std::vector`, `std::array` "
                         "or `std::span`, a view, or a C array.",
    declarations.KEYWORDS: "The axis can be given by name, too: `{.axis = 0}`.",
    declarations.OPTIONS: "What follows the arrays can be given by NumPy's names, too, in braces.",
}


def escaped(text):
    """Comments are plain text but for code between backticks: what Markdown would read as markup stays as it is."""
    blocks = re.split(r"(```cpp\n.*?\n```)", text, flags=re.DOTALL)
    for i in range(0, len(blocks), 2):
        parts = re.split(r"(`[^`\n]+`)", blocks[i])
        parts[::2] = [re.sub(r"([\\_<>\[\]`|#$]|\*(?! ))", r"\\\1", part) for part in parts[::2]]
        blocks[i] = "".join(parts)
    return "".join(blocks)


def code(language, text):
    return f"```{language}\n{text}\n```\n"


def first_sentence(text):
    text = re.split(r"\n\n|```", text)[0]
    return re.split(r"(?<=[.:;])\s(?=[A-Z`({])", text)[0].rstrip(":;").strip()


def results_table(row):
    """Which dtypes give which: those with the same result share a line."""
    lines = {}
    for dtype in DTYPES:
        if result := row["results"].get(dtype):
            lines.setdefault("the same dtype" if result == dtype else result, []).append(f"`{dtype}`")
    text = "| dtype of the elements | dtype of the result |\n|---|---|\n"
    for result, dtypes in lines.items():
        text += f"| {' '.join(dtypes)} | {result if result == 'the same dtype' else f'`{result}`'} |\n"
    missing_ones = [f"`{d}`" for d in DTYPES if d not in row["results"]]
    return text + (f"| {' '.join(missing_ones)} | not defined: the call does not compile |\n" if missing_ones else "")


class Pages:
    def __init__(self, entries, modules):
        self.entries, self.modules = entries, modules
        for entry in entries.values():
            said = results.of_text(self.text_of(entry).fields.get("returns", ""))
            for one in entry.declarations:
                if entry.module == "sparse" or "sparse/" not in one.path:
                    one.signature = results.named(one.signature, said)
        members.complete(entries)

    def title_of(self, module):
        return self.module_of(module).title

    def module_of(self, module):
        return self.modules.get(module) or texts.Module(module.capitalize())

    def text_of(self, entry):
        """What docs/functions says: the section of the name over the one of all."""
        sections = self.module_of(entry.module).texts
        own, common = sections.get(entry.name, texts.Text()), sections.get("all", texts.Text())
        for module in sorted(entry.modules - {entry.module}):
            if more := self.module_of(module).texts.get(entry.name):
                own = texts.Text(more.fields | own.fields, more.parameters | own.parameters,
                                 own.paragraphs + more.paragraphs, own.examples + more.examples, own.leads)
        return texts.Text(common.fields | own.fields, common.parameters | own.parameters, own.paragraphs, own.examples, own.leads)

    def place_of(self, entry):
        """Where the module's page lists it: (number of the subject, place within it), () if no subject has it."""
        name = entry.row["of"] if entry.kind == "alias" else entry.name
        said = self.module_of(entry.module).texts.get(name)
        return said.place if said else ()

    def options_of(self, entry):
        """The structs of keyword arguments that its overloads take."""
        names = {n for d in entry.declarations for t in d.types for n in re.findall(r"\b\w*options\w*\b", t)}
        if entry.row:
            names |= {"ufunc": {"ufunc_options"}, "reduction": {"reduction_options"}}.get(entry.row["kind"], set())
        scope = entry.name.rpartition(".")[0]
        for name in sorted(names):
            if found := self.entries.get(f"{scope}.{name}" if scope else name) or self.entries.get(name):
                yield found

    def parameters_of(self, entry):
        """In their order; those of rows come from the forms, not from the macros."""
        if entry.row:
            return forms.parameters(entry.row) if entry.row["kind"] == "distribution" else []
        return list(dict.fromkeys(n for d in entry.declarations for n in d.parameters))

    def explainable(self, entry):
        """Every name that a `* `name`:` of docs/functions may explain on this page."""
        names = {n for d in entry.declarations for n in d.parameters} | entry.other_parameters
        names |= {m.name for m in entry.members}
        names |= {n for m in entry.members for n in m.parameters}
        names |= {m.name for s in self.options_of(entry) for m in s.members}
        if entry.row:
            names |= set(forms.parameters(entry.row)) | {"x", "y", "a", "b", "c", "x1", "x2", "out", "axis", "V"}
        heads = [d.signature.split("\n")[0] for d in entry.declarations]
        return names | {"options"} | {n for head in heads for n in re.findall(r"\w+", head)}

    def find(self, entry, name):
        """The entry that a word in a text means: of the page's own scope first."""
        name = re.sub(r"^(gp|gparray)::", "", name).removesuffix("()").replace("::", ".")
        scope = entry.name.rpartition(".")[0] if entry else ""
        return self.entries.get(f"{scope}.{name}" if scope else name) or self.entries.get(name)

    def linked(self, entry, text, every=False):
        """Public names in backticks become links, but for parameters of the page; with `every` bare names too."""
        own = self.explainable(entry)

        def link(match):
            name = match[1] or match[2]
            found = self.find(entry, name)
            if found is None or found is entry or (name in own and not every):
                return match[0]
            return f"[`{name}`](../{found.module}/{found.name}.md)"
        spelled = r"`((?:gp::|gparray::)?[A-Za-z_][\w.:]*(?:\(\))?)`"
        bare = r"|(?<![`\w.:])((?:gp::)?[a-z_]\w*(?:(?:\.|::)\w+)*)(?![\w`])" if every else r"|(?!)()"
        blocks = re.split(r"(```.*?```|\[[^\]]*\]\([^)]*\))", text, flags=re.DOTALL)
        blocks[::2] = [re.sub(spelled + bare, link, block) for block in blocks[::2]]
        return "".join(blocks)

    def head(self, entry):
        """No page of a function is in a toctree: Furo writes the whole tree into each page, which takes ten times as long."""
        return (f"---\norphan: true\n---\n\n[Reference](../index.md) / [{self.title_of(entry.module)}](index.md)\n\n"
                f"# {escaped(entry.name)}")

    def page(self, entry):
        if entry.kind == "alias":
            of = entry.row["of"]
            return f"{self.head(entry)}\n\nAnother name of [{escaped(of)}]({of}.md).\n\n{manuals.line(entry.name)}"
        text = self.text_of(entry)
        parts = [self.head(entry) + "\n"] + self.declared(entry) + [self.linked(entry, p) + "\n" for p in text.paragraphs]
        parts += self.parameters(entry, text)
        if entry.row and "results" in entry.row:
            parts += ["## Result types\n", results_table(entry.row)]
        parts += self.fields(entry, text)
        for number, (example, output) in enumerate(text.examples):
            parts += ["## Example\n"] * (number == 0)
            parts += [self.linked(entry, text.leads[number]) + "\n"] if number in text.leads else []
            parts.append(code("cpp", example))
            parts += [code("text", output)] if output.strip() else []
        parts += self.members(entry)
        return "\n".join(p for p in parts + [self.foot(entry)] if p)

    def declared(self, entry):
        """The overloads, each under its text; those of one text share a block."""
        include = code("cpp", f"#include <{entry.header}>")
        if entry.row:
            called = [forms.of(entry.row), forms.ufunc_methods(entry.row) if entry.row.get("methods") else []]
            blocks = [code("cpp", "\n\n".join(f"// {w[0].upper()}{w[1:]}.\n{signatures.wrapped(s)};" for s, w in rows))
                      for rows in called if rows]
            shown = [*[escaped(t) + "\n" for t in entry.text[:1]], blocks[0]]
            if len(blocks) > 1:
                shown += ["As an object it has the methods of NumPy's ufuncs:\n", blocks[1]]
            seen = "\n".join(s for rows in called for s, _ in rows)
            return shown + self.words(seen) + [include]
        groups, seen = {}, ""
        last = ""
        for d in entry.declarations:
            last = d.text or last
            line = d.signature + ";" + (f"  // {d.only}".replace("`", "") if d.only else "")
            lines = groups.setdefault(last, [])
            if line not in lines:
                lines.append(line)
            seen += line
        parts = []
        for text, lines in groups.items():
            if text:
                parts.append(self.linked(entry, escaped(text)) + "\n")
            parts.append(code("cpp", "\n\n".join(lines) if any("\n" in s for s in lines) else "\n".join(lines)))
        bases = [b for d in entry.declarations for b in d.bases]
        if bases:
            shown = ", ".join(self.linked(entry, f"`{re.sub('<.*', '', b)}`") for b in bases)
            parts.append(f"It has the members of {shown}, too.\n")
        also = [sentence for path, sentence in ALSO.items() if path in entry.takes]
        return parts + [" ".join(also) + "\n" if also else ""] + self.words(seen) + [include]

    def words(self, seen):
        """What the constraints and helper types of the signatures are."""
        lines = [f"* `{name}`: {words}" for name, words in signatures.words_in(seen)]
        return ["where\n", "\n".join(lines) + "\n"] if lines else []

    def parameters(self, entry, text):
        names = self.parameters_of(entry)
        if entry.row:
            names = names + [n for n in text.parameters if n not in names and n in self.explainable(entry)]
        options = {m.name for s in self.options_of(entry) for m in s.members}
        explained = text.explained()
        lines = [f"`{n}`\n: {self.linked(entry, explained[n])}\n" for n in names
                 if n in explained and n != "options" and n not in options - set(names)]
        structs = list(self.options_of(entry))
        for struct in structs:
            for member in struct.members:
                if member.kind != "variable":
                    continue
                name, _, default = member.signature.partition(" = ")
                type_ = name.rpartition(" ")[0]
                said = self.linked(entry, escaped(member.text)).replace("\n\n", "\n\n  ")
                said = said or explained.get(member.name, "")
                default = f", by default `{default}`" if default not in ("", "{}") else ""
                lines.append(f"`.{member.name}` (`{type_}`{default})\n: {said or '&nbsp;'}\n")
        if not lines:
            return []
        of = " and ".join(f"[`{s.last}`](../{s.module}/{s.name}.md)" for s in structs)
        return ["## Parameters\n"] + lines + ([f"Options with a dot are members of {of}.\n"] if of else [])

    def members(self, entry):
        groups, blank = {}, "\n\n"
        for member in entry.members:
            groups.setdefault(member.name, []).append(member)
        if not groups:
            return []
        if entry.kind == "struct" and all(m.kind == "variable" for m in entry.members) or entry.kind == "enum":
            lines = [f"`{m.signature}`\n: {self.linked(entry, escaped(m.text)).replace(blank, blank + '  ') or '&nbsp;'}\n"
                     for m in entry.members]
            return ["## Members\n"] + lines
        parts = ["## Members\n"]
        for name, members in groups.items():
            parts.append(f"### {escaped(name)}\n")
            texts_of = {}
            for m in members:
                line = m.signature + ";" + (f"  // {m.only}".replace("`", "") if m.only else "")
                texts_of.setdefault(m.text, []).append(line)
            for text, lines in texts_of.items():
                between = "\n\n" if any("\n" in line for line in lines) else "\n"
                parts.append(code("cpp", between.join(dict.fromkeys(lines))))
                parts.append(self.linked(entry, escaped(text)) + "\n" if text else "")
        return parts

    def fields(self, entry, text):
        lines = [f"{title}\n: {self.linked(entry, text.fields[key], every=key == 'see')}\n"
                 for key, title in texts.FIELDS.items() if key in text.fields]
        return ["## Behaviour\n"] + lines if lines else []

    def foot(self, entry):
        line = next((d.line for d in entry.declarations), 0)
        place = f"include/{entry.header}" + (f", line {line}" if line and not entry.row else "")
        return manuals.line(entry.name) + f"\nDeclared in `{place}`.\n"

    def summary(self, entry):
        if entry.kind == "alias":
            return f"Another name of `{entry.row['of']}`."
        said = entry.text or self.text_of(entry).paragraphs or [""]
        return escaped(first_sentence(said[0])).replace("\n", " ")

    def is_minor(self, entry):
        return missing.is_options(entry) or entry.last.endswith(("_result", "_t"))
