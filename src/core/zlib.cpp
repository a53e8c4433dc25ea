#include <core/shared_library.hpp>
#include <core/zlib.hpp>
#include <gparray/error.hpp>

#include <algorithm>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// z_stream of zlib 1, whose layout is part of its ABI.
struct z_stream {
  const unsigned char* next_in;
  unsigned available_in;
  unsigned long total_in;
  unsigned char* next_out;
  unsigned available_out;
  unsigned long total_out;
  const char* message;
  void* state;
  void *allocate, *free, *opaque;
  int data_type;
  unsigned long adler, reserved;
};

constexpr int no_flush = 0, finish = 4, ok = 0, stream_end = 1;
constexpr int default_level = -1, method = 8, raw_window = -15, default_memory = 8, default_strategy = 0;

struct zlib_table {
  int (*init)(z_stream*, int level, int method, int window, int memory, int strategy, const char* version,
              int size);
  int (*step)(z_stream*, int flush);
  int (*end)(z_stream*);
};

const zlib_table& zlib() {
  static const zlib_table table = [] {
    constexpr const char* remedy = "Install zlib (the package zlib1g), or save without compression";
    const std::string folders[] = {""};
    void* library = open_library({"libz.so.1"}, folders, remedy);
    const auto find = [&](const char* symbol) { return find_symbol(library, symbol, "zlib", remedy); };
    return zlib_table{reinterpret_cast<decltype(zlib_table::init)>(find("deflateInit2_")),
                      reinterpret_cast<decltype(zlib_table::step)>(find("deflate")),
                      reinterpret_cast<decltype(zlib_table::end)>(find("deflateEnd"))};
  }();
  return table;
}

}  // namespace

std::string deflate(std::string_view bytes) {
  const zlib_table& calls = zlib();
  z_stream s{};
  if (calls.init(&s, default_level, method, raw_window, default_memory, default_strategy, "1", sizeof s) !=
      ok)
    throw out_of_memory("zlib: no memory for compressing");
  // zlib counts in 32 bits, so that bytes go in, and come out, in pieces.
  constexpr std::size_t piece = std::size_t{1} << 24;
  std::string result;
  std::size_t read = 0, written = 0;
  for (int status = ok; status == ok;) {
    result.resize(written + piece);
    const std::size_t in = std::min(piece, bytes.size() - read);
    s.next_in = reinterpret_cast<const unsigned char*>(bytes.data() + read);
    s.available_in = static_cast<unsigned>(in);
    s.next_out = reinterpret_cast<unsigned char*>(result.data() + written);
    s.available_out = static_cast<unsigned>(piece);
    status = calls.step(&s, read + in == bytes.size() ? finish : no_flush);
    read += in - s.available_in;
    written += piece - s.available_out;
    if (status != ok && status != stream_end) {
      calls.end(&s);
      throw error("zlib: compressing failed");
    }
  }
  calls.end(&s);
  result.resize(written);
  return result;
}

}  // namespace core
GPARRAY_END_NAMESPACE
