// SciPy's scipy.sparse.linalg.
#pragma once
#include <gparray/sparse/eigen.hpp>
#include <gparray/sparse/lsqr.hpp>
