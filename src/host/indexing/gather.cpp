// Elements picked by an index array: gathered from, or scattered to where it says.
#include <cstring>

#include <host/map/rows.hpp>
#include <host/map/walker.hpp>
#include <host/support/item.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/index_wrap.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// A part of a row of `n` elements.
struct piece {
  char* to;
  const char* from;
  const char* index;
  std::int64_t n;
};

template<bool Scatters, class T>
void move_piece(const core::index_plan& plan, const piece& p, std::int64_t to_step, std::int64_t from_step,
                std::int64_t index_step) {
  const auto offset_of = [&](std::int64_t i) {
    const std::int64_t number = *reinterpret_cast<const std::int64_t*>(p.index + i * index_step);
    return kernel::wrapped_index(number, plan.wrap) * plan.stride;
  };
  char* to = p.to;
  const char* from = p.from;
  if (index_step == 0) {  // one number for the whole row
    (Scatters ? to += offset_of(0) : from += offset_of(0));
    if (to_step == sizeof(T) && from_step == sizeof(T)) {
      std::memcpy(to, from, static_cast<std::size_t>(p.n) * sizeof(T));
      return;
    }
    for (std::int64_t i = 0; i < p.n; ++i)
      *reinterpret_cast<T*>(to + i * to_step) = *reinterpret_cast<const T*>(from + i * from_step);
    return;
  }
  for (std::int64_t i = 0; i < p.n; ++i) {
    char* const target = to + i * to_step + (Scatters ? offset_of(i) : 0);
    const char* const source = from + i * from_step + (Scatters ? 0 : offset_of(i));
    *reinterpret_cast<T*>(target) = *reinterpret_cast<const T*>(source);
  }
}

template<bool Scatters>
void run(const core::index_plan& plan) {
  const row_space space(plan.shape, plan.ndim);
  const std::int64_t to_step = space.column_stride(plan.to_strides),
                     from_step = space.column_stride(plan.from_strides),
                     index_step = space.column_stride(plan.index_strides);
  // Long rows are cut, so that a vector too is shared out. Where several elements go to one position, the
  // last is kept only if one thread writes them all.
  const std::int64_t length = std::min(space.columns, serial_elements);
  const std::int64_t pieces = (space.columns + length - 1) / length, units = space.rows * pieces;
  const bool alone = Scatters && !plan.unique;
  const std::int64_t* const strides[] = {plan.to_strides, plan.from_strides, plan.index_strides};
  with_item(plan.item_bytes, [&](auto item) {
    using T = decltype(item);
    parallel_for(units, alone ? units : (serial_elements + length - 1) / length,
                 [&](std::int64_t begin, std::int64_t end) {
                   row_walker<3> walker(plan.shape, plan.ndim, strides, begin / pieces);
                   for (std::int64_t unit = begin; unit < end; ++unit) {
                     if (unit > begin && unit % pieces == 0) walker.next();
                     const std::int64_t column = unit % pieces * length;
                     const piece p{
                         static_cast<char*>(plan.to) + walker.offsets[0] + column * to_step,
                         static_cast<const char*>(plan.from) + walker.offsets[1] + column * from_step,
                         reinterpret_cast<const char*>(plan.index) + walker.offsets[2] + column * index_step,
                         std::min(length, space.columns - column)};
                     move_piece<Scatters, T>(plan, p, to_step, from_step, index_step);
                   }
                 });
  });
}

}  // namespace

void gather(const core::index_plan& plan) { run<false>(plan); }
void scatter(const core::index_plan& plan) { run<true>(plan); }

}  // namespace host
GPARRAY_END_NAMESPACE
