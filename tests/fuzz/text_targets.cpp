// Texts with a grammar, and DLPack's structs.
#include <array>
#include <cstring>

#include <fmt/format.h>

#include <core/compiler/program_file.hpp>
#include <core/files/python_literal.hpp>
#include <core/kernels/kernel_declaration.hpp>
#include <core/kernels/user_kernel_parameters.hpp>
#include <gparray/format.hpp>
#include <gparray/gparray.hpp>
#include <support/sha256.hpp>

#include "targets.hpp"

namespace gp = gparray;

namespace {

void slice(std::string_view input) {
  static const gp::ndarray<std::int32_t> a = gp::arange(120).astype<std::int32_t>().reshape({2, 3, 4, 5});
  const gp::any_array part = a(input);
  (void)gp::array2string(part);
}

/// The last two bytes choose the operands.
void einsum(std::string_view input) {
  static const std::array<gp::ndarray<double>, 4> all = {gp::ones({3}), gp::ones({3, 3}), gp::ones({2, 3, 3}),
                                                         gp::ones({})};
  if (input.size() < 2) return;
  const auto operand = [&](std::size_t from_end) {
    return all[static_cast<unsigned char>(input[input.size() - from_end]) % 4];
  };
  const std::string_view subscripts = input.substr(0, input.size() - 2);
  if (subscripts.find(',') == std::string_view::npos) (void)gp::eval(gp::einsum(subscripts, operand(2)));
  else (void)gp::eval(gp::einsum(subscripts, operand(2), operand(1)));
}

void kernel(std::string_view input) {
  for (const std::string& name : gp::core::kernels_in_source(input))
    (void)gp::core::declaration_in_source(input, name);
  (void)gp::core::declaration_in_source(input, "f");
  (void)gp::core::declaration_of_symbol(std::string(input));
}

/// What a .npy file's header is: a value in Python's spelling. The first byte chooses Python's version.
void literal(std::string_view input) {
  if (!input.empty()) (void)gp::core::parse_python_literal(input.substr(1), input[0] == '2');
}

/// How numbers are written: in text, or after an 's' in a file.
void format(std::string_view input) {
  static const std::array<gp::any_array, 4> all = {gp::array({1.5, -1e300, 0.}), gp::array({1, -2, 300}),
                                                   gp::array({true, false}),
                                                   gp::array<std::complex<double>>({{1, 2}, {3, -0.5}})};
  if (input.empty()) return;
  const gp::any_array& a = all[static_cast<unsigned char>(input.back()) % all.size()];
  const std::string given(input.substr(0, input.size() - 1));
  if (given.starts_with('s')) return gp::savetxt("/dev/null", a, {.fmt = given.substr(1)});
  try {
    (void)fmt::format(fmt::runtime("{:" + given + "}"), a);
  } catch (const fmt::format_error&) {
    // fmt's own exception, as for numbers.
  }
}

/// The parameters of a kernel, inputs and then outputs on the next line.
void signature(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  (void)gp::core::parse_signature("ElementwiseKernel", "f", std::string(input.substr(0, end)),
                                  std::string(input.substr(std::min(end + 1, input.size()))));
}

/// A compiled kernel in the cache, whose checksum would refuse most changes and is right here.
void program(std::string_view input) {
  std::string bytes(input);
  const gp::core::sha256_digest sum = gp::core::sha256(bytes);
  bytes.append(sum.begin(), sum.end());
  if (!gp::core::decode_program(bytes, "r")) throw gp::value_error("no program");
}

/// The bytes are a tensor's members. Its elements are read where all of them lie in the buffer.
void dlpack(std::string_view input) {
  static std::array<std::int64_t, 512> buffer{};
  struct {
    std::uint8_t code, bits, lanes, axes, data, strides, versioned, device;
    std::uint64_t byte_offset, flags;
    std::int64_t shape[4], steps[4];
  } given{};
  std::memcpy(&given, input.data(), std::min(input.size(), sizeof given));
  gp::dlpack::tensor tensor{};
  tensor.data = given.data % 4 == 0 ? nullptr : buffer.data() + buffer.size() / 2;
  tensor.device = {given.device < 250 ? 1 : given.device, 0};
  tensor.ndim = given.axes < 250 ? given.axes % 5 : given.axes - 253;
  tensor.dtype = {given.code, given.bits, given.lanes};
  tensor.shape = given.axes == 249 ? nullptr : given.shape;
  tensor.strides = given.strides % 4 == 0 ? nullptr : given.steps;
  tensor.byte_offset = given.byte_offset;

  const auto look = [&](const gp::any_array& a) {
    __extension__ using int128 = __int128;
    int128 first = static_cast<int128>(given.byte_offset) + static_cast<int128>(sizeof buffer / 2),
           last = first + static_cast<int128>(gp::itemsize(a.dtype()));
    for (int i = 0; i < a.ndim(); ++i) {
      const std::size_t axis = static_cast<std::size_t>(i);
      if (a.shape()[axis] == 0) return;
      const int128 last_offset = static_cast<int128>(a.strides()[axis]) * (a.shape()[axis] - 1);
      (last_offset < 0 ? first : last) += last_offset;
    }
    if (first >= 0 && last <= static_cast<int128>(sizeof buffer) && a.size() < (1 << 16))
      (void)gp::array2string(a);
  };
  if (given.versioned % 2 == 0) {
    gp::dlpack::managed_tensor managed{tensor, nullptr, [](gp::dlpack::managed_tensor*) {}};
    look(gp::from_dlpack(&managed));
  } else {
    gp::dlpack::managed_tensor_versioned managed{{given.versioned / 2u, 0},
                                                 nullptr,
                                                 [](gp::dlpack::managed_tensor_versioned*) {},
                                                 given.flags,
                                                 tensor};
    look(gp::from_dlpack(&managed));
  }
}

constexpr fuzz::target targets[] = {{"slice", slice},     {"einsum", einsum}, {"kernel", kernel},
                                    {"literal", literal}, {"format", format}, {"signature", signature},
                                    {"program", program}, {"dlpack", dlpack}};

}  // namespace

std::span<const fuzz::target> fuzz::text_targets() { return targets; }
