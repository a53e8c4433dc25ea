"""The text of a function's page and of a module's, in MyST's Markdown."""
import pathlib
import re

import texts

HERE = pathlib.Path(__file__).parent
MANUALS = {
    "numpy": ("NumPy", "https://numpy.org/doc/stable/reference/generated/numpy.{}.html"),
    "cupy": ("CuPy", "https://docs.cupy.dev/en/stable/reference/generated/cupy.{}.html"),
}
DTYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
          "complex128").split()


def known(manual):
    return set((HERE / "pages" / f"{manual}.txt").read_text().split())


KNOWN = {manual: known(manual) for manual in MANUALS}


def escaped(text):
    """Comments are plain text: what Markdown would read as markup stays as it is."""
    return re.sub(r"([\\*_<>\[\]`|#$])", r"\\\1", text)


def code(language, text):
    return f"```{language}\n{text}\n```\n"


def row_signatures(row):
    name, kind = row["name"], row["kind"]
    if kind == "ufunc":
        inputs = ", ".join("abcde"[:row["arity"]])
        return [f"{name}({inputs})", f"{name}({inputs}, out)", f"{name}({inputs}, {{.out = out, .where = mask}})"]
    if kind == "reduction":
        return [f"{name}(a)", f"{name}(a, axis)", f"{name}(a, {{axis, axis}}, options)", f"{name}<V>(a)"]
    if kind == "distribution":
        parameters = []
        for text in row["parameters"]:
            parts = [p.strip() for p in text.strip("()").split(",") if p.strip()]
            if parts:
                parameters.append(parts[0] + (f" {parts[2]}" if len(parts) > 2 else ""))
        typed = row["result"] in ("single", "real")
        result = "ndarray<V>" if typed else "ndarray<std::int64_t>"
        head = "template<real_element V = double>\n" if typed else ""
        return [f"{head}{result} {name}({', '.join(parameters + ['size = {}'])})"]
    return []


def results_table(row):
    """Which dtypes give which: those with the same result share a line."""
    lines = {}
    for dtype in DTYPES:
        if result := row["results"].get(dtype):
            lines.setdefault("the same" if result == dtype else result, []).append(f"`{dtype}`")
    text = "| elements | result |\n|---|---|\n"
    for result, dtypes in lines.items():
        text += f"| {' '.join(dtypes)} | {result if result == 'the same' else f'`{result}`'} |\n"
    missing = [f"`{d}`" for d in DTYPES if d not in row["results"]]
    return text + (f"| {' '.join(missing)} | does not compile |\n" if missing else "")


def links(name):
    found = []
    for manual, (title, address) in MANUALS.items():
        if name in KNOWN[manual]:
            found.append(f"[{title}]({address.format(name)})")
    return "The same function in " + " and ".join(found) + ".\n" if found else ""


class Pages:
    def __init__(self, entries, modules):
        self.entries, self.modules = entries, modules

    def text_of(self, entry):
        """What docs/functions says: the section of the name over the one of all."""
        sections = self.modules.get(entry.module, ("", "", {}))[2]
        own, common = sections.get(entry.name, texts.Text()), sections.get("all", texts.Text())
        return texts.Text(common.fields | own.fields, common.parameters | own.parameters, own.paragraphs, own.examples)

    def options_of(self, entry):
        """The structs of keyword arguments that its overloads take."""
        names = {n for d in entry.declarations for t in d.types for n in re.findall(r"\b\w*options\w*\b", t)}
        if entry.row:
            names |= {"ufunc": {"ufunc_options"}, "reduction": {"reduction_options"}}.get(entry.row["kind"], set())
        scope = entry.name.rpartition(".")[0]
        for name in sorted(names):
            if found := self.entries.get(f"{scope}.{name}" if scope else name) or self.entries.get(name):
                yield found

    def signatures(self, entry):
        if entry.row:
            return row_signatures(entry.row)
        return list(dict.fromkeys(d.signature for d in entry.declarations))

    def head(self, entry):
        """No page of a function is in a toctree: Furo writes the whole tree into each page, which takes ten times as long."""
        title = self.modules.get(entry.module, (entry.module,))[0]
        return f"---\norphan: true\n---\n\n[Reference](../index.md) / [{title}](index.md)\n\n# {escaped(entry.name)}"

    def page(self, entry):
        if entry.row and entry.row["kind"] == "alias":
            of = entry.row["of"]
            return f"{self.head(entry)}\n\nAnother name of [{escaped(of)}]({of}.md).\n\n{links(entry.name)}"
        text = self.text_of(entry)
        parts = [self.head(entry) + "\n"]
        parts += [escaped(t) + "\n" for t in entry.text] + [p + "\n" for p in text.paragraphs]
        parts.append(code("cpp", f"#include <{entry.header}>\n\n" + "\n".join(
            s + ";" if "\n" not in s else s + ";\n" for s in self.signatures(entry)).rstrip()))
        parts += self.parameters(entry, text)
        if entry.row and "results" in entry.row:
            parts += ["## Result types\n", results_table(entry.row)]
        parts += self.members(entry)
        parts += self.fields(text)
        for number, (example, output) in enumerate(text.examples):
            parts += ["## Example\n"] * (number == 0) + [code("cpp", example), code("text", output)]
        parts.append(links(entry.name))
        return "\n".join(p for p in parts if p)

    def parameters(self, entry, text):
        names = list(dict.fromkeys(n for d in entry.declarations for n in d.parameters))
        lines = [f"`{n}`\n: {text.parameters[n]}\n" for n in names if n in text.parameters and n != "options"]
        for struct in self.options_of(entry):
            for member in struct.declarations[0].members:
                name, _, default = member.signature.partition(" = ")
                type_, _, name = name.rpartition(" ")
                said = escaped(member.text) or text.parameters.get(name, "")
                default = f", by default `{default}`" if default else ""
                lines.append(f"`.{name}` ({type_}{default})\n: {said or '...'}\n")
        return ["## Parameters\n"] + lines if lines else []

    def members(self, entry):
        lines = []
        for member in (m for d in entry.declarations for m in d.members):
            lines += [code("cpp", member.signature), escaped(member.text) + "\n"]
        return ["## Members\n"] + lines if lines else []

    def fields(self, text):
        lines = [f"{title}\n: {text.fields[key]}\n" for key, title in texts.FIELDS.items() if key in text.fields]
        return ["## Behaviour\n"] + lines if lines else []

    def module(self, name, entries):
        title, introduction, _ = self.modules.get(name, (name, "", {}))
        lines = [f"# {title}\n", introduction + "\n", "| name | |\n|---|---|"]
        for entry in entries:
            first = re.split(r"(?<=[.:;]) ", (entry.text or [""])[0])[0]
            if entry.row and entry.row["kind"] == "alias":
                first = f"Another name of {entry.row['of']}."
            lines.append(f"| [{escaped(entry.name)}]({entry.name}.md) | {escaped(first)} |")
        return "\n".join(lines) + "\n"
