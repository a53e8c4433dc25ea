// Products of matrices: those of float32 and float64, those that tensor cores are made for, and layers of
// networks.
#pragma once
#include "suite.hpp"

namespace bench {

template<class V>
void matmul(const suite& s, const std::string& name, int m, int k, int n) {
  s.add(name, [=] { return [a = numbers<V>({m, k}), b = numbers<V>({k, n})] { gp::matmul(a, b); }; });
}

/// matmul, and a layer with a bias and an activation, on n x n matrices of halves.
template<class Half>
void half_products(const suite& s, const std::string& tag, int n) {
  const auto operands = [n] { return std::pair(numbers<Half>({n, n}), numbers<Half>({n, n})); };
  const std::string size = "_" + std::to_string(n);
  matmul<Half>(s, "matmul_" + tag + size, n, n, n);
  s.add("matmul_" + tag + "_f32" + size,
        [&] { return [x = operands()] { gp::matmul<float>(x.first, x.second); }; });
  for (const std::string activation : {"relu", "gelu"})
    s.add("linear_" + activation + "_" + tag + size, [&] {
      return [x = operands(), b = numbers<Half>({n}), activation] {
        gp::matmul(x.first, x.second, {.bias = b, .activation = activation});
      };
    });
}

/// A layer of float32 as options and as an expression.
inline void layers(const suite& s, const std::string& precision, int n) {
  const auto operands = [n] { return std::pair(numbers<float>({n, n}), numbers<float>({n, n})); };
  const std::string end = precision + "_" + std::to_string(n);
  s.add("linear_relu" + end, [&] {
    return [x = operands(), b = numbers<float>({n})] {
      gp::matmul(x.first, x.second, {.bias = b, .activation = "relu"});
    };
  });
  s.add("linear_relu_expression" + end, [&] {
    return [x = operands(), b = numbers<float>({n})] {
      gp::eval(gp::maximum(gp::matmul(x.first, x.second) + b, 0.f));
    };
  });
}

inline void products(const suite& s) {
  for (const int n : {512, 1024, 2048, 4096, 8192})
    if (!s.on_cpu() || n <= 2048) matmul<float>(s, fmt::format("matmul_f32_{}", n), n, n, n);
  if (!s.on_cpu()) matmul<double>(s, "matmul_f64_4096", 4096, 4096, 4096);
  matmul<float>(s, "matmul_f32_1024x2048x512", 1024, 2048, 512);
  for (const int n : {1024, 2048, 4096, 8192}) {
    if (s.on_cpu() && n > 1024) break;
    matmul<float>(s, fmt::format("matvec_f32_{}", n), n, n, 1);
    matmul<float>(s, fmt::format("vecmat_f32_{}", n), 1, n, n);
    matmul<gp::float16>(s, fmt::format("matvec_f16_{}", n), n, n, 1);
    half_products<gp::float16>(s, "f16", n);
    half_products<gp::bfloat16>(s, "bf16", n);
    layers(s, "_f32", n);
  }
  if (s.on_cpu()) return;
  for (const auto& [tag, precision] :
       {std::pair("tf32", gp::matmul_precision::tf32), {"bf16x9", gp::matmul_precision::bfloat16x9}}) {
    gp::set_float32_matmul_precision(precision);
    for (const int n : {1024, 2048, 4096, 8192}) {
      matmul<float>(s, fmt::format("matmul_{}_{}", tag, n), n, n, n);
      layers(s, fmt::format("_{}", tag), n);
    }
  }
  gp::set_float32_matmul_precision(gp::matmul_precision::float32);
}

}  // namespace bench
