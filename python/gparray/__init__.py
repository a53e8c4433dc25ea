"""NumPy-like arrays on the CPU and on NVIDIA GPUs, with the names of the Python array API standard (2024.12)."""
from math import e, inf, nan, pi

from . import _core
from ._core import Device, array, set_default_device, synchronize
from ._creation import *
from ._dtypes import *
from ._elementwise import *
from ._manipulation import *
from ._products import matmul, matrix_transpose, tensordot, vecdot
from ._reductions import *
from ._searching import *
from . import fft, linalg
from ._info import __array_namespace_info__

__array_api_version__ = "2024.12"
__version__ = "0.1.0"
newaxis = None
