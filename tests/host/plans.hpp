// Builds plans by hand for tests of the host backend, with owned memory and a naive evaluation to compare
// with.
#pragma once
#include <cstring>
#include <initializer_list>
#include <memory>
#include <random>
#include <vector>

#include <gparray/dtype.hpp>
#include <host/support/thread_pool.hpp>
#include <plan/backend.hpp>

namespace host_test {

using namespace gparray;

/// A strided array in memory of its own; negative strides start at the far end.
template<class T>
struct strided {
  std::unique_ptr<T[]> memory;
  std::size_t count;
  std::vector<std::int64_t> shape, strides;  // strides in bytes
  T* origin = nullptr;

  /// steps: elements between neighbours along each dimension, in the units of a dense array (so 1 is
  /// contiguous, 0 broadcasts, -2 every second one backwards).
  strided(std::vector<std::int64_t> dims, std::vector<std::int64_t> steps)
      : shape(dims), strides(dims.size()) {
    std::int64_t extent = 1, lowest = 0;
    for (std::size_t d = dims.size(); d-- > 0;) {
      const std::int64_t stride = steps[d] * extent;
      strides[d] = stride * static_cast<std::int64_t>(sizeof(T));
      if (stride < 0) lowest += stride * (dims[d] - 1);
      if (steps[d] != 0) extent *= dims[d] * std::abs(steps[d]);
    }
    count = static_cast<std::size_t>(extent) + 1;
    memory.reset(new T[count]());
    origin = memory.get() - lowest;
  }

  T& at(const std::vector<std::int64_t>& index) {
    // Tests are not optimised: pointers, and no call for each element of the vectors.
    const std::int64_t* stride = strides.data();
    std::int64_t offset = 0;
    for (const std::int64_t *i = index.data(), *end = i + index.size(); i != end; ++i)
      offset += *i * *stride++;
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(origin) + offset);
  }
};

/// Calls f(index) for all indices in C order.
template<class F>
void for_indices(const std::vector<std::int64_t>& shape, F f) {
  std::vector<std::int64_t> index(shape.size(), 0);
  const std::int64_t* const lengths = shape.data();
  std::int64_t* const at = index.data();
  for (;;) {
    f(index);
    std::size_t d = shape.size();
    while (d-- > 0) {
      if (++at[d] < lengths[d]) break;
      at[d] = 0;
      if (d == 0) return;
    }
    if (shape.empty()) return;
  }
}

inline core::map_plan plan_of(const std::vector<std::int64_t>& shape) {
  core::map_plan plan;
  plan.ndim = static_cast<int>(shape.size());
  plan.n_inputs = plan.n_steps = 0;
  plan.size = 1;
  for (int d = 0; d < plan.ndim; ++d) plan.size *= plan.shape[d] = shape[static_cast<std::size_t>(d)];
  return plan;
}

inline int add_input(core::map_plan& plan, dtype type, const void* data,
                     const std::vector<std::int64_t>& strides) {
  core::input& in = plan.inputs[plan.n_inputs];
  in.kind = core::input_kind::array;
  in.type = type;
  in.data = data;
  in.first = 0;
  std::copy(strides.begin(), strides.end(), in.strides);
  return plan.n_inputs++;
}

template<class T>
int add_input(core::map_plan& plan, dtype type, strided<T>& array) {
  return add_input(plan, type, array.origin, array.strides);
}

struct threads_guard {
  int before = host::num_threads();
  explicit threads_guard(int n) { host::set_num_threads(n); }
  ~threads_guard() { host::set_num_threads(before); }
};

template<class T>
int add_constant(core::map_plan& plan, dtype type, T value) {
  core::input& in = plan.inputs[plan.n_inputs];
  in.kind = core::input_kind::constant;
  in.type = type;
  std::memcpy(in.value.bytes, &value, sizeof value);
  std::fill_n(in.strides, core::max_ndim, 0);
  return plan.n_inputs++;
}

inline int add_iota(core::map_plan& plan, std::int64_t first, const std::vector<std::int64_t>& strides) {
  core::input& in = plan.inputs[plan.n_inputs];
  in.kind = core::input_kind::iota;
  in.type = dtype::int64;
  in.first = first;
  std::copy(strides.begin(), strides.end(), in.strides);
  return plan.n_inputs++;
}

/// Inputs must all have been added before.
inline int add_step(core::map_plan& plan, ufunc op, dtype loop, std::initializer_list<int> args) {
  core::step& step = plan.steps[plan.n_steps];
  step.op = op;
  step.loop = loop;
  step.user = nullptr;
  int a = 0;
  for (int arg : args) step.args[static_cast<std::size_t>(a++)] = static_cast<std::uint16_t>(arg);
  return plan.n_inputs + plan.n_steps++;
}

inline void set_output(core::output& out, dtype type, void* data, const std::vector<std::int64_t>& strides) {
  out.data = data;
  out.type = type;
  std::copy(strides.begin(), strides.end(), out.strides);
}

/// A plan that reduces the dimensions of `map` from n_kept on, results in C order at `out`.
inline core::reduce_plan reduce_of(const core::map_plan& map, reduction op, int n_kept, void* out,
                                   double ddof = 0) {
  core::reduce_plan plan{map, op, map.value_type(map.last_value()), {}, n_kept, 1, 1, ddof, {}};
  for (int d = 0; d < map.ndim; ++d) (d < n_kept ? plan.n_out : plan.n_reduced) *= map.shape[d];
  plan.out.data = out;
  plan.out.type = result_dtype(op, plan.element);
  auto stride = static_cast<std::int64_t>(result_bytes(op, plan.element));
  for (int d = n_kept - 1; d >= 0; --d) {
    plan.out.strides[d] = stride;
    stride *= map.shape[d];
  }
  return plan;
}

}  // namespace host_test
