// What ptxas of CUDA 13.0 (V13.0.88) makes of a parameter of 8 or 16 bits with a sign, with nothing of
// gparray in it: a number that is converted to unsigned and then to floating point is converted as a signed
// one, in a function that is called. The same expression inline is right.
//   nvcc -arch=native -O3 -o narrow_parameter narrow_parameter.cu && ./narrow_parameter
// prints -1 and 4294967295 where both are 4294967295; cuobjdump -sass shows I2F.F64.S8 and I2F.F64.U32.
#include <cstdio>
#include <cuda_runtime.h>

__device__ __noinline__ double called(signed char x) {
  return static_cast<double>(static_cast<unsigned>(static_cast<int>(x)));
}

__global__ void convert(double* y, const signed char* x) {
  y[0] = called(x[0]);
  y[1] = static_cast<double>(static_cast<unsigned>(static_cast<int>(x[0])));
}

int main() {
  const signed char minus_one = -1;
  signed char* x = nullptr;
  double *y = nullptr, result[2] = {};
  cudaMalloc(&x, 1);
  cudaMalloc(&y, sizeof result);
  cudaMemcpy(x, &minus_one, 1, cudaMemcpyHostToDevice);
  convert<<<1, 1>>>(y, x);
  const cudaError_t code = cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s: called %.17g, inline %.17g\n", cudaGetErrorString(code), result[0], result[1]);
  return result[0] != result[1];
}
