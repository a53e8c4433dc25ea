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
/// on which stream. A GPU's arrays without an engine of its own go through host memory; those of a rank that
/// is alone stay where they are.
class transport {
 public:
  /// Makes the stream the current one for as long as this lives. If a rank may send in one call what it
  /// receives in another, the engine keeps it meanwhile: `by_engine`, also of a rank that is alone.
  transport(const communicator& c, device of_arrays, const std::optional<stream_view>& on,
            bool by_engine = false);

  communicator_state& group() const { return group_; }
  int rank() const { return group_.rank(); }
  int size() const { return group_.size(); }
  engine& moves() const { return engine_; }
  /// Of which device the memory is that it moves.
  device place() const { return place_; }
  const stream_view& stream() const { return stream_; }

  /// A new array with these elements in C order, in memory that the engine moves.
  any_array packed(const any_array& a) const;
  /// The array if it is C-contiguous and in such memory, where it travels as quickly as elsewhere, else
  /// packed.
  any_array movable(const any_array& a) const;
  /// A new array in such memory.
  any_array room(const dims& shape, dtype type) const;
  /// What the engine has filled, on the device of the caller's arrays.
  any_array unpacked(any_array a) const;
  /// Where the engine puts what is meant for a view: there, if it can.
  any_array landing(const any_array& view) const;
  /// Moves it on, once it has come, times a factor.
  void landed(const any_array& at, const any_array& view, double factor = 1) const;

  const void* read(const any_array& a) const { return gd::address_for(a, stream_, false); }
  void* written(const any_array& a) const { return gd::address_for(a, stream_, true); }

  /// A stream of the GPU for messages that travel while it computes: behind what the current one has so far.
  const stream_view& aside() const;
  /// A mark behind what that stream has so far.
  event marked(const stream_view& aside) const;
  /// What the current stream is given from now on is behind the mark.
  void wait_for(const event& mark) const;

 private:
  bool travels_as_it_is(const any_array& a) const;

  communicator_state& group_;
  engine& engine_;
  device device_, place_;
  std::optional<stream_guard> guard_;
  stream_view stream_;
};

/// Arrays that go to ranks, and views that what comes from ranks is meant for, of one exchange.
class messages {
 public:
  explicit messages(const transport& t) : transport_(t) {}

  void send(int to, const any_array& a);
  void receive(int from, const any_array& view);
  /// All of them at once; what comes from others is multiplied by a factor.
  void exchange(double factor = 1);
  /// Marks on another stream.
  struct journey {
    event begins, ends;
  };
  /// The same of a GPU, beside what the current stream is given from now on. Behind the end what has come may
  /// land. What fills a GPU leaves no room for messages, and so is to be behind their beginning.
  journey exchange_aside();
  void land(double factor = 1);

 private:
  void deliver_own();

  const transport& transport_;
  std::vector<any_array> letters_, views_, landings_;  // which must live until they have gone, and come
  std::vector<any_array> own_letters_, own_views_;     // of this rank to itself, which no engine sees
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
/// from times a real number, of the same dtype and shape; the two may be the same array.
void write_scaled(const any_array& target, const any_array& from, double factor);
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
