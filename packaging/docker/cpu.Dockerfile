# hadolint global ignore=DL3008
# gparray for the CPU, with the compiler that programs need: docker build -f packaging/docker/cpu.Dockerfile -t gparray:cpu .
FROM debian:13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config libfmt-dev libhwy-dev file dpkg-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
WORKDIR /packages
RUN cmake -S /src -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DGPARRAY_WITH_CUDA=OFF \
      -DGPARRAY_BUILD_TESTS=OFF -DGPARRAY_BUILD_EXAMPLES=OFF -DGPARRAY_UNITY_BUILD=ON \
    && cmake --build /build && cpack -G DEB --config /build/CPackConfig.cmake

FROM debian:13-slim
COPY --from=build /packages/*.deb /packages/
RUN apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config libfmt-dev libopenblas0-pthread \
      libfftw3-double3 libfftw3-single3 libsuperlu7 /packages/*.deb \
    && rm -rf /var/lib/apt/lists/* /packages
WORKDIR /work
