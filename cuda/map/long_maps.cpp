// Maps of more steps than a kernel has: loops, which a kernel goes round, and what is cut into pieces.
#include <algorithm>
#include <memory>
#include <vector>

#include <cuda/device/loop_nest.hpp>
#include <cuda/fusion/jit_launch.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/runtime/scratch.hpp>
#include <plan/jumping_plan.hpp>
#include <plan/repetition.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Steps [begin, end) of a plan at a time, as plans of their own, which hand their values on in temporaries.
class piecewise_map {
 public:
  piecewise_map(const map_plan& plan, queue q, memory_pool& pool)
      : plan_(plan), q_(q), pool_(pool), values_(static_cast<std::size_t>(plan.n_inputs + plan.n_steps)) {
    contiguous_strides(plan.ndim, plan.shape, 1, strides_);
    if (plan.n_stores > 0)
      for (int d = 0; d < plan.ndim; ++d)
        strides_[d] = plan.out.strides[d] / static_cast<std::int64_t>(itemsize(plan.out.type));
    for (int s = 0; s < plan.n_steps; ++s)
      for (int i = 0; i < arity(plan.steps[s]); ++i) value_of(plan.steps[s], i).last_use = s;
    for (int k = 0; k < plan.n_stores; ++k) value_at(plan.stores[k].value).stored = plan.stores[k].data;
  }

  void run() {
    for (int begin = 0; begin < plan_.n_steps;) begin = run_from(begin);
  }

 private:
  struct value {
    int last_use = -1;
    void* stored = nullptr;  // where the plan wants it
    scratch temporary;
    int input = -1;  // of the piece that is being made
  };

  value& value_at(int v) { return values_[static_cast<std::size_t>(v)]; }
  value& value_of(const step& s, int argument) {
    return value_at(s.args[static_cast<std::size_t>(argument)]);
  }

  /// The step behind the piece.
  int run_from(int begin) {
    const auto piece = std::make_unique<map_plan>();
    if (const auto repeated = find_repetition(plan_, begin, plan_.n_steps))
      for (const int end : {plan_.n_steps, repeated->end()})
        if (end - begin > max_kernel_steps && make(begin, end, *piece) && run_as_loop(*piece, q_, pool_))
          return done(end);
    int end = std::min(begin + max_kernel_steps, plan_.n_steps);
    while (!make(begin, end, *piece)) --end;  // one step has room
    run_map(*piece, q_, pool_);
    return done(end);
  }

  int done(int end) {
    for (value& v : values_)
      if (v.last_use < end) v.temporary.release();
    return end;
  }

  bool is_wanted(int v, int end) {
    return value_at(v).last_use >= end || value_at(v).stored || v == plan_.last_value();
  }

  /// Makes `piece`; false if it would have too many operands.
  bool make(int begin, int end, map_plan& piece) {
    piece.ndim = plan_.ndim;
    piece.size = plan_.size;
    std::copy_n(plan_.shape, plan_.ndim, piece.shape);
    piece.n_inputs = piece.n_stores = 0;
    piece.loads_within_rows = plan_.loads_within_rows;
    for (value& v : values_) v.input = -1;
    const int first = plan_.n_inputs + begin, last = plan_.n_inputs + end - 1;
    for (int s = begin; s < end; ++s)
      for (int i = 0; i < arity(plan_.steps[s]); ++i) {
        const int v = plan_.steps[s].args[static_cast<std::size_t>(i)];
        if (v >= first || value_at(v).input >= 0) continue;
        if (piece.n_inputs == max_inputs) return false;
        value_at(v).input = piece.n_inputs;
        set_input(v, piece.inputs[piece.n_inputs++]);
      }
    int stores = 0;
    for (int v = first; v < last; ++v) stores += is_wanted(v, end);
    const auto operands = std::count_if(piece.inputs, piece.inputs + piece.n_inputs,
                                        [](const input& in) { return in.kind != input_kind::constant; });
    if (stores > max_stores || operands + stores > max_operands) return false;
    const auto number = [&](int v) { return v < first ? value_at(v).input : v - first + piece.n_inputs; };
    piece.n_steps = end - begin;
    for (int s = begin; s < end; ++s) {
      step& copied = piece.steps[s - begin] = plan_.steps[s];
      for (std::size_t i = 0; i < static_cast<std::size_t>(arity(copied)); ++i)
        copied.args[i] = static_cast<std::uint16_t>(number(copied.args[i]));
    }
    for (int v = first; v < last; ++v)
      if (is_wanted(v, end)) piece.stores[piece.n_stores++] = {number(v), memory_for(v)};
    piece.out.type = plan_.value_type(last);
    const bool is_all = last == plan_.last_value();
    piece.out.data = is_all ? plan_.out.data : memory_for(last);
    for (int d = 0; d < plan_.ndim; ++d)
      piece.out.strides[d] = is_all ? plan_.out.strides[d] : stride(last, d);
    put_numbers_last(piece);
    return true;
  }

  std::int64_t stride(int v, int d) const {
    return strides_[d] * static_cast<std::int64_t>(itemsize(plan_.value_type(v)));
  }
  void* memory_for(int v) {
    value& of = value_at(v);
    if (of.stored) return of.stored;
    if (!of.temporary.data())
      of.temporary =
          scratch(pool_, static_cast<std::size_t>(plan_.size) * itemsize(plan_.value_type(v)), q_.stream);
    return of.temporary.data();
  }
  void set_input(int v, input& in) {
    if (v < plan_.n_inputs) {
      in = plan_.inputs[v];
      return;
    }
    in.kind = input_kind::array;
    in.type = plan_.value_type(v);
    in.data = memory_for(v);
    for (int d = 0; d < plan_.ndim; ++d) in.strides[d] = stride(v, d);
  }

  const map_plan& plan_;
  queue q_;
  memory_pool& pool_;
  std::int64_t strides_[max_ndim];  // in elements
  std::vector<value> values_;
};

}  // namespace

bool run_as_loop(const map_plan& plan, queue q, memory_pool& pool) {
  const auto repeated = find_repetition(plan, 0, plan.n_steps);
  if (!repeated) return false;
  looped_plan looped;
  if (!write_once(plan, *repeated, looped)) return false;
  if (!run_fused(looped, q)) run_steps(plan, q, pool);
  return true;
}

void run_long_map(const map_plan& plan, queue q, memory_pool& pool) {
  if (!run_as_loop(plan, q, pool)) piecewise_map(plan, q, pool).run();
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
