// Making sharded arrays: of the same values for any number of ranks, and from the parts that ranks have.
#pragma once
#include <gparray/distributed/collectives.hpp>
#include <gparray/distributed/sharded.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

/// An array of a global shape whose elements are to be written.
template<element V = double>
[[nodiscard]] sharded<V> empty(const dims& shape, const layout& where) {
  return sharded<V>(detail::made(shape, dtype_of<V>, where, [](const dims&, const dims& local) -> any_array {
    return gparray::empty<V>(local);
  }));
}
/// Zeros of a global shape.
template<element V = double>
[[nodiscard]] sharded<V> zeros(const dims& shape, const layout& where) {
  return sharded<V>(detail::made(shape, dtype_of<V>, where, [](const dims&, const dims& local) -> any_array {
    return gparray::zeros<V>(local);
  }));
}
/// Ones of a global shape.
template<element V = double>
[[nodiscard]] sharded<V> ones(const dims& shape, const layout& where) {
  return sharded<V>(detail::made(shape, dtype_of<V>, where, [](const dims&, const dims& local) -> any_array {
    return gparray::ones<V>(local);
  }));
}
/// The same number in all elements; of its own dtype unless V is given.
template<class V = void, scalar_like S>
[[nodiscard]] auto full(const dims& shape, S value, const layout& where) {
  using E = std::conditional_t<std::is_void_v<V>, decltype(gparray::detail::own_type(value)), V>;
  return sharded<E>(
      detail::made(shape, dtype_of<E>, where, [value](const dims&, const dims& local) -> any_array {
        return gparray::full<E>(local, static_cast<E>(value));
      }));
}

/// f(i, j, ...) of the indices of elements: f is called once on each rank, with an int64 array for each axis,
/// of the numbers along it and size 1 along the others, and returns what broadcasts to the shape of the part.
/// Throws value_error for arrays of more than four dimensions or none, and for a function of another number
/// of arguments.
template<element V = double, class F>
[[nodiscard]] sharded<V> from_function(const dims& shape, const layout& where, const F& f) {
  return sharded<V>(
      detail::made(shape, dtype_of<V>, where, [&](const dims& offset, const dims& local) -> any_array {
        std::vector<ndarray<std::int64_t>> indices;
        for (std::size_t a = 0; a < local.size(); ++a) {
          dims along = dims::filled(local.size(), 1);
          along[a] = local[a];
          indices.push_back(gparray::arange<std::int64_t>(offset[a], offset[a] + local[a]).reshape(along));
        }
        ndarray<V> made = gparray::empty<V>(local);
        const auto call = [&]<std::size_t... I>(std::index_sequence<I...>) {
          if constexpr (requires { f(indices[I]...); }) made(ellipsis) = f(indices[I]...);
          else
            throw value_error(
                "from_function: the function takes the indices along each axis, and the shape has " +
                std::to_string(sizeof...(I)) + " axes, which is another number of arguments");
        };
        switch (local.size()) {
          case 1:
            call(std::make_index_sequence<1>());
            break;
          case 2:
            call(std::make_index_sequence<2>());
            break;
          case 3:
            call(std::make_index_sequence<3>());
            break;
          case 4:
            call(std::make_index_sequence<4>());
            break;
          default:
            throw value_error("from_function: arrays of one to four dimensions");
        }
        return made;
      }));
}

/// 0, 1, ... stop - 1, as gp::arange.
template<element V = std::int64_t>
[[nodiscard]] sharded<V> arange(std::int64_t stop, const layout& where) {
  return from_function<V>(dims{stop}, where,
                          [](const ndarray<std::int64_t>& i) { return i.template astype<V>(); });
}

/// start, start + step, ... before stop, as gp::arange of integers. Throws value_error for a step of 0.
template<element V = std::int64_t>
[[nodiscard]] sharded<V> arange(std::int64_t start, std::int64_t stop, std::int64_t step,
                                const layout& where) {
  if (step == 0) throw value_error("arange: the step is 0");
  const std::int64_t distance = step > 0 ? stop - start : start - stop, each = step > 0 ? step : -step;
  return from_function<V>(
      dims{distance > 0 ? (distance - 1) / each + 1 : 0}, where,
      [&](const ndarray<std::int64_t>& i) { return (i * step + start).template astype<V>(); });
}
template<element V = std::int64_t>
[[nodiscard]] sharded<V> arange(std::int64_t start, std::int64_t stop, const layout& where) {
  return arange<V>(start, stop, 1, where);
}
/// n rows of ones where i == j, and zeros.
template<element V = double>
[[nodiscard]] sharded<V> eye(std::int64_t n, const layout& where) {
  return from_function<V>(dims{n, n}, where,
                          [](const auto& i, const auto& j) { return (i == j).template astype<V>(); });
}

/// `num` numbers at equal distances from start to stop, which is the last of them unless `endpoint` is false:
/// those of gp::linspace.
template<element V = double>
  requires(is_floating(dtype_of<V>))
[[nodiscard]] sharded<V> linspace(double start, double stop, std::int64_t num, const layout& where,
                                  bool endpoint = true) {
  const std::int64_t intervals = endpoint ? num - 1 : num;
  const double distance = stop - start, parts = static_cast<double>(std::max<std::int64_t>(intervals, 1)),
               step = distance / parts;
  return from_function<V>(dims{num}, where, [&](const ndarray<std::int64_t>& i) {
    const ndarray<double> number = i.template astype<double>();
    // A step that underflows to zero would lose the distance.
    const ndarray<double> between = step == 0 ? number / parts * distance + start : number * step + start;
    return gparray::where(i == (endpoint && num > 1 ? intervals : -1), stop, between).template astype<V>();
  });
}

/// The array of which x is this rank's part, whose elements it shares. Parts may differ in size along axes
/// that are cut. All ranks tell each other their sizes. Throws value_error, on all ranks, for parts that do
/// not fit beside each other.
template<array_like A>
[[nodiscard]] auto from_local(const A& x, const layout& where) {
  return sharded<gparray::detail::element_t<A>>(detail::from_local(x, where));
}
/// This rank's part of an array that every rank has: nothing is sent.
template<array_like A>
[[nodiscard]] auto shard(const A& x, const layout& where) {
  using V = gparray::detail::element_t<A>;
  return sharded<V>(
      detail::made(x.shape(), dtype_of<V>, where, [&](const dims& offset, const dims& local) -> any_array {
        std::vector<gparray::detail::index_item> items;
        for (std::size_t a = 0; a < local.size(); ++a)
          items.emplace_back(slice(offset[a], offset[a] + local[a]));
        return gparray::detail::copy(gparray::detail::basic_index(x, items), gparray::order::C);
      }));
}
/// A sharded array of the elements that the root has; those of others are not looked at.
template<array_like A>
[[nodiscard]] auto scatter(const A& x, int root, const layout& where) {
  return sharded<gparray::detail::element_t<A>>(detail::scattered(x, root, where));
}

/// f of the parts of sharded arrays, which are ndarrays: what it returns is this rank's part of the result,
/// in the layout of the first. For what the library does not have: f may compute anything of its own part.
template<class F, detail::sharded_like A, detail::sharded_like... Rest>
[[nodiscard]] auto map_blocks(const F& f, const A& a, const Rest&... rest) {
  const auto local = f(a.local(), rest.local()...);
  return from_local(local, a.layout());
}

}  // namespace distributed

/// A sharded array of the shape, dtype and layout of `a`, to be written; empty_like<V>(a) has dtype V.
template<class V = void, distributed::detail::sharded_like A>
[[nodiscard]] auto empty_like(const A& a) {
  using W = std::conditional_t<std::is_void_v<V>, typename A::value_type, V>;
  return distributed::empty<W>(a.shape(), a.layout());
}
/// A sharded array of zeros of the shape, dtype and layout of `a`; zeros_like<V>(a) has dtype V.
template<class V = void, distributed::detail::sharded_like A>
[[nodiscard]] auto zeros_like(const A& a) {
  using W = std::conditional_t<std::is_void_v<V>, typename A::value_type, V>;
  return distributed::zeros<W>(a.shape(), a.layout());
}
/// A sharded array of ones of the shape, dtype and layout of `a`; ones_like<V>(a) has dtype V.
template<class V = void, distributed::detail::sharded_like A>
[[nodiscard]] auto ones_like(const A& a) {
  using W = std::conditional_t<std::is_void_v<V>, typename A::value_type, V>;
  return distributed::ones<W>(a.shape(), a.layout());
}
/// A sharded array of one number, of the shape, dtype and layout of `a`; full_like<V>(a, value) has dtype V.
template<class V = void, distributed::detail::sharded_like A, scalar_like S>
[[nodiscard]] auto full_like(const A& a, S value) {
  using W = std::conditional_t<std::is_void_v<V>, typename A::value_type, V>;
  return distributed::full<W>(a.shape(), value, a.layout());
}

GPARRAY_END_NAMESPACE
