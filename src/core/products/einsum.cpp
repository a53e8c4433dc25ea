// einsum: diagonals and sums of single operands, then contractions of pairs by batched matrix products.
#include <core/array/arguments.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/temporary.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/einsum.hpp>
#include <core/products/products.hpp>
#include <core/reduction/reduction.hpp>
#include <gparray/products/einsum.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// An array whose axes have names, each once.
struct labelled {
  any_array array;
  label_list labels;
};

std::size_t position_of(const label_list& labels, axis_label label) {
  return static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
}

/// Axes with the same label become one, along the diagonal. Sizes of 1 do not broadcast here, as in NumPy.
labelled diagonal_of(const any_array& a, const label_list& labels, std::size_t operand) {
  const array_rep* rep = computed(a);
  dims shape, strides;
  label_list once;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const std::size_t seen = position_of(once, labels[d]);
    if (seen == once.size()) {
      once.push_back(labels[d]);
      shape.push_back(rep->shape[d]);
      strides.push_back(rep->strides[d]);
    } else if (shape[seen] == rep->shape[d]) {
      strides[seen] += rep->strides[d];
    } else {
      fail<value_error>("dimensions in operand {} for collapsing index '{}' don't match ({} != {})", operand,
                        static_cast<char>(labels[d]), shape[seen], rep->shape[d]);
    }
  }
  return {make_view(rep, rep->type, shape, strides, 0), std::move(once)};
}

/// The sizes of all labels, where those of size 1 broadcast.
label_sizes common_sizes(const std::vector<labelled>& operands) {
  label_sizes sizes;
  for (const labelled& o : operands)
    for (std::size_t d = 0; d < o.labels.size(); ++d) {
      const axis_label l = o.labels[d];
      const std::int64_t n = o.array.shape()[d];
      if (!sizes.knows(l) || sizes[l] == 1) {
        sizes.set(l, n);
      } else if (n != 1 && n != sizes[l]) {
        std::vector<const dims*> shapes;
        for (const labelled& each : operands) shapes.push_back(&each.array.shape());
        throw_not_broadcastable(shapes);
      }
    }
  return sizes;
}

/// Without the axes of size 1 that broadcast: the other operands with the label have all its elements.
labelled without_broadcast_axes(labelled o, const label_sizes& sizes) {
  for (std::size_t d = o.labels.size(); d-- > 0;)
    if (o.array.shape()[d] == 1 && sizes[o.labels[d]] != 1) {
      o.array = remove_axis(o.array, d);
      o.labels.erase(o.labels.begin() + static_cast<std::ptrdiff_t>(d));
    }
  return o;
}

/// The sum over the axes whose labels are not among `kept`.
labelled summed(labelled o, const label_list& kept, dtype type) {
  dims axes;
  label_list rest;
  for (std::size_t d = 0; d < o.labels.size(); ++d)
    if (contains(kept, o.labels[d])) rest.push_back(o.labels[d]);
    else axes.push_back(static_cast<std::int64_t>(d));
  if (axes.empty()) return o;
  const any_array sum =
      detail::reduce(type == dtype::bool_ ? reduction::any : reduction::sum, named(o.array), type, &axes, {});
  return {sum.dtype() == type ? sum : detail::astype(temporary(sum), type, false).eval(), rest};
}

any_array permuted(const labelled& o, const label_list& order) {
  dims axes;
  for (const axis_label l : order) axes.push_back(static_cast<std::int64_t>(position_of(o.labels, l)));
  return permute_axes(o.array, axes);
}

/// With an axis of size 1 for each label of `order` that it does not have.
any_array spread(const labelled& o, const label_list& order) {
  label_list own;
  for (const axis_label l : order)
    if (contains(o.labels, l)) own.push_back(l);
  any_array result = permuted(o, own);
  for (std::size_t d = 0; d < order.size(); ++d)
    if (!contains(o.labels, order[d])) result = insert_axis(result, d);
  return result;
}

/// The axes in groups, each of which becomes one axis.
any_array grouped(const labelled& o, std::initializer_list<const label_list*> groups) {
  label_list order;
  dims shape;
  for (const label_list* group : groups) {
    std::int64_t size = 1;
    for (const axis_label l : *group) {
      order.push_back(l);
      size *= o.array.shape()[position_of(o.labels, l)];
    }
    shape.push_back(size);
  }
  return reshaped(permuted(o, order), shape);
}

/// The product of two operands, summed over the labels that are not kept.
labelled contract(labelled a, labelled b, const label_list& kept, const label_sizes& sizes, dtype type) {
  // Labels that only one of them has, and that no later step needs, are summed before.
  label_list wanted_of_a = kept, wanted_of_b = kept;
  wanted_of_a.insert(wanted_of_a.end(), b.labels.begin(), b.labels.end());
  wanted_of_b.insert(wanted_of_b.end(), a.labels.begin(), a.labels.end());
  a = summed(std::move(a), wanted_of_a, type);
  b = summed(std::move(b), wanted_of_b, type);
  if (a.array.dtype() != b.array.dtype())  // one has been summed, or is a product
    for (labelled* const x : {&a, &b}) x->array = detail::as_type(x->array, type);
  label_list batch, both, rows, columns;
  for (const axis_label l : a.labels)
    (!contains(b.labels, l) ? rows : contains(kept, l) ? batch : both).push_back(l);
  for (const axis_label l : b.labels)
    if (!contains(a.labels, l)) columns.push_back(l);
  labelled result;
  dims shape;
  for (const label_list* group : {&batch, &rows, &columns})
    for (const axis_label l : *group) {
      result.labels.push_back(l);
      shape.push_back(sizes[l]);
    }
  // Where both have the same axes, or nothing is summed, there are no matrices to multiply.
  if (both.empty()) {
    const any_array x = spread(a, result.labels), y = spread(b, result.labels);
    const detail::argument factors[] = {temporary(x), temporary(y)};
    result.array = detail::make_expression(ufunc::multiply, type, factors).eval();
  } else if (rows.empty() && columns.empty()) {
    label_list all = batch;
    all.insert(all.end(), both.begin(), both.end());
    result.array = sum_of_products(type, permuted(a, all), permuted(b, all), static_cast<int>(both.size()));
  } else {
    const any_array product =
        multiply_matrices(type, grouped(a, {&batch, &rows, &both}), grouped(b, {&batch, &both, &columns}));
    result.array = reshaped(product, shape);
  }
  return result;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array einsum(std::string_view subscripts, std::span<const any_array> operands, gparray::dtype type,
                 const einsum_options& options) {
  std::vector<argument> arguments;
  std::vector<const dims*> shapes;
  for (const any_array& a : operands) {
    arguments.push_back(named(a));
    shapes.push_back(&a.shape());
  }
  common_device("einsum", arguments);
  const einsum_subscripts s = parse_subscripts(subscripts, shapes);
  gparray::dtype factors = arguments.size() > 1 ? factor_dtype(arguments[0], arguments[1], type) : type;
  for (const argument& x : arguments)
    if (x.type != factors) factors = type;
  std::vector<labelled> list;
  for (std::size_t i = 0; i < operands.size(); ++i)
    list.push_back(diagonal_of(product_operand(arguments[i], factors), s.operands[i], i));
  const label_sizes sizes = common_sizes(list);
  einsum_subscripts order_of = s;
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = without_broadcast_axes(std::move(list[i]), sizes);
    order_of.operands[i] = list[i].labels;
  }
  for (const contraction& pair : contraction_order(order_of, sizes, options.optimize)) {
    labelled a = std::move(list[pair.first]), b = std::move(list[pair.second]);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(pair.second));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(pair.first));
    std::vector<label_list> others;
    for (const labelled& o : list) others.push_back(o.labels);
    const label_list kept = kept_labels(a.labels, b.labels, others, s.result);
    list.push_back(contract(std::move(a), std::move(b), kept, sizes, type));
  }
  const labelled last = summed(std::move(list[0]), s.result, type);
  return permuted(last, s.result);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
