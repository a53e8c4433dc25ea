// What follows from where an element stands, as steps of a plan: what a view is of, the numbers of a range,
// and where loads of rows find their elements.
#include <core/array/loads.hpp>
#include <core/array/plan_builder.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// From the index of an array to that of a plan of so many dimensions, to which it is broadcast.
index_map own_places(const array_rep& rep, std::size_t plan_dims) {
  const int ndim = static_cast<int>(rep.shape.size()), shift = static_cast<int>(plan_dims) - ndim;
  index_map map(ndim);
  for (int d = 0; d < ndim; ++d)
    map.at[d] = {rep.shape[static_cast<std::size_t>(d)] == 1 ? -1 : d + shift, 1, 0};
  return map;
}

}  // namespace

// Not in value_of(), which calls itself for each of many steps, and has no room for a map on the stack.
int plan_builder::view_of(const array_rep* rep) {
  index_map map = *rep->view;
  const int shift = static_cast<int>(shape_.size() - rep->shape.size());
  for (int d = 0; d < map.ndim; ++d) {
    int& axis = map.at[d].axis;
    if (axis >= 0) axis = rep->shape[static_cast<std::size_t>(axis)] == 1 ? -1 : axis + shift;
  }
  return expression_at(rep->operation.arguments[0].array, map);
}

int plan_builder::number_at(const row_places& places, const index_map& map) {
  dims units = dims::filled(shape_.size(), 0);
  for (int d = 0; d < map.ndim; ++d)
    if (map.at[d].axis >= 0)
      units[static_cast<std::size_t>(map.at[d].axis)] =
          places.strides[static_cast<std::size_t>(d)] * map.at[d].step;
  return iota(places.first + map.offset(places.strides), units);
}

int plan_builder::number_of_range(const array_rep& rep) {
  return number_of_range(rep, own_places(rep, shape_.size()));
}

int plan_builder::number_of_range(const array_rep& rep, const index_map& map) {
  const int number = number_at(*rep.places, map);
  return add_step(ufunc::cast, rep.operation.loop, &number, 1, nullptr);
}

int plan_builder::address_in_row(int row, const array_rep& rep) {
  return address_in_row(row, *rep.places, own_places(rep, shape_.size()));
}

int plan_builder::address_in_row(int row, const row_places& places, const index_map& map) {
  const int address = apply(ufunc::add, dtype::int64, {row, number_at(places, map)});
  return apply(
      ufunc::clip, dtype::int64,
      {address, constant(dtype::int64, places.ends[0].value), constant(dtype::int64, places.ends[1].value)});
}

}  // namespace core
GPARRAY_END_NAMESPACE
