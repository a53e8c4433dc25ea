// Masks of sharded arrays against those of one rank.
#include <type_traits>

#include "distributed/ranks.hpp"

using namespace ranks;

// Indices would ask other ranks for elements, one by one.
static_assert(!std::is_invocable_v<gd::sharded<double>, gp::ndarray<std::int64_t>>);
static_assert(!std::is_invocable_v<gd::sharded<double>, gd::sharded<std::int64_t>>);
static_assert(!std::is_invocable_v<gd::sharded<double>, gp::ndarray<bool>, int>);

TEST_CASE("numbers are written where a mask is true, in any layout, and nothing else is") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({7, 5});
    const gp::ndarray<bool> fixed = some_numbers({7, 5})("...") > 1.;
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      gp::ndarray<double> y = a.copy();
      const auto check = [&, of = name](const std::string& what) {
        note.check(same(x, y), of + ": " + what);
      };
      x(x < 0.) = 0.;
      y(y < 0.) = 0.;
      check("a number");
      x(fixed) = 7;
      y(fixed) = 7;
      check("an ndarray as mask");
      x("1:, 1:")(x("1:, 1:") > x(":-1, :-1")) = 2.5;
      const gp::ndarray<bool> rises = y("1:, 1:") > y(":-1, :-1");
      y("1:, 1:")(rises) = 2.5;
      check("a window, and a mask of windows");
      const auto rows = gd::shard(gp::ndarray<bool>(gp::arange<std::int64_t>(7) % 3 == 1),
                                  gd::layout::blocks(where.ranks(), {where.mesh_axis(0)}));
      x(rows) = -1.;
      y(gp::arange<std::int64_t>(7) % 3 == 1) = -1.;
      check("whole rows");
      x("2, :")(gp::ndarray<bool>(gp::arange<std::int64_t>(5) > 2)) = 9.;
      y("2, :")(gp::arange<std::int64_t>(5) > 2) = 9.;
      check("of one row");
      x(x > 1.) = gp::array(3.);
      y(y > 1.) = 3.;
      check("an array without dimensions");
      note.check(same(x("1:, :") - x(":-1, :"), gp::ndarray<double>(y("1:, :") - y(":-1, :"))),
                 name + ": neighbours see what was written");
      note.check(gp::count_nonzero(x == 3.).item() == gp::count_nonzero(y == 3.).item(), name + ": count");
    }
  });
}

TEST_CASE("what a mask selects is read and written as an array") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const gp::ndarray<double> a = some_numbers({9, 4}), v = some_numbers({50});
    const auto x = gd::shard(a, rows), w = gd::shard(v, rows);
    gp::ndarray<double> y = a.copy();
    note.check(same(x(x > 1.), gp::ndarray<double>(a(a > 1.))), "read");
    note.check(same(w(w > 1.) * 2., gp::ndarray<double>(v(v > 1.) * 2.)), "as an operand");
    note.check(x(x > 1.).size() == gp::count_nonzero(a > 1.).item(), "size");
    note.check(same_bits(gp::max(x(x < 1.)), gp::max(a(a < 1.))), "reduced");
    note.check(x(x > 1e9).shape() == gp::dims{0} && gp::sum(x(x > 1e9)).item() == 0, "nothing");
    const gp::ndarray<bool> odd = gp::arange<std::int64_t>(9) % 2 == 1;
    const gd::sharded<double> some_rows = x(gd::shard(odd, rows));
    note.check(same(some_rows, gp::ndarray<double>(a(odd))), "rows");
    const auto by_columns = gd::shard(a, gd::layout::blocks(world, {-1, 0}));
    note.check(same(by_columns(odd), gp::ndarray<double>(a(odd))), "rows of columns");

    x(x > 1.) = x(x > 1.) * 10.;
    y(y > 1.) = gp::ndarray<double>(y(y > 1.) * 10.);
    note.check(same(x, y), "written back");
    x(x < 0.) += 100;
    y(y < 0.) += 100;
    note.check(same(x, y), "in place");
    const gp::ndarray<double> values = some_numbers({gp::count_nonzero(y > 50.).item()});
    x(x > 50.) = values;
    y(y > 50.) = values;
    note.check(same(x, y), "an ndarray's values");
    const gp::ndarray<double> others = some_numbers({gp::count_nonzero(y > 1.).item()});
    x(x > 1.) = gd::shard(others, rows);
    y(y > 1.) = others;
    note.check(same(x, y), "values of other blocks");
    x(odd) = x(gp::ndarray<bool>(~odd))("1:, :");
    y(odd) = gp::ndarray<double>(y(gp::ndarray<bool>(~odd)))("1:, :").copy();
    note.check(same(x, y), "rows in place of rows");
  });
}

TEST_CASE("masks that do not fit, and what was written to since, are errors") {
  with_ranks({2}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    const gd::sharded<double> x = gd::ones({4, 6}, rows), y = gd::ones({4, 6}, columns);
    const auto of_index = [&](const auto& f) { return error_of<gp::index_error>(f); };
    const auto of_value = [&](const auto& f) { return error_of<gp::value_error>(f); };
    note.check(contains(of_index([&] { x(gd::ones({4, 5}, rows) > 0.) = 0.; }),
                        "along axis 1; size of axis is 6 but size of corresponding boolean axis is 5"),
               "shape");
    note.check(contains(of_index([&] { x(gp::ones<bool>({5, 6})) = 0.; }),
                        "along axis 0; size of axis is 4 but size of corresponding boolean axis is 5"),
               "rows");
    note.check(contains(of_index([&] { x(gd::ones({4, 6, 1}, rows) > 0.) = 0.; }), "too many indices"),
               "axes");
    note.check(contains(of_value([&] { x(y > 0.) = 0.; }), "different layouts"), "layouts");
    note.check(contains(of_value([&] { return y(y > 0.).gather(); }), "lies in C order, but axis 1 is cut"),
               "order");
    note.check(
        contains(of_value([&] { x(x > 0.) = gp::ones({23}); }),
                 "value array of shape (23,) cannot be written to what the mask selects, of shape (24,)"),
        "values");
    const auto selected = x(x > 0.);
    x.fill(2);
    note.check(contains(of_value([&] { return selected.gather(); }), "an array was written to"),
               "an old value");
    note.check(same(x(x == 2.), gp::full({24}, 2.)), "anew");
  });
}
