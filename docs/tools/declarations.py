"""The public names: from Doxygen's XML, and from the tables' rows as docs/tools/rows.cpp prints them."""
import dataclasses
import json
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import results
import signatures

# The module of a header is its folder, or its own name, but for these.
MODULES = {
    "ndarray": "array", "span": "array", "dlpack": "array", "transfer": "array", "mdspan": "array", "eigen": "array",
    "ufunc": "ufuncs", "reduction": "reductions", "numeric": "math", "files": "files", "tables": "dtype",
    "device": "runtime", "stream": "runtime", "memory": "runtime", "graph": "runtime", "explain": "runtime",
    "error": "runtime", "config": "runtime", "memory_hooks": "runtime", "format": "text", "std_format": "text", "thrust": "kernels",
    "cub": "kernels",
}
ROW_MODULES = {"ufunc": "ufuncs", "alias": "ufuncs", "reduction": "reductions", "distribution": "random"}
ROW_HEADERS = {"ufuncs": "ufuncs.hpp", "reductions": "reductions.hpp", "random": "random.hpp"}
# Overloads that take a range where an array is meant, an axis by name, and other arguments by name: a sentence on the page stands for them.
RANGES, KEYWORDS, OPTIONS = "gparray/array/ranges.hpp", "gparray/array/keyword_axis.hpp", "gparray/array/keyword_options.hpp"
SPOKEN_OF = {RANGES, KEYWORDS, OPTIONS}
# docs/tools/comments marks lines of code in comments with this, so that they stay lines.
CODE_LINE = "\u2060"
# What is compiled into kernels, the objects that the pages of element-wise functions show, and what the guides speak of: functions on
# any dtype (docs/guide/dtypes.md), which are those of the same names, and what is for extension modules of Python (docs/guide/python.md).
HIDDEN_SCOPES = {"detail", "core", "ufuncs", "dynamic", "python"}


@dataclasses.dataclass
class Declaration:
    """One overload, type, concept, constant or member."""
    kind: str
    name: str
    signature: str
    text: str
    parameters: list = dataclasses.field(default_factory=list)
    types: list = dataclasses.field(default_factory=list)
    members: list = dataclasses.field(default_factory=list)
    bases: list = dataclasses.field(default_factory=list)
    line: int = 0
    only: str = ""
    path: str = ""
    calls_itself: bool = False

    def result(self, name):
        return results.of_signature(self.signature, name)


@dataclasses.dataclass
class Entry:
    """A public name, which has a page."""
    name: str  # without gparray::, with dots: linalg.norm
    module: str
    header: str
    declarations: list = dataclasses.field(default_factory=list)
    row: dict = None
    takes: set = dataclasses.field(default_factory=set)  # of SPOKEN_OF
    other_parameters: set = dataclasses.field(default_factory=set)  # of the overloads that these stand for

    def settle(self):
        """The page is of the module that declares the name first, a sparse one only if there is no other."""
        main = [d for d in self.declarations if d.path not in SPOKEN_OF]
        if main:
            self.takes = {d.path for d in self.declarations} & SPOKEN_OF
            self.other_parameters = {n for d in self.declarations if d not in main for n in [*d.parameters, "axis"]}
            self.declarations = main
        self.declarations.sort(key=lambda d: ("sparse/" in d.path, d.path, d.line))
        if self.declarations and not self.row:
            self.header = self.declarations[0].path
            self.module = module_of(self.header)
        found = {d.result(self.last) for d in self.declarations} - {"auto"}
        for d in self.declarations:
            if d.calls_itself and len(found) == 1:
                d.signature = results.named(d.signature, next(iter(found)))

    @property
    def text(self):
        """The comments of its declarations, each once."""
        texts = [self.row["doc"]] if self.row and self.row["doc"] else []
        return list(dict.fromkeys(texts + [d.text for d in self.declarations if d.text]))

    @property
    def modules(self):
        """Its own and those of further overloads, as asnumpy has one for sparse matrices."""
        return {self.module} | {module_of(d.path) for d in self.declarations if d.path} | set(map(module_of, self.takes))

    @property
    def kind(self):
        if self.row:
            return "alias" if self.row["kind"] == "alias" else "function"
        return self.declarations[0].kind

    @property
    def members(self):
        return [m for d in self.declarations for m in d.members]

    @property
    def last(self):
        return self.name.split(".")[-1]


def module_of(path):
    first = path.removeprefix("gparray/").split("/")[0].removesuffix(".hpp")
    return MODULES.get(first, first)


def plain(element):
    """The text of a type or comment in one line."""
    return "" if element is None else re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def comment(element):
    """Paragraphs between empty lines; lines of code, which are indented in the header, as a block of it."""
    paragraphs = []
    for part in ("briefdescription", "detaileddescription"):
        node = element.find(part)
        for p in node.findall("para") if node is not None else []:
            items = p.findall(".//listitem")
            paragraphs += ["* " + plain(item) for item in items] if items else [plain(p)]
    text = "\n\n".join(p for p in paragraphs if p)
    parts = re.split(rf"\s*((?:{CODE_LINE}[^{CODE_LINE}]*{CODE_LINE}\s*)+)", text)
    for i in range(1, len(parts), 2):
        lines = re.findall(rf"{CODE_LINE}([^{CODE_LINE}]*){CODE_LINE}", parts[i])
        parts[i] = "\n\n```cpp\n" + "\n".join(lines).replace("\u00a0", " ") + "\n```\n\n"
    return "".join(parts).strip()


def template_head(element):
    node = element.find("templateparamlist")
    if node is None:
        return ""
    parts = []
    for p in node.findall("param"):
        type_, name, default = (plain(p.find(tag)) for tag in ("type", "declname", "defval"))
        parts.append(type_ + (" " + name if name else "") + (" = " + default if default else ""))
    return signatures.tidy("template<" + ", ".join(parts) + ">") + "\n" if parts else ""


def body_of(element, root):
    """The lines of a definition."""
    place = element.find("location")
    if place.get("bodyfile") is None or int(place.get("bodyend", -1)) < 0:
        return []
    path = root / place.get("bodyfile")
    lines = path.read_text().splitlines() if path.exists() else []
    return lines[int(place.get("bodystart")) - 1:int(place.get("bodyend"))]


def function(element, root):
    parameters = [(plain(p.find("declname")), signatures.tidy(plain(p.find("type"))), plain(p.find("defval")))
                  for p in element.findall("param")]
    shown = [type_ + (" " + name if name else "") + (" = " + signatures.tidy(default) if default else "")
             for name, type_, default in parameters if type_ != "void"]
    result = signatures.tidy(plain(element.find("type")))
    arguments = plain(element.find("argsstring"))
    if trailing := re.search(r"\)\s*(?:const)?\s*(?:noexcept)?\s*->\s*(?!decltype)([\w:<>, ]+)$", arguments):
        result = signatures.tidy(trailing[1])
    name, calls_itself = element.find("name").text, False
    if result in ("auto", "decltype(auto)"):
        body = body_of(element, root)
        result = results.of_body(body) or "auto"
        calls_itself = any(re.search(rf"\breturn (gparray::)?{re.escape(name)}(<\w+>)?\(", line) for line in body)
    signature = signatures.joined(template_head(element), name, shown, result)
    if re.search(r"\)\s*const\b", arguments):
        signature += " const"
    constraint = element.find("requiresclause")
    only = signatures.requirement(plain(constraint)) if constraint is not None else ""
    return Declaration("function", name, signature, comment(element), [n for n, _, _ in parameters if n],
                       [t for _, t, _ in parameters], line=line_of(element), only=only,
                       path=element.find("location").get("file"), calls_itself=calls_itself)


def variable(element):
    kind, name = element.get("kind"), element.find("name").text
    type_ = signatures.tidy(plain(element.find("type")))
    initial = plain(element.find("initializer"))
    value = " " + signatures.tidy(initial) if initial.startswith("=") else ""
    signature = f"{template_head(element)}{type_} {name}{value}"
    if kind == "typedef":
        signature = f"{template_head(element)}using {name} = {type_}"
    elif kind == "enum":
        values = [plain(v.find("name")) for v in element.findall("enumvalue")]
        signature = f"enum class {name} {{ {', '.join(values)} }}"
        return Declaration(kind, name, signature, comment(element), line=int(element.find("location").get("line")),
                           members=[Declaration("enumvalue", plain(v.find("name")), plain(v.find("name")), comment(v))
                                    for v in element.findall("enumvalue") if comment(v)])
    return Declaration(kind, name, signature, comment(element), line=int(element.find("location").get("line")))


def is_hidden(element, name):
    return (HIDDEN_SCOPES & set(name.split("::")) or element.get("prot") in ("private", "protected")
            or ("::ufunc_math::" in name and element.tag == "compounddef")
            or "=delete" in plain(element.find("argsstring")).replace(" ", "")
            or "adopt_t" in plain(element.find("argsstring")) or name.startswith(("GPARRAY", "~", "names_follow")))


def is_copy(element, name):
    """What every class has: a constructor or an assignment from its own kind."""
    own = [plain(p.find("type")).replace(" ", "") for p in element.findall("param")]
    return len(own) == 1 and own[0] in (f"const{name}&", f"{name}&&")


def line_of(element):
    """Of the declaration, if the definition stands elsewhere."""
    place = element.find("location")
    return int(place.get("declline") or place.get("line"))


def is_elsewhere(element, path):
    """Whether a member comes out of a table, so that Doxygen knows its definition alone."""
    place = element.find("location")
    return (place.get("declfile") or place.get("file")) != path


def without_repeats(declarations):
    """Members that are defined outside of their class come twice, once without the default arguments."""
    best = {}
    for one in declarations:
        key = re.sub(r" = (?:\{\}|[^,()>]+(?:\(\))?)", "", re.sub(r"\s+", " ", one.signature.removesuffix(" const")))
        other = best.setdefault(key, one)
        other.text = one.text = other.text or one.text
        if len(one.signature) > len(other.signature):
            one.line = other.line
            best[key] = one
    return list(best.values())


def shares_texts(declarations):
    """An overload without a text has that of the one above it."""
    for before, one in zip(declarations, declarations[1:]):
        if one.name == before.name and not one.text:
            one.text = before.text
    return declarations


class Declarations:
    def __init__(self, root):
        self.entries, self.root = {}, root

    def add(self, qualified, path, declaration):
        name = qualified.removeprefix("gparray::").replace("::", ".")
        entry = self.entries.setdefault(name, Entry(name, module_of(path), path))
        declaration.path = path
        entry.declarations.append(declaration)

    def made(self, element):
        return function(element, self.root) if element.get("kind") == "function" else variable(element)

    def read_namespace(self, root):
        for element in root.iter("memberdef"):
            qualified, name = plain(element.find("qualifiedname")), element.find("name").text
            if (is_hidden(element, qualified) or name.startswith("operator") or not qualified.startswith("gparray::")):
                continue
            if "ufunc_math" in qualified and not comment(element):  # what kernels call
                continue
            self.add(qualified, element.find("location").get("file"), self.made(element))

    def read_class(self, root):
        compound = root.find("compounddef")
        qualified = compound.find("compoundname").text
        name = qualified.split("::")[-1]
        if "<" in qualified or is_hidden(compound, qualified) or not qualified.startswith("gparray::"):
            return
        # The definition of a private function outside of its class may seem a public one.
        private = {m.find("name").text for m in compound.iter("memberdef") if m.get("prot") == "private"} - {name}
        members = [self.made(m) for m in compound.iter("memberdef")
                   if m.get("kind") in ("function", "variable") and not is_copy(m, name)
                   and not is_hidden(m, m.find("name").text) and m.find("name").text not in private]
        path = compound.find("location").get("file")
        elsewhere = {m.find("name").text for m in compound.iter("memberdef") if is_elsewhere(m, path)}
        members.sort(key=lambda m: (m.name in elsewhere, m.line))
        bases = [plain(b) for b in compound.findall("basecompoundref") if "detail" not in plain(b)]
        made = Declaration(compound.get("kind"), name, f"{template_head(compound)}{compound.get('kind')} {name}",
                           comment(compound), members=without_repeats(shares_texts(members)),
                           bases=[signatures.tidy(b) for b in bases], line=int(compound.find("location").get("line")))
        self.add(qualified, compound.find("location").get("file"), made)

    def add_rows(self, rows):
        for row in rows:
            if row["kind"] not in ROW_MODULES:
                continue
            module = ROW_MODULES[row["kind"]]
            name = ("random." if module == "random" else "") + row["name"]
            entry = self.entries.setdefault(name, Entry(name, module, "gparray/" + ROW_HEADERS[module]))
            entry.row, entry.module = row, module


def read(xml_folder, rows, root):
    found = Declarations(pathlib.Path(root))
    for path in sorted(pathlib.Path(xml_folder).glob("*.xml")):
        if path.name.startswith("namespacegparray"):
            found.read_namespace(ElementTree.parse(path).getroot())
        elif path.name.startswith(("class", "struct", "concept")):
            found.read_class(ElementTree.parse(path).getroot())
    found.add_rows(rows)
    for entry in found.entries.values():
        entry.settle()
    return found.entries


def read_rows(path):
    return json.loads(pathlib.Path(path).read_text())
