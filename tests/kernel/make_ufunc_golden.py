#!/usr/bin/env python3
"""Write ufuncs.txt: what NumPy 2 gives for every row of ufuncs.def, for every dtype that its loop runs on.

    pip install numpy scipy ml_dtypes mpmath
    python make_ufunc_golden.py

Exact rows (arithmetic, comparison, rounding, integers) are NumPy's own results without SIMD dispatch. The others are
evaluated in a wider format and rounded once, so that a bound in ulp measures our error alone. A half type computes in
float32 and rounds once. Before writing, the domain of each row is checked against the dtypes that NumPy accepts.

File format: `unary|binary|ternary|castable DTYPE bits...` lists the inputs; `cast FROM TO bits...` what astype gives; `row NAME DTYPE bits...` the results, in the order of
the Cartesian product, last input fastest. Bits are hexadecimal, `n` is NaN, a complex number is two words.
"""

import os
import re
import warnings
from pathlib import Path

# The order of operations of some SIMD loops differs; NumPy's portable loops are the reference.
os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"

import ml_dtypes  # noqa: E402
import mpmath  # noqa: E402
import numpy as np  # noqa: E402
import scipy.special  # noqa: E402

warnings.simplefilter("ignore")
np.seterr(all="ignore")
HERE = Path(__file__).parent
BF16 = np.dtype(ml_dtypes.bfloat16)

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
KINDS = {"b": ["bool"], "i": INTEGERS, "f": ["float16", "bfloat16", "float32", "float64"], "c": ["complex64", "complex128"]}
EXPONENTS = [0, 1, -1, 5, -30, 100, -140, 2000, -2000]

ROW = re.compile(r'^GPARRAY_UFUNC_ROW\((\w+), (\w+), "(.*?)", \w+, \((.*)\), "(.*)"\)$', re.M)
ROWS = [m[:3] for m in ROW.findall((HERE / "../../include/gparray/tables/ufuncs.def").read_text())]


def dtype(name):
    return BF16 if name == "bfloat16" else np.dtype(name)


def inputs(name):
    """Input lists for one, two and three operands."""
    t = dtype(name)
    if t.kind == "b":
        both = np.array([False, True])
        return both, both, both
    if t.kind in "iu":
        low, high = np.iinfo(t).min, np.iinfo(t).max
        one = [0, 1, 2, 3, 7, 12, 18, 31, 100, high // 2, high - 1, high, low, low + 1]
        two = [0, 1, 2, 3, 7, 12, 65, high // 2, high, low, low + 1]
        three = [0, 3, 7, high, low]
        if low < 0:
            one += [-1, -2, -3, -8, -12, -100]
            two += [-1, -3, -8]
            three += [-1]
        return tuple(np.array(sorted(set(x)), t) for x in (one, two, three))
    if t.kind == "c":
        r = np.dtype("float32" if name == "complex64" else "float64")
        tiny, big = np.finfo(r).smallest_subnormal, np.finfo(r).max
        parts = [0.0, -0.0, 0.5, 1.0, -1.0, 3.25, -3.25, 30.0, np.inf, -np.inf, np.nan]
        one = [complex(x, y) for x in parts for y in parts]
        one += [complex(x, y) for x in (1e-7, -2.5e-3, 0.6, 8.0) for y in (0.8, -1e-6, 1.0, 17.5)]
        one += [complex(big, 0.25), complex(0.25, big), complex(big, big), complex(tiny, tiny), complex(1e-12, 1.0)]
        two = [0, 1, 2, -1, 1j, 3.25 - 0.5j, complex(-0.0, 0.5), 1e-3 + 8j, complex(np.inf, 1), complex(1, np.nan)]
        three = [0.0, 1 + 2j, 1 - 2j, complex(np.nan, 0), -3 + 0j]
        # Built from parts, because complex arithmetic would lose signed zeros.
        return tuple(np.array(x, t) for x in (one, two, three))
    info = ml_dtypes.finfo(t)
    tiny, normal, big = (float(x) for x in (info.smallest_subnormal, info.tiny, info.max))
    one = [0.0, -0.0, tiny, -tiny, normal, -normal, big, -big, np.inf, -np.inf, np.nan, -np.nan]
    one += [s * x for x in (1e-3, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3.7, 9.5, 25, 88.5, 300, 6e4) for s in (1, -1)]
    two = [0.0, -0.0, tiny, -normal, big, np.inf, -np.inf, np.nan, 0.1, 1, -1, 2.5, -3.7, 300]
    three = [0.0, -1.5, 2, np.inf, np.nan, 7]
    return tuple(np.array(x, "float64").astype(t) for x in (one, two, three))


# Rows with no loop of this name in NumPy, as functions of arrays in any format.
def exp10(x):
    return np.power(x.dtype.type(10), x)


def xlogy(x, y):
    return np.where((x == 0) & ~np.isnan(y), x.dtype.type(0), x * np.log(y))


def integer_power(a, b):
    """NumPy raises for negative exponents; the functor gives the integer part of the true value."""
    if a.dtype.kind == "u":
        return np.power(a, b)
    odd = np.where(b % 2 == 0, 1, -1).astype(a.dtype)
    negative = np.where(a == 1, 1, np.where(a == -1, odd, 0)).astype(a.dtype)
    return np.where(b < 0, negative, np.power(a, np.maximum(b, 0)))


def high_precision(function, at_special):
    """mpmath at finite arguments, SciPy at the others and where mpmath has a pole."""

    def evaluate(x):
        def one(v):
            if not np.isfinite(v):
                return at_special(float(v))
            try:
                return np.longdouble(mpmath.nstr(function(mpmath.mpf(float(v))), 30))
            except (ValueError, OverflowError):
                return at_special(float(v))

        return np.array([one(v) for v in x], np.longdouble)

    return evaluate


def complex_log1p(z):
    def one(v):
        if not np.isfinite(v) or v == 0 or v == -1:
            return np.log1p(v)
        w = mpmath.log(1 + mpmath.mpc(float(v.real), float(v.imag)))
        # The angle of a number on the branch cut takes the sign of its zero, which mpmath does not have.
        return complex(float(w.real), float(np.arctan2(v.imag, 1 + v.real)))

    return np.array([one(v) for v in z])


mpmath.mp.prec = 200
SPECIAL = {
    "erf": high_precision(mpmath.erf, scipy.special.erf),
    "erfc": high_precision(mpmath.erfc, scipy.special.erfc),
    "gamma": high_precision(mpmath.gamma, scipy.special.gamma),
    "gammaln": high_precision(lambda x: mpmath.log(abs(mpmath.gamma(x))) if abs(x) < 1e5 else mpmath.re(mpmath.loggamma(x)),
                              scipy.special.gammaln),
    "i0": high_precision(lambda x: mpmath.besseli(0, x) if abs(x) < 2e4 else mpmath.inf, np.i0),
}
# Rounded from a wider format.
WIDER = {
    "exp10": exp10, "xlogy": xlogy, "expit": lambda x: 1 / (1 + np.exp(-x)), "rsqrt": lambda x: 1 / np.sqrt(x),
    "float_power": lambda a, b: np.power(a, b),
}
for wide_name in ("power exp exp2 expm1 log log2 log10 log1p logaddexp logaddexp2 cbrt sin cos tan arcsin arccos arctan "
                  "arctan2 hypot sinh cosh tanh arcsinh arccosh arctanh angle absolute sign").split():
    WIDER[wide_name] = getattr(np, wide_name)
# NumPy's own log1p of a complex number cancels near zero in any format, and the real root is exact in its own.
WIDER["log1p"] = lambda x: complex_log1p(x) if x.dtype.kind == "c" else np.log1p(x)
WIDE_IF_COMPLEX = {"sqrt"}
# In the format itself; exp2 scales its complex argument, so the wider format would evaluate another argument. The sign
# of a number whose modulus overflows is wrong in NumPy, but right in a wider format.
DIRECT = {
    "abs2": lambda a: a.real * a.real + a.imag * a.imag if a.dtype.kind == "c" else a * a,
    "frexp_mantissa": lambda a: np.frexp(a)[0], "frexp_exponent": lambda a: np.frexp(a)[1],
    "modf_fraction": lambda a: np.modf(a)[0], "modf_integer": lambda a: np.modf(a)[1],
    # The functions with keyword arguments keep their first ones.
    "round": np.round, "clip": np.clip, "where": np.where,
    "real": lambda a: a.real, "imag": lambda a: a.imag,
}


def promoted(domain, kind_and_size):
    """The loop dtype that the row's domain gives for an input dtype; None for a type error."""
    name = kind_and_size
    t = dtype(name)
    kind = {"b": "b", "i": "i", "u": "i", "c": "c"}.get(t.kind, "f")
    if kind == "b" and "!" in domain:
        return None
    if "w" in domain:
        return "complex128" if kind == "c" else "float64"
    if kind in "bi" and "d" in domain:
        return "float64"
    if kind == "b" and "e" in domain:
        return "float16"
    if kind in re.sub("[!dew]", "", domain):
        return name
    if kind == "b" and "i" in domain:
        return "int8"
    if kind in "bi" and "f" in domain:
        return {1: "float16", 2: "float32"}.get(t.itemsize, "float64")
    return None


def check_domain(name, signature, domain):
    """NumPy must accept the same dtypes and give the result dtype that domain and signature promise."""
    base, part = (name.split("_")[0], name.split("_")[1]) if name.startswith(("frexp", "modf")) else (name, "")
    function = getattr(np, base, None)
    if name in SPECIAL and name != "i0" or function is None:
        return
    for source in ["bool"] + INTEGERS + ["float16", "float32", "float64", "complex64", "complex128"]:
        x = np.ones(2, source)
        letters = signature.split("_")[0]
        arguments = [np.ones(2, bool) if s == "b" else np.ones(2, "int32") if s == "i" else x for s in letters]
        loop = promoted(domain, source)
        try:
            result = function(*arguments)
        except TypeError:
            assert loop is None, f"{name}({source}) is a type error in NumPy, here it runs in {loop}"
            continue
        assert loop is not None, f"{name}({source}) gives {result.dtype} in NumPy, here a type error"
        if part:
            result = result[part in ("exponent", "integer")]
        real = {"complex64": "float32", "complex128": "float64"}.get(loop, loop)
        expected = {"T": loop, "R": real, "b": "bool", "u": "uint8", "i": "int32"}[signature[-1]]
        if name == "angle" and source == "bool":
            continue  # NumPy adds a Python 0 there and ends in float64; float16 holds 0 as well.
        assert result.dtype == expected, f"{name}({source}) gives {result.dtype} in NumPy, here {expected}"


def wide(array):
    if array.dtype.kind == "c":
        return array.astype(np.complex128 if array.dtype == np.complex64 else np.clongdouble)
    return array.astype(np.longdouble if array.dtype == np.float64 else np.float64)


def rounded(result, name, letter):
    real = {"complex64": "float32", "complex128": "float64"}.get(name, name)
    target = {"T": name, "R": real, "b": "bool", "u": "uint8", "i": "int32"}[letter]
    return np.asarray(result).astype(dtype(target))


def evaluate(name, signature, type_name, arguments):
    letter, inexact, is_complex = signature[-1], dtype(type_name).kind not in "biu", dtype(type_name).kind == "c"
    if name == "power" and not inexact:
        return integer_power(*arguments)
    if is_complex and name in WIDE_IF_COMPLEX:
        return rounded(getattr(np, name)(*(wide(a) for a in arguments)), type_name, letter)
    if inexact and (name in WIDER or name in SPECIAL) and not (name == "exp2" and is_complex):
        function = WIDER.get(name) or SPECIAL[name]
        # Real |x|, sign and the like are exact, and so is the wider format.
        return rounded(function(*(wide(a) for a in arguments)), type_name, letter)
    function = DIRECT.get(name) or getattr(np, name)
    if type_name == "bfloat16" and name not in ("nextafter", "spacing"):
        arguments = [a.astype(np.float32) if a.dtype == BF16 else a for a in arguments]
        if name == "nan_to_num":  # the largest bfloat16 is not the largest float32
            x = arguments[0]
            return rounded(np.clip(np.nan_to_num(x), *(float(v) for v in (ml_dtypes.finfo(BF16).min, ml_dtypes.finfo(BF16).max))),
                           type_name, letter)
    elif type_name == "float16" and name in ("sinc", "degrees", "radians", "reciprocal"):
        arguments = [a.astype(np.float32) for a in arguments]
    return rounded(function(*arguments), type_name, letter)


def to_odd_float32(values):
    """The float32 on the way to the exact value whose last bit is odd, unless the value is a float32."""
    exact = values.astype(np.longdouble)
    nearest = exact.astype(np.float32)
    error = exact - nearest.astype(np.longdouble)
    bits = nearest.view(np.uint32)
    away = (error > 0) == (exact > 0)
    adjust = (error != 0) & np.isfinite(nearest) & ((bits & 1) == 0)
    return np.where(adjust, np.where(away, bits + 1, bits - 1), bits).astype(np.uint32).view(np.float32)


def castable(name):
    """Inputs of astype: those of one operand, and what lies at the limits of the integer types."""
    one, t = inputs(name)[0], dtype(name)
    if t.kind in "biu":
        return one
    limits = [s * (2.0**p + d) for p in (7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64) for d in (-1, -0.5, 0, 1) for s in (1, -1)]
    limits += [s * x for x in (300, 3e9, 65519, 65520, 1e19, 3e19, 1.9, 1e-8) for s in (1, -1)]
    return np.concatenate([one, np.array(limits, "float64").astype(t)])


def words(array, is_input=False):
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1).ravel()
    if array.dtype.kind == "b":
        return ["1" if x else "0" for x in array]
    bits = array.view(f"u{array.dtype.itemsize}")
    is_nan = np.isnan(array) if array.dtype == BF16 or array.dtype.kind == "f" else np.zeros(array.shape, bool)
    # The sign of NaN counts for an input (signbit, copysign), but is left open in results.
    return ["n" if nan and not is_input else f"{int(b):x}" for b, nan in zip(bits, is_nan)]


def main():
    lines = []
    for name, signature, domain in ROWS:
        check_domain(name, signature, domain)
    for kind in KINDS.values():
        for type_name in kind:
            for label, values in zip(("unary", "binary", "ternary"), inputs(type_name)):
                lines.append(" ".join([label, type_name] + words(values, is_input=True)))
    every = [n for kind in KINDS.values() for n in kind]
    for source in every:
        values = castable(source)
        lines.append(" ".join(["castable", source] + words(values, is_input=True)))
        for target in every:
            middle = values
            if source == "bfloat16" and target != "bfloat16":
                middle = values.astype(np.float32)
            elif target == "bfloat16" and source != "bfloat16":
                # ml_dtypes rounds twice, through float32; to odd first, so that the second rounding is the only one.
                middle = to_odd_float32(values.real if values.dtype.kind == "c" else values)
            if target == "uint32" and middle.dtype.kind in "fc":
                # Outside the range NumPy's vector body and its scalar tail differ; the tail goes through int64.
                middle = middle.real.astype(np.int64)
            lines.append(" ".join(["cast", source, target] + words(middle.astype(dtype(target)))))
    for name, signature, domain in ROWS:
        letters = signature.split("_")[0]
        for kind in re.sub("[!dew]", "", domain):
            for type_name in KINDS[kind]:
                if "w" in domain and type_name not in ("float64", "complex128"):
                    continue
                lists = inputs(type_name)
                choice = {"T": lists[0], "TT": lists[1]}.get(letters, lists[2])
                per_letter = {"b": np.array([False, True]), "i": np.array(EXPONENTS, "int32"), "T": choice}
                if letters == "Ti":
                    per_letter["T"] = lists[0]
                grids = np.meshgrid(*(np.arange(len(per_letter[s])) for s in letters), indexing="ij")
                arguments = [per_letter[s][g.ravel()] for s, g in zip(letters, grids)]
                result = evaluate(name, signature, type_name, arguments)
                lines.append(" ".join(["row", name, type_name] + words(result)))
    (HERE / "ufuncs.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
