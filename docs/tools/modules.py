"""The pages of modules, of the whole reference, and the tables of what comes out of the library's own tables."""
import pages

KINDS = {"function": "Functions", "class": "Classes", "struct": "Classes", "concept": "Concepts", "typedef": "Types",
         "enum": "Types", "variable": "Constants", "alias": "Other names of functions"}
ORDER = ["Functions", "Classes", "Concepts", "Constants", "Types", "Other names of functions"]
DTYPE_KINDS = {"b": "bool", "i": "signed integer", "u": "unsigned integer", "f": "floating point", "c": "complex"}


def group_of(made, entry):
    """(order, heading): the subject under which docs/functions speaks of it, else its kind; what functions link to is at the end."""
    if made.is_minor(entry):
        return len(ORDER), "Options, results and tags"
    if place := made.place_of(entry):
        return place[0] - 1000, made.module_of(entry.module).subjects[place[0]]
    kind = KINDS.get(entry.kind, "Types")
    return ORDER.index(kind), kind


def table(made, module, entries):
    lines = ["| name | |", "|---|---|"]
    lines += [f"| [{pages.escaped(e.name)}]({e.name}.md) | {cell(made.summary(e))} |" for e in entries]
    return "\n".join(lines) + "\n"


def cell(text):
    return text.replace("|", "\\|").replace("\\\\|", "\\|")


def module(made, name, entries):
    of_module, groups = made.module_of(name), {}
    for entry in entries:
        groups.setdefault(group_of(made, entry), []).append(entry)
    parts = [f"# {of_module.title}\n", of_module.introduction + "\n" if of_module.introduction else ""]
    for order, heading in sorted(groups):
        members = sorted(groups[order, heading], key=lambda e: (made.place_of(e), e.name.lower()))
        parts += [f"## {heading}\n", table(made, name, members)]
    return "\n".join(p for p in parts if p)


def index(made, modules):
    lines = ["# Reference\n", "A page for every public name, module by module. "
             "The search finds functions by their names.\n", "| module | names |", "|---|---|"]
    for name in sorted(modules, key=lambda m: made.title_of(m).lower()):
        count = sum(not made.is_minor(e) for e in modules[name])
        lines.append(f"| [{made.title_of(name)}]({name}/index.md) | {count} |")
    tree = "\n".join(f"{name}/index" for name in sorted(modules, key=lambda m: made.title_of(m).lower()))
    lines += ["", "## Tables\n", "* [All element-wise functions](ufuncs.md)", "* [All reductions](reductions.md)",
              "* [All distributions](distributions.md)", "* [Sparse formats](sparse_formats.md)", "* [dtypes](dtypes.md)\n",
              "```{toctree}\n:hidden:\n:maxdepth: 1\n", tree,
              "ufuncs\nreductions\ndistributions\nsparse_formats\ndtypes\n```\n"]
    return "\n".join(lines)


def short(results):
    """Dtypes of results for a few dtypes of elements."""
    return " | ".join(f"`{results[d]}`" if d in results else "" for d in ("bool", "int32", "float32", "complex64"))


def tables(made, rows):
    def of(kind):
        return sorted((r for r in rows if r["kind"] == kind), key=lambda r: r["name"])

    def link(module, row, scope=""):
        return f"[{pages.escaped(row['name'])}]({module}/{scope}{row['name']}.md)"

    def page(title, text, head, lines):
        return f"# {title}\n\n{text}\n\n| {head} |\n|{'---|' * (head.count('|') + 1)}\n" + "\n".join(lines) + "\n"
    others = {}
    for row in of("alias"):
        others.setdefault(row["of"], []).append(f"`{row['name']}`")
    results = "of `bool` | of `int32` | of `float32` | of `complex64`"
    return {
        "ufuncs": page("All element-wise functions", "What each computes, and the dtype of its result for four dtypes.",
                       f"name | | {results} | other names",
                       [f"| {link('ufuncs', r)} | {cell(pages.escaped(r['doc']))} | {short(r['results'])} "
                        f"| {', '.join(others.get(r['name'], []))} |" for r in of("ufunc")]),
        "reductions": page("All reductions", "What each computes, and the dtype of its result for four dtypes.",
                           f"name | | {results}",
                           [f"| {link('reductions', r)} | {cell(pages.escaped(r['doc']))} | {short(r['results'])} |"
                            for r in of("reduction")]),
        "distributions": page("All distributions", "Methods of `gp::random::Generator`, and functions of `gp::random`.",
                              "name | | result",
                              [f"| {link('random', r, 'random.')} | {cell(pages.escaped(r['doc']))} "
                               f"| {'`float` or `double`' if r['result'] in ('single', 'real') else '`int64`'} |"
                               for r in of("distribution")]),
        "sparse_formats": page("Sparse formats", "The formats of `gp::sparse::matrix`; `to` and the name convert: `a.tocsr()`.",
                               "format | name | entries | transposed",
                               [f"| `{r['name']}_matrix` | {r['title']} | {cell(pages.escaped(r['doc']))} | `{r['transposed']}` |"
                                for r in of("format")]),
        "dtypes": page("dtypes", "The element types of arrays, in the order of promotion within a kind.",
                       "dtype | kind | bytes", [f"| `{r['name']}` | {DTYPE_KINDS[r['letter']]} | {r['bytes']} |"
                                                for r in rows if r["kind"] == "dtype"]),
    }
