// Zip archives: records of 64 bits, names, and what is refused.
#include <functional>

#include <core/files/zip_archive.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using gp::core::zip_entry;

namespace {

const std::vector<zip_entry> two = {{"first.npy", "0123456789"}, {"second.npy", std::string(100, 'x')}};

std::vector<zip_entry> read(const std::string& bytes) {
  const gp::core::zip_archive archive(bytes, "a.npz");
  std::vector<zip_entry> result;
  for (const gp::core::archive_entry& entry : archive.entries())
    result.push_back({entry.name, archive.read(entry)});
  return result;
}

void check_same(const std::vector<zip_entry>& have, const std::vector<zip_entry>& want) {
  REQUIRE(have.size() == want.size());
  for (std::size_t i = 0; i < have.size(); ++i) {
    CHECK(have[i].name == want[i].name);
    CHECK(have[i].bytes == want[i].bytes);
  }
}

std::uint64_t number(const std::string& bytes, std::size_t at, std::size_t length) {
  std::uint64_t value = 0;
  while (length-- > 0) value = value << 8 | static_cast<unsigned char>(bytes[at + length]);
  return value;
}

void put(std::string& bytes, std::size_t at, std::uint64_t value, int length) {
  for (int i = 0; i < length; ++i)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
}

/// Where the records are: the first entry's own header and the second's, those in the directory, the end.
struct record_offsets {
  std::size_t local[2], entry[2], end;
  explicit record_offsets(const std::string& bytes) {
    local[0] = bytes.find("PK\3\4");
    local[1] = bytes.find("PK\3\4", local[0] + 4);
    entry[0] = bytes.find("PK\1\2");
    entry[1] = bytes.find("PK\1\2", entry[0] + 4);
    end = bytes.rfind("PK\5\6");
  }
};

/// What the reader says to an archive of two entries that has been changed.
std::string answer(const std::function<void(std::string&, const record_offsets&)>& change,
                   bool compressed = false, const gp::core::zip_limits& limits = {}) {
  std::string bytes = gp::core::to_zip(two, compressed, limits);
  change(bytes, record_offsets(bytes));
  try {
    check_same(read(bytes), two);
    return "read";
  } catch (const gp::value_error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("zip archives of every size of number") {
  for (const bool compressed : {false, true})
    for (const std::uint64_t number :
         {std::uint64_t{0}, std::uint64_t{20}, std::uint64_t{60}, std::uint64_t{0xffffffff}})
      for (const std::uint64_t entries : {0, 2, 3}) {
        CAPTURE(compressed);
        CAPTURE(number);
        CAPTURE(entries);
        const std::string bytes = gp::core::to_zip(two, compressed, {number, entries});
        CHECK((bytes.find("PK\6\6") != std::string::npos) == (number < 100 || entries < 3));
        check_same(read(bytes), two);
        // What is in front shifts all of it, and a comment is behind.
        check_same(read("#!/bin/sh\n" + bytes + "comment"), two);
      }
  check_same(read(gp::core::to_zip({}, false)), {});
  check_same(read(gp::core::to_zip({}, false, {0, 0})), {});
}

TEST_CASE("the largest number of a field says that the number is elsewhere") {
  const std::string elsewhere(4, '\xff');
  const auto field = [&](const std::string& bytes, std::size_t at) { return bytes.substr(at, 4); };
  const auto has_zip64_end = [](const std::string& bytes) {
    return bytes.find("PK\6\6") != std::string::npos;
  };
  // Local headers have 30 bytes and the name, those of the directory 46.
  const std::vector<zip_entry> one = {{"a", std::string(50, 'x')}, {"b", ""}},
                               empty = {{"a", ""}, {"b", ""}, {"c", ""}};
  for (const std::uint64_t limit : {50, 51}) {
    const std::string bytes = gp::core::to_zip(one, false, {limit});
    CHECK((field(bytes, 18) == elsewhere) == (limit == 50));
    CHECK((field(bytes, 22) == elsewhere) == (limit == 50));
    check_same(read(bytes), one);
  }
  for (const std::uint64_t limit : {81, 82}) {
    const std::string bytes = gp::core::to_zip(one, false, {limit});
    CHECK((field(bytes, record_offsets(bytes).entry[1] + 42) == elsewhere) == (limit == 81));
    check_same(read(bytes), one);
  }
  for (const std::uint64_t limit : {112, 113})
    CHECK(has_zip64_end(gp::core::to_zip(one, false, {limit})) == (limit == 112));
  for (const std::uint64_t limit : {141, 142})
    CHECK(has_zip64_end(gp::core::to_zip(empty, false, {limit})) == (limit == 141));
  for (const std::uint64_t limit : {3, 4})
    CHECK(has_zip64_end(gp::core::to_zip(empty, false, {1000, limit})) == (limit == 3));
}

TEST_CASE("more entries than 16 bits count") {
  for (const std::size_t count : {65534u, 65535u, 65536u, 65539u}) {
    CAPTURE(count);
    std::vector<zip_entry> entries(count);
    for (std::size_t i = 0; i < count; ++i) entries[i].name = std::to_string(i);
    std::string bytes = gp::core::to_zip(entries, false);
    CHECK((bytes.find("PK\6\6") != std::string::npos) == (count > 65534));
    const std::vector<zip_entry> have = read(bytes);
    REQUIRE(have.size() == count);
    CHECK(have.back().name == std::to_string(count - 1));
  }
}

TEST_CASE("names in zip archives are UTF-8, and said to be") {
  const auto flags = [](const std::string& name) {
    const std::string bytes = gp::core::to_zip(std::vector<zip_entry>{{name, ""}}, false);
    CHECK(read(bytes).at(0).name == name);
    CHECK(number(bytes, 6, 2) == number(bytes, bytes.find("PK\1\2") + 8, 2));
    return number(bytes, 6, 2);
  };
  CHECK(flags("plain.npy") == 0);
  CHECK(flags("\xc3\xa9t\xc3\xa9.npy") == 1 << 11);
  CHECK(flags("\xf0\x9f\x98\x80") == 1 << 11);
  CHECK(flags(std::string(65535, 'n')) == 0);
  const auto refusal = [](const std::string& name) {
    return error_of<gp::value_error>([&] { gp::core::to_zip(std::vector<zip_entry>{{name, ""}}, false); });
  };
  CHECK(refusal(std::string(65536, 'n')) ==
        "the name " + std::string(60, 'n') +
            "... has 65536 bytes, and names in a zip archive have 65535 at most");
  CHECK(refusal("\xe9t\xe9.npy") == "the name of an array in a zip archive must be UTF-8");
  CHECK(refusal(std::string("a\0b", 3)) == "the name 'a' has a zero byte in it");
  CHECK(error_of<gp::value_error>([] {
          gp::core::to_zip(std::vector<zip_entry>{{"a", "1"}, {"b", ""}, {"a", "2"}}, false);
        }) == "two arrays have the name 'a'");
  // Without the flag they are in code page 437, as Python reads them.
  std::string bytes = gp::core::to_zip(std::vector<zip_entry>{{"\xc3\xa9", ""}}, false);
  for (const std::size_t at : {std::size_t{6}, bytes.find("PK\1\2") + 8}) put(bytes, at, 0, 2);
  CHECK(read(bytes).at(0).name == "\xe2\x94\x9c\xe2\x8c\x90");
  // With it they must be UTF-8.
  bytes = gp::core::to_zip(std::vector<zip_entry>{{"\xc3\xa9", ""}}, false);
  for (const std::size_t at : {std::size_t{30}, bytes.find("PK\1\2") + 46}) bytes[at] = '\xe9';
  CHECK_THROWS_AS(read(bytes), gp::value_error);
}

TEST_CASE("local headers that disagree with the directory") {
  const std::string another = "a.npz is damaged: an entry is another than the directory says";
  CHECK(answer([](std::string&, const record_offsets&) {}) == "read");
  CHECK(answer([](std::string& b, const record_offsets& p) { b[p.local[0] + 30] = 'F'; }) == another);
  CHECK(answer([](std::string& b, const record_offsets& p) { b[p.entry[1] + 46] = 'S'; }) == another);
  // Method, checksum and both sizes.
  for (const std::size_t at : {8, 14, 18, 22}) {
    CAPTURE(at);
    CHECK(answer([&](std::string& b, const record_offsets& p) { b[p.local[1] + at] ^= 8; }) == another);
  }
  // Who wrote them before the data knew none of them.
  CHECK(answer([&](std::string& b, const record_offsets& p) {
          put(b, p.local[0] + 6, 8, 2);
          for (const std::size_t at : {14, 18, 22}) put(b, p.local[0] + at, 0, 4);
        }) == "read");
  CHECK(answer([&](std::string& b, const record_offsets& p) { b[p.local[1] + 2] = 5; }) ==
        "a.npz is damaged: an entry is not where the directory says");
}

TEST_CASE("entries that overlap, or are outside of the file") {
  const std::string overlap = "a.npz is damaged: entries overlap",
                    outside = "a.npz is damaged: an entry is outside of it",
                    elsewhere = "a.npz is damaged: an entry is not where the directory says";
  // Two that are the same bytes.
  CHECK(answer([](std::string& b, const record_offsets& p) { put(b, p.entry[1] + 42, p.local[0], 4); }) ==
        overlap);
  // One that goes on into the next, and one into the directory.
  for (const int i : {0, 1}) {
    CAPTURE(i);
    CHECK(answer([&](std::string& b, const record_offsets& p) {
            for (const std::size_t at : {p.local[i] + 18, p.local[i] + 22, p.entry[i] + 20, p.entry[i] + 24})
              put(b, at, number(b, at, 4) + 1, 4);
          }) == overlap);
    CHECK(answer([&](std::string& b, const record_offsets& p) { put(b, p.local[i] + 28, 0xffff, 2); }) ==
          overlap);
    CHECK(answer([&](std::string& b, const record_offsets& p) { put(b, p.local[i] + 26, 0xffff, 2); }) ==
          overlap);
    CHECK(answer([&](std::string& b, const record_offsets& p) { put(b, p.entry[i] + 42, p.end, 4); }) ==
          outside);
    CHECK(answer([&](std::string& b, const record_offsets& p) { put(b, p.entry[i] + 42, 0xfffffffe, 4); }) ==
          outside);
    CHECK(answer([&](std::string& b, const record_offsets& p) {
            put(b, p.entry[i] + 42, p.local[i] + 1, 4);
          }) == elsewhere);
    CHECK(answer([&](std::string& b, const record_offsets& p) {
            put(b, p.entry[i] + 42, p.entry[0] - 1, 4);
          }) == overlap);
  }
  const gp::core::zip_limits zip64{0, 0};
  CHECK(answer(
            [](std::string& b, const record_offsets& p) {
              // The offset in the second entry's field of 64 bits.
              put(b, p.entry[1] + 46 + two[1].name.size() + 20, ~std::uint64_t{0} - 40, 8);
            },
            false, zip64) == outside);
  CHECK(answer(
            [](std::string& b, const record_offsets& p) {
              put(b, p.entry[1] + 46 + two[1].name.size() + 12, ~std::uint64_t{0} - 40, 8);
            },
            false, zip64) == overlap);
}

TEST_CASE("what is inflated has the size that it should have, and no byte more or less") {
  std::string noise;
  for (unsigned i = 0, x = 1; i < 5000; ++i) noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  for (const std::string& bytes :
       {std::string(), std::string("x"), std::string(300, 'x'), noise, std::string(100000, 'x')}) {
    const std::size_t size = bytes.size();
    CAPTURE(size);
    const std::string packed = gp::core::deflate(bytes);
    CHECK(gp::core::inflate(packed, size) == bytes);
    CHECK_THROWS_AS((void)gp::core::inflate(packed, size + 1), gp::value_error);
    if (size > 0) CHECK_THROWS_AS((void)gp::core::inflate(packed, size - 1), gp::value_error);
    CHECK_THROWS_AS((void)gp::core::inflate(packed.substr(0, packed.size() - 1), size), gp::value_error);
  }
}

TEST_CASE("directories that are damaged") {
  const auto is_damaged = [](const std::function<void(std::string&, const record_offsets&)>& change,
                             bool zip64 = false) {
    return answer(change, false, zip64 ? gp::core::zip_limits{0, 0} : gp::core::zip_limits{})
        .starts_with("a.npz ");
  };
  for (const std::uint64_t count : {0, 1, 3, 0xffff}) {
    CAPTURE(count);
    CHECK(is_damaged([&](std::string& b, const record_offsets& p) { put(b, p.end + 10, count, 2); }));
  }
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xfffffff0}}) {
    CAPTURE(size);
    CHECK(is_damaged([&](std::string& b, const record_offsets& p) { put(b, p.end + 12, size, 4); }));
  }
  CHECK(is_damaged([&](std::string& b, const record_offsets& p) { put(b, p.end + 16, p.end, 4); }));
  CHECK(is_damaged([&](std::string& b, const record_offsets& p) { put(b, p.end + 16, p.entry[0] - 1, 4); }));
  CHECK(is_damaged([&](std::string& b, const record_offsets& p) { b[p.entry[1]] = 'Q'; }));
  for (const std::size_t length : {28, 30, 32}) {
    CAPTURE(length);
    CHECK(
        is_damaged([&](std::string& b, const record_offsets& p) { put(b, p.entry[1] + length, 0xfff, 2); }));
  }
  CHECK(answer([](std::string& b, const record_offsets& p) { put(b, p.end + 16, p.end, 4); }) ==
        "a.npz is damaged: its directory is not where it should be");
  CHECK(answer([](std::string& b, const record_offsets& p) { ++b[p.local[0] + 30 + two[0].name.size()]; }) ==
        "a.npz is damaged: a checksum is wrong");
  CHECK(answer([](std::string& b, const record_offsets& p) { ++b[p.local[0] + 50]; }, true)
            .starts_with("a.npz "));
  // The length of a field that has numbers of 64 bits: longer than all fields, and too short for the numbers.
  for (const std::uint64_t length : {25, 23, 8}) {
    CAPTURE(length);
    const auto shorten = [&](std::string& b, const record_offsets& p) {
      put(b, p.entry[0] + 46 + two[0].name.size() + 2, length, 2);
    };
    CHECK(answer(shorten, false, {0, 0}) == "a.npz is damaged: an extra field is cut off");
  }
  // Encrypted, encrypted otherwise, a patch; another method.
  for (const int flag : {1, 1 << 5, 1 << 6}) {
    CAPTURE(flag);
    CHECK(is_damaged([&](std::string& b, const record_offsets& p) {
      put(b, p.entry[0] + 8, static_cast<unsigned>(flag), 2);
    }));
  }
  CHECK(is_damaged([&](std::string& b, const record_offsets& p) { put(b, p.entry[0] + 10, 12, 2); }));
  // The record of 64 bits and what says where it is.
  for (const std::size_t back : {20 + 56, 20, 16, 4}) {
    CAPTURE(back);
    CHECK(is_damaged([&](std::string& b, const record_offsets& p) { b[p.end - back] ^= 2; }, true));
  }
  for (const std::size_t field : {32, 40, 48}) {
    CAPTURE(field);
    CHECK(is_damaged(
        [&](std::string& b, const record_offsets& p) { put(b, p.end - 76 + field, ~std::uint64_t{0}, 8); },
        true));
  }
  for (const std::size_t kept : {3u, 21u, 22u, 30u, 90u, 200u}) {
    CAPTURE(kept);
    CHECK(is_damaged([&](std::string& b, const record_offsets&) { b = b.substr(b.size() - kept); }));
    CHECK(is_damaged([&](std::string& b, const record_offsets&) { b = b.substr(b.size() - kept); }, true));
  }
}
