#include <host/reduction/products.hpp>
#include <host/reduction/reduce_blocks.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class E>
struct product_loops {
  using core = kernel::sum_core<E, E, false>;
  using block_type = block_core<core>;
  using value = typename block_type::value;
  using state = typename kernel::single_state<core>::state;

  GPARRAY_CLONES static value fold(const E* a, const E* b, std::int64_t n) {
    return fold_elements(
        multiplied_elements<E>{a, b}, n, block_type::identity(),
        [](value sum, E product) GPARRAY_INLINE { return block_type::include(sum, product); },
        [](value x, value y) GPARRAY_INLINE { return block_type::merge(x, y); });
  }
  static void block(void* s, const void* a, const void* b, std::int64_t n) {
    static_cast<state*>(s)->value =
        static_cast<E>(fold(static_cast<const E*>(a), static_cast<const E*>(b), n));
  }
};

/// Whether each result's elements lie side by side.
bool lies_in_rows(const core::map_plan& map, const core::input& in) {
  const auto item = static_cast<std::int64_t>(itemsize(in.type));
  if (in.kind != core::input_kind::array || in.strides[map.ndim - 1] != item) return false;
  for (int d = 0; d < map.ndim; ++d)
    if (in.strides[d] % item != 0) return false;
  return reinterpret_cast<std::uintptr_t>(in.data) % static_cast<std::uintptr_t>(item) == 0;
}

}  // namespace

product_terms::block_loop product_terms::find_block(reduction op, dtype element) {
  if (op != reduction::sum && op != reduction::mean) return nullptr;
  if (element == dtype::float32) return &product_loops<float>::block;
  return element == dtype::float64 ? &product_loops<double>::block : nullptr;
}

product_terms::product_terms(const reduce_job& job, const core::map_plan& map) : space_(map.shape, map.ndim) {
  const core::reduce_plan& plan = job.plan();
  if (job.states().size() != 1 || map.n_steps != 1 || map.n_stores != 0) return;
  if (map.shape[map.ndim - 1] != plan.n_reduced) return;
  const core::step& step = map.steps[0];
  if (step.op != ufunc::multiply && step.op != ufunc::square) return;
  a_ = &map.inputs[step.args[0]];
  b_ = step.op == ufunc::square ? a_ : &map.inputs[step.args[1]];
  const bool as_stored = step.loop == plan.element && a_->type == plan.element && b_->type == plan.element;
  if (as_stored && lies_in_rows(map, *a_) && lies_in_rows(map, *b_))
    block_ = find_block(plan.op, plan.element);
}

void product_terms::block(char* state, std::int64_t result, std::int64_t first, std::int64_t n) const {
  const auto at = [&](const core::input& in) {
    const char* row = nullptr;
    space_.for_runs(result, 1, in.strides, [&](std::int64_t offset, std::int64_t, std::int64_t) {
      row = static_cast<const char*>(in.data) + offset;
    });
    return row + first * static_cast<std::int64_t>(itemsize(in.type));
  };
  block_(state, at(*a_), at(*b_), n);
}

}  // namespace host
GPARRAY_END_NAMESPACE
