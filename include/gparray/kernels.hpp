// Kernels of your own: CuPy's RawKernel, RawModule, ElementwiseKernel and ReductionKernel.
#pragma once
#include <gparray/kernels/elementwise_kernel.hpp>
#include <gparray/kernels/kernel_result.hpp>
#include <gparray/kernels/raw_kernel.hpp>
#include <gparray/kernels/raw_module.hpp>
#include <gparray/kernels/reduction_kernel.hpp>
