// The elements, or their positions, where a mask is true: each thread counts its part, then writes behind the
// others.
#include <bit>
#include <cstring>
#include <vector>

#include <host/map/rows.hpp>
#include <host/map/walker.hpp>
#include <host/support/clones.hpp>
#include <host/support/item.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::uint64_t all_true = 0x0101010101010101;

/// Moves the elements with a true flag of a row to `out`, which has room up to `end`; returns where it ends.
/// Eight neighbours are looked at together, and moved all, each on top of the one before if that is not
/// wanted: what is wanted cannot be foreseen, and a jump that was foreseen wrongly takes longer.
template<class T, class Element>
T* move_true(const char* flags, std::int64_t step, std::int64_t n, T* out, const T* end, Element&& element) {
  std::int64_t i = 0;
  if (step == 1) {
    for (; i + 8 <= n; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, flags + i, sizeof eight);
      if (eight == 0) continue;
      if ((eight & (eight - 1)) == 0) {
        *out++ = element(i + std::countr_zero(eight) / 8);
        continue;
      }
      if (end - out < 8) {
        for (; eight != 0; eight &= eight - 1) *out++ = element(i + std::countr_zero(eight) / 8);
        continue;
      }
      if (eight == all_true) [[unlikely]] {
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) out[k] = element(i + k);
        out += 8;
        continue;
      }
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) {
        *out = element(i + k);
        out += eight >> (8 * k) & 1;
      }
    }
  }
  for (; i < n; ++i)
    if (flags[i * step]) *out++ = element(i);
  return out;
}

GPARRAY_CLONES std::int64_t count_true(const char* flags, std::int64_t step, std::int64_t n) {
  std::int64_t count = 0, i = 0;
  if (step == 1) {
    for (; i + 8 <= n; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, flags + i, sizeof eight);
      count += std::popcount(eight);
    }
  }
  for (; i < n; ++i) count += flags[i * step];
  return count;
}

/// The index space in parts of about equal size: rows, and pieces of long rows.
class parts {
 public:
  explicit parts(const core::compact_plan& plan)
      : plan_(plan),
        space_(plan.shape, plan.ndim),
        length_(std::min(space_.columns, serial_elements)),
        pieces_((space_.columns + length_ - 1) / length_),
        units_(space_.rows * pieces_),
        count_(
            std::clamp<std::int64_t>(plan.size / serial_elements, 1, std::min<std::int64_t>(units_, 256))) {}

  std::int64_t count() const { return count_; }

  /// Calls body(flags, their step, offset of the input, its step, n) for the runs of one part.
  template<class Body>
  void for_runs(std::int64_t part, Body&& body) const {
    const std::int64_t begin = units_ * part / count_, end = units_ * (part + 1) / count_;
    const std::int64_t* const strides[] = {plan_.mask_strides, plan_.in.strides};
    const std::int64_t flag_step = space_.column_stride(plan_.mask_strides),
                       in_step = space_.column_stride(plan_.in.strides);
    row_walker<2> walker(plan_.shape, plan_.ndim, strides, begin / pieces_);
    for (std::int64_t unit = begin; unit < end; ++unit) {
      if (unit > begin && unit % pieces_ == 0) walker.next();
      const std::int64_t column = unit % pieces_ * length_;
      body(static_cast<const char*>(plan_.mask) + walker.offsets[0] + column * flag_step, flag_step,
           walker.offsets[1] + column * in_step, in_step, std::min(length_, space_.columns - column));
    }
  }

 private:
  const core::compact_plan& plan_;
  row_space space_;
  std::int64_t length_, pieces_, units_, count_;
};

/// T is what an element is moved as; move_run(flags, their step, offset of the input, its step, n, out, end)
/// moves those of one run and returns where they end.
template<class T, class MoveRun>
void run(const core::compact_plan& plan, MoveRun move_run) {
  const parts all(plan);
  T* const all_out = static_cast<T*>(plan.out);
  const auto move = [&](std::int64_t part, T* out, const T* end_of_part) {
    all.for_runs(part,
                 [&](const char* flags, std::int64_t step, std::int64_t offset, std::int64_t in_step,
                     std::int64_t n) { out = move_run(flags, step, offset, in_step, n, out, end_of_part); });
  };
  std::vector<std::int64_t> starts(static_cast<std::size_t>(all.count()) + 1);
  parallel_for(all.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t part = begin; part < end; ++part)
      all.for_runs(part,
                   [&](const char* flags, std::int64_t step, std::int64_t, std::int64_t, std::int64_t n) {
                     starts[static_cast<std::size_t>(part) + 1] += count_true(flags, step, n);
                   });
  });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  parallel_for(all.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t part = begin; part < end; ++part)
      move(part, all_out + starts[static_cast<std::size_t>(part)],
           all_out + starts[static_cast<std::size_t>(part) + 1]);
  });
}

}  // namespace

void compact(const core::compact_plan& plan) {
  if (plan.in.kind == core::input_kind::iota)
    return run<std::int64_t>(
        plan, [first = plan.in.first](const char* flags, std::int64_t step, std::int64_t offset,
                                      std::int64_t in_step, std::int64_t n, std::int64_t* out,
                                      const std::int64_t* end) {
          const std::int64_t begin = first + offset;
          if (in_step == 0) return std::fill_n(out, count_true(flags, step, n), begin);  // of an outer axis
          if (in_step == 1)
            return move_true(flags, step, n, out, end, [begin](std::int64_t i) { return begin + i; });
          return move_true(flags, step, n, out, end,
                           [begin, in_step](std::int64_t i) { return begin + i * in_step; });
        });
  with_item(plan.item_bytes, [&](auto item) {
    using T = decltype(item);
    run<T>(plan, [data = static_cast<const char*>(plan.in.data)](const char* flags, std::int64_t step,
                                                                 std::int64_t offset, std::int64_t in_step,
                                                                 std::int64_t n, T* out, const T* end) {
      return move_true(flags, step, n, out, end, [begin = data + offset, in_step](std::int64_t i) {
        return *reinterpret_cast<const T*>(begin + i * in_step);
      });
    });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
