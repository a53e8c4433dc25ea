#include <cstring>

#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/temporary.hpp>
#include <core/kernels/user_kernel_call.hpp>
#include <plan/backend.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether writing `out` while reading `in` could change what is still to be read.
bool overlap_hazard(const any_array& in, const any_array& out) {
  if (!may_share_memory(in, out)) return false;
  return address(in) != address(out) || in.dtype() != out.dtype() || in.shape() != out.shape() ||
         in.strides() != out.strides();
}

}  // namespace

kernel_arguments::kernel_arguments(const kernel_signature& signature,
                                   std::span<const detail::argument> arguments)
    : signature_(signature) {
  const std::size_t n_inputs = signature.inputs.size();
  if (arguments.size() != n_inputs && arguments.size() != signature.size())
    fail<type_error>("{}: {} argument{} given; it takes {}, or {} with the outputs", signature.title,
                     arguments.size(), arguments.size() == 1 ? "" : "s", n_inputs, signature.size());
  inputs_.assign(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(n_inputs));
  for (std::size_t i = 0; i < n_inputs; ++i)
    if (!inputs_[i].array && signature.inputs[i].raw)
      fail<type_error>("{}: {} is raw, so it takes an array\n{}", signature.title, signature.inputs[i].name,
                       signature.location_of(i));
  for (std::size_t i = n_inputs; i < arguments.size(); ++i) {
    if (!arguments[i].array)
      fail<type_error>("{}: the output {} must be an array\n{}", signature.title, signature[i].name,
                       signature.location_of(i));
    outputs_.push_back(*arguments[i].array);
  }
  types_ = bind_types(signature, inputs_, outputs_);
  device_ = common_device(signature.title, arguments);
  if (device_.is_cpu())
    fail<device_error>(
        "{} needs a GPU, and its arguments are on the CPU{}; a function made with GPARRAY_UFUNC runs on both",
        signature.title, gpu_backend() ? "" : " (" + cuda_missing_reason() + ")");
}

bool kernel_arguments::broadcast_shape(bool with_outputs, dims& shape) const {
  std::vector<const dims*> shapes;
  shapes.reserve(signature_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].array && !signature_.inputs[i].raw) shapes.push_back(&inputs_[i].array->shape());
  for (std::size_t i = 0; with_outputs && i < outputs_.size(); ++i)
    if (!signature_.outputs[i].raw) shapes.push_back(&outputs_[i].shape());
  if (shapes.empty()) return false;
  shape = broadcast_shapes(shapes);
  return true;
}

std::vector<bound_operand> kernel_arguments::operands(const dims& shape, const dims& output_shape) const {
  std::vector<bound_operand> result;
  result.reserve(signature_.size());
  const auto add = [&](std::size_t i, const any_array& a, const dims& over) {
    const kernel_parameter_text& p = signature_[i];
    const array_rep* rep = computed(a);
    bound_operand& o = result.emplace_back();
    o.type = rep->type;
    o.writable = p.writable;
    o.array = a;
    o.form = !p.raw              ? operand_form::strided
             : rep->c_contiguous ? operand_form::raw_packed
                                 : operand_form::raw;
    if (!p.raw) o.strides = broadcast_strides(rep->shape, rep->strides, over);
  };
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].array) {
      any_array a = inputs_[i].array->eval();
      // A copy of what the kernel writes would keep what it wrote.
      const bool may_copy = !signature_.inputs[i].raw && !signature_.inputs[i].writable;
      for (const any_array& out : outputs_)
        if (may_copy && overlap_hazard(a, out)) a = detail::astype(temporary(a), a.dtype(), true);
      add(i, a, shape);
    } else {
      bound_operand& o = result.emplace_back();
      o.form = operand_form::scalar;
      o.type = types_.parameters[i];
      o.writable = false;
      o.value = kernel_scalar(signature_, i, inputs_[i], o.type);
    }
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) add(inputs_.size() + i, outputs_[i], output_shape);
  return result;
}

std::size_t merge_dimensions(dims& shape, std::vector<bound_operand*> operands, std::size_t begin,
                             std::size_t end) {
  const auto erase = [&](std::size_t d) {
    shape.erase(d);
    for (bound_operand* o : operands) o->strides.erase(d);
    --end;
  };
  for (std::size_t d = end; d-- > begin && end - begin > 1;)
    if (shape[d] == 1) erase(d);
  for (std::size_t d = end; d-- > begin + 1;) {
    bool merges = true;
    for (const bound_operand* o : operands) merges = merges && o->strides[d - 1] == o->strides[d] * shape[d];
    if (!merges) continue;
    shape[d - 1] *= shape[d];
    for (bound_operand* o : operands) o->strides[d - 1] = o->strides[d];
    erase(d);
  }
  return end - begin;
}

void find_packed(const dims& shape, std::vector<bound_operand>& operands) {
  for (bound_operand& o : operands)
    if (o.form == operand_form::strided && is_c_contiguous(shape, o.strides, itemsize(o.type)))
      o.form = operand_form::packed;
}

void parameter_block::space(const dims& shape, std::int64_t count) {
  begin();
  number(count);
  numbers({shape.data(), shape.size()});
  for (std::size_t d = 0; d < shape.size(); ++d) number(0);  // the index: the kernel's own
}

void parameter_block::operand(const bound_operand& o) {
  begin();
  if (o.form == operand_form::scalar) {  // the widest is 16 bytes long, and parameters lie on multiples of 8
    return append(o.value.bytes, sizeof o.value.bytes);
  }
  const array_rep* rep = o.array.rep();
  pointer(rep->data);
  if (o.form == operand_form::strided) numbers({o.strides.data(), o.strides.size()});
  if (o.form != operand_form::raw && o.form != operand_form::raw_packed) return;
  number(rep->size);
  // A kernel has no arrays without dimensions.
  const dims shape = rep->shape.empty() ? dims{1} : rep->shape;
  const dims strides = rep->shape.empty() ? dims{0} : rep->strides;
  numbers({shape.data(), shape.size()});
  numbers({strides.data(), strides.size()});
}

}  // namespace core
GPARRAY_END_NAMESPACE
