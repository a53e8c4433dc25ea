// Graphs: work recorded once and launched many times, and loops that run on the device.
//
//   gp::graph g = gp::capture([&] { y(gp::ellipsis) = gp::sin(x) * 2.0; });
//   g.launch();  // y holds the result
//   x(gp::ellipsis) = other;
//   g.launch();  // y holds that of the new x
//
// A graph of a GPU is one call of the driver instead of one for each operation.
#pragma once
#include <limits>
#include <memory>

#include <gparray/ndarray.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {
struct graph_state;
}

/// Recorded work of one device. Moved, not copied; used by one thread at a time. Destroying it does not wait:
/// launches go on, and memory that they use is not handed out before they are done.
class GPARRAY_API graph {
 public:
  /// Takes over another graph, which cannot be launched any more.
  graph(graph&& other) noexcept;
  graph& operator=(graph&& other) noexcept;
  /// Ends the graph; does not wait.
  ~graph();

  /// The device whose work is recorded.
  gparray::device device() const;
  /// Enqueues the work on the current stream of its device. Launches of one graph run one after
  /// the other on whatever streams. Throws device_error if the stream is another device's, value_error while
  /// a graph is being captured or if this one was moved from.
  void launch();
  /// Enqueues the work on a stream of the graph's device.
  void launch(const stream_view& on);
  /// Records `work` in place of what was there. True if it has the same operations in the same order, so that
  /// the executable graph could be changed and need not be built again: much cheaper. What was launched
  /// before runs as it was. If `work` throws, the graph stays as it was.
  bool update(std::function<void()> work);

  /// The number of kernels, copies and fills, bodies of loops included; 1 on the CPU.
  std::size_t node_count() const;
  /// The graph in the language of Graphviz, as the driver describes it.
  [[nodiscard]] std::string dot() const;

 private:
  friend GPARRAY_API graph capture(std::function<void()> work);
  explicit graph(std::unique_ptr<core::graph_state> state) noexcept;
  core::graph_state& state() const;

  std::unique_ptr<core::graph_state> state_;
};

/// Records what `work` does on the default device, without doing it: no array changes before launch().
///
/// On a GPU `work` is called once, now, and what it enqueues becomes the graph. Later launches read and write
/// the same memory: inputs are given new values by writing into them (a(...) = x), and a name that `work`
/// binds to a new array (c = a + b) holds that array's elements after each launch. The graph keeps all memory
/// alive that it uses, and memory allocated by `work` is the graph's own, whatever allocator is set; arrays
/// in it stay valid when the graph is gone.
///
/// * What is pending is enqueued before the capture begins; what `work` leaves pending becomes part of it.
/// * `work` must not wait for the device: item(), to_vector(), printing, asnumpy to pageable memory and
///   synchronize throw value_error. Copies to and from pinned memory are recorded; data from pageable memory
///   are taken once, when they are recorded.
/// * Other streams take part from when they wait for the current stream to when it waits for them;
///   gparray::stream_guard throws value_error for a stream that takes no part.
/// * Computations of CPU arrays inside `work` are done once, now. So are those of other GPUs.
///
/// On the CPU nothing is called now: launch() calls `work`, so what it refers to must live as long as the
/// graph. Throws what `work` throws, device_error, cuda_error; then nothing is left of the capture.
GPARRAY_API graph capture(std::function<void()> work);

/// Keyword arguments of while_loop.
struct while_options {
  /// The loop ends after so many rounds, whatever the condition is.
  std::int64_t max_iterations = std::numeric_limits<std::int64_t>::max();
};

namespace detail {
GPARRAY_API any_array while_loop(const any_array& condition, const std::function<void()>& body,
                                 const while_options& options);
}

/// Runs `body` as long as `condition`, a 0-d array that the body writes into, is true, at most max_iterations
/// times. Returns how often it ran, on the same device.
///
///   gp::ndarray<bool> keep_going = gp::full({}, true);
///   auto steps = gp::while_loop(keep_going, [&] {
///     x(gp::ellipsis) = 0.5 * (x + a / x);
///     keep_going(gp::ellipsis) = gp::abs(x * x - a) > 1e-12;
///   });
///
/// On the CPU this is a plain loop. On a GPU `body` is called once, under the rules of capture(), and the
/// device repeats what it enqueued, on the same memory: values are carried over by writing into arrays, not
/// by giving a name a new one, and what the host does in `body` (counting, `if`) happens once. The call does
/// not wait, but for the compiler, unless jit_mode() is off: a body of a few small maps and reductions
/// becomes one kernel with the loop inside. In a capture it is a part of the graph. Loops may be nested.
///
/// Throws value_error if the condition does not have one element or max_iterations is negative.
template<class Body>
ndarray<std::int64_t> while_loop(const ndarray<bool>& condition, Body&& body,
                                 const while_options& options = {}) {
  return detail::typed<std::int64_t>(
      detail::while_loop(condition, std::function<void()>(std::ref(body)), options));
}
/// A temporary cannot be written by the body: the loop would never end.
template<class Body>
ndarray<std::int64_t> while_loop(expr<bool>&&, Body&&, const while_options& = {}) = delete;

GPARRAY_END_NAMESPACE
