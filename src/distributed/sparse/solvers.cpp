// What solvers of sharded vectors ask of their arguments.
#include <distributed/sparse/csr.hpp>

#include <gparray/distributed/sparse/linalg.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

node_ptr with_part(const node_ptr& like, const any_array& part) { return node_of(like->place, part); }

void check_solver_vector(const char* what, const any_sharded& x, const any_sharded& like) {
  const node_ptr &a = x.state(), &b = like.state();
  if (a->place == b->place) return;
  if (a->where.shape != b->where.shape)
    core::fail<value_error>("{} has the shape {}, not that of b, {}", what, core::text(a->where.shape),
                            core::text(b->where.shape));
  if (!a->where.same(b->where))
    core::fail<value_error>("{} has the layout {}, not that of b, {}: x.reshard(b.layout()) moves it there",
                            what, a->where.layout().str(), b->where.layout().str());
}

void check_solver_shape(const char* what, const dims& shape, const any_sharded& b) {
  if (shape.size() != 2 || shape[0] != shape[1])
    core::fail<value_error>("expected square matrix, but got shape={}", core::python_text(shape));
  if (b.shape() != dims{shape[0]})
    core::fail<value_error>("shapes of A {} and {} {} are incompatible", core::python_text(shape), what,
                            core::python_text(b.shape()));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
