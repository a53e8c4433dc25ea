// Compression by deflate, RFC 1951, in one block of its fixed codes.
#include <core/files.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr std::size_t shortest = 3, longest = 258, farthest = 32768;
constexpr int hash_bits = 15;

class bit_writer {
 public:
  /// The lowest bit first.
  void bits(std::uint32_t value, int count) {
    buffer_ |= std::uint64_t{value} << held_;
    for (held_ += count; held_ >= 8; held_ -= 8, buffer_ >>= 8) out_ += static_cast<char>(buffer_ & 255);
  }
  /// A code of Huffman's, whose highest bit comes first.
  void code(std::uint32_t value, int count) {
    std::uint32_t reversed = 0;
    for (int i = 0; i < count; ++i) reversed |= (value >> i & 1) << (count - 1 - i);
    bits(reversed, count);
  }
  byte_string finish() {
    if (held_ > 0) bits(0, 8 - held_);
    return std::move(out_);
  }

 private:
  byte_string out_;
  std::uint64_t buffer_ = 0;
  int held_ = 0;
};

/// The fixed code of a literal, the end (256) or a length.
void put_symbol(bit_writer& out, std::uint32_t symbol) {
  if (symbol < 144) out.code(0x30 + symbol, 8);
  else if (symbol < 256) out.code(0x190 + symbol - 144, 9);
  else if (symbol < 280) out.code(symbol - 256, 7);
  else out.code(0xc0 + symbol - 280, 8);
}

/// Lengths and distances are numbered alike: after the first few, every power of two is cut into 2^parts
/// ranges, and the place in the range follows in extra bits.
struct range_code {
  std::uint32_t number;
  int extra;
  std::uint32_t rest;
};
range_code range_of(std::uint32_t value, int parts) {
  int extra = 0;
  while (value >> extra >= std::uint32_t{2} << parts) ++extra;
  const std::uint32_t top = value >> extra;
  return {static_cast<std::uint32_t>(extra << parts) + top, extra, value - (top << extra)};
}

void put_repetition(bit_writer& out, std::size_t length, std::size_t distance) {
  if (length == longest) {
    put_symbol(out, 285);
  } else {
    const range_code l = range_of(static_cast<std::uint32_t>(length - shortest), 2);
    put_symbol(out, 257 + l.number);
    out.bits(l.rest, l.extra);
  }
  const range_code d = range_of(static_cast<std::uint32_t>(distance - 1), 1);
  out.code(d.number, 5);
  out.bits(d.rest, d.extra);
}

std::uint32_t hash_at(const char* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, 3);
  return word * 2654435761u >> (32 - hash_bits);
}

}  // namespace

byte_string deflate(std::string_view bytes) {
  bit_writer out;
  out.bits(1, 1);                                              // the last block
  out.bits(1, 2);                                              // of fixed codes
  std::vector<std::size_t> seen(std::size_t{1} << hash_bits);  // places + 1
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t length = 0, distance = 0;
    if (bytes.size() - at >= shortest) {
      std::size_t& last = seen[hash_at(&bytes[at])];
      if (last > 0 && at + 1 - last <= farthest) {
        distance = at + 1 - last;
        const std::size_t most = std::min(longest, bytes.size() - at);
        while (length < most && bytes[at + length] == bytes[at + length - distance]) ++length;
      }
      last = at + 1;
    }
    if (length >= shortest) {
      put_repetition(out, length, distance);
      at += length;
    } else {
      put_symbol(out, static_cast<unsigned char>(bytes[at++]));
    }
  }
  put_symbol(out, 256);
  return out.finish();
}

}  // namespace core
GPARRAY_END_NAMESPACE
