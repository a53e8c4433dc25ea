// Times of the host backend, one JSON line for each operation, size and number of threads: {"op", "n",
// "threads", "ns"}, the least of several runs.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <host/support/thread_pool.hpp>
#include <memory/host.hpp>
#include <plan/backend.hpp>

using namespace gparray;

namespace {

double best_ns(const std::function<void()>& f, int runs) {
  double best = 1e300;
  for (int r = 0; r < runs; ++r) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

core::map_plan dense_plan(std::initializer_list<std::int64_t> shape, dtype type,
                          std::initializer_list<const void*> inputs, void* out) {
  core::map_plan plan;
  plan.ndim = static_cast<int>(shape.size());
  plan.n_inputs = plan.n_steps = 0;
  plan.size = 1;
  std::copy(shape.begin(), shape.end(), plan.shape);
  std::int64_t strides[core::max_ndim], stride = static_cast<std::int64_t>(itemsize(type));
  for (int d = plan.ndim - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= plan.shape[d];
    plan.size *= plan.shape[d];
  }
  for (const void* data : inputs) {
    core::input& in = plan.inputs[plan.n_inputs++];
    in.kind = core::input_kind::array;
    in.type = type;
    in.data = data;
    in.first = 0;
    std::copy_n(strides, plan.ndim, in.strides);
  }
  plan.out.data = out;
  plan.out.type = type;
  std::copy_n(strides, plan.ndim, plan.out.strides);
  return plan;
}

void add_step(core::map_plan& plan, ufunc op, dtype loop, std::initializer_list<int> args) {
  core::step& step = plan.steps[plan.n_steps++];
  step.op = op;
  step.loop = loop;
  int a = 0;
  for (int arg : args) step.args[a++] = static_cast<std::uint8_t>(arg);
}

struct buffer {
  explicit buffer(std::size_t bytes) : held(core::host_pool().allocate(bytes, nullptr)) {}
  ~buffer() { core::host_pool().deallocate(held); }
  void* data() const { return held->pointer; }
  core::block* held;
};

template<class T>
void run(dtype type, const char* letter, std::int64_t n, int threads, int runs) {
  host::set_num_threads(threads);
  const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
  const buffer a(bytes), b(bytes), out(bytes);
  for (std::int64_t i = 0; i < n; ++i) {
    static_cast<T*>(a.data())[i] = static_cast<T>(0.1 + static_cast<double>(i % 1000) / 500);
    static_cast<T*>(b.data())[i] = static_cast<T>(0.5 + static_cast<double>(i % 777) / 300);
  }
  core::backend& host = core::host_backend();
  // A new worker shares the caller's processor until the system moves it: what is measured first would
  // suffer.
  const core::map_plan warm_up = [&] {
    core::map_plan plan = dense_plan({n}, type, {a.data()}, out.data());
    add_step(plan, ufunc::sin, type, {0});
    return plan;
  }();
  const auto warm_until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < warm_until) host.map(warm_up, {});
  const auto report = [&](const char* op, const std::function<void()>& f) {
    std::printf("{\"op\": \"%s\", \"dtype\": \"%s\", \"n\": %ld, \"threads\": %d, \"ns\": %.0f}\n", op,
                letter, static_cast<long>(n), threads, best_ns(f, runs));
  };
  const auto map = [&](const char* op, std::initializer_list<const void*> inputs,
                       std::initializer_list<std::pair<ufunc, std::vector<int>>> steps) {
    core::map_plan plan = dense_plan({n}, type, inputs, out.data());
    for (const auto& [f, args] : steps) {
      if (args.size() == 1) add_step(plan, f, type, {args[0]});
      else add_step(plan, f, type, {args[0], args[1]});
    }
    report(op, [&host, plan] { host.map(plan, {}); });
  };
  for (const auto& [op, f] : {std::pair{"add", ufunc::add},
                              {"multiply", ufunc::multiply},
                              {"divide", ufunc::divide},
                              {"maximum", ufunc::maximum},
                              {"power", ufunc::power},
                              {"arctan2", ufunc::arctan2}})
    map(op, {a.data(), b.data()}, {{f, {0, 1}}});
  for (const auto& [op, f] : {std::pair{"sqrt", ufunc::sqrt},
                              {"sin", ufunc::sin},
                              {"cos", ufunc::cos},
                              {"exp", ufunc::exp},
                              {"log", ufunc::log},
                              {"tanh", ufunc::tanh},
                              {"floor", ufunc::floor},
                              {"absolute", ufunc::absolute}})
    map(op, {a.data()}, {{f, {0}}});
  map("fused", {a.data(), b.data()},
      {{ufunc::multiply, {0, 1}},
       {ufunc::sin, {0}},
       {ufunc::add, {2, 3}},
       {ufunc::cos, {1}},
       {ufunc::add, {4, 5}}});

  core::map_plan transposed = dense_plan({n / 1000, 1000}, type, {a.data()}, out.data());
  transposed.inputs[0].strides[0] = sizeof(T);
  transposed.inputs[0].strides[1] = n / 1000 * static_cast<std::int64_t>(sizeof(T));
  report("transpose", [&] { host.map(transposed, {}); });

  const auto reduce = [&](const char* text, reduction op, int axis) {
    core::reduce_plan plan;
    plan.map = axis < 0 ? dense_plan({n}, type, {a.data()}, nullptr)
                        : dense_plan({n / 1000, 1000}, type, {a.data()}, nullptr);
    plan.op = op;
    plan.element = type;
    plan.n_kept = axis < 0 ? 0 : 1;
    if (axis == 0) {
      std::swap(plan.map.shape[0], plan.map.shape[1]);
      std::swap(plan.map.inputs[0].strides[0], plan.map.inputs[0].strides[1]);
    }
    plan.n_out = axis < 0 ? 1 : plan.map.shape[0];
    plan.n_reduced = n / plan.n_out;
    plan.ddof = 0;
    plan.out.data = out.data();
    plan.out.type = result_dtype(op, type);
    plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
    report(text, [&host, plan] { host.reduce(plan, {}); });
  };
  for (const auto& [text, op] : {std::pair{"sum", reduction::sum},
                                 {"max", reduction::max},
                                 {"mean", reduction::mean},
                                 {"var", reduction::var},
                                 {"argmax", reduction::argmax},
                                 {"all", reduction::all},
                                 {"norm", reduction::norm}}) {
    reduce(text, op, -1);
    reduce((std::string(text) + " axis 0").c_str(), op, 0);
    reduce((std::string(text) + " axis 1").c_str(), op, 1);
  }
  core::scan_plan scan{core::scan::sum, type, 1, {n}, a.data(), {sizeof(T)}, out.data(), {sizeof(T)}};
  report("cumsum", [&] { host.scan(scan, {}); });
  const auto side =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(std::min<std::int64_t>(n, 1000000))));
  const auto row = side * static_cast<std::int64_t>(sizeof(T));
  core::matmul_plan product{type,
                            side,
                            side,
                            side,
                            0,
                            {},
                            {a.data(), row, sizeof(T), {}},
                            {b.data(), row, sizeof(T), {}},
                            {out.data(), row, sizeof(T), {}}};
  report("matmul", [&] { host.matmul(product, {}); });
}

}  // namespace

// Arguments: elements, threads, runs.
int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atol(argv[1]) : 1000000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1, runs = argc > 3 ? std::atoi(argv[3]) : 15;
  run<float>(dtype::float32, "float32", n, threads, runs);
  run<double>(dtype::float64, "float64", n, threads, runs);
}
