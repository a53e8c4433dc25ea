// How ranks that no MPI connects agree about a few bytes: by files in a folder that all of them see.
#pragma once
#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// What a rank learns at a rendezvous.
struct meeting {
  std::vector<std::byte> words;    // rank 0's
  std::vector<std::string> hosts;  // where each rank runs, by rank
};

/// Gives the words of rank 0 to all ranks. `path` is the start of the names of the files, which are gone
/// afterwards. Files of an earlier run that ended early do no harm: rank 0 shows a number, hears only ranks
/// that repeat it beside one of their own, and a rank takes only an answer that has its number. Throws
/// distributed_error, naming the ranks that did not come, after the timeout, os_error if a file cannot be
/// written.
meeting meet(const std::string& path, int rank, int size, std::span<const std::byte> words,
             std::chrono::milliseconds timeout);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
