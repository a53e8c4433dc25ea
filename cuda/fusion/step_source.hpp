// The text of single steps of a generated kernel.
#pragma once
#include <string>
#include <string_view>

#include <cuda/fusion/jit_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Of value number v: inputs come first, then steps.
dtype value_type(const kernel_key& key, int v);
/// A function that the program brought; halves are computed in float, as on the CPU.
std::string user_function(const kernel_step& s, int number);
/// The functions of a struct, whose parameters may have the names of mathematical ones: those are one scope
/// further out.
std::string functions_space(const std::string& struct_name);
/// What quick_math.cuh has of a step; empty: nothing.
const char* quick_call(const kernel_step& s);
/// The function of a step that quick_math.cuh has a condition of; empty: none.
std::string_view plain_function(const kernel_step& s);
/// Quotients rounded down and remainders of real numbers are made of fmod, which is most of their work. The
/// first of such steps of the same two values, which has it computed for all of them as r0, r1, ... after its
/// number; -1: the step has it computed alone.
int first_of_rest(const kernel_key& key, int number);
/// That fmod (quick_math.cuh), and what a step makes of it.
std::string rest_call(const kernel_step& s, const char* at = "");
std::string step_of_rest(const kernel_step& s, int first, const char* at = "");
/// The value of step `number`, of values v0, v1, ...; `at` stands behind the name of each.
std::string step_call(const kernel_key& key, int number, const std::string& struct_name, bool quickly,
                      const char* at = "");

/// Calls the function that is not inlined, and copies what it stores. It takes addresses of memory: if they
/// were those of the values that a thread stores, these would go through memory also where it is not called.
std::string call_of_apart(const kernel_key& key, const std::string& parameters);

/// The most values, in words, that an element has at once while its steps are done in turn.
int words_at_once(const kernel_key& key);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
