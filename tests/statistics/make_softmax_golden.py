#!/usr/bin/env python3
"""Writes softmax.tsv: softmax, log_softmax and logsumexp by SciPy.

One case a line, fields separated by tabs; arrays are shape:elements, such as 2,3:0x1p+0,nan,..., in C order:
  number  function  dtype  axes  keepdims  a  b  result  scale  sign
axes    comma-separated; "" for all
b       weights, or ""
scale   of logsumexp, what an error of so many roundings is relative to: an array of the result's shape, or ""
sign    with return_sign, or ""
"""
import pathlib
import warnings

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

warnings.simplefilter("ignore")
inf, nan = np.inf, np.nan


def text(a):
    if a is None:
        return ""
    a = np.asarray(a)
    return ",".join(map(str, a.shape)) + ":" + ",".join(float(x).hex() for x in a.ravel())


def scale_of(a, b, axis, out):
    """Beside log1p(s) + log(m), whose errors are relative to each, there is the largest element that is added; and weights of both
    signs leave less of the sum than of what is added up."""
    a = np.asarray(a, float)
    full = a if b is None else np.broadcast_arrays(a, b)[0]
    counted = full if b is None else np.where(np.broadcast_to(b, full.shape) == 0, -inf, full)
    top = np.max(counted, axis=axis, keepdims=True).reshape(out.shape)
    scale = abs(out - top) + abs(top)
    if b is not None:
        e = np.exp(counted - np.max(counted, axis=axis, keepdims=True))
        scale = scale + (np.sum(abs(b) * e, axis=axis, keepdims=True) / abs(np.sum(b * e, axis=axis, keepdims=True))).reshape(out.shape)
    return np.where(np.isfinite(scale), scale, 0)


lines = []


def add(function, a, axis=None, keepdims=False, b=None, return_sign=False):
    axes = "" if axis is None else ",".join(map(str, np.atleast_1d(axis)))
    scale = sign = None
    if function is logsumexp:
        out = logsumexp(a, axis=axis, b=b, keepdims=keepdims, return_sign=return_sign)
        if return_sign:
            out, sign = out
        out = np.asarray(out)
        scale = scale_of(a, b, axis, out) if np.size(a) else np.zeros(out.shape)
    else:
        out = function(a, axis=axis)
    fields = [function.__name__, a.dtype.name, axes, str(int(keepdims)), text(a), text(b), text(out), text(scale), text(sign)]
    lines.append("\t".join([str(len(lines)), *fields]))


generator = np.random.default_rng(7)
small = generator.standard_normal((3, 5)) * 4
cube = generator.standard_normal((2, 3, 4)) * 30
arrays = [small, small.astype("f4"), cube, cube.astype("f4"), np.array([[1000., 1000, 999], [-1000, -1001, -1e5]]),
          np.array([[inf, 1, 2], [-inf, 1, 2], [-inf, -inf, -inf], [nan, 1, 2], [inf, -inf, 0], [inf, inf, 1]]),
          np.array([[88., 89, 90], [-88, -104, -89]], "f4"), np.array([[1, 2, 3], [-4, 0, 4]], "i4"), np.array([[3.]])]
for a in arrays:
    for function in (softmax, log_softmax, logsumexp):
        for axis in [None, -1, 0, (0, a.ndim - 1)]:
            add(function, a, axis)
    add(logsumexp, a, -1, keepdims=True)
    add(logsumexp, a, keepdims=True)
    add(logsumexp, a, -1, return_sign=True)
# Results near 0, of which the plain formula leaves no digit.
add(logsumexp, np.array([[0., -40], [0, -700], [-2, -0.14541345786885906]]), -1)
# Weights: none, negative ones, zeros that hide what is infinite, sums of 0 and below; another shape.
for b in (np.array([[1., 2, 3]]), np.array([[1., -1, 0.5]]), np.array([[0., 1, 1]]), np.array([[0., 0, 0]]), np.array([[-1.], [2], [0.5], [1], [1], [1]])):
    for return_sign in (False, True):
        add(logsumexp, arrays[5], -1, b=b, return_sign=return_sign)
        add(logsumexp, np.array([[1., 1, 2], [-3, 700, 2], [5, 5, -5], [0, -1, -800], [1, 2, 3], [710, 710, 710]]), 1, b=b, return_sign=return_sign)
add(logsumexp, np.array([0.5, 2]), b=np.array([[1.], [-1]]), axis=1, keepdims=True, return_sign=True)
add(logsumexp, np.array([1., 1]), b=np.array([1., -1]), return_sign=True)
add(logsumexp, np.zeros((0,)))
add(logsumexp, np.zeros((2, 0)), -1)
add(logsumexp, np.zeros((2, 0), "f4"), -1, keepdims=True, return_sign=True)
pathlib.Path(__file__).with_name("softmax.tsv").write_text("\n".join(lines) + "\n")
