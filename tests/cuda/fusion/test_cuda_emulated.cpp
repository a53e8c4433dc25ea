// The kernels of reductions, scans, transpositions and rows, run on the CPU thread by thread: every element
// counts once, nothing outside an array is read, blocks may start in any order, and it makes no difference
// where the elements lie.
#include <map>
#include <numeric>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

#include <cuda/backend.hpp>
#include <cuda/map/copy_params.hpp>
#include <cuda/map/map_table.hpp>
#include <cuda/reduction/reduce_table.hpp>
#include <cuda/reduction/scan_params.hpp>

#include "cuda/support/emulated_table.hpp"
#include "cuda/support/fake_runtime.hpp"
#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

std::map<const void*, emulated::kernel> kernels;
bool backwards = false;
std::vector<const void*> launched;
std::set<const void*> scans_of_tiles;
cuda::scan_params last_scan;

void run_launch(const fake_cuda::launch_record& l) {
  const auto found = kernels.find(l.kernel);
  if (found == kernels.end() || !found->second) throw std::logic_error("a kernel that is not emulated");
  launched.push_back(l.kernel);
  if (scans_of_tiles.count(l.kernel)) std::memcpy(static_cast<void*>(&last_scan), l.params, sizeof last_scan);
  found->second({l.params, l.blocks, l.threads, backwards});
}

struct fixture {
  fixture() {
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
      const emulated::scan_kernels own = emulated::cumulative_sum(static_cast<int>(d));
      kernels[compiled.tiles] = own.tiles;
      scans_of_tiles.insert(compiled.tiles);
      kernels[compiled.columns] = own.columns;
    }
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
    launched.clear();
    backwards = false;
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

std::vector<double> make_values(numbers kind) {
  random_numbers random;
  std::vector<double> values(99991);
  for (double& value : values) value = kind == numbers::real ? random() : std::floor(random() * 16);
  if (kind == numbers::with_nan)
    for (std::size_t i = 20; i < values.size(); i += 97) values[i] = NAN;
  return values;
}

struct operation {
  reduction op;
  dtype type;
};
constexpr operation operations[] = {
    {reduction::sum, dtype::float32},    {reduction::sum, dtype::float64},
    {reduction::sum, dtype::float16},    {reduction::sum, dtype::int8},
    {reduction::nansum, dtype::float32}, {reduction::std, dtype::float32},
    {reduction::std, dtype::complex64},  {reduction::argmax, dtype::float32},
    {reduction::argmax, dtype::int32},   {reduction::nanargmin, dtype::float32},
    {reduction::max, dtype::float64},    {reduction::minmax, dtype::float32},
    {reduction::moments, dtype::float32}};

bool has_squares(const operation& o) { return o.op == reduction::std || o.op == reduction::moments; }

bool takes(const operation& o, numbers kind) {
  return kind != numbers::with_nan || (is_floating(o.type) && !has_squares(o));
}

/// Squares of differences lose digits twice, and 2^-12 of them is far from a missing element. All else is
/// exact.
double tolerance(const operation& o) { return has_squares(o) ? 2048 : 0; }

reduce_plan plan_of(const operation& o, std::int64_t n_kept, std::int64_t n_reduced, const arranged_matrix& m,
                    bool columns) {
  reduce_plan plan;
  map_plan& map = plan.map;
  map.n_inputs = 1;
  map.n_steps = 0;
  map.ndim = 2;
  map.size = n_kept * n_reduced;
  map.shape[0] = n_kept;
  map.shape[1] = n_reduced;
  map.inputs[0].kind = input_kind::array;
  map.inputs[0].type = o.type;
  map.inputs[0].data = m.first;
  map.inputs[0].strides[0] = columns ? m.stride : m.row_stride;
  map.inputs[0].strides[1] = columns ? m.row_stride : m.stride;
  std::copy_n(map.inputs[0].strides, 2, map.out.strides);
  plan.op = o.op;
  plan.element = o.type;
  plan.n_kept = 1;
  plan.n_out = n_kept;
  plan.n_reduced = n_reduced;
  plan.ddof = 0;
  plan.out.type = result_dtype(o.op, o.type);
  plan.out.strides[0] = static_cast<std::int64_t>(result_bytes(o.op, o.type));
  return plan;
}

/// Reduces the rows, or the columns, of the same matrix at three places and in both orders of threads.
void check_everywhere(fixture& f, const operation& o, numbers kind, std::int64_t n_rows, std::int64_t n,
                      bool columns) {
  const std::vector<double> values = make_values(kind);
  const std::int64_t n_kept = columns ? n : n_rows, n_reduced = columns ? n_rows : n;
  std::vector<std::byte> first;
  for (const arrangement where : arrangements) {
    // The copy that comes before has kernels of its own, of which only this one is emulated.
    if (columns && where == arrangement::gaps && o.type != dtype::float32) continue;
    const arranged_matrix m(n_rows, n, where, o.type, values);
    reduce_plan plan = plan_of(o, n_kept, n_reduced, m, columns);
    const std::int64_t results = plan.out.strides[0] / static_cast<std::int64_t>(itemsize(plan.out.type));
    const auto out_bytes = static_cast<std::size_t>(n_kept * plan.out.strides[0]);
    const guarded out(out_bytes);
    plan.out.data = out.data();
    backwards = where == arrangement::shifted;
    f.gpu->reduce(plan, {});
    const std::vector<std::byte> actual(out.data(), out.data() + out_bytes);
    if (where == arrangement::aligned) first = actual;
    CAPTURE(name(o.op));
    CAPTURE(name(o.type));
    CAPTURE(n_rows);
    CAPTURE(n);
    CAPTURE(static_cast<int>(where));
    CHECK(actual == first);
    if (where == arrangement::aligned && kind != numbers::real) {
      host_backend().reduce(plan, {});
      check_close(plan.out.type, plan.out.data, actual, n_kept * results, tolerance(o),
                  std::string(name(o.op)));
    }
  }
}

/// What the emulated GPU leaves, in bytes.
std::vector<std::byte> reduced(fixture& f, reduce_plan plan) {
  std::vector<std::byte> out(static_cast<std::size_t>(plan.n_out * plan.out.strides[0]));
  plan.out.data = out.data();
  f.gpu->reduce(plan, {});
  return out;
}

}  // namespace

TEST_CASE("cuda emulated: reductions of rows") {
  fixture f;
  struct rows {
    std::int64_t n_rows, n;
    bool all_operations;
  };
  // A thread's tile, and a row of: some lanes, one warp, a block, several blocks; several warps; more
  // blocks than half a block merges.
  for (const rows& shape :
       {rows{3, 3, true}, rows{70, 35, true}, rows{20, 250, true}, rows{2, 4100, true}, rows{1, 100003, true},
        rows{1, 1, true}, rows{1601, 1300, false}, rows{1, 540003, false}})
    for (const operation& o : operations)
      for (const numbers kind : {numbers::whole, numbers::real, numbers::with_nan})
        if (takes(o, kind) && (shape.all_operations || (o.op == reduction::sum && o.type == dtype::float32)))
          check_everywhere(f, o, kind, shape.n_rows, shape.n, false);
}

TEST_CASE("cuda emulated: reductions of columns") {
  fixture f;
  struct columns {
    std::int64_t n_rows, n;
  };
  for (const columns& shape : {columns{3, 64}, columns{100, 129}, columns{2501, 40}})
    for (const operation& o : operations)
      for (const numbers kind : {numbers::whole, numbers::real, numbers::with_nan})
        if (takes(o, kind)) check_everywhere(f, o, kind, shape.n_rows, shape.n, true);
  // Not by accident: the kernel of columns ran, also where there are gaps between them.
  const auto& sums = cuda::find_reduce_kernels(reduction::sum, dtype::float32);
  CHECK(std::find(launched.begin(), launched.end(), sums.columns) != launched.end());
  CHECK(std::find(launched.begin(), launched.end(), sums.inner) == launched.end());
}

TEST_CASE("cuda emulated: two reductions at once have the bits of each alone") {
  fixture f;
  struct shape {
    std::int64_t n_rows, n;
    bool columns;
  };
  for (const dtype type : {dtype::float32, dtype::float64})
    for (const shape& s :
         {shape{3, 3, false}, shape{7, 4100, false}, shape{1, 300007, false}, shape{2501, 40, true}})
      for (const arrangement where : {arrangement::aligned, arrangement::shifted}) {
        const arranged_matrix m(s.n_rows, s.n, where, type, make_values(numbers::real));
        const std::int64_t n_kept = s.columns ? s.n : s.n_rows, n_reduced = s.columns ? s.n_rows : s.n;
        const auto result = [&](reduction op) {
          return reduced(f, plan_of({op, type}, n_kept, n_reduced, m, s.columns));
        };
        const auto both = result(reduction::moments);
        const auto means = result(reduction::mean), variances = result(reduction::var);
        const std::size_t item = itemsize(type);
        std::vector<std::byte> alone(both.size());
        for (std::size_t i = 0; i < static_cast<std::size_t>(n_kept); ++i) {
          std::memcpy(&alone[2 * i * item], &means[i * item], item);
          std::memcpy(&alone[(2 * i + 1) * item], &variances[i * item], item);
        }
        CAPTURE(name(type));
        CAPTURE(s.n);
        CHECK(both == alone);
      }
}

TEST_CASE("cuda emulated: a reduction over axes that are apart") {
  fixture f;
  for (const operation& o : operations) {
    const arranged_matrix m(1, 5 * 7 * 33, arrangement::aligned, o.type, make_values(numbers::whole));
    reduce_plan plan = plan_of(o, 7, 5 * 33, m, false);
    plan.map.ndim = 3;
    const std::int64_t shape[] = {7, 5, 33}, strides[] = {33 * m.item, 7 * 33 * m.item, m.item};
    std::copy_n(shape, 3, plan.map.shape);
    std::copy_n(strides, 3, plan.map.inputs[0].strides);
    std::copy_n(strides, 3, plan.map.out.strides);
    const std::vector<std::byte> actual = reduced(f, plan);
    std::vector<std::byte> expected(actual.size());
    plan.out.data = expected.data();
    host_backend().reduce(plan, {});
    check_close(plan.out.type, expected.data(), actual,
                static_cast<std::int64_t>(actual.size() / itemsize(plan.out.type)), tolerance(o),
                std::string(name(o.op)));
  }
}

namespace {

scan_plan scan_of(dtype type, std::int64_t n_rows, std::int64_t n, const arranged_matrix& m, void* out) {
  scan_plan plan;
  plan.op = scan::sum;
  plan.type = type;
  plan.ndim = 2;
  plan.shape[0] = n_rows;
  plan.shape[1] = n;
  plan.in = m.first;
  plan.in_strides[0] = m.row_stride;
  plan.in_strides[1] = m.stride;
  plan.out = out;
  plan.out_strides[0] = n * m.item;
  plan.out_strides[1] = m.item;
  return plan;
}

}  // namespace

TEST_CASE("cuda emulated: scans, whatever block starts first") {
  fixture f;
  struct rows {
    dtype type;
    std::int64_t n_rows, n;
  };
  // One tile; several in one group; several groups; the same with wider values and several rows.
  for (const rows& shape :
       {rows{dtype::float32, 3, 97}, rows{dtype::float32, 2, 20003}, rows{dtype::float32, 1, 80003},
        rows{dtype::float64, 2, 40001}, rows{dtype::complex128, 1, 20003}})
    for (const numbers kind : {numbers::whole, numbers::real}) {
      const std::vector<double> values = make_values(kind);
      std::vector<std::byte> first;
      for (const arrangement where : arrangements) {
        const arranged_matrix m(shape.n_rows, shape.n, where, shape.type, values);
        const auto bytes = static_cast<std::size_t>(shape.n_rows * shape.n * m.item);
        const guarded out(bytes);
        const scan_plan plan = scan_of(shape.type, shape.n_rows, shape.n, m, out.data());
        for (const bool order : {false, true}) {
          backwards = order;
          f.gpu->scan(plan, {});
          const std::vector<std::byte> actual(out.data(), out.data() + bytes);
          if (first.empty()) first = actual;
          CAPTURE(name(shape.type));
          CAPTURE(shape.n);
          CAPTURE(static_cast<int>(where));
          CHECK(actual == first);
          // Later launches find zeros again.
          const cuda::scan_params& p = last_scan;
          if (p.n_groups == 0) continue;
          CHECK(p.clears);
          CHECK(p.counters[0] + p.counters[1] == 0);
          CHECK(std::all_of(p.published, p.published + p.n_words,
                            [](std::uint64_t word) { return word == 0; }));
        }
        if (kind == numbers::real) continue;
        host_backend().scan(plan, {});
        check_close(shape.type, plan.out, first, shape.n_rows * shape.n, 0,
                    "scan of " + std::to_string(shape.n));
      }
    }
}

TEST_CASE("cuda emulated: a block that scans several tiles") {
  fixture f;
  const std::int64_t n = 20003;
  const arranged_matrix m(1, n, arrangement::shifted, dtype::float32, make_values(numbers::whole));
  const guarded out(static_cast<std::size_t>(n) * 4);
  cuda::scan_params p{};
  p.in = reinterpret_cast<const char*>(m.first);
  p.out = reinterpret_cast<char*>(out.data());
  p.in_stride = p.out_stride = 4;
  p.n = n;
  p.n_rows = 1;
  p.side_by_side = true;
  emulated::cumulative_sum(static_cast<int>(dtype::float32)).tiles({&p, 1, cuda::scan_threads, false});
  const std::vector<std::byte> actual(out.data(), out.data() + 4 * n);
  const scan_plan plan = scan_of(dtype::float32, 1, n, m, out.data());
  host_backend().scan(plan, {});
  check_close(dtype::float32, plan.out, actual, n, 0, "scan");
}

TEST_CASE("cuda emulated: columns with gaps are scanned as columns without") {
  fixture f;
  const std::int64_t n_rows = 30, n = 300;
  std::vector<std::byte> first;
  for (const arrangement where : arrangements) {
    const arranged_matrix m(n_rows, n, where, dtype::float32, make_values(numbers::real));
    const guarded out(static_cast<std::size_t>(n_rows * n * 4));
    scan_plan plan = scan_of(dtype::float32, n, n_rows, m, out.data());
    plan.in_strides[0] = m.stride;
    plan.in_strides[1] = m.row_stride;
    plan.out_strides[0] = 4;
    plan.out_strides[1] = 4 * n;
    f.gpu->scan(plan, {});
    const std::vector<std::byte> actual(out.data(), out.data() + n_rows * n * 4);
    if (first.empty()) first = actual;
    CHECK(actual == first);
    CHECK(launched.back() == cuda::find_scan_kernels(scan::sum, dtype::float32).columns);
  }
}

TEST_CASE("cuda emulated: transposed copies") {
  fixture f;
  for (const dtype type : {dtype::int8, dtype::float32, dtype::float64, dtype::complex128})
    for (const auto& [n_rows, n] :
         {std::pair{8, 8}, std::pair{33, 65}, std::pair{160, 144}, std::pair{130, 257}})
      for (const arrangement where : {arrangement::aligned, arrangement::shifted}) {
        const arranged_matrix m(n_rows, n, where, type, make_values(numbers::whole));
        const auto bytes = static_cast<std::size_t>(n_rows * n * m.item);
        const guarded out(bytes);
        map_plan plan;
        plan.n_inputs = 1;
        plan.n_steps = 0;
        plan.ndim = 2;
        plan.size = std::int64_t{n_rows} * n;
        plan.shape[0] = n;
        plan.shape[1] = n_rows;
        plan.inputs[0].kind = input_kind::array;
        plan.inputs[0].type = plan.out.type = type;
        plan.inputs[0].data = m.first;
        plan.inputs[0].strides[0] = m.stride;
        plan.inputs[0].strides[1] = m.row_stride;
        plan.out.data = out.data();
        plan.out.strides[0] = n_rows * m.item;
        plan.out.strides[1] = m.item;
        f.gpu->map(plan, {});
        const std::vector<std::byte> actual(out.data(), out.data() + bytes);
        host_backend().map(plan, {});
        check_close(type, plan.out.data, actual, plan.size, 0, "transposed copy");
      }
}

TEST_CASE("cuda emulated: threads that do two rows each") {
  fixture f;
  const std::int64_t n_rows = 140001, n = 33;  // odd, so that the last thread has one
  const arranged_matrix a(n_rows, n, arrangement::shifted, dtype::float32, make_values(numbers::real));
  const arranged_matrix b(1, n, arrangement::aligned, dtype::float32, make_values(numbers::whole));
  const guarded out(static_cast<std::size_t>(n_rows * n * 4));
  map_plan plan;
  plan.n_inputs = 2;
  plan.n_steps = 1;
  plan.steps[0] = {ufunc::add, dtype::float32, {0, 1, 0}};
  plan.ndim = 2;
  plan.size = n_rows * n;
  plan.shape[0] = n_rows;
  plan.shape[1] = n;
  for (int i = 0; i < 2; ++i) {
    plan.inputs[i].kind = input_kind::array;
    plan.inputs[i].type = dtype::float32;
    plan.inputs[i].strides[1] = 4;
  }
  plan.inputs[0].data = a.first;
  plan.inputs[0].strides[0] = a.row_stride;
  plan.inputs[1].data = b.first;
  plan.inputs[1].strides[0] = 0;
  plan.out.data = out.data();
  plan.out.type = dtype::float32;
  plan.out.strides[0] = 4 * n;
  plan.out.strides[1] = 4;
  f.gpu->map(plan, {});
  CHECK(launched.back() == cuda::find_map_kernels(ufunc::add, dtype::float32).vector);
  CHECK(fake_cuda::model.launches.back().blocks < 140001 / 16);
  const std::vector<std::byte> actual(out.data(), out.data() + n_rows * n * 4);
  host_backend().map(plan, {});
  check_close(dtype::float32, plan.out.data, actual, plan.size, 0, "sum of rows");
}
