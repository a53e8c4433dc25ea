#include <host/reduction/products.hpp>
#include <host/reduction/reduce_blocks.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// The products of one array's conjugates and another's elements.
template<class E>
struct products_of_conjugates : multiplied_elements<E> {
  GPARRAY_INLINE E operator[](std::int64_t i) const {
    return kernel::multiply(kernel::conjugate(this->a[i]), this->b[i]);
  }
};

/// Sums of products, whose first factors may be conjugated.
template<class E, bool Conjugated>
struct product_loops {
  using core = kernel::sum_core<E, E, false>;
  using block_type = block_core<core>;
  using value = typename block_type::value;
  using state = typename kernel::single_state<core>::state;

  GPARRAY_INLINE static inline value fold(const E* a, const E* b, std::int64_t n) {
    using elements = std::conditional_t<Conjugated, products_of_conjugates<E>, multiplied_elements<E>>;
    elements products;
    products.a = a;
    products.b = b;
    return fold_elements(
        products, n, block_type::identity(),
        [](value sum, E product) GPARRAY_INLINE { return block_type::include(sum, product); },
        [](value x, value y) GPARRAY_INLINE { return block_type::merge(x, y); });
  }
  GPARRAY_CLONES static value fold_clones(const E* a, const E* b, std::int64_t n) { return fold(a, b, n); }
  GPARRAY_UNFUSED_CLONES static value fold_unfused(const E* a, const E* b, std::int64_t n) {
    return fold(a, b, n);
  }
  static void block(void* s, const void* a, const void* b, std::int64_t n) {
    const E *const x = static_cast<const E*>(a), *const y = static_cast<const E*>(b);
    auto& result = static_cast<state*>(s)->value;
    if constexpr (is_unfused<E>) result = static_cast<E>(fold_unfused(x, y, n));
    else result = static_cast<E>(fold_clones(x, y, n));
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

product_terms::block_loop product_terms::find_block(dtype element, bool conjugated) {
  switch (element) {
    case dtype::float32:
      return &product_loops<float, false>::block;
    case dtype::float64:
      return &product_loops<double, false>::block;
    case dtype::complex64:
      return conjugated ? &product_loops<kernel::complex<float>, true>::block
                        : &product_loops<kernel::complex<float>, false>::block;
    case dtype::complex128:
      return conjugated ? &product_loops<kernel::complex<double>, true>::block
                        : &product_loops<kernel::complex<double>, false>::block;
    default:
      return nullptr;
  }
}

product_terms::product_terms(const reduce_job& job, const core::map_plan& map) : space_(map.shape, map.ndim) {
  const core::reduce_plan& plan = job.plan();
  if (plan.op != reduction::sum && plan.op != reduction::mean) return;
  if (job.states().size() != 1 || map.n_steps < 1 || map.n_stores != 0) return;
  if (map.shape[map.ndim - 1] != plan.n_reduced) return;
  const core::step& product = map.steps[map.n_steps - 1];
  if (product.loop != plan.element) return;
  // A real number is its own conjugate, of which there is no step.
  const bool conjugated = map.n_steps == 2 && map.steps[0].op == ufunc::conjugate &&
                          product.op == ufunc::multiply && product.args[0] == map.n_inputs;
  if (map.n_steps != 1 && !conjugated) return;
  const auto first = conjugated ? map.steps[0].args[0] : product.args[0];
  const auto second = product.op == ufunc::square ? first : product.args[1];
  if ((product.op != ufunc::multiply && product.op != ufunc::square) || second >= map.n_inputs) return;
  a_ = &map.inputs[first];
  b_ = &map.inputs[second];
  const bool as_stored = a_->type == plan.element && b_->type == plan.element;
  if (as_stored && lies_in_rows(map, *a_) && lies_in_rows(map, *b_))
    block_ = find_block(plan.element, conjugated);
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
