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

GPARRAY_NOT_SHARDED void median(const X&...) = delete;      // of a vector: gp::sort(a).item(i); else of a.gather()
GPARRAY_NOT_SHARDED void percentile(const X&...) = delete;  // of a vector: gp::sort(a).item(i); else of a.gather()
GPARRAY_NOT_SHARDED void quantile(const X&...) = delete;    // of a vector: gp::sort(a).item(i); else of a.gather()
GPARRAY_NOT_SHARDED void histogram(const X&...) = delete;   // all_reduce(gp::histogram(a.local(), edges).hist, world)
GPARRAY_NOT_SHARDED void bincount(const X&...) = delete;    // all_reduce(gp::bincount(a.local(), n), world), n above all elements
GPARRAY_NOT_SHARDED void average(const X&...) = delete;     // gp::sum(a * weights) / gp::sum(weights)
GPARRAY_NOT_SHARDED void nanmean(const X&...) = delete;     // gp::nansum(a) / gp::count_nonzero(~gp::isnan(a))
GPARRAY_NOT_SHARDED void nanvar(const X&...) = delete;      // gp::var of a vector a(~gp::isnan(a))
GPARRAY_NOT_SHARDED void nanstd(const X&...) = delete;      // gp::std of a vector a(~gp::isnan(a))
GPARRAY_NOT_SHARDED void take(const X&...) = delete;        // no index arrays: a mask, a(mask), or gather() first
GPARRAY_NOT_SHARDED void nonzero(const X&...) = delete;     // gd::arange(n, a.layout())(a != 0) of a vector; else of a.gather()
GPARRAY_NOT_SHARDED void stack(const X&...) = delete;       // gp::concatenate(a(gp::newaxis), b(gp::newaxis))
GPARRAY_NOT_SHARDED void pad(const X&...) = delete;         // b = gd::zeros(...); b("1:-1, 1:-1") = a.reshard(...), or gp::roll for periodic edges
GPARRAY_NOT_SHARDED void gradient(const X&...) = delete;    // windows: 0.5 * (a("2:") - a(":-2"))
GPARRAY_NOT_SHARDED void convolve(const X&...) = delete;    // windows, a("1:") * k + a(":-1") * l, or gp::fft
GPARRAY_NOT_SHARDED void outer(const X&...) = delete;       // a(gp::all, gp::newaxis) * b, with an ndarray b that all ranks have
GPARRAY_NOT_SHARDED void inner(const X&...) = delete;       // gp::dot of vectors, gp::matmul(a, b.T()) of matrices
GPARRAY_NOT_SHARDED void searchsorted(const X&...) = delete;  // gp::count_nonzero(a < value)

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
