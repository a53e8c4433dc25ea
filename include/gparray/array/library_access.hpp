// Addresses for libraries upon this one, which enqueue work of their own.
#pragma once
#include <gparray/array/any_array.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The address of the first element, for work that the caller enqueues on `on` before anything else is done
/// to the array; for `writes` what reads the elements is computed first. Computes the array. Unlike
/// raw_data() it does not give the address out: nothing may be written there later without another call. The
/// memory is not handed out before that work is done. Throws value_error if it writes to a read-only array.
GPARRAY_API void* address_for(const any_array& a, const stream_view& on, bool writes);

/// Enqueues a copy of so many rows of `bytes` bytes, which begin `from_pitch` and `to_pitch` bytes apart,
/// from memory of the stream's GPU to memory that it can write to, another GPU's too, and returns. The GPU's
/// copy engines do it, beside kernels that fill its multiprocessors. The caller sees to it that the memory
/// lives until then.
GPARRAY_API void copy_pitched(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t bytes, std::size_t rows, const stream_view& on);

/// While it lives, calls of streams and events leave what this thread has left pending as it is: for work on
/// nothing but what address_for() has computed.
class GPARRAY_API leaving_pending {
 public:
  leaving_pending() noexcept;
  ~leaving_pending();
  leaving_pending(const leaving_pending&) = delete;
  leaving_pending& operator=(const leaving_pending&) = delete;

 private:
  bool before_;
};

}  // namespace detail
GPARRAY_END_NAMESPACE
