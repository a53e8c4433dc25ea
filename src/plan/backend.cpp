// What a backend does that has nothing better: no kernels of run time, no memory pool of its driver's,
// results through memory, reductions one after the other.
#include <plan/backend.hpp>
#include <plan/jumping_plan.hpp>
#include <plan/row_chain.hpp>
#include <plan/row_copy.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

[[noreturn]] void throw_no_kernels() {
  fail<device_error>("kernels compiled at run time run on GPUs alone, and this device is none");
}

}  // namespace

void backend::reduce_together(std::span<const reduce_plan* const> plans, queue q) {
  for (const reduce_plan* plan : plans) reduce(*plan, q);
}

row_use backend::takes_rows(const row_chain&) const { return row_use::none; }
void backend::compute_rows(const row_chain&, queue) {}

bool backend::scan_computed(const scan_plan&, const map_plan&, queue) { return false; }
bool backend::takes_scanned(const scan_plan&) const { return false; }
bool backend::reduce_scanned(const reduce_plan&, int, queue) { return false; }

void backend::copy_pitched(const pitched_copy& c, queue q) {
  for (std::size_t row = 0; row < c.rows; ++row)
    copy(static_cast<char*>(c.to) + row * c.to_pitch, static_cast<const char*>(c.from) + row * c.from_pitch,
         c.bytes, q);
}

bool backend::interpolate(const interpolation_plan&, queue) { return false; }

bool backend::copy_rows(std::span<const row_copy>, queue) { return false; }

void backend::map_jumping(const jumping_plan& plan, queue q) {
  plan_boxes(plan).for_each([&](const map_plan& box) { map(box, q); });
}

void* backend::allocate_async(std::size_t bytes, queue q) {
  fail<device_error>(
      "device {} has no stream-ordered memory pool, which {} bytes were asked of; use the default allocator",
      q.device, bytes);
}
void backend::free_async(void*, queue) noexcept {}

void* backend::slot_for_result(std::size_t, queue) { return nullptr; }
void backend::take_result(void*, void*, std::size_t, queue) {}
void backend::drop_result(void*, queue, bool) noexcept {}

module_handle backend::load_module(const std::string&, int) { throw_no_kernels(); }
void backend::unload_module(module_handle) noexcept {}
kernel_handle backend::find_kernel(module_handle, const char*) { throw_no_kernels(); }
std::pair<void*, std::size_t> backend::find_global(module_handle, const char*) { throw_no_kernels(); }
std::vector<kernel_parameter> backend::parameters(kernel_handle) { throw_no_kernels(); }
kernel_attributes backend::attributes(kernel_handle, int) { throw_no_kernels(); }
void backend::set_max_dynamic_shared_bytes(kernel_handle, int, std::size_t) { throw_no_kernels(); }
void backend::launch(const kernel_launch&, queue) { throw_no_kernels(); }

}  // namespace core
GPARRAY_END_NAMESPACE
