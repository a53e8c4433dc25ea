// Element-wise functions of two arguments as objects, with the methods that NumPy's ufuncs have.
#pragma once
#include <gparray/indexing.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// target[i] = op(target[i], the op of all values whose index is i), for indices along the first axis.
GPARRAY_API void combine_at(ufunc op, reduction values_by, const any_array& target, const any_array& indices,
                            const any_array& values);
/// The same for one index array for each of the first axes; they broadcast.
GPARRAY_API void combine_at(ufunc op, reduction values_by, const any_array& target,
                            std::span<const any_array> indices, const any_array& values);

/// One of the index arrays of several axes in braces. Numbers in braces are indices of one axis instead.
struct index_array {
  template<picking_array A>
    requires(!number_like<A> && !std::same_as<element_t<A>, bool>)
  index_array(const A& a) : item(a) {}
  pick_item item;
};

/// Reductions of the parts of `a` that begin at the indices, along an axis.
GPARRAY_API any_array reduce_parts(reduction op, const any_array& a, const any_array& indices, int axis);

/// What the values of an `at` are put together with before they meet the target: subtracting one after the
/// other is subtracting their sum.
constexpr std::optional<reduction> folding_of_second(ufunc f) {
  if (f == ufunc::subtract) return reduction::sum;
  if (f == ufunc::divide) return reduction::prod;
  return folding_of_runs(f);
}

/// Whether what has been put together so far can be put together in any order, to the bit: backends do it in
/// one pass.
constexpr bool is_scan(ufunc f) {
  switch (f) {
    case ufunc::maximum:
    case ufunc::minimum:
    case ufunc::fmax:
    case ufunc::fmin:
    case ufunc::logical_and:
    case ufunc::logical_or:
    case ufunc::logical_xor:
    case ufunc::bitwise_and:
    case ufunc::bitwise_or:
    case ufunc::bitwise_xor:
      return true;
    default:
      return false;
  }
}

template<ufunc F>
struct ufunc_object {
  static constexpr ufunc function = F;

  /// The function itself.
  template<class... X>
    requires(callable<F, X...>())
  auto operator()(X&&... x) const {
    return call<F>(std::forward<X>(x)...);
  }

  /// The elements along an axis put together: add.reduce is sum, maximum.reduce is max. The first axis by
  /// default, all for none. Functions that no reduction stands for go from left to right, one element along
  /// the axis at a time. Throws value_error for no elements without an identity.
  template<array_like A>
  auto reduce(const A& a, slice_end axis = 0, const reduction_options& options = {}) const {
    if constexpr (folding(F)) {
      const dims axes(axis.value);
      return as_number(call_reduction<*folding(F), void>(a, axis.given ? &axes : nullptr, options));
    } else {
      using V = typename decltype(call<F>(a, a))::value_type;
      const std::int64_t along = axis.given ? axis.value : 0;
      const ndarray<V> slices =
          as_elements<V>(moveaxis(axis.given ? ndarray<element_t<A>>(a) : a.ravel(), along, 0));
      if (slices.shape(0) == 0) throw_no_identity(F);
      ndarray<V> result = slices(0).copy();
      for (std::int64_t i = 1; i < slices.shape(0); ++i) result = as_elements<V>(call<F>(result, slices(i)));
      return options.keepdims ? ndarray<V>(expand_dims(result, along)) : result;
    }
  }

  template<array_like A>
  auto reduce(const A& a, const reduction_options& options) const {
    reduction_options others = options;
    others.axis = {};
    return reduce(a, options.axis.written() ? static_cast<slice_end>(options.axis) : slice_end(0), others);
  }
  /// The arrays of a list put together, element by element: maximum.reduce({a, b, c}). Throws value_error if
  /// their shapes differ.
  template<element V>
  auto reduce(std::initializer_list<ndarray<V>> arrays, slice_end axis = 0,
              const reduction_options& options = {}) const {
    return reduce(stack(arrays), axis, options);
  }
  template<array_range R>
  auto reduce(const R& arrays, slice_end axis = 0, const reduction_options& options = {}) const {
    return reduce(stack(arrays), axis, options);
  }

  /// What reduce makes of the elements up to each: add.accumulate is cumsum. Maxima, minima, logical and
  /// bitwise functions are computed in one pass, others one element along the axis after the other. Throws
  /// axis_error, type_error for a 0-d array.
  template<array_like A>
  auto accumulate(const A& a, int axis = 0) const {
    if constexpr (F == ufunc::add) return cumsum(a, axis);
    else if constexpr (F == ufunc::multiply) return cumprod(a, axis);
    else {
      using V = typename decltype(call<F>(a, a))::value_type;
      if constexpr (is_scan(F)) {
        return typed<V>(gparray::detail::accumulate(F, make_argument<V>(a), dtype_of<V>, axis));
      } else {
        const ndarray<V> result = as_elements<V>(a).copy(), lines = moveaxis(result, axis, 0);
        for (std::int64_t i = 1; i < lines.shape(0); ++i) lines(i) = call<F>(lines(i - 1), lines(i));
        return result;
      }
    }
  }

  /// The function of each element of a with each of b: shape a.shape + b.shape.
  template<array_like A, array_like B>
  auto outer(const A& a, const B& b) const {
    dims shape = a.shape();
    for (int d = 0; d < b.ndim(); ++d) shape.push_back(1);
    return call<F>(a.reshape(shape), b);
  }

  /// a[indices] = f(a[indices], b), where an index that occurs several times counts each time. Indices go
  /// along the first axis. The CPU takes the values one by one, as NumPy does; a GPU puts those of one index
  /// together first, in an order that follows from the indices (see reproducible()), which may round
  /// otherwise. Throws index_error before anything is written.
  template<array_like A, indices_like I, operand_like B>
    requires(folding_of_second(F).has_value())
  void at(const A& a, const I& indices, const B& b) const {
    static_assert(storable<typename decltype(call<F>(a, a))::value_type, element_t<A>>,
                  "at: the results do not convert to the array's type by the same_kind rule");
    combine_at(F, *folding_of_second(F), a, to_indices(indices, a), values_beside<element_t<A>>(a, b));
  }
  template<array_like A, operand_like B>
    requires(folding_of_second(F).has_value())
  void at(const A& a, std::initializer_list<std::int64_t> indices, const B& b) const {
    at(a, std::span<const std::int64_t>(indices.begin(), indices.size()), b);
  }
  /// The same at the elements, or slices, that one index array for each of the first axes picks, NumPy's
  /// tuple: add.at(table, {rows, columns}, 1). They broadcast. Throws index_error before anything is written.
  template<array_like A, operand_like B>
    requires(folding_of_second(F).has_value())
  void at(const A& a, std::initializer_list<index_array> indices, const B& b) const {
    std::vector<pick_item> items;
    for (const index_array& i : indices) items.push_back(i.item);
    at_items(a, items, b);
  }
  template<array_like A, index_tuple I, operand_like B>
    requires(folding_of_second(F).has_value() && !array_like<I>)
  void at(const A& a, const I& indices, const B& b) const {
    at_items(a, pick_items(indices), b);
  }

  /// The reductions of a[indices[i] : indices[i + 1]] along an axis, the last to its end; of the one element
  /// indices[i] where the next index is not larger. Throws index_error.
  template<array_like A, indices_like I>
    requires(folding_of_runs(F).has_value())
  auto reduceat(const A& a, const I& indices, int axis = 0) const {
    return typed<dtype_t<result_dtype(*folding_of_runs(F), dtype_of<element_t<A>>)>>(
        reduce_parts(*folding_of_runs(F), a, to_indices(indices, a), axis));
  }
  template<array_like A>
    requires(folding_of_runs(F).has_value())
  auto reduceat(const A& a, std::initializer_list<std::int64_t> indices, int axis = 0) const {
    return reduceat(a, std::span<const std::int64_t>(indices.begin(), indices.size()), axis);
  }

 private:
  template<class A, class B>
  static void at_items(const A& a, const std::vector<pick_item>& items, const B& b) {
    static_assert(storable<typename decltype(call<F>(a, a))::value_type, element_t<A>>,
                  "at: the results do not convert to the array's type by the same_kind rule");
    std::vector<any_array> indices;
    for (const pick_item& item : items) indices.push_back(to_indices(item, a));
    combine_at(F, *folding_of_second(F), a, indices, values_beside<element_t<A>>(a, b));
  }
  [[noreturn]] static void throw_no_identity(ufunc f) {
    throw value_error("zero-size array to reduction operation " + std::string(name(f)) +
                      " which has no identity");
  }
};

}  // namespace detail

/// NumPy's np.add.reduce(a) is gp::ufuncs::add.reduce(a): functions cannot have methods, so each function of
/// two arguments is here once more as an object.
namespace ufuncs {
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc) \
  GPARRAY_UFUNC_OBJECT_##signature(name)
#define GPARRAY_UFUNC_ALIAS(alias, name)
#define GPARRAY_UFUNC_OBJECT_TT_T(name) inline constexpr detail::ufunc_object<ufunc::name> name{};
#define GPARRAY_UFUNC_OBJECT_TT_b(name) inline constexpr detail::ufunc_object<ufunc::name> name{};
#define GPARRAY_UFUNC_OBJECT_T_T(name)
#define GPARRAY_UFUNC_OBJECT_T_R(name)
#define GPARRAY_UFUNC_OBJECT_T_b(name)
#define GPARRAY_UFUNC_OBJECT_T_i(name)
#define GPARRAY_UFUNC_OBJECT_T_u(name)
#define GPARRAY_UFUNC_OBJECT_Ti_T(name)
#define GPARRAY_UFUNC_OBJECT_TTT_T(name)
#define GPARRAY_UFUNC_OBJECT_bTT_T(name)
#include <gparray/tables/ufuncs.def>
#undef GPARRAY_UFUNC_OBJECT_TT_T
#undef GPARRAY_UFUNC_OBJECT_TT_b
#undef GPARRAY_UFUNC_OBJECT_T_T
#undef GPARRAY_UFUNC_OBJECT_T_R
#undef GPARRAY_UFUNC_OBJECT_T_b
#undef GPARRAY_UFUNC_OBJECT_T_i
#undef GPARRAY_UFUNC_OBJECT_T_u
#undef GPARRAY_UFUNC_OBJECT_Ti_T
#undef GPARRAY_UFUNC_OBJECT_TTT_T
#undef GPARRAY_UFUNC_OBJECT_bTT_T
}  // namespace ufuncs

// Index arrays of several axes stand in braces, as in ufuncs::add.at.

/// Adds values to the elements at the indices, in place; an index that occurs several times counts each time.
template<array_like A, detail::indices_like I, operand_like B>
void scatter_add(const A& a, const I& indices, const B& values) {
  ufuncs::add.at(a, indices, values);
}
template<array_like A, operand_like B>
void scatter_add(const A& a, std::initializer_list<detail::index_array> indices, const B& values) {
  ufuncs::add.at(a, indices, values);
}
/// Replaces the elements at the indices by the larger of them and the values, in place.
template<array_like A, detail::indices_like I, operand_like B>
void scatter_max(const A& a, const I& indices, const B& values) {
  ufuncs::maximum.at(a, indices, values);
}
template<array_like A, operand_like B>
void scatter_max(const A& a, std::initializer_list<detail::index_array> indices, const B& values) {
  ufuncs::maximum.at(a, indices, values);
}
/// Replaces the elements at the indices by the smaller of them and the values, in place.
template<array_like A, detail::indices_like I, operand_like B>
void scatter_min(const A& a, const I& indices, const B& values) {
  ufuncs::minimum.at(a, indices, values);
}
template<array_like A, operand_like B>
void scatter_min(const A& a, std::initializer_list<detail::index_array> indices, const B& values) {
  ufuncs::minimum.at(a, indices, values);
}

GPARRAY_END_NAMESPACE
