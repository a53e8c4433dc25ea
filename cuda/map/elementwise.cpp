// Chooses the kernel of one element-wise step and fills its parameters.
#include <cuda/map/copy_params.hpp>
#include <cuda/map/elementwise.hpp>
#include <cuda/map/map_table.hpp>
#include <cuda/runtime/map_launch.hpp>
#include <plan/convert_scalar.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

loop_nest nest_of(const elementwise& e, int n_inputs) {
  loop_nest nest;
  nest.n_operands = 1 + n_inputs;
  for (int d = 0; d < e.ndim; ++d) {
    std::int64_t strides[loop_nest::max_operands] = {e.out_strides[d]};
    for (int i = 0; i < n_inputs; ++i)
      strides[1 + i] = e.in[i]->kind == input_kind::constant ? 0 : e.in[i]->strides[d];
    nest.append(e.shape[d], strides);
  }
  return nest;
}

/// The dtype that the loop wants of input i.
dtype wanted_type(const elementwise& e, int i) {
  return e.op == ufunc::cast ? e.loop : input_dtype(e.op, i, e.loop);
}

scalar_bits constant_of(const elementwise& e, int i, dtype wanted) {
  const input& in = *e.in[i];
  return in.type == wanted ? in.value : convert_scalar(in.value, in.type, wanted);
}

/// Whether the operands are rows of side-by-side elements, or one element for each row, of the kernel's own
/// dtypes.
bool is_rows(const elementwise& e, const loop_nest& nest, int n_inputs, bool converts) {
  if (e.out_type != (e.op == ufunc::cast ? e.loop : output_dtype(e.op, e.loop))) return false;
  if (!has_rows(nest, e.out_type)) return false;
  for (int i = 0; i < n_inputs; ++i) {
    const input& in = *e.in[i];
    if (in.kind == input_kind::constant) continue;
    if (in.kind == input_kind::iota || (in.type != wanted_type(e, i) && !converts)) return false;
    const std::int64_t stride = nest.inner_stride(1 + i);
    if (stride != 0 && stride != static_cast<std::int64_t>(itemsize(in.type))) return false;
  }
  return true;
}

std::size_t widest_operand(const elementwise& e, int n_inputs, bool converts) {
  std::size_t widest = itemsize(e.out_type);
  for (int i = 0; i < n_inputs; ++i) {
    const std::size_t own = itemsize(converts ? e.in[i]->type : wanted_type(e, i));
    widest = own > widest ? own : widest;
  }
  return widest;
}

template<int Arity>
void launch_rows(const elementwise& e, const loop_nest& nest, const void* kernel, bool converts, queue q) {
  vector_params<Arity> p;
  const std::int64_t blocks = set_rows(p, nest, e.out, lanes_for(widest_operand(e, Arity, converts)));
  for (int i = 0; i < Arity; ++i) {
    const input& in = *e.in[i];
    if (in.kind == input_kind::constant) {
      p.modes[i] = access::constant_bits;
      p.constants[i] = constant_of(e, i, wanted_type(e, i));
      p.in[i] = nullptr;
    } else {
      p.modes[i] = nest.inner_stride(1 + i) == 0 ? access::row_value : access::contiguous;
      p.in[i] = static_cast<const char*>(in.data) + nest.offsets[1 + i];
    }
  }
  launch(name(e.op), kernel, blocks, map_threads, p, q);
}

template<int Arity>
void launch_strided(const elementwise& e, const loop_nest& nest, const void* kernel, queue q) {
  strided_params<Arity> p;
  const std::int64_t blocks = set_strided(p, nest, e.out);
  p.out_type = e.out_type;
  for (int i = 0; i < Arity; ++i) {
    const input& in = *e.in[i];
    p.kinds[i] = in.kind;
    p.in_types[i] = in.type;
    p.in[i] =
        in.kind == input_kind::array ? static_cast<const char*>(in.data) + nest.offsets[1 + i] : nullptr;
    p.first[i] = in.kind == input_kind::iota ? in.first + nest.offsets[1 + i] : 0;
    if (in.kind == input_kind::constant) p.constants[i] = constant_of(e, i, wanted_type(e, i));
  }
  launch(name(e.op), kernel, blocks, map_threads, p, q);
}

template<int Arity>
void run(const elementwise& e, queue q) {
  const loop_nest whole = nest_of(e, Arity);
  const map_kernels& kernels = find_map_kernels(e.op, e.loop);
  const void* rows_kernel = kernels.vector;
  bool converts = false;
  if constexpr (Arity == 1) {
    if (e.op == ufunc::cast && e.in[0]->kind == input_kind::array) {
      if (e.in[0]->type == e.loop && e.out_type == e.loop && run_copy(e, whole, q)) return;
      converts = e.in[0]->type != e.loop;
      if (converts) rows_kernel = find_cast_kernel(e.in[0]->type, e.loop);
    }
  }
  const bool rows = is_rows(e, whole, Arity, converts);
  for_each_part(whole, [&](const loop_nest& nest) {
    if (rows) launch_rows<Arity>(e, nest, rows_kernel, converts, q);
    else launch_strided<Arity>(e, nest, kernels.strided, q);
  });
}

}  // namespace

void run_elementwise(const elementwise& e, queue q) {
  switch (arity(e.op)) {
    case 1:
      return run<1>(e, q);
    case 2:
      return run<2>(e, q);
    default:
      return run<3>(e, q);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
