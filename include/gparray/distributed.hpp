// gparray::distributed: one program, run once for each GPU or CPU, on one machine or many. Its library is one
// of its own: find_package(gparray COMPONENTS distributed), target gparray::distributed. It leaves out
// distributed/sparse/linalg.hpp.
#pragma once
#include <gparray/distributed/collectives.hpp>
#include <gparray/distributed/communicator.hpp>
#include <gparray/distributed/creation.hpp>
#include <gparray/distributed/fft.hpp>
#include <gparray/distributed/files.hpp>
#include <gparray/distributed/gradient_sum.hpp>
#include <gparray/distributed/layout.hpp>
#include <gparray/distributed/manipulation.hpp>
#include <gparray/distributed/numeric.hpp>
#include <gparray/distributed/operations.hpp>
#include <gparray/distributed/products.hpp>
#include <gparray/distributed/random.hpp>
#include <gparray/distributed/reductions.hpp>
#include <gparray/distributed/remedies.hpp>
#include <gparray/distributed/selection.hpp>
#include <gparray/distributed/sharded.hpp>
#include <gparray/distributed/sorting.hpp>
#include <gparray/distributed/sparse.hpp>
#include <gparray/distributed/statistics.hpp>
#include <gparray/distributed/while_loop.hpp>
