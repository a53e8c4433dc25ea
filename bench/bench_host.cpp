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

/// The workloads of a dtype, each printed with its time.
template<class T>
class workloads {
 public:
  workloads(dtype type, const char* letter, std::int64_t n, int threads, int runs)
      : type_(type),
        letter_(letter),
        n_(n),
        threads_(threads),
        runs_(runs),
        a_(static_cast<std::size_t>(n) * sizeof(T)),
        b_(static_cast<std::size_t>(n) * sizeof(T)),
        out_(static_cast<std::size_t>(n) * sizeof(T)) {
    for (std::int64_t i = 0; i < n; ++i) {
      static_cast<T*>(a_.data())[i] = static_cast<T>(0.1 + static_cast<double>(i % 1000) / 500);
      static_cast<T*>(b_.data())[i] = static_cast<T>(0.5 + static_cast<double>(i % 777) / 300);
    }
    warm_up();
  }

  void maps() {
    for (const auto& [op, f] : {std::pair{"add", ufunc::add},
                                {"multiply", ufunc::multiply},
                                {"divide", ufunc::divide},
                                {"maximum", ufunc::maximum},
                                {"power", ufunc::power},
                                {"arctan2", ufunc::arctan2}})
      map(op, {a_.data(), b_.data()}, {{f, {0, 1}}});
    for (const auto& [op, f] : {std::pair{"sqrt", ufunc::sqrt},
                                {"sin", ufunc::sin},
                                {"cos", ufunc::cos},
                                {"exp", ufunc::exp},
                                {"log", ufunc::log},
                                {"tanh", ufunc::tanh},
                                {"floor", ufunc::floor},
                                {"absolute", ufunc::absolute}})
      map(op, {a_.data()}, {{f, {0}}});
    map("fused", {a_.data(), b_.data()},
        {{ufunc::multiply, {0, 1}},
         {ufunc::sin, {0}},
         {ufunc::add, {2, 3}},
         {ufunc::cos, {1}},
         {ufunc::add, {4, 5}}});
  }

  void transpose() {
    core::map_plan transposed = dense_plan({n_ / 1000, 1000}, type_, {a_.data()}, out_.data());
    transposed.inputs[0].strides[0] = sizeof(T);
    transposed.inputs[0].strides[1] = n_ / 1000 * static_cast<std::int64_t>(sizeof(T));
    report("transpose", [&] { host_.map(transposed, {}); });
  }

  void reductions() {
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
  }

  void cumsum() {
    const core::scan_plan scan{core::scan::sum, type_,       1,           {n_},
                               a_.data(),       {sizeof(T)}, out_.data(), {sizeof(T)}};
    report("cumsum", [&] { host_.scan(scan, {}); });
  }

  void matmul() {
    const auto side =
        static_cast<std::int64_t>(std::sqrt(static_cast<double>(std::min<std::int64_t>(n_, 1000000))));
    const auto row = side * static_cast<std::int64_t>(sizeof(T));
    const core::matmul_plan product{type_,
                                    side,
                                    side,
                                    side,
                                    0,
                                    {},
                                    {a_.data(), row, sizeof(T), {}},
                                    {b_.data(), row, sizeof(T), {}},
                                    {out_.data(), row, sizeof(T), {}}};
    report("matmul", [&] { host_.matmul(product, {}); });
  }

 private:
  /// A new worker shares the caller's processor until the system moves it: what is measured first would
  /// suffer.
  void warm_up() {
    core::map_plan plan = dense_plan({n_}, type_, {a_.data()}, out_.data());
    add_step(plan, ufunc::sin, type_, {0});
    const auto warm_until = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < warm_until) host_.map(plan, {});
  }

  void report(const char* op, const std::function<void()>& f) {
    std::printf("{\"op\": \"%s\", \"dtype\": \"%s\", \"n\": %ld, \"threads\": %d, \"ns\": %.0f}\n", op,
                letter_, static_cast<long>(n_), threads_, best_ns(f, runs_));
  }

  void map(const char* op, std::initializer_list<const void*> inputs,
           std::initializer_list<std::pair<ufunc, std::vector<int>>> steps) {
    core::map_plan plan = dense_plan({n_}, type_, inputs, out_.data());
    for (const auto& [f, args] : steps) {
      if (args.size() == 1) add_step(plan, f, type_, {args[0]});
      else add_step(plan, f, type_, {args[0], args[1]});
    }
    report(op, [&] { host_.map(plan, {}); });
  }

  void reduce(const char* text, reduction op, int axis) {
    core::reduce_plan plan;
    plan.map = axis < 0 ? dense_plan({n_}, type_, {a_.data()}, nullptr)
                        : dense_plan({n_ / 1000, 1000}, type_, {a_.data()}, nullptr);
    plan.op = op;
    plan.element = type_;
    plan.n_kept = axis < 0 ? 0 : 1;
    if (axis == 0) {
      std::swap(plan.map.shape[0], plan.map.shape[1]);
      std::swap(plan.map.inputs[0].strides[0], plan.map.inputs[0].strides[1]);
    }
    plan.n_out = axis < 0 ? 1 : plan.map.shape[0];
    plan.n_reduced = n_ / plan.n_out;
    plan.ddof = 0;
    plan.out.data = out_.data();
    plan.out.type = result_dtype(op, type_);
    plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
    report(text, [&] { host_.reduce(plan, {}); });
  }

  const dtype type_;
  const char* const letter_;
  const std::int64_t n_;
  const int threads_, runs_;
  const buffer a_, b_, out_;
  core::backend& host_ = core::host_backend();
};

template<class T>
void run(dtype type, const char* letter, std::int64_t n, int threads, int runs) {
  host::set_num_threads(threads);
  workloads<T> all(type, letter, n, threads, runs);
  all.maps();
  all.transpose();
  all.reductions();
  all.cumsum();
  all.matmul();
}

}  // namespace

// Arguments: elements, threads, runs.
int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atol(argv[1]) : 1000000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1, runs = argc > 3 ? std::atoi(argv[3]) : 15;
  run<float>(dtype::float32, "float32", n, threads, runs);
  run<double>(dtype::float64, "float64", n, threads, runs);
}
