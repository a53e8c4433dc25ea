// Who takes part: ranks, and how a program becomes one of them.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <gparray/device.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The same program in many processes, or threads, which work on parts of the same arrays. Each is a rank and
/// calls the same functions in the same order.
namespace distributed {

/// Something between ranks went wrong: one did not come within the deadline, made another call, or ended. The
/// communicator cannot be used any more then: every later call on it throws.
class GPARRAY_API distributed_error : public virtual error {
 public:
  /// With this text for what(), and the rank that is at fault, where one is known.
  explicit distributed_error(const std::string& text, std::optional<int> rank = {})
      : error(text), rank_(rank) {}
  /// The rank that is at fault, as far as that is known.
  [[nodiscard]] std::optional<int> rank() const noexcept { return rank_; }

 private:
  std::optional<int> rank_;
};

/// Keyword arguments of init and spawn.
struct init_options {
  /// How long a rank waits for another before that is an error; GPARRAY_DISTRIBUTED_TIMEOUT, in seconds,
  /// if not given, else ten minutes.
  std::optional<std::chrono::milliseconds> timeout = {};
  /// Whether ranks compare before each call what they are about to do, so that calls that differ are an error
  /// that says so. It costs a small exchange a call. GPARRAY_DISTRIBUTED_CHECK=1 if not given; spawn checks.
  std::optional<bool> check = {};
};

namespace detail {
class communicator_state;
}

/// A group of ranks. Copies are the same group; what it is made of ends with the last.
class GPARRAY_API communicator {
 public:
  /// A world of one rank, in which every operation is a copy or nothing.
  communicator();

  /// The number of this rank, from 0.
  [[nodiscard]] int rank() const noexcept;
  /// How many ranks there are.
  [[nodiscard]] int size() const noexcept;
  /// The number of this rank among those of its machine, in the world that it is of.
  [[nodiscard]] int local_rank() const noexcept;
  /// Where this rank computes: the default device of the thread that made the world.
  [[nodiscard]] device place() const noexcept;
  /// What moves the data: "threads", "Open MPI 4.1.4", "nccl 2.28.9".
  [[nodiscard]] std::string engine() const;

  /// Ranks that give the same color make a communicator, ordered by key and then by their rank; negative
  /// keys are the rank. All ranks must call it.
  [[nodiscard]] communicator split(int color, int key = -1) const;
  /// Returns when all ranks have called it.
  void barrier() const;
  /// Ends all ranks: under MPI and NCCL the program, with exit status 1, in spawn and in a world of one by a
  /// distributed_error in each that comes to its next call, and here.
  [[noreturn]] void abort(std::string_view why) const;

  /// Whether both are the same group.
  friend bool operator==(const communicator&, const communicator&) noexcept = default;

  /// For the library: the private state.
  [[nodiscard]] detail::communicator_state& state() const noexcept { return *state_; }
  explicit communicator(std::shared_ptr<detail::communicator_state> state) noexcept
      : state_(std::move(state)) {}

 private:
  std::shared_ptr<detail::communicator_state> state_;
};

/// The world: all ranks that were started together. Called again it returns the same; in a function that
/// spawn runs that is spawn's. A program that was started alone is a world of one.
GPARRAY_API communicator init(const init_options& options = {});

/// Runs f in so many threads of this process, each of which is a rank with a default device of its own: the
/// GPUs in turn if the caller's is one, else the CPU. Returns when all have ended. If one ends with an
/// exception, calls of the others end with a distributed_error, and the first exception is thrown here.
GPARRAY_API void spawn(int ranks, const std::function<void(communicator)>& f,
                       const init_options& options = {});

}  // namespace distributed
GPARRAY_END_NAMESPACE
