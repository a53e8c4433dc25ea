// .npy files by their headers: what NumPy reads is read, and what it refuses is refused.
#include <fstream>

#include <gparray/files.hpp>

#include "support/table.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;

namespace {

struct folder : temporary_folder {
  std::string file(int version, const std::string& header, std::string_view elements, char minor = 0) const {
    const std::string path = (this->path / "a.npy").string();
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += minor;
    for (int i = 0; i < (version < 2 ? 2 : 4); ++i)
      bytes += static_cast<char>(header.size() >> (8 * i) & 255);
    std::ofstream(path, std::ios::binary) << bytes + header << elements;
    return path;
  }
};

/// What the rows of npy_headers.tsv have behind every header: the bytes from 1 to 96.
std::string counted_bytes() {
  std::string bytes;
  for (char i = 1; i <= 96; ++i) bytes += i;
  return bytes;
}

std::string unescaped(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') bytes += text[i];
    else {
      bytes += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    }
  }
  return bytes;
}

/// An array as a row has it, or "refused"; any other exception than value_error fails the test.
std::vector<std::string> read(const std::string& file) {
  try {
    const gp::any_array a = gp::load(file);
    std::string bytes;
    for (const std::uint8_t byte : gp::tobytes(a))
      for (const int digit : {byte >> 4, byte & 15}) bytes += "0123456789abcdef"[digit];
    return {std::string(gp::name(a.dtype())), golden::spelled(a.shape()), bytes};
  } catch (const gp::value_error& e) {
    CHECK(std::string_view(e.what()).starts_with(file));
    return {"refused", "", ""};
  }
}

const std::string plain = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";

}  // namespace

TEST_CASE_FIXTURE(folder, "headers that NumPy reads, and those that it refuses") {
  const std::string elements = counted_bytes();
  for (const auto& [key, row] : golden::read_table("files/npy_headers.tsv", 4)) {
    CAPTURE(key);
    const std::string header = unescaped(key.substr(2));
    CHECK(read(file(key[0] - '0', header, elements)) == std::vector(row.begin() + 1, row.end()));
  }
}

TEST_CASE_FIXTURE(folder, "headers of more than 10,000 characters are refused, as NumPy does") {
  const auto is_read = [&](int version, const std::string& header) {
    return read(file(version, header, counted_bytes()))[0] != "refused";
  };
  CHECK(is_read(1, plain + std::string(10000 - plain.size(), ' ')));
  CHECK(!is_read(1, plain + std::string(10001 - plain.size(), ' ')));
  CHECK(!is_read(2, plain + std::string(100001, ' ')));
  // Characters count, which in version 3 are of several bytes.
  std::string characters = plain + "#";
  for (std::size_t i = plain.size() + 1; i < 10000; ++i) characters += "\xe2\x82\xac";
  CHECK(is_read(3, characters));
  CHECK(!is_read(3, characters + "\n"));
  CHECK(!is_read(2, characters));
}

TEST_CASE_FIXTURE(folder, "text of version 3 is UTF-8") {
  const auto is_read = [&](const std::string& comment) {
    return read(file(3, plain + "#" + comment, counted_bytes()))[0] != "refused";
  };
  for (const char* good : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(good);
    CHECK(is_read(good));
  }
  for (const char* bad : {"\xe9", "\xc3", "\xc0\x80", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82", "\xe2\x28\xa1"}) {
    CAPTURE(bad);
    CHECK(!is_read(bad));
  }
}

TEST_CASE_FIXTURE(folder, "files that are no .npy, and arrays that this library does not have") {
  const std::string elements = counted_bytes();
  CHECK(read(file(1, plain, elements, 1))[0] == "refused");
  CHECK(read(file(1, plain, elements.substr(0, 5)))[0] == "refused");
  const auto text = [&](const std::string& header) {
    try {
      gp::load(file(1, header, elements));
    } catch (const gp::value_error& e) {
      return std::string(e.what()).substr((path / "a.npy").string().size());
    }
    return std::string();
  };
  CHECK(text("{'descr': '<i2', 'fortran_order': Truee, 'shape': (3,)}") ==
        ": Cannot parse header (a name at character 35): {'descr': '<i2', 'fortran_order': Truee, 'shape': "
        "(3,)}");
  CHECK(text("{'descr': '<i2', 'shape': (3,)}") ==
        ": Header does not contain the correct keys: {'descr': '<i2', 'shape': (3,)}");
  CHECK(text("{'descr': '|O', 'fortran_order': False, 'shape': (3,)}") ==
        ": arrays of dtype '|O' are not supported");
  CHECK(text("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': ()}")
            .starts_with(": arrays of records are not supported"));
  std::string deep = "(";
  for (int i = 0; i < 33; ++i) deep += "1,";
  CHECK(text("{'descr': '<i2', 'fortran_order': False, 'shape': " + deep + ")}") ==
        ": arrays of 33 dimensions are not supported, the limit is 32");
}
