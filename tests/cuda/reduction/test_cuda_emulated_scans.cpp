// The kernels of scans, run on the CPU thread by thread: blocks may start in any order, and it makes no
// difference where the elements lie.
#include "cuda/support/kernel_fixture.hpp"
#include "support/sampler.hpp"

using namespace kernel_fixture;

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
  kernels_on_cpu f;
  struct rows {
    dtype type;
    std::int64_t n_rows, n;
  };
  // One tile; several in one group; several groups; the same with wider values and several rows.
  for (const rows& shape :
       {rows{dtype::float32, 3, 97}, rows{dtype::float32, 2, 20003}, rows{dtype::float32, 1, 80003},
        rows{dtype::float64, 2, 40001}, rows{dtype::complex128, 1, 20003}})
    for (const numbers kind : {numbers::whole, numbers::real}) {
      if (kind == numbers::whole && shape.n > 20003) continue;  // which takes long, and real ones tell more
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
  kernels_on_cpu f;
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

TEST_CASE("cuda emulated: rows that a warp scans have the bits that a block gives them") {
  kernels_on_cpu f;
  sampler wanted(2);
  for (const dtype type : {dtype::float32, dtype::float64, dtype::complex128})
    for (const std::int64_t n : {1, 7, 33, 128, 257, 512, 1000}) {
      if (!wanted()) continue;
      const std::int64_t n_rows = n < 40 ? 70 : 9;
      CAPTURE(name(type));
      CAPTURE(n);
      std::vector<std::byte> first;
      for (const arrangement where : arrangements) {
        const arranged_matrix m(n_rows, n, where, type, make_values(numbers::real));
        const auto bytes = static_cast<std::size_t>(n_rows * n * m.item);
        const guarded out(bytes), of_blocks(bytes);
        f.gpu->scan(scan_of(type, n_rows, n, m, out.data()), {});
        const std::vector<std::byte> actual(out.data(), out.data() + bytes);
        if (first.empty()) first = actual;
        CHECK(actual == first);
        cuda::scan_params p{};
        p.in = reinterpret_cast<const char*>(m.first);
        p.out = reinterpret_cast<char*>(of_blocks.data());
        p.in_stride = m.stride;
        p.out_stride = m.item;
        p.side_by_side = m.stride == m.item;
        p.n = n;
        p.n_rows = static_cast<std::uint32_t>(n_rows);
        p.rows.ndim = 1;
        p.rows.shape[0] = cuda::fast_divisor(p.n_rows);
        p.rows.strides[0] = m.row_stride;
        p.out_strides[0] = n * m.item;
        emulated::cumulative_sum(static_cast<int>(type)).tiles({&p, p.n_rows, cuda::scan_threads, false});
        CHECK(std::equal(first.begin(), first.end(), of_blocks.data()));
      }
    }
}

TEST_CASE("cuda emulated: columns are scanned alike with gaps and without, whatever block starts first") {
  kernels_on_cpu f;
  struct shape {
    std::int64_t n, lines;  // of a line, and side by side
  };
  for (const dtype type : {dtype::float32, dtype::complex128})
    for (const shape& s : {shape{30, 300}, {100, 33}, {2000, 5}, {1500, 40}, {4500, 17}})
      for (const numbers kind : {numbers::whole, numbers::real}) {
        CAPTURE(name(type));
        CAPTURE(s.n);
        CAPTURE(s.lines);
        std::vector<std::byte> first;
        for (const arrangement where : arrangements) {
          const arranged_matrix m(s.n, s.lines, where, type, make_values(kind));
          const auto bytes = static_cast<std::size_t>(s.n * s.lines * m.item);
          const guarded out(bytes);
          scan_plan plan = scan_of(type, s.lines, s.n, m, out.data());
          plan.in_strides[0] = m.stride;
          plan.in_strides[1] = m.row_stride;
          plan.out_strides[0] = m.item;
          plan.out_strides[1] = m.item * s.lines;
          for (const bool order : {false, true}) {
            backwards = order;
            f.gpu->scan(plan, {});
            const std::vector<std::byte> actual(out.data(), out.data() + bytes);
            if (first.empty()) first = actual;
            CHECK(actual == first);
            const cuda::scan_kernels compiled = cuda::find_scan_kernels(scan::sum, type);
            CHECK(launched_kernels.back() == (s.n <= 32 ? compiled.columns : compiled.column_tiles));
            if (s.n <= 32 || last_scan.n_groups == 0 || !last_scan.clears) continue;
            CHECK(last_scan.counters[0] + last_scan.counters[1] == 0);
            CHECK(std::all_of(last_scan.published, last_scan.published + last_scan.n_words,
                              [](std::uint64_t word) { return word == 0; }));
          }
          if (kind == numbers::real) continue;
          host_backend().scan(plan, {});
          check_close(type, plan.out, first, s.n * s.lines, 0, "scan of columns");
        }
      }
}

TEST_CASE("cuda emulated: maxima keep the first of equal ones and the first NaN") {
  kernels_on_cpu f;
  for (const numbers kind : {numbers::whole, numbers::real, numbers::with_nan})
    for (const auto& [n_rows, n] : {std::pair<std::int64_t, std::int64_t>{40, 20}, {9, 900}, {1, 20003}})
      for (const bool columns : {false, true}) {
        std::vector<double> values = make_values(kind);
        for (std::size_t i = 0; i < values.size(); i += 3) values[i] *= -1;  // zeros of both signs among them
        const arranged_matrix m(columns ? n : n_rows, columns ? n_rows : n, arrangement::shifted,
                                dtype::float32, values);
        const auto bytes = static_cast<std::size_t>(n_rows * n * 4);
        const guarded out(bytes);
        scan_plan plan = scan_of(dtype::float32, n_rows, n, m, out.data());
        plan.op = scan::max;
        if (columns) std::swap(plan.in_strides[0], plan.in_strides[1]);
        f.gpu->scan(plan, {});
        const std::vector<std::byte> actual(out.data(), out.data() + bytes);
        host_backend().scan(plan, {});
        CAPTURE(n);
        CAPTURE(columns);
        CHECK(std::equal(actual.begin(), actual.end(), out.data()));
      }
}
