// What sharded arrays take on so many ranks: products, transforms, sorting, another layout, an element-wise
// operation. With one rank the same: mpirun -n 1 build/bench/bench_sharded, then -n 2; the ratio of the times
// is the efficiency. --divide=8 makes each array that much smaller along an axis. Rank 0 prints milliseconds,
// the least of some calls, on the slowest rank.
#include <algorithm>
#include <chrono>
#include <functional>

#include <gparray/distributed.hpp>
#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "../examples/options.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

void time(const gd::communicator& world, const char* what, int calls, const std::function<void()>& f) {
  double least = 1e300;
  for (int i = 0; i <= calls; ++i) {
    gp::synchronize();
    world.barrier();
    const auto start = std::chrono::steady_clock::now();
    f();
    gp::synchronize();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    const auto all = gd::all_gather_values(elapsed.count(), world);
    if (i > 0) least = std::min(least, *std::max_element(all.begin(), all.end()));
  }
  if (world.rank() == 0) fmt::print("{:<44}{:>12.3f} ms on {} ranks\n", what, least, world.size());
}

template<class V>
gd::sharded<V> numbers(const gp::dims& shape, const gd::layout& where) {
  gp::random::Generator rng(7);
  return gd::random(rng, shape, where,
                    [](auto& g, const gp::dims& part) { return g.template random<V>(part); });
}

int measure(const gd::communicator& world, int divide, const std::string& only) {
  const auto rows = gd::layout::rows(world);
  const auto wanted = [&](const char* what) { return only.empty() || only == what; };
  if (wanted("moves")) {
    const std::int64_t n = 8192 / divide;
    const auto a = numbers<double>({n, n}, rows), b = numbers<double>({n, n}, rows);
    time(world, fmt::format("a * 2 + b, float64, {0} x {0}", n).c_str(), 20,
         [&] { gd::sharded<double>(a * 2. + b).local().eval(); });
    const auto columns = gd::layout::blocks(world, {-1, 0});
    time(world, fmt::format("reshard, rows to columns, float64, {0} x {0}", n).c_str(), 10,
         [&] { a.reshard(columns).local().eval(); });
    time(world, fmt::format("sum, float64, {0} x {0}", n).c_str(), 20, [&] { gp::sum(a).item(); });
    time(world, fmt::format("linalg.norm(a - b), float64, {0} x {0}", n).c_str(), 20,
         [&] { gp::linalg::norm(a - b).item(); });
  }
  if (wanted("matmul")) {
    const std::int64_t n = 32768 / divide;
    const auto a = numbers<double>({n, n}, rows), b = numbers<double>({n, n}, rows);
    time(world, fmt::format("matmul, float64, {0} x {0}", n).c_str(), 1,
         [&] { gp::matmul(a, b).local().eval(); });
  }
  if (wanted("complex")) {
    const std::int64_t n = 8192 / divide;
    const gd::sharded<std::complex<double>> a =
        numbers<double>({n, n}, rows) + std::complex<double>(0, 1) * numbers<double>({n, n}, rows);
    time(world, fmt::format("matmul, complex128, {0} x {0}", n).c_str(), 3,
         [&] { gp::matmul(a, a).local().eval(); });
  }
  if (wanted("fft")) {
    const std::int64_t n = 1024 / divide;
    const gd::sharded<std::complex<float>> a = numbers<float>({n, n, n}, rows).astype<std::complex<float>>();
    time(world, fmt::format("fft.fftn, complex64, {0} x {0} x {0}", n).c_str(), 3,
         [&] { gp::fft::fftn(a).local().eval(); });
    const auto columns = gd::layout::blocks(world, {-1, 0});
    time(world, "the same, rows to columns", 3, [&] { gp::fft::fftn(a, {}, columns).local().eval(); });
    const auto there = gp::fft::fftn(a, {}, columns);
    time(world, "fft.ifftn of that, columns to rows", 3,
         [&] { gp::fft::ifftn(there, {}, rows).local().eval(); });
  }
  if (wanted("sort")) {
    const std::int64_t n = 1'000'000'000 / divide / divide;
    const auto a = numbers<float>({n}, rows);
    time(world, fmt::format("sort, float32, {}", n).c_str(), 2, [&] { gd::sort(a).local().eval(); });
    const std::int64_t fewer = n / 5;
    const auto b = numbers<double>({fewer}, rows);
    time(world, fmt::format("argsort, float64, {}", fewer).c_str(), 2,
         [&] { gd::argsort(b).local().eval(); });
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  command_line options(argc, argv, "Times functions of sharded arrays.");
  const int divide = options.value("--divide", 1, "how much smaller the arrays are along an axis");
  const std::string only = options.value("--only", std::string(), "moves, matmul, complex, fft or sort");
  options.finish();
  return measure(gd::init(), divide, only);
}
