// Loops compiled for three levels of x86-64; the loader picks the level of the processor at hand. Those of
// complex numbers for two without fused multiply-adds, into which g++ 12 turns complex products even with
// -ffp-contract=off where there are any.
#pragma once

// A sanitizer's runtime is not yet up when the loader picks.
#if !defined(GPARRAY_ONE_PROCESSOR) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define GPARRAY_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#define GPARRAY_UNFUSED_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define GPARRAY_CLONES
#define GPARRAY_UNFUSED_CLONES
#endif
