#include "nvrtc.hpp"

#include <dlfcn.h>

#include <atomic>

#include "library.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

std::atomic<const nvrtc_table*> substitute_table{nullptr};

nvrtc_table load() {
  const table_loader load_row("NVRTC", {"libnvrtc.so.13"},
                              "the CUDA toolkit's libnvrtc, or the Python package nvidia-cuda-nvrtc");
  nvrtc_table table;
#define GPARRAY_NVRTC_CALL(name) load_row(table.name, #name);
#include "nvrtc_calls.def"
#undef GPARRAY_NVRTC_CALL
  Dl_info where;
  if (dladdr(reinterpret_cast<const void*>(table.nvrtcVersion), &where) && where.dli_fname)
    table.file = where.dli_fname;
  return table;
}

}  // namespace

const nvrtc_table& nvrtc() {
  if (const nvrtc_table* const fake = substitute_table.load(std::memory_order_acquire)) [[unlikely]]
    return *fake;
  static const auto& table = *new nvrtc_table(load());
  return table;
}

const nvrtc_table* exchange_nvrtc(const nvrtc_table* substitute) noexcept {
  return substitute_table.exchange(substitute);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
