#!/usr/bin/env python3
"""Writes npy_headers.tsv: what NumPy makes of .npy files by their headers, which test_npy.cpp reads.

Columns: version and header, dtype (or "refused"), shape, the elements' bytes in C order of this machine.
In headers backslashes and what is not printable ASCII are written \\xNN, as bytes of the file.
"""
import io
import pathlib
import struct
import warnings

import numpy as np

warnings.simplefilter("ignore")  # of Python 2's integers, and of escapes that are none
ELEMENTS = bytes(range(1, 97))
PLAIN = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"


def with_descr(descr):
    return "{'descr': %s, 'fortran_order': False, 'shape': (3,), }" % descr


def with_shape(shape):
    return "{'descr': '<i2', 'fortran_order': False, 'shape': %s, }" % shape


def with_order(order):
    return "{'descr': '<i2', 'fortran_order': %s, 'shape': (2, 3), }" % order


def with_other(value):
    """A value that does not count, as the key comes again."""
    return "{'descr': %s, 'descr': '<i2', 'fortran_order': False, 'shape': (3,), }" % value


headers = [
    # What NumPy writes, and what it reads besides.
    PLAIN,
    PLAIN.replace("'", '"'),
    PLAIN.replace(" ", ""),
    PLAIN.replace(", }", "}"),
    PLAIN + "     \n",
    "  \t" + PLAIN,
    "\n" + PLAIN,
    "\n " + PLAIN,
    "\n \f" + PLAIN,
    "# a comment\n" + PLAIN + " # and one behind\n\n",
    PLAIN.replace(", ", ",\r\n  # more\n\t"),
    PLAIN.replace(", ", ",\\\n"),
    "(" + PLAIN + ")",
    "((\n" + PLAIN + "))",
    "{'shape': (2, 3), 'fortran_order': True, 'descr': '<i2'}",
    PLAIN + "x",
    PLAIN + PLAIN,
    PLAIN + ",",
    PLAIN[:-1],
    PLAIN.replace("{", "").replace("}", ""),
    PLAIN.replace(":", "=", 1),
    PLAIN.replace("(2, 3), }", "(2, 3),, }"),
    PLAIN.replace("(2, 3), }", "(2, 3), , 'a': 1}"),
    PLAIN.replace(", 'shape'", " 'shape'"),
    "dict(descr='<i2', fortran_order=False, shape=(3,))",
    "[('descr', '<i2'), ('fortran_order', False), ('shape', (3,))]",
    "'{descr: 1}'",
    "",
    "{}",
    "{'descr', 'fortran_order', 'shape'}",
    PLAIN + "\0",
    # Keys.
    "{'descr': '>i2', 'fortran_order': True, 'shape': (9,), 'descr': '<i2', 'fortran_order': False, 'shape': (2, 3)}",
    "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), 'descr': '>i2'}",
    "{'descr': '<i2', 'fortran_order': False}",
    "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), 'extra': 1}",
    "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), 1: 1}",
    "{'descr': '<i2', 'fortran_order': False, 'shape ': (3,)}",
    "{'descr': '<i2', 'fortran_order': False, b'shape': (3,)}",
    "{'des' 'cr': '<i2', \"\"\"fortran_order\"\"\": False, r'shape': (3,)}",
    "{'\\x64escr': '<i2', '\\146ortran_order': False, u'\\u0073hape': (3,)}",
    "{descr: '<i2', 'fortran_order': False, 'shape': (3,)}",
    # Shapes.
    *map(with_shape, ["()", "(3)", "(3,)", "(3,,)", "(,)", "(1 1,)", "3", "[3]", "(3", "(1_0,)", "(1__0,)", "(_1,)",
                      "(0x3,)", "(0b11, 0O2)", "(03,)", "(00, 2)", "(+3,)", "(-3,)", "(--3,)", "((2), (3))", "((2, 3),)",
                      "(3L,)", "(3 L, 2L)", "(3LL,)", "(3l,)", "(3.0,)", "(3e0,)", "(1 + 2,)", "(True,)", "(None,)", "('3',)",
                      "(9223372036854775808,)", "(0, 5)", "(1099511627776, 1099511627776)", "shape 3", "{3}"]),
    # Orders.
    *map(with_order, ["True", "Truee", "true", "1", "0", "None", "'True'", "(True)", "not True"]),
    # Types.
    *map(with_descr, ["'>i2'", "'=i2'", "'|i2'", "'i2'", "'int16'", "'>int16'", "'short'", "'h'", "'>h'", "'i02'", "'i +2'", "'i3'", "'|b1'",
                      "'?'", "'>b1'", "'b'", "'B'", "'>c8'", "'complex64'", "'<f2'", "'e'", "'half'", "'|O'", "'<U1'", "'|S1'",
                      "'<M8[s]'", "[('a', '<i2')]", "('<i2', (2,))", "''", "'<'", "'<i2 '", "2", "None", "b'<i2'", "'<' r'i' u'2'",
                      "'\\x3ci2'", "'\\x3i2'", "'\\074i2'", "'\\u003ci2'", "'\\U0000003ci2'", "'\\U00110000i2'",
                      "'<\\\ni2'", "'<\ni2'", "'''<i2'''", "'<i2", "f'<i2'", "ur'<i2'", "'<i2' b''"]),
    # Values that do not count must be values all the same.
    *map(with_other, ["1.5e-3", "1.5.2", "12j", "1+2j", "-1.5-2.j", "1+2", "0777", "0777.", "...", "{}", "{1: [2, {3}]}", "{[]: 1}",
                      "{{}}", "set()", "set(1)", "print()", "x", "lambda: 1", "[x for x in ()]", "(yield)", "*()", "[" * 199 + "]" * 199,
                      "[" * 200 + "]" * 200, "'\xe9'", "b'\xe9'", "\xe9", "'\\'\"\\q'", "'''a'b\"c\nd'''", "\"a", "Rb'\\'' bR\"\""]),
]
versions = {h: [1] for h in headers}
for h in [PLAIN, with_shape("(3L,)"), with_other("'\xe9'")]:
    versions[h] = [1, 2, 3]
versions[PLAIN] += [0, 4]


def answer(version, header):
    form = "<H" if version < 2 else "<I"
    file = b"\x93NUMPY" + bytes([version, 0]) + struct.pack(form, len(header)) + header + ELEMENTS
    try:
        a = np.load(io.BytesIO(file))
        # NumPy lets these through until it makes an array of them, and here they are no numbers.
        if a.dtype.kind in "OSUVMm":
            raise ValueError
        shape = ",".join(map(str, a.shape))
        return f"{a.dtype.name}\t{shape}\t{a.astype(a.dtype.newbyteorder('=')).tobytes().hex()}"
    except Exception:
        return "refused\t\t"


def escaped(header):
    return "".join(chr(c) if 32 <= c < 127 and c != 92 else f"\\x{c:02x}" for c in header)


rows = []
for text, wanted in versions.items():
    for version in wanted:
        header = text.encode("latin-1")
        rows.append(f"{version} {escaped(header)}\t{answer(version, header)}")
path = pathlib.Path(__file__).resolve().with_name("npy_headers.tsv")
path.write_text("\n".join(rows) + "\n", encoding="ascii")
