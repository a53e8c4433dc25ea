// Elements of a pending array by index arrays: its steps at their places, with elements of what it is made
// of.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/loads.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/same_steps.hpp>
#include <core/array/unstored_names.hpp>
#include <core/indexing/selection.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool are_steps(const array_rep* rep) {
  if (!is_plain_step(rep)) return false;
  for (int i = 0; i < rep->operation.count; ++i)
    if (const array_rep* const a = rep->operation.arguments[i].array; a && is_pending(a) && !are_steps(a))
      return false;
  return true;
}

/// Of a computed array that is broadcast to the shape of the selection's base.
any_array elements_of(const any_array& source, const selection& s) {
  const array_rep* const rep = source.rep();
  const std::size_t shift = s.parts.size() - rep->shape.size();
  auto first = reinterpret_cast<std::int64_t>(rep->data);
  any_array addresses;
  for (std::size_t d = 0; d < rep->shape.size(); ++d) {
    if (rep->shape[d] == 1) continue;
    const index_part& p = s.parts[d + shift];
    first += p.shift * rep->strides[d];
    const any_array term = indices_along(p.index, p.wrap, rep->strides[d]);
    addresses =
        addresses.rep() ? apply(ufunc::add, dtype::int64, {temporary(term), temporary(addresses)}) : term;
  }
  if (!addresses.rep()) return make_view(rep, rep->type, {}, {}, 0);
  addresses = apply(ufunc::add, dtype::int64, {temporary(addresses), detail::constant(first)});
  if (!s.ends_inside) {
    const std::size_t item = itemsize(rep->type);
    const extent bytes = byte_extent(rep->shape, rep->strides, item);
    const auto begin = reinterpret_cast<std::int64_t>(rep->data);
    addresses = apply(ufunc::clip, dtype::int64,
                      {temporary(addresses), detail::constant(begin + bytes.begin),
                       detail::constant(begin + bytes.end - static_cast<std::int64_t>(item))});
  }
  return loaded_later(source, addresses, first);
}

}  // namespace

bool may_read_through(const any_array& base) {
  array_rep* const rep = base.rep();
  if (!rep || !is_pending(rep) || rep->device_.is_cpu() || rep->home != own_pending_list() ||
      !may_load_later(rep->device_))
    return false;
  const auto steps = hold_expression(rep);
  if (!is_pending(rep) || !are_steps(rep) || !is_cheap_to_repeat(rep, rep->size)) return false;
  result_strides(rep);  // where its elements will be
  return true;
}

any_array read_through(const selection& s) {
  constexpr std::int64_t part_of_base = 4;
  const array_rep* const base = s.base.rep();
  const auto steps = hold_expression(base);
  if (!is_pending(base) || !are_steps(base)) return {};
  std::vector<const dims*> shapes;
  for (const index_part& p : s.parts) shapes.push_back(&p.index.shape());
  const dims shape = broadcast_shapes(shapes);
  if (checked_size(shape, 1) > base->size / part_of_base) return {};
  const any_array elements = same_steps(base, [&](const any_array& a) { return elements_of(a, s); });
  return elements.shape() == shape ? elements : any_array();
}

}  // namespace core
GPARRAY_END_NAMESPACE
