#include <cstring>

#include <core/runtime/debug.hpp>
#include <core/runtime/storage.hpp>
#include <support/environment.hpp>
#include <support/errors.hpp>

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

const debug_settings& debug() {
  static const debug_settings settings = [] {
    const char* const names = environment("GPARRAY_DEBUG");
    return parse_debug_settings(names ? names : "");
  }();
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
