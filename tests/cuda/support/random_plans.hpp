// Random expressions as plans: any functions, dtypes and views. The same numbers make the same plans.
#pragma once
#include <functional>

#include <plan/jumping_plan.hpp>

#include "cuda/support/twin.hpp"

namespace twin {

/// Memory for n elements, filled with an operand's numbers.
using operand_source = std::function<std::byte*(dtype, std::int64_t n)>;
/// Which functions may occur, and which dtypes operands may have.
using function_filter = std::function<bool(ufunc, dtype loop)>;
using operand_filter = std::function<bool(dtype)>;

class plan_maker {
 public:
  plan_maker(
      random_numbers& random, operand_source memory, function_filter allowed = has_loop,
      operand_filter is_read = [](dtype) { return true; })
      : random_(random),
        memory_(std::move(memory)),
        allowed_(std::move(allowed)),
        is_read_(std::move(is_read)) {}

  /// From now on operands are rows of packs, most of them aligned, numbers, or one element for each row.
  plan_maker& use_rows() {
    has_rows_ = has_whole_packs_ = true;
    return *this;
  }

  /// A map of at least two functions.
  map_plan make() { return make(false); }

  /// One of so many functions that it reads most of its numbers, which are more than a kernel has operands.
  map_plan make_of_numbers() { return make(true); }

 private:
  map_plan make(bool of_numbers) {
    map_plan plan;
    set_shape(plan);
    plan.n_inputs = of_numbers ? 1 + below(max_operands) : below(8) == 0 ? max_operands : 1 + below(5);
    plan.n_steps = 0;
    for (int i = 0; i < plan.n_inputs; ++i) set_input(plan, plan.inputs[i]);
    const int fewest = max_operands + 1 - plan.n_inputs;
    for (int n = of_numbers ? fewest + below(max_numbers + 1 - fewest) : 0; n > 0; --n) {
      input& number = plan.inputs[plan.n_inputs++];
      number.type = static_cast<dtype>(below(dtype_count));
      set_constant(plan, number);
    }
    for (int n = of_numbers ? 20 + below(20) : 2 + below(6); n > 0; --n) add_function(plan);
    plan.out.type = plan.value_type(plan.last_value());
    const std::int64_t step = below(4) == 0 && !has_rows_ ? 2 : 1;
    const auto size = static_cast<std::int64_t>(itemsize(plan.out.type));
    plan.out.data = memory_(plan.out.type, plan.size * step);
    fill_strides(plan.ndim, plan.shape, size * step, plan.out.strides);
    return plan;
  }

 public:
  /// The same of operands that jump: arrays rolled along some dimensions.
  core::jumping_plan make_jumping() {
    core::jumping_plan jumping;
    jumping.map = make();
    set_jumps(jumping.map, jumping);
    return jumping;
  }

 private:
  void set_jumps(map_plan& plan, core::jump_list& jumping) {
    for (int i = 0; i < plan.n_inputs; ++i)
      for (int d = 0; plan.inputs[i].kind == input_kind::array && d < plan.ndim; ++d) {
        if (below(3) == 0) continue;
        input& in = plan.inputs[i];
        // Most by little: then most of a row is even.
        const std::int64_t n = plan.shape[d], most = below(4) == 0 ? n : std::min<std::int64_t>(n, 3),
                           by = below(static_cast<int>(most)), bytes = n * in.strides[d];
        const bool back = below(2) == 0;
        in.data = static_cast<const std::byte*>(in.data) + (back ? -by : by) * in.strides[d];
        const auto dim = static_cast<std::uint8_t>(d), number = static_cast<std::uint8_t>(i);
        jumping.jumps[jumping.n_jumps++] =
            back ? core::jump{number, dim, by, n, bytes} : core::jump{number, dim, 0, n - by, -bytes};
      }
  }

 public:
  /// A reduction of what such a map computes, or a jumping one; its result is C-contiguous.
  std::unique_ptr<reduce_plan> make_reduction(bool jumps = false) {
    auto plan = std::make_unique<reduce_plan>();
    has_whole_packs_ = jumps || has_rows_;
    map_plan& map = plan->map;
    do {
      map = make();
      if (jumps) set_jumps(map, plan->jumping);
    } while (jumps && plan->jumping.n_jumps == 0);
    // In Fortran order, what is reduced in C order lies in columns.
    if (!jumps && below(3) == 0 && !has_rows_)
      fill_transposed(map, static_cast<std::int64_t>(itemsize(map.out.type)), map.out.strides);
    plan->element = map.out.type;
    do plan->op = static_cast<reduction>(below(reduction_count));
    while (!has_reduction(plan->op, plan->element));
    plan->n_kept = below(map.ndim);
    plan->n_out = plan->n_reduced = 1;
    for (int d = 0; d < map.ndim; ++d) (d < plan->n_kept ? plan->n_out : plan->n_reduced) *= map.shape[d];
    plan->ddof = 0;
    plan->out.type = result_dtype(plan->op, plan->element);
    const std::size_t bytes = result_bytes(plan->op, plan->element);
    plan->out.data =
        memory_(plan->out.type, plan->n_out * static_cast<std::int64_t>(bytes / itemsize(plan->out.type)));
    fill_strides(plan->n_kept, map.shape, static_cast<std::int64_t>(bytes), plan->out.strides);
    return plan;
  }

 private:
  int below(int n) { return static_cast<int>(random_() * n); }

  void set_shape(map_plan& plan) {
    static constexpr int largest[3][3] = {{70000}, {300, 400}, {9, 20, 90}};
    plan.ndim = 1 + below(3);
    plan.size = 1;
    for (int d = 0; d < plan.ndim; ++d) {
      plan.shape[d] = 1 + below(largest[plan.ndim - 1][d]);
      constexpr std::int64_t pack = 8;
      if (has_whole_packs_ && d == plan.ndim - 1) plan.shape[d] = (plan.shape[d] + pack - 1) / pack * pack;
      plan.size *= plan.shape[d];
    }
  }

  void set_input(const map_plan& plan, input& in) {
    in.kind = input_kind::array;
    do in.type = static_cast<dtype>(below(dtype_count));
    while (!is_read_(in.type));
    in.first = 0;
    constexpr int views_of_rows[] = {0, 4, 4, 9, 9, 9, 9, 9, 9, 9};
    const int drawn = below(10), view = has_rows_ ? views_of_rows[drawn] : drawn;
    if (view == 0) return set_constant(plan, in);
    if (view == 1) return set_iota(plan, in);
    const auto size = static_cast<std::int64_t>(itemsize(in.type));
    const std::int64_t step = view == 2 ? 2 : 1, shift = has_rows_ && drawn < 9 ? 0 : below(4);
    in.data = memory_(in.type, plan.size * step + shift) + shift * size;
    fill_strides(plan.ndim, plan.shape, size * step, in.strides);
    if (view == 3) in.strides[below(plan.ndim)] = 0;
    if (view == 4) in.strides[plan.ndim - 1] = 0;
    if (view == 5) fill_transposed(plan, size, in.strides);
    if (view == 6) reverse(plan, in);
  }

  void set_constant(const map_plan& plan, input& in) {
    in.kind = input_kind::constant;
    std::memcpy(in.value.bytes, memory_(in.type, 1), itemsize(in.type));
    std::fill_n(in.strides, plan.ndim, 0);
  }

  void set_iota(const map_plan& plan, input& in) {
    in.kind = input_kind::iota;
    in.type = dtype::int64;
    in.first = below(100) - 50;
    for (int d = 0; d < plan.ndim; ++d) in.strides[d] = below(7) - 3;
  }

  static void fill_transposed(const map_plan& plan, std::int64_t size, std::int64_t* strides) {
    for (int d = 0; d < plan.ndim; ++d) {
      strides[d] = size;
      size *= plan.shape[d];
    }
  }

  static void reverse(const map_plan& plan, input& in) {
    const int d = plan.ndim - 1;
    in.data = static_cast<const std::byte*>(in.data) + (plan.shape[d] - 1) * in.strides[d];
    in.strides[d] = -in.strides[d];
  }

  void add_function(map_plan& plan) {
    ufunc f;
    dtype loop;
    do {
      f = static_cast<ufunc>(below(ufunc_count));
      loop = static_cast<dtype>(below(dtype_count));
    } while (!has_loop(f, loop) || !allowed_(f, loop));
    if (plan.n_steps + arity(f) + 1 > max_kernel_steps) return;
    step next{f, loop, {0, 0, 0}};
    const int n_values = plan.n_inputs + plan.n_steps;
    for (int i = 0; i < arity(f); ++i) {
      // The first argument is the latest value, so that nothing is computed in vain.
      const int v = i == 0 && plan.n_steps > 0 ? n_values - 1 : below(n_values);
      next.args[i] = static_cast<std::uint16_t>(with_dtype(plan, v, input_dtype(f, i, loop)));
    }
    plan.steps[plan.n_steps++] = next;
  }

  static int with_dtype(map_plan& plan, int v, dtype wanted) {
    if (plan.value_type(v) == wanted) return v;
    plan.steps[plan.n_steps] = {ufunc::cast, wanted, {static_cast<std::uint16_t>(v), 0, 0}};
    return plan.n_inputs + plan.n_steps++;
  }

  random_numbers& random_;
  operand_source memory_;
  function_filter allowed_;
  operand_filter is_read_;
  bool has_whole_packs_ = false;  // in rows
  bool has_rows_ = false;
};

}  // namespace twin
