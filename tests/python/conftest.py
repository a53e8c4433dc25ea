"""The arrays that the tests of this folder are run with: those of a library on a device."""
import importlib

import numpy as np
import pytest


def pytest_addoption(parser):
    parser.addoption("--library", default="numpy")
    parser.addoption("--device", default="cpu")


class Library:
    """Arrays of one library: made of NumPy's, and back."""

    def __init__(self, name, device):
        self.name, self.device = name, device
        self.module = importlib.import_module({"jax": "jax.numpy"}.get(name, name))

    def array(self, values, dtype=None):
        values = np.asarray(values, dtype)
        if self.name == "torch":
            return self.module.asarray(values.copy()).to(self.device)
        if self.name == "jax":
            import jax
            jax.config.update("jax_enable_x64", True)
            kind, _, number = self.device.replace("cuda", "gpu").partition(":")
            return jax.device_put(values, jax.devices(kind)[int(number or 0)])
        return self.module.asarray(values)

    def to_numpy(self, array):
        if self.name == "torch":
            return array.cpu().numpy()
        return array.get() if self.name == "cupy" else np.asarray(array)

    def address(self, array):
        if self.name == "torch":
            return array.data_ptr()
        if self.name == "jax":
            return array.unsafe_buffer_pointer()
        return array.data.ptr if self.name == "cupy" else array.ctypes.data


@pytest.fixture(scope="session")
def library(request):
    return Library(request.config.getoption("--library"), request.config.getoption("--device"))


@pytest.fixture(params=["arrays_by_nanobind", "arrays_by_pybind11"])
def module(request):
    return importlib.import_module(request.param)
