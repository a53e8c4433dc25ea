#include <cstring>
#include <vector>

#include <distributed/runtime/communicator_state.hpp>
#include <distributed/runtime/threads_engine.hpp>

#include <support/environment.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

void communicator_state::note(signature call) {
  call.number = calls_;
  host_->current = call;
  if (gpu_) gpu_->current = call;
}

void communicator_state::begin(signature call) {
  ++calls_;
  note(call);
  // While something is recorded nobody waits for the device, through which ranks may have to compare.
  if (check_ && size() > 1 && !(gpu_ && gpu_->is_recording())) compare();
}

void communicator_state::compare() {
  std::vector<signature> calls(static_cast<std::size_t>(size()));
  const stream_view on = default_stream(device::cpu());
  host_->all_gather(&host_->current, calls.data(), sizeof(signature), on);
  for (int r = 1; r < size(); ++r) {
    const signature& other = calls[static_cast<std::size_t>(r)];
    if (std::memcmp(&calls[0], &other, sizeof other) == 0) continue;
    throw distributed_error(
        fmt::format("ranks make different calls: rank {} is in {}, rank 0 in {}; every rank must make the "
                    "same calls in the same order",
                    r, other.text(), calls[0].text()),
        r);
  }
}

communicator_state::letter communicator_state::announced(int to, letter going, int from, letter expected) {
  if (!check_) return expected;
  letter coming{};
  const outgoing goes{to, &going, sizeof going};
  const incoming comes{from, &coming, sizeof coming};
  host_->exchange({&goes, to >= 0}, {&comes, from >= 0}, default_stream(device::cpu()));
  return coming;
}

std::shared_ptr<communicator_state> communicator_state::split(int color, int key) {
  begin(signature("split"));
  if (key < 0) key = rank();
  auto host = host_->split(color, key);
  auto gpu = gpu_ ? gpu_->split(color, key) : nullptr;
  return std::make_shared<communicator_state>(std::move(host), std::move(gpu), local_rank_, place_, check_);
}

std::chrono::milliseconds timeout_of(const init_options& options) {
  if (options.timeout) return *options.timeout;
  constexpr std::chrono::seconds otherwise{600};
  const char* const text = core::environment("GPARRAY_DISTRIBUTED_TIMEOUT");
  if (!text) return otherwise;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end == text || *end || !(seconds > 0 && seconds < 1e9))
    core::fail<value_error>("GPARRAY_DISTRIBUTED_TIMEOUT is '{}', which is no number of seconds", text);
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

bool checks(const init_options& options, bool otherwise) {
  if (options.check) return *options.check;
  const char* const text = core::environment("GPARRAY_DISTRIBUTED_CHECK");
  return text ? std::string_view(text) != "0" : otherwise;
}

std::shared_ptr<communicator_state> world_of_one() {
  return std::make_shared<communicator_state>(alone(), nullptr, 0, default_device(), false);
}

}  // namespace detail

communicator::communicator() : state_(detail::world_of_one()) {}

int communicator::rank() const noexcept { return state_->rank(); }
int communicator::size() const noexcept { return state_->size(); }
int communicator::local_rank() const noexcept { return state_->local_rank(); }
device communicator::place() const noexcept { return state_->place(); }

std::string communicator::engine() const {
  return state_->gpu() ? state_->gpu()->name() : state_->host().name();
}

communicator communicator::split(int color, int key) const { return communicator(state_->split(color, key)); }

void communicator::barrier() const {
  state_->begin(detail::signature("barrier"));
  if (state_->gpu()) state_->gpu()->barrier();
  state_->host().barrier();
}

void communicator::abort(std::string_view why) const {
  if (state_->gpu()) state_->gpu()->abort(why);
  state_->host().abort(why);
  throw distributed_error(fmt::format("rank {} has called abort: {}", rank(), why), rank());
}

}  // namespace distributed
GPARRAY_END_NAMESPACE
