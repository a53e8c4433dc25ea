// while_loop: a plain loop on the CPU, a conditional node on a GPU.
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/graph/record.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/graph.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

any_array counter(device on_device) { return allocate(dtype::int64, dims{}, on_device); }

any_array loop_on_host(const any_array& condition, const std::function<void()>& body, std::int64_t most) {
  const any_array count = counter(condition.device());
  std::int64_t n = 0;
  for (; n < most; ++n) {
    bool go_on = false;
    detail::item(condition, &go_on);
    if (!go_on) break;
    body();
  }
  std::memcpy(count.rep()->data, &n, sizeof n);
  return count;
}

/// Adds the loop to what this thread is recording.
void record_loop(recording& r, const array_rep* condition, const array_rep* count,
                 const std::function<void()>& body, std::int64_t most) {
  const queue outer = current_queue(r.on_device()), inner = r.add_queue();
  effect();
  r.record_use(condition->memory, outer);
  r.record_use(count->memory, outer);
  loop_control control{condition->data, count->data, most};
  r.engine().begin_loop(outer, inner, control);
  bool ended = false;
  try {
    const current_stream_scope on(r.on_device(), inner.stream);
    body();
    effect();
    ended = true;
    r.nodes_in_loops += r.engine().end_loop(inner, control);
  } catch (...) {
    if (!ended) r.engine().abandon(inner, true);
    throw;
  }
}

any_array loop_on_gpu(const any_array& condition, const std::function<void()>& body, std::int64_t most) {
  const device on_device = condition.device();
  const array_rep* flag = computed(condition);
  const any_array count = counter(on_device);
  if (recording* r = recording_on(on_device.index())) {
    record_loop(*r, flag, count.rep(), body, most);
    return count;
  }
  graph_state once = record_work(
      on_device, [&] { record_loop(*recording_on(on_device.index()), flag, count.rep(), body, most); });
  once.recorded->prepare(nullptr);
  launch_graph(once, current_queue(on_device));
  return count;
}

}  // namespace
}  // namespace core

any_array detail::while_loop(const any_array& condition, const std::function<void()>& body,
                             const while_options& options) {
  if (condition.size() != 1)
    core::fail<value_error>("while_loop: the condition must be an array of one element, got shape {}",
                            core::text(condition.shape()));
  if (options.max_iterations < 0)
    core::fail<value_error>("while_loop: max_iterations must not be negative, got {}",
                            options.max_iterations);
  return condition.device().is_cpu() ? core::loop_on_host(condition, body, options.max_iterations)
                                     : core::loop_on_gpu(condition, body, options.max_iterations);
}

GPARRAY_END_NAMESPACE
