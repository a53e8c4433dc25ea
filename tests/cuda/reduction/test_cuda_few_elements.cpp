// The kernels of reductions, as g++ compiles them, put few elements together in the order that the core's
// expressions in their place have.
#include "cuda/support/emulated_fusion.hpp"
#include "support/few_elements.hpp"

using namespace twin;
using few_elements::layout;
using few_elements::operation;

namespace {

constexpr std::int64_t results = 50;

struct sample {
  operation what;
  reduction op;
};
constexpr sample samples[] = {{operation::sum, reduction::sum},
                              {operation::mean, reduction::mean},
                              {operation::prod, reduction::prod},
                              {operation::norm, reduction::norm},
                              {operation::max, reduction::max}};

template<class T>
class kernels_of : fixture {
 public:
  void check() {
    std::vector<std::pair<std::size_t, std::size_t>> numbers;
    for (const sample& s : samples) {
      const std::string of = "<gparray::kernel::" + std::string(name(s.op)) + "_reduction<" +
                             type_name(dtype_of<T>) + ">, gparray::core::cuda::";
      numbers.emplace_back(program.add("gparray::core::cuda::reduce_inner" + of + "inner_params>", false),
                           program.add("gparray::core::cuda::reduce_columns" + of + "column_params>", false));
    }
    program.build();
    for (std::size_t i = 0; i < std::size(samples); ++i) {
      const cuda::reduce_kernels& table = cuda::find_reduce_kernels(samples[i].op, dtype_of<T>);
      launched[table.inner] = launched[table.dense] = program.kernel(numbers[i].first);
      launched[table.columns] = program.kernel(numbers[i].second);
      for (const std::int64_t n : {2, 3, 4, 5, 7, 8, 9, 11, 16})
        for (const layout where : {layout::rows, layout::columns})
          if (where == layout::columns || n * static_cast<std::int64_t>(sizeof(T)) <= 64)
            check(samples[i], n, where);
    }
    CHECK(n_missed == 0);
  }

 private:
  void check(const sample& s, std::int64_t n, layout where) {
    CAPTURE(name(s.op));
    CAPTURE(n);
    CAPTURE(static_cast<int>(where));
    constexpr auto item = static_cast<std::int64_t>(sizeof(T));
    const bool in_rows = where == layout::rows;
    auto plan = std::make_unique<reduce_plan>();
    map_plan& map = plan->map;
    map.ndim = 2;
    map.shape[0] = results;
    map.shape[1] = n;
    map.size = results * n;
    map.n_inputs = 1;
    map.n_steps = 0;
    input& in = map.inputs[0];
    in.kind = input_kind::array;
    in.type = dtype_of<T>;
    in.first = 0;
    in.strides[0] = in_rows ? n * item : item;
    in.strides[1] = in_rows ? item : results * item;
    auto* const elements = reinterpret_cast<T*>(allocate(static_cast<std::size_t>(map.size * item)));
    for (std::int64_t i = 0; i < map.size; ++i)
      elements[i] = static_cast<T>(i % 7 == 0 ? -0.0 : i % 11 == 0 ? 0.0 : 1000 * random() - 500);
    in.data = elements;
    map.out.type = dtype_of<T>;
    std::copy_n(in.strides, 2, map.out.strides);
    plan->op = s.op;
    plan->element = dtype_of<T>;
    plan->n_kept = 1;
    plan->n_out = results;
    plan->n_reduced = n;
    plan->ddof = 0;
    plan->out.type = dtype_of<T>;
    plan->out.data = allocate(static_cast<std::size_t>(results * item));
    plan->out.strides[0] = item;
    plan->out.strides[1] = 0;
    gpu->reduce(*plan, {});
    const T* const found = static_cast<const T*>(plan->out.data);
    int different = 0;
    for (std::int64_t i = 0; i < results; ++i) {
      std::vector<T> x;
      for (std::int64_t k = 0; k < n; ++k) x.push_back(elements[in_rows ? i * n + k : k * results + i]);
      const T expected = few_elements::reduced(s.what, x, where);
      different += std::memcmp(&expected, &found[i], sizeof(T)) != 0;
    }
    CHECK(different == 0);
  }
};

}  // namespace

TEST_CASE_TEMPLATE("few elements: the order of the kernels", T, float, double) { kernels_of<T>().check(); }
