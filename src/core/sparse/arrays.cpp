// Arrays of positions, and engines called with arrays.
#include <algorithm>

#include <core/array/adopt.hpp>
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/indexing/gather.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sparse/sparse.hpp>
#include <gparray/memory.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

sparse_engine& sparse_engine_of(device on_device) {
  sparse_engine* engine = backend_of(on_device).sparse();
  if (!engine)
    fail<device_error>("the backend of {} has no sparse matrices; move the matrix to the CPU",
                       on_device.str());
  return *engine;
}

any_array contiguous(const any_array& a, dtype type) {
  const any_array converted = detail::astype(named(a), type, false).eval();
  return converted.is_c_contiguous() ? converted : detail::copy(converted, order::C);
}

index_array as_index_array(const any_array& a) { return index_array(contiguous(a, dtype::int64)); }

index_array counting(std::int64_t n, device on_device) {
  return detail::typed<std::int64_t>(detail::arange(n, dtype::int64, detail::constant(std::int64_t{0}),
                                                    detail::constant(std::int64_t{1}),
                                                    {.device = on_device}));
}

std::int64_t item_at(const any_array& a, std::int64_t i) {
  const detail::index_item at[] = {i};
  const any_array element = detail::astype(named(detail::basic_index(a, at)), dtype::int64, false);
  std::int64_t value;
  detail::item(element, &value);
  return value;
}

any_array gathered(const any_array& from, const index_array& index) {
  const array_rep *source = computed(from), *numbers = computed(index);
  const any_array result = allocate(source->type, numbers->shape, source->device_);
  if (numbers->size == 0) return result;
  const std::int64_t n = source->shape[0];
  gather_elements(result.rep(), result.rep()->strides, source, 0, dims(0), numbers->shape, numbers,
                  numbers->strides, {0, source->strides[0], 0, n});
  return result;
}

void scatter_to(const any_array& to, const any_array& from, const index_array& index) {
  const array_rep *target = computed(to), *source = computed(from), *numbers = computed(index);
  if (numbers->size == 0) return;
  scatter_elements(target, 0, dims(0), source, source->strides, numbers->shape, numbers, numbers->strides,
                   {0, target->strides[0], 0, target->shape[0], true});
}

any_array selected(const any_array& from, const ndarray<bool>& mask, std::int64_t count) {
  const array_rep* source = computed(from);
  return compact_elements(computed(mask), count, source, 0, source->strides);
}

index_array selected_indices(const ndarray<bool>& mask, std::int64_t count) {
  return detail::typed<std::int64_t>(compact_indices(computed(mask), count, c_strides(mask.shape(), 1)));
}

std::int64_t count_of(const ndarray<bool>& mask) { return count_true(computed(mask)); }

index_array searched(const index_array& keys, const index_array& numbers, bool after) {
  index_array result = empty<std::int64_t>(numbers.shape(), {.device = numbers.device()});
  if (numbers.size() == 0) return result;
  const index_array sorted = as_index_array(keys), wanted = as_index_array(numbers);
  if (keys.size() == 0) {
    result.fill(0);
    return result;
  }
  const device on_device = numbers.device();
  sparse_engine_of(on_device).search(sorted.data(), sorted.size(), wanted.data(), wanted.size(), after,
                                     result.data(), current_queue(on_device));
  used({&sorted, &wanted, &result});
  return result;
}

dtype index_type(std::int64_t largest, dtype wanted) {
  return largest > std::numeric_limits<std::int32_t>::max() ? dtype::int64 : wanted;
}

dtype common_index(const sparse_parts& a, const sparse_parts& b) {
  return promote_types(a.index_dtype(), b.index_dtype());
}

sparse_parts make_parts(format f, std::int64_t rows, std::int64_t columns, any_array data, any_array major,
                        any_array minor) {
  sparse_parts p;
  p.format = f;
  p.rows = rows;
  p.columns = columns;
  p.data = std::move(data);
  p.major = std::move(major);
  p.minor = std::move(minor);
  return p;
}

std::int64_t major_count(const sparse_parts& a) { return of_major(a.format, a.rows, a.columns); }
std::int64_t minor_count(const sparse_parts& a) { return of_minor(a.format, a.rows, a.columns); }

compressed_rows view_of(const sparse_parts& a) {
  return {major_count(a), minor_count(a),          a.minor.size(),          a.index_dtype(),
          a.dtype(),      computed(a.major)->data, computed(a.minor)->data, computed(a.data)->data};
}

index_array diagonal_offsets(const sparse_parts& a) {
  return gparray::clip(as_index_array(a.major), -a.rows, std::min(a.columns, a.data.shape(1)));
}

void with_diagonals(const sparse_parts& a, bool ascending,
                    const std::function<void(const stored_diagonals&)>& body) {
  const std::vector<std::int64_t> offsets = diagonal_offsets(a).to_vector();
  const any_array data = contiguous(a.data, a.dtype());
  const std::int64_t stored = data.shape(1), step = stored * static_cast<std::int64_t>(itemsize(a.dtype()));
  const std::int64_t width = std::min(a.columns, stored);
  std::vector<stored_diagonal> each;
  for (std::size_t k = 0; k < offsets.size(); ++k)
    if (offsets[k] > -a.rows && offsets[k] < width)
      each.push_back({offsets[k], static_cast<const std::byte*>(computed(data)->data) +
                                      static_cast<std::int64_t>(k) * step});
  if (ascending) std::ranges::sort(each, {}, &stored_diagonal::offset);
  if (each.empty()) return;
  body({a.rows, width, a.dtype(), each});
  used({&data});
}

void used(std::initializer_list<const any_array*> arrays) {
  for (const any_array* a : arrays) {
    const array_rep* rep = computed(*a);
    record_use(rep->memory, current_queue(rep->device_));
  }
}

any_array expanded(const sparse_parts& a) {
  const std::int64_t n = a.minor.size();
  const any_array result = allocate(a.index_dtype(), n, a.device());
  if (n == 0) return result;
  sparse_engine_of(a.device())
      .expand(computed(a.major)->data, major_count(a), n, a.index_dtype(), result.rep()->data,
              current_queue(a.device()));
  used({&a.major, &result});
  return result;
}

namespace {

/// The others are an array, or rows that begin at `starts`.
sparse_parts compress_numbered(format f, std::int64_t rows, std::int64_t columns, const any_array& number,
                               const any_array* other, const any_array* starts, const any_array& data) {
  const device on_device = data.device();
  const dtype index = number.dtype();
  const std::int64_t n = data.size(), n_numbers = of_major(f, rows, columns);
  if (n == 0) {
    return make_parts(f, rows, columns, data,
                      detail::create_zeros(dims(n_numbers + 1), index, {.device = on_device}), number);
  }
  sparse_parts p = make_parts(f, rows, columns, allocate(data.dtype(), n, on_device),
                              allocate(index, n_numbers + 1, on_device), allocate(index, n, on_device));
  const numbered_entries e{n,
                           n_numbers,
                           index,
                           computed(number)->data,
                           other ? computed(*other)->data : nullptr,
                           itemsize(data.dtype()),
                           computed(data)->data,
                           starts ? computed(*starts)->data : nullptr,
                           starts ? starts->size() - 1 : 0};
  sparse_engine_of(on_device).compress(e, p.major.rep()->data, p.minor.rep()->data, p.data.rep()->data,
                                       current_queue(on_device));
  used({&number, other ? other : starts, &data, &p.major, &p.minor, &p.data});
  return p;
}

}  // namespace

sparse_parts compressed_by(format f, std::int64_t rows, std::int64_t columns, const any_array& number,
                           const any_array& other, const any_array& data) {
  return compress_numbered(f, rows, columns, number, &other, nullptr, data);
}

sparse_parts compressed_across(const sparse_parts& a) {
  const format to = sparse::transposed(a.format);
  if (sparse_engine_of(a.device()).compresses_rows())
    return compress_numbered(to, a.rows, a.columns, a.minor, nullptr, &a.major, a.data);
  return compressed_by(to, a.rows, a.columns, a.minor, expanded(a), a.data);
}

index_array keys_of(const sparse_parts& a) {
  checked_size({a.rows, a.columns}, 1);
  const ndarray<std::int64_t> major = as_index_array(expanded(a)), minor = as_index_array(a.minor);
  return major * minor_count(a) + minor;
}

sparse_parts from_keys(format f, std::int64_t rows, std::int64_t columns, const index_array& keys,
                       const any_array& data, dtype index) {
  const std::int64_t n_minor = of_minor(f, rows, columns), n_major = of_major(f, rows, columns);
  const index_array starts = counting(n_major + 1, keys.device()) * n_minor;
  const any_array minor = contiguous(gparray::remainder(keys, std::max<std::int64_t>(n_minor, 1)), index);
  sparse_parts p =
      make_parts(f, rows, columns, data, contiguous(searched(keys, starts, false), index), minor);
  p.sorted = p.canonical = true;
  return p;
}

sparse_parts finished(format f, std::int64_t rows, std::int64_t columns, dtype type, const any_array& indptr,
                      counted_matrix& counted) {
  const device on_device = indptr.device();
  const std::int64_t count = counted.count();
  if (count == 0) {
    const sparse_parts none_stored = detail::sparse_empty(f, {rows, columns}, type, on_device);
    return detail::sparse_with_index(none_stored, promote_types(indptr.dtype(), none_stored.index_dtype()));
  }
  // Memory of a user's allocator is that which was asked for.
  if (on_device.is_cpu() && !get_allocator(memory_space::host, on_device))
    if (entry_blocks own = counted.hand_over(); own.data)
      return make_parts(f, rows, columns, adopted(type, count, std::move(own.data)), indptr,
                        adopted(indptr.dtype(), count, std::move(own.indices)));
  sparse_parts p = make_parts(f, rows, columns, allocate(type, count, on_device), indptr,
                              allocate(indptr.dtype(), count, on_device));
  counted.write(p.minor.rep()->data, p.data.rep()->data);
  used({&p.data, &p.major, &p.minor});
  return p;
}

void check_same_shape(const sparse_parts& a, const sparse_parts& b) {
  if (a.rows != b.rows || a.columns != b.columns)
    fail<value_error>("inconsistent shapes ({}, {}) and ({}, {})", a.rows, a.columns, b.rows, b.columns);
}

void check_same_device(const char* operation, const any_array& a, const any_array& b) {
  if (a.device() != b.device()) throw_device_mismatch(operation, a.device(), b.device());
}

}  // namespace core
GPARRAY_END_NAMESPACE
