#include <algorithm>
#include <cstdlib>
#include <limits>

#include <core/array/layout.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

// Strides are often worked out before the shape is checked; those of one that is refused may wrap.
dims c_strides(const dims& shape, std::size_t item_bytes) {
  dims strides = shape;
  std::int64_t step = static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step = wrapping_product(step, std::max<std::int64_t>(shape[i], 1));
  }
  return strides;
}

dims f_strides(const dims& shape, std::size_t item_bytes) {
  dims strides = shape;
  std::int64_t step = static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    strides[i] = step;
    step = wrapping_product(step, std::max<std::int64_t>(shape[i], 1));
  }
  return strides;
}

dims strides_in_order(const dims& shape, std::size_t item_bytes, const dims& outer_to_inner) {
  dims strides = shape;
  std::int64_t step = static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto axis = static_cast<std::size_t>(outer_to_inner[i]);
    strides[axis] = step;
    step = wrapping_product(step, std::max<std::int64_t>(shape[axis], 1));
  }
  return strides;
}

namespace {

template<class Axes>
bool is_packed(const dims& shape, const dims& strides, std::size_t item_bytes, Axes axis_at) {
  std::int64_t expected = static_cast<std::int64_t>(item_bytes);
  for (std::int64_t n : shape)
    if (n == 0) return true;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = axis_at(i);
    if (shape[axis] == 1) continue;  // never stepped along, so its stride does not matter
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

}  // namespace

bool is_c_contiguous(const dims& shape, const dims& strides, std::size_t item_bytes) {
  return is_packed(shape, strides, item_bytes, [n = shape.size()](std::size_t i) { return n - 1 - i; });
}

bool is_f_contiguous(const dims& shape, const dims& strides, std::size_t item_bytes) {
  return is_packed(shape, strides, item_bytes, [](std::size_t i) { return i; });
}

dims broadcast_shapes(std::span<const dims* const> shapes) {
  std::size_t ndim = 0;
  for (const dims* shape : shapes) ndim = std::max(ndim, shape->size());
  dims result = dims::filled(ndim, 1);
  for (const dims* shape : shapes) {
    const std::size_t shift = ndim - shape->size();
    for (std::size_t i = 0; i < shape->size(); ++i) {
      const std::int64_t n = (*shape)[i];
      std::int64_t& common = result[i + shift];
      if (n == common || n == 1) continue;
      if (common != 1) throw_not_broadcastable(shapes);
      common = n;
    }
  }
  return result;
}

dims broadcast_strides(const dims& shape, const dims& strides, const dims& target) {
  dims result = dims::filled(target.size(), 0);
  const std::size_t shift = target.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) result[i + shift] = strides[i];
  return result;
}

dims without_leading_ones(dims shape, std::size_t ndim) {
  while (shape.size() > ndim && shape[0] == 1) shape.erase(0);
  return shape;
}

bool broadcasts_to(const dims& shape, const dims& target) {
  if (shape.size() > target.size()) return false;
  const std::size_t shift = target.size() - shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1 && shape[i] != target[i + shift]) return false;
  return true;
}

int normalize_axis(std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) throw_axis(axis, ndim);
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

dims normalize_axes(const std::optional<dims>& axes, int ndim) {
  dims result;
  if (!axes) {
    for (int i = 0; i < ndim; ++i) result.push_back(i);
    return result;
  }
  for (std::int64_t axis : *axes) {
    const int a = normalize_axis(axis, ndim);
    if (std::ranges::find(result, a) != result.end()) throw value_error("duplicate value in 'axis'");
    result.push_back(a);
  }
  std::ranges::sort(result);
  return result;
}

bool leaves_c_order(const dims& shape, const dims& strides) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::int64_t stride = std::abs(strides[d]);
    if (stride == 0 || shape[d] == 1) continue;
    if (stride > least) return false;
    least = stride;
  }
  return true;
}

dims memory_order(const dims& shape, std::span<const dims> operands) {
  const int ndim = static_cast<int>(shape.size());
  dims order;
  for (int i = 0; i < ndim; ++i) order.push_back(i);
  // Insertion sort, as operands may leave pairs of axes undecided: then they stay in C order.
  for (int i = 1; i < ndim; ++i) {
    for (int j = i; j > 0; --j) {
      const auto outer = static_cast<std::size_t>(order[j - 1]), inner = static_cast<std::size_t>(order[j]);
      bool swap = false;
      for (const dims& strides : operands) {
        const std::int64_t a = std::abs(strides[outer]), b = std::abs(strides[inner]);
        if (a == 0 || b == 0 || shape[outer] == 1 || shape[inner] == 1) continue;
        swap = a < b;
        if (a > b) break;  // one operand in favour of the present order decides
      }
      if (!swap) break;
      std::swap(order[j - 1], order[j]);
    }
  }
  return order;
}

dims resolve_reshape(const dims& shape, std::int64_t size) {
  dims result = shape;
  std::int64_t known = 1;
  int unknown = -1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      if (unknown >= 0) throw value_error("can only specify one unknown dimension");
      unknown = static_cast<int>(i);
    } else if (shape[i] < 0) {
      throw value_error("negative dimensions are not allowed");
    } else if (__builtin_mul_overflow(known, shape[i], &known)) {
      fail<overflow_error>(
          "cannot reshape array of size {} into shape {}: the product of its sizes overflows", size,
          text(shape));
    }
  }
  const bool fits = unknown >= 0 ? known != 0 && size % known == 0 : known == size;
  if (!fits) {
    // NumPy's spelling: the unknown size is newaxis, and left out where it is first.
    std::string names;
    for (std::int64_t n : shape) {
      if (n < 0 && names.empty()) continue;
      if (!names.empty()) names += ",";
      names += n < 0 ? "newaxis" : std::to_string(n);
    }
    if (shape.size() == 1) names += ",";
    fail<value_error>("cannot reshape array of size {} into shape ({})", size, names);
  }
  if (unknown >= 0) result[static_cast<std::size_t>(unknown)] = size / known;
  return result;
}

std::optional<dims> reshape_strides(const dims& shape, const dims& strides, std::size_t item_bytes,
                                    const dims& target) {
  if (std::ranges::find(shape, 0) != shape.end()) return c_strides(target, item_bytes);
  // Walk both shapes in groups of axes with equal products; each group of old axes must be evenly spaced.
  dims old_shape, old_strides, result = dims::filled(target.size(), 0);
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) {
      old_shape.push_back(shape[i]);
      old_strides.push_back(strides[i]);
    }
  std::size_t old_begin = 0, new_begin = 0;
  while (old_begin < old_shape.size() && new_begin < target.size()) {
    std::size_t old_end = old_begin + 1, new_end = new_begin + 1;
    std::int64_t old_product = old_shape[old_begin], new_product = target[new_begin];
    while (old_product != new_product) {
      if (new_product < old_product) {
        new_product *= target[new_end++];
      } else {
        old_product *= old_shape[old_end++];
      }
    }
    for (std::size_t i = old_begin; i + 1 < old_end; ++i)
      if (old_strides[i] != old_shape[i + 1] * old_strides[i + 1]) return std::nullopt;
    result[new_end - 1] = old_strides[old_end - 1];
    for (std::size_t i = new_end - 1; i > new_begin; --i) result[i - 1] = result[i] * target[i];
    old_begin = old_end;
    new_begin = new_end;
  }
  // What is left over has size 1.
  const std::int64_t last = new_begin > 0 ? result[new_begin - 1] : static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = new_begin; i < target.size(); ++i) result[i] = last;
  return result;
}

extent byte_extent(const dims& shape, const dims& strides, std::size_t item_bytes) {
  extent e{0, static_cast<std::int64_t>(item_bytes)};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return {0, 0};
    const std::int64_t last_offset = (shape[i] - 1) * strides[i];
    (last_offset < 0 ? e.begin : e.end) += last_offset;
  }
  return e;
}

// Beyond any address of today's machines, and so near that sums and multiples of strides cannot wrap.
constexpr std::int64_t farthest = std::int64_t{1} << 61;

void throw_beyond_addresses(const dims& shape, const dims& strides) {
  fail<overflow_error>("an array of shape {} with strides {} reaches beyond the address space", text(shape),
                       text(strides));
}

extent checked_extent(const dims& shape, const dims& strides, std::size_t item_bytes) {
  extent e{0, static_cast<std::int64_t>(item_bytes)};
  if (std::ranges::find(shape, 0) != shape.end()) return {0, 0};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t last_offset, all;
    std::int64_t& end = strides[i] < 0 ? e.begin : e.end;
    if (__builtin_mul_overflow(shape[i] - 1, strides[i], &last_offset) ||
        __builtin_add_overflow(end, last_offset, &end) || __builtin_sub_overflow(e.end, e.begin, &all))
      throw_beyond_addresses(shape, strides);
  }
  if (e.end - e.begin > farthest) throw_beyond_addresses(shape, strides);
  return e;
}

dims kept_strides(const dims& shape, const dims& strides) {
  const bool empty = std::ranges::find(shape, 0) != shape.end();
  dims result = strides;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto most = static_cast<std::uint64_t>(farthest / max_ndim / std::max<std::int64_t>(shape[i], 1));
    if ((empty || shape[i] == 1) && magnitude(strides[i]) > most) result[i] = 0;
  }
  return result;
}

}  // namespace core
GPARRAY_END_NAMESPACE
