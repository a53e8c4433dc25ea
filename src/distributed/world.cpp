// How a program becomes a rank.
#include <mutex>

#include <distributed/runtime/communicator_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

communicator init(const init_options& options) {
  if (const auto* const spawned = detail::spawned_slot()) return communicator(*spawned);
  // Never destroyed: arrays of static storage may still use it.
  static std::mutex lock;
  static std::shared_ptr<detail::communicator_state>* world = nullptr;
  const std::lock_guard held(lock);
  if (!world) {
    static_cast<void>(
        detail::timeout_of(options));  // what is wrong in the environment is said by one rank, too
    world = new std::shared_ptr<detail::communicator_state>(detail::world_of_one());
  }
  return communicator(*world);
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
