// Random access to the elements of an array in C order, for range-for and the standard algorithms.
#pragma once
#include <compare>
#include <iterator>
#include <memory>
#include <type_traits>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

struct host_copy;

/// The elements of an array where the CPU reads them: its own memory, or, of a GPU's, a copy on the host.
struct host_elements {
  const core::array_rep* rep;
  std::shared_ptr<const host_copy> copy;
};
/// Computes everything pending; waits for the GPU, if there is one at work on the memory. The first is for
/// reading; the second gives the address out as data() does, and its copy is for reading, too.
GPARRAY_API host_elements elements_to_read(const any_array& a);
GPARRAY_API host_elements elements_to_write(const any_array& a);
/// The state of the array itself if the CPU reaches it, else null.
GPARRAY_API const core::array_rep* host_layout(const any_array& a);
/// Throws device_error if something was written to the copy.
GPARRAY_API void check_unwritten(const host_copy& copy);
[[noreturn]] GPARRAY_API void throw_behind_copy();

/// Where elements lie that are evenly spaced: numbers [begin, end) in C order, one every `step` bytes.
struct element_run {
  std::byte* first;
  std::int64_t begin, end, step;
};
/// The run that holds element `index`; index == size is past the last of the last run.
GPARRAY_API element_run find_run(const core::array_rep* rep, std::int64_t index);

}  // namespace detail

/// A random access iterator over the elements of an array in C order, through any strides: what a.begin()
/// returns. Holds no reference: it is valid as long as the array it came from. Over const V it only reads,
/// which read-only arrays allow. Elements in a GPU's own memory, and those of read-only arrays, are read from
/// a copy on the host, made by begin(), which waits for it; end() has none, and only compares. (Over const V
/// read-only arrays are read in place.) Nothing can be written there: an attempt throws device_error or
/// value_error when the loop ends, or, if it does not come to its end, with the next call that computes
/// something.
template<class V>
class host_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<V>;
  using difference_type = std::int64_t;
  using pointer = V*;
  using reference = V&;

  /// Of no array.
  host_iterator() = default;
  /// At the first element; computes what is pending and waits for it.
  explicit host_iterator(const any_array& a)
      : host_iterator(std::is_const_v<V> ? detail::elements_to_read(a) : detail::elements_to_write(a)) {}
  /// Behind the last element.
  host_iterator(const any_array& a, std::int64_t size) : rep_(detail::host_layout(a)), index_(size) {
    if (rep_) run_ = detail::find_run(rep_, size);
  }
  /// Reading goes on where writing was.
  template<class W>
    requires(std::is_const_v<V> && std::is_same_v<W, std::remove_const_t<V>>)
  host_iterator(const host_iterator<W>& other)
      : rep_(other.rep_), index_(other.index_), run_(other.run_), copy_(other.copy_) {}

  /// The element.
  V& operator*() const { return *address(index_); }
  /// The address of the element, by which members of complex numbers are called.
  V* operator->() const { return address(index_); }
  /// The element n positions further on.
  V& operator[](std::int64_t n) const { return *(*this + n); }
  /// Moves n positions forward.
  host_iterator& operator+=(std::int64_t n) {
    index_ += n;
    if (index_ < run_.begin || index_ >= run_.end) look_up();
    return *this;
  }
  /// Moves n positions back.
  host_iterator& operator-=(std::int64_t n) { return *this += -n; }
  /// Moves to the next element.
  host_iterator& operator++() { return *this += 1; }
  /// Moves to the element before.
  host_iterator& operator--() { return *this += -1; }
  /// Moves to the next element and returns the iterator as it was.
  host_iterator operator++(int) { return std::exchange(*this, *this + 1); }
  /// Moves to the element before and returns the iterator as it was.
  host_iterator operator--(int) { return std::exchange(*this, *this - 1); }
  /// An iterator n positions further on.
  friend host_iterator operator+(host_iterator i, std::int64_t n) { return i += n; }
  friend host_iterator operator+(std::int64_t n, host_iterator i) { return i += n; }
  /// An iterator n positions back.
  friend host_iterator operator-(host_iterator i, std::int64_t n) { return i -= n; }
  /// How many positions `a` is behind `b`.
  friend std::int64_t operator-(const host_iterator& a, const host_iterator& b) {
    return a.index_ - b.index_;
  }
  friend bool operator==(const host_iterator& a, const host_iterator& b) {
    if (a.index_ != b.index_) return false;
    if constexpr (!std::is_const_v<V>)
      if (a.copy_) [[unlikely]]
        detail::check_unwritten(*a.copy_);
    return true;
  }
  friend std::strong_ordering operator<=>(const host_iterator& a, const host_iterator& b) {
    return a.index_ <=> b.index_;
  }

 private:
  template<class W>
  friend class host_iterator;

  explicit host_iterator(detail::host_elements e)
      : rep_(e.rep), run_(detail::find_run(rep_, 0)), copy_(std::move(e.copy)) {}

  void look_up() {
    if (!rep_) detail::throw_behind_copy();
    run_ = detail::find_run(rep_, index_);
  }
  V* address(std::int64_t i) const { return reinterpret_cast<V*>(run_.first + (i - run_.begin) * run_.step); }

  const core::array_rep* rep_ = nullptr;
  std::int64_t index_ = 0;
  detail::element_run run_{};
  std::shared_ptr<const detail::host_copy> copy_;
};

GPARRAY_END_NAMESPACE
