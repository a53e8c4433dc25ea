// Random expressions through the public interface: any functions, dtypes, views, scalars, and a reduction at
// the end. The seed decides everything, so that the same expression can be made again in another way.
#pragma once
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gparray/gparray.hpp>

namespace random_expressions {

using namespace gparray;

/// How an expression is made: what is left to chance is the seed's.
struct recipe {
  std::uint64_t seed;
  device where = default_device();
  bool step_by_step = false;  ///< every operation computed by itself
  bool exact = false;         ///< only functions that IEEE 754 or integer arithmetic define to the last bit
};

struct expression {
  std::vector<any_array> results;  ///< not computed yet, but for reductions
  std::string text;                ///< as Python would write it
  int n_steps = 0;
};

template<class F>
auto with_type(dtype d, F f) {
  switch (d) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return f.template operator()<type>();
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  throw type_error("no such dtype");
}

class maker {
 public:
  explicit maker(const recipe& r) : recipe_(r), state_(r.seed * 0x9e3779b97f4a7c15u + 1) {}

  expression make() {
    shape_ = random_shape();
    for (int i = 1 + below(5); i > 0; --i) leaves_.push_back(random_leaf());
    value v = random_value(1 + below(5));
    expression result{{}, {}, n_steps_};
    if (below(3) == 0) reduce(std::move(v), result);
    else result = {{std::move(v.array)}, v.text, n_steps_};
    return result;
  }

 private:
  struct value {
    any_array array;  // without one: a scalar
    dtype type;
    std::string text;
    bool temporary = false;
    unsigned char bits[16] = {};
  };

  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1du;
  }
  int below(int n) { return static_cast<int>((next() >> 33) % static_cast<unsigned>(n)); }
  double number() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  dims random_shape() {
    dims shape;
    const int ndim = below(5);
    // Now and then more than fits in a tile.
    const int largest[] = {0, below(20) == 0 ? 20000 : 300, 60, 14, 7};
    for (int d = 0; d < ndim; ++d) shape.push_back(1 + below(largest[ndim]));
    return shape;
  }

  template<class V>
  V element() {
    static constexpr double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 2, 0.5, -3, 1e30, 1e-30};
    const double x = below(6) == 0 ? special[below(12)] : 8 * number() - 4;
    if constexpr (is_complex(dtype_of<V>)) {
      using part = typename V::value_type;
      return V(static_cast<part>(x), static_cast<part>(4 * number() - 2));
    } else if constexpr (std::is_same_v<V, bool>) {
      return below(2) == 0;
    } else if constexpr (std::is_integral_v<V>) {
      return below(6) == 0 ? static_cast<V>(next())
                           : static_cast<V>(below(20) - (std::is_signed_v<V> ? 10 : 0));
    } else {
      return static_cast<V>(x);
    }
  }

  any_array random_array(dtype type, const dims& shape) {
    return with_type(type, [&]<class V>() {
      std::int64_t size = 1;
      for (const std::int64_t n : shape) size *= n;
      const std::unique_ptr<V[]> elements(new V[static_cast<std::size_t>(size) + 1]);
      for (std::int64_t i = 0; i < size; ++i) elements[i] = element<V>();
      return detail::from_host(elements.get(), shape, type, recipe_.where);
    });
  }

  static any_array index(const any_array& a, const std::string& slices) {
    return with_type(a.dtype(), [&]<class V>() { return any_array(detail::typed<V>(any_array(a))(slices)); });
  }

  /// A view with the expression's shape, or one that broadcasts to it.
  value random_leaf() {
    const auto type = static_cast<dtype>(below(dtype_count));
    const std::size_t n = shape_.size();
    dims base = shape_;
    std::string slices, how;
    any_array a;
    switch (n == 0 ? 0 : below(8)) {
      case 1:  // gaps
      case 2:  // an offset
        for (std::size_t d = 0; d < n; ++d) {
          const bool gaps = below(2) == 0;
          base[d] = gaps ? 2 * shape_[d] : shape_[d] + 1;
          slices += std::string(d ? ", " : "") + (gaps ? "::2" : "1:");
        }
        a = index(random_array(type, base), slices);
        break;
      case 3:  // backwards
        for (std::size_t d = 0; d < n; ++d)
          slices += std::string(d ? ", " : "") + (below(2) == 0 ? "::-1" : ":");
        a = index(random_array(type, base), slices);
        break;
      case 4:  // axes in reverse order
        for (std::size_t d = 0; d < n; ++d) base[d] = shape_[n - 1 - d];
        a = detail::transpose(random_array(type, base));
        how = ".T";
        break;
      case 5:  // sizes of 1
        for (std::size_t d = 0; d < n; ++d)
          if (below(2) == 0) base[d] = 1;
        a = random_array(type, base);
        break;
      case 6: {  // fewer axes
        dims fewer;
        for (std::size_t d = static_cast<std::size_t>(below(static_cast<int>(n))); d < n; ++d)
          fewer.push_back(shape_[d]);
        base = fewer;
        a = random_array(type, base);
        break;
      }
      default:
        a = random_array(type, base);
    }
    if (!slices.empty()) how = "[" + slices + "]";
    std::string text = std::string(name(type)) + "(";
    for (std::size_t d = 0; d < base.size(); ++d) text += (d ? "," : "") + std::to_string(base[d]);
    return {a, type, text + ")" + how};
  }

  value random_scalar(dtype type) {
    value v{{}, type, {}};
    with_type(type, [&]<class V>() {
      const V x = element<V>();
      std::memcpy(v.bits, &x, sizeof x);
      return 0;
    });
    v.text = "scalar " + std::string(name(type));
    return v;
  }

  /// Not signbit and copysign: 0 / 0 is a NaN whose sign is set on x86 and clear on a GPU.
  static bool is_exact(ufunc f, dtype loop) {
    if (is_complex(loop))
      return f == ufunc::add || f == ufunc::subtract || f == ufunc::conjugate || f == ufunc::equal;
    for (const ufunc exact :
         {ufunc::add,           ufunc::subtract,    ufunc::multiply,      ufunc::divide,
          ufunc::negative,      ufunc::absolute,    ufunc::square,        ufunc::sqrt,
          ufunc::floor,         ufunc::ceil,        ufunc::trunc,         ufunc::rint,
          ufunc::bitwise_and,   ufunc::bitwise_or,  ufunc::bitwise_xor,   ufunc::invert,
          ufunc::left_shift,    ufunc::right_shift, ufunc::bitwise_count, ufunc::equal,
          ufunc::not_equal,     ufunc::less,        ufunc::less_equal,    ufunc::greater,
          ufunc::greater_equal, ufunc::logical_and, ufunc::logical_or,    ufunc::logical_xor,
          ufunc::logical_not,   ufunc::maximum,     ufunc::minimum,       ufunc::fmax,
          ufunc::fmin,          ufunc::where,       ufunc::clip,          ufunc::isfinite,
          ufunc::isinf,         ufunc::isnan,       ufunc::floor_divide,  ufunc::heaviside})
      if (f == exact) return true;
    return false;
  }

  /// A tree of at most `depth` functions above each other.
  value random_value(int depth) {
    if (depth == 0) return leaves_[static_cast<std::size_t>(below(static_cast<int>(leaves_.size())))];
    for (;;) {
      if (below(10) == 0) return cast(random_value(depth - 1));
      const auto f = static_cast<ufunc>(below(ufunc_count));
      // Random exponents are negative, which is an error for integers.
      if (f == ufunc::power || f == ufunc::float_power) continue;
      std::vector<value> inputs;
      const int n = arity(f);
      const int first = n > 1 ? below(n) : 0;  // one of full depth, the others of any
      for (int i = 0; i < n; ++i) inputs.push_back(random_value(i == first ? depth - 1 : below(depth)));
      const int choosing = f == ufunc::where ? 1 : 0, integer = f == ufunc::ldexp ? 1 : n;
      dtype common = inputs[static_cast<std::size_t>(choosing)].type;
      for (int i = choosing; i < integer; ++i)
        common = promote_types(common, inputs[static_cast<std::size_t>(i)].type);
      const auto loop = detail::resolve_loop(f, common);
      if (!loop.valid || (recipe_.exact && !is_exact(f, loop.loop))) continue;
      // A scalar in the place of an array.
      if (n > 1 && below(5) == 0) {
        const int at = (first + 1) % n;
        inputs[static_cast<std::size_t>(at)] = random_scalar(input_dtype(f, at, loop.loop));
      }
      return apply(f, loop.loop, inputs);
    }
  }

  static detail::argument argument_of(const value& v) {
    detail::argument a;
    a.type = v.type;
    if (v.array.rep()) {
      a.array = &v.array;
      a.fuse = v.temporary;
    } else {
      std::memcpy(a.value, v.bits, sizeof a.value);
    }
    return a;
  }

  value finished(value v) {
    ++n_steps_;
    v.temporary = !recipe_.step_by_step;
    if (recipe_.step_by_step) v.array.eval();
    return v;
  }

  value cast(const value& from) {
    auto to = static_cast<dtype>(below(dtype_count));
    // What does not fit an integer becomes what the processor makes of it.
    if (recipe_.exact && is_inexact(from.type) && !is_inexact(to) && to != dtype::bool_) to = dtype::float64;
    return finished({detail::astype(argument_of(from), to, true), to,
                     from.text + ".astype(" + std::string(name(to)) + ")"});
  }

  value apply(ufunc f, dtype loop, const std::vector<value>& inputs) {
    std::vector<detail::argument> arguments;
    std::string text = std::string(name(f)) + "(";
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      arguments.push_back(argument_of(inputs[i]));
      text += (i ? ", " : "") + inputs[i].text;
    }
    return finished({detail::make_expression(f, loop, arguments), output_dtype(f, loop), text + ")"});
  }

  static bool is_exact(reduction r, dtype element) {
    switch (r) {
      case reduction::sum:
      case reduction::prod:
      case reduction::nansum:
      case reduction::nanprod:
        return !is_inexact(element);
      case reduction::min:
      case reduction::max:
      case reduction::any:
      case reduction::all:
      case reduction::argmin:
      case reduction::argmax:
      case reduction::count_nonzero:
      case reduction::minmax:
        return true;
      default:
        return false;
    }
  }

  void reduce(value v, expression& result) {
    reduction r;
    dtype element;
    do {
      r = static_cast<reduction>(below(reduction_count));
      element = v.type;
      if (kind(element) == 'b' && !detail::has(detail::row(r).domain, 'b')) element = dtype::int8;
    } while (!detail::has(detail::row(r).domain, kind(element) == 'u' ? 'i' : kind(element)) ||
             (recipe_.exact && !is_exact(r, element)));
    dims axes;
    std::string list;
    const int one = below(static_cast<int>(shape_.size()) + 1);
    for (int d = 0; d < static_cast<int>(v.array.shape().size()); ++d) {
      if (returns_index(r) ? d != one : below(2) == 0) continue;
      axes.push_back(d);
      list += (list.empty() ? "" : ",") + std::to_string(d);
    }
    const bool all = axes.empty();
    const detail::argument source = argument_of(v);
    result.text = std::string(name(r)) + "(" + v.text + (all ? "" : ", axis=(" + list + ")") + ")";
    result.n_steps = n_steps_ + 1;
    if (has_two_results(r)) {
      auto pair = detail::reduce_pair(r, source, element, all ? nullptr : &axes, false, 0);
      result.results = {pair.first, pair.second};
    } else {
      result.results = {detail::reduce(r, source, element, all ? nullptr : &axes, {})};
    }
  }

  const recipe recipe_;
  std::uint64_t state_;
  dims shape_;
  std::vector<value> leaves_;
  int n_steps_ = 0;
};

inline expression make(const recipe& r) { return maker(r).make(); }

}  // namespace random_expressions
