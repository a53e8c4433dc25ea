// Distributions whose elements draw from streams of their own, and those of vectors.
#include <host/operations.hpp>
#include <host/random_loops.hpp>

#include <cstring>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// A variate takes about a hundred times as long as an addition.
constexpr std::int64_t element_grain = serial_elements / 100;

template<class Row>
void draw_elements(const core::random_plan& plan) {
  using made_type = kernel::drawn_t<Row, double>;
  const bool narrow = plan.type == dtype::float32;
  parallel_for(plan.size, element_grain, [&](std::int64_t begin, std::int64_t end) {
    kernel::draw_context x = context_of(plan);
    for (std::int64_t i = begin; i < end; ++i) {
      x.position = plan.position + static_cast<std::uint64_t>(i);
      kernel::element_draws z(x.key, x.position);
      const made_type made = Row::template call<double>(z, parameter_values(plan, i).bits, x);
      if (narrow) static_cast<float*>(plan.out)[i] = static_cast<float>(made);
      else static_cast<made_type*>(plan.out)[i] = made;
    }
  });
}

template<class Row>
void draw_vectors(const core::random_plan& plan) {
  using made_type = kernel::drawn_t<Row, double>;
  const std::int64_t grain = std::max<std::int64_t>(1, element_grain / std::max<std::int64_t>(plan.count, 1));
  parallel_for(plan.size, grain, [&](std::int64_t begin, std::int64_t end) {
    kernel::draw_context x = context_of(plan);
    for (std::int64_t i = begin; i < end; ++i) {
      x.position = plan.position + static_cast<std::uint64_t>(i);
      x.table = plan.table + i * plan.table_step;
      kernel::element_draws z(x.key, x.position);
      Row::call(z, parameter_values(plan, i).bits, x, static_cast<made_type*>(plan.out) + i * plan.count);
    }
  });
}

template<class Row>
random_loop loop_of() {
  if constexpr (requires { Row::template source<double>::lanes; }) return nullptr;
  else return draw_elements<Row>;
}

}  // namespace

random_loop find_element_loop(core::distribution op) {
  switch (op) {
#define GPARRAY_DISTRIBUTION(name, source, result, p1, rule1, p2, rule2, p3, rule3, expression) \
  case core::distribution::name:                                                                \
    return loop_of<kernel::name##_row>();
#define GPARRAY_ROW_DISTRIBUTION(name, result, expression) \
  case core::distribution::name:                           \
    return draw_vectors<kernel::name##_row>;
#include <gparray/random.def>
#undef GPARRAY_DISTRIBUTION
#undef GPARRAY_ROW_DISTRIBUTION
  }
  return nullptr;
}

void random(const core::random_plan& plan) {
  const random_loop of_blocks = find_block_loop(plan.op, plan.type);
  (of_blocks ? of_blocks : find_element_loop(plan.op))(plan);
}

}  // namespace host
GPARRAY_END_NAMESPACE
