// Random numbers in parts: those that one process draws, whatever the number of ranks.
#pragma once
#include <gparray/distributed/sharded.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

/// The array that f(generator, shape) draws in one process: f is called on each rank, with a generator at the
/// position of the first number of its rows and their shape, and draws one number for each element, as all
/// distributions of a Generator do but those of vectors. The generator, which must be the same on every rank,
/// goes on behind all of them. Along other axes than the first a rank draws whole rows and keeps its part.
/// Throws value_error if f takes more or fewer positions than elements, or returns another shape.
template<class F>
[[nodiscard]] auto random(gparray::random::Generator& generator, const dims& shape, const layout& where,
                          const F& f) {
  using V = gparray::detail::element_t<decltype(f(generator, shape))>;
  std::int64_t row = 1;
  for (std::size_t a = 1; a < shape.size(); ++a) row *= shape[a];
  sharded<V> result(
      detail::made(shape, dtype_of<V>, where, [&](const dims& offset, const dims& local) -> any_array {
        dims rows = shape;
        if (!rows.empty()) rows[0] = local[0];
        const std::int64_t first = offset.empty() ? 0 : offset[0] * row,
                           count = rows.empty() ? 1 : rows[0] * row;
        gparray::random::Generator own = generator;
        own.advance(static_cast<std::uint64_t>(first));
        const std::uint64_t before = own.state().position;
        const ndarray<V> drawn = f(own, static_cast<const dims&>(rows));
        if (own.state().position - before != static_cast<std::uint64_t>(count))
          throw value_error("random: the function must draw one number for each element, of vectors none");
        std::vector<gparray::detail::index_item> items;
        for (std::size_t a = 0; a < local.size(); ++a)
          items.emplace_back(a ? slice(offset[a], offset[a] + local[a]) : slice());
        return rows == local
                   ? any_array(drawn)
                   : gparray::detail::copy(gparray::detail::basic_index(drawn, items), gparray::order::C);
      }));
  generator.advance(static_cast<std::uint64_t>(result.size()));
  return result;
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
