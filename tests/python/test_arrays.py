"""Arrays of a library as arguments and results of functions of C++."""
import gc
import sys
import threading

import numpy as np
import pytest


def test_results_are_of_the_library_of_the_arguments(module, library):
    x = library.array([0, 1, 2], np.float32)
    y = module.twice(x)
    assert type(y) is type(x)
    assert library.to_numpy(y).dtype == np.float32
    assert library.to_numpy(y).tolist() == [0, 2, 4]
    assert str(getattr(y, "device", "")) == str(getattr(x, "device", ""))


def test_nothing_is_copied(module, library):
    x = library.array(np.arange(6.).reshape(2, 3))
    assert module.address(x) == library.address(x)
    same = module.same(x)
    if library.name != "jax":  # which copies what is read-only
        assert library.address(same) == library.address(x)
    assert library.to_numpy(same).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_written_in_place(module, library):
    if library.name == "jax":
        pytest.skip("JAX's arrays are immutable")
    x = library.array(np.arange(8.).reshape(2, 4))
    module.scale(x, 3)
    assert library.to_numpy(x).tolist() == (np.arange(8.).reshape(2, 4) * 3).tolist()
    view = x[:, ::2]
    module.scale(view, 10)
    assert library.to_numpy(x)[:, 0].tolist() == [0, 120]
    assert library.to_numpy(x)[:, 1].tolist() == [3, 15]


def test_immutable_arrays_are_read_only(module, library):
    x = library.array([1., 2.])
    assert module.writeable(x) == (library.name != "jax")
    if library.name == "jax":
        with pytest.raises(ValueError, match="read-only"):
            module.scale(x, 2)
        assert np.asarray(x).tolist() == [1, 2]


def test_overloads_are_found_by_dtype(module, library):
    assert module.kind(library.array([1], np.float32)) == "float32"
    assert module.kind(library.array([1], np.float64)) == "float64"
    assert module.kind(library.array([True])) == "bool"
    # The first to which it converts safely.
    assert module.kind(library.array([1], np.int16)) == "float32"
    assert module.kind(library.array([1], np.int64)) == "float64"
    for other in (library.array([1j], np.complex128), "text", None, object()):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            module.kind(other)
    with pytest.raises(TypeError):
        module.twice(library.array([1], np.float64))


def test_every_dtype_comes_and_goes(module, library):
    for dtype in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
                  "complex64", "complex128"):
        x = library.array([0, 1], dtype)
        assert module.dtype_name(x) == dtype
        assert library.to_numpy(module.reverse(x)).tolist() == [1, 0]
        assert library.to_numpy(module.reverse(x)).dtype == dtype


def test_converted_arguments_are_read_only(module, library):
    with pytest.raises(ValueError, match="read-only"):
        module.scale(library.array([1, 2], np.int32), 2)
    assert float(module.total(library.array([1, 2], np.int32))) == 3


def test_results_outlive_arguments_and_arguments_results(module, library):
    x = library.array([1., 2., 3.])
    y = module.same(x)
    del x
    gc.collect()
    assert library.to_numpy(y).tolist() == [1, 2, 3]
    z = module.reverse(y)
    del y
    gc.collect()
    assert library.to_numpy(z).tolist() == [3, 2, 1]


def test_arguments_are_let_go(module, library):
    x = library.array([1., 2., 3.])
    before = sys.getrefcount(x)
    results = [module.same(x) for _ in range(10)]
    del results
    gc.collect()
    assert sys.getrefcount(x) == before


def test_a_call_says_nothing_about_the_next(module, library):
    module.twice(library.array([1], np.float32))
    assert type(module.make(3)).__module__.split(".")[0] in ("numpy", "cupy", "torch")


def test_exceptions_are_pythons(module, library):
    x = library.array([1., 2., 3.])
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        module.element(x, 7)
    with pytest.raises(ValueError, match="cannot reshape"):
        module.reshape(x, 2)
    with pytest.raises(np.exceptions.AxisError, match="axis 4 is out of bounds"):
        module.sum_axis(x, 4)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        module.invert(library.array([[0., 0.], [0., 0.]]))
    with pytest.raises(MemoryError, match="out of .*memory"):
        module.too_large()
    with pytest.raises(ValueError, match="negative dimensions"):
        module.negative_size()
    with pytest.raises(RuntimeError, match="of the module's own"):
        module.runtime_error()


def test_threads_run_beside_functions_that_released_the_gil(module, library):
    x = library.array(np.linspace(0, 1, 1000))
    seen, stop = [], threading.Event()

    def count():
        while not stop.is_set():
            seen.append(module.is_inside())

    other = threading.Thread(target=count)
    other.start()
    y = module.wait_inside(x)
    stop.set()
    other.join()
    assert True in seen
    assert library.to_numpy(y).tolist() == library.to_numpy(x).tolist()


def test_cuda_array_interface(module, library):
    if library.device == "cpu":
        pytest.skip("of GPUs")

    class Older:
        pass

    x = library.array([1., 2., 3., 4.])
    old = Older()
    old.__cuda_array_interface__ = x.__cuda_array_interface__
    assert module.address(old) == library.address(x)
    assert float(library.to_numpy(x).sum()) == 10 and module.dtype_name(old) == "float64"


def test_the_stream_of_the_caller_is_used(module, library):
    if library.device == "cpu" or library.name == "jax":
        pytest.skip("the CPU, and JAX, has no streams of the caller's")
    x = library.array([1., 2.])
    if library.name == "torch":
        stream = library.module.cuda.Stream()
        with library.module.cuda.stream(stream):
            inside = module.stream_of_call(x)
        handle = stream.cuda_stream
    else:
        stream = library.module.cuda.Stream(non_blocking=True)
        with stream:
            inside = module.stream_of_call(x)
        handle = stream.ptr
    assert inside == handle
    assert module.stream_of_call(x) in (0, 1)
