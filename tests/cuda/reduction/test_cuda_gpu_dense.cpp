// Results of reductions and scans do not depend on where the elements lie: rows whose loads are vectors, rows
// that begin between two of them, and elements with gaps are added in the same order.
#include <cmath>

#include "cuda/support/twin.hpp"

using namespace twin;

namespace {

struct rows {
  std::int64_t n_rows, n;
};

// A thread's tile, and a row of: some lanes, one warp, several warps, a block, several blocks.
constexpr rows shapes[] = {{3, 3},      {700, 35},  {500, 250},   {1601, 1300},
                           {905, 2600}, {7, 50003}, {1, 1000003}, {2, 4100}};

enum class arrangement { aligned, shifted, gaps };

/// The elements where `where` says, and their strides.
struct stored {
  stored(memory& data, const rows& shape, arrangement where, dtype type, const std::vector<double>& values) {
    const auto item = static_cast<std::int64_t>(itemsize(type));
    stride = where == arrangement::gaps ? 2 * item : item;
    // A row's end is aligned, so that vectors are not lost to the odd length of a row before it.
    row_stride = (shape.n * stride + 31) / 16 * 16;
    auto* begin = data.allocate(static_cast<std::size_t>(shape.n_rows * row_stride + item));
    first = begin + (where == arrangement::aligned ? 0 : item);
    for (std::int64_t r = 0; r < shape.n_rows; ++r)
      for (std::int64_t i = 0; i < shape.n; ++i)
        write(type, first + r * row_stride + i * stride,
              values[static_cast<std::size_t>((r * shape.n + i) % static_cast<std::int64_t>(values.size()))]);
  }
  std::byte* first;
  std::int64_t stride, row_stride;
};

std::vector<double> numbers(bool with_ties) {
  random_numbers random;
  std::vector<double> values(99991);
  for (double& value : values) {
    value = random();
    if (with_ties) value = std::floor(value * 50);
  }
  return values;
}

}  // namespace

TEST_CASE("cuda gpu: reductions are the same wherever the elements lie") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  for (const reduction op :
       {reduction::sum, reduction::std, reduction::norm, reduction::max, reduction::argmax, reduction::argmin,
        reduction::nanargmax, reduction::nansum, reduction::minmax, reduction::moments}) {
    for (const dtype type :
         {dtype::float32, dtype::float64, dtype::float16, dtype::int32, dtype::complex64}) {
      if (!has_reduction(op, type)) continue;
      for (const rows& shape : shapes) {
        for (const bool nan : {false, true}) {
          if (nan && (!returns_index(op) || !is_floating(type))) continue;
          std::vector<double> values = numbers(returns_index(op));
          if (nan)
            for (std::size_t i = 1000; i < values.size(); i += 997) values[i] = NAN;
          memory data(*gpu);
          reduce_plan plan;
          map_plan& map = plan.map;
          map.n_inputs = 1;
          map.n_steps = 0;
          map.ndim = 2;
          map.size = shape.n_rows * shape.n;
          map.shape[0] = shape.n_rows;
          map.shape[1] = shape.n;
          map.inputs[0].kind = input_kind::array;
          map.inputs[0].type = type;
          plan.op = op;
          plan.element = type;
          plan.n_kept = 1;
          plan.n_out = shape.n_rows;
          plan.n_reduced = shape.n;
          plan.ddof = 0;
          plan.out.type = result_dtype(op, type);
          plan.out.strides[0] = static_cast<std::int64_t>(result_bytes(op, type));
          const auto out_bytes = static_cast<std::size_t>(shape.n_rows * plan.out.strides[0]);
          plan.out.data = data.allocate(out_bytes);
          std::vector<std::byte> first;
          for (const arrangement where : {arrangement::aligned, arrangement::shifted, arrangement::gaps}) {
            const stored elements(data, shape, where, type, values);
            map.inputs[0].data = elements.first;
            map.inputs[0].strides[0] = elements.row_stride;
            map.inputs[0].strides[1] = elements.stride;
            std::copy_n(map.inputs[0].strides, 2, map.out.strides);
            data.upload();
            reduce_plan moved = plan;
            moved.map = translated(map, data);
            moved.out.data = data.on_device(plan.out.data);
            gpu->reduce(moved, {});
            const auto actual = data.download(plan.out.data, out_bytes);
            if (where == arrangement::aligned) first = actual;
            CAPTURE(name(op));
            CAPTURE(name(type));
            CAPTURE(shape.n);
            CAPTURE(static_cast<int>(where));
            CHECK(actual == first);
          }
          // Which element is first among equals, or the first NaN, is no matter of rounding.
          if (returns_index(op) || op == reduction::max) {
            host_backend().reduce(plan, {});
            check_close(plan.out.type, plan.out.data, first, shape.n_rows, 0,
                        std::string(name(op)) + " of " + std::to_string(shape.n));
          }
        }
      }
    }
  }
}

TEST_CASE("cuda gpu: long scans are the same wherever the elements lie") {
  backend* gpu = twin::gpu();
  if (!gpu) return;
  for (const dtype type : {dtype::float32, dtype::float64, dtype::complex128}) {
    for (const rows& shape : {rows{1, 700001}, rows{3, 50003}, rows{2100, 97}}) {
      const std::vector<double> values = numbers(false);
      memory data(*gpu);
      const auto item = static_cast<std::int64_t>(itemsize(type));
      scan_plan plan;
      plan.op = scan::sum;
      plan.type = type;
      plan.ndim = 2;
      plan.shape[0] = shape.n_rows;
      plan.shape[1] = shape.n;
      plan.out_strides[0] = shape.n * item;
      plan.out_strides[1] = item;
      const auto out_bytes = static_cast<std::size_t>(shape.n_rows * shape.n * item);
      plan.out = data.allocate(out_bytes);
      std::vector<std::byte> first;
      for (const arrangement where : {arrangement::aligned, arrangement::shifted, arrangement::gaps}) {
        const stored elements(data, shape, where, type, values);
        plan.in = elements.first;
        plan.in_strides[0] = elements.row_stride;
        plan.in_strides[1] = elements.stride;
        data.upload();
        scan_plan moved = plan;
        moved.in = data.on_device(plan.in);
        moved.out = data.on_device(plan.out);
        gpu->scan(moved, {});
        const auto actual = data.download(plan.out, out_bytes);
        if (where == arrangement::aligned) first = actual;
        CAPTURE(name(type));
        CAPTURE(shape.n);
        CAPTURE(static_cast<int>(where));
        CHECK(actual == first);
      }
      host_backend().scan(plan, {});
      // Positive numbers: n roundings in a row on the CPU, each half an epsilon of a growing sum.
      check_close(type, plan.out, first, shape.n_rows * shape.n, static_cast<double>(shape.n) + 4,
                  "scan of " + std::to_string(shape.n));
    }
  }
}
