"""run.py LIBRARY: the tests of this folder with arrays of a library on GPARRAY_DEVICE. Exit status 77: one of them is not there."""
import importlib
import os
import pathlib
import sys

import pytest

import arrays_by_nanobind

library, device = sys.argv[1], os.environ.get("GPARRAY_DEVICE", "cpu")
try:
    importlib.import_module(library)
except ImportError as error:
    print(f"{device} skipped: {error}")
    sys.exit(77)
if device != "cpu" and arrays_by_nanobind.gpus() == 0:
    print(f"{device} skipped: there is no GPU")
    sys.exit(77)
here = pathlib.Path(__file__).parent
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--library", library, "--device", device, str(here), *sys.argv[2:]]))
