// The umbrella header: NumPy's semantics on a GPU and on a machine that has none, from plain g++.
#pragma once
#include <gparray/array_text.hpp>
#include <gparray/config.hpp>
#include <gparray/creation.hpp>
#include <gparray/device.hpp>
#include <gparray/dtype.hpp>
#include <gparray/error.hpp>
#include <gparray/linalg.hpp>
#include <gparray/joining.hpp>
#include <gparray/manipulation.hpp>
#include <gparray/ndarray.hpp>
#include <gparray/numeric.hpp>
#include <gparray/operators.hpp>
#include <gparray/products.hpp>
#include <gparray/reductions.hpp>
#include <gparray/ufuncs.hpp>
