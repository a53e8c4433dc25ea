// Engines of libraries whose calls are observed.
#pragma once
#include <fmt/format.h>

#include <core/runtime/observed.hpp>
#include <plan/fft_engine.hpp>
#include <plan/graph_engine.hpp>
#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Of operations whose elements are not counted.
inline constexpr std::int64_t not_counted = -1;

struct observed_backend {
  backend& real;
  const debug_settings& settings;
  bool is_host;

  template<class Run>
  auto observe(queue q, const std::string& name, Run run) const {
    graph_engine* const graphs = is_host ? nullptr : real.graphs();
    const bool on_stream = settings.trace && !is_host && !(graphs && graphs->is_captured(q));
    const observed_operation seen(settings, name, not_counted, real, q, on_stream);
    return run();
  }
  /// Of what no stream does.
  template<class Run>
  auto observe_here(const std::string& name, Run run) const {
    const observed_operation seen(settings, name, not_counted, real, {}, false);
    return run();
  }
};

class observed_fft final : public fft_engine {
 public:
  explicit observed_fft(const observed_backend& of) : of_(of) {}
  /// This engine in place of the real one, which may be null.
  fft_engine* of(fft_engine* real) noexcept {
    real_.store(real, std::memory_order_relaxed);
    return real ? this : nullptr;
  }

  void run(const fft_plan& plan, queue q) override {
    std::string name = "fft of";
    for (int d = 0; d < plan.rank; ++d) name += fmt::format("{}{}", d == 0 ? " " : " x ", plan.n[d]);
    of_.observe(q, name, [&] { real()->run(plan, q); });
  }
  bool takes(fft_kind kind, std::int64_t n) const override { return real()->takes(kind, n); }
  fft_cache& cache(int device) override { return real()->cache(device); }

 private:
  fft_engine* real() const noexcept { return real_.load(std::memory_order_relaxed); }

  observed_backend of_;
  std::atomic<fft_engine*> real_{nullptr};
};

class observed_linalg final : public linalg_engine {
 public:
  explicit observed_linalg(const observed_backend& of) : of_(of) {}
  /// This engine in place of the real one, which may be null.
  linalg_engine* of(linalg_engine* real) noexcept {
    real_.store(real, std::memory_order_relaxed);
    return real ? this : nullptr;
  }

  std::int64_t largest_small(dtype type) const override { return real()->largest_small(type); }
  void run_small(const small_task& task, queue q) override {
    of_.observe(q, "small matrices", [&] { real()->run_small(task, q); });
  }
  void lu(dtype type, const matrix_stack& a, std::int32_t* pivots, std::int32_t* info, queue q) override {
    of_.observe(q, title("lu", a), [&] { real()->lu(type, a, pivots, info, q); });
  }
  void lu_solve(dtype type, const matrix_stack& lu, const std::int32_t* pivots, transposition op,
                const matrix_stack& b, queue q) override {
    of_.observe(q, title("lu_solve", lu), [&] { real()->lu_solve(type, lu, pivots, op, b, q); });
  }
  bool determinants(dtype type, const matrix_stack& lu, const std::int32_t* pivots, void* out,
                    void* logarithms) override {
    return of_.observe_here(title("determinants", lu),
                            [&] { return real()->determinants(type, lu, pivots, out, logarithms); });
  }
  bool least_squares(dtype type, const matrix_stack& a, const matrix_stack& b, double rcond, void* s,
                     std::int32_t& rank, std::int32_t* info) override {
    return of_.observe_here(title("least_squares", a),
                            [&] { return real()->least_squares(type, a, b, rcond, s, rank, info); });
  }
  bool matmul(const matmul_plan& plan, const epilogue& after, queue q) override {
    return of_.observe(q, fmt::format("matmul {} x {} x {} with an epilogue", plan.m, plan.k, plan.n),
                       [&] { return real()->matmul(plan, after, q); });
  }
  bool exponential(dtype type, const matrix_stack& a, void* out) override {
    return of_.observe_here(title("exponential", a), [&] { return real()->exponential(type, a, out); });
  }
  void cholesky(dtype type, const matrix_stack& a, std::int32_t* info, queue q) override {
    of_.observe(q, title("cholesky", a), [&] { real()->cholesky(type, a, info, q); });
  }
  bool cholesky_clears() const override { return real()->cholesky_clears(); }
  void triangular_solve(dtype type, const matrix_stack& a, triangle_use use, const matrix_stack& b,
                        queue q) override {
    of_.observe(q, title("triangular_solve", a), [&] { real()->triangular_solve(type, a, use, b, q); });
  }
  void qr(dtype type, const matrix_stack& a, void* tau, queue q) override {
    of_.observe(q, title("qr", a), [&] { real()->qr(type, a, tau, q); });
  }
  void form_q(dtype type, const matrix_stack& q, std::int64_t reflectors, const void* tau,
              queue where) override {
    of_.observe(where, title("form_q", q), [&] { real()->form_q(type, q, reflectors, tau, where); });
  }
  void eigh(dtype type, const matrix_stack& a, bool vectors, void* values, std::int32_t* info,
            queue q) override {
    of_.observe(q, title("eigh", a), [&] { real()->eigh(type, a, vectors, values, info, q); });
  }
  dtype svd_type(dtype type, int device) const override { return real()->svd_type(type, device); }
  void svd(dtype type, const matrix_stack& a, singular_vectors which, void* s, void* u, void* vh,
           std::int32_t* info, queue q) override {
    of_.observe(q, title("svd", a), [&] { real()->svd(type, a, which, s, u, vh, info, q); });
  }
  void eig(dtype type, const matrix_stack& a, void* values, void* vectors, std::int32_t* info,
           queue q) override {
    of_.observe(q, title("eig", a), [&] { real()->eig(type, a, values, vectors, info, q); });
  }

 private:
  static std::string title(const char* what, const matrix_stack& a) {
    return fmt::format("{} of {} x {}{}", what, a.rows, a.columns,
                       a.count == 1 ? "" : fmt::format(", {} matrices", a.count));
  }

  linalg_engine* real() const noexcept { return real_.load(std::memory_order_relaxed); }

  observed_backend of_;
  std::atomic<linalg_engine*> real_{nullptr};
};

}  // namespace core
GPARRAY_END_NAMESPACE
