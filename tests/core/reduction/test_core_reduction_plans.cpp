// The plans of reductions: in which order memory is walked, and which of them read the same elements.
#include <vector>

#include <core/reduction/pending_reductions.hpp>
#include <gparray/gparray.hpp>
#include <plan/plan.hpp>

namespace {

namespace gp = gparray;
namespace core = gparray::core;
using numbers = std::vector<std::int64_t>;

struct planned {
  template<class A>
  planned(const A& array, gp::reduction r, const gp::dims& axes, gp::dtype element = gp::dtype::float64)
      : source(array), results(1 << 16) {
    const core::array_rep* rep = source.rep();
    core::make_reduce_plan(plan, r, rep, element, core::reduction_axes(rep->shape, axes, false), 0,
                           results.data());
  }
  numbers shape() const { return {plan.map.shape, plan.map.shape + plan.map.ndim}; }
  numbers from() const { return {plan.map.inputs[0].strides, plan.map.inputs[0].strides + plan.map.ndim}; }
  numbers to() const { return {plan.out.strides, plan.out.strides + plan.n_kept}; }

  gp::any_array source;
  std::vector<std::byte> results;
  core::reduce_plan plan;
};

const auto sum = gp::reduction::sum;

gp::ndarray<double> cube() { return gp::arange<double>(120).reshape({2, 3, 4, 5}); }

}  // namespace

TEST_CASE("what lies side by side is one dimension") {
  const planned last(cube(), sum, {3}), first(cube(), sum, {0}), middle(cube(), sum, {1, 2}),
      all(cube(), sum, {0, 1, 2, 3});
  CHECK(last.shape() == numbers{24, 5});
  CHECK(last.from() == numbers{40, 8});
  CHECK(last.to() == numbers{8});
  CHECK(first.shape() == numbers{60, 2});
  CHECK(first.from() == numbers{8, 480});
  CHECK(middle.shape() == numbers{2, 5, 12});
  CHECK(middle.from() == numbers{480, 8, 40});
  CHECK(middle.to() == numbers{40, 8});
  CHECK(all.shape() == numbers{120});
  CHECK(all.to() == numbers{});
}

TEST_CASE("memory is walked in its order, kept and reduced dimensions by themselves") {
  const planned kept(gp::transpose(cube(), {1, 0, 3, 2}), sum, {3}),
      reduced(gp::transpose(cube()), sum, {0, 1, 2}), both(gp::transpose(cube(), {2, 0, 3, 1}), sum, {2, 3});
  CHECK(kept.shape() == numbers{2, 3, 5, 4});
  CHECK(kept.from() == numbers{480, 160, 8, 40});
  CHECK(kept.to() == numbers{40, 80, 8});
  CHECK(reduced.shape() == numbers{2, 60});
  CHECK(reduced.from() == numbers{480, 8});
  CHECK(both.shape() == numbers{2, 4, 3, 5});
  CHECK(both.from() == numbers{480, 40, 160, 8});
  CHECK(both.to() == numbers{8, 16});
  // Places count in C order, whatever the memory's.
  const planned position(gp::transpose(cube()), gp::reduction::argmax, {0, 1, 2, 3});
  CHECK(position.from() == numbers{8, 40, 160, 480});
}

TEST_CASE("memory is walked upwards") {
  const auto a = gp::arange<double>(12).reshape({3, 4});
  const gp::ndarray<double> rows = a(gp::slice(gp::none, gp::none, -1)),
                            columns = a(gp::all, gp::slice(gp::none, gp::none, -1));
  const planned kept(rows, sum, {1}), reduced(columns, sum, {1});
  CHECK(kept.from() == numbers{32, 8});
  CHECK(kept.to() == numbers{-8});
  CHECK(reduced.from() == numbers{32, 8});
  CHECK(reduced.to() == numbers{8});
  const planned position(columns, gp::reduction::argmin, {1});
  CHECK(position.from() == numbers{32, -8});
}

TEST_CASE("which plans read the same elements in the same order") {
  const auto a = cube(), b = cube();
  const auto same = [](const planned& x, const planned& y) {
    const bool result = core::same_elements(x.plan, y.plan);
    CHECK(core::same_elements(y.plan, x.plan) == result);
    return result;
  };
  const planned each(a, sum, {3});
  CHECK(same(each, each));
  CHECK(same(each, planned(a, gp::reduction::max, {3})));
  CHECK(same(planned(a + 1., sum, {3}), planned(a + 1., gp::reduction::prod, {3})));
  CHECK(same(planned(a + b, sum, {3}), planned(a + b, sum, {3})));
  CHECK(same(each, planned(a, gp::reduction::any, {3})));  // of results of another size
  CHECK_FALSE(same(each, planned(b, sum, {3})));
  CHECK_FALSE(same(each, planned(a, sum, {2})));
  CHECK_FALSE(same(each, planned(a, sum, {0, 1, 2, 3})));
  CHECK_FALSE(same(each, planned(a, sum, {2, 3})));
  CHECK_FALSE(same(each, planned(a, sum, {3}, gp::dtype::float32)));
  CHECK_FALSE(same(each, planned(a + 1., sum, {3})));
  CHECK_FALSE(same(planned(a + 1., sum, {3}), planned(a + 2., sum, {3})));
  CHECK_FALSE(same(planned(a + 1., sum, {3}), planned(a - 1., sum, {3})));
  CHECK_FALSE(same(planned(a + b, sum, {3}), planned(b + a, sum, {3})));
  CHECK_FALSE(same(planned(a - b, sum, {3}), planned(a - a, sum, {3})));
  // From one place on, of one shape, but other elements.
  CHECK_FALSE(same(planned(a(gp::all, gp::all, gp::all, gp::slice(0, 2)), sum, {3}),
                   planned(a(gp::all, gp::all, gp::all, gp::slice(0, 4, 2)), sum, {3})));
  CHECK_FALSE(same(planned(a(gp::slice(0, 1)), sum, {3}), planned(a(gp::slice(1, 2)), sum, {3})));
  // The same rows in another order of results.
  const auto square = gp::arange<double>(27).reshape({3, 3, 3});
  CHECK_FALSE(same(planned(square, sum, {2}), planned(gp::transpose(square, {1, 0, 2}), sum, {2})));
}
