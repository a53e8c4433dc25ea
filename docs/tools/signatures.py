"""Signatures as a reader wants them: without the names of the implementation."""
import re

# Names of the implementation that stand in public declarations: what is shown for each, and what it is in words.
SHOWN = {
    "slice_end": ("int_or_none", "an integer or `gp::none`"),
    "axes_like": ("axes_like", "one axis, or a range of axes such as `gp::dims`"),
    "axis_list": ("axis_list", "axes in braces: `{0, -1}`"),
    "axis_value": ("axes_or_none", "one axis, axes in braces, or `gp::none`"),
    "element_range": ("number_range", "a range of numbers in host memory: `std::vector`, `std::span`, `std::array`"),
    "array_range": ("array_range", "a range of arrays, such as `std::vector<gp::ndarray<double>>`"),
    "integer_range": ("integer_range", "a range of integers, such as `std::vector<int>`"),
    "size_list": ("size_range", "a range of integers"),
    "sparse_range": ("sparse_range", "a range of sparse matrices of one type"),
    "factorable": ("factorable", "an array of a dtype that LAPACK takes: not `float16` and `bfloat16`"),
    "sparse_factorable": ("sparse_factorable", "a sparse matrix of a dtype that solvers take"),
    "optional_dims": ("dims_or_none", "sizes or axes in braces, or `gp::none`"),
    "dims_option": ("dims_or_none", "sizes or axes in braces, or nothing"),
    "sample_size": ("size_type", "a number, sizes in braces, or `gp::none`: the shape that the parameters broadcast to"),
    "distribution_parameter": ("number_or_array", "a real number or an array of real numbers"),
    "drawing_bound": ("integer_or_array", "an integer, an array of integers, or `gp::none`"),
    "pick_item": ("index_item", "an integer, a slice, an array of integers or bool, or integers in braces"),
    "index_item": ("index_item", "an integer, `gp::slice`, `gp::all`, `gp::newaxis` or `gp::ellipsis`"),
    "indices_like": ("indices_like", "an array or range of integers or bool"),
    "picking_array": ("index_array", "an array of integers or bool"),
    "index_tuple": ("index_tuple", "one index array for each axis, as `gp::nonzero` returns them"),
    "norm_order": ("norm_order", "a number, `\"fro\"`, `\"nuc\"` or `gp::none`"),
    "sparse_shape": ("shape_or_none", "rows and columns in braces, or nothing"),
    "tolerance": ("tolerance", "a number, an array of one number for each matrix, or `gp::none`"),
    "per_side": ("per_side", "one value, `{before, after}`, or such a pair for each axis"),
    "dd_bins": ("bins_type", "a number of bins, one number for each axis, or the edges for each axis"),
    "optional_range": ("range_or_none", "a lower and an upper bound in braces, or nothing"),
    "array_or_list": ("array_or_list", "an array, or numbers in braces"),
    "other_operand": ("operand_like", "an array or a number"),
    "joined_item": ("joined_item", "an array, a number, `gp::slice` or `gp::samples`"),
    "several": ("array_like", "an array, a view of one, or an expression"),
    "index_text": ("index_text", "a slice as text, such as `\"1:-1, ::2\"`"),
    "nested_list": ("nested_list", "numbers in braces, nested to any depth"),
    "int64_array": ("ndarray<std::int64_t>", ""),
    "expr_of": ("expr_of", "an expression of that dtype, or a number if all operands are numbers"),
    "element_t": ("element_t", "the element type of an array or a matrix"),
    "real_t": ("real_t", "the real type of an element type: `double` for `std::complex<double>`"),
    "complex_t": ("complex_t", "the complex type of an element type"),
    "factor_t": ("factor_t", "the element type in which LAPACK computes: that of the arrays, `double` for integers"),
    "value_or": ("value_or", "the first type unless it is `void`, else the element type of the second"),
    "solver_t": ("solver_t", "the element type in which the system is solved"),
    "operator_t": ("operator_t", "the element type of the operator"),
    "product_type": ("promoted_t", "the element type to which those of the arguments promote"),
    "sparse_product_t": ("promoted_t", "the element type to which those of the arguments promote"),
    "polynomial_t": ("promoted_t", "the element type to which those of the arguments promote"),
    "common_t": ("promoted_t", "the element type to which those of the arguments promote"),
    "sparse_value_t": ("element_t", "the element type of an array or a matrix"),
    "sparse_element_t": ("element_t", "the element type of an array or a matrix"),
    "inexact_t": ("inexact_t", "the element type of an array, `double` for integers"),
    "average_t": ("average_t", "the element type to which those of elements and weights promote, `double` for integers"),
    "norm_type": ("norm_t", "the real type of the elements, `double` for integers"),
    "sparse_sum_t": ("sum_t", "the element type of sums, of 64 bits for integers"),
    "signal_t": ("signal_t", "the element type in which transforms compute: `double` for integers"),
    "signal_complex_t": ("signal_complex_t", "the complex element type in which transforms compute: of `double` for integers"),
    "both_of": ("both_of", "a `std::tuple` of the two outputs, as `ndarray`s"),
    "lobpcg_t": ("operator_t", "the element type of the operator"),
    "sparse_factor_t": ("factor_t", "the element type in which the system is solved"),
    "compressed_like": ("compressed_like", "a `csc_matrix` for `csc`, else a `csr_matrix`, of that element type"),
}
PUBLIC = {
    "array_like": "an array, a view of one, or an expression", "operand_like": "an array or a number",
    "scalar_like": "a number", "number_like": "a 0-d array or an expression that is one number",
    "element": "a type that is a dtype: `bool`, integers, floats, complex numbers",
    "real_element": "`float` or `double`", "sparse_like": "a sparse matrix of any format",
    "storable": "an element type other than `float16` and `bfloat16`",
    "expr": "an expression, which is computed when it is needed",
    "scalar_expr": "an expression of no dimensions, which converts to a number",
    "scalar_array": "an array that converts to a number if it has no dimensions",
    "result_type_t": "the type that element types promote to",
}
WORDS = {**PUBLIC, **{shown: words for shown, words in SHOWN.values() if words}}
# What restricts templates, in words.
REQUIREMENTS = {
    r"is_compressed\(F\)": "csr and csc only", r"F == format::coo": "coo only", r"F == format::dia": "dia only",
    r"detail::has_entries\(F\)": "csr, csc and coo only", r"is_floating\(dtype_of<V>\)": "floating-point elements only",
    r"!std::is_same_v<V, bool>": "not for `bool`", r"std::is_same_v<V, bool>": "`bool` only",
    r"std::is_integral_v<V>": "integers only", r"std::integral<detail::element_t<I>>": "indices of integers",
    r"is_complex\(dtype_of<V>\)": "complex elements only",
}
MACROS = re.compile(r"\b(GPARRAY_API|GPARRAY_FN|constexpr|inline|static|explicit|virtual|friend)\s+")


def tidy(code):
    """Doxygen's spaces and our own namespaces taken out; internal names as they are shown."""
    code = MACROS.sub("", code)
    code = re.sub(r"< (?=[\w:])", "<", code)
    code = re.sub(r" >", ">", code)
    code = re.sub(r"(\bgparray)?(::)?\bdetail::(\w+)", lambda m: SHOWN.get(m[3], (m[3],))[0], code)
    code = code.replace("gparray::", "").replace("md::", "std::")
    code = re.sub(r" ([&*]+)(?=[\w.)>,]|\s|$)", r"\1", code).replace("& &", "&&")
    code = re.sub(r"([&*])\s*\.\.\.", r"\1...", code)
    return re.sub(r"([&*])(?=[A-Za-z_])", r"\1 ", code).replace(" && (", "&& (").strip()


def requirement(text):
    found = [words for pattern, words in REQUIREMENTS.items() if re.fullmatch(rf"\(?\s*{pattern}\s*\)?", text.strip())]
    return found[0] if found else ""


def wrapped(signature):
    """A form in one line, or with a parameter a line."""
    head, _, line = signature.rpartition("\n")
    start, _, rest = line.partition("(")
    if len(line) <= 80 or not rest.endswith(")"):
        return signature
    return f"{head}\n{start}(\n    ".lstrip("\n") + rest[:-1].replace(", ", ",\n    ") + ")"


def words_in(code):
    """The constraints and types of a signature that want a word, in the order in which they stand there."""
    seen = [n for n in dict.fromkeys(re.findall(r"\b[a-z]\w+\b", code)) if n in WORDS]
    return [(n, WORDS[n]) for n in seen]


def joined(head, name, parameters, result, width=80):
    """One line if it fits, else a parameter a line."""
    start = f"{result} {name}(".lstrip()
    line = start + ", ".join(parameters) + ")"
    if len(line) > width and len(parameters) > 1:
        line = start + "\n    " + ",\n    ".join(parameters) + ")"
    return head + line
