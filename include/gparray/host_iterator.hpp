// Random access to the elements of a host array in C order, for range-for and the standard algorithms.
#pragma once
#include <gparray/any_array.hpp>

#include <compare>
#include <iterator>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// The state of an array that the CPU may read, with everything pending computed. Throws device_error if the
/// CPU cannot reach its memory; waits for the GPU if it can but the GPU computes on it.
GPARRAY_API const core::array_rep* host_layout(const any_array& a);

/// Where elements lie that are evenly spaced: numbers [begin, end) in C order, one every `step` bytes.
struct element_run {
  std::byte* first;
  std::int64_t begin, end, step;
};
/// The run that holds element `index`; index == size is past the last of the last run.
GPARRAY_API element_run find_run(const core::array_rep* rep, std::int64_t index);

}  // namespace detail

/// Moves within a run of evenly spaced elements by adding, and looks the next run up at its end, so that
/// contiguous and 1-D arrays never look up anything. Holds no reference: it is valid as long as the array it
/// came from.
template<class V>
class host_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = V;
  using difference_type = std::int64_t;
  using pointer = V*;
  using reference = V&;

  host_iterator() = default;
  explicit host_iterator(const any_array& a)
      : rep_(detail::host_layout(a)), run_(detail::find_run(rep_, 0)) {}

  V& operator*() const { return *address(index_); }
  V* operator->() const { return address(index_); }
  V& operator[](std::int64_t n) const { return *(*this + n); }
  host_iterator& operator+=(std::int64_t n) {
    index_ += n;
    if (index_ < run_.begin || index_ >= run_.end) run_ = detail::find_run(rep_, index_);
    return *this;
  }
  host_iterator& operator-=(std::int64_t n) { return *this += -n; }
  host_iterator& operator++() { return *this += 1; }
  host_iterator& operator--() { return *this += -1; }
  host_iterator operator++(int) { return std::exchange(*this, *this + 1); }
  host_iterator operator--(int) { return std::exchange(*this, *this - 1); }
  friend host_iterator operator+(host_iterator i, std::int64_t n) { return i += n; }
  friend host_iterator operator+(std::int64_t n, host_iterator i) { return i += n; }
  friend host_iterator operator-(host_iterator i, std::int64_t n) { return i -= n; }
  friend std::int64_t operator-(const host_iterator& a, const host_iterator& b) {
    return a.index_ - b.index_;
  }
  friend bool operator==(const host_iterator& a, const host_iterator& b) { return a.index_ == b.index_; }
  friend std::strong_ordering operator<=>(const host_iterator& a, const host_iterator& b) {
    return a.index_ <=> b.index_;
  }

 private:
  V* address(std::int64_t i) const { return reinterpret_cast<V*>(run_.first + (i - run_.begin) * run_.step); }

  const core::array_rep* rep_ = nullptr;
  std::int64_t index_ = 0;
  detail::element_run run_{};
};

GPARRAY_END_NAMESPACE
