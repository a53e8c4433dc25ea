// Reductions along rows as operands: what broadcasts a row's reduction back over the row, as a softmax or a
// normalisation does, goes through memory once.
#pragma once
#include <vector>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// More reductions than these below a pending array are computed.
inline constexpr int most_reductions_below = 8;

/// Pending reductions, and scans, that a pending array reads, itself included: an upper bound.
int reductions_in(const array_rep* rep);
/// Whether the pending operand of a pending step is no step of the same plan: it is a reduction or scan, or
/// is made of some and has one element for each row. Other operands of smaller shapes are computed where they
/// are used.
inline bool is_apart(const array_rep* operand, const array_rep* rep) {
  return operand->computed_by || (operand->operation.reductions > 0 && operand->shape != rep->shape);
}
/// Whether a pending array that is no expression may be an operand before it is computed: a scan that waits,
/// or a reduction along the last axes, kept with size 1, of more than a few elements.
bool can_wait(const array_rep* reduction);
/// Whether a pending operand that is_apart() from a step of this shape has one element for each of its rows,
/// which comes of reductions along them.
bool feeds_rows(const array_rep* operand, const dims& shape);

/// Computes a pending rep, whose evaluation is held, and what is apart from it below. False if nothing is.
bool evaluate_with_rows(array_rep* rep);
/// Computes what is apart from a pending rep below it, and what that and it have in common if it is costly.
void compute_rows_below(array_rep* rep);

/// For texts: what computing the rep, whose evaluation is held, puts into arrays or keeps for a few rows, in
/// order, the rep last; with the strides that they will have.
struct planned_stages {
  std::vector<const array_rep*> reps;
  bool row_by_row;  // in one call of the backend
};
planned_stages stages_of(array_rep* rep);

}  // namespace core
GPARRAY_END_NAMESPACE
