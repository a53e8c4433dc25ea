// Generated reductions where the length of a row or column alone decides how it is added: among any number of
// them it has the same bits, whichever form of kernel these have.
#include "cuda/support/emulated_fusion.hpp"

using namespace twin;

namespace {

/// x - y, of both signs, so that the last bits of sums show their order: of n_lines lines of n elements, the
/// lines side by side or one after the other. Each line has the same y, so that threads may take several of
/// them.
struct lines {
  dtype type;
  std::int64_t n_lines, n;
  bool columns;
};

class generated : fixture {
 public:
  generated(const lines& most) : most_(most), item_(static_cast<std::int64_t>(itemsize(most.type))) {
    const std::int64_t counts[] = {most.n_lines * most.n, most.n};
    for (int i = 0; i < 2; ++i) {
      memory_[i] = allocate(static_cast<std::size_t>((counts[i] + 1) * item_));
      for (std::int64_t k = 0; k <= counts[i]; ++k)
        write(most.type, memory_[i] + k * item_, 3 * random() - 1);
    }
  }

  /// `computed`: else x alone, in memory.
  struct prepared {
    std::unique_ptr<reduce_plan> plan = std::make_unique<reduce_plan>();
    std::int64_t first;
    cuda::kernel_form form = cuda::kernel_form::inner;
  };
  prepared prepare(std::int64_t first, std::int64_t count) {
    prepared p;
    p.first = first;
    reduce_plan& plan = *p.plan;
    map_plan& map = plan.map;
    const std::int64_t of_line = (most_.columns ? 1 : most_.n) * item_,
                       of_element = (most_.columns ? most_.n_lines : 1) * item_;
    map.n_inputs = 2;
    map.n_steps = 1;
    for (int i = 0; i < 2; ++i) {
      input& in = map.inputs[i];
      in.kind = input_kind::array;
      in.type = most_.type;
      in.first = 0;
      in.data = memory_[i] + (i == 0 ? first * of_line : 0);
    }
    map.steps[0] = step{};
    map.steps[0].op = ufunc::subtract;
    map.steps[0].loop = most_.type;
    map.steps[0].args = {0, 1, 0};
    map.ndim = 0;
    const auto add = [&](std::int64_t size, std::int64_t of_x, std::int64_t of_y, std::int64_t layout) {
      if (size == 1) return 0;
      map.shape[map.ndim] = size;
      map.inputs[0].strides[map.ndim] = of_x;
      map.inputs[1].strides[map.ndim] = of_y;
      map.out.strides[map.ndim] = layout;
      plan.out.strides[map.ndim++] = item_;
      return 1;
    };
    plan.n_kept = add(count, of_line, 0, most_.columns ? item_ : most_.n * item_);
    add(most_.n, of_element, item_, most_.columns ? count * item_ : item_);
    map.size = count * most_.n;
    map.out.type = most_.type;
    plan.op = reduction::sum;
    plan.element = plan.out.type = most_.type;
    plan.n_out = count;
    plan.n_reduced = most_.n;
    plan.ddof = 0;
    plan.out.data = allocate(static_cast<std::size_t>(count * item_));
    plan.order = most_.columns ? element_order::columns : element_order::rows;
    jumping_plan ordered;
    const cuda::reduce_source source = cuda::make_source(plan, ordered);
    REQUIRE(source.computed);
    const reduce_plan* const plans[] = {&plan};
    cuda::fused_plan fused;
    REQUIRE(cuda::plan_fused(plans, source, false, 0, fused));
    p.form = fused.key.form;
    if (!numbers_.count(fused.key)) numbers_[fused.key] = program.add(fused.key);
    return p;
  }
  void build() {
    program.build();
    for (const auto& [key, number] : numbers_) bind(key, program.kernel(number));
  }
  std::vector<std::byte> run(const prepared& p) {
    const auto bytes = static_cast<std::size_t>(p.plan->n_out * item_);
    auto result = bytes_after(p.plan->out.data, bytes, [&] { gpu->reduce(*p.plan, {}); });
    CHECK(n_missed == 0);
    return result;
  }
  std::int64_t item() const { return item_; }

 private:
  lines most_;
  std::int64_t item_;
  std::byte* memory_[2];
  std::unordered_map<kernel_key, std::size_t, cuda::kernel_key_hash> numbers_;
};

}  // namespace

TEST_CASE("generated reductions whose length decides have the same bits among any number of rows") {
  std::set<cuda::kernel_form> forms;
  // One tile for each thread and more, several blocks; narrow columns and others.
  for (const lines& most : {lines{dtype::float32, 4300, 300, false}, lines{dtype::float64, 2200, 37, false},
                            lines{dtype::float64, 800, 2048, false}, lines{dtype::float32, 3, 70003, false},
                            lines{dtype::float32, 300, 600, true}, lines{dtype::float64, 200, 9000, true},
                            lines{dtype::float64, 3, 70003, false}}) {
    generated f(most);
    std::vector<generated::prepared> some;
    for (const auto& [first, count] :
         {std::pair{std::int64_t{0}, most.n_lines}, std::pair{std::int64_t{0}, std::int64_t{1}},
          std::pair{most.n_lines - 1, std::int64_t{1}}, std::pair{std::int64_t{1}, std::int64_t{2}},
          std::pair{std::int64_t{1}, most.n_lines / 2}})
      some.push_back(f.prepare(first, count));
    f.build();
    const std::vector<std::byte> all = f.run(some[0]);
    CAPTURE(name(most.type));
    CAPTURE(most.n);
    for (const generated::prepared& p : some) {
      forms.insert(p.form);
      const std::vector<std::byte> own = f.run(p);
      CHECK(std::equal(own.begin(), own.end(), all.begin() + p.first * f.item()));
    }
  }
  using enum cuda::kernel_form;
  CHECK(forms == std::set{inner, whole, neighbours, columns});
}
