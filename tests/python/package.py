"""The Python package on GPARRAY_DEVICE: a little of everything. scripts/test_array_api runs the standard's own tests."""
import os
import sys

import numpy as np
import pytest

import arrays_by_nanobind
import gparray as xp

device = os.environ.get("GPARRAY_DEVICE", "cpu")


def host(x):
    return np.from_dlpack(x.to_device("cpu"))


def same(x, expected):
    expected = np.asarray(expected)
    assert host(x).dtype == expected.dtype
    np.testing.assert_array_equal(host(x), expected)


def test_every_name_of_the_standard_is_there():
    names = """e inf nan newaxis pi arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu
        zeros zeros_like astype can_cast finfo iinfo isdtype result_type abs acos acosh add asin asinh atan atan2 atanh bitwise_and
        bitwise_left_shift bitwise_invert bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1
        floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp logical_and
        logical_not logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder round
        sign signbit sin sinh square sqrt subtract tan tanh trunc take take_along_axis matmul matrix_transpose tensordot vecdot
        broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack argmax
        argmin count_nonzero nonzero searchsorted where unique_all unique_counts unique_inverse unique_values argsort sort cumulative_prod
        cumulative_sum max mean min prod std sum var all any diff bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64
        complex64 complex128 __array_namespace_info__ linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eigh linalg.eigvalsh
        linalg.inv linalg.matmul linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.outer linalg.pinv
        linalg.qr linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm fft.fft
        fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq fft.fftshift
        fft.ifftshift""".split()
    for name in names:
        found = xp
        for part in name.split("."):
            found = getattr(found, part)


def test_arithmetic_and_promotion():
    a = xp.asarray([[1, 2], [3, 4]], dtype=xp.int8)
    same(a + 1, np.array([[2, 3], [4, 5]], np.int8))
    same(2.5 * xp.astype(a, xp.float32), np.array([[2.5, 5], [7.5, 10]], np.float32))
    same(a / a, np.ones((2, 2)))
    same(xp.sin(xp.astype(a, xp.float64)) * 0 + a @ a, np.array([[7., 10.], [15., 22.]]))
    same((a > 2) & (a < 4), [[False, False], [True, False]])
    same(xp.clip(a, 2), np.array([[2, 2], [3, 4]], np.int8))
    with pytest.raises(TypeError):
        xp.bitwise_and(xp.ones(2), xp.ones(2))
    with pytest.raises(OverflowError, match="out of bounds for int8"):
        a + 300
    with pytest.raises(ValueError, match="could not be broadcast"):
        a + xp.ones(3)


def test_indexing_and_writing():
    a = xp.reshape(xp.arange(12.), (3, 4))
    same(a[1:, ::-2], np.arange(12.).reshape(3, 4)[1:, ::-2])
    same(a[None, ..., 0], np.arange(12.).reshape(3, 4)[None, ..., 0])
    same(a[None], np.arange(12.).reshape(1, 3, 4))
    same(a[a > 9], [10., 11.])
    a[xp.asarray([0, 2]), 1] = -1
    a[1] += 100
    same(a, [[0., -1, 2, 3], [104, 105, 106, 107], [8, -1, 10, 11]])
    with pytest.raises(IndexError):
        a[3]
    with pytest.raises(TypeError):
        a["0"]


def test_numbers_out_of_arrays():
    assert int(xp.asarray(7, dtype=xp.uint64)) == 7 and float(xp.asarray(2)) == 2 and complex(xp.asarray(1j)) == 1j
    assert bool(xp.any(xp.asarray([False, True]))) and [1, 2][xp.asarray(1)] == 2
    with pytest.raises(TypeError):
        float(xp.ones(2))
    numbers = xp.asarray([1, 2])
    assert repr(numbers) == ("array([1, 2])" if str(numbers.device) == "cpu" else f"array([1, 2], device='{numbers.device}')")


def test_functions():
    generator = np.random.default_rng(2)
    m = generator.normal(size=(4, 4))
    x = xp.asarray(m)
    for ours, numpys in ((xp.linalg.inv(x), np.linalg.inv(m)), (xp.fft.fft(x), np.fft.fft(m)), (xp.sum(x, axis=(0, 1)), m.sum()),
                         (xp.linalg.svd(x).S, np.linalg.svd(m).S), (xp.std(x, axis=1, correction=1), m.std(1, ddof=1)),
                         (xp.cumulative_sum(x, axis=0, include_initial=True), np.cumulative_sum(m, axis=0, include_initial=True))):
        np.testing.assert_allclose(host(ours), numpys, rtol=1e-12, atol=1e-12)
    same(xp.sort(x, axis=0, descending=True), -np.sort(-m, axis=0))
    same(xp.unique_counts(xp.asarray([3, 1, 3])).counts, [1, 2])
    same(xp.concat([xp.asarray([1]), xp.asarray([2.5])]), [1, 2.5])


def test_other_libraries():
    n = np.arange(3.)
    x = xp.asarray(n)
    x += 1
    assert n.tolist() == [1, 2, 3]  # shared
    y = arrays_by_nanobind.twice(xp.asarray([1, 2], dtype=xp.float32))
    assert isinstance(y, xp.array)
    same(y, np.array([2, 4], np.float32))
    assert str(y.device) == device
    assert (xp.ones(1).__dlpack_device__()[0] == 1) == (device == "cpu")
    assert xp.ones(1).__array_namespace__(api_version="2024.12") is xp


if __name__ == "__main__":
    if device != "cpu" and arrays_by_nanobind.gpus() == 0:
        print(f"{device} skipped: there is no GPU")
        sys.exit(77)
    xp.set_default_device(xp.Device(device))
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
