// The kernel of polyval, compiled by g++ and run on the CPU, leaves what the CPU backend leaves.
#include <vector>

#include <cuda/map/polynomial.hpp>
#include <plan/backend.hpp>

#include "cuda/support/emulated_kernels.hpp"
#include "support/same_bits.hpp"

using namespace gparray;
using namespace gparray::core;

namespace {

template<class V>
void check(emulation::run_function kernel, std::int64_t size, std::int64_t n_coefficients) {
  CAPTURE(name(dtype_of<V>));
  CAPTURE(size);
  std::vector<V> x, coefficients;
  for (std::int64_t i = 0; i < size; ++i) x.push_back(static_cast<V>(static_cast<float>(i % 37 - 18) / 9));
  for (std::int64_t i = 0; i < 2 * n_coefficients; ++i)
    coefficients.push_back(static_cast<V>(static_cast<float>(i * 7 % 11 - 5)));
  std::vector<V> expected(x.size()), found(x.size());
  polynomial_plan plan{dtype_of<V>,
                       size,
                       n_coefficients,
                       x.data(),
                       coefficients.data() + 2 * (n_coefficients - 1),
                       -2 * static_cast<std::int64_t>(sizeof(V)),
                       expected.data()};
  host_backend().evaluate_polynomial(plan, {});
  plan.out = found.data();
  const std::int64_t per_block = cuda::polynomial_threads * cuda::polynomial_items;
  kernel(&plan, static_cast<unsigned>((size + per_block - 1) / per_block), cuda::polynomial_threads);
  CHECK(same_bits(found, expected));
}

}  // namespace

TEST_CASE("polynomials have the CPU's bits") {
  emulation::program program;
  program.include("cuda/map/polynomial.cuh");
  const auto add = [&](const char* type) {
    return program.add("gparray::core::cuda::evaluate_polynomial<" + std::string(type) + ">", false);
  };
  const std::size_t of_double = add("double"), of_float16 = add("gparray::float16"), of_int = add("int");
  program.build();
  for (const std::int64_t size : {1, 1023, 1024, 3000}) {
    check<double>(program.kernel(of_double), size, 12);
    check<float16>(program.kernel(of_float16), size, 5);
    check<std::int32_t>(program.kernel(of_int), size, 9);
  }
}
