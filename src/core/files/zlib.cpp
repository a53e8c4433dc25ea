// Compression as RFC 1951 says, by zlib, which is loaded at first use.
#include <algorithm>

#include <core/files/files.hpp>
#include <gparray/error.hpp>
#include <support/shared_library.hpp>

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

constexpr int no_flush = 0, finish = 4, ok = 0, stream_end = 1, buffer_error = -5;
constexpr int default_level = -1, method = 8, raw_window = -15, default_memory = 8, default_strategy = 0;

struct zlib_table {
  int (*deflate_init)(z_stream*, int level, int method, int window, int memory, int strategy,
                      const char* version, int size);
  int (*deflate)(z_stream*, int flush);
  int (*deflate_end)(z_stream*);
  int (*inflate_init)(z_stream*, int window, const char* version, int size);
  int (*inflate)(z_stream*, int flush);
  int (*inflate_end)(z_stream*);
};

const zlib_table& zlib() {
  static const zlib_table table = [] {
    constexpr const char* remedy = "Install zlib (the package zlib1g), or use files that are not compressed";
    const std::string folders[] = {""};
    void* library = open_library({"libz.so.1"}, folders, remedy);
    zlib_table t;
    const auto find = [&](auto& call, const char* symbol) {
      call = reinterpret_cast<std::remove_reference_t<decltype(call)>>(
          find_symbol(library, symbol, "zlib", remedy));
    };
    find(t.deflate_init, "deflateInit2_");
    find(t.deflate, "deflate");
    find(t.deflate_end, "deflateEnd");
    find(t.inflate_init, "inflateInit2_");
    find(t.inflate, "inflate");
    find(t.inflate_end, "inflateEnd");
    return t;
  }();
  return table;
}

/// What zlib has for a stream, which goes back when the work is done, or there is no memory for what comes
/// out.
class stream_end_scope {
 public:
  stream_end_scope(int (*end)(z_stream*), z_stream& s) : end_(end), stream_(s) {}
  ~stream_end_scope() { end_(&stream_); }
  stream_end_scope(const stream_end_scope&) = delete;
  stream_end_scope& operator=(const stream_end_scope&) = delete;

 private:
  int (*end_)(z_stream*);
  z_stream& stream_;
};

/// Steps until the stream ends or fails: zlib counts in 32 bits, so that bytes go in, and come out, in
/// pieces. No more than `limit` come out. False if it failed.
bool run(int (*step)(z_stream*, int), z_stream& s, std::string_view bytes, std::size_t limit,
         byte_string& result) {
  constexpr std::size_t piece = std::size_t{1} << 24;
  std::size_t read = 0, written = 0;
  int status = ok;
  while (status == ok) {
    const std::size_t in = std::min(piece, bytes.size() - read);
    const std::size_t room = std::min({piece, limit - written, 2 * in + 4096});
    result.resize(written + room);
    s.next_in = reinterpret_cast<const unsigned char*>(bytes.data() + read);
    s.available_in = static_cast<unsigned>(in);
    s.next_out = reinterpret_cast<unsigned char*>(result.data() + written);
    s.available_out = static_cast<unsigned>(room);
    status = step(&s, read + in == bytes.size() ? finish : no_flush);
    const std::size_t done = in - s.available_in, made = room - s.available_out;
    read += done;
    written += made;
    // Out of room or of bytes for the moment, unless nothing moves any more.
    if (status == buffer_error && done + made > 0) status = ok;
  }
  result.resize(written);
  return status == stream_end;
}

}  // namespace

byte_string deflate(std::string_view bytes) {
  const zlib_table& calls = zlib();
  z_stream s{};
  if (calls.deflate_init(&s, default_level, method, raw_window, default_memory, default_strategy, "1",
                         sizeof s) != ok)
    throw out_of_memory("zlib: no memory for compressing");
  const stream_end_scope ends(calls.deflate_end, s);
  byte_string result;
  if (!run(calls.deflate, s, bytes, result.max_size(), result)) throw error("zlib: compressing failed");
  return result;
}

byte_string inflate(std::string_view bytes, std::size_t size) {
  const zlib_table& calls = zlib();
  z_stream s{};
  if (calls.inflate_init(&s, raw_window, "1", sizeof s) != ok)
    throw out_of_memory("zlib: no memory for decompressing");
  const stream_end_scope ends(calls.inflate_end, s);
  byte_string result;
  // Room for one byte more than there should be, so that the end is reached, and surplus data detected.
  if (!run(calls.inflate, s, bytes, size + 1, result) || result.size() != size)
    throw value_error("the compressed data is damaged");
  return result;
}

const void* load_zlib() { return reinterpret_cast<const void*>(zlib().deflate); }

}  // namespace core
GPARRAY_END_NAMESPACE
