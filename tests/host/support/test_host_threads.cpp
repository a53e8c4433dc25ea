// The thread pool, and bits that must not depend on threads, tiles or offsets.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include <host/support/thread_pool.hpp>

#include "host/plans.hpp"
#include "support/forks.hpp"
#include "support/same_bits.hpp"
#include "support/sampler.hpp"

using namespace host_test;

namespace {

long covered(std::int64_t count, std::int64_t grain) {
  std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
  host::parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
  });
  long once = 0;
  for (const auto& h : hits) once += h == 1;
  return once;
}

/// Parts that sleep leave time for every thread to take one.
std::size_t threads_that_worked() {
  std::mutex lock;
  std::set<std::thread::id> seen;
  host::parallel_for(8, 1, [&](std::int64_t, std::int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::lock_guard guard(lock);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}

}  // namespace

TEST_CASE("host threads: every index once") {
  const threads_guard four(4);
  for (std::int64_t count : {0, 1, 5, 1000, 100003})
    for (std::int64_t grain : {1, 7, 1000}) CHECK(covered(count, grain) == count);
}

TEST_CASE("host threads: as many as processors, unless the environment has a number from 1 on") {
  // In processes of their own, for it is read once.
  if (const char* const wanted = std::getenv("GPARRAY_TEST_THREADS")) {
    CHECK(host::num_threads() == std::atoi(wanted));
    return;
  }
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  REQUIRE(length > 0);
  const std::string program(self, static_cast<std::size_t>(length)),
      processors = std::to_string(std::max(1u, std::thread::hardware_concurrency()));
  for (const auto& [setting, wanted] :
       {std::pair<std::string, std::string>{"-u GPARRAY_NUM_THREADS", processors},
        {"GPARRAY_NUM_THREADS=", processors},
        {"GPARRAY_NUM_THREADS=all", processors},
        {"GPARRAY_NUM_THREADS=-1", processors},
        {"GPARRAY_NUM_THREADS=0", processors},
        {"GPARRAY_NUM_THREADS=1", "1"},
        {"GPARRAY_NUM_THREADS=7", "7"}}) {
    CAPTURE(setting);
    const std::string command =
        "env " + setting + " GPARRAY_TEST_THREADS=" + wanted + " '" + program +
        "' --test-suite=test_host_threads --test-case='host threads: as many*' > /dev/null";
    CHECK(std::system(command.c_str()) == 0);
  }
}

TEST_CASE("host threads: several threads take part") {
  const threads_guard two(2);
  CHECK(threads_that_worked() == 2);
}

TEST_CASE("host threads: nested and concurrent callers") {
  const threads_guard three(3);
  std::atomic<long> total{0};
  host::parallel_for(30, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) total += covered(100, 1);
  });
  CHECK(total == 3000);
  std::vector<std::thread> callers;
  std::atomic<long> good{0};
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) good += covered(1000, 10) == 1000;
    });
  for (std::thread& t : callers) t.join();
  CHECK(good == 200);
}

TEST_CASE("host threads: an exception reaches the caller and the pool works on") {
  const threads_guard two(2);
  const auto fail = [](std::int64_t begin, std::int64_t) {
    if (begin > 0) throw std::runtime_error("part failed");
  };
  CHECK_THROWS_WITH(host::parallel_for(100, 1, fail), "part failed");
  CHECK(covered(100, 1) == 100);
}

#if GPARRAY_TEST_FORKS
TEST_CASE("host threads: a forked child has threads of its own") {
  const threads_guard two(2);
  CHECK(covered(1000, 1) == 1000);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(covered(1000, 1) == 1000 && threads_that_worked() == 2 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif

TEST_CASE("host map: bits depend on the element alone") {
  // The same values at every offset of an array, in arrays of every length: functions of libm in vectors and
  // not.
  constexpr std::int64_t period = 97;
  std::vector<double> doubles(40000);
  std::vector<float> floats(40000);
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    doubles[i] = 0.1 + static_cast<double>(i % period) / 31;
    floats[i] = static_cast<float>(doubles[i]);
  }
  const auto check = [&](auto* data, dtype type, ufunc op, std::int64_t offset, std::int64_t n,
                         std::int64_t gap) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
    std::vector<T> out(static_cast<std::size_t>(n));
    core::map_plan plan = plan_of({n});
    const auto stride = static_cast<std::int64_t>(sizeof(T));
    add_input(plan, type, data + offset, {gap * stride});
    add_step(plan, op, type,
             arity(op) == 1 ? std::initializer_list<int>{0} : std::initializer_list<int>{0, 0});
    set_output(plan.out, type, out.data(), {stride});
    core::host_backend().map(plan, {});
    std::vector<T> expected(period);
    core::map_plan whole = plan_of({period});
    add_input(whole, type, data, {stride});
    add_step(whole, op, type,
             arity(op) == 1 ? std::initializer_list<int>{0} : std::initializer_list<int>{0, 0});
    set_output(whole.out, type, expected.data(), {stride});
    core::host_backend().map(whole, {});
    long wrong = 0;
    for (std::int64_t i = 0; i < n; ++i)
      wrong += std::memcmp(&out[static_cast<std::size_t>(i)],
                           &expected[static_cast<std::size_t>((offset + i * gap) % period)], sizeof(T)) != 0;
    CAPTURE(name(op));
    CAPTURE(offset);
    CAPTURE(n);
    CHECK(wrong == 0);
  };
  for (const ufunc op : {ufunc::sin, ufunc::exp, ufunc::log, ufunc::tanh, ufunc::power, ufunc::arctan2,
                         ufunc::sqrt, ufunc::divide, ufunc::expm1, ufunc::erf, ufunc::gamma, ufunc::sinc}) {
    for (std::int64_t offset = 0; offset < 17; ++offset)
      for (std::int64_t n : {1, 3, 15, 16, 17, 63, 64, 65, 100}) {
        check(doubles.data(), dtype::float64, op, offset, n, 1);
        check(floats.data(), dtype::float32, op, offset, n, 1);
      }
    check(floats.data(), dtype::float32, op, 3, 13001, 3);
    for (int threads : {1, 3}) {
      const threads_guard guard(threads);
      check(doubles.data(), dtype::float64, op, 5, 39990, 1);
    }
  }
}

TEST_CASE("host map: a fused expression has the bits of its steps") {
  constexpr std::int64_t n = 50000;
  std::vector<float> a(n), b(n), fused(n), product(n), sine(n), sum(n);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::uniform_real_distribution<float>(-3, 3)(random);
    b[i] = std::uniform_real_distribution<float>(-3, 3)(random);
  }
  const auto run = [&](std::initializer_list<float*> inputs,
                       std::initializer_list<std::pair<ufunc, std::vector<int>>> steps, float* out) {
    core::map_plan plan = plan_of({n});
    for (float* in : inputs) add_input(plan, dtype::float32, in, {4});
    for (const auto& [op, args] : steps)
      args.size() == 1 ? add_step(plan, op, dtype::float32, {args[0]})
                       : add_step(plan, op, dtype::float32, {args[0], args[1]});
    set_output(plan.out, dtype::float32, out, {4});
    core::host_backend().map(plan, {});
  };
  run({a.data(), b.data()}, {{ufunc::multiply, {0, 1}}, {ufunc::sin, {0}}, {ufunc::add, {2, 3}}},
      fused.data());
  run({a.data(), b.data()}, {{ufunc::multiply, {0, 1}}}, product.data());
  run({a.data()}, {{ufunc::sin, {0}}}, sine.data());
  run({product.data(), sine.data()}, {{ufunc::add, {0, 1}}}, sum.data());
  CHECK(same_bits(fused, sum));
}

TEST_CASE("host map: casts, constants, ranges and copies") {
  strided<short> a({50, 60}, {1, 1});
  for_indices(a.shape, [&](const auto& i) { a.at(i) = static_cast<short>(i[0] * 60 + i[1] - 1000); });
  // out = float(a) * 0.5 + float(iota), with iota = 7 + 100 i - j.
  strided<double> out({50, 60}, {1, 1});
  core::map_plan plan = plan_of(a.shape);
  add_input(plan, dtype::int16, a);
  add_constant(plan, dtype::float64, 0.5);
  add_iota(plan, 7, {100, -1});
  const int x = add_step(plan, ufunc::cast, dtype::float64, {0}),
            y = add_step(plan, ufunc::cast, dtype::float64, {2});
  const int half = add_step(plan, ufunc::multiply, dtype::float64, {x, 1});
  add_step(plan, ufunc::add, dtype::float64, {half, y});
  set_output(plan.out, dtype::float64, out.origin, out.strides);
  core::host_backend().map(plan, {});
  long wrong = 0;
  for_indices(a.shape, [&](const auto& i) {
    wrong += out.at(i) != a.at(i) * 0.5 + static_cast<double>(7 + 100 * i[0] - i[1]);
  });
  CHECK(wrong == 0);
}

TEST_CASE("host copy: transposed, reversed, broadcast and scattered") {
  sampler wanted(5);  // others for each dtype
  const auto check = [&](auto element, dtype type, const std::vector<std::int64_t>& shape) {
    using T = decltype(element);
    for (const std::vector<std::int64_t>& steps :
         {std::vector<std::int64_t>{1, 1, 1}, {1, 1, -1}, {-1, 2, 1}, {1, 0, 1}, {0, 1, 3}, {1, 1, 0}})
      for (const std::vector<std::int64_t>& axes :
           {std::vector<std::int64_t>{0, 1, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}})
        for (const std::int64_t gap : {1, 2}) {
          if (!wanted()) continue;
          std::vector<std::int64_t> stored(3), strides(3);
          for (std::size_t d = 0; d < 3; ++d) stored[static_cast<std::size_t>(axes[d])] = shape[d];
          strided<T> in(stored, steps), out(shape, {1, 1, gap});
          for (std::size_t i = 0; i < in.count; ++i) in.memory[i] = static_cast<T>(i % 251);
          for (std::size_t d = 0; d < 3; ++d) strides[d] = in.strides[static_cast<std::size_t>(axes[d])];
          in.strides = strides;
          in.shape = shape;
          core::map_plan plan = plan_of(shape);
          add_input(plan, type, in);
          set_output(plan.out, type, out.origin, out.strides);
          core::host_backend().map(plan, {});
          long wrong = 0;
          for_indices(shape, [&](const auto& i) { wrong += out.at(i) != in.at(i); });
          CHECK(wrong == 0);
        }
  };
  // Planes cut into bands of columns and of rows; one shape fits in a single band.
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{3, 130, 270}, {2, 40, 5000}, {2, 5000, 40}}) {
    check(std::uint8_t{}, dtype::uint8, shape);
    check(std::int16_t{}, dtype::int16, shape);
    check(float{}, dtype::float32, shape);
    check(double{}, dtype::float64, shape);
    const threads_guard three(3);
    check(double{}, dtype::float64, shape);
  }
}

TEST_CASE("host map: constants, with the bits of the same numbers in an array") {
  for (const std::int64_t n : {1, 63, 1000, 5003}) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<float> a(count), same(count, 1.7f), with_array(count), with_constant(count);
    for (std::size_t i = 0; i < count; ++i) a[i] = 0.1f + static_cast<float>(i % 300) / 100;
    for (const ufunc op : {ufunc::power, ufunc::arctan2, ufunc::multiply}) {
      core::map_plan plan = plan_of({n});
      add_input(plan, dtype::float32, a.data(), {4});
      add_input(plan, dtype::float32, same.data(), {4});
      add_step(plan, op, dtype::float32, {1, 0});
      set_output(plan.out, dtype::float32, with_array.data(), {4});
      core::host_backend().map(plan, {});
      core::map_plan other = plan_of({n});
      add_input(other, dtype::float32, a.data(), {4});
      add_constant(other, dtype::float32, 1.7f);
      add_step(other, op, dtype::float32, {1, 0});
      set_output(other.out, dtype::float32, with_constant.data(), {4});
      core::host_backend().map(other, {});
      CHECK(with_array == with_constant);
    }
  }
}

TEST_CASE("host backend: large broadcast and transposed results") {
  // Past the caches, in rows that begin anywhere in a cache line.
  const std::int64_t rows = 3001, columns = 3003;
  std::vector<float> a(static_cast<std::size_t>(rows * columns)), out(a.size() + 2, -1.f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 65521);
  const auto wrong = [&](auto expected) {
    long count = 0;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c)
        count += out[static_cast<std::size_t>(r * columns + c + 1)] != expected(r, c);
    return count + (out.front() != -1) + (out.back() != -1);
  };
  core::map_plan plan = plan_of({rows, columns});
  add_input(plan, dtype::float32, a.data(), {4, 4 * rows});
  set_output(plan.out, dtype::float32, out.data() + 1, {4 * columns, 4});
  core::host_backend().map(plan, {});
  CHECK(wrong([&](auto r, auto c) { return a[static_cast<std::size_t>(c * rows + r)]; }) == 0);
  core::map_plan sum = plan_of({rows, columns});
  add_input(sum, dtype::float32, a.data(), {4, 0});
  add_input(sum, dtype::float32, a.data(), {0, 4});
  add_step(sum, ufunc::add, dtype::float32, {0, 1});
  set_output(sum.out, dtype::float32, out.data() + 1, {4 * columns, 4});
  core::host_backend().map(sum, {});
  CHECK(wrong([&](auto r, auto c) {
          return a[static_cast<std::size_t>(r)] + a[static_cast<std::size_t>(c)];
        }) == 0);
}

TEST_CASE("host backend: large results, copies and zeros") {
  // Above the size from which results bypass the caches, at an address that is no multiple of a cache line.
  const std::int64_t n = 9000001;
  std::vector<float> a(n + 3), out(n + 3, -1.f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 1000);
  core::map_plan plan = plan_of({n});
  add_input(plan, dtype::float32, a.data() + 1, {4});
  add_step(plan, ufunc::add, dtype::float32, {0, 0});
  set_output(plan.out, dtype::float32, out.data() + 1, {4});
  core::backend& host = core::host_backend();
  host.map(plan, {});
  long wrong = 0;
  for (std::int64_t i = 1; i <= n; ++i)
    wrong += out[static_cast<std::size_t>(i)] != 2 * a[static_cast<std::size_t>(i)];
  CHECK(wrong == 0);
  CHECK(out[0] == -1);
  CHECK(out[static_cast<std::size_t>(n) + 1] == -1);
  host.copy(out.data(), a.data(), a.size() * 4, {});
  CHECK(out == a);
  host.fill_zero(out.data() + 1, (out.size() - 1) * 4, {});
  CHECK(std::count(out.begin() + 1, out.end(), 0.f) == static_cast<std::ptrdiff_t>(out.size() - 1));
  CHECK(host.memory_info(0).second > 0);
  CHECK(!host.device_name(0).empty());
  const auto start = host.create_event(0, true), end = host.create_event(0, true);
  host.record_event(start, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  host.record_event(end, {});
  CHECK(host.elapsed_ms(0, start, end) >= 5);
  host.destroy_event(0, start);
  host.destroy_event(0, end);
}
