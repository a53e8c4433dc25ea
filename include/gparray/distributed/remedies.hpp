// What is there of ndarrays, and not of sharded arrays: deleted, with the remedy on the line that g++ and
// clang show.
#pragma once
#include <gparray/distributed/sharded.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

template<class... X>
concept with_sharded = (sharded_like<X> || ...);

}  // namespace distributed::detail

// The remedy must stay on the line of the name.
// clang-format off

#define GPARRAY_NOT_SHARDED template<class... X> requires distributed::detail::with_sharded<X...>

GPARRAY_NOT_SHARDED void median(const X&...) = delete;  // of all elements, median(a); along axes that are whole, median(a, axis)
GPARRAY_NOT_SHARDED void percentile(const X&...) = delete;  // of all elements, percentile(a, q); along axes that are whole, percentile(a, q, axis)
GPARRAY_NOT_SHARDED void quantile(const X&...) = delete;  // of all elements, quantile(a, q); along axes that are whole, quantile(a, q, axis)
GPARRAY_NOT_SHARDED void histogram(const X&...) = delete;   // of weights: all_reduce(gp::histogram(a.local(), edges, weights.local()).hist, world)
GPARRAY_NOT_SHARDED void bincount(const X&...) = delete;    // of weights: all_reduce(gp::bincount(a.local(), weights.local(), n), world), n above all elements
template<distributed::detail::sharded_like A, class I>
void take(const A&, const I&) = delete;  // along an axis: take(a, indices, axis)
template<distributed::detail::sharded_like A>
void take(const A&, std::initializer_list<std::int64_t>) = delete;  // along an axis: take(a, {1, 2}, axis)
template<distributed::detail::sharded_like A, array_like X>
void gradient(const A&, const X&, const gradient_options& = {}) = delete;  // at even distances, gradient(a, spacing, {.axis = 0}); at others gd::map_blocks along an axis that is whole
GPARRAY_NOT_SHARDED void convolve(const X&...) = delete;    // windows, a("1:") * k + a(":-1") * l, or gp::fft
template<distributed::detail::sharded_like A, distributed::detail::sharded_like B, class... X>
void searchsorted(const A&, const B&, const X&...) = delete;  // one of the two is an ndarray: searchsorted(sorted.gather(), values)

#undef GPARRAY_NOT_SHARDED

namespace distributed {

template<detail::sharded_like A, class... X>
void all_reduce(const A& a, const X&...) = delete;  // of all elements: gp::sum(a) and its kin; of the parts: a.local()
template<detail::sharded_like A, class... X>
void all_gather(const A& a, const X&...) = delete;  // a.gather(); of the parts: a.local()
template<detail::sharded_like A, class... X>
void broadcast(const A& a, const X&...) = delete;   // a sharded array is on all ranks; of the parts: a.local()
template<detail::sharded_like A, class... X>
void send(const A& a, const X&...) = delete;        // a.gather_to(root), a.reshard(layout); of the parts: a.local()
template<detail::sharded_like A, class... X>
void shard(const A& a, const X&...) = delete;       // a.reshard(layout)

}  // namespace distributed

// clang-format on

GPARRAY_END_NAMESPACE
