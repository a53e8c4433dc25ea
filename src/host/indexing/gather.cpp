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

/// A row, or a part of one, of `n` elements.
struct piece {
  char* to;
  const char* from;
  const char* index;
  std::int64_t n;
};

/// Elements side by side. Rows are mostly too short for a call.
void copy_row(char* to, const char* from, std::int64_t bytes) {
  constexpr std::int64_t at_once = 16, longest = 64;
  if (bytes > longest) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  std::int64_t done = 0;
  for (; done + at_once <= bytes; done += at_once) __builtin_memcpy(to + done, from + done, at_once);
  for (; done + 8 <= bytes; done += 8) __builtin_memcpy(to + done, from + done, 8);
  for (; done < bytes; ++done) to[done] = from[done];
}

/// How far from each other elements and index numbers of a row are, and what a number means.
struct row_steps {
  std::int64_t to, from, index, wrap, stride;

  std::int64_t offset(const char* number) const {
    return kernel::wrapped_index(*reinterpret_cast<const std::int64_t*>(number), wrap) * stride;
  }
};

template<bool Scatters, class T>
void move_piece(const row_steps& of_all, const piece& p) {
  const row_steps steps = of_all;  // elements that are written cannot be these
  char* to = p.to;
  const char* from = p.from;
  if (steps.index == 0) {  // one number for the whole row
    (Scatters ? to += steps.offset(p.index) : from += steps.offset(p.index));
    if (steps.to == sizeof(T) && steps.from == sizeof(T))
      return copy_row(to, from, p.n * static_cast<std::int64_t>(sizeof(T)));
    for (std::int64_t i = 0; i < p.n; ++i)
      *reinterpret_cast<T*>(to + i * steps.to) = *reinterpret_cast<const T*>(from + i * steps.from);
    return;
  }
  const auto at = [&](char* x, std::int64_t offset) { return reinterpret_cast<T*>(x + offset); };
  const auto from_at = [&](std::int64_t offset) { return reinterpret_cast<const T*>(from + offset); };
  const bool dense = steps.index == sizeof(std::int64_t) && (Scatters ? steps.from : steps.to) == sizeof(T);
  if (dense && (Scatters ? steps.to : steps.from) == 0) {
    const auto* const numbers = p.index;
    for (std::int64_t i = 0; i < p.n; ++i) {
      const std::int64_t offset = steps.offset(numbers + i * static_cast<std::int64_t>(sizeof(std::int64_t)));
      if constexpr (Scatters) *at(to, offset) = from_at(0)[i];
      else at(to, 0)[i] = *from_at(offset);
    }
    return;
  }
  for (std::int64_t i = 0; i < p.n; ++i) {
    const std::int64_t offset = steps.offset(p.index + i * steps.index);
    *at(to, i * steps.to + (Scatters ? offset : 0)) = *from_at(i * steps.from + (Scatters ? 0 : offset));
  }
}

/// Elements of short rows, all of which have the same numbers: where they are is found out once.
template<bool Scatters, class T>
class same_places {
 public:
  static constexpr std::int64_t most = 64;

  same_places(const row_steps& steps, const char* index, std::int64_t n) : n_(n) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t offset = steps.offset(index + i * steps.index);
      to_[i] = i * steps.to + (Scatters ? offset : 0);
      from_[i] = i * steps.from + (Scatters ? 0 : offset);
    }
  }
  void move(char* to, const char* from) const {
    for (std::int64_t i = 0; i < n_; ++i)
      *reinterpret_cast<T*>(to + to_[i]) = *reinterpret_cast<const T*>(from + from_[i]);
  }

 private:
  std::int64_t n_, to_[most], from_[most];
};

/// Calls move(count, the first of them) for the rows [begin, end), as many at once as lie at equal distances.
template<class Move>
void for_rows(const core::index_plan& plan, std::int64_t begin, std::int64_t end, Move&& move) {
  const std::int64_t* const strides[] = {plan.to_strides, plan.from_strides, plan.index_strides};
  const int above = plan.ndim - 2;
  const std::int64_t run = plan.shape[above];
  row_walker<3> runs(plan.shape, plan.ndim - 1, strides, begin / run);
  for (std::int64_t row = begin; row < end; runs.next()) {
    const std::int64_t first = row % run, count = std::min(run - first, end - row);
    move(
        count,
        piece{static_cast<char*>(plan.to) + runs.offsets[0] + first * plan.to_strides[above],
              static_cast<const char*>(plan.from) + runs.offsets[1] + first * plan.from_strides[above],
              reinterpret_cast<const char*>(plan.index) + runs.offsets[2] + first * plan.index_strides[above],
              plan.shape[above + 1]});
    row += count;
  }
}

bool repeats_every_row(const core::index_plan& plan) {
  for (int d = 0; d + 1 < plan.ndim; ++d)
    if (plan.index_strides[d] != 0) return false;
  return true;
}

template<bool Scatters, class T>
void run_items(const core::index_plan& plan) {
  const row_space space(plan.shape, plan.ndim);
  const row_steps steps{space.column_stride(plan.to_strides), space.column_stride(plan.from_strides),
                        space.column_stride(plan.index_strides), plan.wrap, plan.stride};
  const std::int64_t* const strides[] = {plan.to_strides, plan.from_strides, plan.index_strides};
  // Where several elements go to one position, the last is kept only if one thread writes them all.
  const bool alone = Scatters && !plan.unique;
  const auto share = [&](std::int64_t units, std::int64_t grain, auto&& body) {
    parallel_for(units, alone ? units : grain, body);
  };
  const auto piece_at = [&](const row_walker<3>& walker, std::int64_t column, std::int64_t n) {
    return piece{static_cast<char*>(plan.to) + walker.offsets[0] + column * steps.to,
                 static_cast<const char*>(plan.from) + walker.offsets[1] + column * steps.from,
                 reinterpret_cast<const char*>(plan.index) + walker.offsets[2] + column * steps.index, n};
  };
  // Long rows are shared out one after the other, so that all threads have a part of a few.
  if (space.rows == 1 || space.columns >= 8 * serial_elements) {
    row_walker<3> walker(plan.shape, plan.ndim, strides, 0);
    for (std::int64_t row = 0; row < space.rows; ++row, walker.next())
      share(space.columns, serial_elements, [&](std::int64_t begin, std::int64_t end) {
        move_piece<Scatters, T>(steps, piece_at(walker, begin, end - begin));
      });
    return;
  }
  const int above = plan.ndim - 2;
  const row_steps between{plan.to_strides[above], plan.from_strides[above], plan.index_strides[above], 0, 0};
  const bool same = space.columns <= same_places<Scatters, T>::most && repeats_every_row(plan),
             whole = steps.index == 0 && steps.to == sizeof(T) && steps.from == sizeof(T);
  share(space.rows, (serial_elements + space.columns - 1) / space.columns,
        [&](std::int64_t begin, std::int64_t end) {
          const auto* const numbers = reinterpret_cast<const char*>(plan.index);
          const auto in_rows = [&](auto&& move) {
            for_rows(plan, begin, end, [&](std::int64_t rows, piece p) {
              for (std::int64_t row = 0; row < rows; ++row) {
                move(p);
                p.to += between.to;
                p.from += between.from;
                p.index += between.index;
              }
            });
          };
          if (same) {
            const same_places<Scatters, T> places(steps, numbers, space.columns);
            in_rows([&](const piece& p) { places.move(p.to, p.from); });
          } else if (whole) {
            const std::int64_t bytes = space.columns * static_cast<std::int64_t>(sizeof(T));
            in_rows([&, steps](const piece& p) {
              const std::int64_t offset = steps.offset(p.index);
              copy_row(p.to + (Scatters ? offset : 0), p.from + (Scatters ? 0 : offset), bytes);
            });
          } else {
            in_rows([&](const piece& p) { move_piece<Scatters, T>(steps, p); });
          }
        });
}

template<bool Scatters>
void run(const core::index_plan& plan) {
  with_item(plan.item_bytes, [&](auto item) { run_items<Scatters, decltype(item)>(plan); });
}

}  // namespace

void gather(const core::index_plan& plan) { run<false>(plan); }
void scatter(const core::index_plan& plan) { run<true>(plan); }

}  // namespace host
GPARRAY_END_NAMESPACE
