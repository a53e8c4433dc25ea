// Graphs of the CUDA runtime.
#pragma once
#include <memory>
#include <mutex>

#include <cuda/runtime/runtime.hpp>
#include <plan/graph_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

class graph_recorder final : public graph_engine {
 public:
  graph_recorder();
  stream_handle acquire_stream(int device) override;
  void release_stream(int device, stream_handle stream) noexcept override;
  ~graph_recorder() override;

  void begin_capture(queue q) override;
  std::unique_ptr<recorded_graph> end_capture(queue q) override;
  bool is_captured(queue q) override;
  void begin_loop(queue q, queue body, loop_control& control) override;
  std::size_t end_loop(queue body, const loop_control& control) override;
  void abandon(queue q, bool is_body) noexcept override;

 private:
  struct idle_stream {
    int device;
    stream_handle stream;
  };
  /// A loop whose body is being recorded.
  struct open_loop;
  std::mutex lock_;
  std::vector<idle_stream> idle_;  // with room for every stream there is
  std::size_t n_streams_ = 0;
  std::vector<std::unique_ptr<open_loop>> loops_;

  std::unique_ptr<open_loop> take_loop(queue body) noexcept;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
