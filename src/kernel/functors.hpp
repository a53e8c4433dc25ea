// One functor per row of ufuncs.def, and invoke, which calls it on storage types.
// Row `sqrt` gives struct sqrt_op { signature, apply<T>(...) }: the suffix keeps ::sqrt visible.
#pragma once
#include "arithmetic.hpp"
#include "cast.hpp"
#include "complex_inverse.hpp"
#include "special.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// The type of one letter of a signature, for a loop type T.
template<char Letter, class T>
struct letter {
  using type = T;
};
template<class T>
struct letter<'R', T> {
  using type = real_t<T>;
};
template<class T>
struct letter<'b', T> {
  using type = bool;
};
template<class T>
struct letter<'u', T> {
  using type = unsigned char;
};
template<class T>
struct letter<'i', T> {
  using type = int;
};

template<char Output, char... Inputs>
struct signature {
  static constexpr int arity = sizeof...(Inputs);
  template<class T>
  using output = typename letter<Output, T>::type;
};

using signature_T_T = signature<'T', 'T'>;
using signature_T_R = signature<'R', 'T'>;
using signature_T_b = signature<'b', 'T'>;
using signature_T_u = signature<'u', 'T'>;
using signature_T_i = signature<'i', 'T'>;
using signature_TT_T = signature<'T', 'T', 'T'>;
using signature_TT_b = signature<'b', 'T', 'T'>;
using signature_Ti_T = signature<'T', 'T', 'i'>;
using signature_TTT_T = signature<'T', 'T', 'T', 'T'>;
using signature_bTT_T = signature<'T', 'b', 'T', 'T'>;

#define GPARRAY_PARAMETERS_T_T T a
#define GPARRAY_PARAMETERS_T_R T a
#define GPARRAY_PARAMETERS_T_b T a
#define GPARRAY_PARAMETERS_T_u T a
#define GPARRAY_PARAMETERS_T_i T a
#define GPARRAY_PARAMETERS_TT_T T a, T b
#define GPARRAY_PARAMETERS_TT_b T a, T b
#define GPARRAY_PARAMETERS_Ti_T T a, int b
#define GPARRAY_PARAMETERS_TTT_T T a, T b, T c
#define GPARRAY_PARAMETERS_bTT_T bool a, T b, T c

#define GPARRAY_UFUNC_ROW(name, row_signature, domain, work, expression, doc) \
  struct name##_op {                                                          \
    using signature = signature_##row_signature;                              \
    template<class T>                                                         \
    GPARRAY_KERNEL_FN static auto apply(GPARRAY_PARAMETERS_##row_signature) { \
      return static_cast<typename signature::template output<T>>(expression); \
    }                                                                         \
  };
#include <gparray/tables/ufuncs.def>

#undef GPARRAY_PARAMETERS_T_T
#undef GPARRAY_PARAMETERS_T_R
#undef GPARRAY_PARAMETERS_T_b
#undef GPARRAY_PARAMETERS_T_u
#undef GPARRAY_PARAMETERS_T_i
#undef GPARRAY_PARAMETERS_TT_T
#undef GPARRAY_PARAMETERS_TT_b
#undef GPARRAY_PARAMETERS_Ti_T
#undef GPARRAY_PARAMETERS_TTT_T
#undef GPARRAY_PARAMETERS_bTT_T

/// The type Op computes in for storage type T: that of the loop where neighbours or limits of the format
/// matter.
template<class Op, class T>
struct compute_type_of {
  using type = compute_t<T>;
};
template<class T>
struct compute_type_of<nextafter_op, T> {
  using type = T;
};
template<class T>
struct compute_type_of<spacing_op, T> {
  using type = T;
};
template<class T>
struct compute_type_of<nan_to_num_op, T> {
  using type = T;
};

template<class Op>
inline constexpr int arity = Op::signature::arity;
template<class Op, class T>
using output_t = typename Op::signature::template output<T>;

/// One input as apply takes it: a half becomes float, where Op computes in float; anything else stays.
template<class Compute, class A>
GPARRAY_KERNEL_FN auto widen(A value) {
  if constexpr (is_half<A> && !is_same<Compute, A>) return static_cast<float>(value);
  else return value;
}

/// Op on storage type T (the dtype of the loop): halves are widened, computed in float and rounded once.
template<class Op, class T, class... Inputs>
GPARRAY_KERNEL_FN output_t<Op, T> invoke(Inputs... inputs) {
  using compute = typename compute_type_of<Op, T>::type;
  return static_cast<output_t<Op, T>>(Op::template apply<compute>(widen<compute>(inputs)...));
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
