"""Writes format.txt: what NumPy prints, for tests/format/test_format.cpp.

Usage: python make_format_golden.py  (NumPy 2.4, ml_dtypes)

A case is one line of tab-separated fields, then its text, one line each behind a '|':
  operation  code  shape  strides  offset  fill  options  bytes
The bytes (hexadecimal, little-endian) are repeated cyclically to `fill` elements; the array is the view of those with
that shape, those strides and that offset (in elements; shape '-' is 0-d). Options are name=value joined by ';'.
Operations: array2string str repr positional scientific.
"""
import pathlib
from fractions import Fraction

import ml_dtypes
import numpy as np
import numpy._core.arrayprint as arrayprint

CODES = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "l", "uint8": "B", "uint16": "H",
         "uint32": "I", "uint64": "L", "float16": "e", "bfloat16": "E", "float32": "f", "float64": "d",
         "complex64": "F", "complex128": "D"}
DEFAULTS = dict(precision=8, threshold=1000, edgeitems=3, linewidth=75, suppress=False, nanstr="nan", infstr="inf",
                sign="-", floatmode="maxprec")
cases = []
rng = np.random.default_rng(20240607)


# ---- bfloat16: NumPy's own layout code, over a reference of its digit generation --------------------------------
# NumPy prints ml_dtypes' arrays element by element, without its float rules. So it is made to apply the rules, with
# digits from an exact reference that is first checked against NumPy's on float16 and float32.

def parts(x, dtype):
    """x as m * 2**e with the dtype's mantissa width, and whether the gap below is half the gap above."""
    mantissa_bits, smallest = {"bfloat16": (7, -133), "float16": (10, -24), "float32": (23, -149)}[dtype]
    value = abs(Fraction(float(x)))
    e = max(smallest, int(np.frexp(float(x))[1]) - 1 - mantissa_bits)
    m = int(value / Fraction(2) ** e)
    return m, e, m == 2 ** mantissa_bits and e > smallest


def digits_of(x, dtype, unique, most, least, fractional):
    """Digits and exponent of the first, by exact fractions."""
    m, e, unequal = parts(x, dtype)
    if m == 0:
        return "0", 0
    value = m * Fraction(2) ** e
    above = Fraction(2) ** e / 2
    below = above / 2 if unequal else above
    position = 0
    while value >= Fraction(10) ** (position + 1):
        position += 1
    while value < Fraction(10) ** position:
        position -= 1
    if fractional and most >= 0:
        position = max(position, -most)
    first, origin = position, 0 if fractional else position + 1
    digits = 0
    while True:
        unit = Fraction(10) ** position
        digit = value // unit
        value -= digit * unit
        digits = digits * 10 + int(digit)
        low = unique and (value <= below if m % 2 == 0 else value < below)
        high = unique and (value + above >= unit if m % 2 == 0 else value + above > unit)
        enough = least < 0 or position <= min(first, origin - least)
        if (unique and (low or high) and enough) or (not unique and value == 0) or \
                (most >= 0 and position <= origin - most):
            break
        position -= 1
    if low == high:
        up = 2 * value > unit or (2 * value == unit and digits % 2 == 1)
    else:
        up = high
    length = first - position + 1
    text = str(digits + up).rjust(length, "0")
    # A carry leaves zeros behind, which NumPy drops.
    if up:
        text = text.rstrip("0") or "1"
    if len(str(digits + up)) > length:
        return text, first + 1
    return text, first


def fill_or_trim(fraction, trim, wanted):
    if trim == "k":
        return fraction.ljust(max(wanted, 0), "0")
    fraction = fraction.rstrip("0")
    return "0" if trim == "0" and not fraction else fraction


def reference(dtype):
    def signed(x, sign):
        return "-" if np.signbit(x) else "+" if sign else ""

    def positional(x, precision=-1, unique=True, fractional=True, trim="k", sign=False, pad_left=-1, pad_right=-1,
                   min_digits=-1):
        min_digits = -1 if min_digits is None else min_digits
        digits, exponent = digits_of(x, dtype, unique, precision, min_digits, fractional)
        whole = digits[:exponent + 1].ljust(exponent + 1, "0") if exponent >= 0 else "0"
        fraction = digits[exponent + 1:] if exponent >= 0 else "0" * (-exponent - 1) + digits
        fraction = fill_or_trim(fraction, trim, min_digits if unique else precision)
        point = "" if trim == "-" and not fraction else "."
        return (signed(x, sign) + whole).rjust(pad_left) + point + fraction.ljust(pad_right)

    def scientific(x, precision=-1, unique=True, trim="k", sign=False, pad_left=-1, exp_digits=-1, min_digits=-1):
        min_digits = -1 if min_digits is None else min_digits
        digits, exponent = digits_of(x, dtype, unique, precision + 1 if precision >= 0 else -1,
                                     min_digits + 1 if min_digits >= 0 else -1, False)
        fraction = fill_or_trim(digits[1:], trim, min_digits if unique else precision)
        point = "" if trim == "-" and len(digits) == 1 else "."
        power = f"{abs(exponent):0{2 if exp_digits < 0 else exp_digits}d}"
        return f"{(signed(x, sign) + digits[0]).rjust(pad_left)}{point}{fraction}e{'-' if exponent < 0 else '+'}{power}"

    return positional, scientific


def check_reference():
    for dtype, unsigned in (("float16", np.uint16), ("float32", np.uint32)):
        positional, scientific = reference(dtype)
        for bits in rng.integers(0, np.iinfo(unsigned).max, 400, dtype=unsigned):
            x = np.array(bits, unsigned).view(dtype)[()]
            if not np.isfinite(x):
                continue
            for unique, precision in ((True, None), (True, 3), (True, 8), (False, 4)):
                given = -1 if precision is None else precision
                for trim in "k.0-":
                    assert positional(x, given, unique, trim=trim) == np.format_float_positional(
                        x, precision, unique, trim=trim), (x, precision, unique, trim)
                    assert scientific(x, given, unique, trim) == np.format_float_scientific(
                        x, precision, unique, trim), (x, precision, unique, trim)


class numpy_with_bfloat16:
    """Stands for the module numpy inside arrayprint."""
    def __getattr__(self, name):
        return getattr(np, name)

    @staticmethod
    def finfo(dtype):
        return ml_dtypes.finfo(ml_dtypes.bfloat16)


class bfloat16_printing:
    names = ("np", "dragon4_positional", "dragon4_scientific", "_get_format_function")

    def __enter__(self):
        self.saved = [getattr(arrayprint, name) for name in self.names]
        new = (numpy_with_bfloat16(), *reference("bfloat16"),
               lambda data, **options: arrayprint._get_formatdict(data, **options)["float"]())
        for name, value in zip(self.names, new):
            setattr(arrayprint, name, value)

    def __exit__(self, *_):
        for name, value in zip(self.names, self.saved):
            setattr(arrayprint, name, value)


# ---- cases ------------------------------------------------------------------------------------------------------

def text_of(operation, view, options):
    extra = {k: options[k] for k in options if k not in DEFAULTS}
    printing = {k: options[k] for k in options if k in DEFAULTS}
    with np.printoptions(**{**DEFAULTS, **printing}):
        if operation == "array2string":
            return np.array2string(view, **{"separator": " ", "prefix": "", "suffix": "", **extra})
        return {"str": np.array_str, "repr": np.array_repr}[operation](view)


def number_text(operation, x, options):
    if operation == "positional":
        return np.format_float_positional(x, **options)
    return np.format_float_scientific(x, **options)


def encode(value):
    return str(int(value)) if isinstance(value, bool) else str(value)


def add(operation, block, shape=None, strides=None, offset=0, fill=None, **options):
    shape = block.shape if shape is None else shape
    block = np.ascontiguousarray(block)  # at least 1-d
    flat = block.reshape(-1)
    if strides is None:
        strides, step = [], 1
        for length in reversed(shape):
            strides.insert(0, step)
            step *= max(length, 1)
    fill = max(1, int(np.prod(shape))) if fill is None else fill
    memory = np.resize(flat, fill) if flat.size else np.zeros(fill, block.dtype)
    is_bfloat16 = memory.dtype == ml_dtypes.bfloat16
    view = np.lib.stride_tricks.as_strided(memory[offset:], shape, [s * memory.itemsize for s in strides])
    if operation in ("positional", "scientific"):
        text = number_text(operation, view[()], options)
    elif is_bfloat16:
        with bfloat16_printing():
            text = text_of(operation, view, options)
    else:
        text = text_of(operation, view, options)
    join = lambda values: ",".join(map(str, values)) or "-"
    fields = [operation, CODES[block.dtype.name], join(shape), join(strides), str(offset), str(fill),
              ";".join(f"{k}={encode(v)}" for k, v in options.items()), flat.tobytes().hex() or "-"]
    cases.append("\t".join(fields) + "\n" + "".join(f"|{line}\n" for line in text.split("\n")))


REAL = ["float16", ml_dtypes.bfloat16, "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
OPTIONS = [dict(precision=3), dict(precision=0), dict(precision=17), dict(suppress=True), dict(sign="+"), dict(sign=" "),
           dict(floatmode="fixed"), dict(floatmode="fixed", precision=2), dict(floatmode="unique"),
           dict(floatmode="maxprec_equal"), dict(floatmode="maxprec_equal", precision=3, sign=" "),
           dict(nanstr="missing", infstr="oo"), dict(infstr="\u221e"), dict(linewidth=30), dict(linewidth=5),
           dict(suppress=True, precision=2, sign="+"), dict(edgeitems=1, threshold=5), dict(threshold=0),
           dict(edgeitems=2, threshold=3, floatmode="fixed", precision=1), dict(precision=4, linewidth=40)]


def random_bits(dtype, count):
    """Any bit pattern: all magnitudes, subnormals, infinities, NaNs."""
    return np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype)


def specials(dtype):
    return np.array([0.0, -0.0, 1, -1.5, np.nan, np.inf, -np.inf, 0.1], dtype)


def arrays_of(dtype):
    yield specials(dtype)
    yield specials(dtype)[:4]
    yield specials(dtype)[4:7]
    yield np.array([np.nan], dtype)
    yield np.array([1.0, np.inf], dtype)
    yield np.array([0.0, -0.0], dtype)
    yield (rng.standard_normal(7)).astype(dtype)
    yield (rng.standard_normal(23)).astype(dtype)
    yield rng.standard_normal((2, 3)).astype(dtype)
    yield (rng.standard_normal(5) * 1e3).astype(dtype)
    yield (10.0 ** rng.uniform(-4, 4, 9)).astype(dtype)
    yield (10.0 ** np.arange(-5, 5)).astype(dtype)
    yield np.array([999.5, 1000, 1001], dtype)
    yield np.array([1, 1000], dtype)
    yield np.array([1, 1001], np.float32).astype(dtype) if dtype != ml_dtypes.bfloat16 else np.array([1, 1016], dtype)
    yield np.array([1e-4, 9e-4], dtype)
    yield np.array([9.9e-5, 9e-4], dtype)
    yield np.array([1, 0.001], dtype)  # a ratio that rounds to 1000 in some types
    yield np.arange(24).reshape(2, 3, 4).astype(dtype)
    yield random_bits(dtype, 4)
    yield random_bits(dtype, 6).reshape(3, 2)


def complex_arrays_of(dtype):
    part = np.empty(0, dtype).real.dtype
    pair = lambda re, im: np.stack([np.asarray(re, part), np.asarray(im, part)], -1).reshape(-1).view(dtype)
    yield pair([1, 3], [2, -4])
    yield pair([1.5, 0], [0.1, -0.0])
    yield pair(specials(part), specials(part)[::-1].copy())
    yield pair([np.nan, 1], [1, np.inf])
    yield pair(rng.standard_normal(6), rng.standard_normal(6))
    yield pair(10.0 ** rng.uniform(-6, 6, 5), rng.standard_normal(5))
    yield pair(rng.standard_normal(4), -10.0 ** rng.uniform(-9, 9, 4))
    yield pair(rng.standard_normal(12), rng.standard_normal(12)).reshape(3, 4)
    yield random_bits(dtype, 4)


def scalars_of(dtype):
    return np.array([0.0, -0.0, 0.1, 1 / 3, 1, -2.5, 999, 1000, 12345, 65504, 999999.9, 1e6, 123456789, 1e15, 1e16, 1e17,
                     1e-4, 1.1e-4, 9.9e-5, 1e-7, np.nan, np.inf, -np.inf, 5e-324, 2.0 ** -24], "float64").astype(dtype)


def make():
    for dtype in REAL + COMPLEX:
        arrays = list(arrays_of(dtype) if dtype in REAL else complex_arrays_of(dtype))
        for array in arrays:
            add("array2string", array)
            add("repr", array)
        for index, options in enumerate(OPTIONS):
            add("repr", arrays[index % len(arrays)], **options)
            add("array2string", arrays[(index * 7 + 3) % len(arrays)], **options)
            add("array2string", arrays[0], **options)
    for dtype in INTEGERS:
        limits = np.iinfo(dtype)
        for array in (np.array([limits.min, 0, limits.max], dtype), np.arange(5).astype(dtype),
                      rng.integers(limits.min, limits.max, (4, 5), dtype), np.array([[100], [7]], dtype)):
            add("repr", array)
            add("array2string", array, sign="+")
            add("array2string", array, sign=" ")
        add("repr", np.arange(60).astype(dtype), linewidth=40)
        add("str", np.array(limits.max, dtype))
    add("repr", np.array([-5, -3]), sign="+")
    add("repr", np.array([-5, -30]), sign=" ")
    for array in (np.array([True, False]), np.array([[True, True]] * 2), np.array(True), np.array(False)):
        for operation in ("array2string", "str", "repr"):
            add(operation, array)
    # 0-d arrays
    for dtype in ["float16", "float32", "float64"] + COMPLEX:
        for value in scalars_of(dtype):
            add("str", np.array(value, dtype))
        for value in scalars_of(dtype)[::3]:
            add("repr", np.array(value, dtype))
            add("array2string", np.array(value, dtype), precision=3, sign=" ")
    for re, im in ((0, 2), (-0.0, 2), (0, -0.0), (0, np.nan), (np.nan, np.inf), (np.inf, -np.inf), (1, -2)):
        add("str", np.array(complex(re, im)))
        add("str", np.array(complex(re, im), "complex64"))
    # empty arrays
    for shape in ((0,), (2, 0), (0, 3, 1), (0, 0)):
        for dtype in ("float64", "bool", "float32", "complex64", "int64"):
            add("repr", np.empty(shape, dtype))
    add("str", np.empty((2, 0)))
    # many axes, separators, prefixes
    for shape in ((1, 1, 1), (2, 2, 2, 2), (3, 1, 2), (1, 30), (30, 1), (2, 1, 3, 1, 2)):
        for dtype in ("int64", "float32", "bool", "complex128"):
            block = rng.standard_normal(12).astype(dtype)
            add("repr", block, shape)
            add("array2string", block, shape, separator=", ", prefix="prefix: ", suffix="]]]", linewidth=33)
            add("array2string", block, shape, separator="|")
    # summarised, contiguous or not
    for dtype in ["int64", "uint8", "bool", "float16", ml_dtypes.bfloat16, "float32", "float64", "complex64"]:
        block = (rng.standard_normal(13) * 50).astype(dtype)
        for shape in ((1001,), (1000,), (2, 501), (501, 2), (40, 40), (11, 10, 10), (7, 7, 3, 7), (6, 6, 6, 6)):
            add("array2string" if shape == (1000,) else "repr", block, shape, edgeitems=3)
        add("array2string", block, (40, 40), edgeitems=1)
        add("repr", block, (40, 40), linewidth=30, edgeitems=4)
        add("repr", block, (2000,), strides=(3,), fill=6000)
        add("repr", block, (50, 40), strides=(-1, 50), offset=49, fill=2000)
        add("repr", block, (100000, 10000), strides=(0, 0), fill=1)
        add("repr", block, (20000, 30000), strides=(0, 1), fill=30000)
        add("repr", block, (5, 4), strides=(1, 5), fill=20)
    outlier = np.ones(1100)
    outlier[500] = 1e20
    for dtype in ("float64", "float32"):
        add("repr", outlier.astype(dtype)[498:503])
    add("repr", np.array([1, 2, 3, 10 ** 9, 5, 6, 7], "int64"), threshold=3)
    add("repr", np.arange(2000)[-3:], (2000,), edgeitems=0)
    # ratios just over 1000 that are 1000 in the array's own type
    add("repr", np.array([609.5, 0.6094], "float16"))
    add("repr", np.array([750.6162, 0.7506162], "float32"))
    # the two float formatters
    for dtype in ("float16", "float32", "float64"):
        values = np.concatenate([scalars_of(dtype), random_bits(dtype, 6), np.array([1.0004, 9.9996, 0.5, 2.5], dtype)])
        choices = [dict(), dict(precision=3), dict(precision=3, unique=False), dict(precision=0, unique=False),
                   dict(min_digits=5), dict(precision=40, unique=False), dict(pad_left=6, sign=True),
                   dict(min_digits=30, precision=30), dict(precision=0)]
        for index, value in enumerate(values):
            if abs(float(value)) > 1e40 or 0 < abs(float(value)) < 1e-30:
                operations = ("scientific",)
            else:
                operations = ("positional", "scientific")
            for operation in operations:
                options = dict(choices[index % len(choices)], trim="k.0-"[index // 3 % 4])
                add(operation, np.array(value, dtype), **options)
                add(operation, np.array(value, dtype), **choices[(index + 4) % len(choices)])
        for trim in "k.0-":
            for value in (1.0, 0.0, 10.0, 12.34, 1e-3):
                add("positional", np.array(value, dtype), trim=trim, pad_left=4, pad_right=5)
                add("positional", np.array(value, dtype), trim=trim, fractional=False, precision=3)
                add("positional", np.array(value, dtype), trim=trim, fractional=False, precision=2, unique=False)
                add("scientific", np.array(value, dtype), trim=trim, exp_digits=1, precision=4, pad_left=3)
                add("scientific", np.array(value, dtype), trim=trim, exp_digits=4)
                add("scientific", np.array(value, dtype), trim=trim, exp_digits=0)
    # the shortest digits lie exactly between a number of even mantissa and its neighbour, below and above it
    for dtype, value in (("float16", 4112), ("float16", 4128), ("float32", 35443232), ("float32", 64390808),
                         ("float64", 2.0 ** 89), ("float64", 9007199254740996), ("float64", 5e22)):
        add("positional", np.array(value, dtype))
        add("scientific", np.array(-value, dtype))


if __name__ == "__main__":
    np.seterr(all="ignore")
    import warnings
    warnings.simplefilter("ignore")
    check_reference()
    make()
    path = pathlib.Path(__file__).with_name("format.txt")
    path.write_text("".join(cases), encoding="utf-8")
    print(len(cases), "cases,", path.stat().st_size, "bytes")
