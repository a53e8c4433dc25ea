// MPI, loaded at run time and without its header, so that one program runs with Open MPI, MPICH and whatever
// has the standard ABI of MPI 5.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// A communicator, datatype, request or operation: an int in MPICH, the address of an object in Open MPI, a
/// small constant or an address in the standard ABI. A function that takes an int looks at the lower half of
/// the word that it is given, and one that writes an int writes that half; so words serve all of them, where
/// numbers begin with their lower half, if every word that a function writes to was zero before.
using mpi_handle = std::uintptr_t;

/// What the ABIs disagree about.
struct mpi_constants {
  mpi_handle comm_world, byte, errors_return;
  const void* in_place;
  int thread_serialized;
  mpi_handle sum, prod, min, max;
  std::array<mpi_handle, 10> types;  // int8 to int64, uint8 to uint64, float32, float64
};

/// Large and aligned enough for the status of any ABI, the longest of which has 32 bytes.
struct mpi_status {
  alignas(16) std::array<std::byte, 64> content{};
};

struct mpi_table {
#define GPARRAY_MPI_CALL(name, parameters) int(*name) parameters;
#include <distributed/mpi/mpi_calls.def>
#undef GPARRAY_MPI_CALL
  mpi_constants constants;
};

/// Loads the library at the first call. Throws library_error.
const mpi_table& mpi();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const mpi_table* exchange_mpi(const mpi_table* substitute) noexcept;

/// Whether the program itself has begun MPI. Loads nothing.
bool mpi_is_running();

/// MPI's number of a dtype; 0 for those that it does not know in all versions.
mpi_handle mpi_type_of(const mpi_constants& constants, dtype type) noexcept;

/// "Open MPI 4.1.4", "MPICH 5.0.2", of the text with which the library describes itself.
std::string mpi_name_in(std::string_view description);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
