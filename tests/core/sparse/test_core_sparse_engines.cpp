// Sparse matrices on a GPU whose engine has all routines, or only those that it must have: the results are
// the CPU's, and what an engine can do it is asked for.
#include <set>

#include <gparray/sparse.hpp>
#include <plan/sparse_engine.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/sparse.hpp"

using namespace golden_sparse;
namespace core = gparray::core;

namespace {

using rows = core::compressed_rows;
using counted = std::unique_ptr<core::counted_matrix>;

/// The CPU's routines, at once; those that need not be there only where `has_all`.
class forwarding_engine final : public core::sparse_engine {
 public:
  explicit forwarding_engine(fake::gpu_backend& gpu) : gpu_(gpu) {}

  bool times_dense(const rows& a, std::int64_t width, const void* x, void* y, core::queue q) override {
    return can("times_dense", q) && cpu().times_dense(a, width, x, y, {});
  }
  bool transposed_times_dense(const rows& a, std::int64_t width, const void* x, void* y,
                              core::queue q) override {
    return can("transposed_times_dense", q) && cpu().transposed_times_dense(a, width, x, y, {});
  }
  counted times_sparse(const rows& a, const rows& b, void* indptr, bool& sorted, core::queue q) override {
    return can("times_sparse", q) ? cpu().times_sparse(a, b, indptr, sorted, {}) : nullptr;
  }
  counted combine(gp::ufunc f, const rows& a, const rows& b, void* indptr, core::queue q) override {
    return can("combine", q) ? cpu().combine(f, a, b, indptr, {}) : nullptr;
  }
  void compress(const core::numbered_entries& e, void* indptr, void* others, void* data,
                core::queue q) override {
    gpu_.synchronize_stream(q);
    cpu().compress(e, indptr, others, data, {});
  }
  void starts(const void* numbers, std::int64_t count, std::int64_t n, gp::dtype index, void* indptr,
              core::queue q) override {
    gpu_.synchronize_stream(q);
    cpu().starts(numbers, count, n, index, indptr, {});
  }
  void expand(const void* indptr, std::int64_t n, std::int64_t count, gp::dtype index, void* row,
              core::queue q) override {
    gpu_.synchronize_stream(q);
    cpu().expand(indptr, n, count, index, row, {});
  }
  void search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers, std::int64_t n,
              bool after, std::int64_t* positions, core::queue q) override {
    gpu_.synchronize_stream(q);
    cpu().search(keys, n_keys, numbers, n, after, positions, {});
  }
  void reduce_rows(gp::reduction op, gp::dtype type, const void* values, const void* indptr, gp::dtype index,
                   std::int64_t n, void* out, core::queue q) override {
    gpu_.synchronize_stream(q);
    cpu().reduce_rows(op, type, values, indptr, index, n, out, {});
  }
  bool diagonal(const rows& a, std::int64_t k, void* out, core::queue q) override {
    return can("diagonal", q) && cpu().diagonal(a, k, out, {});
  }
  bool has_row_routines() const noexcept override { return has_all; }
  bool merges_rows() const noexcept override { return has_all; }
  void diagonals_times_dense(const core::stored_diagonals& a, std::int64_t width, const void* x, void* y,
                             core::queue q) override {
    CHECK(can("diagonals_times_dense", q));
    cpu().diagonals_times_dense(a, width, x, y, {});
  }
  counted diagonals_to_rows(const core::stored_diagonals& a, gp::dtype index, void* indptr,
                            core::queue q) override {
    CHECK(can("diagonals_to_rows", q));
    CHECK(a.rows > 0);
    CHECK(a.width > 0);
    return cpu().diagonals_to_rows(a, index, indptr, {});
  }
  counted take_rows(const rows& a, const std::int64_t* numbers, std::int64_t n, void* indptr,
                    core::queue q) override {
    CHECK(can("take_rows", q));
    CHECK(n > 0);
    return cpu().take_rows(a, numbers, n, indptr, {});
  }
  counted slice_columns(const rows& a, std::int64_t first, std::int64_t last, void* indptr,
                        core::queue q) override {
    CHECK(can("slice_columns", q));
    CHECK(first < last);
    return cpu().slice_columns(a, first, last, indptr, {});
  }
  counted merge_rows(const rows& a, void* indptr, core::queue q) override {
    CHECK(can("merge_rows", q));
    return cpu().merge_rows(a, indptr, {});
  }

  bool has_all = false;
  std::set<std::string> used;

 private:
  static core::sparse_engine& cpu() { return *core::host_backend().sparse(); }
  bool can(const char* routine, core::queue q) {
    gpu_.synchronize_stream(q);
    if (has_all) used.insert(routine);
    return has_all;
  }
  fake::gpu_backend& gpu_;
};

/// What operations on matrices of whole numbers give, each as a full array.
template<class V, class Move>
std::vector<std::vector<V>> results(const Move& move) {
  gp::random::Generator rng = gp::random::default_rng(3);
  const auto sample = [&](std::int64_t m, std::int64_t n) {
    const auto pattern = sp::random(m, n, 0.2, rng);
    const gp::ndarray<double> whole = gp::floor(pattern.data() * 9. - 4.);
    return sp::csr_matrix<V>(pattern.with_data(gp::ndarray<V>(whole.template astype<V>())));
  };
  const auto cpu_a = sample(17, 23), cpu_b = sample(17, 23), cpu_c = sample(23, 11);
  const sp::csr_matrix<V> a = move(cpu_a), b = move(cpu_b), c = move(cpu_c);
  const gp::ndarray<V> x = move(D<V>({23})), wide = move(D<V>({23, 3})), tall = move(D<V>({17}));
  const sp::dia_matrix<V> d =
      move(sp::dia_matrix<V>(D<V>({2, 9}), gp::ndarray<std::int64_t>({2, -1}), gp::dims{8, 9}));
  // Twice at one position, and not in order.
  const gp::ndarray<std::int64_t> row = gp::array({2, 0, 2, 1, 2}), column = gp::array({3, 1, 0, 2, 3});
  const sp::coo_matrix<V> twice = move(sp::coo_matrix<V>(D<V>({5}), {row, column}, {{4, 5}}));
  std::vector<std::vector<V>> all;
  const auto add = [&](const auto& y) {
    if constexpr (gp::sparse_like<std::decay_t<decltype(y)>>) all.push_back(y.toarray().to_vector());
    else all.push_back(gp::detail::as_elements<V>(y).to_vector());
  };
  add(gp::matmul(a, c));
  add(a + b);
  add(a.multiply(b));
  add(gp::matmul(a, x));
  add(gp::matmul(a, wide));
  add(gp::matmul(a.T(), tall));
  add(gp::matmul(d, move(D<V>({9}))));
  add(d.tocsr());
  // A diagonal of no row, and one of no element.
  const auto one_diagonal = [&](const gp::dims& stored, std::int64_t offset, const gp::dims& shape) {
    return sp::dia_matrix<V>(
        move(sp::dia_matrix<V>(D<V>(stored), gp::ndarray<std::int64_t>({offset}), shape)));
  };
  add(one_diagonal({1, 5}, 2, {0, 5}).tocsr());
  add(one_diagonal({1, 0}, -1, {4, 5}).tocsr());
  add(a.diagonal());
  add(a.diagonal(-2));
  add(a(gp::slice(2, 15, 3), gp::all));
  add(a(gp::all, gp::slice(4, 9)));
  add(a(gp::slice(3, 9), gp::slice(20, 2, -2)));
  add(a(gp::all, gp::slice(4, 4)));
  add(a.take(move(gp::zeros<std::int64_t>(0)), 0));
  add(a.take(move(gp::array<std::int64_t>({3})), 0));
  add(twice.tocsr());
  add(twice.tocsc());
  add(a.tocsc());
  add(a.sum(0));
  add(a.sum(1));
  return all;
}

template<class V>
void check_engines() {
  const auto want = results<V>([](const auto& each) { return each; });
  fake::installed fake;
  forwarding_engine engine(fake.gpu);
  fake.gpu.sparse_of_tests = &engine;
  for (const bool has_all : {false, true}) {
    CAPTURE(has_all);
    engine.has_all = has_all;
    const auto have = results<V>([](const auto& each) { return gp::to_device(each, gp::device::cuda(0)); });
    REQUIRE(have.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      CAPTURE(i);
      CHECK(have[i] == want[i]);
    }
  }
  CHECK(engine.used == std::set<std::string>{"combine", "diagonal", "diagonals_times_dense",
                                             "diagonals_to_rows", "merge_rows", "slice_columns", "take_rows",
                                             "times_dense", "times_sparse", "transposed_times_dense"});
  CHECK(fake.gpu.misuses == 0);
}

}  // namespace

TEST_CASE("an engine without routines gives what one with all of them gives") {
  const gp::device_guard on_cpu(gp::device::cpu());  // the GPU is a fake
  check_engines<double>();
  check_engines<std::complex<float>>();
  check_engines<std::int32_t>();
}
