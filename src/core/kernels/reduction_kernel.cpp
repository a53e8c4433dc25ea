// ReductionKernel: the axes of a call, its source from the declaration, and its launch.
#include <algorithm>
#include <cstdlib>

#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/kernels/user_kernel_cache.hpp>
#include <core/kernels/user_kernel_launch.hpp>
#include <core/kernels/user_kernel_source.hpp>
#include <core/kernels/user_reduction_geometry.hpp>
#include <core/runtime/on_stream.hpp>
#include <core/runtime/pending.hpp>
#include <gparray/kernels/reduction_kernel.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The axes of a call, taken apart.
struct call_axes {
  dims order;  // reduced axes, then kept ones
  std::size_t n_reduced;
  dims loop_shape;    // of the axes in that order
  dims kept_shape;    // of the kept ones
  dims result_shape;  // with or without the reduced axes
};

call_axes take_apart(const dims& shape, const reduction_call& call) {
  const int ndim = static_cast<int>(shape.size());
  const dims reduced = normalize_axes(call.axis, ndim);
  call_axes axes;
  axes.n_reduced = reduced.size();
  axes.order = reduced;
  for (int d = 0; d < ndim; ++d) {
    const bool is_reduced = std::ranges::find(reduced, d) != reduced.end();
    const std::int64_t n = shape[static_cast<std::size_t>(d)];
    if (!is_reduced) {
      axes.order.push_back(d);
      axes.kept_shape.push_back(n);
    }
    if (!is_reduced || call.keepdims) axes.result_shape.push_back(is_reduced ? 1 : n);
  }
  for (const std::int64_t axis : axes.order) axes.loop_shape.push_back(shape[static_cast<std::size_t>(axis)]);
  return axes;
}

std::int64_t product_between(const dims& shape, std::size_t begin, std::size_t end) {
  std::int64_t n = 1;
  for (std::size_t d = begin; d < end; ++d) n *= shape[d];
  return n;
}

}  // namespace

class reduction_kernel_state {
 public:
  kernel_signature signature;
  reduction_text text;
  std::vector<std::string> options;
  bool reduce_dims = true;
  kernel_variants variants;

  compile_request request(const kernel_variant& v) const {
    return kernel_request(signature, reduction_source(signature, text, v), options);
  }

  kernel_result run(std::span<const detail::argument> given, const reduction_call& call) {
    std::vector<detail::argument> arguments(given.begin(), given.end());
    if (call.out.rep()) {
      if (signature.outputs.size() != 1 || arguments.size() != signature.inputs.size())
        fail<type_error>("{}: out is for a kernel of one output that is not an argument already",
                         signature.title);
      arguments.push_back(named(call.out));
    }
    kernel_arguments args(signature, arguments);
    dims shape;
    if (!args.broadcast_shape(false, shape))
      fail<value_error>("{}: the size of the reduction is undecided, for every array is raw",
                        signature.title);
    const call_axes axes = take_apart(shape, call);
    const std::int64_t length = product_between(axes.loop_shape, 0, axes.n_reduced);
    if (length == 0 && text.identity.empty())
      fail<value_error>("zero-size array to reduction operation {} which has no identity", signature.name);
    const stream_view* const on = call.stream ? &*call.stream : nullptr;
    if (on) prepare_stream(*on, args.on_device(), arguments);
    const on_stream scope(on);
    if (!args.has_outputs()) args.set_outputs(new_outputs(args, axes.result_shape));
    for (std::size_t i = 0; i < args.outputs().size(); ++i)
      if (!signature.outputs[i].raw) check_kernel_output(signature, i, args.outputs()[i], axes.result_shape);
    for (const any_array& out : args.outputs()) effect_on(computed(out));
    if (checked_size(axes.kept_shape, 1) > 0) launch(args, shape, axes, length);
    return kernel_result(args.outputs());
  }

 private:
  /// What has been pending until now is made on the current stream, and the caller of another one knows
  /// nothing of it.
  void prepare_stream(const stream_view& on, device on_device,
                      std::span<const detail::argument> arguments) const {
    if (on.device() != on_device)
      fail<device_error>("{}: the stream is of {}, and the arrays are on {}", signature.title,
                         on.device().str(), on_device.str());
    bool fresh = anything_is_pending();
    for (const detail::argument& a : arguments) {
      if (!a.array) continue;
      fresh = fresh || a.array->pending();
      a.array->eval();
    }
    effect();
    const queue home = current_queue(on_device), q = queue_of(on);
    if (fresh && q.stream != home.stream) order_queues(home, q);
  }

  std::vector<any_array> new_outputs(const kernel_arguments& args, const dims& shape) const {
    std::vector<any_array> outputs;
    for (std::size_t i = 0; i < signature.outputs.size(); ++i)
      outputs.push_back(
          allocate(args.types().parameters[signature.inputs.size() + i], shape, args.on_device()));
    return outputs;
  }

  void launch(const kernel_arguments& args, const dims& shape, const call_axes& axes, std::int64_t length) {
    std::vector<bound_operand> operands = args.operands(shape, axes.result_shape);
    std::vector<bound_operand*> inputs, outputs;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i].form == operand_form::strided)
        (i < signature.inputs.size() ? inputs : outputs).push_back(&operands[i]);
    reorder(inputs, outputs, axes);

    dims loop = axes.loop_shape, kept = axes.kept_shape;
    std::size_t n_reduced = axes.n_reduced;
    add_missing_group(loop, inputs, n_reduced, n_reduced);
    n_reduced = std::max<std::size_t>(n_reduced, 1);
    add_missing_group(loop, inputs, n_reduced, loop.size() - n_reduced);
    if (kept.empty()) {
      kept = dims{1};
      for (bound_operand* o : outputs) o->strides = dims{0};
    }
    if (reduce_dims) {
      // Inputs and outputs may merge differently, and the loop over what is kept is one for both.
      std::vector<bound_operand*> all = inputs;
      std::vector<dims> output_strides;
      for (bound_operand* o : outputs) {
        output_strides.push_back(o->strides);
        dims padded = dims::filled(n_reduced, 0);
        for (const std::int64_t s : o->strides) padded.push_back(s);
        o->strides = padded;
        all.push_back(o);
      }
      merge_dimensions(loop, all, n_reduced, loop.size());
      const std::size_t n_kept = loop.size() - n_reduced;
      for (bound_operand* o : outputs) {
        dims only_kept;
        for (std::size_t d = n_reduced; d < n_reduced + n_kept; ++d) only_kept.push_back(o->strides[d]);
        o->strides = only_kept;
      }
      kept = dims{};
      for (std::size_t d = n_reduced; d < loop.size(); ++d) kept.push_back(loop[d]);
      n_reduced = merge_dimensions(loop, inputs, 0, n_reduced);
    }
    const bool columns = kept_is_faster(inputs, n_reduced, kept);
    pack(loop, inputs);
    pack(kept, outputs);

    kernel_variant v(args.types(), operands);
    v.ndim = n_reduced;
    v.kept_ndim = kept.size();
    const std::int64_t n_outputs = product_between(kept, 0, kept.size());
    v.indexes_64_bits = std::max(length, n_outputs) >= std::int64_t{1} << 31;
    const user_kernel k = variants.find(
        v.key(), args.on_device(), signature.name.c_str(), [&] { return request(v); },
        signature.size_name.c_str());
    enqueue(args, k, operands, loop, kept, length, n_outputs, columns);
  }

  /// The strides of inputs as reduced axes, then kept ones; those of outputs as kept axes alone.
  void reorder(const std::vector<bound_operand*>& inputs, const std::vector<bound_operand*>& outputs,
               const call_axes& axes) const {
    for (bound_operand* o : inputs) {
      const dims old = o->strides;
      for (std::size_t d = 0; d < axes.order.size(); ++d)
        o->strides[d] = old[static_cast<std::size_t>(axes.order[d])];
    }
    if (axes.result_shape.size() == axes.kept_shape.size()) return;
    for (bound_operand* o : outputs) {  // keepdims
      const dims old = o->strides;
      o->strides = dims{};
      for (std::size_t d = axes.n_reduced; d < axes.order.size(); ++d)
        o->strides.push_back(old[static_cast<std::size_t>(axes.order[d])]);
    }
  }

  static void add_missing_group(dims& loop, const std::vector<bound_operand*>& inputs, std::size_t position,
                                std::size_t members) {
    if (members > 0) return;
    loop.insert(position, 1);
    for (bound_operand* o : inputs) o->strides.insert(position, 0);
  }

  /// Whether neighbours in memory belong to different results.
  static bool kept_is_faster(const std::vector<bound_operand*>& inputs, std::size_t n_reduced,
                             const dims& kept) {
    if (inputs.empty() || kept.back() == 1) return false;
    const dims& s = inputs[0]->strides;
    return std::abs(s.back()) < std::abs(s[n_reduced - 1]);
  }

  static void pack(const dims& shape, const std::vector<bound_operand*>& operands) {
    for (bound_operand* o : operands)
      if (is_c_contiguous(shape, o->strides, itemsize(o->type))) o->form = operand_form::packed;
  }

  void enqueue(const kernel_arguments& args, const user_kernel& k, const std::vector<bound_operand>& operands,
               const dims& loop, const dims& kept, std::int64_t length, std::int64_t n_outputs,
               bool columns) const {
    const std::size_t value_bytes = k.variable_bytes;
    const reduction_geometry first = first_pass(length, n_outputs, columns, value_bytes);
    any_array partial;
    if (first.chunks > 1)
      partial =
          allocate(dtype::uint8, dims{first.chunks * n_outputs * static_cast<std::int64_t>(value_bytes)},
                   args.on_device());
    const auto pass = [&](const reduction_geometry& g, std::int64_t reduced, int number) {
      parameter_block parameters;
      parameters.begin();
      for (const std::int64_t value : {n_outputs, reduced, g.chunk, static_cast<std::int64_t>(number)})
        parameters.number(value);
      parameters.pointer(partial.rep() ? partial.rep()->data : nullptr);
      parameters.number(g.log_lanes);
      parameters.space(loop, length * n_outputs);
      parameters.space(kept, n_outputs);
      for (const bound_operand& o : operands) parameters.operand(o);
      kernel_launch l{};
      l.grid[0] = static_cast<unsigned>(g.blocks);
      l.grid[1] = static_cast<unsigned>(g.chunks);
      l.block[0] = static_cast<unsigned>(g.threads);
      l.shared_bytes = static_cast<std::size_t>(g.threads) * value_bytes;
      launch_user_kernel(signature, k.kernel, l, parameters, args.on_device());
    };
    if (first.chunks == 1) {
      pass(first, length, 0);
    } else {
      pass(first, length, 1);
      pass(second_pass(first.chunks, n_outputs, value_bytes), first.chunks, 2);
      record_use(partial.rep()->memory, current_queue(args.on_device()));
    }
    record_kernel_uses(operands, args.on_device());
  }
};

}  // namespace core

ReductionKernel::ReductionKernel(std::string in_params, std::string out_params, std::string map_expr,
                                 std::string reduce_expr, std::string post_map_expr, std::string identity,
                                 std::string name, reduction_kernel_options options)
    : state_(std::make_shared<core::reduction_kernel_state>()) {
  state_->signature =
      core::parse_signature("ReductionKernel", std::move(name), std::move(in_params), std::move(out_params));
  if (state_->signature.outputs.empty())
    core::fail<value_error>("{}: a reduction has an output", state_->signature.title);
  state_->text = {std::move(map_expr), std::move(reduce_expr),      std::move(post_map_expr),
                  std::move(identity), std::move(options.preamble), std::move(options.reduce_type)};
  state_->options = std::move(options.options);
  state_->reduce_dims = options.reduce_dims;
  if (state_->signature.is_concrete())
    core::compile_early(
        state_->request(core::simplest_variant(state_->signature, core::written_types(state_->signature))));
}

kernel_result ReductionKernel::launch(std::span<const detail::argument> arguments,
                                      const reduction_call& call) const {
  return state_->run(arguments, call);
}

const std::string& ReductionKernel::name() const noexcept { return state_->signature.name; }

GPARRAY_END_NAMESPACE
