// The state behind an array handle: a layout over storage, or an expression that has not been computed.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <core/runtime/pending.hpp>
#include <core/runtime/storage.hpp>
#include <gparray/array/any_array.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct index_map;
struct pending_list;
struct rolled_index;
struct row_places;
struct selection;

/// One argument of a pending operation. array == nullptr: the constant `value` of dtype `type`.
struct node_argument {
  array_rep* array;
  dtype type;
  scalar_bits value;
};

/// A pending operation; it owns a reference to each array argument.
struct node {
  ufunc op{};
  dtype loop{};
  const detail::user_loop* user = nullptr;  // of ufunc::user
  int count = 0;
  // Upper bounds for the plan of all that is pending below, so that it is cut while it is built:
  // plan_size.hpp has exact ones. None of what is no element-wise expression.
  int inputs = 0, steps = 0;  // inputs but numbers
  int numbers = 0;
  int reductions = 0;           // at most so many pending ones are below
  bool rolls = false;           // rolled arrays are below, or this is one
  std::uint64_t statement = 0;  // of this step and the temporaries fused into it: their functions and dtypes
  bool c_order = true;          // the result is C-contiguous, for all that it is made of is
  node_argument arguments[max_arity];  // the first `count`
};

/// What a pending reduction, or scan, makes of its one argument, and of nothing else: neither of no elements
/// nor of elements for no result.
struct reduction_node {
  reduction op;
  dtype element;       // the argument is converted to it first
  std::uint32_t axes;  // bit d: axis d of the argument is reduced
  double ddof;
};

/// How a pending array that is no element-wise expression comes to its elements; the room that makes such
/// arrays has one.
struct computation {
  /// Computes the rep, whose evaluation the caller holds.
  void (*compute)(array_rep* rep);
  /// Computes into memory for the elements in C order; the rep stays pending. Of an array of a known shape
  /// that may have one element, which item() asks for.
  void (*compute_into)(array_rep* rep, std::byte* data);
  /// Whether it reads memory that is in no argument of `operation`.
  bool (*reads)(const array_rep* rep, const storage* s);
  /// Of reductions, else null: compute() where the caller knows that no name in the operand is wanted in
  /// memory.
  void (*reduce_without_names)(array_rep* rep);
  /// Whether its two arguments are elements, and the values of those that are replaced: an element-wise
  /// function of one array is then that of both.
  bool replaces = false;
  /// Whether it is a scan, of `reduced` along its one axis, that waits for a reduction of what it gives.
  bool scans = false;
};

/// Immutable once computed: rebinding a handle swaps reps, writing goes to the storage. While `pending` is
/// set, shape, type and device are known and `operation` says how to compute; then storage, offset and
/// strides are filled in.
///
/// What each step of a loop looks at comes first, and shape and strides, which have room for many sizes,
/// last: so that it is in few lines of a cache.
struct array_rep : detail::shared_count {
  ~array_rep();
  dtype type;
  device device_;
  bool c_contiguous, f_contiguous;
  std::atomic<bool> pending;
  // Of a(mask) and a(indices): shape and size are unknown while pending, and this is what will be read.
  bool of_unknown_shape;
  bool read_only;              // NumPy's flags.writeable is false; views inherit it
  bool is_view;                // of elements that another array was made with
  bool begins_turn;            // while pending: of a loop, whose next turn has begun to read it (turns.hpp)
  bool repeats_nothing;        // while pending: no name below is of its line, as has been looked
  std::atomic<bool> was_used;  // while pending: something computed used it, and left it pending
  std::atomic<int> logged;     // while pending: which step of its home's log it is (step_log.hpp), or -1
  std::int64_t size;
  std::byte* data;  // first element; while pending null, or where a plan that is being made finds it
  storage* memory;  // owns a reference; null while pending
  std::atomic<pending_list*>
      list;                    // of the thread that made it, while pending; changed under the list's lock
  array_rep *previous, *next;  // in that list
  pending_list* home;          // the list that it was put in first: all pending steps below it have the same
  std::uint64_t birth;         // while pending, if not 0: greater than that of all steps below, in one home
  const computation* computed_by;  // while pending; null: element by element, as `operation` says
  std::uint64_t mark;  // of the walk that was here last (plan_size.hpp), while the home's steps are held
  int position;        // that it has in what walked
  std::uint32_t seen;  // by a search in the home, under its lock
  int uses;            // by the steps that the search has seen
  std::atomic<std::uint64_t>
      counted;           // in which everything_pending (pending_list.hpp), as an array that is read
  stream_handle stream;  // the current one where it was enlisted, of a GPU's
  std::unique_ptr<const index_map> view;  // while pending, of a view of a pending array (pending_view.hpp);
                                          // its `operation` is a cast to its own dtype, too
  std::unique_ptr<const rolled_index> roll;  // while pending, of a rolled array (rolled.hpp): where in its
                                             // argument it is; `operation` is a cast to its own dtype
  any_array loads_from;  // while pending, of ufunc::load: has the elements at those addresses
  std::shared_ptr<const row_places> places;  // while pending, of loads of rows: how far on elements lie; of
                                             // a range (is_range()): its numbers
  void (*compute_alone)(array_rep*);  // while pending, or null: quicker than a plan of `operation`, where
                                      // nothing else is computed with it
  node operation;                     // while pending
  reduction_node reduced;             // what a pending reduction makes of the one argument
  std::shared_ptr<const selection> selected;
  dims shape, strides;
};

/// So many bytes behind the first element; null where there is no memory, in which there are no places.
inline std::byte* place_in(const array_rep* rep, std::int64_t offset) {
  return rep->data == nullptr ? nullptr : rep->data + offset;
}

inline bool is_pending(const array_rep* rep) { return rep->pending.load(std::memory_order_acquire); }

/// Whether a rep is pending as a step of its home's log (step_log.hpp), which other threads may compute or
/// write out unless that list is locked. If it is not, `operation` has its arguments.
inline bool is_logged(const array_rep* rep) { return rep->logged.load(std::memory_order_acquire) >= 0; }

/// A rep with shape, type and device set and nothing else; from a free list of this thread.
array_rep* new_rep(dtype type, device on_device, const dims& shape);
/// The same of a shape that has so many elements.
array_rep* new_rep(dtype type, device on_device, const dims& shape, std::int64_t size);
void retain(array_rep* rep) noexcept;
void release(array_rep* rep) noexcept;

/// Sets strides, data and memory, and with them the contiguity flags. Takes over a reference to `memory`.
void set_layout(array_rep* rep, const dims& strides, std::byte* data, storage* memory);
/// A view of the same storage (which must be computed) with another layout; read-only if `base` is.
any_array make_view(const array_rep* base, dtype type, const dims& shape, const dims& strides,
                    std::int64_t byte_offset);
/// The same array, made by make_view() just now, marked as read-only.
any_array read_only(any_array view);
/// Throws value_error, NumPy's text, for an array that is read-only. Whatever writes to an array of the
/// user's asks this first.
[[noreturn]] void throw_read_only(std::string_view remedy = {});
inline void check_writeable(const array_rep* rep) {
  if (rep->read_only) [[unlikely]]
    throw_read_only();
  if (rep->memory) forget_numbers(rep->memory);
}
/// A new array with memory from the pool of `space`.
any_array allocate(dtype type, const dims& shape, const dims& strides, memory_space space, device on_device);
/// The same in C order in the default space of a device.
any_array allocate(dtype type, const dims& shape, device on_device);

/// What `layout` means for a computed array: Fortran's order or C's.
bool is_fortran(const array_rep* rep, order layout);
/// A view without leading axes of size 1 beyond `ndim`: NumPy's assignments overlook them.
any_array without_leading_ones(const any_array& a, std::size_t ndim);

/// Whether a pending array is a reduction; one whose value is known is one no longer.
inline bool is_reduction(const array_rep* rep) {
  return rep->computed_by && rep->computed_by->reduce_without_names && rep->operation.arguments[0].array;
}

/// Whether a pending array is a scan that waits.
inline bool is_scan(const array_rep* rep) { return rep->computed_by && rep->computed_by->scans; }

/// Whether a pending array is an expression of which some elements are others (computation::replaces).
inline bool is_replaced(const array_rep* rep) {
  return is_pending(rep) && rep->computed_by && rep->computed_by->replaces;
}

/// Whether a pending rep, whose evaluation is held, is a range (filled.hpp): numbers that follow from where
/// they stand, converted to its dtype. The argument of its `operation` says nothing.
inline bool is_range(const array_rep* rep) { return rep->places && rep->operation.op == ufunc::cast; }

/// Whether a pending rep, whose evaluation is held, is nothing but a number: its value has been asked for.
inline bool is_constant(const array_rep* rep) {
  const node& n = rep->operation;
  return n.count == 1 && !n.arguments[0].array && n.op == ufunc::cast && n.arguments[0].type == rep->type;
}

/// The rep of a handle, computed; an empty float64 array for a handle without one.
const array_rep* computed(const any_array& a);
/// That of a handle without one.
const array_rep* rep_of_nothing();
/// The rep of a handle, of which only dtype and device need be known.
inline const array_rep* described(const any_array& a) { return a.rep() ? a.rep() : rep_of_nothing(); }
/// The rep of a handle, maybe pending; of a selection computed, as its shape is unknown before.
const array_rep* shaped(const any_array& a);
/// The same of an operand: a pending reduction is computed too, for nothing but element-wise steps fuses.
const array_rep* rep_of(const any_array& a);

/// The address of the first element, for the library's own use: everything pending in this thread is
/// computed.
void* address(const any_array& a);

/// Computes a pending rep: enqueues it on the current stream of its device. Safe from several threads. Those
/// of `beside` that are pending go into the same kernel: they are of its shape, and share steps with it.
void evaluate(array_rep* rep, std::span<array_rep* const> beside = {});
/// Gives a pending rep, whose evaluation the caller holds, the elements of an array; it drops its operands.
void publish(array_rep* rep, const any_array& elements);

/// Called before this thread writes to a computed array: computes what any thread has left pending on its
/// storage.
void effect_on(const array_rep* target);

/// Adds a pending rep, whose arrays have been noted (pending_list.hpp), to this thread's list, and takes the
/// temporaries that it fuses out at the same moment: so no other thread's write misses what they read. Those
/// that another thread is reading are computed instead. Each is held by its handle and by the rep. If too
/// much is pending then, all of it is computed.
void enlist(array_rep* rep, std::span<array_rep* const> fused = {});
/// Whether the CPU and every GPU read and write the elements where they are.
inline bool reachable_everywhere(const array_rep* rep) {
  return rep->memory &&
         (rep->memory->space == memory_space::mapped || rep->memory->space == memory_space::managed);
}

/// Takes a rep out of whatever list holds it.
void delist(array_rep* rep) noexcept;
/// The same of one that the caller has dropped. False if something else has it, which may have found it
/// there.
bool delist_unless_shared(array_rep* rep) noexcept;
/// Takes one out that could not be computed, and stays pending.
void give_up(array_rep* rep) noexcept;
/// Other reps that this thread has left pending at about that time, on the same device, which reduce as the
/// same element type what may be the same elements: at most `limit`, newest first. They may be computed
/// meanwhile, but not dropped. None if the rep itself is in another thread's list, whose arrays this thread's
/// stream has nothing to do with.
std::vector<any_array> pending_reductions_beside(const array_rep* rep, std::size_t limit);

/// Element count of a shape; throws value_error for negative sizes, overflow_error if the bytes of its
/// elements, axes without any left out, do not fit into 64 bits. Every array's shape has passed, a view's
/// too: so products of some of its sizes fit, whichever they are.
std::int64_t checked_size(const dims& shape, std::size_t item_bytes);

}  // namespace core
GPARRAY_END_NAMESPACE
