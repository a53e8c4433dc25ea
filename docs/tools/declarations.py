"""The public names: from Doxygen's XML, and from the tables' rows as docs/tools/rows.cpp prints them."""
import dataclasses
import json
import pathlib
import re
import xml.etree.ElementTree as ElementTree

# The module of a header is its folder, or its own name, but for these.
MODULES = {
    "ndarray": "array", "span": "array", "dlpack": "array", "transfer": "array", "mdspan": "array", "eigen": "array",
    "ufunc": "ufuncs", "reduction": "reductions", "numeric": "math", "files": "files", "tables": "dtype",
    "device": "runtime", "stream": "runtime", "memory": "runtime", "graph": "runtime", "explain": "runtime",
    "error": "runtime", "config": "runtime", "format": "text", "std_format": "text", "thrust": "kernels",
    "cub": "kernels",
}
ROW_MODULES = {"ufunc": "ufuncs", "alias": "ufuncs", "reduction": "reductions", "distribution": "random"}
ROW_HEADERS = {"ufuncs": "ufuncs.hpp", "reductions": "reductions.hpp", "random": "random.hpp"}


@dataclasses.dataclass
class Declaration:
    """One overload, type, concept or constant."""
    kind: str
    signature: str
    text: str
    parameters: list = dataclasses.field(default_factory=list)
    types: list = dataclasses.field(default_factory=list)
    members: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Entry:
    """A public name, which has a page."""
    name: str  # without gparray::, with dots: linalg.norm
    module: str
    header: str
    declarations: list = dataclasses.field(default_factory=list)
    row: dict = None

    @property
    def text(self):
        """The comments of its declarations, each once."""
        texts = [self.row["doc"]] if self.row else []
        return list(dict.fromkeys(texts + [d.text for d in self.declarations if d.text]))


def module_of(path):
    first = path.removeprefix("gparray/").split("/")[0].removesuffix(".hpp")
    return MODULES.get(first, first)


def plain(element):
    """The text of a type or comment, with the spaces that Doxygen puts into types taken out again."""
    if element is None:
        return ""
    text = re.sub(r"\s+", " ", "".join(element.itertext())).strip()
    return text


def tidy(code):
    code = re.sub(r"< (?=[\w:])", "<", code)
    code = re.sub(r" >", ">", code)
    code = re.sub(r"\bdetail::", "", code).replace("GPARRAY_API ", "")
    return re.sub(r" ([&*]+)(?=[\w.])", r"\1 ", code).replace("& &", "&&")


def comment(element):
    paragraphs = []
    for part in ("briefdescription", "detaileddescription"):
        node = element.find(part)
        paragraphs += [plain(p) for p in node.iter("para")] if node is not None else []
    return " ".join(p for p in paragraphs if p)


def template_line(element):
    node = element.find("templateparamlist")
    if node is None:
        return ""
    parts = []
    for p in node.findall("param"):
        text = plain(p.find("type"))
        name = plain(p.find("declname"))
        default = plain(p.find("defval"))
        parts.append(text + (" " + name if name else "") + (" = " + default if default else ""))
    return tidy("template<" + ", ".join(parts) + ">") + "\n"


def function(element):
    parameters = [(plain(p.find("declname")), tidy(plain(p.find("type"))), plain(p.find("defval")))
                  for p in element.findall("param")]
    shown = []
    for name, type_, default in parameters:
        text = type_ + (" " + name if name else "") + (" = " + tidy(default) if default else "")
        shown.append(text)
    result = tidy(plain(element.find("type")))
    signature = f"{template_line(element)}{result} {element.find('name').text}({', '.join(shown)})".strip()
    return Declaration("function", signature, comment(element), [n for n, _, _ in parameters if n],
                       [t for _, t, _ in parameters])


def variable(element):
    type_ = tidy(plain(element.find("type")))
    initial = plain(element.find("initializer"))
    signature = f"{type_} {element.find('name').text}{' ' + tidy(initial) if initial.startswith('=') else ''}"
    return Declaration(element.get("kind"), signature, comment(element))


def is_hidden(element, name):
    return ("detail" in name.split("::") or name.startswith("operator") or name.endswith("_t")
            or element.get("prot") in ("private", "protected")
            or "=delete" in plain(element.find("argsstring")).replace(" ", ""))


class Declarations:
    def __init__(self):
        self.entries = {}

    def add(self, qualified, path, declaration):
        name = qualified.removeprefix("gparray::").replace("::", ".")
        entry = self.entries.setdefault(name, Entry(name, module_of(path), path))
        entry.declarations.append(declaration)

    def read_namespace(self, root):
        for element in root.iter("memberdef"):
            qualified = plain(element.find("qualifiedname"))
            name = element.find("name").text
            path = element.find("location").get("file")
            if is_hidden(element, name) or not qualified.startswith("gparray::"):
                continue
            made = function(element) if element.get("kind") == "function" else variable(element)
            self.add(qualified, path, made)

    def read_class(self, root):
        compound = root.find("compounddef")
        qualified = compound.find("compoundname").text
        name = qualified.split("::")[-1]
        if "<" in qualified or "detail" in qualified or is_hidden(compound, name):
            return
        members = [function(m) if m.get("kind") == "function" else variable(m)
                   for m in compound.iter("memberdef")
                   if m.get("kind") in ("function", "variable") and not is_hidden(m, m.find("name").text)]
        made = Declaration(compound.get("kind"), f"{template_line(compound)}{compound.get('kind')} {name}",
                           comment(compound), members=members)
        self.add(qualified, compound.find("location").get("file"), made)

    def add_rows(self, rows):
        for row in rows:
            module = ROW_MODULES[row["kind"]]
            name = ("random." if module == "random" else "") + row["name"]
            entry = self.entries.setdefault(name, Entry(name, module, "gparray/" + ROW_HEADERS[module]))
            entry.row, entry.module = row, module


def read(xml_folder, rows_file):
    found = Declarations()
    for path in sorted(pathlib.Path(xml_folder).glob("*.xml")):
        if path.name.startswith("namespacegparray"):
            found.read_namespace(ElementTree.parse(path).getroot())
        elif path.name.startswith(("class", "struct", "concept")):
            found.read_class(ElementTree.parse(path).getroot())
    found.add_rows(json.loads(pathlib.Path(rows_file).read_text()))
    return found.entries
