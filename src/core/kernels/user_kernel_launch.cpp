#include <core/array/evaluate.hpp>
#include <core/kernels/user_kernel_launch.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/last_kernel.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void check_kernel_output(const kernel_signature& signature, std::size_t i, const any_array& out,
                         const dims& shape) {
  const std::size_t p = signature.inputs.size() + i;
  if (out.shape() != shape)
    fail<value_error>("{}: the output {} has shape {}, and the result has shape {}\n{}", signature.title,
                      signature[p].name, text(out.shape()), text(shape), signature.location_of(p));
  check_target(computed(out), shape);
}

dims prepend_dimension(std::vector<bound_operand>& operands) {
  for (bound_operand* o : with_strides(operands)) o->strides.insert(0, 0);
  return dims{1};
}

std::vector<bound_operand*> with_strides(std::vector<bound_operand>& operands) {
  std::vector<bound_operand*> result;
  for (bound_operand& o : operands)
    if (o.form == operand_form::strided) result.push_back(&o);
  return result;
}

void launch_user_kernel(const kernel_signature& signature, kernel_handle kernel, kernel_launch l,
                        parameter_block& parameters, device on_device) {
  if (parameters.size() > parameter_block::max_bytes)
    fail<value_error>(
        "{}: the parameters take {} bytes, and a kernel may have {}; use fewer arrays or fewer dimensions",
        signature.title, parameters.size(), parameter_block::max_bytes);
  for (int d = 0; d < 3; ++d) {
    l.grid[d] = std::max(l.grid[d], 1u);
    l.block[d] = std::max(l.block[d], 1u);
  }
  l.kernel = kernel;
  l.name = signature.lasting_name;
  l.arguments = parameters.addresses();
  note_raw_kernel(l.name);
  backend_of(on_device).launch(l, current_queue(on_device));
}

void record_kernel_uses(const std::vector<bound_operand>& operands, device on_device) {
  const queue q = current_queue(on_device);
  for (const bound_operand& o : operands)
    if (o.array.rep()) record_use(o.array.rep()->memory, q);
}

}  // namespace core
GPARRAY_END_NAMESPACE
