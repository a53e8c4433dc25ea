#include <distributed/nccl/staged_engine.hpp>
#include <distributed/start/last_resort.hpp>

#include <gparray/transfer.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

using bytes_on_gpu = ndarray<std::uint8_t>;

bytes_on_gpu room(std::size_t n, device place) {
  return empty<std::uint8_t>({static_cast<std::int64_t>(n)}, {.device = place});
}

bytes_on_gpu upload(const void* from, std::size_t n, device place) {
  if (n == 0) return room(0, place);
  return to_device(frombuffer(static_cast<const std::uint8_t*>(from), {static_cast<std::int64_t>(n)}), place);
}

void download(const bytes_on_gpu& from, void* to) {
  if (from.size() > 0) asnumpy(from, {.out = frombuffer(static_cast<std::uint8_t*>(to), from.shape())});
}

}  // namespace

void staged_engine::all_gather(const void* mine, void* all, std::size_t bytes, const stream_view&) {
  gpu_->current = current;
  const bytes_on_gpu in = upload(mine, bytes, gpu_->place()),
                     out = room(bytes * static_cast<std::size_t>(size()), gpu_->place());
  gpu_->all_gather(in.data(), const_cast<std::uint8_t*>(out.data()), bytes, current_stream(gpu_->place()));
  download(out, all);
  poll();  // what came after an abort is not what was sent
}

void staged_engine::all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                               std::span<const std::size_t> to_offsets, const stream_view&) {
  gpu_->current = current;
  const bytes_on_gpu in = upload(from, from_offsets.back(), gpu_->place());
  bytes_on_gpu out = room(to_offsets.back(), gpu_->place());
  gpu_->all_to_all(in.data(), from_offsets, out.data(), to_offsets, current_stream(gpu_->place()));
  download(out, to);
  poll();
}

void staged_engine::broadcast(void* data, std::size_t bytes, int root, const stream_view&) {
  gpu_->current = current;
  bytes_on_gpu copy = upload(data, bytes, gpu_->place());
  gpu_->broadcast(copy.data(), bytes, root, current_stream(gpu_->place()));
  download(copy, data);
  poll();
}

void staged_engine::exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                             const stream_view&) {
  gpu_->current = current;
  std::vector<bytes_on_gpu> out, in;
  std::vector<outgoing> sends_there;
  std::vector<incoming> receives_there;
  for (const outgoing& m : sends) {
    out.push_back(upload(m.data, m.bytes, gpu_->place()));
    sends_there.push_back({m.to, std::as_const(out.back()).data(), m.bytes});
  }
  for (const incoming& m : receives) {
    in.push_back(room(m.bytes, gpu_->place()));
    receives_there.push_back({m.from, in.back().data(), m.bytes});
  }
  gpu_->exchange(sends_there, receives_there, current_stream(gpu_->place()));
  for (std::size_t i = 0; i < in.size(); ++i) download(in[i], receives[i].data);
  poll();
}

void staged_engine::barrier() {
  gpu_->current = current;
  gpu_->barrier();
}

std::shared_ptr<engine> staged_engine::split(int color, int key) {
  gpu_->current = current;
  return std::make_shared<staged_engine>(gpu_->split(color, key));
}

void staged_engine::abort(std::string_view why) noexcept {
  gpu_->abort(why);
  end_process(fmt::format("rank {} of {} has called abort: {}", rank(), size(), why));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
