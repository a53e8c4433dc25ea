// Collectives on arrays, against the same computed from all ranks' arrays in one place.
#include <chrono>
#include <cmath>
#include <limits>

#include "distributed/ranks.hpp"

using namespace ranks;

namespace {

/// The array of a rank: numbers that round when they are added, different on each.
template<class V>
gp::ndarray<V> of_rank(int rank, const gp::dims& shape) {
  gp::random::Generator generator(static_cast<std::uint64_t>(100 + rank));
  return (generator.standard_normal<double>(shape) * 40.).template astype<V>();
}

template<class V>
std::vector<gp::ndarray<V>> of_all(int ranks, const gp::dims& shape) {
  std::vector<gp::ndarray<V>> all;
  for (int r = 0; r < ranks; ++r) all.push_back(of_rank<V>(r, shape));
  return all;
}

/// ((0 + 1) + (2 + 3)) + 4, by f.
template<class A, class F>
A tree(std::vector<A> parts, const F& f) {
  while (parts.size() > 1) {
    std::vector<A> merged;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) merged.push_back(f(parts[i], parts[i + 1]));
    if (parts.size() % 2) merged.push_back(parts.back());
    parts = merged;
  }
  return parts[0];
}

template<class V>
void check_reductions(const gd::communicator& world, notes& note, const gp::dims& shape) {
  const std::string what = std::string(gp::name(gp::dtype_of<V>)) + " ";
  const auto all = of_all<V>(world.size(), shape);
  const gp::ndarray<V> x = all[static_cast<std::size_t>(world.rank())];
  using wide = std::conditional_t<sizeof(V) == 2 && gp::is_floating(gp::dtype_of<V>), float, V>;
  std::vector<gp::ndarray<wide>> widened;
  for (const auto& each : all) widened.push_back(each.template astype<wide>());
  const gp::ndarray<wide> sum =
      tree(widened, [](const auto& a, const auto& b) { return gp::ndarray<wide>(a + b); });
  note.check_same<V>(gd::all_reduce(x, world), sum.template astype<V>(), what + "sum");
  const gp::ndarray<V> least =
      tree(all, [](const auto& a, const auto& b) { return gp::ndarray<V>(gp::minimum(a, b)); });
  note.check_same<V>(gd::all_reduce(x, world, {.op = gd::op::min}), least, what + "min");
  note.check_same<V>(gd::all_reduce(x.T(), world, {.op = gd::op::min}), least.T(), what + "transposed");
}

}  // namespace

TEST_CASE("all_reduce combines elements of every dtype as a tree over the ranks") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    check_reductions<float>(world, note, {3, 4});
    check_reductions<double>(world, note, {100, 70});  // in parts: more than 32 KiB
    check_reductions<std::int8_t>(world, note, {7});
    check_reductions<std::uint64_t>(world, note, {5, 2});
    check_reductions<gp::float16>(world, note, {20001});
    check_reductions<gp::bfloat16>(world, note, {9});
    check_reductions<std::complex<float>>(world, note, {4, 3, 2});
    check_reductions<double>(world, note, {0, 3});
    check_reductions<double>(world, note, {});
  });
}

TEST_CASE("products, largest elements, means, any and all; NaN is as in NumPy; out is written to") {
  with_ranks({3}, [](const gd::communicator& world, notes& note) {
    const double r = world.rank();
    const gp::ndarray<double> x{r + 1, r == 1 ? std::nan("") : 2., 0.5};
    note.check(gd::all_reduce(x, world, {.op = gd::op::prod}).item(0) == 6, "prod");
    const auto most = gd::all_reduce(x, world, {.op = gd::op::max});
    note.check(most.item(0) == 3 && std::isnan(most.item(1)), "max");
    note.check(gd::all_reduce(x, world, {.op = gd::op::mean}).item(0) == 2, "mean");
    const gp::ndarray<gp::float16> half{gp::float16(2048.f), gp::float16(r == 0 ? 1.f : 0.f)};
    const auto mean = gd::all_reduce(half, world, {.op = gd::op::mean});
    note.check(float(mean.item(0)) == 2048 && float(mean.item(1)) == float(gp::float16(1.f / 3)),
               "mean of halves");
    const gp::ndarray<bool> b{r == 2, r < 3};
    note.check(gp::all(gd::all_reduce(b, world, {.op = gd::op::any})).item(), "any");
    note.check(!gd::all_reduce(b, world, {.op = gd::op::all}).item(0), "all");
    const gp::ndarray<double> out = gp::zeros({3, 2}), column = out(gp::_, 1);
    gd::all_reduce(x, world, {.op = gd::op::min, .out = column});
    note.check(out.item(0, 1) == 1 && out.item(0, 0) == 0, "out");
    note.check(gd::all_reduce(x, world, {.op = gd::op::max, .order = gd::order::any}).item(0) == 3,
               "any order");
    const auto root_alone = gd::reduce(x, 1, world);
    note.check(world.rank() == 1 ? root_alone.item(0) == 6 : root_alone.size() == 0, "reduce");
    note.check(gd::all_reduce(world.rank() + 1, world) == 6 &&
                   gd::all_reduce(r, world, {.op = gd::op::max}) == 2 &&
                   gd::all_reduce(r == 1, world, {.op = gd::op::any}) &&
                   gd::all_reduce(std::complex<float>(0, 1), world) == std::complex<float>(0, 3),
               "of numbers");
    note.check(gd::broadcast(r, 2, world) == 2, "broadcast of a number");
    // Said on all ranks alike, so that they go on together.
    note.check(contains(error_of<gp::type_error>([&] { gd::all_reduce(b, world); }), "use op::any"),
               "sum of bool");
    note.check(contains(error_of<gp::type_error>(
                            [&] { gd::all_reduce(gp::arange<int>(3), world, {.op = gd::op::mean}); }),
                        "astype<double>"),
               "mean of integers");
    note.check(contains(error_of<gp::value_error>([&] { gd::reduce(x, 3, world); }), "ranks are from 0 to 2"),
               "root");
    note.check(contains(error_of<gp::value_error>([&] { gd::all_reduce(x, world, {.out = out}); }), "(3,2)"),
               "shape of out");
    world.barrier();
  });
}

TEST_CASE("gathering and scattering, along any axis and in parts of different sizes") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const int n = world.size(), r = world.rank();
    const gp::ndarray<float> whole = gp::arange<float>(4 * 7 * 3).reshape({4, 7, 3});
    for (int axis = 0; axis < 3; ++axis) {
      const std::string where = " along axis " + std::to_string(axis);
      const auto parts = gp::array_split(whole, n, axis);
      const gp::ndarray<float> part = parts[static_cast<std::size_t>(r)];
      note.check(same_bits(gd::all_gather(part, world, {.axis = axis}), whole), "all_gather" + where);
      note.check(same_bits(gd::all_gather(part, world, {.axis = axis - 3}), whole), "all_gather" + where);
      const auto at_root = gd::gather(part, n - 1, world, {.axis = axis});
      note.check(r == n - 1 ? same_bits(at_root, whole) : at_root.size() == 0, "gather" + where);
      const gp::ndarray<float> given = r == 0 ? whole : gp::ndarray<float>{};
      note.check(same_bits(gd::scatter(given, 0, world, {.axis = axis}),
                           gp::ndarray<float>(part.copy(gp::order::C))),
                 "scatter" + where);
      note.check(
          same_bits(gd::reduce_scatter(whole, world, {.axis = axis}), gp::ndarray<float>(part * float(n))),
          "reduce_scatter" + where);
      // From parts along one axis to parts along another and back.
      const int other = (axis + 1) % 3;
      const auto turned = gd::all_to_all(part, world, {.split_axis = other, .concat_axis = axis});
      note.check(
          same_bits(turned, gp::array_split(whole, n, other)[static_cast<std::size_t>(r)].copy(gp::order::C)),
          "all_to_all" + where);
    }
    note.check(same_bits(gd::broadcast(r == n - 1 ? whole : gp::ndarray<float>(gp::zeros<float>({4, 7, 3})),
                                       n - 1, world),
                         whole),
               "broadcast");
    note.check(same_bits(gd::all_gather(gp::full<std::int64_t>({}, r), world), gp::arange<std::int64_t>(n)),
               "numbers");
    note.check(gd::all_gather_values(10 * r, world).back() == 10 * (n - 1), "values");
    const auto unlike = [&] { gd::all_gather(gp::zeros<float>({2, r + 1}), world); };
    note.check(
        n == 1 || contains(error_of<gp::value_error>(unlike), "rank 0 has shape (2,1), rank 1 has (2,2)"),
        "shapes");
    world.barrier();
  });
}

TEST_CASE("messages between two ranks, in order and in rings") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const int n = world.size(), r = world.rank(), next = (r + 1) % n, last = (r + n - 1) % n;
    const gp::ndarray<double> x = gp::full({2, 3}, double(r));
    note.check(gd::send_recv(x.T(), next, last, world).item(2, 1) == last, "ring");
    if (n > 1 && r == 0) {
      gd::send(gp::arange<int>(5), 1, world);
      gd::send(gp::arange<int>(5) + 1, 1, world);
    }
    if (n > 1 && r == 1) {
      note.check(gd::recv<int>({5}, 0, world).item(4) == 4, "the first");
      note.check(gd::recv<int>({5}, 0, world).item(4) == 5, "the second");
    }
    // Calls of some ranks do not upset the numbers of calls of all.
    world.barrier();
  });
}

TEST_CASE("what differs between ranks is an error on all of them, and nobody waits") {
  const auto what = [](const auto& f) {
    return error_of<gd::distributed_error>([&] { gd::spawn(2, f, {.timeout = std::chrono::seconds(20)}); });
  };
  CHECK(contains(
      what([](const gd::communicator& world) {
        if (world.rank() == 0) gd::all_reduce(gp::zeros<float>({100}), world);
        else gd::broadcast(gp::zeros<float>({100}), 0, world);
      }),
      "rank 1 is in broadcast #1 of float32 (100,) with root 0, rank 0 in all_reduce #1 of float32 (100,)"));
  CHECK(contains(
      what([](const gd::communicator& world) { gd::all_reduce(gp::zeros({3, 1 + world.rank()}), world); }),
      "all_reduce #1 of float64 (3,2), rank 0 in all_reduce #1 of float64 (3,1)"));
  CHECK(contains(what([](const gd::communicator& world) {
                   if (world.rank() == 0) gd::send(gp::zeros<float>({3}), 1, world);
                   else static_cast<void>(gd::recv<float>({4}, 0, world));
                 }),
                 "recv of float32 (4,) from rank 0: rank 0 has sent 12 bytes to rank 1, which expects 16"));
  CHECK(contains(what([](const gd::communicator& world) {
                   if (world.rank() == 0) gd::send(gp::zeros<float>({4}), 1, world);
                   else static_cast<void>(gd::recv<int>({4}, 0, world));
                 }),
                 "recv of int32 (4,) from rank 0: rank 0 has sent float32 to rank 1, which expects int32"));
  CHECK(contains(what([](const gd::communicator& world) {
                   const gd::sharded<double> x = gd::zeros({6, 3}, gd::layout::rows(world));
                   if (world.rank() == 0) gp::sum(x, 0).local().eval();
                   else static_cast<void>(gd::to_string(x));
                 }),
                 "rank 1 is in gather #1 of float64 (6,3), rank 0 in sum #1 of float64 (6,3) along axis 0"));
}

TEST_CASE("an array that was gathered is as good as any: what is made of it waits") {
  with_ranks({2}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> x = gd::all_gather(gp::ones({50}), world);
    const auto y = gp::sqrt(x * 2 + 1);
    note.check(y.pending(), "computed at its line");
    note.check(gp::sum(y).item() == gp::sum(gp::sqrt(gp::full({100}, 3.))).item(), "sum");
  });
}
