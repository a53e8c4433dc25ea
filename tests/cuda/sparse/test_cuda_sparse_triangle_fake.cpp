// Sparse triangular systems on the CUDA backend, over a fake of cuSPARSE: what is analysed once, and what is
// then asked for; failures of each call.
#include <algorithm>

#include <doctest/doctest.h>

#include <gparray/error.hpp>

#include "cuda/support/fake_sparse_engine.hpp"
#include "cuda/support/fake_spsm.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;

/// body(engine of the fake GPU), whose call number `fail_at` of cuSPARSE fails.
template<class Body>
void with_engine(int fail_at, Body body) {
  const auto prepare = [&](cuda::cusparse_table& table) {
    fake_cusparse::add_triangles(table);
    fake_cusparse::model.fail_at = fail_at;
  };
  fake_cusparse::with_engine(prepare, body);
}

const queue stream{0, nullptr};

// 4 x 4, with entries in both triangles and on the diagonal.
const std::vector<int> indptr{0, 2, 5, 7, 10}, indices{0, 2, 0, 1, 3, 1, 2, 0, 2, 3};
const std::vector<double> data{2, 5, 3, 4, 7, -1, 8, 6, 9, 16};
const compressed_rows four_by_four{
    4, 4, 10, dtype::int32, dtype::float64, indptr.data(), indices.data(), data.data()};

constexpr transposition all_operations[] = {transposition::none, transposition::transpose,
                                            transposition::adjoint};

void solve_twice(sparse_engine& engine, triangle_use use, std::int64_t width) {
  std::vector<double> x, want;
  for (std::int64_t i = 0; i < 4 * width; ++i) x.push_back(static_cast<double>(i * i % 7 - 3));
  want = x;
  const auto there = engine.prepare_triangle(four_by_four, use, width, stream);
  const auto here = host::sparse().prepare_triangle(four_by_four, use, width, {});
  for (int turn = 0; turn < 2; ++turn) {
    there->solve(x.data(), stream);
    here->solve(want.data(), {});
    CHECK(x == want);
  }
}

}  // namespace

TEST_CASE("triangles: every use gives what substitution gives, from one analysis") {
  for (const bool lower : {true, false})
    for (const bool unit : {true, false})
      for (const transposition op : all_operations)
        for (const std::int64_t width : {1, 3}) {
          with_engine(0, [&](sparse_engine& engine) { solve_twice(engine, {lower, op, unit}, width); });
          const auto& calls = fake_cusparse::model.calls;
          CHECK(std::ranges::count(calls, "cusparseSpSM_analysis") == 1);
          CHECK(std::ranges::count(calls, "cusparseSpSM_solve") == 2);
        }
}

TEST_CASE("triangles: dtypes that cuSPARSE does not have") {
  with_engine(0, [](sparse_engine& engine) {
    compressed_rows integers = four_by_four;
    integers.type = dtype::int64;
    CHECK(!engine.prepare_triangle(integers, {.lower = true}, 1, stream));
  });
}

TEST_CASE("triangles: every call's failure is reported, and leaves nothing behind") {
  const auto all = [](sparse_engine& engine) { solve_twice(engine, {.lower = true}, 2); };
  with_engine(0, all);
  const auto n_calls = static_cast<int>(fake_cusparse::model.calls.size());
  CHECK(n_calls >= 9);
  for (int k = 1; k <= n_calls; ++k) {
    CAPTURE(k);
    CHECK_THROWS_AS(with_engine(k, all), cuda_error);
  }
}
