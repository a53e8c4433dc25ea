#include <distributed/nccl/nccl_engine.hpp>

#include <gparray/array/library_access.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

nccl_engine::nccl_engine(std::unique_ptr<nccl_communicator> ranks)
    : ranks_(std::move(ranks)), flags_(zeros<std::uint8_t>({ranks_->size()}, {.device = ranks_->place()})) {}

template<class Enqueue>
void nccl_engine::enqueue(const stream_view& on, const Enqueue& f) {
  // What the call reads is computed. Names of which nothing else is asked go on to be fused.
  const gparray::detail::leaving_pending names;
  void* const stream = on.native_handle();
  ranks_->enqueue(current, on, stream, [&](const auto& check) { f(stream, check); });
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
    check("ncclGroupStart", calls.GroupStart());
    // Both sides leave out what is empty. What fails within the group is said at its end, too.
    int code = nccl_success;
    for (const outgoing& m : sends)
      if (m.bytes > 0 && code == nccl_success)
        code = calls.Send(m.data, m.bytes, nccl_byte, m.to, ranks_->handle(), stream);
    for (const incoming& m : receives)
      if (m.bytes > 0 && code == nccl_success)
        code = calls.Recv(m.data, m.bytes, nccl_byte, m.from, ranks_->handle(), stream);
    const int end = calls.GroupEnd();
    check("ncclSend or ncclRecv", code);
    check("ncclGroupEnd", end);
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
