// A launch of a RawKernel: everything is checked before anything is enqueued.
#include <core/array/array_rep.hpp>
#include <core/array/pending_list.hpp>
#include <core/kernels/raw_kernel.hpp>
#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/last_kernel.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {
namespace {

using namespace core;

constexpr std::int64_t grid_limits[3] = {2147483647, 65535, 65535}, block_limits[3] = {1024, 1024, 64};
constexpr char axis_names[] = "xyz";

dtype dtype_of_argument(const launch_argument& a) { return a.array ? a.array->dtype() : a.type; }

/// "an array of float64", "a double".
std::string text_of(const launch_argument& a) {
  if (a.array) return fmt::format("an array of {}", name(a.array->dtype()));
  if (!a.has_type) return a.is_pointer ? "a pointer" : fmt::format("a struct of {} bytes", a.bytes);
  return fmt::format("{} {}", a.is_pointer ? "a pointer to" : "a number of type", name(a.type));
}

[[noreturn]] void throw_count(const raw_kernel& kernel, std::size_t expected, std::size_t given) {
  fail<type_error>("{}: the kernel has {} parameters, and {} arguments are given", kernel.name(), expected,
                   given);
}

[[noreturn]] void throw_bytes(const raw_kernel& kernel, std::size_t index, std::size_t expected,
                              const launch_argument& a) {
  const char* hint = !a.is_pointer && a.has_type
                         ? "; numbers are passed as the C++ type that they have, so write static_cast<...>"
                         : "";
  fail<type_error>("{}: parameter {} has {} bytes, and argument {} has {}: it is {}{}", kernel.name(), index,
                   expected, index, a.bytes, text_of(a), hint);
}

[[noreturn]] void throw_type(const raw_kernel& kernel, std::size_t index, const declared_parameter& p,
                             const launch_argument& a) {
  const std::string remedy = a.array && p.is_pointer && p.type
                                 ? fmt::format(
                                       "; astype<...>() converts it to {}; to pass its bytes as they "
                                       "are, pass static_cast<void*>(a.data())",
                                       name(*p.type))
                                 : "";
  fail<type_error>("{}: parameter {} is declared as {}, and argument {} is {}{}", kernel.name(), index,
                   p.text, index, text_of(a), remedy);
}

/// Integers of one size that differ only in signedness are passed bit by bit, as C++ programs expect; and
/// masks are often declared as bytes.
bool same_kind(dtype a, dtype b) {
  if (a == b) return true;
  const auto is_integer = [](dtype d) { return kind(d) == 'i' || kind(d) == 'u' || d == dtype::bool_; };
  return itemsize(a) == itemsize(b) && is_integer(a) && is_integer(b);
}

void check_arguments(const raw_kernel& kernel, const raw_kernel::loaded* loaded,
                     std::span<const launch_argument> arguments) {
  const auto& declaration = kernel.declaration();
  if (declaration && declaration->size() != arguments.size())
    throw_count(kernel, declaration->size(), arguments.size());
  if (loaded && !loaded->parameters.empty()) {
    if (loaded->parameters.size() != arguments.size())
      throw_count(kernel, loaded->parameters.size(), arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (loaded->parameters[i].bytes != arguments[i].bytes)
        throw_bytes(kernel, i, loaded->parameters[i].bytes, arguments[i]);
  }
  if (!declaration) return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const declared_parameter& p = (*declaration)[i];
    const launch_argument& a = arguments[i];
    if (!p.known) continue;
    if (p.is_pointer != a.is_pointer) throw_type(kernel, i, p, a);
    if (p.writes && a.array && described(*a.array)->read_only)
      throw_read_only(
          fmt::format("{}: argument {}; a kernel that only reads it declares parameter {} as const",
                      kernel.name(), i, i));
    if (!p.type) continue;
    if (!p.is_pointer && itemsize(*p.type) != a.bytes) throw_bytes(kernel, i, itemsize(*p.type), a);
    if ((a.array || a.has_type) && !same_kind(*p.type, dtype_of_argument(a))) throw_type(kernel, i, p, a);
  }
}

void check_size(const raw_kernel& kernel, const char* what, const launch_size& size,
                const std::int64_t (&limits)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (size.counts[axis] >= 1 && size.counts[axis] <= limits[axis]) [[likely]]
      continue;
    fail<value_error>("{}: the {} has {} in {}; 1 to {} are possible", kernel.name(), what, size.counts[axis],
                      axis_names[axis], limits[axis]);
  }
}

void check_resources(const raw_kernel& kernel, const raw_kernel::loaded& l, const launch_size& block,
                     std::size_t shared_bytes) {
  const std::int64_t threads = block.counts[0] * block.counts[1] * block.counts[2];
  if (threads > l.attributes.max_threads_per_block)
    fail<value_error>(
        "{}: a block of {} threads; this kernel can have {} (max_threads_per_block), as it uses {} registers "
        "a thread. "
        "Use smaller blocks, or declare the kernel with __launch_bounds__({})",
        kernel.name(), threads, l.attributes.max_threads_per_block, l.attributes.registers,
        std::min<std::int64_t>(threads, 1024));
  if (const int limit = l.max_dynamic_shared_bytes; shared_bytes > static_cast<std::size_t>(limit))
    fail<value_error>(
        "{}: {} bytes of dynamic shared memory are asked for, and {} are allowed; raise the limit with "
        "max_dynamic_shared_size_bytes({}), as far as the GPU has them",
        kernel.name(), shared_bytes, limit, shared_bytes);
}

/// The GPU that a launch goes to.
device target_of(const raw_kernel& kernel, const launch_options& options,
                 std::span<const launch_argument> arguments) {
  if (options.stream && options.stream->device().is_cuda()) return options.stream->device();
  if (options.stream)
    fail<device_error>("{}: the stream is of the CPU, and kernels run on GPUs", kernel.name());
  for (const launch_argument& a : arguments)
    if (a.array && a.array->device().is_cuda()) return a.array->device();
  return default_gpu();
}

bool is_reachable(const array_rep* rep, device target) {
  return rep->device_ == target || reachable_everywhere(rep);
}

}  // namespace

void launch_raw_kernel(raw_kernel& kernel, const launch_size& grid, const launch_size& block,
                       const launch_options& options, std::span<launch_argument> arguments,
                       void** addresses) {
  check_size(kernel, "grid", grid, grid_limits);
  check_size(kernel, "block", block, block_limits);
  const device target = target_of(kernel, options, arguments);
  if (!gpu_backend()) {
    check_arguments(kernel, nullptr, arguments);
    fail<device_error>("{} was compiled, but cannot be launched: {}", kernel.name(), cuda_missing_reason());
  }
  raw_kernel::loaded& loaded = kernel.on(target);
  check_arguments(kernel, &loaded, arguments);
  check_resources(kernel, loaded, block, options.shared_mem);
  const queue home = current_queue(target);
  const queue q = options.stream ? queue_of(*options.stream) : home;
  check_recorded(q);

  bool fresh = anything_is_pending();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    launch_argument& a = arguments[i];
    addresses[i] = const_cast<void*>(a.value);
    if (!a.array) continue;
    fresh = fresh || a.array->pending();
    const array_rep* rep = computed(*a.array);
    if (rep->size > 0 && !is_reachable(rep, target))
      fail<device_error>("{}: argument {} is on {}, and the kernel runs on {}; move it with gp::to_device",
                         kernel.name(), i, rep->device_.str(), target.str());
    a.address = rep->data;
    addresses[i] = &a.address;
  }
  effect();
  for (const launch_argument& a : arguments)
    if (a.array) compute_readers(computed(*a.array)->memory);
  // A caller that names another stream has ordered it behind the work that was enqueued, not behind what was
  // pending until now: that makes arguments, and reads arrays that the kernel may write.
  if (fresh && q.stream != home.stream) order_queues(home, q);

  kernel_launch launch{.kernel = loaded.kernel,
                       .name = kernel.name(),
                       .grid = {},
                       .block = {},
                       .shared_bytes = options.shared_mem,
                       .cooperative = options.cooperative,
                       .arguments = addresses};
  for (int axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = static_cast<unsigned>(grid.counts[axis]);
    launch.block[axis] = static_cast<unsigned>(block.counts[axis]);
  }
  note_raw_kernel(kernel.name());
  loaded.owner->launch(launch, q);
  for (const launch_argument& a : arguments)
    if (a.array) record_use(computed(*a.array)->memory, q);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
