// Copies and computations at the same time: a pipeline of three stages on several streams of a GPU.
//
// Each block of numbers goes to the device, is worked on there, and comes back. On one stream these stages
// take turns; on three streams one block is copied in while another is computed and a third copied out. That
// needs page-locked (pinned) host memory, which the GPU copies on its own while the CPU goes on.
#include <algorithm>
#include <cmath>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

namespace {

struct pipeline {
  gp::device device;
  int n_passes;
  gp::ndarray<float> in, out;  // a block each row, in host memory

  /// Milliseconds that the blocks take on `n_streams` streams.
  double run(int n_streams) {
    std::vector<gp::stream> streams;
    std::vector<gp::ndarray<float>> buffers;
    for (int i = 0; i < n_streams; ++i) {
      streams.emplace_back(device);
      buffers.push_back(gp::empty<float>({in.shape(1)}));
    }
    device.synchronize();
    gp::event start(device), end(device);
    start.record();
    for (const gp::stream& s : streams) s.wait(start);
    for (std::int64_t i = 0; i < in.shape(0); ++i) {
      const std::size_t turn = static_cast<std::size_t>(i) % streams.size();
      const gp::stream_guard on(streams[turn]);
      gp::ndarray<float>& block = buffers[turn];
      gp::copyto(block, in(i));
      for (int pass = 0; pass < n_passes; ++pass) block += 1.f;
      gp::copyto(out(i), block);
    }
    for (const gp::stream& s : streams) gp::current_stream().wait(s);
    end.record();
    return gp::elapsed_time(start, end);
  }
};

/// The number of passes over a block on the device that takes as long as copying it there.
int passes_like_a_copy(pipeline one_block) {
  one_block.n_passes = 0;
  one_block.run(1);
  const double copies = one_block.run(1);
  one_block.n_passes = 100;
  one_block.run(1);
  return std::max(1, static_cast<int>(std::lround(copies / 2 / ((one_block.run(1) - copies) / 100))));
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Overlaps copies and computation of a GPU on several streams.");
  const gp::device device(options.value("--device", gp::default_device().str(), "cpu or cuda:0"));
  const int n_blocks = options.value("--blocks", 16, "blocks of numbers");
  const int n = options.value("--size", device.is_cpu() ? 1 << 18 : 1 << 22, "numbers in a block");
  const int n_streams = options.value("--streams", 3, "streams of the overlapped run");
  int n_passes =
      options.value("--passes", device.is_cpu() ? 4 : 0, "passes over a block; 0: as long as its copy takes");
  options.finish();
  if (n_blocks < 1 || n < 1 || n_streams < 1 || n_passes < 0)
    throw gp::value_error("--blocks, --size and --streams must be positive");
  gp::set_default_device(device);

  const gp::dims shape{n_blocks, n};
  const auto host_array = [&] {
    return device.is_cpu() ? gp::empty<float>(shape) : gp::empty_pinned<float>(shape);
  };
  pipeline blocks{device, n_passes, host_array(), host_array()};
  // Whole numbers below 1024 stay exact in float32 however many passes add one.
  {
    const gp::device_guard on_host(gp::device::cpu());
    gp::copyto(
        blocks.in,
        gp::remainder(gp::arange<double>(n_blocks * std::int64_t{n}), 1024.0).astype<float>().reshape(shape));
  }
  if (n_passes == 0) {
    blocks.n_passes = n_passes = passes_like_a_copy({device, 0, blocks.in("0:1"), blocks.out("0:1")});
  }

  blocks.run(n_streams);  // warms up the memory pools
  const double serial = blocks.run(1);
  blocks.out.fill(0.f);
  const double overlapped = blocks.run(n_streams);
  const bool right = gp::all(blocks.out == blocks.in + static_cast<float>(n_passes)).item();

  fmt::print("{} blocks of {:.1f} MiB, {} passes over each, on {}\n", n_blocks, n * 4 / 1048576.0, n_passes,
             device.name());
  if (device.is_cpu())
    fmt::print("The CPU does its work at once, in the order of the calls: nothing overlaps.\n");
  fmt::print("one stream: {:.3f} ms, {} streams: {:.3f} ms, speed-up {:.2f}\n", serial, n_streams, overlapped,
             serial / overlapped);
  fmt::print("The results are {}.\n", right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
