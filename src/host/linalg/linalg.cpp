// Batches: small matrices are shared out among the threads, large ones are worked on by all threads one after
// the other. A matrix gives the same bits either way.
#include <climits>
#include <stdexcept>

#include <gparray/error.hpp>
#include <host/linalg/factor.hpp>
#include <host/linalg/linalg.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using core::matrix_stack;
using core::queue;

/// From this size on the threads share one matrix.
constexpr std::int64_t large = 256;
/// Multiplications that a thread should have at least: waking it takes as long.
constexpr std::int64_t smallest_share = 200'000;

void check_sizes(std::initializer_list<matrix_stack> stacks) {
  for (const matrix_stack& s : stacks)
    if (s.rows > INT_MAX || s.columns > INT_MAX)
      throw value_error("LAPACK's matrices have at most 2147483647 rows and columns");
}

/// body(i) for every matrix; `least` is the smaller size of the matrices.
template<class Body>
void each_matrix(std::int64_t count, std::int64_t rows, std::int64_t columns, Body body) {
  const std::int64_t least = std::min(rows, columns);
  if (least >= large) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  parallel_for(count, 1 + smallest_share / (rows * columns * least),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) body(i);
               });
}

template<class T>
column_matrix<T> matrix_of(const matrix_stack& s, std::int64_t i) {
  return {static_cast<T*>(s.data) + i * s.rows * s.columns, static_cast<int>(s.rows),
          static_cast<int>(s.columns), static_cast<int>(s.rows)};
}

/// body of the type's element, as body(T{}).
template<class Body>
void with_element(dtype type, Body body) {
  core::with_factorised<std::complex<float>, std::complex<double>>(type, body);
}

flag flag_of(core::transposition op) {
  return op == core::transposition::none ? "N" : op == core::transposition::transpose ? "T" : "C";
}

class host_linalg final : public core::linalg_engine {
 public:
  void lu(dtype type, const matrix_stack& a, std::int32_t* pivots, std::int32_t* info, queue) override {
    check_sizes({a});
    const std::int64_t n_pivots = std::min(a.rows, a.columns);
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns,
                  [&](std::int64_t i) { info[i] = factor_lu(matrix_of<T>(a, i), pivots + i * n_pivots); });
    });
  }

  void lu_solve(dtype type, const matrix_stack& lu, const std::int32_t* pivots, core::transposition op,
                const matrix_stack& b, queue) override {
    check_sizes({lu, b});
    with_element(type, [&]<class T>(T) {
      each_matrix(b.count, b.rows, std::max(b.rows, b.columns), [&](std::int64_t i) {
        const column_matrix<T> f = matrix_of<T>(lu, i), x = matrix_of<T>(b, i);
        const std::int32_t* const exchanged = pivots + i * f.rows;
        if (op == core::transposition::none) {
          exchange_rows(x, exchanged, f.rows, true);
          solve_triangle(f, "L", "N", "U", x);
          solve_triangle(f, "U", "N", "N", x);
        } else {
          solve_triangle(f, "U", flag_of(op), "N", x);
          solve_triangle(f, "L", flag_of(op), "U", x);
          exchange_rows(x, exchanged, f.rows, false);
        }
      });
    });
  }

  void cholesky(dtype type, const matrix_stack& a, std::int32_t* info, queue) override {
    check_sizes({a});
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns, [&](std::int64_t i) {
        const column_matrix<T> m = matrix_of<T>(a, i);
        info[i] = factor_cholesky(m);
        for (int j = 1; j < m.columns; ++j) std::fill_n(m.at(0, j), j, T(0));
      });
    });
  }

  bool cholesky_clears() const override { return true; }

  bool determinants(dtype type, const matrix_stack& lu, const std::int32_t* pivots, void* out,
                    void* logarithms) override {
    with_element(type, [&]<class T>(T) {
      for (std::int64_t i = 0; i < lu.count; ++i)
        static_cast<T*>(out)[i] =
            determinant(matrix_of<T>(lu, i), pivots + i * lu.columns,
                        logarithms ? static_cast<real_of<T>*>(logarithms) + i : nullptr);
    });
    return true;
  }

  bool least_squares(dtype type, const matrix_stack& a, const matrix_stack& b, double rcond, void* s,
                     std::int32_t& rank, std::int32_t* info) override {
    check_sizes({a, b});
    with_element(type, [&]<class T>(T) {
      *info = solve_least_squares(matrix_of<T>(a, 0), matrix_of<T>(b, 0), static_cast<real_of<T>>(rcond),
                                  static_cast<real_of<T>*>(s), rank);
    });
    return true;
  }

  bool exponential(dtype type, const matrix_stack& a, void* out) override {
    check_sizes({a});
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns, [&](std::int64_t i) {
        host::exponential(matrix_of<T>(a, i), static_cast<T*>(out) + i * a.rows * a.columns);
      });
    });
    return true;
  }

  void triangular_solve(dtype type, const matrix_stack& a, core::triangle_use use, const matrix_stack& b,
                        queue) override {
    check_sizes({a, b});
    with_element(type, [&]<class T>(T) {
      each_matrix(b.count, b.rows, std::max(b.rows, b.columns), [&](std::int64_t i) {
        solve_triangle(matrix_of<T>(a, i), use.lower ? "L" : "U", flag_of(use.op),
                       use.unit_diagonal ? "U" : "N", matrix_of<T>(b, i));
      });
    });
  }

  void qr(dtype type, const matrix_stack& a, void* tau, queue) override {
    check_sizes({a});
    const std::int64_t n_tau = std::min(a.rows, a.columns);
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns,
                  [&](std::int64_t i) { factor_qr(matrix_of<T>(a, i), static_cast<T*>(tau) + i * n_tau); });
    });
  }

  void form_q(dtype type, const matrix_stack& q, std::int64_t reflectors, const void* tau, queue) override {
    check_sizes({q});
    with_element(type, [&]<class T>(T) {
      each_matrix(q.count, q.rows, q.columns, [&](std::int64_t i) {
        const column_matrix<T> to = matrix_of<T>(q, i);
        const work_memory<T> copy(q.rows * reflectors);
        std::copy_n(to.data, q.rows * reflectors, copy.data());
        host::form_q({copy.data(), to.rows, static_cast<int>(reflectors), to.rows},
                     static_cast<const T*>(tau) + i * reflectors, to);
      });
    });
  }

  void eigh(dtype type, const matrix_stack& a, bool vectors, void* values, std::int32_t* info,
            queue) override {
    check_sizes({a});
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns, [&](std::int64_t i) {
        info[i] = solve_hermitian(matrix_of<T>(a, i), vectors, static_cast<real_of<T>*>(values) + i * a.rows);
      });
    });
  }

  void svd(dtype type, const matrix_stack& a, core::singular_vectors which, void* s, void* u, void* vh,
           std::int32_t* info, queue) override {
    check_sizes({a});
    const bool full = which == core::singular_vectors::full, any = which != core::singular_vectors::none;
    const std::int64_t u_size = a.rows * (full ? a.rows : a.columns), vh_size = a.columns * a.columns;
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns, [&](std::int64_t i) {
        info[i] = decompose_singular(matrix_of<T>(a, i), full, static_cast<real_of<T>*>(s) + i * a.columns,
                                     any ? static_cast<T*>(u) + i * u_size : nullptr,
                                     any ? static_cast<T*>(vh) + i * vh_size : nullptr);
      });
    });
  }

  void eig(dtype type, const matrix_stack& a, void* values, void* vectors, std::int32_t* info,
           queue) override {
    check_sizes({a});
    with_element(type, [&]<class T>(T) {
      each_matrix(a.count, a.rows, a.columns, [&](std::int64_t i) {
        info[i] =
            solve_general(matrix_of<T>(a, i), static_cast<std::complex<real_of<T>>*>(values) + i * a.rows,
                          vectors ? static_cast<T*>(vectors) + i * a.rows * a.rows : nullptr);
      });
    });
  }
};

}  // namespace

core::linalg_engine& linalg() {
  static auto* const engine = new host_linalg;  // never destroyed, as the backend that owns it
  return *engine;
}

}  // namespace host
GPARRAY_END_NAMESPACE
