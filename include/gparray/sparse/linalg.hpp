// SciPy's scipy.sparse.linalg.
#pragma once
#include <gparray/sparse/linalg/exponential.hpp>
#include <gparray/sparse/linalg/functions.hpp>
#include <gparray/sparse/linalg/lobpcg.hpp>
#include <gparray/sparse/linalg/lsmr.hpp>
#include <gparray/sparse/linalg/lsqr.hpp>
