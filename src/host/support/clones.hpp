// Loops compiled for three levels of x86-64; the loader picks the level of the processor at hand.
#pragma once

// A sanitizer's runtime is not yet up when the loader picks.
#if !defined(GPARRAY_ONE_PROCESSOR) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define GPARRAY_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
/// For sums of complex products. GCC 12 vectorises them with vfmaddsub, in spite of -ffp-contract=off,
/// wherever the processor has it, and AVX-512 has; then the bits would depend on the processor.
#define GPARRAY_CLONES_WITHOUT_FMA __attribute__((target_clones("default", "avx2")))
#else
#define GPARRAY_CLONES
#define GPARRAY_CLONES_WITHOUT_FMA
#endif
