// The umbrella header: NumPy's semantics on a GPU and on a machine that has none, from plain g++. It leaves
// out what would cost each program that includes it more than it is used: signal.hpp, sparse/linalg.hpp,
// memory_hooks.hpp, testing.hpp; and format.hpp, std_format.hpp, eigen.hpp, mdspan.hpp, which need another
// library.
#pragma once
// First these: before what g++ says about a header it shows the way there, which is short then.
// clang-format off
#include <gparray/array/remedies.hpp>
#include <gparray/ndarray.hpp>
#include <gparray/reductions.hpp>
// clang-format on

#include <gparray/array/eval.hpp>
#include <gparray/array/keyword_axis.hpp>
#include <gparray/array/keyword_options.hpp>
#include <gparray/array/methods.hpp>
#include <gparray/array/questions.hpp>
#include <gparray/array/ranges.hpp>
#include <gparray/array/scalar.hpp>
#include <gparray/config.hpp>
#include <gparray/creation.hpp>
#include <gparray/creation/concatenators.hpp>
#include <gparray/creation/copy.hpp>
#include <gparray/creation/grids.hpp>
#include <gparray/creation/special_matrices.hpp>
#include <gparray/device.hpp>
#include <gparray/dlpack.hpp>
#include <gparray/dtype.hpp>
#include <gparray/dtype/constants.hpp>
#include <gparray/error.hpp>
#include <gparray/explain.hpp>
#include <gparray/fft.hpp>
#include <gparray/fft/cosine.hpp>
#include <gparray/files.hpp>
#include <gparray/graph.hpp>
#include <gparray/indexing.hpp>
#include <gparray/kernels.hpp>
#include <gparray/linalg.hpp>
#include <gparray/manipulation.hpp>
#include <gparray/manipulation/bits.hpp>
#include <gparray/manipulation/functional.hpp>
#include <gparray/manipulation/insertion.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/math/gradient.hpp>
#include <gparray/math/logic.hpp>
#include <gparray/math/numbers.hpp>
#include <gparray/memory.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>
#include <gparray/products/einsum.hpp>
#include <gparray/random.hpp>
#include <gparray/random/curand_generator.hpp>
#include <gparray/random/functions.hpp>
#include <gparray/reduction/paired.hpp>
#include <gparray/runtime/jit.hpp>
#include <gparray/runtime/log.hpp>
#include <gparray/runtime/memory_report.hpp>
#include <gparray/runtime/profiler.hpp>
#include <gparray/runtime/reproducible.hpp>
#include <gparray/runtime/show_config.hpp>
#include <gparray/runtime/threads.hpp>
#include <gparray/signal/convolution.hpp>
#include <gparray/signal/windows.hpp>
#include <gparray/sorting.hpp>
#include <gparray/sorting/sets.hpp>
#include <gparray/span.hpp>
#include <gparray/sparse.hpp>
#include <gparray/sparse/csgraph.hpp>
#include <gparray/statistics.hpp>
#include <gparray/stream.hpp>
#include <gparray/text/array_text.hpp>
#include <gparray/transfer.hpp>
#include <gparray/ufunc/objects.hpp>
#include <gparray/ufunc/operators.hpp>
#include <gparray/ufunc/user_ufunc.hpp>
#include <gparray/ufuncs.hpp>
