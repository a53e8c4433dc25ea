// Sparse matrices in files: those that SciPy wrote, and ours read back.
#include <fstream>
#include <iterator>

#include <gparray/files.hpp>

#include "support/error_text.hpp"
#include "support/sparse.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_path.hpp"

using namespace golden_sparse;

namespace {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

std::string golden_file(const char* name) { return test_path(std::string("sparse/") + name); }

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

template<gp::sparse_like A>
void check_same(const A& have, const A& want) {
  CHECK(have.nnz() == want.nnz());
  CHECK(have.device() == gp::default_device());
  CHECK(gp::array_equal(have.toarray(), want.toarray()));
}

template<gp::sparse_like A>
void check_round_trip(const A& a) {
  const temporary_folder folder;
  using V = typename A::value_type;
  for (const bool compressed : {true, false}) {
    const std::string path = folder.path.string() + "/matrix";
    sp::save_npz(path, a, {.compressed = compressed});
    check_same(sp::load_npz<V, A::format_of>(path + ".npz"), a);
  }
  const std::string path = folder.path.string() + "/matrix.mtx";
  sp::mmwrite(path, a);
  CHECK(gp::array_equal(sp::mmread<V>(path).toarray(), a.toarray()));
}

}  // namespace

TEST_CASE("files that SciPy wrote") {
  check_same(sp::load_npz<double, sp::format::csc>(golden_file("sparse_csc.npz")), csc(S({4, 5})));
  check_same(sp::load_npz(golden_file("sparse_csc.npz")), csr(S({4, 5})));
  check_same(sp::load_npz<c64, sp::format::dia>(golden_file("sparse_dia.npz")), dia(S<c64>({4, 5})));
  check_same(sp::load_npz<bool, sp::format::coo>(golden_file("sparse_coo.npz")), coo(S<bool>({4, 5})));
  check_same(sp::load_npz<c128>(golden_file("sparse_csc.npz")), csr(S({4, 5})).astype<c128>());
  CHECK_THROWS_AS(sp::load_npz(golden_file("sparse_dia.npz")), gp::type_error);
  check_same(sp::mmread(golden_file("sparse_real.mtx")), coo(gp::ndarray<double>(S({4, 5}) / 3.)));
  check_same(sp::mmread<std::int64_t, sp::format::csr>(golden_file("sparse_array.mtx")),
             csr(S<std::int64_t>({4, 5})));
  SPARSE("coo(H)", sp::mmread<c128>(golden_file("sparse_hermitian.mtx")));
}

TEST_CASE("ours are read back") {
  check_round_trip(csr(S({4, 5})));
  check_round_trip(csc(S<float>({4, 5})));
  check_round_trip(coo(S<std::int32_t>({4, 5})));
  check_round_trip(dia(S<c128>({4, 5})));
  check_round_trip(csr(S<bool>({4, 5})));
  check_round_trip(csr(S<c64>({4, 5})));
  check_round_trip(csr(S<std::uint64_t>({4, 5})));
  check_round_trip(csr(S({4, 5})).with_index<std::int64_t>());
  check_round_trip(sp::csr_matrix<double>({3, 4}));
  const auto large = sp::diags<double>({1., 2.}, {0, 100}, gp::dims{3000, 3000});
  const temporary_folder folder;
  sp::save_npz(folder.path.string() + "/packed.npz", large);
  sp::save_npz(folder.path.string() + "/plain.npz", large, {.compressed = false});
  check_same(sp::load_npz(folder.path.string() + "/packed.npz"), large);
  CHECK(contents(folder.path.string() + "/packed.npz").size() <
        contents(folder.path.string() + "/plain.npz").size() / 3);
}

TEST_CASE("Matrix Market: symmetries, digits, comments") {
  const temporary_folder folder;
  const std::string path = folder.path.string() + "/m.mtx";
  const auto a = csr(S({4, 4}));
  const sp::csr_matrix<double> symmetric = a + a.T(), skew = a - a.T();
  sp::mmwrite(path, symmetric, {.symmetry = "symmetric"});
  check_same(sp::mmread<double, sp::format::csr>(path), symmetric);
  sp::mmwrite(path, skew, {.symmetry = "skew-symmetric"});
  check_same(sp::mmread<double, sp::format::csr>(path), skew);
  sp::mmwrite(path, csr(gp::ndarray<double>{{1. / 3.}}), {.comment = "one\ntwo", .precision = 3});
  CHECK(contents(path) == "%%MatrixMarket matrix coordinate real general\n%one\n%two\n1 1 1\n1 1 3.33e-01\n");
  sp::mmwrite(path, csr(gp::ndarray<float>{{0.1f}}));
  CHECK(contents(path) == "%%MatrixMarket matrix coordinate real general\n%\n1 1 1\n1 1 0.1\n");
  sp::mmwrite(path, csr(gp::ndarray<bool>{{true, false}}));
  CHECK(contents(path) == "%%MatrixMarket matrix coordinate pattern general\n%\n1 2 1\n1 1\n");
  write(path, "%%MatrixMarket MATRIX Array Real symmetric\n\n2 2\n1\n+2\n0\n");
  CHECK(sp::mmread(path).toarray().to_vector() == std::vector<double>{1, 2, 2, 0});
  CHECK(sp::mmread(path).nnz() == 3);
  sp::mmwrite(path, csr(gp::ndarray<std::int64_t>{{300, -1}}));
  CHECK_THROWS_AS(sp::mmread<std::int8_t>(path), gp::overflow_error);
  CHECK(sp::mmread<std::int16_t>(path).toarray().to_vector() == std::vector<std::int16_t>{300, -1});
  const std::string natural = "%%MatrixMarket matrix coordinate unsigned-integer general\n%\n1 1 1\n1 1 ";
  sp::mmwrite(path, csr(gp::ndarray<std::uint64_t>{{~std::uint64_t{0}}}));
  CHECK(contents(path) == natural + "18446744073709551615\n");
  CHECK(sp::mmread<std::uint64_t>(path).data().item(0) == ~std::uint64_t{0});
  CHECK(sp::mmread(path).data().item(0) == 0x1p64);
  CHECK_THROWS_AS(sp::mmread<std::int64_t>(path), gp::overflow_error);
  CHECK_THROWS_AS(sp::mmread<std::int8_t>(path), gp::overflow_error);
  write(path, natural + "7\n");
  CHECK(sp::mmread<std::int8_t>(path).data().item(0) == 7);
  write(path, natural + "-1\n");
  CHECK_THROWS_AS(sp::mmread<std::uint64_t>(path), gp::value_error);
  write(path, "%%MatrixMarket matrix coordinate real general\n1 3 3\n1 1 1e400\n1 2 -1e400\n1 3 1e-400\n");
  CHECK(sp::mmread(path).data().to_vector() == std::vector<double>{gp::inf, -gp::inf, 0});
  CHECK_THROWS_AS(sp::mmwrite(path, a, {.symmetry = "none"}), gp::value_error);
  CHECK_THROWS_AS(sp::mmwrite(path, csr(S({4, 5})), {.symmetry = "symmetric"}), gp::value_error);
}

TEST_CASE("files that are damaged or hold something else") {
  const temporary_folder folder;
  const std::string path = folder.path.string() + "/f";
  CHECK_THROWS_AS(sp::load_npz(path), gp::os_error);
  CHECK_THROWS_AS(sp::mmread(path), gp::os_error);
  CHECK_THROWS_AS(sp::save_npz(folder.path.string() + "/no/folder", csr(S({2, 2}))), gp::os_error);
  const auto error_in = [&](const std::string& text) {
    write(path, text);
    return error_of<gp::value_error>([&] { (void)sp::mmread(path); });
  };
  check_contains(error_in("hello"), "line 1: not a Matrix Market file");
  const std::string head = "%%MatrixMarket matrix coordinate real general\n% text\n";
  check_contains(error_in(head + "2 2 1\n3 1 1.0\n"), "line 4: an index is out of range");
  check_contains(error_in(head + "2 2 1\n0 1 1.0\n"), "an index is out of range");
  check_contains(error_in(head + "2 2 1\n1 1 x\n"), "a number is expected");
  check_contains(error_in(head + "2 2 2\n1 1 1\n"), "a row number is expected");
  check_contains(error_in(head + "2 2 1\n1 1 1 1\n"), "there are more numbers than the sizes say");
  check_contains(error_in(head + "2 -2 1\n"), "a size is negative");
  check_contains(error_in("%%MatrixMarket matrix coordinate quaternion general\n"),
                 "line 1: an unknown field");
  check_contains(error_in("%%MatrixMarket matrix array pattern general\n1 1\n"), "cannot be a pattern");
  write(path, "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n");
  CHECK_THROWS_AS(sp::mmread(path), gp::type_error);

  sp::save_npz(path, csr(S({4, 5})), {.compressed = false});
  const std::string whole = contents(path + ".npz");
  for (std::size_t length = 0; length < whole.size(); length += 37) {
    write(path + ".npz", whole.substr(0, length));
    CHECK_THROWS_AS(sp::load_npz(path + ".npz"), gp::value_error);
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
  write(path + ".npz", damaged);
  CHECK_THROWS_AS(sp::load_npz(path + ".npz"), gp::value_error);
  write(path + ".npz", "PK\5\6" + std::string(18, '\0'));
  check_contains(error_of<gp::value_error>([&] { (void)sp::load_npz(path + ".npz"); }),
                 "does not contain a sparse array or matrix");
}
