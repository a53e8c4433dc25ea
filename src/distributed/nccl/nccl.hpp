// NCCL, loaded at first use and without its header, which comes with no CUDA toolkit.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// ncclComm_t.
using nccl_comm = void*;

/// ncclWindow_t: memory of all ranks that each can reach.
using nccl_window = void*;
/// ncclWaitSignalDesc_t: how many signals of a rank to wait for.
struct nccl_signals {
  int count, rank, index = 0, context = 0;
};
/// NCCL_WIN_COLL_SYMMETRIC.
inline constexpr int nccl_symmetric = 1;

/// ncclUniqueId: by which ranks find each other.
struct nccl_id {
  char content[128];
};

/// Codes of ncclResult_t that mean something here.
inline constexpr int nccl_success = 0, nccl_in_progress = 7;
/// ncclUint8, as which bytes travel.
inline constexpr int nccl_byte = 1;

struct nccl_table {
#define GPARRAY_NCCL_CALL(result, name, parameters) result(*name) parameters;
#include <distributed/nccl/nccl_calls.def>
#include <distributed/nccl/nccl_window_calls.def>
#undef GPARRAY_NCCL_CALL

  /// Whether the library has the calls of windows.
  bool has_windows() const noexcept { return WaitSignal != nullptr; }
};

/// Loads the library at the first call. Throws library_error, also if it is older than 2.18.
const nccl_table& nccl();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const nccl_table* exchange_nccl(const nccl_table* substitute) noexcept;

/// "nccl 2.28.9".
std::string nccl_name(const nccl_table& calls);

/// NCCL's number of a dtype, and how many of its elements are one of ours; nothing for those it does not
/// know.
struct nccl_type {
  int number;
  std::size_t count;
};
std::optional<nccl_type> nccl_type_of(dtype type) noexcept;

/// Whether work given to this cudaStream_t is being recorded.
bool is_captured(void* stream) noexcept;

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
