// ElementwiseKernel and ReductionKernel up to the compiler: the mini-language, dtypes, merged dimensions, the
// division of work, and what is asked of the compiler.
#include <string>

#include <doctest/doctest.h>

#include <core/array/array_rep.hpp>
#include <core/kernels/user_kernel_source.hpp>
#include <core/kernels/user_reduction_geometry.hpp>
#include <gparray/gparray.hpp>
#include <kernel/user_kernel.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
namespace core = gparray::core;
using gp::dtype;

namespace {

core::kernel_signature parse(const std::string& inputs, const std::string& outputs = "T z") {
  return core::parse_signature("ElementwiseKernel", "test", inputs, outputs);
}

std::string parse_error(const std::string& inputs, const std::string& outputs = "T z") {
  return error_of<gp::value_error>([&] { parse(inputs, outputs); });
}

core::kernel_types bind(const core::kernel_signature& s, std::vector<gp::detail::argument> inputs,
                        std::vector<gp::any_array> outputs = {}) {
  return core::bind_types(s, inputs, outputs);
}

core::bound_operand strided(gp::dims strides, dtype type = dtype::float32) {
  core::bound_operand o;
  o.form = core::operand_form::strided;
  o.type = type;
  o.writable = false;
  o.strides = strides;
  return o;
}

/// What the compiler is asked for a source without a line of its own.
core::compile_request request_with(const std::vector<std::string>& options) {
  const auto s = parse("float32 x", "float32 z");
  const auto text =
      core::elementwise_text{.operation = "z = x", .preamble = "", .loop_prep = "", .after_loop = ""};
  const auto v = core::simplest_variant(s, {.parameters = {dtype::float32, dtype::float32}});
  return core::kernel_request(s, core::elementwise_source(s, text, v), options);
}

}  // namespace

TEST_CASE("parameters: dtypes, placeholders, raw, const") {
  const core::kernel_signature s =
      parse("T x, raw float32 table ,\n const int64 shift, _non_const Value v", "T z");
  REQUIRE(s.inputs.size() == 4);
  CHECK(s.inputs[0].placeholder == "T");
  CHECK(s.inputs[0].name == "x");
  CHECK_FALSE(s.inputs[0].writable);
  CHECK(s.inputs[1].raw);
  CHECK(s.inputs[1].type == dtype::float32);
  CHECK(s.inputs[2].type == dtype::int64);
  CHECK(s.inputs[3].placeholder == "Value");
  CHECK(s.inputs[3].writable);
  CHECK(s.outputs[0].writable);
  CHECK_FALSE(s.is_concrete());
  CHECK(parse("", "bool z").is_concrete());
  CHECK(parse("", "").size() == 0);
}

TEST_CASE("errors of the parameter list show where") {
  CHECK(parse_error("T x, float y") ==
        "ElementwiseKernel 'test': unknown type 'float'; types are NumPy's: float32\n"
        "  T x, float y\n"
        "       ^~~~~");
  CHECK(parse_error("T x, U", "T z") ==
        "ElementwiseKernel 'test': a parameter is a type and a name, as in 'float32 x', 'T x' or 'raw T x'\n"
        "  T x, U\n"
        "       ^");
  CHECK(parse_error("T x", "T y,\n  raw T x") ==
        "ElementwiseKernel 'test': there are two parameters of the name x\n"
        "    raw T x\n"
        "    ^~~~~~~");
  const auto says = [](const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != text.npos, text);
  };
  says(parse_error("raw const crude T x"),
       "unknown keyword 'crude'; before the type may stand raw, const or _non_const");
  says(parse_error("T x", "const T z"),
       "unknown keyword 'const'; before the type may stand raw\n  const T z\n  ^~~~~");
  says(parse_error("T i"), "i and n have a meaning");
  says(parse_error("T x, T class"),
       "'class' is a word of C++, and no name of a parameter\n  T x, T class\n         ^");
  says(parse_error("T _x"), "names that begin with _");
  says(parse_error("T 3x"), "'3x' is no name of a parameter");
  says(parse_error("flot32 x"), "unknown type 'flot32'; a type is a dtype");
  says(parse_error("T x, , T y"), "a parameter is missing here");
  says(parse_error("T x,"), "a parameter is missing here\n  T x,\n     ^");
  CHECK(error_of<gp::value_error>([] { core::parse_signature("ReductionKernel", "a b", "T x", "T y"); }) ==
        "ReductionKernel: 'a b' is no name of a kernel");
}

TEST_CASE("dtypes: arrays decide, numbers follow") {
  const auto array = [](const gp::any_array& a) { return gp::detail::kernel_argument(a); };
  const gp::ndarray<float> f = gp::zeros<float>({2});
  const gp::ndarray<double> d = gp::zeros<double>({2});
  const auto s = parse("T x, U y", "T z, U w");
  auto t = bind(s, {array(f), array(d)});
  CHECK(t.parameters == std::vector<dtype>{dtype::float32, dtype::float64, dtype::float32, dtype::float64});
  CHECK(bind(s, {array(f), gp::detail::kernel_argument(3)}).parameters[1] == dtype::int32);
  CHECK(bind(s, {gp::detail::kernel_argument(3), array(d)}, {f, d}).parameters[0] == dtype::float32);
  const auto two = parse("T x, T y");
  CHECK(bind(two, {gp::detail::kernel_argument(2.5), array(f)}).parameters[0] == dtype::float32);
  CHECK(bind(two, {gp::detail::kernel_argument(2), gp::detail::kernel_argument(2.5)}).parameters[0] ==
        dtype::float64);

  CHECK(error_of<gp::type_error>([&] { bind(two, {array(f), array(d)}); }) ==
        "ElementwiseKernel 'test': T is float32 for x and float64 for y; convert one of them with astype\n"
        "  T x, T y\n"
        "       ^~~");
  CHECK(error_of<gp::type_error>([&] {
          bind(two, {array(f), array(f)}, {d});
        }).find("T is float64 for z and float32 for x") != std::string::npos);
  CHECK(error_of<gp::type_error>([&] {
          bind(parse("int32 x"), {array(f)}, {f});
        }).find("x is an array of float32, and the kernel takes int32") != std::string::npos);
  CHECK(error_of<gp::type_error>([&] {
          bind(parse("T x", "S z"), {array(f)});
        }).find("no argument says what S is") != std::string::npos);
}

TEST_CASE("numbers become elements of the parameter's dtype, or say why not") {
  const auto s = parse("T x");
  const auto convert = [&](auto value, dtype to) {
    return core::kernel_scalar(s, 0, gp::detail::kernel_argument(value), to);
  };
  const auto as = [&]<class V>(V, const core::scalar_bits& bits) {
    V value;
    std::memcpy(&value, bits.bytes, sizeof value);
    return value;
  };
  CHECK(as(0.f, convert(3, dtype::float32)) == 3.f);
  CHECK(as(std::int8_t{}, convert(-128, dtype::int8)) == -128);
  CHECK(as(std::uint64_t{}, convert(~std::uint64_t{0}, dtype::uint64)) == ~std::uint64_t{0});
  CHECK(as(std::complex<double>{}, convert(1.5, dtype::complex128)) == 1.5);
  CHECK(as(std::int32_t{}, convert(true, dtype::int32)) == 1);
  for (auto overflow : {128, -129})
    CHECK(error_of<gp::overflow_error>([&] {
            convert(overflow, dtype::int8);
          }).find("out of bounds for int8\n  T x\n  ^~~") != std::string::npos);
  CHECK(error_of<gp::overflow_error>([&] { convert(-1, dtype::uint64); }) != "no error");
  CHECK(error_of<gp::overflow_error>([&] { convert(~std::uint64_t{0}, dtype::int64); }) != "no error");
  CHECK(error_of<gp::type_error>([&] {
          convert(1.5, dtype::int32);
        }).find("the number for x is float64, which int32 does not hold") != std::string::npos);
  CHECK(error_of<gp::type_error>([&] { convert(1, dtype::bool_); }) != "no error");
}

TEST_CASE("dimensions merge where every operand goes on") {
  gp::dims shape{2, 1, 3, 4};
  auto a = strided({48, 48, 16, 4}), b = strided({48, 0, 16, 4});
  CHECK(core::merge_dimensions(shape, {&a, &b}, 0, 4) == 1);
  CHECK(shape == gp::dims{24});
  CHECK(a.strides == gp::dims{4});

  shape = {2, 3, 4};
  a = strided({48, 16, 4});
  b = strided({0, 16, 4});  // broadcast along the first
  CHECK(core::merge_dimensions(shape, {&a, &b}, 0, 3) == 2);
  CHECK(shape == gp::dims{2, 12});
  CHECK(b.strides == gp::dims{0, 4});

  shape = {2, 3, 4};
  a = strided({48, 16, 4});
  CHECK(core::merge_dimensions(shape, {&a}, 1, 3) == 1);
  CHECK(shape == gp::dims{2, 12});

  shape = {1, 1};
  a = strided({4, 4});
  CHECK(core::merge_dimensions(shape, {&a}, 0, 2) == 1);
  CHECK(shape == gp::dims{1});
}

TEST_CASE("every element is in exactly one chunk, and threads and lanes are powers of two") {
  for (const std::int64_t length : {0L, 1L, 2L, 3L, 31L, 255L, 256L, 257L, 10007L, 1000003L, 100000000L})
    for (const std::int64_t outputs : {1L, 2L, 33L, 1000L, 1000000L})
      for (const bool columns : {false, true})
        for (const std::size_t bytes : {1, 8, 24, 1000, 40000}) {
          const core::reduction_geometry g = core::first_pass(length, outputs, columns, bytes);
          const std::int64_t lanes = std::int64_t{1} << g.log_lanes;
          CAPTURE(length);
          CAPTURE(outputs);
          CAPTURE(bytes);
          CHECK(g.threads * static_cast<std::int64_t>(bytes) <= 48 << 10);
          CHECK(std::has_single_bit(static_cast<std::uint64_t>(g.threads)));
          CHECK(lanes <= g.threads);
          CHECK(g.blocks * lanes >= outputs);
          CHECK(g.chunks * g.chunk >= length);
          CHECK((g.chunks - 1) * g.chunk <= std::max<std::int64_t>(length - 1, 0));
          CHECK(g.chunks <= 65535);
          if (length >= 1000003 && outputs == 1) CHECK(g.chunks > 1);
          const core::reduction_geometry last = core::second_pass(g.chunks, outputs, bytes);
          CHECK(last.chunks == 1);
          CHECK(last.chunk == g.chunks);
          CHECK((last.blocks << last.log_lanes) >= outputs);
        }
}

TEST_CASE("index spaces and operands find their elements") {
  namespace k = gp::kernel;
  k::index_space<3, unsigned> space{24, {2, 3, 4}, {}};
  k::reduced_space<1, 2, unsigned long> reduced{24, {2, 3, 4}, {}};
  float values[24];
  for (int i = 0; i < 24; ++i) values[i] = static_cast<float>(i);
  const k::strided_operand<const float, 3> transposed{reinterpret_cast<char*>(values), {4, 8, 24}};
  const k::raw_array<const float, 3, true> packed{values, 24, {2, 3, 4}, {48, 16, 4}};
  const k::raw_array<const float, 3, false> raw{values, 24, {2, 3, 4}, {4, 8, 24}};
  for (int i = 0; i < 24; ++i) {
    space.set(i);
    const int a = i / 12, b = i / 4 % 3, c = i % 4;
    CHECK(space.get()[0] == a);
    CHECK(space.get()[1] == b);
    CHECK(space.get()[2] == c);
    const float expected = values[a + 2 * b + 6 * c];
    CHECK(transposed.at(i, space.get()) == expected);
    CHECK(raw[i] == expected);
    CHECK(raw[space.get()] == expected);
    CHECK(packed[i] == values[i]);
    CHECK(packed[space.get()] == values[i]);
    reduced.set_reduced(a);
    reduced.set_kept(i % 12);
    CHECK(transposed.at(0, reduced.get()) == expected);
  }
}

TEST_CASE("the range below an error is as long as what is wrong, and stays in its line") {
  CHECK(core::underlined("int x, foo y, T z", 7, 3) == "  int x, foo y, T z\n         ^~~");
  CHECK(core::underlined("T x,\nfoo y", 5, 3) == "  foo y\n  ^~~");
  CHECK(core::underlined("T x,\nfoo\n  y", 5, 7) == "  foo\n  ^~~");
  CHECK(core::underlined("T x,", 4, 0) == "  T x,\n      ^");
}

TEST_CASE("macros are defined in the source, and other options are the compiler's") {
  const auto defines = [](const std::vector<std::string>& options, const std::string& lines) {
    const std::string source = request_with(options).source;
    CHECK_MESSAGE(source.find(lines) != source.npos, source);
  };
  defines({"-DN=3", "-D", "T=4", "-DLAST"}, "#define N 3\n#define T 4\n#define LAST 1\n");
  defines({"--define-macro=R=(2 == 2)", "--define-macro", "S"}, "#define R (2 == 2)\n#define S 1\n");
  CHECK(request_with({"-DN", "--use_fast_math", "-fmad=false"}).options ==
        std::vector<std::string>{"--use_fast_math", "-fmad=false"});
  CHECK(request_with({"-D", "N"}).options == std::vector<std::string>{"-fmad=true"});
}

TEST_CASE("a macro without a name is the compiler's to refuse") {
  // What is behind the last option is none, though a string has lain there.
  std::vector<std::string> options{"-DN", "-D", "BEHIND"};
  options.pop_back();
  const std::string source = request_with(options).source;
  CHECK(source.find("#define N 1\n#define  1\n") != source.npos);
}
