// What a rank is about to do, in as many bytes as can be compared before every call.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <gparray/array/dims.hpp>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Trivially copyable, and without padding: compared by its bytes.
struct signature {
  static constexpr std::size_t known_axes = 4;

  char operation[20] = {};
  std::uint32_t number = 0;  ///< of the calls that all ranks of this communicator make, from 1; 0: of some
  std::int32_t root = -1;    ///< or the other rank, or an axis; -1: there is none
  std::uint8_t type = 0, ndim = 0, with_array = 0;
  std::uint8_t option = 0;  ///< what else must agree: what is combined, an axis
  std::int64_t sizes[known_axes] = {};

  signature() = default;
  explicit signature(std::string_view name, int of_root = -1, int of_option = 0);
  /// Of an array that must have the same dtype and shape on all ranks.
  signature(std::string_view name, dtype type, const dims& shape, int of_root = -1, int of_option = 0);

  /// "all_reduce #17 of float32 (100,)", "recv of float32 (100,) from rank 0".
  [[nodiscard]] std::string text() const;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
