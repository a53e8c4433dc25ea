// Whether results have to be the same bits in every run.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Whether sums of floating-point numbers at indices that repeat have the same bits in every run: add.at,
/// subtract.at, scatter_add, bincount and histograms with weights, on a GPU. Begins as the environment
/// variable GPARRAY_REPRODUCIBLE says: 0, or on. Everything else always is reproducible.
[[nodiscard]] GPARRAY_API bool reproducible() noexcept;
/// With false these functions may add in the order in which threads come by, which is faster, for all threads
/// from the next call on; the last bits of their results then differ from run to run.
GPARRAY_API void set_reproducible(bool always) noexcept;

GPARRAY_END_NAMESPACE
