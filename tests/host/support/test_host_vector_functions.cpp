// glibc's vector mathematics, looked up when the library is loaded.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <gnu/libc-version.h>

#include <host/support/vector_functions.hpp>

using namespace gparray;

namespace {

/// _ZGVdN4vv_powf: level d, two arguments, libm's powf.
struct parts {
  explicit parts(const std::string& name)
      : level(name[4]),
        binary(name.find("vv_") != std::string::npos),
        scalar(name.substr(name.find("v_") + 2)),
        single(scalar.back() == 'f' && scalar != "erf") {}
  char level;
  bool binary;
  std::string scalar;
  bool single;
};

template<class R, int bytes>
struct vector_type {
  typedef R type __attribute__((vector_size(bytes)));
};

/// The lanes of the result; the function is of the level whose registers these are.
#define TEST_CALL(letter, target_name, bytes)                                                       \
  template<class R>                                                                                 \
  __attribute__((target(target_name))) void call_##letter(void* function, bool binary, const R* in, \
                                                          R* out) {                                 \
    using vector = typename vector_type<R, bytes>::type;                                            \
    vector x, y;                                                                                    \
    std::memcpy(&x, in, bytes);                                                                     \
    std::memcpy(&y, in + 1, bytes);                                                                 \
    x = binary ? reinterpret_cast<vector (*)(vector, vector)>(function)(x, y)                       \
               : reinterpret_cast<vector (*)(vector)>(function)(x);                                 \
    std::memcpy(out, &x, bytes);                                                                    \
  }
TEST_CALL(b, "sse2", 16)
TEST_CALL(d, "avx2", 32)
TEST_CALL(e, "avx512f", 64)

template<class R>
void check_lanes(const host::vector_function& each, const parts& name) {
  void* const scalar = dlsym(RTLD_DEFAULT, name.scalar.c_str());
  REQUIRE(scalar);
  R in[17], out[16];
  for (int i = 0; i < 17; ++i) in[i] = R(i + 1) / R(18);
  const std::size_t lanes = (name.level == 'b' ? 16 : name.level == 'd' ? 32 : 64) / sizeof(R);
  if (name.level == 'b') call_b(each.lane_by_lane, name.binary, in, out);
  if (name.level == 'd') call_d(each.lane_by_lane, name.binary, in, out);
  if (name.level == 'e') call_e(each.lane_by_lane, name.binary, in, out);
  for (std::size_t i = 0; i < lanes; ++i) {
    const R wanted = name.binary ? reinterpret_cast<R (*)(R, R)>(scalar)(in[i], in[i + 1])
                                 : reinterpret_cast<R (*)(R)>(scalar)(in[i]);
    CHECK((out[i] == wanted || (out[i] != out[i] && wanted != wanted)));
  }
}

bool runs_here(char level) {
  return level == 'b' || (level == 'd' ? __builtin_cpu_supports("avx2") : __builtin_cpu_supports("avx512f"));
}

}  // namespace

TEST_CASE("vector functions are libmvec's where it has them") {
  void* const library = dlopen("libmvec.so.1", RTLD_LAZY);
  std::size_t found = 0;
  for (const host::vector_function& each : host::vector_functions()) {
    CAPTURE(each.name);
    void* const theirs = library ? dlsym(library, each.name) : nullptr;
    CHECK(*each.pointer == (theirs ? theirs : each.lane_by_lane));
    found += theirs != nullptr;
  }
  if (library && std::strtod(gnu_get_libc_version(), nullptr) >= 2.35) CHECK(found == 150);
}

TEST_CASE("vector functions that libmvec lacks are libm's, lane by lane") {
  int checked = 0;
  for (const host::vector_function& each : host::vector_functions()) {
    CAPTURE(each.name);
    const parts name(each.name);
    if (!runs_here(name.level)) continue;
    if (name.single) check_lanes<float>(each, name);
    else check_lanes<double>(each, name);
    ++checked;
  }
  CHECK(checked >= 50);
}

// Where AddressSanitizer puts its own space between them, they are not.
#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("addresses of vector functions cannot be written") {
  const auto address = reinterpret_cast<std::uintptr_t>(host::vector_functions().front().pointer);
  std::ifstream maps("/proc/self/maps");
  std::string line, rights;
  while (std::getline(maps, line)) {
    char* end = nullptr;
    const std::uintptr_t first = std::strtoull(line.c_str(), &end, 16);
    if (address >= first && address < std::strtoull(end + 1, &end, 16)) rights = std::string(end + 1, 4);
  }
  CHECK(rights == "r--p");
}
#endif
