#!/usr/bin/env python3
"""Random selections, as NumPy reads and writes them; writes selection.tsv.

Columns: number, base (shape, then the slices of a view of arange), items, kind (read, write, misfit, error),
shape, elements. An item is i (integer), s (slice), n (newaxis), e (ellipsis), or a (array: dtype, shape,
elements). For write, `shape` is that of the value, which is -1, -2, ..., and the elements are those of the
whole base afterwards. A misfit is a value that NumPy does not write.
"""
import pathlib
import random

import numpy as np

choice = random.Random(20260)


def random_slice(n):
    end = lambda: choice.choice([None, None, choice.randint(-n - 1, n + 1)])
    return slice(end(), end(), choice.choice([None, 1, 2, -1, -2, 3]))


def random_array(n, broadcast):
    shape = choice.choice([(), (2,), (3,), (1,), broadcast, broadcast[-1:], (2, 1), (0,)])
    # Now and then one that is out of range.
    high = n + (choice.random() < 0.03)
    low = -n
    values = [choice.randint(low, max(high - 1, low)) for _ in range(int(np.prod(shape)))]
    return np.array(values, dtype=choice.choice(["int64", "int64", "int32", "int8"])).reshape(shape)


def random_mask(shape):
    density = choice.choice([0, 0.3, 0.6, 1])
    flags = [choice.random() < density for _ in range(int(np.prod(shape)))]
    return np.array(flags, dtype=bool).reshape(shape)


def random_items(shape):
    broadcast = choice.choice([(2,), (3,), (2, 3)])
    items, axis, arrays = [], 0, 0
    used = choice.randint(1, len(shape)) if shape else 0
    has_ellipsis = False
    while axis < used or (choice.random() < 0.2 and len(items) < 7):
        kind = choice.choice("iiaaaamssne" if axis < used else "nem")
        if kind == "n":
            items.append(None)
        elif kind == "e":
            if has_ellipsis:
                continue
            has_ellipsis = True
            items.append(...)
        elif kind == "m" and axis < used:
            width = choice.randint(1, min(2, len(shape) - axis))
            own = list(shape[axis:axis + width])
            if choice.random() < 0.03:
                own[0] += 1
            items.append(random_mask(own))
            axis, arrays = axis + width, arrays + 1
        elif kind == "m":
            if choice.random() < 0.3:
                items.append(random_mask(()))
                arrays += 1
        elif kind == "i":
            items.append(choice.randint(-shape[axis], max(shape[axis] - 1, -shape[axis])))
            axis += 1
        elif kind == "a":
            items.append(random_array(shape[axis], broadcast))
            axis, arrays = axis + 1, arrays + 1
        else:
            items.append(random_slice(shape[axis]))
            axis += 1
    # Where we mean to differ: a mask without elements fits no axis but its own, and one without a true element does not
    # excuse an index that is out of range.
    masks = [i for i in items if isinstance(i, np.ndarray) and i.dtype == bool]
    unfit = masks and (0 in shape or (arrays > 1 and not all(m.any() for m in masks)))
    return items if arrays and not unfit else random_items(shape)


def spelled(item):
    if item is None:
        return "n"
    if item is ...:
        return "e"
    if isinstance(item, slice):
        return "s" + ":".join("" if x is None else str(x) for x in (item.start, item.stop, item.step))
    if isinstance(item, int):
        return f"i{item}"
    return f"a{item.dtype.name}={numbers(item.shape)}={numbers(item.reshape(-1).astype(int))}"


def numbers(values):
    return ",".join(str(int(v)) for v in values)


def slices_text(shape):
    return ",".join(choice.choice([":", ":", "::-1", "::2", "1:", ":-1"]) for _ in shape)


def case():
    shape = choice.choice([(5,), (3, 4), (4, 3), (2, 3, 4), (3, 1, 2), (2, 3, 2, 3), (0, 3), (), (4, 4)])
    whole = np.arange(int(np.prod(shape))).reshape(shape)
    text = slices_text(shape) if shape and choice.random() < 0.4 else ""
    base = eval(f"whole[{text}]") if text else whole
    if text == "" and whole.ndim > 1 and choice.random() < 0.2:
        text, base = "T", whole.T
    items = random_items(base.shape)
    if all(np.ndim(i) == 0 and not isinstance(i, slice) and i is not None and i is not ... for i in items):
        return case()  # NumPy takes 0-d arrays for integers, and sets an element from a number alone
    row = [f"{numbers(shape)};{text}", ";".join(map(spelled, items))]
    try:
        read = base[tuple(items)]
    except IndexError as error:
        return row + ["error", "", str(error)]
    if choice.random() < 0.5:
        return row + ["read", numbers(read.shape), numbers(read.reshape(-1))]
    # A value of the result's shape, or one that broadcasts to it, with leading ones, or that does not fit.
    own = list(read.shape)
    for d in range(len(own)):
        if choice.random() < 0.25:
            own[d] = 1
    own = own[choice.choice([0, 0, choice.randint(0, len(own))]):]
    own = [1] * choice.choice([0, 0, 0, 1]) + own
    if own and choice.random() < 0.05:
        own[-1] += 1
    value = -1 - np.arange(int(np.prod(own))).reshape(own)
    try:
        base[tuple(items)] = value
    except TypeError:  # a lone mask refuses leading axes of size 1 that every other index accepts, as ours does
        return case()
    except ValueError:
        return row + ["misfit", numbers(own), numbers(whole.reshape(-1))]
    return row + ["write", numbers(own), numbers(whole.reshape(-1))]


def lines():
    return ["\t".join([str(i), *case()]) for i in range(1000)]


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("selection.tsv").write_text("\n".join(lines()) + "\n", encoding="utf-8")
