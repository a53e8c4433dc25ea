#include <algorithm>
#include <cstdlib>

#include <fmt/ranges.h>

#include <core/kernels/raw_program.hpp>
#include <core/runtime/storage.hpp>
#include <support/environment.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

bool is_machine_code(std::string_view image) {
  return image.starts_with(
      "\x7f"
      "ELF");
}

/// The kernels that an image holds: its sections .text.NAME, or the entries of PTX.
std::vector<std::string> kernels_in(const std::string& image) {
  const std::string_view marker = is_machine_code(image) ? std::string_view("\0.text.", 7) : ".entry";
  constexpr std::string_view spaces = " \t\r\n", ends("\0( \t\r\n", 6);
  std::vector<std::string> names;
  for (std::size_t at = image.find(marker); at != image.npos; at = image.find(marker, at + 1)) {
    const std::size_t begin = std::min(image.find_first_not_of(spaces, at + marker.size()), image.size());
    std::string name = image.substr(begin, std::min(image.find_first_of(ends, begin), image.size()) - begin);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::string architecture_of(device d) {
  if (gpu_backend()) {
    const auto [major, minor] = d.compute_capability();
    return fmt::format("sm_{}{}", major, minor);
  }
  const char* asked = core::environment("GPARRAY_JIT_ARCH");
  return asked && *asked ? asked : "sm_90";
}

device default_gpu() {
  const device d = default_device();
  return d.is_cuda() ? d : device::cuda(0);
}

raw_program::raw_program(compile_request request) : request_(std::move(request)) {
  request_.architecture = architecture_of(default_gpu());
  compiled_ = compile(request_);
  make_owner();
}

raw_program::raw_program(std::string image, std::string origin) {
  request_.file_name = std::move(origin);
  compiled_.image = std::move(image);
  make_owner();
}

void raw_program::make_owner() {
  const auto modules = std::make_shared<loaded_modules>();
  loaded_ = modules.get();
  owner_.reset(new_borrowed(nullptr, 0, memory_space::host, device::cpu(), [modules] {}));
}

void raw_program::release_storage::operator()(storage* s) const noexcept { release(s); }

raw_program::~raw_program() {
  // While a graph is recorded nothing can be waited for, so the graph unloads the program when it goes.
  if (loaded_->all.empty() || recordings_under_way.load(std::memory_order_relaxed) == 0) return;
  try {
    keep_in_graph(any_device);
  } catch (const std::bad_alloc&) {
  }
}

void raw_program::keep_in_graph(int device) const {
  if (recording* r = recording_on(device)) r->kept.keep(owner_.get());
}

raw_program::loaded_modules::~loaded_modules() {
  for (const loaded_module& l : all) {
    try {
      // Its kernels may still be running.
      l.owner->synchronize_device(l.device);
    } catch (...) {
    }
    l.owner->unload_module(l.module);
  }
}

const std::string& raw_program::symbol_of(const std::string& name) const {
  const auto& names = request_.name_expressions;
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? name
                              : compiled_.lowered_names[static_cast<std::size_t>(found - names.begin())];
}

void raw_program::check_kernel(const std::string& name) const {
  const std::vector<std::string> kernels = kernels_in(compiled_.image);
  // A fat binary is packed: the driver will say.
  if (kernels.empty() && !is_machine_code(compiled_.image) && request_.source.empty()) return;
  if (std::find(kernels.begin(), kernels.end(), symbol_of(name)) != kernels.end()) return;
  fail<value_error>(
      "{} has no kernel '{}'; it has: {}. A template, or a kernel that is not declared extern \"C\", is "
      "found by "
      "its name among the name_expressions",
      request_.file_name, name, kernels.empty() ? "none" : fmt::format("{}", fmt::join(kernels, ", ")));
}

module_handle raw_program::on(device d) {
  backend& b = backend_of(d);
  const std::lock_guard hold(lock_);
  for (const loaded_module& l : loaded_->all)
    if (l.owner == &b && l.device == d.index()) return l.module;
  const compiled_program* program = &compiled_;
  compiled_program other;
  if (!request_.source.empty()) {
    compile_request here = request_;
    here.architecture = architecture_of(d);
    if (here.architecture != request_.architecture) program = &(other = compile(here));
  }
  loaded_->all.reserve(loaded_->all.size() + 1);  // a module that is loaded must not get lost
  const module_handle module = b.load_module(program->image, d.index());
  loaded_->all.push_back({&b, d.index(), module});
  return module;
}

}  // namespace core
GPARRAY_END_NAMESPACE
