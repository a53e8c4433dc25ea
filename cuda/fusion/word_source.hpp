// The text of generated kernels that compute four elements of a byte each at once (byte_words.cuh).
#pragma once
#include <string>

#include <cuda/fusion/jit_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether steps of the kernel are of bytes that come side by side, and a word of them can go through.
bool has_words(const kernel_key& key);
/// call_words(): four neighbouring elements, of which those steps are done at once and all others one by one.
std::string words_text(const kernel_key& key, const std::string& struct_name);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
