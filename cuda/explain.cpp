// What a GPU does with a plan, as text.
#include <fmt/format.h>

#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/reduction/reduce.hpp>
#include <gparray/runtime/jit.hpp>
#include <plan/explain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace cuda {
namespace {

const char* form_text(kernel_form form) {
  switch (form) {
    case kernel_form::rows:
      return "threads along rows of the output, 16 bytes each";
    case kernel_form::strided:
    case kernel_form::jumping:
      return "one element a thread";
    case kernel_form::short_rows:
      return "threads of four rows, with all of their elements";
    case kernel_form::stencil:
    case kernel_form::broadcast:
      return "threads side by side along rows of the output, of several rows each";
    case kernel_form::interleaved:
      return "threads side by side along rows of the output";
    case kernel_form::inner:
    case kernel_form::whole:
      return "threads along the reduced elements";
    case kernel_form::neighbours:
      return "threads along the reduced elements of neighbouring results";
    default:
      return "threads side by side along kept elements";
  }
}

/// What became of the kernel so far, and so what its next use does.
std::string tier_text(const kernel_key& key) {
  const kernel_report report = fused_kernels().look(key);
  switch (report.state) {
    case kernel_state::ready:
      if (jit_mode() == jit::off) break;
      if (report.origin == program_origin::disk) return "fused, by a kernel from the disk cache";
      if (report.origin == program_origin::memory) return "fused, by a kernel from the cache in memory";
      return fmt::format("fused, by a kernel that was compiled in {:.0f} ms", report.compile_seconds * 1000);
    case kernel_state::failed:
      return "step by step, as the kernel could not be made: " + report.failure;
    case kernel_state::waiting:
      if (jit_mode() == jit::async) return "step by step, while the kernel is compiled in the background";
      break;
    default:
      if (jit_mode() == jit::async)
        return "step by step the first time, which has the kernel compiled in the background";
  }
  return jit_mode() == jit::sync ? "fused; the first use waits for the compiler"
                                 : "step by step, as the jit mode is off";
}

std::string kernel_text(const kernel_key& key, device on_device) {
  std::string result = fmt::format("  generated kernel: {}\n", form_text(key.form));
  std::string architecture = "sm_90", assumed = " (assumed: there is no GPU)";
  if (backend* gpu = cuda_backend()) {
    const auto [major, minor] = gpu->compute_capability(key.device);
    architecture = fmt::format("sm_{}{}", major, minor);
    assumed.clear();
    if (on_device.is_cuda()) result += fmt::format("  tier: {}\n", tier_text(key));
  }
  const compile_request request = kernel_request(key, architecture);
  result += fmt::format("  architecture: {}{}\n  instance: {}\n", architecture, assumed,
                        request.name_expressions.front());
  return result + "\n" + request.source;
}

int device_of(device on_device) { return on_device.is_cuda() ? on_device.index() : 0; }
std::string heading(device on_device) { return on_device.is_cuda() ? "on this GPU: " : "on a GPU: "; }

}  // namespace
}  // namespace cuda

std::string gpu_text(const map_plan& plan, device on_device) {
  using namespace cuda;
  if (is_direct(plan)) return heading(on_device) + "one kernel that was compiled ahead of time\n";
  fused_plan fused;
  if (plan.n_steps > max_kernel_steps) {
    looped_plan looped;
    const auto repeated = find_repetition(plan, 0, plan.n_steps);
    if (!repeated || !write_once(plan, *repeated, looped) || !plan_map(looped, device_of(on_device), fused))
      return heading(on_device) + "several kernels: there are more steps than one has\n";
    return fmt::format("{}one kernel, which goes {} times round a loop of {} steps\n{}", heading(on_device),
                       repeated->turns, repeated->period, kernel_text(fused.key, on_device));
  }
  if (!plan_map(plan, device_of(on_device), fused))
    return heading(on_device) + "step by step: there are too many operands and dimensions for one kernel\n";
  return heading(on_device) + "one kernel\n" + kernel_text(fused.key, on_device);
}

std::string gpu_text(const jumping_plan& plan, device on_device) {
  using namespace cuda;
  fused_plan fused;
  if (plan.map.n_steps == 0 || !plan_map(plan, device_of(on_device), fused))
    return fmt::format("{}in {} parts, in each of which nothing jumps\n", heading(on_device),
                       plan_boxes(plan).count());
  return heading(on_device) + "one kernel\n" + kernel_text(fused.key, on_device);
}

std::string gpu_text(const reduce_plan& plan, device on_device) {
  using namespace cuda;
  jumping_plan ordered;
  const reduce_source source = make_source(plan, ordered);
  if (!source.computed)
    return fmt::format("{}one kernel that was compiled ahead of time: {}\n", heading(on_device),
                       form_text(form_of(plan, source)));
  fused_plan fused;
  const reduce_plan* const plans[] = {&plan};
  if (!plan_fused(plans, source, false, device_of(on_device), fused))
    return heading(on_device) + "the expression is stored first: it has too many dimensions or elements\n";
  return heading(on_device) + "one kernel, which computes what it reduces\n" +
         kernel_text(fused.key, on_device);
}

}  // namespace core
GPARRAY_END_NAMESPACE
