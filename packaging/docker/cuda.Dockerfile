# hadolint global ignore=DL3008
# gparray with both backends: docker build -f packaging/docker/cuda.Dockerfile -t gparray:cuda .
# and docker run --gpus all -v gparray-kernels:/cache gparray:cuda. No GPU is there while an image is built, so ARCHITECTURES names those
# that kernels are compiled for: "90" takes a sixth of the time of all.
FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS build
ARG ARCHITECTURES=""
RUN apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config libfmt-dev libhwy-dev file dpkg-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
WORKDIR /packages
RUN cmake -S /src -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DGPARRAY_WITH_CUDA=ON \
      ${ARCHITECTURES:+"-DCMAKE_CUDA_ARCHITECTURES=$ARCHITECTURES"} \
      -DGPARRAY_BUILD_TESTS=OFF -DGPARRAY_BUILD_EXAMPLES=OFF -DGPARRAY_UNITY_BUILD=ON \
    && cmake --build /build && cpack -G DEB --config /build/CPackConfig.cmake

# CUDA's libraries, loaded when first used; the driver comes from the host.
FROM nvidia/cuda:13.0.1-runtime-ubuntu24.04
COPY --from=build /packages/*.deb /packages/
RUN apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config libfmt-dev libopenblas0-pthread \
      libfftw3-double3 libfftw3-single3 libsuperlu6 /packages/*.deb \
    && rm -rf /var/lib/apt/lists/* /packages
# Kernels that are compiled while programs run outlive the container in a volume.
ENV GPARRAY_CACHE_DIR=/cache
WORKDIR /work
