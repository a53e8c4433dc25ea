// ElementwiseKernel: its source from the declaration, its variants by operands, and its launch.
#include <algorithm>

#include <core/array/layout.hpp>
#include <core/kernels/user_kernel_cache.hpp>
#include <core/kernels/user_kernel_launch.hpp>
#include <core/kernels/user_kernel_source.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/kernels/elementwise_kernel.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class elementwise_kernel_state {
 public:
  kernel_signature signature;
  elementwise_text text;
  std::vector<std::string> options;
  bool reduce_dims = true;
  kernel_variants variants;

  compile_request request(const kernel_variant& v) const {
    return kernel_request(signature, elementwise_source(signature, text, v), options);
  }

  kernel_result run(std::span<const detail::argument> arguments, const elementwise_call& call) {
    kernel_arguments args(signature, arguments);
    const dims shape = loop_shape(args, call);
    if (call.block_size < 1 || call.block_size > 1024)
      fail<value_error>("{}: block_size is {}, and a block has 1 to 1024 threads", signature.title,
                        call.block_size);
    if (args.has_outputs()) check_outputs(args, shape);
    else args.set_outputs(new_outputs(args, shape));
    for (const any_array& out : args.outputs()) effect_on(computed(out));
    if (checked_size(shape, 1) > 0) launch(args, shape, static_cast<unsigned>(call.block_size));
    return kernel_result(args.outputs());
  }

 private:
  dims loop_shape(const kernel_arguments& args, const elementwise_call& call) const {
    dims shape;
    const bool broadcast = args.broadcast_shape(true, shape);
    if (call.size >= 0) {
      if (broadcast) fail<value_error>("{}: size can be given only if all arrays are raw", signature.title);
      return dims{call.size};
    }
    if (!broadcast)
      fail<value_error>("{}: the size of the loop is undecided, for no array says it: pass {{.size = n}}",
                        signature.title);
    return shape;
  }

  void check_outputs(const kernel_arguments& args, const dims& shape) const {
    for (std::size_t i = 0; i < args.outputs().size(); ++i)
      if (!signature.outputs[i].raw) check_kernel_output(signature, i, args.outputs()[i], shape);
  }

  std::vector<any_array> new_outputs(const kernel_arguments& args, const dims& shape) const {
    std::vector<any_array> outputs;
    for (std::size_t i = 0; i < signature.outputs.size(); ++i) {
      const std::size_t p = signature.inputs.size() + i;
      if (signature.outputs[i].raw)
        fail<value_error>("{}: the size of the raw output {} is unknown; pass the array\n{}", signature.title,
                          signature.outputs[i].name, signature.location_of(p));
      outputs.push_back(allocate(args.types().parameters[p], shape, args.on_device()));
    }
    return outputs;
  }

  void launch(const kernel_arguments& args, dims shape, unsigned block) {
    std::vector<bound_operand> operands = args.operands(shape, shape);
    const std::int64_t size = checked_size(shape, 1);
    if (shape.empty()) shape = prepend_dimension(operands);
    if (reduce_dims) merge_dimensions(shape, with_strides(operands), 0, shape.size());
    find_packed(shape, operands);
    kernel_variant v(args.types(), operands);
    v.ndim = shape.size();
    v.indexes_64_bits = size >= std::int64_t{1} << 31;
    const user_kernel k =
        variants.find(v.key(), args.on_device(), signature.name.c_str(), [&] { return request(v); });

    parameter_block parameters;
    parameters.space(shape, size);
    for (const bound_operand& o : operands) parameters.operand(o);
    kernel_launch l{};
    l.grid[0] = static_cast<unsigned>(std::min<std::int64_t>((size + block - 1) / block, 0x7fffffff));
    l.block[0] = block;
    launch_user_kernel(signature, k.kernel, l, parameters, args.on_device());
    record_kernel_uses(operands, args.on_device());
  }
};

}  // namespace core

ElementwiseKernel::ElementwiseKernel(std::string in_params, std::string out_params, std::string operation,
                                     std::string name, elementwise_kernel_options options)
    : state_(std::make_shared<core::elementwise_kernel_state>()) {
  state_->signature = core::parse_signature("ElementwiseKernel", std::move(name), std::move(in_params),
                                            std::move(out_params));
  state_->text = {std::move(operation), std::move(options.preamble), std::move(options.loop_prep),
                  std::move(options.after_loop)};
  state_->options = std::move(options.options);
  state_->reduce_dims = options.reduce_dims;
  if (state_->signature.is_concrete())
    core::compile_early(
        state_->request(core::simplest_variant(state_->signature, core::written_types(state_->signature))));
}

kernel_result ElementwiseKernel::launch(std::span<const detail::argument> arguments,
                                        const elementwise_call& call) const {
  return state_->run(arguments, call);
}

const std::string& ElementwiseKernel::name() const noexcept { return state_->signature.name; }

void kernel_result::check_count(std::size_t wanted) const {
  if (wanted != outputs_.size())
    core::fail<value_error>("the kernel has {} outputs, not {}", outputs_.size(), wanted);
}

GPARRAY_END_NAMESPACE
