#include <fmt/format.h>

#include <cuda/fusion/operand_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

const char* mode_name(access mode) {
  static constexpr const char* names[] = {"contiguous", "row_value", "constant_bits", "strided", "iota"};
  return names[static_cast<int>(mode)];
}

const char* sharing_name(row_sharing sharing) {
  static constexpr const char* names[] = {"none", "same", "interleaved", "component"};
  return names[static_cast<int>(sharing)];
}

/// An array of the given type, with what is said of each operand; `of(i)` has a text or a number.
template<class Of>
std::string member(const kernel_key& key, const char* type, const char* name, Of of) {
  std::string values;
  for (int i = 0; i < key.n_inputs; ++i) values += fmt::format("{}{}", i ? ", " : "", of(i));
  return fmt::format("  static constexpr {} {}[] = {{{}}};\n", type, name, values);
}

}  // namespace

std::string operands_text(const kernel_key& key) {
  const auto* const in = key.inputs;
  const kernel_form form = key.form;
  std::string text =
      member(key, "access", "modes", [&](int i) { return fmt::format("access::{}", mode_name(in[i].mode)); });
  if (may_jump(form) || key.reduces_jumping())
    text += member(key, "unsigned char", "jumps", [&](int i) { return in[i].jumps; });
  if (form == kernel_form::neighbours || form == kernel_form::interleaved || key.reduces_jumping())
    text += member(key, "bool", "aligned", [&](int i) { return in[i].aligned; });
  if (form == kernel_form::neighbours)
    text += fmt::format("  static constexpr int columns = {};\n  static constexpr bool spreads = {};\n",
                        key.columns, key.spreads) +
            member(key, "row_sharing", "sharing",
                   [&](int i) { return fmt::format("row_sharing::{}", sharing_name(key.sharing[i])); }) +
            member(key, "row_component", "components",
                   [&](int i) { return fmt::format("{{{}, {}}}", in[i].row.leader, in[i].row.places[0]); });
  if (form == kernel_form::stencil)
    text += member(key, "int", "next_rows", [&](int i) { return in[i].row.leader - 1; });
  if (form == kernel_form::broadcast)
    text += fmt::format("  static constexpr int n_outer = {};\n", key.dims) +
            member(key, "bool", "same", [&](int i) { return key.sharing[i] == row_sharing::same; });
  return text;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
