// OpenBLAS, loaded at first use.
#pragma once
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A function of OpenBLAS. The library is loaded with the first call, with kernels for this processor, and
/// set to one thread. Throws library_error.
void* find_in_openblas(const char* symbol);

/// What vectors a processor has, as far as OpenBLAS has kernels for them.
enum class vectors { other, avx2, avx512 };

vectors vectors_of_processor();

/// The kernels that OpenBLAS should have taken where it took those named `taken`; nullptr where it did well.
/// It takes its oldest ones, with vectors of two numbers, for every processor that is newer than itself:
/// 0.3.21 (Debian 12) does so on Emerald Rapids and Zen 5, where products then take three times as long.
const char* better_kernels(std::string_view taken, vectors processor);

}  // namespace host
GPARRAY_END_NAMESPACE
