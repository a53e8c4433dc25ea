"""What NumPy's arrays alone can be: read-only, of lists, of older protocols."""
import sys

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def numpy_alone(library):
    if library.name != "numpy":
        pytest.skip("of NumPy")


def test_read_only_both_ways(module):
    x = np.arange(3.)
    x.flags.writeable = False
    assert not module.writeable(x)
    with pytest.raises(ValueError, match="read-only"):
        module.scale(x, 2)
    assert not module.same(x).flags.writeable
    assert not module.frozen(np.arange(3.)).flags.writeable
    assert module.same(np.arange(3.)).flags.writeable


def test_numbers_and_lists_are_arrays(module):
    assert module.twice([1, 2.5]).tolist() == [2, 5]
    assert module.twice(3).tolist() == 6
    with pytest.raises(TypeError):
        module.twice([1j])
    with pytest.raises(TypeError):
        module.twice("3")


def test_array_interface(module):
    class Older:
        def __init__(self, array):
            self.array = array
            self.__array_interface__ = array.__array_interface__

    x = np.arange(6.)
    old = Older(x[::2])
    references = sys.getrefcount(old)
    module.scale(old, 10)
    assert x.tolist() == [0, 1, 20, 3, 40, 5]
    assert sys.getrefcount(old) == references
    x.flags.writeable = False
    assert not module.writeable(Older(x))
    with pytest.raises(TypeError):
        module.twice(Older(x.astype(">f4")))


def test_expressions_as_arguments(module):
    assert module.expression(np.arange(3.)).tolist() == [0, 1, 2]


def test_no_array_for_none(module):
    assert "ndarray[dtype=float64]" in module.total.__doc__
