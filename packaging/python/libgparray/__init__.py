"""Headers and library of gparray, NumPy-like arrays for C++20, for CMake, pkg-config and plain compilers.

The functions say where they are; `python -m libgparray --cmake-dir` prints what they return. CMake finds the package by
itself where a build backend reads the entry point cmake.prefix, as scikit-build-core does.
"""

import importlib.metadata
import pathlib

_prefix = pathlib.Path(__file__).resolve().parent


def _parent_of(pattern):
    return str(next(_prefix.glob(pattern)).parent)


def prefix():
    """The folder to add to CMAKE_PREFIX_PATH."""
    return str(_prefix)


def cmake_dir():
    """The folder of gparrayConfig.cmake, for -Dgparray_DIR."""
    return _parent_of("lib*/**/gparrayConfig.cmake")


def include_dir():
    """The folder of gparray/gparray.hpp."""
    return str(_prefix / "include")


def library_dir():
    """The folder of libgparray.so."""
    return _parent_of("lib*/**/libgparray.so")


def pkg_config_dir():
    """The folder of gparray.pc, for PKG_CONFIG_PATH."""
    return _parent_of("lib*/**/gparray.pc")


def version():
    """The version of the library."""
    for name in ("libgparray-cpu", "libgparray-cu13"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    raise importlib.metadata.PackageNotFoundError("libgparray-cpu or libgparray-cu13")
