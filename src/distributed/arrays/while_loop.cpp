#include <optional>

#include <distributed/arrays/shard.hpp>
#include <distributed/runtime/communicator_state.hpp>

#include <gparray/array/library_access.hpp>
#include <gparray/distributed/while_loop.hpp>
#include <gparray/gparray.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

std::int64_t while_loop(const any_array& condition, const std::function<void()>& body,
                        const while_options& options) {
  if (condition.size() != 1)
    core::fail<value_error>("while_loop: the condition has {} elements, not one", condition.size());
  if (options.max_iterations < 0)
    core::fail<value_error>("while_loop: max_iterations is {}", options.max_iterations);
  std::int64_t rounds = 0;
  const auto goes_on = [&] {
    bool value = false;
    if (rounds < options.max_iterations) gparray::detail::item(condition, &value);
    return value;
  };
  // NCCL warns of graphs of several GPUs of one process.
  const bool is_recorded = condition.device().is_cuda() && !spawned_slot();
  std::optional<recorded_rounds> loop;
  if (is_recorded) loop.emplace();
  // After two rounds ranks are connected, arrays have room for what lies beside them, and of that is there
  // what is there after every round.
  for (; goes_on() && (!is_recorded || rounds < 2); ++rounds) {
    body();
    if (loop) loop->next_round(rounds == 1);
  }
  if (!goes_on()) return rounds;
  graph round = capture(body);
  loop.reset();
  for (; goes_on(); ++rounds) round.launch();
  return rounds;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
