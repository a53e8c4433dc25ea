// Distributions whose elements draw from streams of their own, and those of vectors.
#include <bit>
#include <cstring>

#include <host/random/loops.hpp>
#include <host/support/operations.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// A variate takes about a hundred times as long as an addition.
constexpr std::int64_t element_grain = serial_elements / 100;

/// Which draws of an element are made beforehand: blocks, a bit for each of which a normal variate is made,
/// and for each half of one of which an exponential one is. What is drawn beyond them, or otherwise, is made
/// when it is drawn.
struct foresight {
  unsigned blocks, has_normals, has_exponentials = 0;
};

/// Of one gamma variate after the other, as far as none of them is rejected.
foresight foreseen_gammas(const double* shapes, std::int64_t count) {
  foresight ahead{0, 0};
  unsigned used = 0;  // pairs of words
  for (std::int64_t k = 0; k < count && used + 3 < 2 * kernel::ready_draws::most_blocks; ++k) {
    if (shapes[k] == 0) continue;
    if (shapes[k] != 1) {
      const unsigned block = (used + 1) / 2;
      ahead.has_normals |= 1u << block;
      used = 2 * block + 3;
    }
    if (shapes[k] <= 1) ahead.has_exponentials |= 1u << used++;
  }
  ahead.blocks = (used + 1) / 2;
  return ahead;
}

foresight foreseen(const core::random_plan& plan) {
  switch (plan.op) {
    case core::distribution::dirichlet:
      return foreseen_gammas(plan.table, plan.count);
    case core::distribution::multinomial:
      return {static_cast<unsigned>(std::clamp<std::int64_t>(plan.count / 2, 1, 4)), 0};
    case core::distribution::standard_cauchy:
      return {2, 0b11};
    case core::distribution::gamma:
    case core::distribution::chisquare:
    case core::distribution::wald:
      return {2, 0b01};
    case core::distribution::standard_t:
      return {3, 0b011};
    case core::distribution::beta:
    case core::distribution::f:
      return {4, 0b0101};
    case core::distribution::multivariate_normal:
      return {3, 0b111};
    case core::distribution::poisson:
      return {3, 0};
    case core::distribution::binomial:
      return {1, 0};
    default:
      return {2, 0};
  }
}

GPARRAY_CLONES void make_normals(const unsigned* words, double* normals, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) normals[i] = kernel::normal_of_block(words + 4 * i);
}

GPARRAY_CLONES void make_exponentials(const unsigned* words, double* exponentials, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) exponentials[i] = kernel::exponential_of(words + 4 * i);
}

/// body(first, n, stream) for every few elements of the plan, stream(i) being that of element first + i.
template<class Body>
void each_few(const core::random_plan& plan, std::int64_t grain, Body&& body) {
  using kernel::ready_draws;
  constexpr std::int64_t most = ready_draws::elements;
  const kernel::philox_key key = key_of(plan);
  parallel_for(plan.size, grain, [&](std::int64_t begin, std::int64_t end) {
    const foresight ahead = foreseen(plan);
    kernel::known_methods methods;
    ready_draws ready;
    ready.blocks = ahead.blocks;
    ready.has_normals = ahead.has_normals;
    ready.has_exponentials = ahead.has_exponentials;
    ready.methods = &methods;
    for (std::int64_t first = begin; first < end; first += most) {
      const std::int64_t n = std::min(most, end - first);
      const std::uint64_t position = plan.position + static_cast<std::uint64_t>(first);
      for (unsigned k = 0; k < ahead.blocks; ++k) {
        fill_random_words(ready.words[k], position, n, kernel::counter_kind::element, key, k);
        if ((ahead.has_normals >> k & 1) != 0) make_normals(ready.words[k], ready.normals[k], n);
        for (unsigned half = 2 * k; half < 2 * k + 2; ++half)
          if ((ahead.has_exponentials >> half & 1) != 0)
            make_exponentials(ready.words[k] + 2 * (half % 2), ready.exponentials[half], n);
      }
      body(first, n, [&](std::int64_t i) {
        return kernel::element_draws(key, position + static_cast<std::uint64_t>(i), ready,
                                     static_cast<unsigned>(i));
      });
    }
  });
}

/// body(i, stream) for every element of the plan.
template<class Body>
void each_stream(const core::random_plan& plan, std::int64_t grain, Body&& body) {
  each_few(plan, grain, [&](std::int64_t first, std::int64_t n, auto&& stream) {
    for (std::int64_t i = 0; i < n; ++i) {
      kernel::element_draws z = stream(i);
      body(first + i, z);
    }
  });
}

GPARRAY_CLONES void finish_gammas(double* z, const double* u, double shape, double scale, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i)
    z[i] = scale * kernel::portable::exp(kernel::portable::log(z[i]) - -kernel::portable::log(u[i]) / shape);
}

/// What draw_elements makes of gamma with one shape below 1, with the logarithms of several elements at once:
/// they take half of the time one by one.
void draw_gammas_below_one(const core::random_plan& plan, double shape, double scale) {
  each_few(plan, element_grain, [&](std::int64_t first, std::int64_t n, auto&& stream) {
    double z[kernel::ready_draws::elements], u[kernel::ready_draws::elements];
    for (std::int64_t i = 0; i < n; ++i) {
      kernel::element_draws draws = stream(i);
      z[i] = kernel::gamma_above_one(draws, shape + 1.0);
      u[i] = draws.open();
    }
    finish_gammas(z, u, shape, scale, n);
    if (plan.type == dtype::float32) std::copy_n(z, n, static_cast<float*>(plan.out) + first);
    else std::copy_n(z, n, static_cast<double*>(plan.out) + first);
  });
}

template<class Row>
void draw_elements(const core::random_plan& plan) {
  using made_type = kernel::drawn_t<Row, double>;
  const bool narrow = plan.type == dtype::float32;
  const kernel::draw_context shared = context_of(plan);
  each_stream(plan, element_grain, [&](std::int64_t i, kernel::element_draws& z) {
    kernel::draw_context x = shared;
    x.position = plan.position + static_cast<std::uint64_t>(i);
    const made_type made = Row::template call<double>(z, parameter_values(plan, i).bits, x);
    if (narrow) static_cast<float*>(plan.out)[i] = static_cast<float>(made);
    else static_cast<made_type*>(plan.out)[i] = made;
  });
}

template<class Row>
void draw_vectors(const core::random_plan& plan) {
  using made_type = kernel::drawn_t<Row, double>;
  const std::int64_t grain = std::max<std::int64_t>(1, element_grain / std::max<std::int64_t>(plan.count, 1));
  const kernel::draw_context shared = context_of(plan);
  each_stream(plan, grain, [&](std::int64_t i, kernel::element_draws& z) {
    kernel::draw_context x = shared;
    x.position = plan.position + static_cast<std::uint64_t>(i);
    x.table = plan.table + i * plan.table_step;
    Row::call(z, parameter_values(plan, i).bits, x, static_cast<made_type*>(plan.out) + i * plan.count);
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
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) \
  case core::distribution::name:                                                \
    return loop_of<kernel::name##_row>();
#define GPARRAY_ROW_DISTRIBUTION(name, result, expression) \
  case core::distribution::name:                           \
    return draw_vectors<kernel::name##_row>;
#include <gparray/tables/random.def>
  }
  return nullptr;
}

void random(const core::random_plan& plan) {
  if (plan.op == core::distribution::gamma && !has_array_parameter(plan)) {
    const parameter_values shared(plan, 0);
    const auto shape = std::bit_cast<double>(shared.bits[0]), scale = std::bit_cast<double>(shared.bits[1]);
    if (shape > 0 && shape < 1) return draw_gammas_below_one(plan, shape, scale);
  }
  const random_loop of_blocks = find_block_loop(plan.op, plan.type);
  (of_blocks ? of_blocks : find_element_loop(plan.op))(plan);
}

}  // namespace host
GPARRAY_END_NAMESPACE
