// Elements that are written to other ranks' memory, where a GPU can do that: by its copy engines, beside
// kernels that fill it, which messages wait for, as kernels send them.
#pragma once
#include <memory>

#include <distributed/collectives/moved.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// From how many bytes on it is worth it. Smaller messages travel as quickly; so much has to be computed
/// while the piece before travels, and to lie together for a copy engine.
struct one_sided_limits {
  std::int64_t exchange = std::int64_t{1} << 22, piece = std::int64_t{1} << 24, run = std::int64_t{1} << 14;
};
/// Tests, whose arrays are small, have others.
inline one_sided_limits one_sided_from;

/// One exchange: each rank has a landing, to which others write what it is to have. What has landed is to be
/// read by what the current stream is given until this object ends; the next exchange uses the same memory.
class one_sided {
 public:
  /// Whether the ranks of a transport have landings, and what is enqueued now is done once.
  static bool works_for(const transport& t);
  /// An exchange with landings of so many bytes; null, alike on all ranks, if there is no memory for them.
  /// All ranks call it, with the same number. What they put travels once all have come.
  static std::unique_ptr<one_sided> begin(const transport& t, std::size_t bytes);
  ~one_sided();
  one_sided(const one_sided&) = delete;
  one_sided& operator=(const one_sided&) = delete;

  /// This rank's landing from a byte on, as a C-contiguous array.
  any_array landing(std::size_t offset, const dims& shape, dtype type) const;
  /// Enqueues copies of elements to such a landing of another rank, of the shape `of`, in which they begin at
  /// `begin`; beside what the current stream is given from now on.
  void put(int to, std::size_t offset, const dims& of, const dims& begin, const any_array& elements);
  /// Behind the mark is what all others have put so far, that is before as many calls of this. All ranks call
  /// it.
  event arrived();

 private:
  one_sided(const transport& t, const symmetric_memory& memory);

  const transport& transport_;
  const symmetric_memory& memory_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
