// Other shapes and orders of sharded arrays against those of one rank.
#include "distributed/ranks.hpp"

using namespace ranks;

TEST_CASE("roll, flip and transpose of all layouts") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({7, 5});
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      for (const std::int64_t shift : {0, 1, -1, 3, -12, 23}) {
        for (const int axis : {0, 1}) {
          const gd::sharded<double> rolled = gp::roll(x, shift, axis);
          note.check(same(rolled, gp::roll(a, shift, axis)) && rolled.local_shape() == x.local_shape(),
                     name + " roll " + std::to_string(shift) + " along " + std::to_string(axis));
        }
      }
      note.check(same(gp::roll(x, {1, 2}, {0, 1}), gp::roll(a, {1, 2}, {0, 1})), name + " roll of two");
      note.check(same(gp::roll(x, 1, gp::dims{0, 0}), gp::roll(a, 2, 0)), name + " roll twice");
      note.check(same(gp::flip(x), gp::flip(a).copy()), name + " flip");
      note.check(same(gp::flip(x, 0), gp::flip(a, 0).copy()), name + " flip of rows");
      note.check(same(gp::flip(x, {-1}), gp::flip(a, 1).copy()), name + " flip of columns");
      note.check(same(gp::transpose(x), a.T().copy()), name + " transpose");
      note.check(same(gp::transpose(x, {1, 0}), a.T().copy()), name + " transpose of axes");
      note.check(same(gp::swapaxes(x, 0, -1), a.T().copy()) && same(gp::swapaxes(x, 1, 1), a),
                 name + " swapaxes");
      note.check(same(gp::moveaxis(x, 0, 1), a.T().copy()) && same(gp::moveaxis(x, {0, 1}, {0, 1}), a),
                 name + " moveaxis");
      note.check(same(gp::fft::fftshift(x), gp::fft::fftshift(a)), name + " fftshift");
      note.check(same(gp::fft::ifftshift(x, 0), gp::fft::ifftshift(a, 0)), name + " ifftshift");
      note.check(same(x, a), name + " as it was");
    }
    const auto rows = gd::layout::rows(world);
    const auto x = gd::shard(a, rows);
    note.check(same(gp::roll(x, 6), gp::roll(a, 6)), "roll over all axes");
    // The periodic stencil as NumPy's users write it.
    note.check(same(gp::roll(x, 1, 0) + gp::roll(x, -1, 0) - 2. * x,
                    gp::ndarray<double>(gp::roll(a, 1, 0) + gp::roll(a, -1, 0) - 2. * a)),
               "stencil");
    const auto of_four = some_numbers({2, 3, 4, 5});
    note.check(same(gp::moveaxis(gd::shard(of_four, rows), {0, 3}, {2, 0}),
                    gp::moveaxis(of_four, {0, 3}, {2, 0}).copy(gp::order::C)),
               "moveaxis of two of four");
    note.check(contains(error_of<gp::value_error>([&] { return gp::moveaxis(x, {0, -2}, {0, 1}); }),
                        "repeated axis in `source`"),
               "an axis twice");
    note.check(same(gp::roll(x("1:-1, :"), 2, 0), gp::roll(a("1:-1, :"), 2, 0)), "of a window");
  });
}

TEST_CASE("reshape keeps the C order") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const gp::ndarray<double> a = some_numbers({6, 10});
    const auto x = gd::shard(a, rows);
    std::vector<std::int64_t> cuts(static_cast<std::size_t>(world.size()), 0);
    cuts.push_back(6);
    const auto last = gd::shard(a, rows.with_boundaries(0, cuts));
    for (const gp::dims& shape :
         {gp::dims{60}, gp::dims{10, 6}, gp::dims{3, 4, 5}, gp::dims{1, 60}, gp::dims{2, -1}}) {
      note.check(same(x.reshape(shape), a.reshape(shape)), "rows");
      note.check(same(last.reshape(shape), a.reshape(shape)), "rows of the last rank");
      note.check(same(gp::reshape(gd::shard(a, gd::layout::replicated(world)), shape), a.reshape(shape)),
                 "replicated");
    }
    note.check(same(gp::ravel(x("1:5, :")), gp::ravel(a("1:5, :"))), "a window");
    note.check(x.reshape({10, 6}).layout().mesh_axis(0) == 0, "cut");
    note.check(same(gd::zeros({0, 4}, rows).reshape({2, 0}), gp::zeros({2, 0})), "nothing");
    const auto text = [&](const auto& f) { return error_of<gp::value_error>(f); };
    note.check(
        contains(text([&] { return x.reshape({7, 9}); }), "cannot reshape array of size 60 into shape (7,9)"),
        "size");
    note.check(contains(text([&] { return x.reshape({-1, -1}); }), "cannot reshape"), "two open sizes");
    note.check(contains(text([&] { return gp::ravel(gd::shard(a, gd::layout::blocks(world, {-1, 0}))); }),
                        "cut along its first axis alone"),
               "columns");
  });
}

TEST_CASE("concatenate along any axis") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({7, 5}), b = some_numbers({4, 5}), c = some_numbers({7, 2});
    const gp::ndarray<float> d = b.astype<float>();
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      note.check(same(gp::concatenate(x, gd::shard(b, where)), gp::concatenate(a, b)), name + " rows");
      note.check(same(gp::concatenate(x, gd::shard(c, where), -1), gp::concatenate(a, c, -1)),
                 name + " columns");
      note.check(same(gp::concatenate(b, x, gd::shard(d, where), 0), gp::concatenate(b, a, d, 0)),
                 name + " with an ndarray, promoted");
      note.check(gp::concatenate(x, x).layout().mesh_axis(0) == where.mesh_axis(0), name + " layout");
    }
    const auto x = gd::shard(a, gd::layout::rows(world));
    note.check(same(gp::concatenate(x("5:, :"), x(":5, :")), gp::roll(a, 2, 0)), "windows");
    note.check(contains(error_of<gp::value_error>([&] { return gp::concatenate(x, c); }),
                        "along dimension 1 array 1 has size 2 instead of 5"),
               "shapes");
    note.check(contains(error_of<gp::value_error>([&] { return gp::concatenate(x, gp::ones(5)); }),
                        "array 1 has shape (5,) where 2 axes are wanted"),
               "dimensions");
    note.check(contains(error_of<gp::value_error>([&] { return gp::flip(x, {0, 0}); }), "repeated axis"),
               "flip");
    note.check(
        contains(error_of<gp::value_error>([&] { return gp::roll(x, {1, 2}, 0); }), "2 shifts along 1 axes"),
        "roll");
    note.check(contains(error_of<gp::axis_error>([&] { return gp::roll(x, 1, 2); }), "out of bounds"),
               "axis");
  });
}
