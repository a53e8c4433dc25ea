// Where loads of rows find their elements, as steps of a plan.
#include <core/array/loads.hpp>
#include <core/array/plan_builder.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

int plan_builder::address_in_row(int row, const array_rep& rep) {
  const int ndim = static_cast<int>(rep.shape.size()), shift = static_cast<int>(shape_.size()) - ndim;
  index_map map(ndim);
  for (int d = 0; d < ndim; ++d)
    map.at[d] = {rep.shape[static_cast<std::size_t>(d)] == 1 ? -1 : d + shift, 1, 0};
  return address_in_row(row, *rep.places, map);
}

int plan_builder::address_in_row(int row, const row_places& places, const index_map& map) {
  dims units = dims::filled(shape_.size(), 0);
  for (int d = 0; d < map.ndim; ++d)
    if (map.at[d].axis >= 0)
      units[static_cast<std::size_t>(map.at[d].axis)] =
          places.strides[static_cast<std::size_t>(d)] * map.at[d].step;
  const int in_row = iota(places.first + map.offset(places.strides), units),
            address = apply(ufunc::add, dtype::int64, {row, in_row});
  return apply(
      ufunc::clip, dtype::int64,
      {address, constant(dtype::int64, places.ends[0].value), constant(dtype::int64, places.ends[1].value)});
}

}  // namespace core
GPARRAY_END_NAMESPACE
