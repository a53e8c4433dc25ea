#!/usr/bin/env python3
"""Writes the inputs that the fuzzer starts from into corpus/. Needs NumPy."""
import io
import struct
from pathlib import Path

import numpy as np

corpus = Path(__file__).parent / "corpus"


def put(target, name, content):
    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def npy(a, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asarray(a), version=version)
    return out.getvalue()


def npz(save, **arrays):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


arrays = {
    "float64": np.arange(6.0).reshape(2, 3),
    "big_endian": np.arange(5, dtype=">i2"),
    "fortran": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(3, 2)),
    "bool": np.array([True, False]),
    "complex": np.array([1 + 2j], dtype=np.complex64),
    "scalar": np.array(7, dtype=np.uint64),
    "empty": np.zeros((0, 4), dtype=np.int8),
    "float16": np.arange(3, dtype=np.float16),
}
for name, a in arrays.items():
    put("npy", name, npy(a))
put("npy", "version2", npy(arrays["float64"], (2, 0)))
put("npy", "version3", npy(arrays["bool"], (3, 0)))
python = "{\"shape\": (0x2, 1_0), # comment\n 'fort' r'ran_order': (True), 'descr': [None, 1.5, -2+3j, {'a': b'c'}], u'\\x64escr': '=i1'}"
for i, version in enumerate([1, 3]):
    size = struct.pack("<H" if version == 1 else "<I", len(python))
    put("npy", f"literal{i}", b"\x93NUMPY" + bytes([version, 0]) + size + python.encode() + bytes(range(20)))
put("npy", "python2", npy(arrays["bool"]).replace(b"(2,), }  ", b"(2L, 1L)}"))

put("npz", "stored", npz(np.savez, a=np.arange(3), b=np.ones((2, 2))))
put("npz", "deflated", npz(np.savez_compressed, x=np.zeros(40), y=np.arange(4, dtype=np.int8)))
put("npz", "empty", npz(np.savez))
put("npz", "names", npz(np.savez, **{"é": np.arange(3), "b": np.arange(2)}))


class Pipe(io.RawIOBase):
    """Where sizes are written behind the data."""

    def __init__(self):
        self.content = b""

    def writable(self):
        return True

    def write(self, more):
        self.content += bytes(more)
        return len(more)


pipe = Pipe()
np.savez_compressed(pipe, a=np.arange(3), b=np.ones(2))
put("npz", "pipe", pipe.content)

put("mtx", "coordinate", "%%MatrixMarket matrix coordinate real general\n% text\n3 4 3\n1 1 1.5\n3 4 -2\n2 2 1e-3\n")
put("mtx", "symmetric", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n3 1 -2\n2 2 7\n")
put("mtx", "skew", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n")
put("mtx", "pattern", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n")
put("mtx", "array", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n")
put("mtx", "symmetric_array", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n")
put("mtx", "unsigned", "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 1 7\n")

put("text", "matrix", "l1 2 3\n4 5 6 # six\n\n7 8 9\n")
put("text", "integers", "i1,2,-3\n4,5,9223372036854775807\n")
put("text", "complex", "c(1+2j) 3j\n4 -5e3-1j\n")
put("text", "missing", "g1.5,,3\n4,nan,6\n,,\n")
put("text", "bytes_in_text", "u1 2 x\n4 255 6\n")
put("text", "one_line", "f1,2.5, 3,4e2,-inf")
put("text", "bytes", "b\x01\x00\x02\x00")
put("text", "string", "s1 2 -3\n4 2147483647")


def sparse(**members):
    return " ".join(members).encode() + b"\n" + b"".join(npy(a) for a in members.values())


shape = np.array([3, 3], dtype=np.int64)
entries = np.array([1.0, 2.0, 3.0])
i32 = lambda *values: np.array(values, dtype=np.int32)
for kind in "csr", "csc":
    put("sparse_npz", kind, sparse(indices=i32(0, 2, 1), indptr=i32(0, 1, 2, 3), format=np.array(kind.encode()), shape=shape, data=entries))
put("sparse_npz", "int64", sparse(indices=np.array([0, 2, 1]), indptr=np.array([0, 1, 3, 3]), format=np.array(b"csr"), shape=shape, data=entries.astype(np.float32)))
put("sparse_npz", "coo", sparse(row=i32(0, 2, 2), col=i32(1, 1, 0), format=np.array(b"coo"), shape=shape, data=entries))
put("sparse_npz", "dia", sparse(offsets=i32(0, -1), format=np.array(b"dia"), shape=shape, data=np.arange(6.0).reshape(2, 3)))

for i, text in enumerate(["1", "1,2", "::2", "...,1", "None,:,1:", "1:2,::-1,...", "-1,...,::-2,0", ":,newaxis,2", "1:, :2 , 3:0:-1", "-2:-1"]):
    put("slice", str(i), text)
# The last two letters are the operands: d of shape (3,), e (3, 3), f (2, 3, 3), g ().
for i, text in enumerate(["idd", "ii->iee", "ij,jk->ikee", "...j,jfd", "bij,ij->bfe", "i,dg", "ij->jiee", "ij,klee"]):
    put("einsum", str(i), text)
kernels = [
    "extern \"C\" __global__ void f(float* x, const double* __restrict__ y, int n) { x[0] = y[n]; }",
    "template<class T> __global__ void f(T* a) { }\ntemplate __global__ void f<float>(float*);",
    "#define N 3\n// f(int)\n__global__ void __launch_bounds__(32) f(unsigned long long a, short int b = N) {}\n",
    "namespace a { __global__ void g(int (*f)(int), char s[3]) { } }",
    "const char* s = R\"x( __global__ void f( )x\"; __global__ void f() {}",
    "_Z5scaleIfEvPT_S0_", "_Z1fPfPKfi", "_ZN3abc1gINS_1tEEEvT_",
]
for i, text in enumerate(kernels):
    put("kernel", str(i), text)

# The first letter is Python's version.
literals = [
    r"""3{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }""", r"""2(1L, 0x77, u'a')""", r"""3[-1, 0x1F, 0b1, 0o7, 1_000, 1.5e-3, .5, 3+4j, -2j]""",
    r"""3{1, (2,), b'\x00\n', None, True}""", r"""3'a' "b" r'\d' '\u00e9\101\n'""", "3(\n  '''a\nb''', # text\n  9223372036854775808)", "3set()", "3{}",
]
for i, text in enumerate(literals):
    put("literal", str(i), text)
# The last letter is the array: L of real numbers, I of integers, J of truth values, K of complex numbers.
formats = [".3fL", "+10.2eL", "*^8xI", "#08oI", " dI", "<7J", "dJ", "g#K", ".2fK", "aL", "\u00e9>9L",
           "s%dL", "s%+.3eL", "s%5.2f and %-5d and %06dL", "s%gI", "s (%5.1f%+.1fj)K"]
for i, text in enumerate(formats):
    put("format", str(i), text)
signatures = ["float32 x, float32 y\nfloat32 z", "T x, raw T y\nT z", "raw complex64 a, _non_const int8 b, U c\nraw U d", "\nint64 k", "const T x\nbool y"]
for i, text in enumerate(signatures):
    put("signature", str(i), text)


def program(*fields):
    return b"gparray kernel 1\n" + b"".join(struct.pack("<Q", len(f)) + f for f in fields)


put("program", "image", program(b"r", b"\x7fELF image", b"log", b"_Z1fPf", b"g"))
put("program", "empty", program(b"r", b"", b""))


def tensor(code=0, bits=64, lanes=1, axes=2, data=1, strides=0, versioned=3, device=0, offset=0, flags=0, shape=(3, 4, 0, 0), steps=(4, 1, 0, 0)):
    return struct.pack("<8B2Q4q4q", code, bits, lanes, axes, data, strides, versioned, device, offset, flags, *shape, *steps)


put("dlpack", "integers", tensor())
put("dlpack", "old", tensor(versioned=0))
put("dlpack", "strided", tensor(code=2, strides=1, steps=(1, 3, 0, 0)))
put("dlpack", "backwards", tensor(strides=1, axes=1, offset=16, shape=(3, 0, 0, 0), steps=(-1, 0, 0, 0)))
put("dlpack", "read_only", tensor(flags=1))
put("dlpack", "bytes", tensor(code=1, bits=8, axes=4, shape=(2, 2, 2, 2)))
put("dlpack", "number", tensor(axes=0))
