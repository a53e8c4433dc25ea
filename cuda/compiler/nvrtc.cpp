#include <dlfcn.h>

#include <cuda/compiler/nvrtc.hpp>
#include <cuda/runtime/library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

nvrtc_table load() {
  const table_loader load_row("NVRTC", {"libnvrtc.so.13"},
                              "the CUDA toolkit's libnvrtc, or the Python package nvidia-cuda-nvrtc");
  nvrtc_table table;
#define GPARRAY_NVRTC_CALL(name) load_row(table.name, #name);
#include <cuda/compiler/nvrtc_calls.def>
#undef GPARRAY_NVRTC_CALL
  Dl_info where;
  if (dladdr(reinterpret_cast<const void*>(table.nvrtcVersion), &where) && where.dli_fname)
    table.file = where.dli_fname;
  return table;
}

}  // namespace

const nvrtc_table& nvrtc() { return lazy_table<load>::get(); }

const nvrtc_table* exchange_nvrtc(const nvrtc_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
