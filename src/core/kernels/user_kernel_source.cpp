#include <algorithm>

#include <core/kernels/user_kernel_source.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// What a user's kernel calls the elements of a dtype.
std::string_view type_text(dtype d) {
  switch (d) {
    case dtype::float16:
      return "float16";
    case dtype::bfloat16:
      return "bfloat16";
    case dtype::complex64:
      return "complex<float>";
    case dtype::complex128:
      return "complex<double>";
    default: {
      static constexpr std::string_view names[] = {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) #kernel_type,
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
      };
      return names[static_cast<int>(d)];
    }
  }
}

// On a line of its own, for the text may end with a comment.
constexpr std::string_view end = "\n;\n";

constexpr std::string_view prologue =
    "#include \"user_kernel_math.hpp\"\n"
    "using float16 = gparray::kernel::user_half<gparray::float16>;\n"
    "using bfloat16 = gparray::kernel::user_half<gparray::bfloat16>;\n"
    "template<class Real> using complex = gparray::kernel::user_complex<Real>;\n";

class source_writer {
 public:
  source_writer(const kernel_signature& signature, const kernel_variant& variant)
      : signature_(signature), variant_(variant) {
    text_ = prologue;
    for (std::size_t i = 0; i < signature.size(); ++i)
      if (const auto& p = signature[i]; !p.placeholder.empty() && p.leader == i)
        text_ += fmt::format("typedef {} {};\n", type(i), p.placeholder);
  }

  template<class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  /// A piece of the user's text, so that messages name it and count its own lines.
  void user(std::string_view part, std::string_view text, std::string_view end = "\n") {
    if (!text.empty()) add("#line 1 \"{} ({})\"\n{}{}", signature_.name, part, text, end);
  }

  std::string_view type(std::size_t i) const { return type_text(variant_.types.parameters[i]); }
  std::string_view index() const { return variant_.indexes_64_bits ? "unsigned long" : "unsigned"; }

  /// ", operand _raw_x" for each parameter; raw arrays and numbers have their own names.
  void operands(std::size_t n_inputs_dims, std::size_t n_output_dims) {
    for (std::size_t i = 0; i < signature_.size(); ++i) {
      const kernel_parameter_text& p = signature_[i];
      const std::string element = fmt::format("{}{}", p.writable ? "" : "const ", type(i));
      const std::size_t n = i < signature_.inputs.size() ? n_inputs_dims : n_output_dims;
      switch (variant_.forms[i]) {
        case operand_form::scalar:
          add(",\n    const {} {}", type(i), p.name);
          break;
        case operand_form::packed:
          add(",\n    const gparray::kernel::packed_operand<{}> _raw_{}", element, p.name);
          break;
        case operand_form::strided:
          add(",\n    const gparray::kernel::strided_operand<{}, {}> _raw_{}", element, n, p.name);
          break;
        default:
          add(",\n    const gparray::kernel::raw_array<{}, {}, {}> {}", element, variant_.raw_ndim[i],
              variant_.forms[i] == operand_form::raw_packed, p.name);
      }
    }
  }
  /// References to the elements at the index that `space` holds; `position` is its number in C order.
  void elements(std::size_t first, std::size_t last, std::string_view position, std::string_view space) {
    for (std::size_t i = first; i < last; ++i)
      if (variant_.forms[i] == operand_form::packed || variant_.forms[i] == operand_form::strided)
        add("    {}{} &{} = _raw_{}.at({}, {}.get());\n", signature_[i].writable ? "" : "const ", type(i),
            signature_[i].name, signature_[i].name, position, space);
  }

  std::string finish() { return std::move(text_); }

 private:
  const kernel_signature& signature_;
  const kernel_variant& variant_;
  std::string text_;
};

constexpr std::string_view reduction_arguments =
    "struct _reduction_arguments {\n"
    "  long outputs, length, chunk, pass;\n"
    "  char* partial;\n"
    "  long log_lanes;\n"
    "};\n";

// One thread adds up every rows-th element of a chunk, then the rows of a block are folded in halves: a tree
// that the sizes alone decide. pass 0 reduces and finishes, pass 1 leaves one partial result for each chunk,
// pass 2 reduces those. Threads without an element take no part, so that no identity is needed.
constexpr std::string_view reduction_loop = R"(  extern __shared__ __align__(16) char _shared_bytes[];
  _type_reduce* const _shared = reinterpret_cast<_type_reduce*>(_shared_bytes);
  _type_reduce* const _partial = reinterpret_cast<_type_reduce*>(_r.partial);
  const long _lane = threadIdx.x & ((1l << _r.log_lanes) - 1), _row = threadIdx.x >> _r.log_lanes;
  const long _rows = blockDim.x >> _r.log_lanes;
  const long _first = blockIdx.y * _r.chunk;
  const long _last = _first + _r.chunk < _r.length ? _first + _r.chunk : _r.length;
  for (long _base = static_cast<long>(blockIdx.x) << _r.log_lanes; _base < _r.outputs;
       _base += static_cast<long>(gridDim.x) << _r.log_lanes) {
    const long _o = _base + _lane;
    const bool _active = _o < _r.outputs;
    long _count = _last - _first < _rows ? _last - _first : _rows;
    if (_active && _row < _count) {
      if (_r.pass != 2) _in_ind.set_kept(_o);
      _type_reduce _s = _element(_first + _row, _o);
      for (long _j = _first + _row + _rows; _j < _last; _j += _rows) _s = _reduce(_s, _element(_j, _o));
      _shared[threadIdx.x] = _s;
    }
    for (long _half = _rows / 2; _half > 0; _half /= 2) {
      __syncthreads();
      if (_active && _row < _half && _row + _half < _count)
        _shared[threadIdx.x] = _reduce(_shared[threadIdx.x], _shared[threadIdx.x + (_half << _r.log_lanes)]);
    }
    __syncthreads();
    if (_active && _row == 0) {
      if (_r.pass == 1) _partial[blockIdx.y * _r.outputs + _o] = _shared[_lane];
      else _finish(_r.length > 0 ? _shared[_lane] : _identity(), _o);
    }
    __syncthreads();
  }
}
)";

/// Options -DN=3 as lines #define N 3; `rest` gets the others.
std::string take_macros(const std::vector<std::string>& options, std::vector<std::string>& rest) {
  constexpr std::string_view short_name = "-D", long_name = "--define-macro";
  std::string lines;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string_view text = options[i];
    const bool is_long = text.starts_with(long_name);
    if (!is_long && !text.starts_with(short_name)) {
      rest.push_back(options[i]);
      continue;
    }
    text.remove_prefix(is_long ? long_name.size() : short_name.size());
    if (is_long && text.starts_with('=')) text.remove_prefix(1);
    if (text.empty() && i + 1 < options.size()) text = options[++i];
    const std::size_t equals = text.find('=');
    lines += fmt::format("#define {} {}\n", text.substr(0, equals),
                         equals == text.npos ? "1" : text.substr(equals + 1));
  }
  return lines;
}

}  // namespace

kernel_variant::kernel_variant(kernel_types bound, const std::vector<bound_operand>& operands)
    : types(std::move(bound)) {
  forms.reserve(operands.size());
  raw_ndim.reserve(operands.size());
  for (const bound_operand& o : operands) {
    forms.push_back(o.form);
    const bool raw = o.form == operand_form::raw || o.form == operand_form::raw_packed;
    raw_ndim.push_back(raw ? std::max<std::size_t>(1, o.array.shape().size()) : 0);
  }
}

std::string kernel_variant::key() const {
  // Each number is less than 64, or a character's.
  std::string bytes{static_cast<char>(ndim), static_cast<char>(kept_ndim),
                    static_cast<char>(indexes_64_bits)};
  for (std::size_t i = 0; i < forms.size(); ++i)
    bytes +=
        {static_cast<char>(forms[i]), static_cast<char>(types.parameters[i]), static_cast<char>(raw_ndim[i])};
  return bytes;
}

kernel_variant simplest_variant(const kernel_signature& signature, kernel_types types) {
  kernel_variant v;
  v.types = std::move(types);
  for (std::size_t i = 0; i < signature.size(); ++i) {
    v.forms.push_back(signature[i].raw ? operand_form::raw_packed : operand_form::packed);
    v.raw_ndim.push_back(signature[i].raw ? 1 : 0);
  }
  return v;
}

std::string elementwise_source(const kernel_signature& signature, const elementwise_text& text,
                               const kernel_variant& variant) {
  source_writer w(signature, variant);
  w.user("preamble", text.preamble);
  w.add("extern \"C\" __global__ void {}(gparray::kernel::index_space<{}, {}> _ind", signature.name,
        variant.ndim, w.index());
  w.operands(variant.ndim, variant.ndim);
  w.add(") {{\n  const long n = _ind.size();\n  (void)n;\n");
  w.user("loop_prep", text.loop_prep, end);
  w.add(
      "  for (long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; i < _ind.size();\n"
      "       i += static_cast<long>(blockDim.x) * gridDim.x) {{\n"
      "    _ind.set(i);\n");
  w.elements(0, signature.size(), "i", "_ind");
  w.user("operation", text.operation, end);
  w.add("  }}\n");
  w.user("after_loop", text.after_loop, end);
  w.add("}}\n");
  return w.finish();
}

std::string reduction_source(const kernel_signature& signature, const reduction_text& text,
                             const kernel_variant& variant) {
  const std::size_t n_inputs = signature.inputs.size();
  source_writer w(signature, variant);
  w.user("preamble", text.preamble);
  w.add("{}typedef {} _type_reduce;\n", reduction_arguments,
        text.reduce_type.empty() ? std::string(w.type(n_inputs)) : text.reduce_type);
  w.add("extern \"C\" {{ __device__ char {}_size[sizeof(_type_reduce)]; }}\n", signature.name);
  w.add(
      "extern \"C\" __global__ void {}(const _reduction_arguments _r,\n"
      "    gparray::kernel::reduced_space<{}, {}, {}> _in_ind,\n"
      "    gparray::kernel::index_space<{}, {}> _out_ind",
      signature.name, variant.ndim, variant.kept_ndim, w.index(), variant.kept_ndim, w.index());
  w.operands(variant.ndim + variant.kept_ndim, variant.kept_ndim);
  w.add(
      ") {{\n  const auto _reduce = [&](const _type_reduce a, const _type_reduce b) -> _type_reduce {{\n    "
      "return (\n");
  w.user("reduce_expr", text.reduce);
  w.add(
      "    );\n  }};\n"
      "  const auto _element = [&](const long _J, const long _o) -> _type_reduce {{\n"
      "    if (_r.pass == 2) return reinterpret_cast<const _type_reduce*>(_r.partial)[_J * _r.outputs + "
      "_o];\n"
      "    const long i = _J * _r.outputs + _o;\n    (void)i;\n"
      "    _in_ind.set_reduced(_J);\n");
  w.elements(0, n_inputs, "i", "_in_ind");
  w.add("    return static_cast<_type_reduce>(\n");
  w.user("map_expr", text.map);
  w.add("    );\n  }};\n  const auto _identity = [&]() -> _type_reduce {{\n    return _type_reduce(\n");
  w.user("identity", text.identity);
  w.add(
      "    );\n  }};\n"
      "  const auto _finish = [&](const _type_reduce a, const long _o) {{\n"
      "    _out_ind.set(_o);\n");
  w.elements(n_inputs, signature.size(), "_o", "_out_ind");
  w.user("post_map_expr", text.post_map, end);
  w.add("  }};\n{}", reduction_loop);
  return w.finish();
}

compile_request kernel_request(const kernel_signature& signature, std::string source,
                               const std::vector<std::string>& options) {
  compile_request request;
  request.file_name = signature.name + ".cu";
  request.kernel_headers = true;
  // gparray's own headers come first, so that no macro of the user's changes what they say.
  const std::string macros = take_macros(options, request.options);
  request.source = source.insert(prologue.size(), macros);
  const auto decides = [](const std::string& option) { return option.find("fmad=") != option.npos; };
  if (std::ranges::none_of(options, decides)) request.options.emplace_back("-fmad=true");
  return request;
}

}  // namespace core
GPARRAY_END_NAMESPACE
