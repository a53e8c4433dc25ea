#include <array>

#include <fmt/format.h>

#include <cuda/device/reduce_params.hpp>
#include <cuda/fusion/jit_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

const char* type_name(dtype d) {
  static constexpr const char* names[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) #kernel_type,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  };
  return names[static_cast<int>(d)];
}

const char* mode_name(access mode) {
  static constexpr const char* names[] = {"contiguous", "row_value", "constant_bits", "strided", "iota"};
  return names[static_cast<int>(mode)];
}

const char* sharing_name(row_sharing sharing) {
  static constexpr const char* names[] = {"none", "same", "interleaved"};
  return names[static_cast<int>(sharing)];
}

dtype value_type(const kernel_key& key, int v) {
  if (v < key.n_inputs) return key.inputs[v].type;
  return output_dtype(key.steps[v - key.n_inputs]);
}

/// A function that the program brought; halves are computed in float, as on the CPU.
std::string user_function(const kernel_step& s, int number) {
  const gparray::detail::user_function& f = *s.user->function;
  std::string parameters(f.parameters);  // "(x, y)"
  for (std::size_t at = 1; at != std::string::npos; at = parameters.find(',', at + 2)) {
    if (at > 1) ++at;
    parameters.insert(at, "T ");
  }
  return fmt::format(
      "template<class T>\n__device__ __forceinline__ auto user_{}{} {{\n"
      "#line {} \"{}\"\n  return ({});\n#line 1 \"expression.cu\"\n}}\n",
      number, parameters, f.line, f.file, f.expression);
}

/// The functions of a struct, whose parameters may have the names of mathematical ones: those are one scope
/// further out.
std::string functions_space(const std::string& struct_name) { return struct_name + "_functions"; }

std::string step_call(const kernel_step& s, int number, const std::string& struct_name) {
  if (s.op == ufunc::cast) return fmt::format("kernel::cast<{}>(v{})", type_name(s.loop), s.args[0]);
  if (s.op == ufunc::load)
    return fmt::format("v{1} ? *reinterpret_cast<const {0}*>(v{1}) : kernel::cast<{0}>(0)", type_name(s.loop),
                       s.args[0]);
  std::string arguments;
  for (int i = 0; i < arity(s); ++i) arguments += fmt::format("{}v{}", i ? ", " : "", s.args[i]);
  if (s.op == ufunc::user)
    return fmt::format("static_cast<{}>({}::user_{}<kernel::compute_t<{}>>({}))", type_name(s.user->result),
                       functions_space(struct_name), number, type_name(s.loop), arguments);
  return fmt::format("kernel::invoke<kernel::{}_op, {}>({})", name(s.op), type_name(s.loop), arguments);
}

}  // namespace

template<class Number>
int instructions_of(const basic_step<Number>* steps, int n_steps) {
  int instructions = 0;
  for (int i = 0; i < n_steps; ++i) {
    const int words = itemsize(steps[i].loop) > 4 ? 2 : 1;
    instructions += gparray::detail::is_few(steps[i].op, steps[i].loop) ? 2 : 32 * words;
  }
  return instructions;
}
template int instructions_of(const step*, int);
template int instructions_of(const kernel_step*, int);

bool is_long(const step* steps, int n_steps, int copies) {
  return instructions_of(steps, n_steps) * copies > 384;
}

std::string kernel_includes(kernel_form form) {
  std::string text =
      "#pragma nv_diag_suppress 186\n#include \"functors.hpp\"\n#include \"gparray/ufunc/ufunc_math.hpp\"\n";
  switch (form) {
    case kernel_form::rows:
    case kernel_form::strided:
      return text + "#include <cuda/map/map_kernels.cuh>\n";
    case kernel_form::interleaved:
    case kernel_form::jumping:
      return text + "#include <cuda/map/interleaved_kernels.cuh>\n";
    case kernel_form::inner:
    case kernel_form::dense:
      return text +
             "#include <cuda/reduction/reduce_inner.cuh>\n#include <cuda/reduction/computed_rows.cuh>\n";
    case kernel_form::whole:
      return text + "#include <cuda/reduction/reduce_whole.cuh>\n";
    case kernel_form::neighbours:
      return text + "#include <cuda/reduction/reduce_neighbours.cuh>\n";
    case kernel_form::scan:
      return text + "#include <cuda/reduction/computed_scans.cuh>\n";
    default:
      return text +
             "#include <cuda/reduction/reduce_columns.cuh>\n#include <cuda/reduction/computed_rows.cuh>\n";
  }
}

namespace {

std::string step_text(const kernel_key& key, int s, const std::string& struct_name) {
  return fmt::format("{} v{} = {};\n", type_name(value_type(key, key.n_inputs + s)), key.n_inputs + s,
                     step_call(key.steps[s], s, struct_name));
}

/// Whether something behind the loop reads the value of a step in it.
bool is_read_behind_loop(const kernel_key& key, int s) {
  const int v = key.n_inputs + s, end = key.loop.first + key.loop.carried + key.loop.period;
  for (int later = end; later < key.n_steps; ++later)
    for (int i = 0; i < arity(key.steps[later]); ++i)
      if (key.steps[later].args[static_cast<std::size_t>(i)] == v) return true;
  return s == key.n_steps - 1 ||
         std::find(key.stores, key.stores + key.n_stores, v) != key.stores + key.n_stores;
}

/// Values that one turn hands to the next are variables, as are those of the last turn that are read behind
/// it.
std::string loop_text(const kernel_key& key, const std::string& struct_name) {
  const int turn = key.loop.first + key.loop.carried, end = turn + key.loop.period;
  std::string before, steps, next, carried;
  for (int s = key.loop.first; s < turn; ++s) {
    const kernel_step& c = key.steps[s];
    const int v = key.n_inputs + s;
    before += fmt::format("    {} v{} = v{};\n", type_name(c.loop), v, c.args[0]);
    next += fmt::format("      const {} n{} = v{};\n", type_name(c.loop), v, c.args[1]);
    carried += fmt::format("      v{0} = n{0};\n", v);
  }
  for (int s = turn; s < end; ++s) {
    const int v = key.n_inputs + s;
    if (is_read_behind_loop(key, s)) {
      before += fmt::format("    {} v{};\n", type_name(value_type(key, v)), v);
      steps += fmt::format("      v{} = {};\n", v, step_call(key.steps[s], s, struct_name));
    } else {
      steps += "      const " + step_text(key, s, struct_name);
    }
  }
  return fmt::format(
      "{}    long long turns = v{};\n#pragma unroll 1\n    do {{\n{}{}{}    }} while (--turns > 0);\n",
      before, key.loop.count, steps, next, carried);
}

std::string steps_text(const kernel_key& key, const std::string& struct_name) {
  std::string text;
  for (int s = 0; s < key.n_steps; ++s) {
    if (key.loop.period > 0 && s == key.loop.first) {
      text += loop_text(key, struct_name);
      s += key.loop.carried + key.loop.period - 1;
    } else {
      text += "    const " + step_text(key, s, struct_name);
    }
  }
  return text;
}

}  // namespace

/// Whether the expression may be a function that is called. Not of int8 and int16: where a step makes such a
/// parameter unsigned and a later one floating, ptxas of CUDA 13.0 converts it as a signed number
/// (tests/tools/narrow_parameter.cu).
bool is_called(const kernel_key& key) {
  for (int i = 0; i < key.n_inputs; ++i)
    if (key.inputs[i].type == dtype::int8 || key.inputs[i].type == dtype::int16) return false;
  return key.compact;
}

std::string kernel_struct(const kernel_key& key, const std::string& struct_name) {
  if (key.in_memory()) return {};
  std::string modes, jumps, types, parameters, steps, functions, stored_types, sharing, aligned;
  for (int i = 0; i < key.n_inputs; ++i) {
    const char* comma = i ? ", " : "";
    sharing += fmt::format("{}row_sharing::{}", comma, sharing_name(key.sharing[i]));
    aligned += fmt::format("{}{}", comma, key.inputs[i].aligned);
    jumps += fmt::format("{}{}", comma, key.inputs[i].jumps);
    modes += fmt::format("{}access::{}", comma, mode_name(key.inputs[i].mode));
    types += fmt::format("{}{}", comma, type_name(key.inputs[i].type));
    parameters += fmt::format("{}{} v{}", comma, type_name(key.inputs[i].type), i);
  }
  steps = steps_text(key, struct_name);
  for (int s = 0; s < key.n_steps; ++s)
    if (key.steps[s].op == ufunc::user) functions += user_function(key.steps[s], s);
  for (int k = 0; k < key.n_stores; ++k) {
    const std::string type = type_name(value_type(key, key.stores[k]));
    stored_types += fmt::format(", {}", type);
    parameters += fmt::format(", {}& s{}", type, k);
    steps += fmt::format("    s{} = v{};\n", k, key.stores[k]);
  }
  const std::string stored = key.n_stores == 0
                                 ? ""
                                 : fmt::format(
                                       "  static constexpr int stores = {};\n  template<int I>\n"
                                       "  using stored = type_at<I{}>;\n",
                                       key.n_stores, stored_types);
  if (may_jump(key.form)) modes += fmt::format("}};\n  static constexpr unsigned char jumps[] = {{{}", jumps);
  if (!functions.empty())
    functions =
        fmt::format("namespace {} {{\nGPARRAY_MATH_NAMES\n{}}}\n", functions_space(struct_name), functions);
  std::string rows;
  if (key.form == kernel_form::neighbours)
    rows = fmt::format(
        "  static constexpr int columns = {};\n  static constexpr bool aligned[] = {{{}}};\n"
        "  static constexpr row_sharing sharing[] = {{{}}};\n",
        key.columns, aligned, sharing);
  const int last = key.n_steps ? key.n_inputs + key.n_steps - 1 : 0;
  const std::string value = value_type(key, last) == key.out
                                ? fmt::format("v{}", last)
                                : fmt::format("kernel::cast<{}>(v{})", type_name(key.out), last);
  return fmt::format(R"({}struct {} {{
  static constexpr int arity = {}, slots = {}, lanes = {}, dims = {};
  static constexpr bool flat = {};
  static constexpr access modes[] = {{{}}};
{}  template<int I>
  using argument = type_at<I, {}>;
  using result = {};
{}  static __device__ {} result call({}) {{
{}    return {};
  }}
}};
)",
                     functions, struct_name, key.n_inputs, key.slots(), key.lanes, key.dims, key.flat, modes,
                     rows, types, type_name(key.out), stored,
                     is_called(key) ? "__noinline__" : "__forceinline__", parameters, steps, value);
}

std::string reduction_type(const kernel_key& key) {
  std::string list;
  for (int i = 0; i < key.n_reductions; ++i)
    list += fmt::format("{}gparray::kernel::{}_reduction<{}>", i ? ", " : "", name(key.reductions[i]),
                        type_name(key.out));
  return key.n_reductions == 1 ? list : fmt::format("gparray::kernel::joined_reduction<{}>", list);
}

const char* params_name(kernel_form form) {
  switch (form) {
    case kernel_form::columns:
      return "column_params";
    case kernel_form::dense:
      return "dense_params";
    case kernel_form::whole:
      return "whole_params";
    case kernel_form::neighbours:
      return "neighbour_params";
    case kernel_form::scan:
      return "scan_params";
    default:
      return "inner_params";
  }
}

std::string reduction_params(const kernel_key& key, const std::string& struct_name) {
  constexpr const char* space = "gparray::core::cuda::";
  std::string params = fmt::format("{}{}", space, params_name(key.form));
  if (key.form == kernel_form::columns && key.lanes > 0)
    params = fmt::format("{}narrow_params<{}>", space, key.lanes);
  if (!key.in_memory()) params = fmt::format("{0}expression_params<{1}, {0}{2}>", space, params, struct_name);
  return key.n_reductions == 1 ? params : fmt::format("{}joined_params<{}>", space, params);
}

namespace {

const char* scan_name(scan_kernel kernel) {
  static constexpr const char* names[] = {"tiles", "short_rows", "middle_rows", "columns", "column_tiles"};
  return names[static_cast<int>(kernel)];
}

/// As the table of scan.cu has it.
std::string scan_core(const kernel_key& key) {
  const reduction op = key.reductions[0];
  const bool is_sum = op == reduction::sum || op == reduction::nansum,
             skips = op == reduction::nansum || op == reduction::nanprod;
  return fmt::format("gparray::kernel::{0}_core<{1}, gparray::kernel::widened_t<{1}>, {2}>",
                     is_sum ? "sum" : "prod", type_name(key.out), skips && is_inexact(key.out));
}

}  // namespace

std::string kernel_expression(const kernel_key& key, const std::string& struct_name) {
  constexpr const char* space = "gparray::core::cuda::";
  const char* reduction = "inner";
  switch (key.form) {
    case kernel_form::rows:
      return fmt::format("{0}vector_map<{0}{1}>", space, struct_name);
    case kernel_form::strided:
      return fmt::format("{0}strided_map<{0}{1}>", space, struct_name);
    case kernel_form::interleaved:
      return fmt::format("{0}interleaved_map<{0}{1}>", space, struct_name);
    case kernel_form::jumping:
      return fmt::format("{0}jumping_map<{0}{1}>", space, struct_name);
    case kernel_form::whole:
      reduction = "whole";
      break;
    case kernel_form::columns:
      reduction = "columns";
      break;
    case kernel_form::scan:
      return fmt::format("{0}scan_{1}<{2}, {3}>", space, scan_name(static_cast<scan_kernel>(key.dims)),
                         scan_core(key), reduction_params(key, struct_name));
    case kernel_form::neighbours:
      return fmt::format("{0}reduce_neighbours<{1}, {0}{2}, {3}>", space, reduction_type(key), struct_name,
                         reduction_params(key, struct_name));
    default:
      break;
  }
  return fmt::format("{}reduce_{}<{}, {}>", space, reduction, reduction_type(key),
                     reduction_params(key, struct_name));
}

std::string kernel_expression(const kernel_key& key) { return kernel_expression(key, "expression"); }

std::string kernel_source(const kernel_key& key) {
  return kernel_includes(key.form) + "\nnamespace gparray::core::cuda {\n" +
         kernel_struct(key, "expression") + "}  // namespace gparray::core::cuda\n";
}

namespace {

std::string caches_struct(const chain_key& key) {
  std::string members, getters;
  for (std::size_t c = 0; c < key.caches.size(); ++c) {
    members += fmt::format("  row_cache<{}, packs> cache_{};\n", type_name(key.caches[c].type), c);
    getters += fmt::format("    {}if constexpr (C == {}) return (cache_{});\n", c ? "else " : "", c, c);
  }
  return fmt::format(
      "struct row_caches {{\n  static constexpr int packs = {};\n{}  template<int C>\n"
      "  __device__ __forceinline__ auto& of() {{\n{}  }}\n}};\n",
      key.packs, members, getters);
}

/// Blocks that a multiprocessor has room for, if a pack of one cache takes four registers of a thread and all
/// else some thirty: so many wait for memory while others compute.
int blocks_of_chain(int packs) { return packs == 0 ? 4 : packs <= 4 ? 5 : packs <= 8 ? 4 : 3; }

/// What a stage does, in a kernel with caches or without.
std::string stage_call(const chain_key& key, std::size_t number, int operand) {
  const chain_stage_key& stage = key.stages[number];
  const kernel_key& kernel = stage.kernel;
  const bool reduces = kernel.form == kernel_form::inner;
  std::string types = reduces ? reduction_type(kernel) + ", " : "";
  types += fmt::format("stage_{}", number);
  if (kernel.form == kernel_form::strided || key.packs == 0) {
    const char* columns = reduces ? "" : kernel.form == kernel_form::rows ? ", p.n_columns" : ", 1";
    return fmt::format("  {}_rows<{}>(p, {}, {}{});\n", reduces ? "reduce" : "map", types, number, operand,
                       columns);
  }
  std::string cached;
  for (int i = 0; i < kernel.n_inputs; ++i)
    cached += fmt::format("{}{}", i ? ", " : "", stage.cached[static_cast<std::size_t>(i)]);
  types += fmt::format(", cached_operands<{}>", cached);
  if (!reduces) types += fmt::format(", {}, {}", stage.kept, stage.stores);
  return fmt::format("  {}_cached<{}>(p, {}, {}, caches);\n", reduces ? "reduce" : "map", types, number,
                     operand);
}

}  // namespace

std::string chain_source(const chain_key& key) {
  std::string structs, calls;
  if (key.packs > 0) {
    structs = caches_struct(key);
    calls = "  row_caches caches;\n";
    for (std::size_t c = 0; c < key.caches.size(); ++c)
      if (key.caches[c].operand >= 0)
        calls += fmt::format("  fill_cache(caches.cache_{}, p, {});\n", c, key.caches[c].operand);
  }
  int operand = 0;
  for (std::size_t k = 0; k < key.stages.size(); ++k) {
    structs += kernel_struct(key.stages[k].kernel, fmt::format("stage_{}", k));
    calls += stage_call(key, k, operand);
    // What a stage leaves of a row in memory is read by all threads of the row's.
    if (key.stages[k].stores && k + 1 < key.stages.size()) calls += "  __syncthreads();\n";
    operand += key.stages[k].kernel.n_inputs;
  }
  return kernel_includes(kernel_form::inner) + "#include <cuda/reduction/row_chain.cuh>\n" +
         "\nnamespace gparray::core::cuda {\n" + structs +
         fmt::format("__global__ void __launch_bounds__(reduce_threads, {})\n", blocks_of_chain(key.packs)) +
         "    row_chain(const __grid_constant__ chain_params p) {\n"
         "  wait_for_prior_grids();\n" +
         calls + "}\n}  // namespace gparray::core::cuda\n";
}

compile_request request_of(std::string source, std::string kernel, const std::string& architecture) {
  compile_request request;
  request.source = std::move(source);
  request.file_name = "expression.cu";
  request.architecture = architecture;
  request.options = {"-std=c++20", "-default-device"};
  request.name_expressions = {std::move(kernel)};
  request.kernel_headers = true;
  return request;
}

compile_request kernel_request(const chain_key& key, const std::string& architecture) {
  return request_of(chain_source(key), "gparray::core::cuda::row_chain", architecture);
}

compile_request kernel_request(const kernel_key& key, const std::string& architecture) {
  return request_of(kernel_source(key), kernel_expression(key), architecture);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
