// Factorisations on the CPU.
#pragma once
#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

core::linalg_engine& linalg();

}  // namespace host
GPARRAY_END_NAMESPACE
