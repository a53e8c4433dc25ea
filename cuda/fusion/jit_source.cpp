#include <array>

#include <fmt/format.h>

#include <cuda/device/reduce_params.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/operand_source.hpp>
#include <cuda/fusion/pack_loads.hpp>
#include <cuda/fusion/short_rows.hpp>
#include <cuda/fusion/step_source.hpp>
#include <cuda/fusion/word_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const char* type_name(dtype d) {
  static constexpr const char* names[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) #kernel_type,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  };
  return names[static_cast<int>(d)];
}

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
  return instructions_of(steps, n_steps) * copies > most_copied_instructions;
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
    case kernel_form::short_rows:
      return text + "#include <cuda/map/short_rows.cuh>\n";
    case kernel_form::stencil:
      return text + "#include <cuda/map/stencil_map.cuh>\n";
    case kernel_form::broadcast:
      return text + "#include <cuda/map/broadcast_map.cuh>\n";
    case kernel_form::inner:
    case kernel_form::dense:
      return text +
             "#include <cuda/reduction/reduce_inner.cuh>\n#include <cuda/reduction/computed_runs.cuh>\n";
    case kernel_form::whole:
      return text + "#include <cuda/reduction/reduce_whole.cuh>\n";
    case kernel_form::neighbours:
      return text + "#include <cuda/reduction/reduce_neighbours.cuh>\n";
    case kernel_form::scan:
      return text + "#include <cuda/reduction/computed_scans.cuh>\n";
    case kernel_form::scanned:
      return text + "#include <cuda/reduction/reduce_scanned.cuh>\n";
    default:
      return text +
             "#include <cuda/reduction/reduce_columns.cuh>\n#include <cuda/reduction/computed_rows.cuh>\n";
  }
}

namespace {

/// The arithmetic of a scan, as the table of scan.cu has it.
std::string scan_core(dtype type, bool is_sum, bool skips_nan) {
  return fmt::format("gparray::kernel::{0}_core<{1}, gparray::kernel::widened_t<{1}>, {2}>",
                     is_sum ? "sum" : "prod", type_name(type), skips_nan);
}

/// The step that is a scan, of the form scanned; null if there is none.
const kernel_step* scan_of(const kernel_key& key) {
  return key.form == kernel_form::scanned ? &key.steps[key.columns] : nullptr;
}

bool is_side_by_side(const kernel_key& key) { return key.copies == expression_copies::side_by_side; }

std::string step_text(const kernel_key& key, int s, const std::string& struct_name, bool quickly) {
  if (const kernel_step* scan = scan_of(key); scan == &key.steps[s])
    return fmt::format("{0} v{1} = kernel::narrow<{0}>(sum = scan::include(sum, v{2}));\n",
                       type_name(scan->loop), key.n_inputs + s, scan->args[0]);
  const kernel_step& own = key.steps[s];
  const char* const type = type_name(value_type(key, key.n_inputs + s));
  const int v = key.n_inputs + s;
  if (const int first = first_of_rest(key, s); first >= 0) {
    const std::string rest =
        first == s ? fmt::format("{} r{} = {}, ", type, s, rest_call(own)) : type + std::string(1, ' ');
    return fmt::format("{}v{} = {};\n", rest, v, step_of_rest(own, first));
  }
  return fmt::format("{} v{} = {};\n", type, v, step_call(key, s, struct_name, quickly));
}

/// Whether a value is the same in all of the rows that a thread takes at once.
bool is_common(const kernel_key& key, int v) {
  if (v < key.n_inputs)
    return key.sharing[v] == row_sharing::same || key.sharing[v] == row_sharing::component;
  const kernel_step& s = key.steps[v - key.n_inputs];
  for (int i = 0; i < arity(s); ++i)
    if (!is_common(key, s.args[static_cast<std::size_t>(i)])) return false;
  return true;
}

/// Steps that the compiler would do again for each row: it does not see into what quick_math.cuh has them do.
bool is_kept(const kernel_key& key, int s) {
  return key.form == kernel_form::neighbours && *quick_call(key.steps[s]) != 0 &&
         is_common(key, key.n_inputs + s);
}

/// The steps in the form without branches, what all rows have in common in that of the first one alone.
std::string quick_steps_text(const kernel_key& key, const std::string& struct_name) {
  std::string text;
  for (int s = 0; s < key.n_steps; ++s)
    if (is_kept(key, s))
      text += fmt::format("    if (quick.is_first) quick.v{0} = {1};\n    const float v{0} = quick.v{0};\n",
                          key.n_inputs + s, step_call(key, s, struct_name, true));
    else text += "    const " + step_text(key, s, struct_name, true);
  return text;
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

/// Before a statement that a thread does for each of its elements.
constexpr const char* each_lane = "#pragma unroll\n    for (int k = 0; k < lanes; ++k) ";

/// A step for all elements of a thread, behind the declaration of its value.
std::string side_by_side_step(const kernel_key& key, int s, const std::string& struct_name) {
  const kernel_step& own = key.steps[s];
  const int v = key.n_inputs + s;
  const int rest = first_of_rest(key, s);
  std::string text;
  if (rest == s)
    text = fmt::format("    {} r{}[lanes];\n{}r{}[k] = {};\n", type_name(own.loop), s, each_lane, s,
                       rest_call(own, "[k]"));
  if (rest >= 0) return text + fmt::format("{}v{}[k] = {};\n", each_lane, v, step_of_rest(own, rest, "[k]"));
  if (loads_pack(own)) return fmt::format("    load_whole_pack(v{}, v{}[0]);\n", v, own.args[0]);
  const std::string_view function = plain_function(own);
  if (function.empty())
    return fmt::format("{}v{}[k] = {};\n", each_lane, v, step_call(key, s, struct_name, false, "[k]"));
  return fmt::format(
      "    call_plainly<plain_{0}>(v{1}, v{2}, [](double x) {{ return kernel::invoke<kernel::{0}_op, "
      "double>(x); }});\n",
      function, v, own.args[0]);
}

/// Values that one turn hands to the next are variables, as are those of the last turn that are read behind
/// it.
std::string loop_text(const kernel_key& key, const std::string& struct_name) {
  const bool side_by_side = is_side_by_side(key);
  const char* const lanes = side_by_side ? "[lanes]" : "";
  const char* const at = side_by_side ? "[k]" : "";
  const char* const each = side_by_side ? each_lane : "    ";
  const int turn = key.loop.first + key.loop.carried, end = turn + key.loop.period;
  // Several turns' elements are on their way at once, as their addresses follow from one another alone.
  constexpr int turns_in_flight = 8;
  bool loads = false;
  std::string before, steps, next, carried;
  for (int s = key.loop.first; s < turn; ++s) {
    const kernel_step& c = key.steps[s];
    const int v = key.n_inputs + s;
    before += fmt::format("    {0} v{1}{2};\n{3}v{1}{4} = v{5}{4};\n", type_name(c.loop), v, lanes, each, at,
                          c.args[0]);
    next += fmt::format("    {0} n{1}{2};\n{3}n{1}{4} = v{5}{4};\n", type_name(c.loop), v, lanes, each, at,
                        c.args[1]);
    carried += fmt::format("{0}v{1}{2} = n{1}{2};\n", each, v, at);
  }
  for (int s = turn; s < end; ++s) {
    const int v = key.n_inputs + s;
    loads = loads || key.steps[s].op == ufunc::load;
    std::string& declarations = is_read_behind_loop(key, s) ? before : steps;
    declarations += fmt::format("    {} v{}{};\n", type_name(value_type(key, v)), v, lanes);
    steps += side_by_side ? side_by_side_step(key, s, struct_name)
                          : fmt::format("    v{} = {};\n", v, step_call(key, s, struct_name, false));
  }
  // No program has written more turns than an int counts.
  return fmt::format(
      "{}    int turns = static_cast<int>(v{}{});\n#pragma unroll {}\n    do {{\n{}{}{}    }} while (--turns "
      "> 0);\n",
      before, key.loop.count, side_by_side ? "[0]" : "", loads ? turns_in_flight : 1, steps, next, carried);
}

std::string steps_text(const kernel_key& key, const std::string& struct_name) {
  std::string text;
  for (int s = 0; s < key.n_steps; ++s) {
    if (key.loop.period > 0 && s == key.loop.first) {
      text += loop_text(key, struct_name);
      s += key.loop.carried + key.loop.period - 1;
    } else if (is_side_by_side(key)) {
      const int v = key.n_inputs + s;
      text += fmt::format("    {} v{}[lanes];\n", type_name(value_type(key, v)), v) +
              side_by_side_step(key, s, struct_name);
    } else {
      text += "    const " + step_text(key, s, struct_name, false);
    }
  }
  return text;
}

}  // namespace

bool is_called(const kernel_key& key) {
  if (key.copies == expression_copies::each || has_words(key)) return false;
  for (int i = 0; i < key.n_inputs; ++i)
    if (key.inputs[i].type == dtype::int8 || key.inputs[i].type == dtype::int16) return false;
  return true;
}

namespace {

/// Whether the expression has a form without branches beside its own. One that is called has it inlined, if
/// it is short then.
bool is_quick(const kernel_key& key) {
  constexpr int quick_instructions = 12;
  // A scan goes along the elements once.
  if (key.loop.period > 0 || key.form == kernel_form::scanned) return false;
  int n_quick = 0, instructions = 0;
  for (int s = 0; s < key.n_steps; ++s) {
    const bool quick = *quick_call(key.steps[s]) != 0;
    n_quick += quick;
    instructions += quick ? quick_instructions : instructions_of(&key.steps[s], 1);
  }
  const bool lanes_only = key.form == kernel_form::rows || key.form == kernel_form::interleaved ||
                          key.form == kernel_form::stencil || key.form == kernel_form::broadcast;
  return n_quick > 0 &&
         (!is_called(key) || (lanes_only && instructions * key.lanes <= most_copied_instructions));
}

/// The steps, each of which is done for all elements of a thread before the next one.
std::string side_by_side_text(const kernel_key& key, const std::string& struct_name,
                              const std::string& value) {
  std::string parameters, stores;
  for (int i = 0; i < key.n_inputs; ++i)
    parameters += fmt::format(", const {} (&v{})[lanes]", type_name(key.inputs[i].type), i);
  for (int k = 0; k < key.n_stores; ++k) {
    parameters += fmt::format(", {} (&s{})[lanes]", type_name(value_type(key, key.stores[k])), k);
    stores += fmt::format("{}s{}[k] = v{}[k];\n", each_lane, k, key.stores[k]);
  }
  return fmt::format(
      "  static constexpr bool side_by_side = true;\n"
      "  static __device__ __forceinline__ void call_all(result (&results)[lanes]{}) {{\n{}{}{}results[k] = "
      "{};\n  }}\n",
      parameters, steps_text(key, struct_name), stores, each_lane, value);
}

std::string quick_text(const kernel_key& key, const std::string& struct_name, const std::string& parameters,
                       const std::string& stores, const std::string& value) {
  std::string kept;
  for (int s = 0; s < key.n_steps; ++s)
    if (is_kept(key, s)) kept += fmt::format("    float v{};\n", key.n_inputs + s);
  if (!kept.empty()) kept = "    bool is_first = true;\n" + kept;
  return fmt::format(
      "  struct quick_values : number_range {{\n{}  }};\n"
      "  static __device__ __forceinline__ result call_quickly(quick_values& quick, {}) {{\n"
      "{}{}    return {};\n  }}\n",
      kept, parameters, quick_steps_text(key, struct_name), stores, value);
}

}  // namespace

bool gains_side_by_side(const kernel_key& key) {
  constexpr int most_words = 14, most_instructions = 1024;
  // Elements of a loop share the count of its turns, and what comes before it; addresses of its own each has.
  if (key.loop.period > 0)
    return std::none_of(key.steps, key.steps + key.n_steps,
                        [](const kernel_step& s) { return s.op == ufunc::load; }) &&
           words_at_once(key) <= most_words &&
           instructions_of(key.steps, key.n_steps) * side_by_side_lanes <= most_copied_instructions;
  bool is_double = false;
  for (int s = 0; s < key.n_steps; ++s) is_double = is_double || key.steps[s].loop == dtype::float64;
  return is_double && is_called(key) && !is_quick(key) && words_at_once(key) <= most_words &&
         instructions_of(key.steps, key.n_steps) <= most_instructions;
}

std::string kernel_struct(const kernel_key& key, const std::string& struct_name) {
  if (key.in_memory()) return {};
  std::string types, parameters, functions, stores, stored_types;
  for (int i = 0; i < key.n_inputs; ++i) {
    const char* comma = i ? ", " : "";
    types += fmt::format("{}{}", comma, type_name(key.inputs[i].type));
    parameters += fmt::format("{}{} v{}", comma, type_name(key.inputs[i].type), i);
  }
  for (int s = 0; s < key.n_steps; ++s)
    if (key.steps[s].op == ufunc::user) functions += user_function(key.steps[s], s);
  for (int k = 0; k < key.n_stores; ++k) {
    const std::string type = type_name(value_type(key, key.stores[k]));
    stored_types += fmt::format(", {}", type);
    parameters += fmt::format(", {}& s{}", type, k);
    stores += fmt::format("    s{} = v{};\n", k, key.stores[k]);
  }
  std::string scan;
  if (const kernel_step* step = scan_of(key)) {
    scan = fmt::format("  using scan = {};\n", scan_core(step->loop, step->op == ufunc::add, false));
    parameters += ", scan::value& sum";
  }
  const std::string stored = key.n_stores == 0
                                 ? ""
                                 : fmt::format(
                                       "  static constexpr int stores = {};\n  template<int I>\n"
                                       "  using stored = type_at<I{}>;\n",
                                       key.n_stores, stored_types);
  const std::string numbers =
      key.has_more_numbers() ? fmt::format(", places = {}, numbers = {}", key.n_placed(), max_numbers) : "";
  if (!functions.empty())
    functions =
        fmt::format("namespace {} {{\nGPARRAY_MATH_NAMES\n{}}}\n", functions_space(struct_name), functions);
  const int last = key.n_steps ? key.n_inputs + key.n_steps - 1 : 0;
  const auto value = [&](const char* at) {
    return value_type(key, last) == key.out
               ? fmt::format("v{}{}", last, at)
               : fmt::format("kernel::cast<{}>(v{}{})", type_name(key.out), last, at);
  };
  const auto call = [&] {
    if (key.form == kernel_form::short_rows) return short_rows_text(key, struct_name, is_quick(key));
    if (is_side_by_side(key)) return side_by_side_text(key, struct_name, value("[k]"));
    const bool is_apart = is_called(key) && key.n_stores > 0;
    return fmt::format("  static __device__ {} result {}({}) {{\n{}{}    return {};\n  }}\n",
                       is_called(key) ? "__noinline__" : "__forceinline__", is_apart ? "call_apart" : "call",
                       parameters, steps_text(key, struct_name), stores, value("")) +
           (is_apart ? call_of_apart(key, parameters) : "") +
           (is_quick(key) ? quick_text(key, struct_name, parameters, stores, value("")) : "") +
           (has_words(key) ? words_text(key, struct_name) : "");
  };
  return fmt::format(R"({}struct {} {{
  static constexpr int arity = {}, slots = {}, lanes = {}, dims = {}{};
  static constexpr bool flat = {};
{}  template<int I>
  using argument = type_at<I, {}>;
  using result = {};
{}{}}};
)",
                     functions, struct_name, key.n_inputs, key.slots(), key.lanes, key.dims, numbers,
                     key.flat, operands_text(key), types, type_name(key.out), stored + scan, call());
}

std::string reduction_type(const kernel_key& key) {
  std::string list;
  for (int i = 0; i < key.n_reductions; ++i)
    list += fmt::format("{}gparray::kernel::{}_reduction<{}>", i ? ", " : "", name(key.reductions[i]),
                        type_name(key.out));
  return key.n_reductions == 1 ? list : fmt::format("gparray::kernel::joined_reduction<{}>", list);
}

const char* params_name(const kernel_key& key) {
  switch (key.form) {
    case kernel_form::columns:
      return "column_params";
    case kernel_form::dense:
      return "dense_params";
    case kernel_form::whole:
      return "whole_params";
    case kernel_form::neighbours:
      return "neighbour_params";
    case kernel_form::scan:
    case kernel_form::scanned:
      return "scan_params";
    default:
      return key.reduces_jumping() ? "jumping_inner_params" : "inner_params";
  }
}

std::string reduction_params(const kernel_key& key, const std::string& struct_name) {
  constexpr const char* space = "gparray::core::cuda::";
  std::string params = fmt::format("{}{}", space, params_name(key));
  if (!key.in_memory()) params = fmt::format("{0}expression_params<{1}, {0}{2}>", space, params, struct_name);
  return key.n_reductions == 1 ? params : fmt::format("{}joined_params<{}>", space, params);
}

namespace {

const char* scan_name(scan_kernel kernel) {
  static constexpr const char* names[] = {"tiles", "short_rows", "middle_rows", "columns", "column_tiles"};
  return names[static_cast<int>(kernel)];
}

std::string scan_core(const kernel_key& key) {
  const reduction op = key.reductions[0];
  const bool is_sum = op == reduction::sum || op == reduction::nansum,
             skips = op == reduction::nansum || op == reduction::nanprod;
  return scan_core(key.out, is_sum, skips && is_inexact(key.out));
}

const char* map_name(const kernel_key& key) {
  switch (key.form) {
    case kernel_form::strided:
      return "strided_map";
    case kernel_form::interleaved:
      return "interleaved_map";
    case kernel_form::jumping:
      return "jumping_map";
    case kernel_form::short_rows:
      return "short_rows_map";
    case kernel_form::stencil:
      return "stencil_map";
    case kernel_form::broadcast:
      return "broadcast_map";
    default:
      return is_side_by_side(key) ? "side_by_side_map" : "vector_map";
  }
}

}  // namespace

std::string kernel_expression(const kernel_key& key, const std::string& struct_name) {
  constexpr const char* space = "gparray::core::cuda::";
  if (is_map(key.form)) return fmt::format("{0}{2}<{0}{1}>", space, struct_name, map_name(key));
  const char* reduction = "inner";
  switch (key.form) {
    case kernel_form::whole:
      reduction = "whole";
      break;
    case kernel_form::columns:
      reduction = "columns";
      break;
    case kernel_form::scanned:
      reduction = "scanned";
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

compile_request kernel_request(const kernel_key& key, const std::string& architecture) {
  return request_of(kernel_source(key), kernel_expression(key), architecture);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
