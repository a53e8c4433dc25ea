// What the copies of a communicator share.
#pragma once
#include <array>
#include <memory>
#include <optional>

#include <distributed/runtime/engine.hpp>

#include <gparray/distributed/communicator.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

class communicator_state {
 public:
  /// `gpu` may be null: a GPU's data then goes through host memory.
  communicator_state(std::shared_ptr<engine> host, std::shared_ptr<engine> gpu, int local_rank, device place,
                     bool check)
      : host_(std::move(host)), gpu_(std::move(gpu)), local_rank_(local_rank), place_(place), check_(check) {}

  int rank() const noexcept { return host_->rank(); }
  int size() const noexcept { return host_->size(); }
  int local_rank() const noexcept { return local_rank_; }
  device place() const noexcept { return place_; }
  engine& host() const noexcept { return *host_; }
  /// The engine of the rank's own GPU, if there is one; it moves data of that device only.
  engine* gpu() const noexcept { return gpu_.get(); }
  /// The engine that moves memory of this device, or null.
  engine* of(device d) const noexcept {
    if (d == host_->place()) return host_.get();
    return gpu_ && gpu_->place() == d ? gpu_.get() : nullptr;
  }

  /// Numbers a call that all ranks make, notes it for errors, and compares it with the other ranks' if this
  /// communicator does. Throws distributed_error if they differ.
  void begin(signature call);
  /// The same for a call that only some ranks make; compares nothing.
  void note(signature call);
  /// To be called by both sides before a message goes to a rank and one comes from a rank, -1: none. What
  /// comes: if this communicator compares calls, what the sender says, else `expected`.
  struct letter {
    std::size_t bytes;
    dtype type;
  };
  letter announced(int to, letter going, int from, letter expected);

  /// A stream of the rank's GPU beside the current one, for messages: they take few of its processors, and
  /// must not wait for one of those that compute.
  const stream_view& aside() {
    if (!aside_) aside_.emplace(gpu_->place(), stream_options{.priority = -100});
    return *aside_;
  }

  /// What has come from others, and lies where the next that comes will lie, was read when the mark is there.
  void landing_was_read(event mark) { landing_read_.emplace(std::move(mark)); }
  void wait_for_landing(const stream_view& on) {
    if (landing_read_) on.wait(*landing_read_);
  }

  std::shared_ptr<communicator_state> split(int color, int key);

 private:
  void compare();

  std::shared_ptr<engine> host_, gpu_;
  int local_rank_;
  device place_;
  bool check_;
  std::uint32_t calls_ = 0;
  std::optional<stream> aside_;
  std::optional<event> landing_read_;
};

/// The deadline and the checking that options, environment or defaults give.
std::chrono::milliseconds timeout_of(const init_options& options);
bool checks(const init_options& options, bool otherwise);

/// A group of one rank on the default device.
std::shared_ptr<communicator_state> world_of_one();

/// What spawn gave this thread; null outside.
std::shared_ptr<communicator_state>*& spawned_slot();

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
