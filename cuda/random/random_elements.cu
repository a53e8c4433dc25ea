// Distributions whose elements draw from streams of their own, and those of vectors: a thread makes one.
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/random/random_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class Row>
__global__ void __launch_bounds__(random_threads) draw_elements(const __grid_constant__ random_params p) {
  wait_for_prior_grids();
  using made_type = kernel::drawn_t<Row, double>;
  const std::int64_t i = random_thread();
  if (i >= p.size) return;
  unsigned long bits[max_random_parameters];
  load_parameters(p, i, bits);
  const kernel::draw_context x = context_of(p, i);
  kernel::element_draws z(x.key, x.position);
  const made_type made = Row::template call<double>(z, bits, x);
  if (p.narrow) static_cast<float*>(p.out)[i] = static_cast<float>(made);
  else static_cast<made_type*>(p.out)[i] = made;
}

template<class Row>
__global__ void __launch_bounds__(random_threads) draw_vectors(const __grid_constant__ random_params p) {
  wait_for_prior_grids();
  using made_type = kernel::drawn_t<Row, double>;
  const std::int64_t i = random_thread();
  if (i >= p.size) return;
  unsigned long bits[max_random_parameters];
  load_parameters(p, i, bits);
  kernel::draw_context x = context_of(p, i);
  x.table += i * p.table_step;
  kernel::element_draws z(x.key, x.position);
  Row::call(z, bits, x, static_cast<made_type*>(p.out) + i * p.count);
}

template<class Row>
random_kernel kernel_of() {
  if constexpr (requires { Row::template source<double>::lanes; }) return {};
  else return {reinterpret_cast<const void*>(draw_elements<Row>)};
}

}  // namespace

random_kernel find_element_kernel(distribution op) {
  switch (op) {
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) \
  case distribution::name:                                                      \
    return kernel_of<kernel::name##_row>();
#define GPARRAY_ROW_DISTRIBUTION(name, result, expression) \
  case distribution::name:                                 \
    return {reinterpret_cast<const void*>(draw_vectors<kernel::name##_row>)};
#include <gparray/tables/random.def>
  }
  return {};
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
