// Sparse matrices: SciPy's scipy.sparse.
#pragma once
#include <gparray/sparse/arithmetic.hpp>
#include <gparray/sparse/construct.hpp>
#include <gparray/sparse/files.hpp>
#include <gparray/sparse/matrix.hpp>
