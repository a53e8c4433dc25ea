// any_array: an array whose element type is known at run time. ndarray<V> is a typed skin over it.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include <gparray/array/dims.hpp>
#include <gparray/device.hpp>
#include <gparray/tables/ufunc_table.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// The part of an array's state that handles may touch inline. The rest is private to the library.
struct shared_count {
  std::atomic<int> references{1};
};
/// Of an array that nothing refers to, or nothing but the caller.
GPARRAY_API void destroy_array(shared_count* rep) noexcept;
/// Gives up the caller's reference.
inline void release_array(shared_count* rep) noexcept {
  // Who has the only reference need not count down by a locked instruction, which takes twenty cycles.
  if (rep->references.load(std::memory_order_acquire) == 1 ||
      rep->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    destroy_array(rep);
}

}  // namespace detail

namespace core {
struct array_rep;
}

/// What NumPy's a.flags has, by its names. Elements are always aligned.
struct array_flags {
  bool c_contiguous;  ///< whether the elements lie in C order without gaps
  bool f_contiguous;  ///< whether the elements lie in Fortran order without gaps
  bool owndata;       ///< whether this is neither a view nor borrowed memory
  bool writeable;     ///< whether the elements may be written to
};
/// Keyword arguments of setflags.
struct flag_changes {
  std::optional<bool> write = {};  ///< whether the elements may be written to
};

/// A handle on shared, typed, strided storage. Copying shares; every element type, one class.
/// An any_array may be an expression that has not been computed; everything that looks at elements computes
/// it first. Different threads may read one array, and use different arrays, at the same time.
class GPARRAY_API any_array {
 public:
  /// No array: ndim() is 1, size() is 0 and dtype() float64 until something is assigned.
  any_array() noexcept = default;
  /// Shares the elements of the other array.
  any_array(const any_array& other) noexcept : rep_(other.rep_) {
    if (rep_) rep_->references.fetch_add(1, std::memory_order_relaxed);
  }
  /// Takes the elements of the other array, which is then no array.
  any_array(any_array&& other) noexcept : rep_(std::exchange(other.rep_, nullptr)) {}
  /// Shares the elements of the other array; those of before are given back if no other array shares them.
  any_array& operator=(any_array other) noexcept {
    std::swap(rep_, other.rep_);
    return *this;
  }
  /// Gives the elements back if no other array shares them.
  ~any_array() {
    if (rep_) detail::release_array(rep_);
  }

  /// The sizes of all axes.
  const dims& shape() const;
  /// The size of one axis; negative counts from the end. Throws axis_error.
  [[nodiscard]] std::int64_t shape(int axis) const;
  /// Bytes from one element to the next along each axis. Computes a pending expression.
  const dims& strides() const;
  /// The number of axes.
  [[nodiscard]] int ndim() const { return static_cast<int>(shape().size()); }
  /// The number of elements.
  [[nodiscard]] std::int64_t size() const;
  /// The number of bytes of all elements.
  [[nodiscard]] std::int64_t nbytes() const { return size() * static_cast<std::int64_t>(itemsize(dtype())); }
  /// The element type.
  [[nodiscard]] gparray::dtype dtype() const noexcept;
  /// The device on which the elements are, or will be.
  [[nodiscard]] gparray::device device() const noexcept;
  /// The kind of memory. Computes a pending expression.
  [[nodiscard]] memory_space space() const;
  /// Whether the elements lie in C order (row-major) without gaps. Computes a pending expression.
  [[nodiscard]] bool is_c_contiguous() const;
  /// Whether the elements lie in Fortran order (column-major) without gaps. Computes a pending expression.
  [[nodiscard]] bool is_f_contiguous() const;
  /// Whether the elements lie in C order without gaps: another name of is_c_contiguous().
  [[nodiscard]] bool is_contiguous() const { return is_c_contiguous(); }

  /// Computes a pending expression now: enqueues it on the current stream. Returns *this.
  const any_array& eval() const;
  /// Whether this is an expression that has not been enqueued yet.
  [[nodiscard]] bool pending() const noexcept;
  /// NumPy's flags. Computes a pending expression.
  [[nodiscard]] array_flags flags() const;
  /// a.setflags({.write = false}): writing to this array, by whatever name, or to a view made of it from now
  /// on throws value_error. Throws value_error for {.write = true} if the memory was borrowed as constant, or
  /// if this is a view and the array that owns the memory is read-only.
  void setflags(const flag_changes& changes) const;

  /// The address of the first element, on the array's device. Computes everything pending in this thread;
  /// does not wait for the device. That of a read-only array too, for there are readers that take nothing
  /// else; the caller must not write through it.
  void* raw_data() const;
  /// Whether two arrays could overlap in memory (their address ranges intersect).
  friend GPARRAY_API bool may_share_memory(const any_array& a, const any_array& b);

  /// For the library: the private state.
  core::array_rep* rep() const noexcept { return reinterpret_cast<core::array_rep*>(rep_); }
  /// For the library: the array of a private state, of which it takes over one reference.
  static any_array adopt(core::array_rep* rep) noexcept {
    any_array a;
    a.rep_ = reinterpret_cast<detail::shared_count*>(rep);
    return a;
  }

 private:
  detail::shared_count* rep_ = nullptr;
};

/// Whether two arrays could overlap in memory: whether their ranges of addresses intersect. It may be true
/// where they do not, as of the columns a(":, 0") and a(":, 1"); shares_memory is exact.
[[nodiscard]] GPARRAY_API bool may_share_memory(const any_array& a, const any_array& b);

/// The memory order of a copy or a new array: C is row-major, F column-major, A is F for a source in Fortran
/// order and C otherwise, K is as near to the source as possible.
enum class order : char { C = 'C', F = 'F', A = 'A', K = 'K' };

class stream_view;

namespace detail {

/// An argument of an expression: an array, or a scalar already converted to `type`.
struct argument {
  const any_array* array = nullptr;  // null: a scalar
  bool fuse = false;                 // a temporary: may be computed inside the larger expression
  gparray::dtype type{};
  alignas(16) unsigned char value[16] = {};
};

struct user_loop;  // user_ufunc.hpp

// The typed skin's whole way into the library. Shapes, devices and dtypes are checked here, at the caller's
// line.
GPARRAY_API any_array make_expression(ufunc f, dtype loop, std::span<const argument> arguments);
/// The same for a function that the program brought; `loop` must outlive the expression.
GPARRAY_API any_array make_expression(const user_loop& loop, std::span<const argument> arguments);
/// An expression has been given the name of an array. It is computed at once if that is better than to wait.
GPARRAY_API void name_expression(const any_array& a);
GPARRAY_API any_array astype(const argument& source, dtype to, bool copy);
/// The array itself if it is of the dtype, else a converted copy; computed.
GPARRAY_API any_array as_type(const any_array& a, dtype type);
/// A new array of the same elements; K: in the order in which they lie in memory.
GPARRAY_API any_array copy(const any_array& a, order layout);
/// a, if it lies in the order already.
GPARRAY_API any_array in_order(const any_array& a, order layout);
/// target[...] = source, broadcast and cast (same_kind is the caller's business). Overlap is handled.
GPARRAY_API void assign(const any_array& target, const argument& source);
/// The same for a target of the source's shape that is a variable of the program: if nothing else refers to
/// its elements, it becomes the name of the source, converted, which may stay pending.
GPARRAY_API void assign_to_name(any_array& target, const argument& source);
/// Computes arrays: those that are made of the same values in one pass.
GPARRAY_API void eval_together(std::span<const any_array* const> arrays);
/// Throws value_error, with NumPy's text, unless `value` has or broadcasts to the shape of the output.
GPARRAY_API void check_output(const any_array& out, const any_array& value);
/// target[mask] = source for a broadcastable bool mask.
GPARRAY_API void assign_where(const any_array& target, const argument& source, const any_array& mask);
GPARRAY_API any_array empty(const dims& shape, dtype type, order layout, memory_space space, device where);
/// Wraps memory owned elsewhere; release (may be empty) runs when the last view is gone, and not if this
/// throws.
GPARRAY_API any_array borrow(void* data, const dims& shape, const dims& strides, dtype type,
                             memory_space space, device where, std::function<void()> release,
                             bool constant = false);
/// The value of the only element, synchronised, written to `value`. Throws value_error unless size() == 1.
GPARRAY_API void item(const any_array& a, void* value);
/// Copies all elements in C order to host memory; returns when they are there.
GPARRAY_API void copy_to_host(const any_array& a, void* to);
/// A new array on `where` with the elements (C order) at `from` in host memory.
GPARRAY_API any_array from_host(const void* from, const dims& shape, dtype type, device where);
/// These three on the current stream for null.
GPARRAY_API any_array to_host(const any_array& a, const stream_view* on, const any_array& out);
GPARRAY_API any_array to_device(const any_array& a, device where, const stream_view* on);
/// target[...] = source where the mask, if it has a rep, is true.
GPARRAY_API void copy_to(const any_array& target, const argument& source, const any_array& mask,
                         const stream_view* on);
/// Throws device_error unless `on` is a stream of one of the two devices.
GPARRAY_API void check_stream(const char* operation, const stream_view& on, device a, device b);

}  // namespace detail

GPARRAY_END_NAMESPACE
