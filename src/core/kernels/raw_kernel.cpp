#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/ranges.h>

#include <core/kernels/raw_kernel.hpp>
#include <plan/last_kernel.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// Whether all that the compiler complains of is the name, which it reads from lines of its own.
bool only_the_name_is_wrong(std::string_view log) {
  bool wrong = false;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    if (line.find("): error") != line.npos || line.find(": catastrophic error") != line.npos) {
      if (!line.starts_with("__nv_name_map(")) return false;
      wrong = true;
    }
    at = end + 1;
  }
  return wrong;
}

/// A name that the source does not hold is better reported than the compiler does.
std::shared_ptr<raw_program> compiled(std::string source, const std::string& name,
                                      std::vector<std::string> options) {
  const std::vector<std::string> names = kernels_in_source(source);
  try {
    return std::make_shared<raw_program>(compile_request{.source = std::move(source),
                                                         .architecture = {},
                                                         .options = std::move(options),
                                                         .name_expressions = {name}});
  } catch (const compile_error& e) {
    const std::string base = name.substr(0, name.find('<')), last = base.substr(base.rfind(':') + 1);
    const bool known = std::find(names.begin(), names.end(), last) != names.end();  // its arguments are wrong
    if (known || !only_the_name_is_wrong(e.what())) throw;
    fail<value_error>("the source has no kernel '{}'; it has: {}", name,
                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  }
}

}  // namespace

raw_kernel::raw_kernel(std::shared_ptr<raw_program> program, std::string name)
    : program_(std::move(program)), full_name_(std::move(name)), name_(lasting_name(full_name_)) {
  program_->check_kernel(full_name_);
  declaration_ = declaration_of_symbol(program_->symbol_of(full_name_));
  if (!declaration_) declaration_ = declaration_in_source(program_->source(), full_name_);
}

raw_kernel::~raw_kernel() {
  for (auto& slot : of_device_) delete slot.load();
}

raw_kernel::loaded& raw_kernel::on(device d) {
  backend& b = backend_of(d);
  const auto index = static_cast<std::size_t>(d.index());
  if (index >= max_devices) fail<device_error>("kernels run on the first {} GPUs", max_devices);
  program_->keep_in_graph(d.index());
  loaded* found = of_device_[index].load(std::memory_order_acquire);
  if (found && found->owner == &b) return *found;
  const std::lock_guard hold(lock_);
  found = of_device_[index].load(std::memory_order_acquire);
  if (found && found->owner == &b) return *found;
  const module_handle module = program_->on(d);
  auto fresh = std::make_unique<loaded>();
  fresh->owner = &b;
  fresh->kernel = b.find_kernel(module, program_->symbol_of(full_name_).c_str());
  fresh->parameters = b.parameters(fresh->kernel);
  fresh->attributes = b.attributes(fresh->kernel, d.index());
  fresh->max_dynamic_shared_bytes = fresh->attributes.max_dynamic_shared_bytes;
  if (wanted_shared_bytes_) set_dynamic_shared_bytes(*fresh, d.index(), wanted_shared_bytes_);
  delete found;  // of a backend that is gone
  of_device_[index].store(fresh.get(), std::memory_order_release);
  return *fresh.release();
}

void raw_kernel::set_dynamic_shared_bytes(loaded& l, int device, std::size_t bytes) {
  try {
    if (bytes > std::numeric_limits<int>::max()) throw cuda_error("more than any GPU has", 1);
    l.owner->set_max_dynamic_shared_bytes(l.kernel, device, bytes);
  } catch (const cuda_error& e) {
    fail<value_error>(
        "{}: cuda:{} does not give a block {} bytes of dynamic shared memory beside the {} that the kernel "
        "declares; "
        "use smaller tiles ({})",
        name_, device, bytes, l.attributes.shared_bytes, e.what());
  }
  l.max_dynamic_shared_bytes = static_cast<int>(bytes);
}

void raw_kernel::allow_dynamic_shared_bytes(std::size_t bytes) {
  on(default_gpu());
  const std::lock_guard hold(lock_);
  for (std::size_t device = 0; device < max_devices; ++device)
    if (loaded* l = of_device_[device].load()) set_dynamic_shared_bytes(*l, static_cast<int>(device), bytes);
  wanted_shared_bytes_ = bytes;
}

}  // namespace core

RawKernel::RawKernel(std::string source, std::string name, std::vector<std::string> options)
    : kernel_(std::make_shared<core::raw_kernel>(core::compiled(std::move(source), name, std::move(options)),
                                                 name)) {}

const std::string& RawKernel::name() const noexcept { return kernel_->full_name(); }

namespace {

const core::kernel_attributes& attributes(core::raw_kernel& kernel) {
  return kernel.on(core::default_gpu()).attributes;
}

}  // namespace

int RawKernel::num_regs() const { return attributes(*kernel_).registers; }
std::size_t RawKernel::shared_size_bytes() const { return attributes(*kernel_).shared_bytes; }
std::size_t RawKernel::local_size_bytes() const { return attributes(*kernel_).local_bytes; }
std::size_t RawKernel::const_size_bytes() const { return attributes(*kernel_).constant_bytes; }
int RawKernel::max_threads_per_block() const { return attributes(*kernel_).max_threads_per_block; }
int RawKernel::ptx_version() const { return attributes(*kernel_).ptx_version; }
int RawKernel::binary_version() const { return attributes(*kernel_).binary_version; }
int RawKernel::max_dynamic_shared_size_bytes() const {
  return kernel_->on(core::default_gpu()).max_dynamic_shared_bytes;
}
void RawKernel::max_dynamic_shared_size_bytes(std::size_t bytes) {
  kernel_->allow_dynamic_shared_bytes(bytes);
}

GPARRAY_END_NAMESPACE
