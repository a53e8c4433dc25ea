// glibc's vector mathematics, libmvec. g++ calls its functions by their names where a loop is vectorised;
// these names are defined here, and jump to what was found in libmvec when the library was loaded. So one
// library runs where glibc has none of them, or a few (before 2.35), and is quick where it has them.
#pragma once
#include <span>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

struct vector_function {
  const char* name;  // libmvec's: _ZGVdN4v_sin takes four doubles of AVX2
  void** pointer;    // where calls go
  void* lane_by_lane;
};
/// All that loops may call; none where libmvec is not used.
std::span<const vector_function> vector_functions();

}  // namespace host
GPARRAY_END_NAMESPACE
