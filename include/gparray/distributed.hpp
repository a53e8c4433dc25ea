// gparray::distributed: one program, run once for each GPU or CPU, on one machine or many. Its library is one
// of its own: find_package(gparray COMPONENTS distributed), target gparray::distributed.
#pragma once
#include <gparray/distributed/collectives.hpp>
#include <gparray/distributed/communicator.hpp>
