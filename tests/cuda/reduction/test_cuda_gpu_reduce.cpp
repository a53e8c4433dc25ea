// Reductions, scans and matrix products on a real GPU against the host backend.
#include <cmath>
#include <numeric>

#include "cuda/support/twin.hpp"
#include "support/same_bits.hpp"
#include "support/sampler.hpp"

using namespace twin;

namespace {

/// Positive numbers that sums and products of keep their digits: at most 255 elements of a small type.
void fill(dtype type, std::byte* to, std::int64_t n, bool near_one, random_numbers& random) {
  const auto size = static_cast<std::int64_t>(itemsize(type));
  for (std::int64_t i = 0; i < n; ++i) {
    double value = near_one ? 0.95 + 0.1 * random() : 0.1 + 0.8 * random();
    if (kind(type) == 'i' || kind(type) == 'u') value = std::floor(120 * random());
    if (kind(type) == 'b') value = random() < 0.5;
    if (is_complex(type)) {  // factors of magnitude 1: products of other ones leave the range of numbers
      const double angle = random();
      write(real_dtype(type), to + i * size, near_one ? std::cos(angle) : value);
      write(real_dtype(type), to + i * size + size / 2, near_one ? std::sin(angle) : random());
    } else {
      write(type, to + i * size, value);
    }
  }
}

/// One way for the axes of a C-contiguous array to be kept and reduced.
struct layout {
  const char* text;
  std::vector<std::int64_t> shape;
  std::vector<int> kept, reduced;
};

const std::vector<layout>& layouts() {
  static const std::vector<layout> all = {
      {"one element", {1}, {}, {0}},
      {"everything, short", {77}, {}, {0}},
      {"everything, one block", {5003}, {}, {0}},
      {"everything, many blocks", {300007}, {}, {0}},
      {"short rows", {301, 5}, {0}, {1}},
      {"rows for some lanes", {100, 77}, {0}, {1}},
      {"rows for a block", {3, 9001}, {0}, {1}},
      {"rows for several blocks", {2, 100003}, {0}, {1}},
      {"columns", {1003, 64}, {1}, {0}},
      {"columns, odd", {509, 129}, {1}, {0}},
      {"columns, many blocks", {9001, 40}, {1}, {0}},
      {"narrow columns", {5000, 3}, {1}, {0}},
      {"inner and outer axis", {20, 33, 41}, {1}, {0, 2}},
      {"middle axis", {7, 50, 48}, {0, 2}, {1}},
      {"axes in another order", {11, 13, 17}, {1}, {2, 0}},
  };
  return all;
}

double tolerance_of(reduction r, dtype element, std::int64_t n) {
  const dtype type = result_dtype(r, element);
  if (!is_inexact(type)) return 0;
  const bool half = is_floating(type) && itemsize(type) == 2;
  switch (r) {
    case reduction::min:
    case reduction::max:
    case reduction::ptp:
    case reduction::nanmin:
    case reduction::nanmax:
    case reduction::minmax:
      return 0;
    // n roundings of half an epsilon each on both sides; in a half's result only the last one shows, and the
    // float32 product before it.
    case reduction::prod:
    case reduction::nanprod:
      return half ? 2 + n * 0x1p-12 : static_cast<double>(n) + 4;
    // (x - mean)^2 carries the mean's error twice; squares and mean are of the same size here. The rest as
    // sums.
    case reduction::var:
    case reduction::std:
    case reduction::nanvar:
    case reduction::nanstd:
    case reduction::moments:
      return half ? 2 : 2048;
    // Terms of one sign: at most 128 roundings in a row on either side before the trees, whose depth is
    // below 32.
    default:
      return half ? 1 : 160;
  }
}

}  // namespace

TEST_CASE("cuda gpu: every reduction, dtype and layout") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  sampler taken;
  for (int r = 0; r < reduction_count; ++r) {
    for (int d = 0; d < dtype_count; ++d) {
      const auto op = static_cast<reduction>(r);
      const auto element = static_cast<dtype>(d);
      if (!has_reduction(op, element)) continue;
      for (const layout& l : layouts()) {
        if (!taken()) continue;
        memory data(*gpu);
        random_numbers random;
        std::int64_t strides[core::max_ndim], size = 1;
        for (const std::int64_t n : l.shape) size *= n;
        const auto item = static_cast<std::int64_t>(itemsize(element));
        auto* in = data.allocate(static_cast<std::size_t>(size * item));
        fill(element, in, size, op == reduction::prod || op == reduction::nanprod, random);
        // A NaN that only the nan-functions ignore.
        if (is_floating(element) && name(op).substr(0, 3) == "nan" && size > 10)
          write(element, in + 7 * item, NAN);
        fill_strides(static_cast<int>(l.shape.size()), l.shape.data(), item, strides);

        const auto plan = std::make_unique<reduce_plan>();
        map_plan& map = plan->map;
        map.n_inputs = 1;
        map.n_steps = 0;
        map.ndim = 0;
        map.size = size;
        map.inputs[0].kind = input_kind::array;
        map.inputs[0].type = element;
        map.inputs[0].data = in;
        plan->n_out = plan->n_reduced = 1;
        for (const std::vector<int>* axes : {&l.kept, &l.reduced})
          for (const int axis : *axes) {
            map.shape[map.ndim] = l.shape[static_cast<std::size_t>(axis)];
            map.out.strides[map.ndim] = strides[axis];
            map.inputs[0].strides[map.ndim++] = strides[axis];
            (axes == &l.kept ? plan->n_out : plan->n_reduced) *= l.shape[static_cast<std::size_t>(axis)];
          }
        plan->op = op;
        plan->element = element;
        plan->n_kept = static_cast<int>(l.kept.size());
        plan->ddof = 0;
        plan->out.type = result_dtype(op, element);
        const std::size_t bytes = result_bytes(op, element);
        fill_strides(plan->n_kept, map.shape, static_cast<std::int64_t>(bytes), plan->out.strides);
        const auto out_bytes = static_cast<std::size_t>(plan->n_out) * bytes;
        plan->out.data = data.allocate(out_bytes);

        data.upload();
        const auto moved = std::make_unique<reduce_plan>(*plan);
        moved->map = translated(map, data);
        moved->out.data = data.on_device(plan->out.data);
        gpu->reduce(*moved, {});
        const auto actual = data.download(plan->out.data, out_bytes);
        host_backend().reduce(*plan, {});
        const dtype compared = real_dtype(plan->out.type);
        const auto n_compared = static_cast<std::int64_t>(out_bytes / itemsize(compared));
        check_close(has_two_results(op) ? compared : plan->out.type, plan->out.data, actual,
                    has_two_results(op) ? n_compared : plan->n_out,
                    tolerance_of(op, element, plan->n_reduced),
                    std::string(name(op)) + ", " + l.text + ", element " + std::string(name(element)));
        // Again: the same bits, and the counters of the blocks were left at zero.
        gpu->reduce(*moved, {});
        CHECK(data.download(plan->out.data, out_bytes) == actual);

        if (element == dtype::float32 || element == dtype::int16) {
          // The same through a conversion in the loads: int8 numbers are exact in either.
          auto* narrow = data.allocate(static_cast<std::size_t>(size));
          for (std::int64_t i = 0; i < size; ++i)
            write(dtype::int8, narrow + i, std::floor(5 * random()) + 1);
          map.inputs[0].type = dtype::int8;
          map.n_steps = 1;
          map.steps[0] = {ufunc::cast, element, {0, 0, 0}};
          map.inputs[0].data = narrow;
          for (int k = 0; k < map.ndim; ++k) map.inputs[0].strides[k] /= item;
          data.upload();
          moved->map = translated(map, data);
          gpu->reduce(*moved, {});
          const auto converted = data.download(plan->out.data, out_bytes);
          host_backend().reduce(*plan, {});
          check_close(plan->out.type, plan->out.data, converted,
                      static_cast<std::int64_t>(out_bytes / itemsize(plan->out.type)),
                      tolerance_of(op, element, plan->n_reduced),
                      std::string(name(op)) + ", " + l.text + ", int8 as " + std::string(name(element)));
        }
      }
    }
  }
}

TEST_CASE("cuda gpu: scans of every accumulator and layout") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  struct shape_case {
    std::int64_t rows, n;
    bool columns;
  };
  sampler taken;
  for (const scan op : {scan::sum, scan::prod, scan::nansum, scan::nanprod}) {
    for (const dtype type : {dtype::int64, dtype::uint64, dtype::float16, dtype::bfloat16, dtype::float32,
                             dtype::float64, dtype::complex64, dtype::complex128}) {
      for (const shape_case c :
           {shape_case{1, 1, false},
            {1, 4097, false},
            {1, type == dtype::float16 ? 100001 : 300001, false},  // the sum stays below 65504
            {40, 1001, false},
            {300, 77, true},
            {1000, 20, true},
            {5, 900, true},
            {70, 5000, true},
            {500, 64, false},
            {99, 400, false}}) {
        if (!taken()) continue;
        memory data(*gpu);
        random_numbers random;
        const auto item = static_cast<std::int64_t>(itemsize(type));
        const std::int64_t size = c.rows * c.n;
        auto* in = data.allocate(static_cast<std::size_t>(size * item));
        fill(type, in, size, op == scan::prod || op == scan::nanprod, random);
        scan_plan plan;
        plan.op = op;
        plan.type = type;
        plan.ndim = 2;
        plan.shape[0] = c.rows;
        plan.shape[1] = c.n;
        plan.in_strides[0] = plan.out_strides[0] = c.columns ? item : c.n * item;
        plan.in_strides[1] = plan.out_strides[1] = c.columns ? c.rows * item : item;
        plan.in = in;
        plan.out = data.allocate(static_cast<std::size_t>(size * item));
        data.upload();
        scan_plan moved = plan;
        moved.in = data.on_device(plan.in);
        moved.out = data.on_device(plan.out);
        gpu->scan(moved, {});
        const auto actual = data.download(plan.out, static_cast<std::size_t>(size * item));
        host_backend().scan(plan, {});
        // A sequential sum on the CPU rounds n times, by half an epsilon of a growing sum: n / 2 at most;
        // ours far less.
        const double n = static_cast<double>(c.n);
        const double tolerance = !is_inexact(type) ? 0 : itemsize(type) == 2 ? 2 + n : n + 4;
        check_close(type, plan.out, actual, size, tolerance,
                    "scan " + std::to_string(static_cast<int>(op)) + " of " + std::to_string(c.n));
        gpu->scan(moved, {});
        CHECK(data.download(plan.out, static_cast<std::size_t>(size * item)) == actual);
      }
    }
  }
}

TEST_CASE("cuda gpu: exact scans of every dtype and layout are those of the CPU") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  struct shape_case {
    std::int64_t rows, n;
    bool columns;
  };
  sampler taken;
  for (int o = static_cast<int>(scan::max); o <= static_cast<int>(scan::bitwise_xor); ++o)
    for (int d = 0; d < dtype_count; ++d)
      for (const shape_case& c : {shape_case{1, 1, false},
                                  {1, 3000001, false},
                                  {3, 70001, false},
                                  {300, 64, false},
                                  {200, 900, false},
                                  {300, 77, true},
                                  {5, 90000, true},
                                  {3000, 700, true},
                                  {140000, 40, true}}) {
        const auto op = static_cast<scan>(o);
        const auto type = static_cast<dtype>(d);
        if (op >= scan::bitwise_and && is_inexact(type)) continue;
        if (!taken()) continue;
        memory data(*gpu);
        random_numbers random;
        const auto item = static_cast<std::int64_t>(itemsize(type));
        const std::int64_t size = c.rows * c.n;
        auto* in = data.allocate(static_cast<std::size_t>(size * item));
        // Whole numbers of both signs, so that equal ones occur, and zeros of both signs.
        const dtype part = is_complex(type) ? real_dtype(type) : type;
        const auto part_bytes = static_cast<std::int64_t>(itemsize(part));
        for (std::int64_t i = 0; i < size * item / part_bytes; ++i) {
          const double value = std::floor(random() * 40) * (random() < 0.5 ? -1 : 1);
          write(part, in + i * part_bytes, type == dtype::bool_ ? value > 10 : value);
        }
        scan_plan plan;
        plan.op = op;
        plan.type = type;
        plan.ndim = 2;
        plan.shape[0] = c.rows;
        plan.shape[1] = c.n;
        plan.in_strides[0] = plan.out_strides[0] = c.columns ? item : c.n * item;
        plan.in_strides[1] = plan.out_strides[1] = c.columns ? c.rows * item : item;
        plan.in = in;
        plan.out = data.allocate(static_cast<std::size_t>(size * item));
        data.upload();
        scan_plan moved = plan;
        moved.in = data.on_device(plan.in);
        moved.out = data.on_device(plan.out);
        gpu->scan(moved, {});
        const auto actual = data.download(plan.out, static_cast<std::size_t>(size * item));
        host_backend().scan(plan, {});
        CAPTURE(o);
        CAPTURE(name(type));
        CAPTURE(c.n);
        CHECK(same_bits<std::byte>(actual, {static_cast<const std::byte*>(plan.out), actual.size()}));
        moved.in = moved.out;  // in place: a maximum of maxima changes nothing, xor does
        if (op == scan::bitwise_xor) continue;
        gpu->scan(moved, {});
        CHECK(data.download(plan.out, actual.size()) == actual);
      }
}

TEST_CASE("cuda gpu: matrix products of every dtype and layout") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  enum class storage { rows, columns, every_second };
  sampler taken;
  for (int d = 0; d < dtype_count; ++d) {
    const auto type = static_cast<dtype>(d);
    const auto item = static_cast<std::int64_t>(itemsize(type));
    for (const storage a_stored : {storage::rows, storage::columns, storage::every_second}) {
      for (const storage b_stored : {storage::rows, storage::columns}) {
        for (const std::int64_t n_batch : {1, 3}) {
          for (const bool broadcast : {false, true}) {
            if (!taken()) continue;
            const std::int64_t m = 65, n = 33, k = 70;
            memory data(*gpu);
            random_numbers random;
            const auto make = [&](std::int64_t rows, std::int64_t columns, storage s, bool same) {
              matrix x;
              const std::int64_t size = 2 * n_batch * rows * columns;
              auto* values = data.allocate(static_cast<std::size_t>(size * item));
              fill(type, values, size, false, random);
              x.data = values;
              x.row_stride = s == storage::columns ? item
                             : s == storage::rows  ? columns * item
                                                   : 2 * columns * item;
              x.column_stride = s == storage::columns ? rows * item : s == storage::rows ? item : 2 * item;
              x.batch_strides[0] = same ? 0 : rows * columns * item * (s == storage::every_second ? 2 : 1);
              return x;
            };
            matmul_plan plan;
            plan.type = type;
            plan.m = m;
            plan.n = n;
            plan.k = k;
            plan.batch_ndim = 1;
            plan.batch_shape[0] = n_batch;
            plan.a = make(m, k, a_stored, false);
            plan.b = make(k, n, b_stored, broadcast);
            plan.c = make(m, n, storage::rows, false);
            data.upload();
            matmul_plan moved = plan;
            for (const auto side : {&matmul_plan::a, &matmul_plan::b, &matmul_plan::c})
              (moved.*side).data = data.on_device((plan.*side).data);
            gpu->matmul(moved, {});
            const std::int64_t n_out = n_batch * m * n;
            const auto actual = data.download(plan.c.data, static_cast<std::size_t>(n_out * item));
            host_backend().matmul(plan, {});
            // k products and k sums of one sign (the imaginary parts too), each rounded, on both sides; the
            // sums of halves are rounded to a half once.
            const double tolerance = !is_inexact(type) ? 0 : itemsize(type) == 2 ? 2 : 4.0 * k;
            check_close(type, plan.c.data, actual, n_out, tolerance,
                        "matmul, a stored " + std::to_string(static_cast<int>(a_stored)) + ", b " +
                            std::to_string(static_cast<int>(b_stored)) + ", batches " +
                            std::to_string(n_batch));
          }
        }
      }
    }
  }
}
