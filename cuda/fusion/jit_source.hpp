// The text of generated kernels.
#pragma once
#include <cuda/fusion/jit_key.hpp>
#include <plan/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A program: a struct with the steps, on which one of the kernel templates of this folder is instantiated.
std::string kernel_source(const kernel_key& key);
/// The template's instance: what names the kernel to the compiler.
std::string kernel_expression(const kernel_key& key);
compile_request kernel_request(const kernel_key& key, const std::string& architecture);
compile_request kernel_request(const chain_key& key, const std::string& architecture);
/// Stages one after the other, each of the rows of a block.
std::string chain_source(const chain_key& key);
/// A request for a program of the library's own with one kernel.
compile_request request_of(std::string source, std::string kernel, const std::string& architecture);

/// The parts of kernel_source, for programs that hold several kernels.
std::string kernel_includes(kernel_form form);
std::string kernel_struct(const kernel_key& key, const std::string& struct_name);
std::string kernel_expression(const kernel_key& key, const std::string& struct_name);

/// What programs call the elements of a dtype: "float".
const char* type_name(dtype d);
/// What programs call the reduction of a key: "gparray::kernel::sum_reduction<float>"; and its parameters.
std::string reduction_type(const kernel_key& key);
std::string reduction_params(const kernel_key& key, const std::string& struct_name);

/// About how many instructions the steps are for one element.
template<class Number>
int instructions_of(const basic_step<Number>* steps, int n_steps);
/// Whether the expression is a function that is called, and not done by words. Not of int8 and int16: where a
/// step makes such a parameter unsigned and a later one floating, ptxas of CUDA 13.0 converts it as a signed
/// number (tests/tools/narrow_parameter.cu).
bool is_called(const kernel_key& key);
/// Of what a kernel has copies of: more would take long to compile.
inline constexpr int most_copied_instructions = 384;
/// Whether `copies` of the steps, inlined, would make a kernel that takes long to compile.
bool is_long(const step* steps, int n_steps, int copies);
/// Whether a map along rows that is long becomes quicker where each step is done for side_by_side_lanes
/// elements of a thread in turn: functions of double have constants of 64 bits, which have to be loaded each
/// time, and there have to be registers for so many.
bool gains_side_by_side(const kernel_key& key);
inline constexpr int side_by_side_lanes = 4;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
