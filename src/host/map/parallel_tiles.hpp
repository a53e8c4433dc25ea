// Threads over tiles: long rows are split by columns, short ones by rows. A thread gets at least `grain`
// elements.
#pragma once
#include <host/map/tile_program.hpp>
#include <host/support/thread_pool.hpp>
#include <support/checked_numbers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

template<class MakeState, class Body>
void parallel_tiles(const row_space& space, std::int64_t tile_size, std::int64_t grain,
                    MakeState&& make_state, Body&& body) {
  if (space.columns > tile_size) {
    // One unit is a piece of a row; they are numbered in C order.
    const std::int64_t pieces = core::ceil_quotient(space.columns, tile_size);
    parallel_for(space.rows * pieces, (grain + tile_size - 1) / tile_size,
                 [&](std::int64_t begin, std::int64_t end) {
                   auto&& state = make_state();
                   for (std::int64_t unit = begin; unit < end; ++unit) {
                     const std::int64_t column = unit % pieces * tile_size;
                     body(tile{unit / pieces, 1, column, std::min(tile_size, space.columns - column)}, state);
                   }
                 });
  } else {
    parallel_for(space.rows, (grain + space.columns - 1) / space.columns,
                 [&](std::int64_t begin, std::int64_t end) {
                   auto&& state = make_state();
                   const std::int64_t rows = tile_size / space.columns;
                   for (std::int64_t row = begin; row < end; row += rows)
                     body(tile{row, std::min(rows, end - row), 0, space.columns}, state);
                 });
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
