// A fake device that runs the kernels of reductions, scans and copies on the CPU thread by thread, and
// matrices for them in memory that ends where the next access is a fault.
#pragma once
#include <map>
#include <numeric>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

#include <cuda/backend.hpp>
#include <cuda/map/copy_params.hpp>
#include <cuda/map/map_table.hpp>
#include <cuda/reduction/reduce_table.hpp>
#include <cuda/reduction/scan_table.hpp>

#include "cuda/support/emulated_table.hpp"
#include "cuda/support/fake_runtime.hpp"
#include "cuda/support/twin.hpp"

namespace kernel_fixture {

using namespace twin;

inline std::map<const void*, emulated::kernel> kernels;
inline bool backwards = false;
inline std::vector<const void*> launched_kernels;
inline std::set<const void*> sharing_scans;
inline cuda::scan_params last_scan;

inline void run_launch(const fake_cuda::launch_record& l) {
  const auto found = kernels.find(l.kernel);
  if (found == kernels.end() || !found->second) throw std::logic_error("a kernel that is not emulated");
  launched_kernels.push_back(l.kernel);
  if (sharing_scans.count(l.kernel)) std::memcpy(static_cast<void*>(&last_scan), l.params, sizeof last_scan);
  found->second({l.params, l.blocks, l.threads, backwards});
}

struct kernels_on_cpu {
  kernels_on_cpu() {
    for (int r = 0; r < reduction_count; ++r)
      for (int d = 0; d < dtype_count; ++d) {
        const emulated::reduce_kernels own = emulated::reduce(r, d);
        if (!own.inner) continue;
        const auto& compiled = cuda::find_reduce_kernels(static_cast<reduction>(r), static_cast<dtype>(d));
        kernels[compiled.inner] = own.inner;
        kernels[compiled.dense] = own.dense;
        kernels[compiled.columns] = own.columns;
      }
    for (const dtype d : {dtype::float32, dtype::float64, dtype::complex128}) {
      const cuda::scan_kernels compiled = cuda::find_scan_kernels(scan::sum, d);
      add_scans(compiled, emulated::cumulative_sum(static_cast<int>(d)));
    }
    add_scans(cuda::find_scan_kernels(scan::max, dtype::float32), emulated::cumulative_maximum());
    for (const int bytes : {1, 4, 8, 16})
      for (const bool vectors : {false, true})
        kernels[cuda::find_transpose_kernel(static_cast<std::size_t>(bytes), vectors)] =
            emulated::transpose(bytes, vectors);
    const auto& addition = cuda::find_map_kernels(ufunc::add, dtype::float32);
    const auto& copy = cuda::find_copy_kernels(dtype::float32);
    kernels[addition.vector] = emulated::addition().vector;
    kernels[addition.strided] = emulated::addition().strided;
    kernels[copy.vector] = emulated::copy().vector;
    kernels[copy.strided] = emulated::copy().strided;
    fake_cuda::model.on_launch = run_launch;
    launched_kernels.clear();
    backwards = false;
  }
  static void add_scans(const cuda::scan_kernels& compiled, const emulated::scan_kernels& own) {
    kernels[compiled.tiles] = own.tiles;
    kernels[compiled.short_rows] = own.short_rows;
    kernels[compiled.middle_rows] = own.middle_rows;
    kernels[compiled.columns] = own.columns;
    kernels[compiled.column_tiles] = own.column_tiles;
    sharing_scans.insert({compiled.tiles, compiled.column_tiles});
  }
  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
};

/// Memory that ends where the next access is a fault.
class guarded {
 public:
  explicit guarded(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes = (bytes + 15) / 16 * 16;
    const std::size_t room = (bytes + page - 1) / page * page;
    mapped_ = room + page;
    memory_ = static_cast<std::byte*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(memory_ != MAP_FAILED);
    REQUIRE(mprotect(memory_ + room, page, PROT_NONE) == 0);
    data_ = memory_ + (room - bytes);
  }
  ~guarded() { munmap(memory_, mapped_); }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte *memory_, *data_;
  std::size_t mapped_;
};

enum class arrangement { aligned, shifted, gaps };
constexpr arrangement arrangements[] = {arrangement::aligned, arrangement::shifted, arrangement::gaps};

/// Rows of elements, the first of each at a multiple of 16 bytes, or one element further, or with gaps.
struct arranged_matrix {
  arranged_matrix(std::int64_t n_rows, std::int64_t n, arrangement where, dtype type,
                  const std::vector<double>& values)
      : item(static_cast<std::int64_t>(itemsize(type))),
        stride(where == arrangement::gaps ? 2 * item : item),
        row_stride((n * stride + 31) / 16 * 16),
        memory(static_cast<std::size_t>((n_rows - 1) * row_stride + (n - 1) * stride + item +
                                        (where == arrangement::aligned ? 0 : item))) {
    first = memory.data() + (where == arrangement::aligned ? 0 : item);
    std::size_t next = 0;
    for (std::int64_t r = 0; r < n_rows; ++r)
      for (std::int64_t i = 0; i < n; ++i) {
        std::byte* to = first + r * row_stride + i * stride;
        if (is_complex(type)) {
          write(real_dtype(type), to, values[next % values.size()]);
          write(real_dtype(type), to + item / 2, values[(next + 7) % values.size()]);
        } else {
          write(type, to, values[next % values.size()]);
        }
        ++next;
      }
  }
  std::int64_t item, stride, row_stride;
  guarded memory;
  std::byte* first;
};

/// Whole numbers add up exactly in any order; other ones show a change of the order.
enum class numbers { whole, real, with_nan };

inline std::vector<double> make_values(numbers kind) {
  random_numbers random;
  std::vector<double> values(99991);
  for (double& value : values) value = kind == numbers::real ? random() : std::floor(random() * 16);
  if (kind == numbers::with_nan)
    for (std::size_t i = 20; i < values.size(); i += 97) values[i] = NAN;
  return values;
}

}  // namespace kernel_fixture
