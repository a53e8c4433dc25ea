// Reductions of vectors and rows that are cut anywhere, against those of one process, which have the same
// bits on the CPU, and of one rank, which have them anywhere.
#include "distributed/order_cases.hpp"

using namespace ranks;

namespace {

/// As promised on the CPU; elsewhere one process adds in an order of its own, which rounds otherwise.
template<class V>
bool as_promised(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  if (a.device().is_cpu()) return same_bits(a, b);
  return a.shape() == b.shape() && gp::allclose(a, b, {.rtol = sizeof(V) == 2 ? 1e-2 : 1e-4});
}

/// A vector that is cut anywhere; and columns, cut at whole blocks of their sums, all of them or some.
template<class V>
struct cut_arrays {
  gp::ndarray<V> v, m;
  gd::sharded<V> x, y;
};
template<class V>
cut_arrays<V> cut(const gd::communicator& world, std::int64_t rows) {
  const auto v = numbers<V>({rows});
  const auto m = numbers<V>({rows, 2, 3});
  std::vector<std::int64_t> cuts{0};
  for (int r = 1; r < world.size(); ++r) cuts.push_back(std::min(rows, cuts.back() + r % 3 * 2048));
  cuts.push_back(rows);
  const auto where = gd::layout::rows(world);
  return {v, m, gd::shard(v, where), gd::shard(m, where.with_boundaries(0, cuts))};
}

/// What has no cut axis left is on every rank.
template<class V, class F>
void check(const cut_arrays<V>& a, const F& f, notes& note, const std::string& what) {
  const gp::reduction_options keep{.keepdims = true};
  note.check(as_promised(gp::ndarray(f(a.x)), gp::ndarray(f(a.v))), what);
  note.check(as_promised(f(a.x, 0, keep).local(), gp::ndarray(f(a.v, 0, keep))), what + " along the axis");
  for (const gp::dims& axes : {gp::dims{0, 1}, gp::dims{0, 1, 2}})
    note.check(as_promised(f(a.y, axes).local(), gp::ndarray(f(a.m, axes))), what + " of columns");
}

}  // namespace

#define CHECK_REDUCTION(arrays, name) \
  check(arrays, [](const auto&... x) { return gp::name(x...); }, note, type + #name)

TEST_CASE("reductions have the bits of one process wherever an array is cut") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto check_most = [&]<class V>(V, std::int64_t rows) {
      const std::string type = std::string(name(gp::dtype_of<V>)) + " ";
      const auto a = cut<V>(world, rows);
      CHECK_REDUCTION(a, sum);
      CHECK_REDUCTION(a, mean);
      CHECK_REDUCTION(a, var);
    };
    check_most(double{}, 9001);
    check_most(float{}, 4097);
    check_most(gp::float16{}, 2047);
    check_most(std::complex<float>{}, 5000);
    check_most(std::int32_t{}, 3);
    check_most(bool{}, 4500);
    const auto a = cut<float>(world, 4500);
    const std::string type = "float32 ";
    CHECK_REDUCTION(a, std);
    CHECK_REDUCTION(a, norm);
    CHECK_REDUCTION(a, max);
    CHECK_REDUCTION(a, any);
    CHECK_REDUCTION(a, count_nonzero);
    CHECK_REDUCTION(a, nansum);
    CHECK_REDUCTION(a, ptp);
  });
}

TEST_CASE("norms of all and degrees of freedom") {
  with_ranks({2, 5}, [](const gd::communicator& world, notes& note) {
    const auto v = numbers<float>({7, 1000});
    const auto x = gd::shard(v, gd::layout::rows(world));
    note.check(as_promised(gp::ndarray<float>(gp::linalg::norm(x)), gp::ndarray<float>(gp::linalg::norm(v))),
               "norm");
    note.check(
        as_promised(gp::ndarray<float>(gp::var(x, {.ddof = 2})), gp::ndarray<float>(gp::var(v, {.ddof = 2}))),
        "ddof");
    // What one result is made of lies on one rank: nothing is sent, and it is one process' everywhere.
    note.check(same_bits(gp::std(x, 1, {.ddof = 1}).gather(), gp::ndarray<float>(gp::std(v, 1, {.ddof = 1}))),
               "rows");
    // More columns than are reduced at once.
    const gp::ndarray<float> wide = numbers<float>({2050, 1}) * numbers<float>({1, 700});
    const auto rows = gd::layout::rows(world).with_boundaries(
        0, world.size() == 2 ? std::vector<std::int64_t>{0, 2048, 2050}
                             : std::vector<std::int64_t>{0, 0, 0, 2048, 2048, 2050});
    note.check(as_promised(gp::var(gd::shard(wide, rows), 0).gather(), gp::ndarray<float>(gp::var(wide, 0))),
               "wide");
    note.check(same_bits(gp::ndarray<float>(gp::max(x, {.keepdims = true})),
                         gp::ndarray<float>(gp::max(v, {.keepdims = true}))) &&
                   same_bits(gp::ndarray<std::int64_t>(gp::argmax(x, {.keepdims = true})),
                             gp::ndarray<std::int64_t>(gp::argmax(v, {.keepdims = true}))),
               "keepdims of all axes");
    note.check(same_bits((x > -3.f).all(1).gather(), gp::ndarray<bool>(gp::all(v > -3.f, 1))) &&
                   same_bits((x > -3.f).all(0, {.keepdims = true}).gather(),
                             gp::ndarray<bool>(gp::all(v > -3.f, 0, {.keepdims = true}))),
               "all along an axis");
    note.check(
        contains(error_of<gp::value_error>([&] { return gp::sum(x, {.axis = 0}); }), "gp::sum(a, axis)"),
        "an axis that is an option");
    note.check(contains(error_of<gp::value_error>([&] { return gp::sum(x, 0, {.axis = 1}); }),
                        "multiple values for argument 'axis'"),
               "two axes");
    const gd::sharded<double> none = gd::zeros({0, 3}, gd::layout::rows(world));
    note.check(
        gp::sum(none) == 0 && std::isnan(gp::mean(none).item()) && gp::sum(none, 0).shape() == gp::dims{3},
        "no elements");
    note.check(contains(error_of<gp::value_error>([&] { return gp::max(none); }), "zero-size array"),
               "no maximum");
  });
}

TEST_CASE("sums have the bits of one rank wherever an array is cut") {
  const sampler taken;
  with_ranks(order_of_sums::rank_counts(), [&](const gd::communicator& world, notes& note) {
    order_of_sums order(world, note, taken);
    order.check_vectors();
    order.check_matrices();
    order.check_axes(gp::default_device().is_cuda());
  });
}
