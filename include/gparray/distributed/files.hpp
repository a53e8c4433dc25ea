// Sharded arrays in .npy files, of which every rank writes and reads its part. The file is that of gp::save:
// NumPy reads it, and so do programs of any other number of ranks. So it serves as a checkpoint, too.
#pragma once
#include <gparray/distributed/sharded.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {
GPARRAY_API void save(const std::string& file, const node_ptr& a);
GPARRAY_API node_ptr load(const std::string& file, dtype type, const layout& where);
}  // namespace detail

/// Writes an array to a .npy file that all ranks reach by this name, which gets the ending .npy if it has
/// none. The parts go to a file beside it, which replaces an old one when all are written. Every rank must
/// call it. Throws os_error on every rank, with the reason of the first that could not write.
inline void save(const std::string& file, const any_sharded& a) { detail::save(file, a.state()); }

/// The array in a .npy file, converted to V. Every rank reads what it needs: rows, if the file is in C order
/// and of this machine's byte order, else all of it. Throws on every rank as gp::load does.
template<element V>
[[nodiscard]] sharded<V> load(const std::string& file, const layout& where) {
  return sharded<V>(detail::load(file, dtype_of<V>, where));
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
