"""What the applications need besides their programs: sizes and inputs as application.hpp makes them, and checksums of results."""
import pathlib
import re

import numpy as np

TABLE = pathlib.Path(__file__).resolve().parent / "applications.def"


def rows():
    """Of each application its name and its sizes: {"softmax": {"large": (8192, 4096), ...}}."""
    found = {}
    pattern = r"^GPARRAY_APPLICATION\((\w+), \((.*?)\), \((.*?)\), \((.*?)\), .*\)$"
    for name, *sizes in re.findall(pattern, TABLE.read_text(), re.M):
        numbers = [tuple(int(n.replace("'", "")) for n in text.split(",")) for text in sizes]
        found[name] = dict(zip(("large", "small", "tiny"), numbers))
    return found


def uniform(size, seed):
    """Numbers of 24 bits, in [0, 1)."""
    with np.errstate(over="ignore"):
        x = np.arange(size, dtype=np.uint32)
        x *= np.uint32(0x9E3779B1)
        x += np.uint32(seed * 0x85EBCA6B & 0xFFFFFFFF)
        x ^= x >> 15
        x *= np.uint32(0x6F4F2A35)
        x ^= x >> 13
        x *= np.uint32(0xA3C59AC3)
        x ^= x >> 16
    return (x >> 8) * 2.0**-24


class Inputs:
    """What the programs make their inputs with. They are numbered in the order in which they are made."""

    def __init__(self):
        self.count = 0

    def numbers(self, shape, low=0, high=1, dtype="float32"):
        self.count += 1
        return (low + (high - low) * uniform(int(np.prod(shape)), 4 * self.count)).astype(dtype).reshape(shape)

    def normal_numbers(self, shape, dtype="float32"):
        self.count += 1
        total = np.full(int(np.prod(shape)), -2.0)
        for k in range(4):
            total += uniform(total.size, 4 * self.count + k)
        return (1.7320508075688772 * total).astype(dtype).reshape(shape)


def checksum(result):
    """The fields of checksum.hpp."""
    x = np.asarray(result).ravel()
    weights = np.arange(x.size, dtype=np.uint32)
    weights *= np.uint32(2654435761)
    weights >>= 8
    x = x.astype(np.float64)
    # The weights are integers here, so that their product with x is rounded as it is there but for a power of two.
    sums = (x.sum(), np.abs(x).sum(), np.dot(x, x), np.dot(x, weights) * 2.0**-24, x.min(), x.max())
    return [x.size, *(float(s) for s in sums)]


def agree(a, b, tolerance):
    """Whether two checksums are those of the same result but for a share of its magnitudes; NaN is never."""
    (size, total, magnitude, squares, weighted, least, greatest), other = a, b
    error = tolerance * max(magnitude, other[2])
    extreme = tolerance * max(abs(least), abs(greatest))
    return (size == other[0] and abs(total - other[1]) <= error and abs(magnitude - other[2]) <= error
            and abs(squares - other[3]) <= 2 * tolerance * max(squares, other[3]) and abs(weighted - other[4]) <= error
            and abs(least - other[5]) <= extreme and abs(greatest - other[6]) <= extreme)
