// Several reductions of the same elements on the CPU: the elements are computed once, and each result has the
// bits that it has alone, whatever the layout and the number of threads.
#include <atomic>

#include <doctest/doctest.h>

#include <plan/plan.hpp>

#include "host/plans.hpp"
#include "support/sampler.hpp"

using namespace host_test;

namespace {

using bytes = std::vector<unsigned char>;

/// What several reductions of a map leave, together or one by one.
std::vector<bytes> run(const core::map_plan& map, const std::vector<reduction>& list, int n_kept,
                       bool together) {
  std::vector<std::unique_ptr<core::reduce_plan>> plans;
  std::vector<const core::reduce_plan*> pointers;
  std::vector<bytes> results;
  for (const reduction op : list) {
    plans.push_back(std::make_unique<core::reduce_plan>(reduce_of(map, op, n_kept, nullptr, 1)));
    core::reduce_plan& plan = *plans.back();
    results.emplace_back(static_cast<std::size_t>(plan.n_out) * result_bytes(op, plan.element), 0x5a);
    plan.out.data = results.back().data();
    pointers.push_back(&plan);
  }
  if (together) core::host_backend().reduce_together(pointers, {});
  else
    for (const core::reduce_plan* plan : pointers) core::host_backend().reduce(*plan, {});
  return results;
}

std::vector<reduction> all_on(dtype type) {
  std::vector<reduction> list;
  for (int r = 0; r < reduction_count; ++r) {
    const auto domain = gparray::detail::row(static_cast<reduction>(r)).domain;
    if (domain.find(kind(type) == 'u' ? 'i' : kind(type)) != domain.npos)
      list.push_back(static_cast<reduction>(r));
  }
  return list;
}

template<class T>
void check(dtype type, const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& steps,
           int n_kept) {
  std::mt19937 random(5);
  strided<T> array(shape, steps);
  for_indices(shape, [&](const auto& i) {
    array.at(i) = static_cast<T>(std::uniform_real_distribution<double>(-50, 50)(random));
  });
  core::map_plan plain = plan_of(shape), fused = plan_of(shape);
  add_input(plain, type, array);
  add_input(fused, type, array);
  add_step(fused, ufunc::negative, type, {0});
  CAPTURE(name(type));
  CAPTURE(n_kept);
  for (const core::map_plan& map : {plain, fused}) {
    const auto list = all_on(type);  // more than one job takes
    const auto alone = run(map, list, n_kept, false);
    for (const int n : {1, 3}) {
      const threads_guard threads(n);
      CHECK(run(map, list, n_kept, true) == alone);
      CHECK(run(map, {list[0], list[9], list[11]}, n_kept, true) ==
            std::vector<bytes>{alone[0], alone[9], alone[11]});
    }
  }
}

std::atomic<std::int64_t> n_computed;

void count_and_copy(const void* const* args, void* out, std::int64_t n) {
  n_computed += n;
  std::memcpy(out, args[0], static_cast<std::size_t>(n) * sizeof(float));
}

}  // namespace

TEST_CASE("together, reductions have the bits of each alone") {
  // Rows shorter and longer than a chunk, columns, both through gaps, backwards and repeated.
  check<float>(dtype::float32, {3, 200000}, {1, 1}, 1);
  check<float>(dtype::float32, {1200, 70}, {1, 1}, 1);
  check<double>(dtype::float64, {70, 300}, {-1, 2}, 1);
  check<double>(dtype::float64, {300, 70}, {1, 0}, 1);
  check<std::int16_t>(dtype::int16, {6, 50, 40}, {1, 1, 1}, 2);
  check<std::int32_t>(dtype::int32, {100000}, {1}, 0);
  // Kept elements that are side by side.
  strided<float> columns({5000, 90}, {1, 1});
  std::mt19937 random(6);
  for_indices(columns.shape, [&](const auto& i) { columns.at(i) = static_cast<float>(random() % 1000) / 7; });
  std::swap(columns.shape[0], columns.shape[1]);
  std::swap(columns.strides[0], columns.strides[1]);
  core::map_plan map = plan_of(columns.shape);
  add_input(map, dtype::float32, columns);
  const auto list = all_on(dtype::float32);
  const auto alone = run(map, list, 1, false);
  for (const int n : {1, 3}) {
    const threads_guard threads(n);
    CHECK(run(map, list, 1, true) == alone);
  }
}

TEST_CASE("together, the elements are computed once") {
  static const gparray::detail::user_function copy{"copy", "(x)", "x", "", 0, 1};
  static const gparray::detail::user_loop loop{&copy, dtype::float32, dtype::float32, count_and_copy};
  const std::vector<reduction> list{reduction::sum, reduction::mean, reduction::std, reduction::max};
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{300000}, {70, 3000}, {3000, 70}, {2, 150000}}) {
    strided<float> array(shape, std::vector<std::int64_t>(shape.size(), 1));
    for_indices(shape, [&](const auto& i) { array.at(i) = static_cast<float>(i.back() % 13); });
    core::map_plan map = plan_of(shape);
    add_input(map, dtype::float32, array);
    add_step(map, ufunc::user, dtype::float32, {0});
    map.steps[0].user = &loop;
    const int n_kept = static_cast<int>(shape.size()) - 1;
    n_computed = 0;
    run(map, {reduction::sum}, n_kept, false);
    const std::int64_t once = n_computed;
    REQUIRE(once >= map.size);
    n_computed = 0;
    run(map, list, n_kept, true);
    CHECK(n_computed == once);
  }
}

TEST_CASE("together, any and all stop nothing that has to go on") {
  strided<float> array({400000}, {1});
  for_indices(array.shape, [&](const auto& i) { array.at(i) = i[0] == 3 ? 0.f : 1.f; });
  core::map_plan map = plan_of(array.shape);
  add_input(map, dtype::float32, array);
  const std::vector<reduction> list{reduction::any, reduction::all, reduction::sum};
  CHECK(run(map, list, 0, true) == run(map, list, 0, false));
  const std::vector<reduction> decided{reduction::any, reduction::all};
  const auto alone = run(map, decided, 0, false);
  CHECK(run(map, decided, 0, true) == alone);
  // Chunks that nobody needs any more have a state nevertheless, whenever that turns out, and whatever was in
  // memory.
  const threads_guard threads(4);
  int wrong = 0;
  const std::int64_t turns = shared_size(200000, 3000);
  for (std::int64_t i = 0; i < turns; ++i) {
    for (const std::size_t bytes : {16, 32, 64, 128, 256, 512, 1024}) std::vector<unsigned char>(bytes, 0x5a);
    wrong += run(map, decided, 0, true) != alone;
  }
  CHECK(wrong == 0);
}
