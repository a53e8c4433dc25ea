# A recipe for Spack: spack repo add packaging/spack, then spack install gparray or spack install gparray +cuda cuda_arch=90.
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Gparray(CMakePackage, CudaPackage):
    """NumPy-like arrays for C++20: the same semantics on an NVIDIA GPU and on a machine that has none."""

    homepage = "https://github.com/OWNER/gparray"
    git = "https://github.com/OWNER/gparray.git"

    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("shared", default=True, description="Build a shared library, else a static one")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("fmt@9.1:")
    depends_on("highway", when="target=x86_64:", type="build")
    # Loaded when first used.
    depends_on("openblas threads=pthreads", type="run")
    depends_on("fftw@3 precision=float,double", type="run")
    depends_on("cuda@13:", when="+cuda", type=("build", "run"))

    conflicts("%gcc@:11", msg="gparray needs g++ 12 or newer")
    conflicts("%clang@:13", msg="gparray needs clang 14 or newer")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=90")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("GPARRAY_WITH_CUDA", "cuda"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("GPARRAY_BUILD_STATIC", False),
            self.define("GPARRAY_BUILD_TESTS", False),
            self.define("GPARRAY_BUILD_EXAMPLES", False),
            self.define("GPARRAY_UNITY_BUILD", True),
        ]
        if "+cuda" in self.spec:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args

    def setup_run_environment(self, env):
        # gparray opens these by their names.
        for name in ("openblas", "fftw"):
            env.prepend_path("LD_LIBRARY_PATH", self.spec[name].prefix.lib)
