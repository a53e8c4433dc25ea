// What the library's launches are measured against.
#pragma once

/// x[i] *= by for i < n, on 4 blocks of 256 threads, by a call of the CUDA runtime and nothing else.
void bare_launch(float* x, float by, int n);
/// The same with so many bytes of parameters: 192, as an addition has, or 2048, as a reduction has.
template<int Bytes>
void bare_launch_of(float* x, float by, int n);
