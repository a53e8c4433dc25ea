// The quick way to a pending array, for what loops of a program are made of: the same as the other one
// (expression.cpp), which asks ten times as many questions.
#pragma once
#include <core/array/pending_list.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An element-wise step on pending ones of this thread, whose list it is, all of its result's shape, and on
/// arrays and numbers that broadcast to it, if there is room for it in a plan of everything that is pending;
/// else no array, and nothing has changed. Not for powers of integers, whose exponents have to be looked at.
any_array plain_step(pending_list* own, ufunc f, dtype loop, std::span<const detail::argument> arguments);

/// Whether an argument is in memory that is exposed now. It was not when it was asked before.
inline bool is_exposed_now(const detail::argument& a) {
  const array_rep* const rep = a.array ? a.array->rep() : nullptr;
  return rep && !is_pending(rep) && is_exposed(rep->memory);
}

inline std::uint64_t mixed(std::uint64_t statement, std::uint64_t part) {
  statement = (statement ^ part) * 0x9e3779b97f4a7c15u;
  return statement ^ (statement >> 32);
}
inline std::uint64_t statement_of(ufunc f, dtype loop, const detail::user_loop* user) {
  return mixed(reinterpret_cast<std::uintptr_t>(user),
               static_cast<std::uint64_t>(f) << 8 | static_cast<std::uint64_t>(loop));
}
/// What an argument adds to a statement's number: all that it is, for a temporary that is fused; else its
/// dtype.
inline std::uint64_t part_of_statement(const detail::argument& a, const array_rep* fused) {
  const auto type = static_cast<std::uint64_t>(a.type) + 1;
  if (!a.array) return type << 8;
  return fused ? fused->operation.statement : type;
}

}  // namespace core
GPARRAY_END_NAMESPACE
