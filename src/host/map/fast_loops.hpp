// Loops that beat what the compiler makes of a row of ufuncs.def. They give the same bits.
#pragma once
#include <host/map/loops.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Null where the row's own loop is as good.
loop find_fast_loop(ufunc op, dtype type);
/// Of these, those of real division.
loop find_remainder_loop(ufunc op, dtype type);
/// Of power and tanh.
loop find_power_loop(dtype type);
loop find_tanh_loop(dtype type);
/// Of hypot and absolute.
loop find_length_loop(ufunc op, dtype type);

}  // namespace host
GPARRAY_END_NAMESPACE
