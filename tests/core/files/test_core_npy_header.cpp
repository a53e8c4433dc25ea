// Texts in .npy files, as SciPy keeps a sparse matrix's format in them.
#include <core/files/npy_header.hpp>
#include <core/files/python_literal.hpp>
#include <gparray/error.hpp>

#include "support/error_text.hpp"

namespace {

std::string text_of(const std::string& descr, std::string_view bytes, const std::string& shape = "()") {
  const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string file("\x93NUMPY\1\0", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return gparray::core::text_of_npy((file + header).append(bytes), "f.npz");
}

using namespace std::string_view_literals;

}  // namespace

TEST_CASE("texts of one and of four bytes a character") {
  CHECK(text_of("|S3", "csr") == "csr");
  CHECK(text_of("S3", "csrx") == "csr");
  CHECK(text_of("|S5", "dia\0\0"sv) == "dia");
  CHECK(text_of("<U3", "c\0\0\0o\0\0\0o\0\0\0"sv) == "coo");
  CHECK(text_of(">U3", "\0\0\0c\0\0\0s\0\0\0c"sv) == "csc");
  CHECK(text_of("|S3", "csr", "(1,)") == "csr");
  CHECK(text_of("|S0", "") == "");
}

TEST_CASE("what is no text, or not one") {
  const auto refusal = [](const std::string& descr, std::string_view bytes, const std::string& shape) {
    return error_of<gparray::value_error>([&] { text_of(descr, bytes, shape); });
  };
  CHECK(refusal("<i4", "\1\0\0\0"sv, "()") == "f.npz: text is expected, and not an array of dtype '<i4'");
  CHECK(refusal("|S", "csr", "()") == "f.npz: text is expected, and not an array of dtype '|S'");
  CHECK(refusal("|S3", "csrcsr", "(2,)") == "f.npz: one text is expected, and not an array of them");
  CHECK(refusal("|S3", "", "(0,)") == "f.npz: one text is expected, and not an array of them");
  CHECK(refusal("|S4", "csr", "()") == "f.npz: EOF: reading array data");
  CHECK(refusal("<U1", "abc", "()") == "f.npz: EOF: reading array data");
  CHECK(refusal("<U1", "ab\0\0"sv, "()") == "f.npz: text of other characters than ASCII is not expected");
  CHECK(refusal("|S9223372036854775807", "csr", "()") == "f.npz: EOF: reading array data");
  // The word alone is no header.
  CHECK(error_of<gparray::value_error>([] { gparray::core::text_of_npy("\ncsr", "f.npz"); }) ==
        "f.npz is not a .npy file: the magic string is not correct");
}

TEST_CASE("both ends of each range of characters in a literal") {
  using gparray::core::parse_python_literal;
  const auto refusal = [](const std::string& source) {
    return error_of<gparray::value_error>([&] { parse_python_literal(source, false); });
  };
  for (const char c : "09AZaz_\x80\xff"sv) {
    CAPTURE(c);
    CHECK(refusal(std::string("True") + c) == "a name at character 1");
    if (c != '_' && (c > '9' || c < '0'))
      CHECK(refusal(std::string("1") + c) == "an invalid number at character 2");
  }
  for (const char c : "/:@[^`{\x7f"sv) {
    CAPTURE(c);
    CHECK(refusal(std::string("True") + c) == "more than one value at character 5");
  }
  CHECK(parse_python_literal("0x09afAF", false).number == 0x09afAF);
  CHECK(parse_python_literal("0o07", false).number == 7);
  CHECK(parse_python_literal("0x_1_f", false).number == 31);
  CHECK(parse_python_literal("1_0", false).number == 10);
  CHECK(refusal("1__0") == "a stray underscore at character 3");
  CHECK(refusal("0x__1") == "a missing digit at character 4");
  CHECK(refusal("1._5") == "an invalid number at character 3");
  CHECK(refusal("1e_5") == "an invalid number at character 2");
  CHECK(refusal("1e-_5") == "an invalid number at character 2");
  CHECK(parse_python_literal("0b01", false).number == 1);
  for (const char* const beyond : {"0xg", "0xG", "0x/", "0x:", "0x@", "0x`", "0o8", "0o/", "0b2", "0b/"})
    CHECK(refusal(beyond) == "a missing digit at character 3");
}

TEST_CASE("bytes end with ASCII, raw or not, behind a backslash or not") {
  using gparray::core::parse_python_literal;
  for (const std::string before : {"b'", "b'\\", "rb'", "rb'\\"}) {
    CAPTURE(before);
    CHECK_NOTHROW(parse_python_literal(before + "\x7f'", false));
    for (const char beyond : "\x80\xff"sv)
      CHECK(error_of<gparray::value_error>([&] {
              parse_python_literal(before + beyond + "'", false);
            }).starts_with("bytes that are no ASCII"));
  }
  for (const std::string before : {"'", "r'", "r'\\"})
    CHECK_NOTHROW(parse_python_literal(before + "\x80'", false));
}

TEST_CASE("integers on both sides of the largest that a literal keeps") {
  using gparray::core::parse_python_literal;
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  for (const char* const text : {"9223372036854775807", "+9223372036854775807", "0x7fffffffffffffff"}) {
    CAPTURE(text);
    CHECK(parse_python_literal(text, false).fits);
    CHECK(parse_python_literal(text, false).number == largest);
  }
  CHECK(parse_python_literal("-9223372036854775807", false).fits);
  CHECK(parse_python_literal("-9223372036854775807", false).number == -largest);
  for (const char* const text : {"9223372036854775808", "-9223372036854775808", "0x8000000000000000"})
    CHECK_FALSE(parse_python_literal(text, false).fits);
  using kind = gparray::core::python_literal::kind;
  CHECK(parse_python_literal("1 - 2j", false).type == kind::complex);
  CHECK(parse_python_literal("-9223372036854775808 + 2j", false).type == kind::complex);
}
