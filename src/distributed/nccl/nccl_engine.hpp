// NCCL as an engine: for data in the memory of GPUs, enqueued on streams.
#pragma once
#include <memory>

#include <distributed/nccl/nccl_communicator.hpp>
#include <distributed/runtime/engine.hpp>

#include <gparray/creation.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

class nccl_engine final : public engine {
 public:
  explicit nccl_engine(std::unique_ptr<nccl_communicator> ranks);

  std::string name() const override { return nccl_name(ranks_->table()); }
  int rank() const noexcept override { return ranks_->rank(); }
  int size() const noexcept override { return ranks_->size(); }
  device place() const noexcept override { return ranks_->place(); }

  void all_gather(const void* mine, void* all, std::size_t bytes, const stream_view& on) override;
  void all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                  std::span<const std::size_t> to_offsets, const stream_view& on) override;
  void broadcast(void* data, std::size_t bytes, int root, const stream_view& on) override;
  void exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                const stream_view& on) override;
  bool all_reduce(const void* from, void* to, std::size_t count, dtype type, combination op,
                  const stream_view& on) override;
  bool has_symmetric_memory() const override { return ranks_->table().has_windows() && !has_no_windows_; }
  const symmetric_memory* symmetric(std::size_t bytes) override;
  void signal(const stream_view& on) override;
  void wait_for_signals(const stream_view& on) override;
  void barrier() override;
  bool is_recording() const override;
  std::shared_ptr<engine> split(int color, int key) override;
  void poll() override { ranks_->check(); }
  /// Breaks this group alone: who called it ends the others.
  void abort(std::string_view why) noexcept override;

 private:
  /// f(stream, check) within a call of NCCL, check(name, result) of each function.
  template<class Enqueue>
  void enqueue(const stream_view& on, const Enqueue& f, bool can_be_aborted = true);
  /// Whether all ranks say yes; waits for them.
  bool all_say(bool yes);
  bool make_window(std::size_t bytes);

  std::unique_ptr<nccl_communicator> ranks_;
  ndarray<std::uint8_t> flags_;  // a byte of each rank, for barriers
  symmetric_memory memory_;
  bool has_no_windows_ = false;  // the GPUs do not reach each other
};

/// The engine of this rank, by the library of this machine.
std::shared_ptr<engine> make_nccl_engine(const nccl_id& id, const nccl_communicator::options& how);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
