// Arrays in memory that an engine moves.
#pragma once
#include <optional>
#include <vector>

#include <distributed/runtime/communicator_state.hpp>

#include <gparray/array/library_access.hpp>
#include <gparray/distributed/collectives.hpp>
#include <gparray/gparray.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace gd = gparray::detail;  // the functions of the core on arrays of any dtype

/// One call of a collective: which engine moves the elements, on which device they have to be for that, and
/// on which stream. A GPU's arrays without an engine of its own go through host memory.
class transport {
 public:
  /// Makes the stream the current one for as long as this lives.
  transport(const communicator& c, device of_arrays, const std::optional<stream_view>& on);

  communicator_state& group() const { return group_; }
  int rank() const { return group_.rank(); }
  int size() const { return group_.size(); }
  engine& moves() const { return engine_; }
  device place() const { return engine_.place(); }
  const stream_view& stream() const { return stream_; }

  /// A new array with these elements in C order, in memory that the engine moves.
  any_array packed(const any_array& a) const;
  /// The array if it is C-contiguous and in such memory, else packed.
  any_array movable(const any_array& a) const;
  /// A new array in such memory.
  any_array room(const dims& shape, dtype type) const;
  /// What the engine has filled, on the device of the caller's arrays.
  any_array unpacked(any_array a) const;
  /// Where the engine puts what is meant for a view: there, if it can.
  any_array landing(const any_array& view) const;
  /// Moves it on, once it has come.
  void landed(const any_array& at, const any_array& view) const;

  const void* read(const any_array& a) const { return gd::address_for(a, stream_, false); }
  void* written(const any_array& a) const { return gd::address_for(a, stream_, true); }

 private:
  communicator_state& group_;
  engine& engine_;
  device device_;
  std::optional<stream_guard> guard_;
  stream_view stream_;
};

/// Arrays that go to ranks, and views that what comes from ranks is meant for, of one exchange.
class messages {
 public:
  explicit messages(const transport& t) : transport_(t) {}

  void send(int to, const any_array& a);
  void receive(int from, const any_array& view);
  /// All of them at once.
  void exchange();

 private:
  const transport& transport_;
  std::vector<any_array> letters_, views_, landings_;  // which must live until they have gone, and come
  std::vector<outgoing> sends_;
  std::vector<incoming> receives_;
};

/// Where array_split cuts n elements into parts: parts + 1 numbers, the larger parts first.
std::vector<std::int64_t> even_cuts(std::int64_t n, int parts);

/// Throws value_error unless it is one of the ranks.
void check_rank(const char* operation, const char* what, int rank, int size);
/// The axis counted from the front. Throws axis_error.
int checked_axis(std::int64_t axis, int ndim);
/// a[..., begin:end, ...] along an axis.
any_array part_of(const any_array& a, int axis, std::int64_t begin, std::int64_t end);

/// An array as an argument, which may be computed within a larger expression if it is a temporary.
gd::argument operand(const any_array& a, bool is_temporary = true);
void write(const any_array& target, const any_array& from);
/// The array itself if it is of this dtype.
any_array as(const any_array& a, dtype type);
/// The array itself if it is real.
any_array conjugated(const any_array& a);

/// The arrays of ranks combined in the exact order, as all ranks compute it.
any_array combined(std::vector<any_array> parts, op how);
/// Throws type_error or value_error for an operation that the dtype does not have.
void check_combination(const char* operation, op how, dtype type);
/// The mean of so many, of their sum.
any_array divided(const any_array& sum, int by);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
