// Decompression of deflated bytes, as RFC 1951 describes them, by canonical Huffman codes.
#include <core/files.hpp>

#include <array>
#include <cstdint>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

[[noreturn]] void throw_damaged() { throw value_error("compressed data is damaged"); }

class bit_reader {
 public:
  explicit bit_reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t bits(int count) {
    while (held_ < count) {
      if (at_ == bytes_.size()) throw_damaged();
      buffer_ |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << held_;
      held_ += 8;
    }
    const auto value = static_cast<std::uint32_t>(buffer_ & ((std::uint64_t{1} << count) - 1));
    buffer_ >>= count;
    held_ -= count;
    return value;
  }
  /// Drops the rest of a byte; then whole bytes may be taken.
  std::string_view bytes(std::size_t count) {
    at_ -= static_cast<std::size_t>(held_ / 8);
    buffer_ = 0;
    held_ = 0;
    if (count > bytes_.size() - at_) throw_damaged();
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t buffer_ = 0;
  int held_ = 0;
};

constexpr int max_code_bits = 15;

/// Codes of the same length are consecutive numbers, in the order of their symbols.
class huffman_code {
 public:
  explicit huffman_code(std::span<const std::uint8_t> lengths) : symbols_(lengths.size()) {
    for (const std::uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    std::array<std::uint16_t, max_code_bits + 2> place{};
    for (std::size_t length = 1; length <= max_code_bits; ++length)
      place[length + 1] = static_cast<std::uint16_t>(place[length] + counts_[length]);
    for (std::size_t s = 0; s < lengths.size(); ++s)
      if (lengths[s] > 0) symbols_[place[lengths[s]]++] = static_cast<std::uint16_t>(s);
  }

  std::uint32_t read(bit_reader& in) const {
    std::int32_t code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length <= max_code_bits; ++length) {
      code |= static_cast<std::int32_t>(in.bits(1));
      const std::int32_t count = counts_[length];
      if (code - first < count) return symbols_[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw_damaged();
  }

 private:
  std::array<std::int32_t, max_code_bits + 1> counts_{};
  std::vector<std::uint16_t> symbols_;
};

// Lengths and distances: a base, and bits that are added to it.
constexpr std::uint16_t length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::uint16_t distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                           33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                           1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::uint8_t distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                          6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

void read_block(bit_reader& in, const huffman_code& lengths, const huffman_code& distances, byte_string& out,
                std::size_t size) {
  for (;;) {
    const std::uint32_t symbol = lengths.read(in);
    if (symbol == 256) return;
    if (symbol < 256) {
      if (out.size() == size) throw_damaged();
      out += static_cast<char>(symbol);
      continue;
    }
    if (symbol > 285) throw_damaged();
    const std::size_t length = length_base[symbol - 257] + in.bits(length_bits[symbol - 257]);
    const std::uint32_t code = distances.read(in);
    if (code > 29) throw_damaged();
    const std::size_t distance = distance_base[code] + in.bits(distance_bits[code]);
    if (distance > out.size() || length > size - out.size()) throw_damaged();
    for (std::size_t i = 0; i < length; ++i) out += out[out.size() - distance];
  }
}

void read_fixed(bit_reader& in, byte_string& out, std::size_t size) {
  std::array<std::uint8_t, 288> lengths;
  for (std::size_t s = 0; s < lengths.size(); ++s) lengths[s] = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
  std::array<std::uint8_t, 30> distances;
  distances.fill(5);
  read_block(in, huffman_code(lengths), huffman_code(distances), out, size);
}

void read_dynamic(bit_reader& in, byte_string& out, std::size_t size) {
  static constexpr std::uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  const std::size_t n_lengths = in.bits(5) + 257, n_distances = in.bits(5) + 1, n_codes = in.bits(4) + 4;
  std::array<std::uint8_t, 19> of_codes{};
  for (std::size_t i = 0; i < n_codes; ++i) of_codes[order[i]] = static_cast<std::uint8_t>(in.bits(3));
  const huffman_code code(of_codes);
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < n_lengths + n_distances) {
    const std::uint32_t symbol = code.read(in);
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol == 16 && lengths.empty()) throw_damaged();
    const std::uint8_t repeated = symbol == 16 ? lengths.back() : 0;
    const std::uint32_t times = symbol == 16   ? 3 + in.bits(2)
                                : symbol == 17 ? 3 + in.bits(3)
                                               : 11 + in.bits(7);
    lengths.insert(lengths.end(), times, repeated);
  }
  if (lengths.size() > n_lengths + n_distances) throw_damaged();
  const std::span<const std::uint8_t> all(lengths);
  read_block(in, huffman_code(all.first(n_lengths)), huffman_code(all.subspan(n_lengths)), out, size);
}

}  // namespace

byte_string inflate(std::string_view bytes, std::size_t size) {
  bit_reader in(bytes);
  byte_string out;
  for (bool last = false; !last;) {
    last = in.bits(1) != 0;
    const std::uint32_t kind = in.bits(2);
    if (kind == 0) {
      const std::string_view head = in.bytes(4);
      const auto byte = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(head[i]));
      };
      const std::size_t count = byte(0) | byte(1) << 8;
      if (count != (~(byte(2) | byte(3) << 8) & 0xffff) || count > size - out.size()) throw_damaged();
      out += in.bytes(count);
    } else if (kind == 1) {
      read_fixed(in, out, size);
    } else if (kind == 2) {
      read_dynamic(in, out, size);
    } else {
      throw_damaged();
    }
  }
  if (out.size() != size) throw_damaged();
  return out;
}

}  // namespace core
GPARRAY_END_NAMESPACE
