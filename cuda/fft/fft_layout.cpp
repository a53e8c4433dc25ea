#include <algorithm>
#include <cufft.h>

#include <cuda/fft/fft_layout.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// More calls than this cost more than two copies that make them one.
constexpr std::int64_t most_repeats = 16;
// From so many points on transforms take cuFFT several passes over the data, those of real numbers besides
// one between real and complex. In each it touches elements that are far apart one by one, which costs more
// than two copies between which they lie side by side. As measured on an H100.
constexpr std::int64_t fewest_points_to_turn(fft_kind kind) {
  if (kind == fft_kind::real_inverse) return 512;
  return kind == fft_kind::real_forward ? 2048 : 4097;
}

using dimensions = std::vector<fft_dimension>;

cufftType type_of(const fft_plan& plan) {
  const bool single = plan.real == dtype::float32;
  switch (plan.kind) {
    case fft_kind::real_forward:
      return single ? CUFFT_R2C : CUFFT_D2Z;
    case fft_kind::real_inverse:
      return single ? CUFFT_C2R : CUFFT_Z2D;
    default:
      return single ? CUFFT_C2C : CUFFT_Z2Z;
  }
}

using stride_member = std::int64_t fft_dimension::*;

/// Whether each dimension steps over whole rows of the next.
bool nests(const dimensions& along, stride_member stride) {
  for (std::size_t i = 0; i + 1 < along.size(); ++i) {
    const std::int64_t outer = along[i].*stride, inner = along[i + 1].*stride;
    if (outer % inner != 0 || outer / inner < along[i + 1].n) return false;
  }
  return true;
}

cufft_side side_of(const dimensions& along, stride_member stride, std::int64_t item) {
  cufft_side side{{1, 1, 1}, along.back().*stride / item, 1};
  side.embed[0] = along[0].n;
  for (std::size_t i = 1; i < along.size(); ++i) side.embed[i] = along[i - 1].*stride / (along[i].*stride);
  return side;
}

void remove_dimension(loop_nest& nest, int d) {
  nest.size /= nest.shape[d];
  --nest.ndim;
  for (int e = d; e < nest.ndim; ++e) {
    nest.shape[e] = nest.shape[e + 1];
    for (int i = 0; i < nest.n_operands; ++i) nest.strides[i][e] = nest.strides[i][e + 1];
  }
}

dimensions dimensions_of(const fft_plan& plan) {
  dimensions all;
  for (int d = 0; d < plan.batch_ndim; ++d) {
    const std::int64_t n = plan.batch_shape[d];
    if (n > 1) all.push_back({n, n, n, plan.batch_out_strides[d], plan.batch_in_strides[d], false});
  }
  for (int d = 0; d < plan.rank; ++d) {
    const std::int64_t n = plan.n[d], half = n / 2 + 1;
    all.push_back({plan.kind == fft_kind::real_forward ? half : n,
                   plan.kind == fft_kind::real_inverse ? half : n, n, plan.out_strides[d], plan.in_strides[d],
                   true});
  }
  std::ranges::stable_sort(all, std::greater<>(), &fft_dimension::out);
  return all;
}

cufft_call make_call(dimensions along, dimensions across, const fft_plan& plan) {
  cufft_call call{{type_of(plan), static_cast<int>(along.size()), {1, 1, 1}, {}, {}, 1}, {}, {}, {}};
  cufft_layout& l = call.layout;
  for (std::size_t i = 0; i < along.size(); ++i) l.n[i] = along[i].n;
  l.in = side_of(along, &fft_dimension::in, plan.in_item());
  l.out = side_of(along, &fft_dimension::out, plan.out_item());
  call.repeats.n_operands = 2;
  for (const fft_dimension& d : across) {
    const std::int64_t strides[] = {d.out, d.in};
    call.repeats.append(d.out_count, strides);
  }
  if (loop_nest& nest = call.repeats; nest.ndim > 0) {
    const int batch = static_cast<int>(std::max_element(nest.shape, nest.shape + nest.ndim) - nest.shape);
    l.batch = nest.shape[batch];
    l.out.distance = nest.strides[0][batch] / plan.out_item();
    l.in.distance = nest.strides[1][batch] / plan.in_item();
    remove_dimension(nest, batch);
  }
  call.along = std::move(along);
  call.across = std::move(across);
  return call;
}

/// A call for as many of the innermost transformed dimensions as fit; their `transformed` is cleared.
cufft_call next_call(dimensions& all, const fft_plan& plan) {
  dimensions along;
  std::size_t first = all.size();
  for (std::size_t d = all.size(); d-- > 0 && along.size() < 3;) {
    if (!all[d].transformed) continue;
    dimensions more = along;
    more.insert(more.begin(), all[d]);
    if (!nests(more, &fft_dimension::out) || !nests(more, &fft_dimension::in)) break;
    along = std::move(more);
    first = d;
  }
  dimensions across;
  for (std::size_t d = 0; d < all.size(); ++d) {
    if (d >= first && all[d].transformed) all[d].transformed = false;
    else across.push_back(all[d]);
  }
  return make_call(std::move(along), std::move(across), plan);
}

/// Side by side, in the order of the output's dimensions.
void lay_out_input(dimensions& all, std::int64_t item) {
  for (auto d = all.rbegin(); d != all.rend(); ++d) {
    d->in = item;
    item *= d->in_count;
  }
}

/// cuFFT steps forward only, and overwrites what real_inverse reads.
bool needs_own_input(const dimensions& all, const fft_plan& plan) {
  if (plan.kind == fft_kind::real_inverse && !plan.input_is_scratch) return true;
  return std::ranges::any_of(all, [](const fft_dimension& d) { return d.in <= 0; });
}

/// cuFFT wants even real numbers at addresses of complex ones; a batch may begin at others, but no call.
bool is_aligned(const cufft_call& call, const fft_plan& plan, bool copied) {
  if (!is_real(plan.kind)) return true;
  const std::int64_t pair = 2 * static_cast<std::int64_t>(itemsize(plan.real));
  const bool reads = plan.kind == fft_kind::real_forward;
  const void* const data = reads ? copied ? nullptr : plan.in : plan.out;
  bool aligned = reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(pair) == 0;
  for (int d = 0; d < call.repeats.ndim; ++d)
    aligned = aligned && call.repeats.strides[reads ? 1 : 0][d] % pair == 0;
  return aligned;
}

/// Whether a long transform steps over others where it reads and where it writes, as one of columns does.
bool takes_long_strides(const cufft_call& call, const fft_plan& plan) {
  if (call.along.size() > 1) return false;
  const fft_dimension& d = call.along.front();
  return d.n >= fewest_points_to_turn(plan.kind) && d.in > plan.in_item() && d.out > plan.out_item();
}

/// The layout of the call that is left when the transformed dimensions are innermost.
cufft_layout transposed_layout(const cufft_call& call, const fft_plan& plan) {
  dimensions along = call.along, across = call.across;
  std::int64_t in = plan.in_item(), out = plan.out_item();
  const auto lay_out = [&](dimensions& all) {
    for (auto d = all.rbegin(); d != all.rend(); ++d) {
      d->in = in;
      d->out = out;
      in *= d->in_count;
      out *= d->out_count;
    }
  };
  lay_out(along);
  lay_out(across);
  return make_call(std::move(along), std::move(across), plan).layout;
}

}  // namespace

fft_cache::key cufft_layout::key() const {
  fft_cache::key k{type, rank, batch};
  for (int i = 0; i < rank; ++i) k.insert(k.end(), {n[i], in.embed[i], out.embed[i]});
  k.insert(k.end(), {in.stride, in.distance, out.stride, out.distance});
  return k;
}

fft_program program_of(const fft_plan& plan) {
  fft_program program;
  dimensions all = dimensions_of(plan);
  program.given = all;
  program.copies_input = needs_own_input(all, plan);
  if (program.copies_input) lay_out_input(all, plan.in_item());
  program.dimensions = all;
  while (std::ranges::any_of(all, &fft_dimension::transformed)) {
    const bool copied = program.copies_input || !program.steps.empty();
    cufft_call call = next_call(all, plan);
    const bool aligned = is_aligned(call, plan, copied);
    const bool transposed = call.repeats.size > most_repeats || !aligned || takes_long_strides(call, plan);
    const cufft_layout layout = transposed ? transposed_layout(call, plan) : call.layout;
    program.steps.push_back({std::move(call), transposed, aligned, layout});
    for (fft_dimension& d : all) d.in = d.out;
  }
  return program;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
