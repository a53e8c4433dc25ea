"""What NumPy answers to the rows of the tables in docs/guide: writes tables_golden.tsv (scripts/make_golden tables).

Rows are found as tables.cmake finds them, which says how they are written. CuPy's names are NumPy's here, as far as there are any.
"""
import ast
import contextlib
import io
import os
import pathlib
import re
import tempfile
import types

import numpy as np
import numpy.fft
import numpy.random
import scipy

np.seterr(all="ignore")
here = pathlib.Path(__file__).parent
pages = here.parent.parent / "docs" / "guide"
errors = {"ValueError": "value_error", "TypeError": "type_error", "IndexError": "index_error", "AxisError": "axis_error",
          "LinAlgError": "linalg_error", "OverflowError": "overflow_error", "FileNotFoundError": "os_error",
          "BufferError": "buffer_error", "UFuncTypeError": "type_error", "_UFuncOutputCastingError": "type_error",
          "_UFuncNoLoopError": "type_error", "KeyError": "index_error"}


def number(x):
    if isinstance(x, (bool, np.bool_)):
        return str(int(x))
    if isinstance(x, (complex, np.complexfloating)):
        return number(x.real) + " " + number(x.imag)
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return repr(float(x))


def spell(x):
    """One line for each array, number or text in a result."""
    if x is None:
        return []
    if isinstance(x, (tuple, list)):
        return [line for item in x for line in spell(item)]
    if isinstance(x, (np.ndarray, np.generic)):
        shape = ",".join(map(str, x.shape))
        return [f"{x.dtype.name} ({shape}) " + " ".join(number(v) for v in np.asarray(x).ravel())]
    if isinstance(x, (bool, int, float, complex)):
        return ["number () " + number(x)]
    if isinstance(x, bytes):
        return ["number () " + number(v) for v in x]
    if isinstance(x, (np.dtype, type)):
        return ["text " + np.dtype(x).name]
    if isinstance(x, str):
        return ["text " + x]
    if hasattr(x, "_fields") or hasattr(x, "__iter__"):
        return [line for item in x for line in spell(item)]
    raise TypeError(f"cannot be compared: {type(x)}")


def answer(context, source, seen):
    names = {"np": np, "scipy": scipy}
    # A name for CuPy whose functions are NumPy's.
    cupy = types.ModuleType("cupy")
    cupy.__dict__.update({k: v for k, v in vars(np).items() if not k.startswith("__")})
    cupy.asnumpy = np.asarray
    names["cp"] = cupy
    exec(context, names)
    printed = io.StringIO()
    lines = []
    with contextlib.redirect_stdout(printed):
        try:
            *first, last = ast.parse(source).body
            if not isinstance(last, ast.Expr):
                first.append(last)
            exec(compile(ast.Module(first, []), "row", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "row", "eval"), names)
                lines = [] if seen else spell(value)
            for name in seen:
                lines += spell(eval(name, names))
        except Exception as e:
            if type(e).__name__ not in errors:
                raise
            lines = ["error " + errors[type(e).__name__]]
    if printed.getvalue():
        lines.insert(0, "text " + printed.getvalue().rstrip("\n"))
    return "\t".join(line.replace("\\", "\\\\").replace("\n", "\\n") for line in lines)


def rows_of(page):
    section, context, inside = "", "", False
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if line.startswith("```"):
            inside = line.startswith("```python")
        elif inside:
            context += line + "\n"
        elif line.startswith("## "):
            section, context = line[3:], ""
        elif line.startswith("| `"):
            cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            cells[0] = cells[0].replace("\\|", "|")
            directives = re.findall(r"<!-- *(.*?) *-->", line.replace("\\|", "|"))
            python = "\n".join(re.findall(r"`([^`]*)`", cells[0]))
            yield number, section, context, python, cells[1], directives


def main():
    os.chdir(tempfile.mkdtemp())
    lines = []
    for page in (pages / "cupy.md", pages / "numpy.md"):
        for number, section, context, python, ours, directives in rows_of(page):
            source, seen = python, []
            words = {d.split(":")[0] for d in directives}
            if not ours.startswith("`"):
                continue  # a row of prose
            for d in directives:
                if d.startswith("numpy:"):
                    source = d[6:].strip()
                elif d.startswith("see:"):
                    seen = [s.strip() for s in d[4:].split(";")]
            if words & {"run", "compiled", "refused"}:
                continue
            try:
                text = answer(context, source, seen)
            except Exception as e:
                raise SystemExit(f"{page.name}:{number}: {python}: {type(e).__name__}: {e}")
            if not text:
                raise SystemExit(f"{page.name}:{number}: {python}: gives nothing to compare")
            key = " ".join([python.replace("\n", "; ")] + [f"<!-- {d} -->" for d in directives])
            lines.append("\t".join([page.name, section, key, text]))
    (here / "tables_golden.tsv").write_text("".join(line + "\n" for line in lines))


main()
