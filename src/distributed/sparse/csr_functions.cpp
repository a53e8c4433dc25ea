// What sparse matrices of all ranks can do.
#include <distributed/collectives/moved.hpp>
#include <distributed/sparse/csr.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

sparse_parts csr_local(const csr_ptr& a) {
  sparse_parts part = a->part;
  if (!a->needs) return part;
  // What columns of the part are called in the whole matrix.
  const range own = a->columns->own(0);
  const std::int64_t before = a->needs->before;
  const any_array block = gparray::arange<std::int64_t>(own.begin, own.end, 1, {.device = part.device()});
  const any_array numbers[] = {part_of(a->needs->wanted, 0, 0, before), block,
                               part_of(a->needs->wanted, 0, before, a->needs->wanted.size())};
  const any_array names = gd::join(gd::joining::concatenate, numbers, 0, dtype::int64);
  part.minor = gd::as_type(gd::take(names, gd::as_type(part.minor, dtype::int64), 0, gd::index_mode::raise),
                           part.index_dtype());
  part.columns = a->columns->shape[0];
  return part;
}

sparse_parts csr_gathered(const csr_ptr& a, int root) {
  const mesh_state& ranks = *a->rows->ranks;
  const communicator& line = a->line();
  const sparse_parts part = csr_local(a);
  int root_of_line = -1;
  if (root >= 0) {
    check_rank("gather_to", "the root", root, ranks.world.size());
    const auto axis = static_cast<std::size_t>(a->rows->axes[0].mesh_axis);
    dims its = ranks.coordinates_of(root);
    root_of_line = static_cast<int>(its[axis]);
    its[axis] = ranks.coordinates[axis];
    // Another line has what this one has.
    if (its != ranks.coordinates) return gd::sparse_empty(part.format, {0, 0}, part.dtype(), part.device());
  }
  const auto brought = [&](const any_array& x) {
    return root_of_line < 0 ? all_gather(x, line, {}) : gather(x, root_of_line, line, {});
  };
  const ndarray<std::int64_t> starts(gd::as_type(part.major, dtype::int64));
  const any_array data = brought(part.data), minor = brought(gd::as_type(part.minor, dtype::int64)),
                  counts = brought(ndarray<std::int64_t>(gparray::diff(starts)));
  if (root >= 0 && line.rank() != root_of_line)
    return gd::sparse_empty(part.format, {0, 0}, part.dtype(), part.device());
  const ndarray<std::int64_t> ends = gparray::cumsum(ndarray<std::int64_t>(counts));
  const any_array zero = gd::create_zeros({1}, dtype::int64, {.device = ends.device()});
  const any_array pieces[] = {zero, ends};
  const any_array major = gd::join(gd::joining::concatenate, pieces, 0, dtype::int64);
  return gd::sparse_from_compressed(gparray::sparse::format::csr, operand(data, false), minor, major,
                                    dims{a->rows->shape[0], a->columns->shape[0]});
}

any_array csr_data(const csr_ptr& a) { return a->part.data; }

csr_ptr csr_with_data(const csr_ptr& a, const any_array& data) {
  auto made = std::make_shared<csr_state>(*a);
  made->part = gd::sparse_with_values(a->part, data);
  return made;
}

node_ptr csr_diagonal(const csr_ptr& a) {
  placement at = *a->rows;
  const std::int64_t n = std::min(a->rows->shape[0], a->columns->shape[0]);
  const any_array part = gd::sparse_diagonal(csr_local(a), a->rows->own(0).begin);
  if (n == at.shape[0]) return node_of(a->rows, part);
  std::vector<std::int64_t> cuts = *at.axes[0].cuts;
  for (std::int64_t& cut : cuts) cut = std::min(cut, n);
  at.shape[0] = n;
  at.axes[0].cuts = std::make_shared<const std::vector<std::int64_t>>(std::move(cuts));
  return node_of(std::move(at), part);
}

node_ptr csr_times(const csr_ptr& a, const node_ptr& x, dtype type) {
  const dims& shape = x->where.shape;
  if (shape.size() != 1 && shape.size() != 2) throw value_error("could not interpret dimensions");
  if (shape[0] != a->columns->shape[0])
    core::fail<value_error>("matmul: dimension mismatch of a sparse matrix {} with an array {}",
                            core::text(dims{a->rows->shape[0], a->columns->shape[0]}), core::text(shape));
  // What is left of a window lies where as many elements of an array of its own would.
  const axis_place &mine = a->columns->axes[0], its = x->where.plain().axes[0];
  if (!same_mesh(a->rows->ranks, x->where.ranks))
    throw value_error("a sparse matrix and a factor are on different meshes: make their layouts of one mesh");
  if (!mine.same_cuts(its) || (shape.size() == 2 && !x->where.axes[1].whole()))
    core::fail<value_error>(
        "matmul: the factor has the layout {}, and the sparse matrix wants {}: nothing moves by itself "
        "between layouts; x.reshard(a.column_layout()) moves it there",
        x->where.layout().str(), a->columns->layout().str());
  const any_array all = a->gathered_needs(shard_of(x)->own(), shape);
  const any_array y = gd::sparse_times_dense(a->part, operand(all, false), type);
  // In one place with the factor if it can be, so that both meet without a look at their layouts.
  if (a->rows == a->columns) return node_of(x->place, y);
  if (shape.size() == 1) return node_of(a->rows, y);
  placement at = *a->rows;
  at.shape.push_back(shape[1]);
  at.axes.emplace_back();
  return node_of(std::move(at), y);
}

std::string csr_text(const csr_ptr& a) { return gd::sparse_text(csr_gathered(a, -1)); }

}  // namespace distributed::detail

namespace distributed::sparse {

dims any_csr_matrix::shape() const { return {state_->rows->shape[0], state_->columns->shape[0]}; }
std::int64_t any_csr_matrix::shape(int axis) const {
  return shape()[static_cast<std::size_t>(detail::checked_axis(axis, 2))];
}
gparray::dtype any_csr_matrix::dtype() const noexcept { return state_->part.dtype(); }
std::int64_t any_csr_matrix::nnz() const noexcept { return state_->entries; }
distributed::layout any_csr_matrix::layout() const { return state_->rows->layout(); }
distributed::layout any_csr_matrix::column_layout() const { return state_->columns->layout(); }
const communicator& any_csr_matrix::world() const { return state_->rows->ranks->world; }
std::int64_t any_csr_matrix::local_offset() const { return state_->rows->own(0).begin; }

}  // namespace distributed::sparse
GPARRAY_END_NAMESPACE
