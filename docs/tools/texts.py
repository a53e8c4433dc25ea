"""docs/functions/MODULE.md: what is said of a module's functions beside their declarations, and their examples.

  # Title                     then the module's introduction
  # Subject                   the module's page lists the names below it together, in this order; a name that is in several
                              sections is where it is first, and what stands before the first subject has none
  ## sort, argsort            what follows belongs to these pages; a name may be in several sections
  * `axis`: ...               a parameter or an option
  * cpu: ...                  a field, one of FIELDS; further lines are indented by two spaces
  Text                        paragraphs for the page; one that ends with a colon stands before the example that follows
  ```cpp ... ```              an example, and behind it ```text ... ```, what it prints. scripts/docs shows both,
                              tests/documents compiles the one and compares the other.
A section `## all` holds what every page of the module has, unless it says so itself.
"""
import dataclasses
import pathlib
import re

FIELDS = {
    "returns": "Returns", "throws": "Throws", "waits": "Waits for the device", "cpu": "CPU", "gpu": "GPU",
    "numpy": "Differences from NumPy", "see": "See also",
}


@dataclasses.dataclass
class Text:
    fields: dict = dataclasses.field(default_factory=dict)
    parameters: dict = dataclasses.field(default_factory=dict)
    paragraphs: list = dataclasses.field(default_factory=list)
    examples: list = dataclasses.field(default_factory=list)  # (code, output)
    leads: dict = dataclasses.field(default_factory=dict)  # the paragraph before an example, if it ends with a colon
    shared: dict = dataclasses.field(default_factory=dict)  # parameter: the names of its section, of which one has it
    place: tuple = ()  # of the subject, and within it; () without one

    def explained(self):
        """What is said of each parameter, also of those that share a line."""
        return {n.strip().removeprefix("."): said for key, said in self.parameters.items() for n in key.split(",")}

    def shows(self, name):
        """Whether an example calls the function: one of its group alone is not enough."""
        last = re.escape(name.split(".")[-1])
        return any(re.search(rf"\b{last}\b", code) for code, _ in self.examples)


# What is wrong with the pages, for make_reference.py to say: all of it at once.
PROBLEMS = []


def blocks(lines):
    """The parts between empty lines; a block of code stays in one piece."""
    block, fenced = [], False
    for line in lines + [""]:
        if line.startswith("```"):
            fenced = not fenced
        if line or fenced:
            block.append(line)
        elif block:
            yield block
            block = []


def add_items(block, text, where):
    item = None
    for line in block:
        if found := re.match(r"\* `([\w, ]+)`: (.*)", line):
            item = (text.parameters, found[1])
        elif found := re.match(r"\* (\w+): (.*)", line):
            if found[1] not in FIELDS:
                PROBLEMS.append(f"docs/functions/{where}: no field is called {found[1]}")
            item = (text.fields, found[1])
        elif item:
            item[0][item[1]] += " " + line.strip()
            continue
        else:
            PROBLEMS.append(f"docs/functions/{where}: {line}")
            continue
        if item[1] in item[0]:
            PROBLEMS.append(f"docs/functions/{where}: {item[1]} is there twice")
        item[0][item[1]] = found[2]


def add_section(text, lines, where):
    code = None
    for block in blocks(lines):
        if block[0].startswith("```cpp"):
            code = "\n".join(block[1:-1])
        elif block[0].startswith("```text"):
            if code is None:
                PROBLEMS.append(f"docs/functions/{where}: output without code")
                continue
            text.examples.append((code, "\n".join(block[1:-1])))
            code = None
        elif block[0].startswith("* "):
            add_items(block, text, where)
        elif block[-1].endswith(":"):
            text.leads[len(text.examples)] = "\n".join(block)
        else:
            text.paragraphs.append("\n".join(block))
    if code is not None:
        PROBLEMS.append(f"docs/functions/{where}: an example without its output")


@dataclasses.dataclass
class Module:
    title: str = ""
    introduction: str = ""
    texts: dict = dataclasses.field(default_factory=dict)  # by name
    subjects: list = dataclasses.field(default_factory=list)


def headed(text):
    """(level, heading, what stands below it) of all headings of one or two levels; in code a # is none."""
    found, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if (heading := re.match(r"(##?) (.*)", line)) and not fenced:
            found.append((len(heading[1]), heading[2], []))
        elif found:
            found[-1][2].append(line)
    return found


def read_module(path):
    (_, title, introduction), *rest = headed(path.read_text())
    module = Module(title, "\n".join(introduction).strip())
    for level, heading, lines in rest:
        if level == 1:
            module.subjects.append(heading)
            if any(line for line in lines):
                PROBLEMS.append(f"docs/functions/{path.name}: {heading} is a subject, whose text stands in sections")
            continue
        names = [name.strip() for name in heading.split(",")]
        for number, name in enumerate(names):
            text = module.texts.setdefault(name, Text())
            before = set(text.parameters)
            add_section(text, lines, f"{path.name}: {heading}")
            text.shared.update(dict.fromkeys(text.parameters.keys() - before, names))
            if module.subjects and not text.place:
                text.place = (len(module.subjects) - 1, len(module.texts), number)
    return module


def read(folder):
    return {path.stem: read_module(path) for path in sorted(pathlib.Path(folder).glob("*.md"))}
