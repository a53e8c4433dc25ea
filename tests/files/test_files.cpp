// Files of arrays: what NumPy wrote is read, and what is written here is byte for byte what NumPy writes.
#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <sstream>

#include <gparray/files.hpp>

#include "support/golden.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_path.hpp"

namespace gp = gparray;
using i64 = std::int64_t;
using c128 = std::complex<double>;

namespace {

struct folder : temporary_folder {
  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(path / name, std::ios::binary).rdbuf();
    return text.str();
  }
};

/// What NumPy writes: a description, filled with spaces to 128 bytes, and elements.
std::string npy(const std::string& description, const std::string& elements) {
  std::string head = std::string("\x93NUMPY\x01\x00v\x00", 10) + description;
  head.append(127 - head.size(), ' ');
  return head + "\n" + elements;
}

/// The bytes that a GOLDEN case has for the elements of an array.
std::string bytes(const std::string& hexadecimal) {
  std::string result;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2)
    result += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  return result;
}

const double NaN = std::nan("");

}  // namespace

TEST_CASE_FIXTURE(folder, "npy files") {
  const auto a = gp::array<float>({{1, 2, 3}, {4, 5, 6}});
  gp::save(file("a.npy"), a);
  const std::string expected = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                   bytes("0000803f0000004000004040000080400000a0400000c040"));
  CHECK((read("a.npy") == expected));
  const gp::any_array loaded = gp::load(file("a.npy"));
  CHECK(loaded.dtype() == gp::dtype::float32);
  CHECK(gp::array_equal(gp::ndarray<float>(loaded), a));
  CHECK(gp::load<i64>(file("a.npy")).to_vector() == std::vector<i64>{1, 2, 3, 4, 5, 6});
  gp::save(file("t"), a.T());  // the ending is added, Fortran order kept
  CHECK((read("t.npy") == npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }",
                              bytes("0000803f0000004000004040000080400000a0400000c040"))));
  CHECK(gp::array_equal(gp::load<float>(file("t.npy")), a.T()));
  gp::save(file("v.npy"), gp::array<std::int8_t>({-1, 2})(gp::slice(gp::none, gp::none, -1)));
  CHECK((read("v.npy") == npy("{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }", "\x02\xff")));
  gp::save(file("n.npy"), gp::array(c128(1, -2)));
  CHECK((read("n.npy") == npy("{'descr': '<c16', 'fortran_order': False, 'shape': (), }",
                              bytes("000000000000f03f00000000000000c0"))));
  CHECK(gp::load<c128>(file("n.npy")).item() == c128(1, -2));
  gp::save(file("e.npy"), gp::zeros<bool>({0, 3}));
  CHECK(gp::load(file("e.npy")).shape() == gp::dims{0, 3});
  gp::save(file("b.npy"), gp::array<gp::bfloat16>({1.5f}));
  CHECK(static_cast<float>(gp::load<gp::bfloat16>(file("b.npy")).item(0)) == 1.5f);
}

TEST_CASE_FIXTURE(folder, "npy files of the other byte order, of later versions, and damaged ones") {
  write("big.npy",
        npy("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }", bytes("00000001fffffffe")));
  CHECK(gp::load<std::int32_t>(file("big.npy")).to_vector() == std::vector<std::int32_t>{1, -2});
  std::string second =
      npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", "\x01").append(1, '\0');
  second[6] = 2;
  second.insert(10, 2, '\0');  // four bytes of length
  write("second.npy", second);
  CHECK(gp::load<bool>(file("second.npy")).to_vector() == std::vector<bool>{true, false});
  CHECK_THROWS_AS(gp::load(file("missing.npy")), gp::os_error);
  CHECK_THROWS_AS(gp::load(write("text.npy", "1 2 3")), gp::value_error);
  CHECK_THROWS_AS(gp::load(write("cut.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
                                                "12345678"))),
                  gp::value_error);
  CHECK_THROWS_AS(
      gp::load(
          write("objects.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "12345678"))),
      gp::value_error);
  CHECK_THROWS_AS(
      gp::load(
          write("shape.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", "12345678"))),
      gp::value_error);
  CHECK_THROWS_AS(gp::save("/nowhere/at/all.npy", gp::zeros(1)), gp::os_error);
  std::string longer = npy("{'descr': '<f8'", "");
  longer[8] = '\xff';
  longer[9] = '\xff';
  CHECK_THROWS_AS(gp::load(write("longer.npy", longer)), gp::value_error);
}

TEST_CASE_FIXTURE(folder, "npz files") {
  const auto x = gp::arange<double>(5);
  const auto y = gp::array({{1, 2}, {3, 4}});
  gp::savez(file("m"), {{"x", x}, {"y", y}});
  const gp::named_arrays loaded = gp::load_npz(file("m.npz"));
  REQUIRE(loaded.size() == 2);
  CHECK(gp::array_equal(gp::ndarray<double>(loaded.at("x")), x));
  CHECK_THROWS_AS(loaded["z"], gp::index_error);
  CHECK(gp::array_equal(gp::ndarray<i64>(loaded.at("y")), y));
  const auto noise = gp::random::default_rng(1).random(3000);
  gp::savez_compressed(file("c"),
                       {{"flat", gp::zeros({300, 300})}, {"noise", noise}, {"empty", gp::zeros(0)}});
  const gp::named_arrays packed = gp::load_npz(file("c.npz"));
  CHECK(gp::array_equal(gp::ndarray<double>(packed.at("flat")), gp::zeros({300, 300})));
  CHECK(gp::array_equal(gp::ndarray<double>(packed.at("noise")), noise));
  CHECK(packed.at("empty").size() == 0);
  CHECK(read("c.npz").size() < 3000 * 10 + 720000 / 100);
  std::string damaged = read("m.npz");
  damaged[damaged.find("NUMPY") + 130] ^= 1;
  CHECK_THROWS_AS(gp::load_npz(write("damaged.npz", damaged)), gp::value_error);
  CHECK_THROWS_AS(gp::load_npz(write("cut.npz", damaged.substr(60))), gp::value_error);
  CHECK_THROWS_AS(gp::load_npz(write("no.npz", "no archive")), gp::value_error);
}

TEST_CASE_FIXTURE(folder, "npz files of arrays that are read piece by piece") {
  // Around the first bytes that are read for the header, and around pieces.
  for (const i64 n : {7000, 8175, 8176, 8177, 16'384, 16'385, 32'752, 100'003}) {
    CAPTURE(n);
    const auto x = gp::arange<double>(n), y = gp::arange<double>(2 * n).reshape({2, n});
    gp::savez(file("m"),
              {{"x", x}, {"none", gp::zeros({0, 3})}, {"columns", y.T()}, {"small", gp::arange(3)}});
    const gp::named_arrays loaded = gp::load_npz(file("m.npz"));
    REQUIRE(loaded.size() == 4);
    CHECK(gp::array_equal(gp::ndarray<double>(loaded.at("x")), x));
    CHECK(loaded.at("none").shape() == gp::dims{0, 3});
    CHECK(gp::array_equal(gp::ndarray<double>(loaded.at("columns")), y.T()));
    CHECK(gp::array_equal(gp::ndarray<i64>(loaded.at("small")), gp::arange(3)));
    // The first element, one in between and the last one.
    const std::string whole = read("m.npz");
    const std::size_t elements = whole.find("NUMPY") - 1 + 128, bytes = static_cast<std::size_t>(n) * 8;
    for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) {
      std::string damaged = whole;
      damaged[elements + at] ^= 1;
      CHECK_THROWS_AS(gp::load_npz(write("damaged.npz", damaged)), gp::value_error);
    }
    CHECK_THROWS_AS(gp::load_npz(write("cut.npz", whole.substr(0, whole.size() - 30))), gp::value_error);
  }
}

TEST_CASE_FIXTURE(folder, "npz files that NumPy wrote, compressed and not") {
  const std::string data = test_path("files/");
  for (const char* name : {"stored.npz", "compressed.npz"}) {
    CAPTURE(name);
    const gp::named_arrays arrays = gp::load_npz(data + name);
    REQUIRE(arrays.size() == 3);
    CHECK(gp::array_equal(gp::ndarray<i64>(arrays.at("squares")), gp::square(gp::arange(2000))));
    CHECK(gp::array_equal(gp::ndarray<float>(arrays.at("ones")), gp::ones<float>({30, 40})));
    CHECK(gp::ndarray<bool>(arrays.at("flags")).to_vector() == std::vector<bool>{true, false, true});
  }
}

TEST_CASE_FIXTURE(folder, "savetxt") {
  gp::savetxt(file("a.txt"), gp::array({{1., .1}, {-3e10, 1e-300}}));
  CHECK(read("a.txt") ==
        "1.000000000000000000e+00 1.000000000000000056e-01\n-3.000000000000000000e+10 "
        "1.000000000000000025e-300\n");
  gp::savetxt(file("b.txt"), gp::arange(3), {.fmt = "%d", .header = "n\nm", .footer = "end"});
  CHECK(read("b.txt") == "# n\n# m\n0\n1\n2\n# end\n");
  gp::savetxt(file("c.txt"), gp::array<c128>({c128(1, 2), c128(3, -4)}), {.fmt = "%.1f", .newline = ";"});
  CHECK(read("c.txt") == " (1.0+2.0j); (3.0-4.0j);");
  gp::savetxt(file("d.txt"), gp::array({{1.9, 2.}}), {.fmt = "%3d|", .delimiter = ","});
  CHECK(read("d.txt") == "  1|,  2|\n");
  for (const char* wrong : {"%s", "%d %d", "none", "%n", "%*d", "%"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(gp::savetxt(file("e.txt"), gp::arange(3), {.fmt = wrong}), gp::value_error);
  }
  CHECK_THROWS_WITH_AS(gp::savetxt(file("e.txt"), gp::zeros({2, 2, 2})),
                       "Expected 1D or 2D array, got 3D array instead", gp::value_error);
  CHECK(read("e.txt").empty());
}

TEST_CASE_FIXTURE(folder, "loadtxt") {
  const std::string a = write("a.txt", "# x y\n1 2.5\n-3e2 nan  # last\n\n");
  CHECK(golden::bytes_of(gp::loadtxt(a)) == golden::bytes_of(gp::array({{1., 2.5}, {-300., NaN}})));
  const std::string b = write("b.csv", "1,2,3\r\n4,5,6\r\n");
  CHECK(gp::array_equal(gp::loadtxt<i64>(b, {.delimiter = ","}), gp::array({{1, 2, 3}, {4, 5, 6}})));
  CHECK(gp::array_equal(gp::loadtxt<i64>(b, {.delimiter = ",", .skiprows = 1, .usecols = {-1, 0}}),
                        gp::array({6, 4})));
  CHECK(gp::array_equal(gp::loadtxt<float>(b, {.delimiter = ",", .unpack = true, .max_rows = 1}),
                        gp::array<float>({1, 2, 3})));
  CHECK(gp::loadtxt(write("c.txt", "1\n2\n3")).shape() == gp::dims{3});
  CHECK(gp::loadtxt(file("c.txt"), {.ndmin = 2}).shape() == gp::dims{3, 1});
  CHECK(gp::loadtxt(write("d.txt", "7")).shape() == gp::dims{});
  CHECK(gp::loadtxt(write("e.txt", "")).shape() == gp::dims{0});
  CHECK(gp::loadtxt<c128>(write("f.txt", "(1+2j) 3-4j 5j")).to_vector() ==
        std::vector<c128>{c128(1, 2), c128(3, -4), c128(0, 5)});
  CHECK_THROWS_WITH_AS(gp::loadtxt(write("g.txt", "1 2\n3")),
                       "the number of columns changed from 2 to 1 at row 2; use `usecols` to select a subset "
                       "and avoid this error",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::loadtxt(write("h.txt", "1 x\n3 4")),
                       "could not convert string 'x' to float64 at row 0, column 2.", gp::value_error);
  CHECK_THROWS_WITH_AS(gp::loadtxt<i64>(write("i.txt", "1.5 2")),
                       "could not convert string '1.5' to int64 at row 0, column 1.", gp::value_error);
  CHECK_THROWS_WITH_AS(gp::loadtxt(b, {.delimiter = ",", .usecols = {5}}),
                       "invalid column index 5 at row 1 with 3 columns", gp::value_error);
  CHECK_THROWS_AS(gp::loadtxt(file("missing.txt")), gp::os_error);
  const std::string j = write("j.csv", "1,,3\n4,x,6\n");
  CHECK(golden::bytes_of(gp::genfromtxt(j, {.delimiter = ","})) ==
        golden::bytes_of(gp::array({{1., NaN, 3.}, {4., NaN, 6.}})));
  CHECK(gp::genfromtxt<i64>(j, {.delimiter = ",", .skip_footer = 1, .filling_values = -1}).to_vector() ==
        std::vector<i64>{1, -1, 3});
  CHECK_THROWS_AS(gp::genfromtxt(write("k.csv", "1,2\n3"), {.delimiter = ","}), gp::value_error);
}

TEST_CASE_FIXTURE(folder, "bytes, strings and iterators") {
  gp::tofile(gp::array<std::int16_t>({1, 2, 258}), file("a.bin"));
  CHECK(read("a.bin") == std::string("\x01\x00\x02\x00\x02\x01", 6));
  CHECK(gp::fromfile<std::int16_t>(file("a.bin")).to_vector() == std::vector<std::int16_t>{1, 2, 258});
  CHECK(gp::fromfile<std::int16_t>(file("a.bin"), {.count = 1, .offset = 2}).item() == 2);
  CHECK_THROWS_AS(gp::fromfile(file("a.bin"), {.offset = 7}), gp::value_error);
  gp::tofile(gp::array({1.5, -2.}), file("a.txt"), ", ");
  CHECK(read("a.txt") == "1.5, -2");
  CHECK(gp::fromfile(file("a.txt"), {.sep = ","}).to_vector() == std::vector<double>{1.5, -2});
  CHECK(gp::fromstring("1, 2,3", -1, ",").to_vector() == std::vector<double>{1, 2, 3});
  CHECK(gp::fromstring<i64>(" 4 5\n6 ", 2).to_vector() == std::vector<i64>{4, 5});
  CHECK_THROWS_WITH_AS(gp::fromstring("1 2 x"),
                       "string or file could not be read to its end due to unmatched data", gp::value_error);
  CHECK(gp::fromiter<double>(std::views::iota(0, 4)).to_vector() == std::vector<double>{0, 1, 2, 3});
  CHECK(gp::fromiter<i64>(std::views::iota(5), 2).to_vector() == std::vector<i64>{5, 6});
  CHECK_THROWS_WITH_AS(gp::fromiter<double>(std::vector{1, 2}, 5),
                       "iterator too short: Expected 5 but iterator had only 2 items.", gp::value_error);
}
