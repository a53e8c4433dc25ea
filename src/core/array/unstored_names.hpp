// What is computed again rather than stored. Names that a kernel uses without storing them. In C++ a name
// lives to the end of its block, so most names that are steps of something are never looked at again.
#pragma once
#include <span>

#include <core/array/pending_nodes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Whether a name below an expression that is being computed stays pending: computing it again, if it is used
/// once more, takes about as long as storing it now. `stored`: reps below it that will be in memory.
bool stays_pending(const array_rep* name, std::span<array_rep* const> stored = {});
/// Whether a name is a step or two on top of names that will be in memory.
bool is_cheap_above(const array_rep* name, std::span<array_rep* const> stored);
/// Whether a pending operand of which so many elements are read is computed for each of them, rather than
/// stored before: that takes less.
bool is_cheap_to_repeat(const array_rep* operand, std::int64_t elements);
/// The same of an operand that is broadcast to so many elements. One that nothing else reads may have few
/// itself: then a kernel of its own takes longer to begin than to run.
bool is_cheap_to_broadcast(const array_rep* operand, std::int64_t elements, bool is_temporary);
/// Notes that what has been enqueued used the names in the graph that stay pending.
void note_unstored(const pending_nodes& nodes, std::span<array_rep* const> stored = {});

/// While one of these lives this thread stores every name that it comes upon: all that is pending is wanted.
class storing_names {
 public:
  storing_names() noexcept;
  ~storing_names();
  storing_names(const storing_names&) = delete;
  storing_names& operator=(const storing_names&) = delete;

 private:
  bool before_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
