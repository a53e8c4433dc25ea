// Structured matrices and grids: comparisons and copies of index generators.
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/products/products.hpp>
#include <core/reduction/reduction.hpp>
#include <gparray/creation/grids.hpp>
#include <gparray/runtime/jit.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

dims matrix_shape(std::int64_t rows, const detail::slice_end& columns) {
  return {rows, columns.given ? columns.value : rows};
}

/// A diagonal far outside the matrix is as good as the nearest one outside, and cannot overflow.
std::int64_t nearest_diagonal(const dims& shape, std::int64_t k) {
  return std::clamp(k, -shape[shape.size() - 2], shape[shape.size() - 1]);
}

/// column - row - k over the last two axes, compared with zero.
int compare_with_diagonal(plan_builder& b, const dims& shape, std::int64_t k, ufunc comparison) {
  const std::size_t ndim = shape.size();
  dims units = dims::filled(ndim, 0);
  units[ndim - 2] = -1;
  units[ndim - 1] = 1;
  const int distance = b.iota(-nearest_diagonal(shape, k), units);
  return b.apply(comparison, dtype::int64, {distance, b.constant(dtype::int64, scalar_bits{})});
}

/// Whether a CPU had better copy a row from a vector than compute it: one that takes longer than to begin it.
bool copies_rows(device where, const dims& shape) { return where.is_cpu() && shape.back() >= 64; }

/// On a CPU: a matrix of ones at and below diagonal k and zeros above, or with `lower` false at and above and
/// zeros below, as a view of one vector: each row is the one above it, moved by one. Nothing is compared.
any_array triangle_view(const dims& shape, std::int64_t k, bool lower, dtype type) {
  const std::int64_t rows = shape[shape.size() - 2], columns = shape[shape.size() - 1];
  if (rows == 0 || columns == 0) return allocate(type, {rows, columns}, device::cpu());
  const std::int64_t length = checked_sum(rows, columns - 1, "a triangle"),
                     change = std::clamp<std::int64_t>(nearest_diagonal(shape, k) + rows - (lower ? 0 : 1), 0,
                                                       length);
  const std::int64_t item = static_cast<std::int64_t>(itemsize(type));
  const any_array line = allocate(type, length, device::cpu());
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return make_view(line.rep(), type, {end - begin}, {item}, begin * item);
  };
  fill(part(0, change).rep(), type, constant_bits(lower ? 1.0 : 0.0, type));
  fill(part(change, length).rep(), type, constant_bits(lower ? 0.0 : 1.0, type));
  return make_view(line.rep(), type, {rows, columns}, {-item, item}, (rows - 1) * item);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array eye(std::int64_t rows, const slice_end& columns, std::int64_t k, gparray::dtype type,
              const array_options& options) {
  const any_array result = create(matrix_shape(rows, columns), type, options);
  if (result.device().is_cpu()) {  // which starts two steps as soon as one, and has less to do in them
    fill_zero(result.rep());
    const any_array ones = diagonal(result, nearest_diagonal(result.shape(), k), 0, 1);
    fill(ones.rep(), type, constant_bits(1.0, type));
  } else {
    generate(result,
             [&](plan_builder& b) { return compare_with_diagonal(b, result.shape(), k, ufunc::equal); });
  }
  return result;
}

any_array tri(std::int64_t rows, const slice_end& columns, std::int64_t k, gparray::dtype type,
              const array_options& options) {
  const any_array result = create(matrix_shape(rows, columns), type, options);
  if (copies_rows(result.device(), result.shape())) {
    copy_elements(result.rep(), triangle_view(result.shape(), k, true, type).rep());
    return result;
  }
  generate(result,
           [&](plan_builder& b) { return compare_with_diagonal(b, result.shape(), k, ufunc::less_equal); });
  return result;
}

any_array triangle(const any_array& a, std::int64_t k, bool lower) {
  const array_rep* source = computed(a);
  if (source->shape.empty()) throw value_error("tril and triu need an array of at least one dimension");
  // A vector is as good as a matrix with this vector as every row.
  const dims shape = source->shape.size() == 1 ? dims{source->shape[0], source->shape[0]} : source->shape;
  const any_array result = allocate(source->type, shape, source->device_);
  any_array mask;
  if (copies_rows(source->device_, shape)) mask = triangle_view(shape, k, lower, gparray::dtype::bool_);
  generate(result, [&](plan_builder& b) {
    const int kept =
        mask.rep() ? b.array(mask.rep())
                   : compare_with_diagonal(b, shape, k, lower ? ufunc::less_equal : ufunc::greater_equal);
    // Of bools "and" is the same, and its loop is one of many elements at a time.
    if (source->type == gparray::dtype::bool_)
      return b.apply(ufunc::bitwise_and, source->type, {kept, b.array(source)});
    return b.apply(ufunc::where, source->type,
                   {kept, b.array(source), b.constant(source->type, scalar_bits{})});
  });
  record_uses(source, current_queue(source->device_));
  return result;
}

any_array diag(const any_array& v, std::int64_t k) {
  const array_rep* source = computed(v);
  if (source->shape.size() == 2) return diagonal(v, k, 0, 1);
  if (source->shape.size() != 1) throw value_error("Input must be 1- or 2-d.");
  const std::int64_t n = checked_sum(source->size, k < 0 ? saturating_negation(k) : k, "diag: the size");
  const any_array result = create_zeros({n, n}, source->type, {.device = source->device_});
  copy_elements(diagonal(result, k, 0, 1).rep(), source);
  return result;
}

any_array diagflat(const any_array& v, std::int64_t k) { return diag(ravel(v, order::C), k); }

std::vector<any_array> meshgrid(std::span<const any_array> axes, const meshgrid_options& options) {
  if (options.indexing != "xy" && options.indexing != "ij")
    throw value_error("Valid values for `indexing` are 'xy' and 'ij'.");
  const std::size_t n = axes.size();
  const auto position = [&](std::size_t i) { return options.indexing == "xy" && n > 1 && i < 2 ? 1 - i : i; };
  dims full = dims::filled(n, 1);
  for (std::size_t i = 0; i < n; ++i) full[position(i)] = axes[i].size();
  std::vector<any_array> result;
  for (std::size_t i = 0; i < n; ++i) {
    dims shape = dims::filled(n, 1);
    shape[position(i)] = -1;
    if (axes[i].size() == 0) shape[position(i)] = 0;
    any_array grid = reshape(axes[i], shape, order::C);
    if (!options.sparse) grid = broadcast_to(grid, full);
    result.push_back(options.copy ? copy(grid, order::C) : grid);
  }
  return result;
}

any_array indices(const dims& shape, gparray::dtype type, const array_options& options) {
  dims all = shape;
  all.insert(0, static_cast<std::int64_t>(shape.size()));
  const any_array result = create(all, type, options);
  std::vector<any_array> lines;
  if (copies_rows(result.device(), all)) lines = sparse_indices(shape, type, options);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const index_item item(static_cast<std::int64_t>(k));
    const any_array slice = basic_index(result, std::span(&item, 1));
    if (!lines.empty()) {
      copy_elements(slice.rep(), lines[k].rep());
      continue;
    }
    generate(slice, [&](plan_builder& b) {
      dims units = dims::filled(shape.size(), 0);
      units[k] = 1;
      return b.iota(0, units);
    });
  }
  return result;
}

std::vector<any_array> sparse_indices(const dims& shape, gparray::dtype type, const array_options& options) {
  std::vector<any_array> result;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    dims own = dims::filled(shape.size(), 1);
    own[k] = shape[k];
    result.push_back(create(own, type, options));
    dims units = dims::filled(shape.size(), 0);
    units[k] = 1;
    generate(result.back(), [&](plan_builder& b) { return b.iota(0, units); });
  }
  return result;
}

any_array grid_axis(const slice& range) {
  if (!range.stop.given) throw value_error("a grid needs slices with an end");
  const std::int64_t start = range.start.given ? range.start.value : 0,
                     step = range.step.given ? range.step.value : 1;
  return arange(arange_length(start, range.stop.value, step), gparray::dtype::int64, constant(start),
                constant(step), {});
}

std::vector<any_array> open_grid(std::span<const any_array> axes) {
  return meshgrid(axes, {.indexing = "ij", .sparse = true});
}

any_array filled_grid(std::span<const any_array> axes) {
  if (axes.size() == 1) return axes[0];
  return join(joining::stack, meshgrid(axes, {.indexing = "ij", .copy = false}), 0, axes[0].dtype());
}

namespace {

/// Of few columns a GPU computes each element alone: its products take less than to store them, and others.
constexpr std::int64_t most_columns_alone = 8;

any_array few_powers(const any_array& x, std::int64_t n, bool increasing, gparray::dtype type) {
  const array_rep* const source = x.rep();
  const any_array result = allocate(type, {source->size, n}, source->device_);
  generate(result, [&](plan_builder& b) {
    const int exponent = increasing ? b.iota(0, {0, 1}) : b.iota(n - 1, {0, -1});
    const int factor = b.cast(b.array(reshape(x, {-1, 1}, order::C).rep()), type);
    int power = b.constant(type, constant_bits(1.0, type));
    for (std::int64_t k = 1; k < n; ++k) {
      const int goes_on = b.apply(ufunc::greater_equal, gparray::dtype::int64,
                                  {exponent, b.constant(gparray::dtype::int64, bits_of(constant(k)))});
      const int next = k == 1 ? factor : b.apply(ufunc::multiply, type, {power, factor});
      power = b.apply(ufunc::where, type, {goes_on, next, power});
    }
    return power;
  });
  record_uses(source, current_queue(source->device_));
  return result;
}

}  // namespace

any_array vander(const any_array& x, const slice_end& columns, bool increasing, gparray::dtype type) {
  const array_rep* source = computed(x);
  if (source->shape.size() != 1) throw value_error("x must be a one-dimensional array or sequence.");
  const std::int64_t n = columns.given ? columns.value : source->size;
  if (source->device_.is_cuda() && jit_mode() != jit::off && n > 1 && n <= most_columns_alone)
    return few_powers(x, n, increasing, type);
  const any_array powers = allocate(type, {source->size, n}, source->device_);
  // Column j is x to the power of the distance from the column of ones: repeated products, as in NumPy.
  generate(powers, [&](plan_builder& b) {
    const int index = b.iota(0, {0, 1});
    const int is_first = b.apply(ufunc::equal, gparray::dtype::int64,
                                 {index, b.constant(gparray::dtype::int64, scalar_bits{})});
    const any_array column = reshape(x, {-1, 1}, order::C);
    return b.apply(ufunc::where, type,
                   {is_first, b.constant(type, constant_bits(1.0, type)), b.array(column.rep())});
  });
  record_uses(source, current_queue(source->device_));
  const any_array result = cumulate(reduction::prod, named(powers), type, 1);
  return increasing ? result : copy(flip(result, dims{1}), order::C);
}

any_array power_rows(const any_array& x, int degree) {
  const any_array points = in_order(x, order::C);
  const array_rep* const source = computed(points);
  dims shape = source->shape;
  shape.insert(0, degree + 1);
  const any_array result = allocate(source->type, shape, source->device_);
  const std::int64_t n = source->size, item = static_cast<std::int64_t>(itemsize(source->type));
  if (n == 0) return result;
  const auto row = [&](int power) {
    return make_view(result.rep(), source->type, {n}, {item}, power * n * item);
  };
  const any_array line = make_view(source, source->type, {n}, {item}, 0);
  fill(row(0).rep(), source->type, constant_bits(1.0, source->type));
  const queue q = current_queue(source->device_);
  // A plan stores as many rows as it has room for, and begins with the last one of the plan before.
  for (int done = 0; done < degree;) {
    const int end = std::min(degree, done + usual_stores + 1);
    map_plan plan;
    plan_builder b = plan_builder::flat(plan, n);
    const any_array before = row(done), to = row(end);
    const int factor = b.array(line.rep());
    int power =
        done == 0 ? b.constant(source->type, constant_bits(1.0, source->type)) : b.array(before.rep());
    for (int k = done + 1; k <= end; ++k) {
      power = b.apply(ufunc::multiply, source->type, {power, factor});
      if (k < end) b.store(power, row(k).rep()->data);
    }
    b.store_to(to.rep()->data, source->type, to.rep()->strides);
    b.finish(power);
    backend_of(source->device_).map(plan, q);
    done = end;
  }
  record_use(result.rep()->memory, q);
  record_uses(source, q);
  return result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
