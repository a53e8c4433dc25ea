#include <cstring>
#include <string>
#include <unistd.h>

#include <core/runtime/debug.hpp>
#include <core/runtime/storage.hpp>
#include <core/runtime/timeline.hpp>
#include <support/environment.hpp>
#include <support/errors.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

debug_settings parse_debug_settings(std::string_view names) {
  debug_settings settings;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string_view name = names.substr(0, end);
    if (name == "sync") settings.sync = true;
    else if (name == "nan") settings.nan = true;
    else if (name == "poison") settings.poison = true;
    else
      fail<value_error>(
          "GPARRAY_DEBUG names \"{}\"; it may name sync, nan and poison, with commas between them", name);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return settings;
}

namespace {

timeline* process_timeline = nullptr;

/// It is never destroyed, and ends with the process: what is computed later is not noted.
timeline* begin_timeline(std::string file) {
  if (const std::size_t at = file.find("%p"); at != std::string::npos)
    file.replace(at, 2, std::to_string(getpid()));
  process_timeline = new timeline(file.c_str());
  before_static_objects_end([] { process_timeline->finish(); });
  return process_timeline;
}

// Not in debug(), which each name asks.
[[gnu::noinline]] debug_settings read_settings() {
  const char* const names = environment("GPARRAY_DEBUG");
  debug_settings read = parse_debug_settings(names ? names : "");
  const char* const ranges = environment("GPARRAY_NVTX");
  read.ranges = ranges && std::string_view(ranges) == "1";
  if (const char* const file = environment("GPARRAY_TRACE"); file && *file) read.trace = begin_timeline(file);
  read.in_use = read.sync || read.nan || read.poison || read.ranges || read.trace;
  return read;
}

}  // namespace

const debug_settings& debug() {
  static const debug_settings settings = read_settings();
  return settings;
}

void poison_memory(const storage& s, queue q) {
  constexpr unsigned char pattern = 0xff;  // a NaN in every type that has one
  if (!s.data || s.bytes == 0) return;
  if (s.device_.is_cpu() && s.space == memory_space::host) {
    std::memset(s.data, pattern, s.bytes);
    return;
  }
  map_plan plan;
  plan.ndim = 1;
  plan.n_inputs = 1;
  plan.n_steps = 0;
  plan.size = plan.shape[0] = static_cast<std::int64_t>(s.bytes);
  plan.inputs[0].kind = input_kind::constant;
  plan.inputs[0].type = plan.out.type = dtype::uint8;
  plan.inputs[0].value = {};
  plan.inputs[0].value.bytes[0] = pattern;
  plan.out.data = s.data;
  plan.out.strides[0] = 1;
  backend_of(s.device_.is_cuda() ? s.device_ : device::cuda(q.device)).map(plan, q);
}

}  // namespace core
GPARRAY_END_NAMESPACE
