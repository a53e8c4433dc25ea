// Read by roofline.cpp at run time.

/// b = a + a^2 + ... + a^k by Horner's rule: k - 1 fused multiply-adds for 8 bytes of memory traffic.
extern "C" __global__ void powers(const float* a, float* b, int k, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float x = a[i];
    float sum = x;
#pragma unroll 16
    for (int term = 1; term < k; ++term) sum = fmaf(sum, x, x);
    b[i] = sum;
  }
}

/// The ceiling of arithmetic: eight chains of multiply-adds that do not wait for each other, and no memory.
extern "C" __global__ void multiply_adds(float* out, float x, int rounds) {
  float c[8];
  for (int j = 0; j < 8; ++j) c[j] = threadIdx.x + j;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int j = 0; j < 8; ++j) c[j] = fmaf(c[j], x, x);
  }
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += c[j];
  if (sum == 12345.678f) out[0] = sum;  // never, but the compiler cannot know
}
