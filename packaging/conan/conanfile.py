"""gparray for Conan 2: conan create packaging/conan, with -o "gparray/*:with_cuda=True" for the CUDA backend."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.0"


class GparrayConan(ConanFile):
    name = "gparray"
    description = "NumPy-like arrays for C++20 on CPU and GPU"
    license = "BSD-3-Clause"
    homepage = "https://github.com/OWNER/gparray"
    url = homepage
    topics = ("numpy", "array", "cuda", "linear-algebra", "fft")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "with_cuda": [True, False]}
    default_options = {"shared": True, "fPIC": True, "with_cuda": False}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "include", "gparray", "config.hpp"))
        self.version = ".".join(re.findall(r"#define GPARRAY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "cuda/*", "include/*", "packaging/*", "src/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # Programs see it if they include <gparray/format.hpp>.
        self.requires("fmt/[>=9.1 <12]", transitive_headers=True, transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("gparray is for Linux")
        oldest = {"gcc": "12", "clang": "14"}.get(str(self.settings.compiler))
        if not oldest or Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration("gparray needs g++ 12 or clang 14, or newer")
        if self.settings.compiler.get_safe("libcxx") != "libstdc++11":
            raise ConanInvalidConfiguration("gparray needs compiler.libcxx=libstdc++11")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["GPARRAY_WITH_CUDA"] = bool(self.options.with_cuda)
        toolchain.cache_variables["BUILD_SHARED_LIBS"] = bool(self.options.shared)
        for option in ("GPARRAY_BUILD_STATIC", "GPARRAY_BUILD_TESTS", "GPARRAY_BUILD_EXAMPLES"):
            toolchain.cache_variables[option] = False
        toolchain.cache_variables["GPARRAY_UNITY_BUILD"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        # Conan writes its own.
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "gparray")
        library = self.cpp_info.components["library"]
        library.set_property("cmake_target_name", "gparray::gparray")
        library.set_property("pkg_config_name", "gparray")
        library.libs = ["gparray"]
        if not self.options.shared:
            library.system_libs = ["pthread", "dl", "m", "rt"]
        formatted = self.cpp_info.components["format"]
        formatted.set_property("cmake_target_name", "gparray::format")
        formatted.set_property("pkg_config_name", "gparray-format")
        formatted.requires = ["library", "fmt::fmt"]
