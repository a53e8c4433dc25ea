// SciPy's scipy.sparse.linalg.
#pragma once
#include <gparray/sparse/exponential.hpp>
#include <gparray/sparse/functions.hpp>
#include <gparray/sparse/lobpcg.hpp>
#include <gparray/sparse/lsmr.hpp>
#include <gparray/sparse/lsqr.hpp>
