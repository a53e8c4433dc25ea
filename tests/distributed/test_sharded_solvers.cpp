// Solvers of sharded vectors: the same bits on any number of ranks, and as one process where its sums are
// trees, too.
#include <gparray/distributed/sparse/linalg.hpp>

#include "distributed/ranks.hpp"

using namespace ranks;
namespace sp = gp::sparse;
namespace sl = gd::sparse::linalg;

namespace {

/// The 5-point Laplacian of a grid, whose rows are more than a block of the sums' trees.
sp::csr_matrix<double> laplacian(std::int64_t n) {
  const auto side = sp::diags<double>({-1., 2., -1.}, {-1, 0, 1}, gp::dims{n, n});
  return sp::kronsum(side, side);
}

template<class V>
gp::ndarray<V> some_vector(std::int64_t n) {
  const gp::ndarray<double> re = gp::random::Generator(3).standard_normal<double>(n);
  if constexpr (gp::is_complex(gp::dtype_of<V>)) return (re + V(0, 1) * gp::cos(re)).template astype<V>();
  else return re.astype<V>();
}

struct outcome {
  gp::ndarray<double> x;
  std::int64_t info = -1;
  std::vector<double> seen;  // what a callback was told
};

/// On a GPU sums of sharded arrays are added in another order than those of one process.
bool same(const outcome& a, const outcome& b) {
  if (a.x.device().is_cuda()) return a.info == b.info && gp::allclose(a.x, b.x, {.rtol = 1e-6, .atol = 1e-6});
  return same_bits(a.x, b.x) && a.info == b.info && a.seen == b.seen;
}

}  // namespace

TEST_CASE("solvers have the same iterates on any number of ranks") {
  with_ranks({2, 5}, [](const gd::communicator& world, notes& note) {
    const auto matrix = laplacian(73);
    const auto b = some_vector<double>(73 * 73);
    const gd::communicator alone = world.split(world.rank());
    const auto check = [&](const char* name, const auto& solve) {
      const outcome of_all = solve(gd::layout::rows(world)), of_one = solve(gd::layout::rows(alone));
      note.check(same(of_all, of_one) && of_all.info > 0 && !of_all.seen.empty(),
                 std::string(name) + " " + std::to_string(of_all.info));
    };
    const auto with = [&](const auto& solver, auto options) {
      return [&, solver, options](const gd::layout& rows) {
        outcome result;
        auto given = options;
        given.callback = [&](const gd::sharded<double>& x) { result.seen.push_back(double(x.size())); };
        const auto found = solver(gd::shard(matrix, rows), gd::shard(b, rows), given);
        result.x = found.x.gather();
        result.info = found.info;
        return result;
      };
    };
    const sl::iterative_options<double> limited{.maxiter = 8};
    check("cg", with([](const auto&... x) { return sl::cg(x...); }, limited));
    const auto of_one = sp::linalg::cg(matrix, b, {.maxiter = 8});
    const auto of_all =
        sl::cg(gd::shard(matrix, gd::layout::rows(world)), gd::shard(b, gd::layout::rows(world)), limited);
    note.check(same({of_all.x.gather(), of_all.info, {}}, {of_one.x, of_one.info, {}}), "cg of one process");
    check("bicgstab", with([](const auto&... x) { return sl::bicgstab(x...); }, limited));
    check("cgs", with([](const auto&... x) { return sl::cgs(x...); }, limited));
    check("minres",
          with([](const auto&... x) { return sl::minres(x...); }, sl::minres_options<double>{.maxiter = 8}));
    check("gmres", [&](const gd::layout& rows) {
      outcome result;
      const auto found = sl::gmres(
          gd::shard(matrix, rows), gd::shard(b, rows),
          {.restart = 6, .maxiter = 2, .callback = [&](double norm) { result.seen.push_back(norm); }});
      result.x = found.x.gather();
      result.info = found.info;
      return result;
    });
  });
}

TEST_CASE("preconditioners, first guesses, limits and operators of one's own") {
  with_ranks({1, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    // Scaled, so that a diagonal preconditioner does something.
    const auto scale = gp::ndarray<double>(gp::linspace(1., 30., 21 * 21));
    const auto matrix = sp::multiply(sp::multiply(laplacian(21), scale), scale.reshape({-1, 1})).tocsr();
    const auto v = some_vector<double>(21 * 21);
    const auto a = gd::shard(matrix, rows);
    const auto b = gd::shard(v, rows);
    const auto compare = [&](const char* name, const auto& of_ranks, const auto& of_one) {
      const outcome all{of_ranks.x.gather(), of_ranks.info, {}}, one{of_one.x, of_one.info, {}};
      note.check(same(all, one),
                 std::string(name) + " " + std::to_string(of_ranks.info) + " " + std::to_string(of_one.info));
    };
    const gd::sharded<double> diagonal = a.diagonal();
    const gp::ndarray<double> its_diagonal = matrix.diagonal();
    const sl::LinearOperator<double> jacobi(a.shape(),
                                            [&](const gd::sharded<double>& r) { return r / diagonal; });
    const sp::linalg::LinearOperator<double> its_jacobi(
        matrix.shape(),
        [&](const gp::ndarray<double>& r) -> gp::ndarray<double> { return r / its_diagonal; });
    compare("cg with M", sl::cg(a, b, {.maxiter = 9, .M = jacobi}),
            sp::linalg::cg(matrix, v, {.maxiter = 9, .M = its_jacobi}));
    compare("cg with x0 and few iterations", sl::cg(a, b, {.x0 = b, .maxiter = 3}),
            sp::linalg::cg(matrix, v, {.x0 = v, .maxiter = 3}));
    compare("minres with a shift", sl::minres(a, b, {.shift = 0.5, .maxiter = 4}),
            sp::linalg::minres(matrix, v, {.shift = 0.5, .maxiter = 4}));
    compare("bicgstab with M", sl::bicgstab(a, b, {.maxiter = 3, .M = jacobi}),
            sp::linalg::bicgstab(matrix, v, {.maxiter = 3, .M = its_jacobi}));

    // Without a matrix: the second difference by windows.
    const sl::LinearOperator<double> stencil({200, 200}, [](const gd::sharded<double>& x) {
      gd::sharded<double> y = 2.5 * x;
      y("1:") -= x(":-1");
      y(":-1") -= x("1:");
      return y;
    });
    const auto line = sp::diags<double>({-1., 2.5, -1.}, {-1, 0, 1}, gp::dims{200, 200});
    const auto f = some_vector<double>(200);
    const auto x = sl::cg(stencil, gd::shard(f, rows), {.rtol = 1e-4});
    const double error = gp::linalg::norm(f - gp::matmul(line, x.x.gather())) / gp::linalg::norm(f);
    note.check(x.info == 0 && error < 1e-4 * 1.01, "a stencil");

    const auto c = gd::shard(matrix.astype<std::complex<float>>(), rows);
    const auto complex =
        sl::bicgstab(c, gd::shard(some_vector<std::complex<float>>(21 * 21), rows), {.maxiter = 2});
    note.check(complex.info == 2 && complex.x.dtype() == gp::dtype::complex64, "complex");
    note.check(sl::cg(a, gd::zeros({21 * 21}, rows)).info == 0, "zeros");

    const auto refused = [&](const char* text, const auto& f) {
      note.check(contains(error_of<gp::value_error>(f), text), text);
    };
    refused("expected square matrix, but got shape=(3, 4)", [&] {
      return sl::cg(gd::shard(sp::csr_matrix<double>(gp::dims{3, 4}), rows), gd::zeros({3}, rows));
    });
    refused("shapes of A (441, 441) and b (440,) are incompatible",
            [&] { return sl::cg(a, gd::zeros({440}, rows)); });
    refused("x0 has the shape (3,)", [&] { return sl::cg(a, b, {.x0 = gd::zeros({3}, rows)}); });
    refused("shapes of A (3, 3) and preconditioner (441,)", [&] {
      return sl::cg(a, b, {.M = sl::LinearOperator<double>({3, 3}, [](const auto& r) { return r; })});
    });
    refused("`atol`=-1", [&] { return sl::cg(a, b, {.atol = -1}); });
  });
}
