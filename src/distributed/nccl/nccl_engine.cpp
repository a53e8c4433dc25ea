#include <distributed/nccl/nccl_engine.hpp>

#include <gparray/array/library_access.hpp>
#include <gparray/reductions.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

/// f calls NCCL within a group, and returns the first code that is none of success, which is said when the
/// group has ended.
template<class Check, class F>
void call_in_group(const nccl_table& calls, const Check& check, const char* names, const F& f) {
  check("ncclGroupStart", calls.GroupStart());
  const int code = f(), end = calls.GroupEnd();
  check(names, code);
  check("ncclGroupEnd", end);
}

}  // namespace

nccl_engine::nccl_engine(std::unique_ptr<nccl_communicator> ranks)
    : ranks_(std::move(ranks)), flags_(zeros<std::uint8_t>({ranks_->size()}, {.device = ranks_->place()})) {}

template<class Enqueue>
void nccl_engine::enqueue(const stream_view& on, const Enqueue& f, bool can_be_aborted) {
  // What the call reads is computed. Names of which nothing else is asked go on to be fused.
  const gparray::detail::leaving_pending names;
  void* const stream = on.native_handle();
  ranks_->enqueue(current, on, stream, [&](const auto& check) { f(stream, check); }, can_be_aborted);
}

void nccl_engine::all_gather(const void* mine, void* all, std::size_t bytes, const stream_view& on) {
  enqueue(on, [&](void* stream, const auto& check) {
    check("ncclAllGather", ranks_->table().AllGather(mine, all, bytes, nccl_byte, ranks_->handle(), stream));
  });
}

void nccl_engine::broadcast(void* data, std::size_t bytes, int root, const stream_view& on) {
  enqueue(on, [&](void* stream, const auto& check) {
    check("ncclBroadcast",
          ranks_->table().Broadcast(data, data, bytes, nccl_byte, root, ranks_->handle(), stream));
  });
}

void nccl_engine::exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                           const stream_view& on) {
  const nccl_table& calls = ranks_->table();
  enqueue(on, [&](void* stream, const auto& check) {
    call_in_group(calls, check, "ncclSend or ncclRecv", [&] {
      // Both sides leave out what is empty.
      int code = nccl_success;
      for (const outgoing& m : sends)
        if (m.bytes > 0 && code == nccl_success)
          code = calls.Send(m.data, m.bytes, nccl_byte, m.to, ranks_->handle(), stream);
      for (const incoming& m : receives)
        if (m.bytes > 0 && code == nccl_success)
          code = calls.Recv(m.data, m.bytes, nccl_byte, m.from, ranks_->handle(), stream);
      return code;
    });
  });
}

void nccl_engine::all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                             std::span<const std::size_t> to_offsets, const stream_view& on) {
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  for (int r = 0; r < size(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    sends.push_back(
        {r, static_cast<const std::byte*>(from) + from_offsets[i], from_offsets[i + 1] - from_offsets[i]});
    receives.push_back({r, static_cast<std::byte*>(to) + to_offsets[i], to_offsets[i + 1] - to_offsets[i]});
  }
  exchange(sends, receives, on);
}

bool nccl_engine::all_reduce(const void* from, void* to, std::size_t count, dtype type, combination op,
                             const stream_view& on) {
  const std::optional<nccl_type> known = nccl_type_of(type);
  // What NCCL makes of NaN in a minimum is not NumPy's; complex numbers are added as two.
  const bool is_order = op == combination::min || op == combination::max;
  if (!known || (is_order && !is_integer(type)) || (known->count > 1 && op != combination::sum)) return false;
  const int nccl_op = op == combination::sum    ? 0
                      : op == combination::prod ? 1
                      : op == combination::max  ? 2
                                                : 3;
  enqueue(on, [&](void* stream, const auto& check) {
    check("ncclAllReduce", ranks_->table().AllReduce(from, to, count * known->count, known->number, nccl_op,
                                                     ranks_->handle(), stream));
  });
  return true;
}

bool nccl_engine::all_say(bool yes) {
  const ndarray<std::uint8_t> mine = full<std::uint8_t>({1}, yes ? 1 : 0, {.device = place()});
  all_gather(mine.data(), flags_.data(), 1, current_stream(place()));
  const bool all = min(flags_).item() != 0;
  ranks_->check();  // what came after an abort is not what was sent
  return all;
}

const symmetric_memory* nccl_engine::symmetric(std::size_t bytes) {
  if (memory_.bytes >= bytes) return &memory_;
  if (!has_symmetric_memory()) return nullptr;
  // Whoever asks for a little more the next time is to find it here.
  constexpr std::size_t unit = std::size_t{1} << 26;
  return make_window((bytes + unit - 1) / unit * unit) ? &memory_ : nullptr;
}

bool nccl_engine::make_window(std::size_t bytes) {
  const nccl_table& calls = ranks_->table();
  const stream_view on = current_stream(place());
  // Others have done with what this rank has, when all have done with what they were sent.
  place().synchronize();
  static_cast<void>(all_say(true));
  void* own = nullptr;
  enqueue(on, [&](void*, const auto&) {
    memory_ = {};
    ranks_->keep(nullptr, nullptr);
    if (calls.MemAlloc(&own, bytes) != nccl_success) own = nullptr;
    ranks_->keep(own, nullptr);
  });
  if (!all_say(own != nullptr)) {  // some GPU is full
    enqueue(on, [&](void*, const auto&) { ranks_->keep(nullptr, nullptr); });
    return false;
  }
  symmetric_memory made{bytes, {}};
  enqueue(on, [&](void*, const auto& check) {
    nccl_window window = nullptr;
    check("ncclCommWindowRegister",
          calls.CommWindowRegister(ranks_->handle(), own, bytes, &window, nccl_symmetric));
    for (int r = 0; window && r < size(); ++r) {
      void* its = nullptr;
      if (r == rank()) its = own;
      else check("ncclGetPeerDevicePointer", calls.GetPeerDevicePointer(window, 0, r, &its));
      if (its) made.of.push_back(static_cast<std::byte*>(its));
    }
    ranks_->keep(own, window);
  });
  if (!all_say(made.of.size() == static_cast<std::size_t>(size()))) {
    has_no_windows_ = true;
    enqueue(on, [&](void*, const auto&) { ranks_->keep(nullptr, nullptr); });
    return false;
  }
  memory_ = std::move(made);
  // NCCL makes what signals need at the first one, for which all ranks have to come.
  signal(on);
  wait_for_signals(on);
  return true;
}

void nccl_engine::signal(const stream_view& on) {
  const nccl_table& calls = ranks_->table();
  enqueue(
      on,
      [&](void* stream, const auto& check) {
        call_in_group(calls, check, "ncclSignal", [&] {
          int code = nccl_success;
          for (int r = 0; r < size() && code == nccl_success; ++r)
            if (r != rank()) code = calls.Signal(r, 0, 0, 0, ranks_->handle(), stream);
          return code;
        });
      },
      false);
}

void nccl_engine::wait_for_signals(const stream_view& on) {
  std::vector<nccl_signals> others;
  for (int r = 0; r < size(); ++r)
    if (r != rank()) others.push_back({1, r});
  if (others.empty()) return;
  enqueue(
      on,
      [&](void* stream, const auto& check) {
        check("ncclWaitSignal", ranks_->table().WaitSignal(static_cast<int>(others.size()), others.data(),
                                                           ranks_->handle(), stream));
      },
      false);
}

void nccl_engine::barrier() {
  const stream_view on = current_stream(place());
  all_gather(flags_.data() + rank(), flags_.data(), 1, on);
  on.synchronize();  // which an abort ends, too
  ranks_->check();
}

bool nccl_engine::is_recording() const {
  const gparray::detail::leaving_pending names;
  return is_captured(current_stream(place()).native_handle());
}

std::shared_ptr<engine> nccl_engine::split(int color, int key) {
  auto part =
      std::make_shared<nccl_engine>(std::make_unique<nccl_communicator>(*ranks_, color, key, current));
  part->current = current;
  return part;
}

void nccl_engine::abort(std::string_view why) noexcept {
  ranks_->break_down(fmt::format("rank {} has called abort: {}", rank(), why));
}

std::shared_ptr<engine> make_nccl_engine(const nccl_id& id, const nccl_communicator::options& how) {
  return std::make_shared<nccl_engine>(std::make_unique<nccl_communicator>(nccl(), id, how));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
