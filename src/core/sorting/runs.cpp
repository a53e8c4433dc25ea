// Runs of sorted elements, merged two by two.
#include <vector>

#include <core/array/evaluate.hpp>
#include <core/array/temporary.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sorting/sort_plans.hpp>
#include <gparray/sorting/runs.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using element_run = detail::run_of_elements;

std::int64_t* numbers_of(const element_run& r) {
  return r.numbers.rep() ? reinterpret_cast<std::int64_t*>(computed(r.numbers)->data) : nullptr;
}
sorted_run source_of(const element_run& r) {
  const array_rep* elements = computed(r.elements);
  return {elements->data, elements->size, numbers_of(r)};
}

void merge_two(const element_run& a, const element_run& b, const element_run& out) {
  sort_plan plan{};
  plan.first = source_of(a);
  plan.second = source_of(b);
  const array_rep* to = computed(out.elements);
  plan.type = to->type;
  plan.rows = 1;
  plan.n = to->size;
  plan.sorted = to->data;
  plan.order = numbers_of(out);
  const queue q = current_queue(to->device_);
  backend_of(to->device_).sort(plan, q);
  for (const element_run* each : {&a, &b, &out}) {
    record_uses(each->elements.rep(), q);
    if (plan.order) record_uses(each->numbers.rep(), q);
  }
}

element_run room_for(const element_run& like, std::int64_t n) {
  const array_rep* elements = computed(like.elements);
  return {allocate(elements->type, n, elements->device_),
          like.numbers.rep() ? allocate(dtype::int64, n, elements->device_) : any_array()};
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void merge_runs(std::span<const run_of_elements> runs, const run_of_elements& out) {
  std::vector<run_of_elements> parts;
  for (const run_of_elements& r : runs)
    if (r.elements.size() > 0) parts.push_back(r);
  if (parts.empty()) return;
  effect_on(computed(out.elements));
  if (out.numbers.rep()) effect_on(computed(out.numbers));
  if (parts.size() == 1) {
    assign(out.elements, named(parts[0].elements));
    if (out.numbers.rep()) assign(out.numbers, named(parts[0].numbers));
    return;
  }
  // The CPU sorts numbers sooner than it merges them more than once.
  if (const array_rep* to = computed(out.elements);
      to->device_.is_cpu() && parts.size() > 2 && !out.numbers.rep() && !is_complex(to->type)) {
    std::int64_t at = 0;
    for (const run_of_elements& r : parts) {
      assign(slice_along(out.elements, 0, at, r.elements.size()), named(r.elements));
      at += r.elements.size();
    }
    sort_plan plan{};
    plan.type = to->type;
    plan.rows = 1;
    plan.n = to->size;
    plan.in = plan.sorted = to->data;
    return backend_of(to->device_).sort(plan, current_queue(to->device_));
  }
  while (parts.size() > 1) {
    std::vector<run_of_elements> merged;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      merged.push_back(
          parts.size() == 2 ? out : room_for(out, parts[i].elements.size() + parts[i + 1].elements.size()));
      merge_two(parts[i], parts[i + 1], merged.back());
    }
    if (parts.size() % 2 != 0) merged.push_back(parts.back());
    parts = std::move(merged);
  }
}

}  // namespace detail
GPARRAY_END_NAMESPACE
