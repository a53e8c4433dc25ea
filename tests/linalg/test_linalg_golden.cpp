// Every function of linalg on matrices of every dtype, layout and number of batch axes, against NumPy and
// SciPy: linalg/matrices.txt, which says how far rounding may go.
#include <fstream>
#include <functional>
#include <set>

#include "support/linalg.hpp"
#include "support/sampler.hpp"

using namespace golden_linalg;

namespace {

struct output {
  std::string dtype, shape;
  std::vector<double> values;  // of complex elements two
};

template<gp::element V>
output made(const gp::ndarray<V>& a) {
  output result{std::string(gp::name(gp::dtype_of<V>)), spelled(a.shape()), {}};
  for (const V v : a.to_vector()) {
    if constexpr (gp::is_complex(gp::dtype_of<V>))
      result.values.insert(result.values.end(), {v.real(), v.imag()});
    else result.values.push_back(static_cast<double>(v));
  }
  return result;
}
template<gp::element V>
output made(const gp::expr<V>& a) {
  return made(gp::ndarray<V>(a));
}

template<class V>
gp::ndarray<V> adjoint(const gp::ndarray<V>& a) {
  return gp::conjugate(gp::swapaxes(a, -1, -2));
}

// What linalg/make_matrices_golden.py calls the same.
template<class V>
gp::ndarray<V> make(const std::string& kind, const gp::dims& shape) {
  const gp::ndarray<V> a = F<V>(shape);
  if (kind == "p") return gp::matmul(a, adjoint(a)) + gp::eye<V>(shape.back()) * V(10);
  if (kind == "h") return a + adjoint(a) - gp::eye<V>(shape.back()) * V(2);
  if (kind == "o") return gp::ones<V>(shape);
  return a;
}
template<class V>
gp::ndarray<V> right(const gp::ndarray<V>& a) {
  std::vector<std::int64_t> shape(a.shape().begin(), a.shape().end());
  shape.back() = 2;
  return F<V>(gp::dims(shape));
}
template<class V>
gp::ndarray<V> triangle(const gp::ndarray<V>& a) {
  return a + gp::eye<V>(a.shape().back()) * V(20);
}

/// The same elements, stored in another order: transposed, every other one of a row, backwards.
template<class V>
gp::ndarray<V> laid_out(const gp::ndarray<V>& a, char layout) {
  if (layout == 't' && a.ndim() > 1) return gp::swapaxes(gp::swapaxes(a, -1, -2).copy(), -1, -2);
  if (layout == 'r') return gp::flip(gp::flip(a).copy());
  if (layout != 's') return a;
  gp::ndarray<V> wide = gp::repeat(a, 2, -1);
  return wide(gp::ellipsis, gp::slice(gp::none, gp::none, 2));
}

template<class V>
using function = std::function<output(const gp::ndarray<V>&)>;

template<class V>
void add_norms(std::map<std::string, function<V>>& all) {
  const auto order = [](const char* text) {
    const std::string_view name = text;
    if (name == "none") return gp::detail::norm_order(gp::none);
    if (name == "fro" || name == "nuc") return gp::detail::norm_order(text);
    return gp::detail::norm_order(std::strtod(text, nullptr));
  };
  for (const char* text : {"none", "fro", "nuc", "1", "-1", "2", "-2", "inf", "-inf"}) {
    const gp::detail::norm_order o = order(text);
    if (o.given)
      all["matrix_norm " + std::string(text)] = [o](const auto& a) {
        return made(linalg::matrix_norm(a, o, {.keepdims = true}));
      };
    all["norm " + std::string(text)] = [o](const auto& a) { return made(linalg::norm(a, o, {-1, -2})); };
    all["cond " + std::string(text)] = [o](const auto& a) { return made(linalg::cond(a, o)); };
  }
  for (const char* text : {"0", "0.5", "1", "2", "3", "-1", "-2", "inf", "-inf"})
    all["vector_norm " + std::string(text)] = [o = order(text).number](const auto& a) {
      return made(linalg::vector_norm(a, o, 0, {.keepdims = true}));
    };
  for (const char* text : {"none", "0", "1", "2", "2.5", "-1", "inf", "-inf"})
    all["norm of vectors " + std::string(text)] = [o = order(text)](const auto& a) {
      return made(linalg::norm(a, o, -1));
    };
}

template<class V>
void add_triangles(std::map<std::string, function<V>>& all) {
  for (const int trans : {0, 1, 2}) {
    const std::string number = std::to_string(trans);
    all["lu_solve " + number] = [trans](const auto& a) {
      return made(linalg::lu_solve(linalg::lu_factor(a), right(a), {.trans = trans}));
    };
    for (const bool lower : {false, true})
      for (const bool unit : {false, true})
        all["solve_triangular " + number + (lower ? " lower" : " upper") + (unit ? " unit" : "")] =
            [=](const auto& a) {
              return made(linalg::solve_triangular(triangle(a) / 20, right(a), {trans, lower, unit}));
            };
  }
}

template<class V>
std::map<std::string, function<V>> functions() {
  using array = gp::ndarray<V>;
  using linalg::solve;
  std::map<std::string, function<V>> all = {
      {"inv", [](const array& a) { return made(linalg::inv(a)); }},
      {"det", [](const array& a) { return made(linalg::det(a)); }},
      {"slogdet sign", [](const array& a) { return made(linalg::slogdet(a).sign); }},
      {"slogdet logabsdet", [](const array& a) { return made(linalg::slogdet(a).logabsdet); }},
      {"solve vector", [](const array& a) { return made(solve(a, F<V>({a.shape().back()}))); }},
      {"solve", [](const array& a) { return made(solve(a, right(a))); }},
      {"solve pos", [](const array& a) { return made(solve(a, right(a), {.assume_a = "pos"})); }},
      {"solve pos lower", [](const array& a) { return made(solve(a, right(a), {"pos", true})); }},
      {"solve sym",
       [](const array& a) { return made(solve(gp::real(a) + a * V(0), right(a), {.assume_a = "sym"})); }},
      {"solve her", [](const array& a) { return made(solve(a, right(a), {"her", true})); }},
      {"solve upper triangular",
       [](const array& a) { return made(solve(triangle(a), right(a), {.assume_a = "upper triangular"})); }},
      {"solve lower triangular",
       [](const array& a) { return made(solve(triangle(a), right(a), {.assume_a = "lower triangular"})); }},
      {"lu p", [](const array& a) { return made(linalg::lu(a).p); }},
      {"lu l", [](const array& a) { return made(linalg::lu(a).l); }},
      {"lu u", [](const array& a) { return made(linalg::lu(a).u); }},
      {"lu permute_l", [](const array& a) { return made(linalg::lu(a, linalg::permute_l).pl); }},
      {"lu p_indices", [](const array& a) { return made(linalg::lu(a, linalg::p_indices).p); }},
      {"lu_factor lu", [](const array& a) { return made(linalg::lu_factor(a).lu); }},
      {"lu_factor piv", [](const array& a) { return made(linalg::lu_factor(a).piv); }},
      {"cholesky", [](const array& a) { return made(linalg::cholesky(a)); }},
      {"cholesky upper", [](const array& a) { return made(linalg::cholesky(a, {.upper = true})); }},
      {"qr Q", [](const array& a) { return made(linalg::qr(a).Q); }},
      {"qr R", [](const array& a) { return made(linalg::qr(a).R); }},
      {"qr complete R", [](const array& a) { return made(linalg::qr(a, "complete").R); }},
      {"qr r", [](const array& a) { return made(linalg::qr(a, linalg::r)); }},
      {"qr raw h", [](const array& a) { return made(linalg::qr(a, linalg::raw).h); }},
      {"qr raw tau", [](const array& a) { return made(linalg::qr(a, linalg::raw).tau); }},
      {"eigh values", [](const array& a) { return made(linalg::eigh(a).eigenvalues); }},
      {"eigvalsh", [](const array& a) { return made(linalg::eigvalsh(a)); }},
      {"eigvalsh U", [](const array& a) { return made(linalg::eigvalsh(gp::triu(a), {.UPLO = 'U'})); }},
      {"eig values", [](const array& a) { return made(gp::sort(gp::real(linalg::eig(a).eigenvalues))); }},
      {"eigvals", [](const array& a) { return made(gp::sort(gp::real(linalg::eigvals(a)))); }},
      {"svd values", [](const array& a) { return made(linalg::svd(a).S); }},
      {"svdvals", [](const array& a) { return made(linalg::svdvals(a)); }},
      {"svdvals hermitian", [](const array& a) { return made(linalg::svdvals(a, {.hermitian = true})); }},
      {"pinv", [](const array& a) { return made(linalg::pinv(a)); }},
      {"pinv hermitian", [](const array& a) { return made(linalg::pinv(a, {.hermitian = true})); }},
      {"matrix_rank", [](const array& a) { return made(linalg::matrix_rank(a)); }},
      {"matrix_rank hermitian",
       [](const array& a) { return made(linalg::matrix_rank(a, {.hermitian = true})); }},
      {"lstsq x", [](const array& a) { return made(linalg::lstsq(a, right(a)).x); }},
      {"lstsq residuals", [](const array& a) { return made(linalg::lstsq(a, right(a)).residuals); }},
      {"lstsq s", [](const array& a) { return made(linalg::lstsq(a, right(a)).s); }},
      {"matrix_power 0", [](const array& a) { return made(linalg::matrix_power(a, 0)); }},
      {"matrix_power 5", [](const array& a) { return made(linalg::matrix_power(a, 5)); }},
      {"matrix_power -2",
       [](const array& a) {
         if constexpr (std::is_integral_v<V>)
           return made(linalg::matrix_power(a.template astype<double>(), -2));  // as its declaration says
         else return made(linalg::matrix_power(a, -2));
       }},
      {"expm", [](const array& a) { return made(linalg::expm(a / 16)); }},
  };
  add_norms(all);
  add_triangles(all);
  return all;
}

struct golden_case {
  std::string function, dtype, kind, error, outcome;
  gp::dims shape;
};

const std::vector<golden_case>& cases() {
  static const std::vector<golden_case> all = [] {
    std::vector<golden_case> list;
    std::ifstream file(test_path("linalg/matrices.txt"));
    for (std::string line; std::getline(file, line);) {
      const auto part = golden::split(line, '\t');
      REQUIRE(part.size() == 6);
      list.push_back({part[0], part[1], part[2], part[4], part[5], gp::dims(golden::numbers(part[3]))});
    }
    REQUIRE(!list.empty());
    return list;
  }();
  return all;
}

/// Rounding errors of backward stable methods are below a small multiple of what the table says.
constexpr double constant = 8;

void compare(const output& have, const std::vector<std::string>& want, double error, double eps) {
  CHECK(have.dtype == want[0]);
  CHECK(have.shape == want[1]);
  const auto numbers = golden::split(want[2], ',');
  REQUIRE(have.values.size() == numbers.size());
  double worst = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = std::stod(numbers[i]), distance = have.values[i] == x ? 0 : std::abs(have.values[i] - x);
    if (!(std::isnan(x) && std::isnan(have.values[i])) && !(distance <= worst)) worst = distance;
  }
  CHECK(worst <= constant * error * eps);
}

template<class V>
void check_all(const char* dtype, std::string_view layouts) {
  const on_its_device scope;
  const auto all = functions<V>();
  std::set<std::string> met;
  for (const golden_case& c : cases()) {
    if (c.dtype != dtype) continue;
    const auto f = all.find(c.function);
    REQUIRE_MESSAGE(f != all.end(), c.function);
    met.insert(c.function);
    if (!taken()) continue;
    const gp::ndarray<V> a = make<V>(c.kind, c.shape);
    const auto want = golden::split(c.outcome, '|');
    for (const char layout : layouts) {
      INFO(c.function << " of " << c.dtype << ", kind " << c.kind << ", shape " << spelled(c.shape)
                      << ", layout " << std::string(1, layout));
      if (want[0] == "error") {
        check_error(want, [&] { (void)f->second(laid_out(a, layout)); });
        continue;
      }
      auto columns = want;
      columns.resize(3);  // no values
      compare(f->second(laid_out(a, layout)), columns, std::stod(c.error),
              epsilon<V>() == 0 ? 0x1p-52 : epsilon<V>());
    }
  }
  CHECK(met.size() == all.size());
}

}  // namespace

TEST_CASE("float64") { check_all<double>("d", "ctsr"); }
TEST_CASE("float32") { check_all<float>("f", "cs"); }
TEST_CASE("complex128") { check_all<std::complex<double>>("D", "ctsr"); }
TEST_CASE("complex64") { check_all<std::complex<float>>("F", "ct"); }
TEST_CASE("int32") { check_all<std::int32_t>("i", "cr"); }
