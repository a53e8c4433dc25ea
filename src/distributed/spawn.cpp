#include <atomic>
#include <thread>

#include <distributed/nccl/nccl_engine.hpp>
#include <distributed/runtime/communicator_state.hpp>
#include <distributed/runtime/threads_engine.hpp>

#include <support/errors.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

std::shared_ptr<communicator_state>*& spawned_slot() {
  static thread_local constinit core::lasting<std::shared_ptr<communicator_state>*> world = nullptr;
  return world;
}

}  // namespace detail

void spawn(int ranks, const std::function<void(communicator)>& f, const init_options& options) {
  if (ranks < 1) core::fail<value_error>("spawn: {} ranks; there must be at least one", ranks);
  const device parent = default_device();
  const int gpus = parent.is_cuda() ? device_count() : 0;
  const bool check = detail::checks(options, true);
  const auto fate = std::make_shared<detail::common_fate>(detail::timeout_of(options));
  const auto engines = detail::thread_team(ranks, fate);
  // With a GPU each, the ranks' GPUs are connected; else their data goes through host memory.
  const bool connects = ranks > 1 && gpus >= ranks;
  detail::nccl_id id{};
  if (connects && detail::nccl().GetUniqueId(&id) != detail::nccl_success)
    throw distributed_error(
        "spawn: ncclGetUniqueId failed: NCCL finds no network interface, which NCCL_SOCKET_IFNAME names");
  std::vector<std::shared_ptr<detail::engine>> on_gpus(static_cast<std::size_t>(ranks));

  std::exception_ptr first;
  const auto run = [&](int rank) {
    try {
      const device place = gpus ? device::cuda(rank % gpus) : parent;
      set_default_device(place);
      std::shared_ptr<detail::engine> on_gpu;
      if (connects) {
        on_gpu = detail::make_nccl_engine(
            id, {.rank = rank, .size = ranks, .place = place, .timeout = fate->timeout});
        const std::lock_guard held(fate->lock);
        on_gpus[static_cast<std::size_t>(rank)] = on_gpu;
      }
      auto world = std::make_shared<detail::communicator_state>(engines[static_cast<std::size_t>(rank)],
                                                                std::move(on_gpu), rank, place, check);
      detail::spawned_slot() = &world;
      f(communicator(world));
    } catch (...) {
      const std::exception_ptr thrown = std::current_exception();
      std::string text = "an exception of a type of its own";
      try {
        throw;
      } catch (const std::exception& e) {
        text = e.what();
      } catch (...) {
      }
      std::vector<std::shared_ptr<detail::engine>> others;
      {
        const std::lock_guard held(fate->lock);
        if (!first) first = thrown;
        others = on_gpus;
      }
      for (const auto& e : others)
        if (e) e->abort(fmt::format("its thread has ended with an exception: {}", text));
      fate->fail(fmt::format("rank {} has ended with an exception: {}", rank, text), rank);
    }
    detail::spawned_slot() = nullptr;
    std::shared_ptr<detail::engine> last;  // ends here, in its own thread, as those of the others
    const std::lock_guard held(fate->lock);
    last.swap(on_gpus[static_cast<std::size_t>(rank)]);
  };
  std::vector<std::thread> threads;
  try {
    for (int r = 0; r < ranks; ++r) threads.emplace_back(run, r);
  } catch (const std::exception& e) {
    fate->fail(fmt::format("rank {} could not be started: {}", threads.size(), e.what()),
               static_cast<int>(threads.size()));
    for (std::thread& t : threads) t.join();
    throw;
  }
  for (std::thread& t : threads) t.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
