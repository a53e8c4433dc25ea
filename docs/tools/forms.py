"""The forms in which functions are called that come out of tables: element-wise functions, reductions, distributions."""
INPUTS = {1: ["a"], 2: ["a", "b"], 3: ["a", "b", "c"]}
NAMED_INPUTS = {"clip": ["a", "a_min", "a_max"], "where": ["condition", "x", "y"]}
EXTREMA = {"min", "max", "nanmin", "nanmax"}


def inputs(row):
    return NAMED_INPUTS.get(row["name"], INPUTS[row["arity"]])


def ufunc(row):
    names = inputs(row)
    values = ", ".join(f"operand_like {n}" for n in names)
    forms = [(f"expr<R> {row['name']}({values})", "a new expression, computed when it is needed"),
             (f"ndarray<W>& {row['name']}({values}, ndarray<W>& out, ufunc_options options = {{}})",
              "writes into out, which may be a view, and returns it"),
             (f"ndarray<R> {row['name']}({values}, ufunc_options options)",
              "with .out, and with .where only at the elements where the mask is true")]
    return forms if row["arity"] < 3 else forms[:1]


def ufunc_methods(row):
    name = f"ufuncs::{row['name']}"
    methods = [(f"ndarray<R> {name}.reduce(array_like a, int_or_none axis = 0, reduction_options options = {{}})",
                "puts the elements along an axis together"),
               (f"ndarray<R> {name}.accumulate(array_like a, int axis = 0)", "what reduce makes of the elements up to each"),
               (f"expr<R> {name}.outer(array_like a, array_like b)", "of each element of a with each of b")]
    if "at" in row["methods"]:
        methods.append((f"void {name}.at(array_like a, indices_like indices, operand_like b)",
                        "in place at the indices, where an index that occurs twice counts twice"))
    if "reduceat" in row["methods"]:
        methods.append((f"ndarray<R> {name}.reduceat(array_like a, indices_like indices, int axis = 0)",
                        "reduces the parts that begin at the indices"))
    return methods


def reduction(row):
    result = "std::pair" if "," in str(list(row["results"].values())[:1]) else "scalar_expr<R>"
    name, element = row["name"], "" if row["name"] == "all" else "<V>"
    array = "pair of ndarrays" if result == "std::pair" else "expr<R>"
    forms = [(f"{result} {name}(array_like a, reduction_options options = {{}})", "of all elements"),
             (f"{array} {name}(array_like a, axes_like axis, reduction_options options = {{}})",
              "along an axis, or along several: `{0, 1}`")]
    if result != "std::pair" and element:
        forms.append((f"template<element V>\n{array} {name}{element}(array_like a, ...)", "computed in V, NumPy's dtype="))
    return forms


def distribution(row):
    parameters = []
    for text in row["parameters"]:
        name, _, default = (p.strip() for p in (text.strip("()") + ",,").split(",", 2))
        if name:
            parameters.append(f"number_or_array {name} {default.strip(', ')}".strip())
    typed = row["result"] in ("single", "real")
    result = "ndarray<V>" if typed else "ndarray<std::int64_t>"
    head = "template<real_element V = double>\n" if typed else ""
    line = f"{result} {row['name']}({', '.join(parameters + ['size_type size = {}'])})"
    return [(head + line, f"a method of gp::random::Generator, and the function gp::random::{row['name']}")]


def of(row):
    """(signature, words) of each form; none of an alias."""
    make = {"ufunc": ufunc, "reduction": reduction, "distribution": distribution}.get(row["kind"])
    return make(row) if make else []


def parameters(row):
    """The names of a row's parameters, of which docs/functions may speak."""
    if row["kind"] == "ufunc":
        return inputs(row)
    if row["kind"] == "reduction":
        return ["a", "axis"]
    if row["kind"] == "distribution":
        return [n for n in (p.strip("()").split(",")[0].strip() for p in row["parameters"]) if n] + ["size"]
    return []
