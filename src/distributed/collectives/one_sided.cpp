#include <distributed/collectives/one_sided.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// A loop over copies of bytes that lie together on both sides.
struct loop {
  std::int64_t count, from, to;  // how often, and how far it is to the next on either side
};

}  // namespace

bool one_sided::works_for(const transport& t) {
  return t.size() > 1 && !t.place().is_cpu() && t.moves().has_symmetric_memory() && !t.moves().is_recording();
}

std::unique_ptr<one_sided> one_sided::begin(const transport& t, std::size_t bytes) {
  const symmetric_memory* const memory = t.moves().symmetric(bytes);
  return memory ? std::unique_ptr<one_sided>(new one_sided(t, *memory)) : nullptr;
}

one_sided::one_sided(const transport& t, const symmetric_memory& memory) : transport_(t), memory_(memory) {
  const gd::leaving_pending names;
  const stream_view& aside = t.aside();
  t.group().wait_for_landing(aside);
  t.moves().signal(aside);
  t.moves().wait_for_signals(aside);
}

one_sided::~one_sided() {
  try {
    transport_.group().landing_was_read(transport_.marked(transport_.stream()));
  } catch (const error&) {  // a fault of the device, which the next call meets again
  }
}

any_array one_sided::landing(std::size_t offset, const dims& shape, dtype type) const {
  std::byte* const own = memory_.of[static_cast<std::size_t>(transport_.rank())];
  return gd::create_borrowed(own + offset, shape, type, {.device = transport_.place()});
}

void one_sided::put(int to, std::size_t offset, const dims& of, const dims& begin,
                    const any_array& elements) {
  if (elements.size() == 0) return;
  const auto item = static_cast<std::int64_t>(itemsize(elements.dtype()));
  const bool is_plain =
      elements.ndim() == 0 || elements.shape().back() == 1 || elements.strides().back() == item;
  const any_array from = is_plain ? elements : gd::copy(elements, gparray::order::C);
  const stream_view& aside = transport_.aside();
  const auto* const source = static_cast<const std::byte*>(gd::address_for(from, aside, false));
  std::byte* target = memory_.of[static_cast<std::size_t>(to)] + offset;
  // From the last axis on: what lies together, and loops around it.
  std::int64_t bytes = item, stride = item;
  std::vector<loop> loops;
  for (std::size_t axis = of.size(); axis-- > 0; stride *= of[axis]) {
    const std::int64_t n = elements.shape()[axis];
    target += begin[axis] * stride;
    if (n == 1) continue;
    if (loops.empty() && from.strides()[axis] == bytes && stride == bytes) bytes *= n;
    else if (!loops.empty() && from.strides()[axis] == loops.back().count * loops.back().from &&
             stride == loops.back().count * loops.back().to)
      loops.back().count *= n;
    else loops.push_back({n, from.strides()[axis], stride});
  }
  // One call for the innermost loop.
  const loop rows = loops.empty() ? loop{1, bytes, bytes} : loops.front();
  std::int64_t calls = 1;
  for (std::size_t i = 1; i < loops.size(); ++i) calls *= loops[i].count;
  for (std::int64_t call = 0; call < calls; ++call) {
    std::int64_t rest = call, from_bytes = 0, to_bytes = 0;
    for (std::size_t i = 1; i < loops.size(); ++i) {
      from_bytes += rest % loops[i].count * loops[i].from;
      to_bytes += rest % loops[i].count * loops[i].to;
      rest /= loops[i].count;
    }
    gd::copy_pitched(target + to_bytes, static_cast<std::size_t>(rows.to), source + from_bytes,
                     static_cast<std::size_t>(rows.from), static_cast<std::size_t>(bytes),
                     static_cast<std::size_t>(rows.count), aside);
  }
}

event one_sided::arrived() {
  const stream_view& aside = transport_.aside();
  transport_.moves().signal(aside);
  transport_.moves().wait_for_signals(aside);
  return transport_.marked(aside);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
