// Host memory through the GPUs: for ranks that only NCCL connects.
#pragma once
#include <memory>

#include <distributed/nccl/nccl_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Each call copies to the rank's GPU, and from it. It is meant for what programs tell each other now and
/// then.
class staged_engine final : public engine {
 public:
  explicit staged_engine(std::shared_ptr<engine> gpu) : gpu_(std::move(gpu)) {}

  std::string name() const override { return gpu_->name(); }
  int rank() const noexcept override { return gpu_->rank(); }
  int size() const noexcept override { return gpu_->size(); }
  device place() const noexcept override { return device::cpu(); }

  void all_gather(const void* mine, void* all, std::size_t bytes, const stream_view& on) override;
  void all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                  std::span<const std::size_t> to_offsets, const stream_view& on) override;
  void broadcast(void* data, std::size_t bytes, int root, const stream_view& on) override;
  void exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                const stream_view& on) override;
  void barrier() override;
  std::shared_ptr<engine> split(int color, int key) override;
  void poll() override { gpu_->poll(); }
  /// Ends this process. The others are ended by what has started them, or find out at their deadline.
  void abort(std::string_view why) noexcept override;

 private:
  std::shared_ptr<engine> gpu_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
