// The kernels of reductions, transpositions and rows, run on the CPU thread by thread: every element counts
// once, nothing outside an array is read, and it makes no difference where the elements lie.
#include "cuda/support/kernel_fixture.hpp"
#include "support/sampler.hpp"

using namespace kernel_fixture;

namespace {

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
void check_everywhere(kernels_on_cpu& f, const operation& o, numbers kind, std::int64_t n_rows,
                      std::int64_t n, bool columns) {
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
std::vector<std::byte> reduced(kernels_on_cpu& f, reduce_plan plan) {
  std::vector<std::byte> out(static_cast<std::size_t>(plan.n_out * plan.out.strides[0]));
  plan.out.data = out.data();
  f.gpu->reduce(plan, {});
  return out;
}

}  // namespace

TEST_CASE("cuda emulated: reductions of rows") {
  kernels_on_cpu f;
  struct rows {
    std::int64_t n_rows, n;
    bool all_operations;
  };
  sampler wanted(5);
  // A thread's tile, and a row of: some lanes, one warp, a block, several blocks; several warps; more
  // blocks than half a block merges.
  for (const rows& shape :
       {rows{3, 3, true}, rows{70, 35, true}, rows{20, 250, true}, rows{2, 4100, true}, rows{1, 100003, true},
        rows{1, 1, true}, rows{1601, 1300, false}, rows{1, 540003, false}})
    for (const operation& o : operations)
      for (const numbers kind : {numbers::whole, numbers::real, numbers::with_nan})
        if (takes(o, kind) &&
            (shape.all_operations || (o.op == reduction::sum && o.type == dtype::float32)) &&
            // Whole numbers add up to the same in any order of the blocks.
            !(shape.n == 100003 && kind == numbers::whole && takes(o, numbers::real)) && wanted())
          check_everywhere(f, o, kind, shape.n_rows, shape.n, false);
}

TEST_CASE("cuda emulated: reductions of columns") {
  kernels_on_cpu f;
  struct columns {
    std::int64_t n_rows, n;
  };
  sampler wanted(2);
  for (const columns& shape : {columns{3, 64}, columns{100, 129}, columns{2501, 40}})
    for (const operation& o : operations)
      for (const numbers kind : {numbers::whole, numbers::real, numbers::with_nan})
        if (takes(o, kind) && wanted()) check_everywhere(f, o, kind, shape.n_rows, shape.n, true);
  // Not by accident: the kernel of columns ran, also where there are gaps between them.
  const auto& sums = cuda::find_reduce_kernels(reduction::sum, dtype::float32);
  CHECK(std::find(launched_kernels.begin(), launched_kernels.end(), sums.columns) != launched_kernels.end());
  CHECK(std::find(launched_kernels.begin(), launched_kernels.end(), sums.inner) == launched_kernels.end());
}

TEST_CASE(
    "cuda emulated: rows and columns whose length decides have the same bits among any number of them") {
  kernels_on_cpu f;
  struct lines {
    std::int64_t count, n;
    bool columns;
  };
  // Of both signs: where a sum is much smaller than what is added, its last bits show the order.
  std::vector<double> values = make_values(numbers::real);
  for (double& value : values) value -= 0.5;
  // Rows of one thread, a warp, some warps, a block, several blocks; columns of one block and of several.
  for (const lines& l :
       {lines{70, 3, false}, lines{70, 250, false}, lines{1'000, 2'048, false}, lines{9, 9'001, false},
        lines{5, 70'003, false}, lines{70, 100, true}, lines{140, 1'000, true}, lines{200, 9'000, true}})
    for (const operation o :
         {operation{reduction::sum, dtype::float32}, operation{reduction::sum, dtype::float64},
          operation{reduction::nansum, dtype::float32}})
      for (const arrangement where : {arrangement::aligned, arrangement::shifted}) {
        if (l.n * l.count > 500'000 && (o.type == dtype::float32 || where == arrangement::shifted)) continue;
        const arranged_matrix m(l.columns ? l.n : l.count, l.columns ? l.count : l.n, where, o.type, values);
        const std::int64_t from_line_to_line = l.columns ? m.stride : m.row_stride;
        const auto some = [&](std::int64_t first, std::int64_t count) {
          reduce_plan plan = plan_of(o, count, l.n, m, l.columns);
          map_plan& map = plan.map;
          map.inputs[0].data = m.first + first * from_line_to_line;
          map.out.strides[l.columns ? 0 : 1] = m.item;
          map.out.strides[l.columns ? 1 : 0] = m.item * map.shape[l.columns ? 0 : 1];
          plan.order = l.columns ? element_order::columns : element_order::rows;
          return reduced(f, plan);
        };
        const std::vector<std::byte> all = some(0, l.count);
        CAPTURE(name(o.op));
        CAPTURE(name(o.type));
        CAPTURE(l.n);
        CAPTURE(l.columns);
        for (const auto& [first, count] :
             {std::pair{std::int64_t{0}, std::int64_t{1}}, std::pair{l.count - 1, std::int64_t{1}},
              std::pair{std::int64_t{1}, l.count / 2}}) {
          const auto begin = all.begin() + first * m.item;
          CHECK(some(first, count) == std::vector(begin, begin + count * m.item));
        }
      }
}

TEST_CASE("cuda emulated: rows whose length decides have the same bits with gaps and without") {
  kernels_on_cpu f;
  constexpr std::int64_t shape[] = {5, 6, 41}, parts = shape[0] * shape[1];
  const std::vector<double> values = make_values(numbers::real);
  const operation sum{reduction::sum, dtype::float32};
  const auto of = [&](const arranged_matrix& m, std::int64_t part_stride) {
    reduce_plan plan = plan_of(sum, shape[0], shape[1] * shape[2], m, false);
    map_plan& map = plan.map;
    map.ndim = 3;
    std::copy_n(shape, 3, map.shape);
    const std::int64_t strides[] = {shape[1] * part_stride, part_stride, m.stride},
                       layout[] = {shape[1] * shape[2] * m.item, shape[2] * m.item, m.item};
    std::copy_n(strides, 3, map.inputs[0].strides);
    std::copy_n(layout, 3, map.out.strides);
    plan.order = element_order::rows;
    return reduced(f, plan);
  };
  const arranged_matrix together(1, parts * shape[2], arrangement::aligned, dtype::float32, values);
  const std::vector<std::byte> expected = of(together, shape[2] * together.item);
  for (const arrangement where : arrangements) {
    const arranged_matrix apart(parts, shape[2], where, dtype::float32, values);
    CHECK(of(apart, apart.row_stride) == expected);
  }
}

TEST_CASE("cuda emulated: two reductions at once have the bits of each alone") {
  kernels_on_cpu f;
  struct shape {
    std::int64_t n_rows, n;
    bool columns;
  };
  sampler wanted(3);
  for (const dtype type : {dtype::float32, dtype::float64})
    for (const shape& s :
         {shape{3, 3, false}, shape{7, 4100, false}, shape{1, 100003, false}, shape{2501, 40, true}})
      for (const arrangement where : {arrangement::aligned, arrangement::shifted}) {
        if (!wanted()) continue;
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
  kernels_on_cpu f;
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

TEST_CASE("cuda emulated: transposed copies") {
  kernels_on_cpu f;
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
  kernels_on_cpu f;
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
  CHECK(launched_kernels.back() == cuda::find_map_kernels(ufunc::add, dtype::float32).vector);
  CHECK(fake_cuda::model.launches.back().blocks < 140001 / 16);
  const std::vector<std::byte> actual(out.data(), out.data() + n_rows * n * 4);
  host_backend().map(plan, {});
  check_close(dtype::float32, plan.out.data, actual, plan.size, 0, "sum of rows");
}
