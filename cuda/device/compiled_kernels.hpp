// Kernels for each row of a table and each dtype. They are compiled in groups of rows, so that the compiler's
// work is spread evenly and a new row costs no edit: row r belongs to group r % Groups. cmake/parts.cmake
// writes a source for each group.
#pragma once
#include <array>
#include <utility>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class Kernels, int Rows, int Groups>
class compiled_kernels {
 public:
  /// [row / Groups][dtype]
  struct group {
    Kernels cells[(Rows + Groups - 1) / Groups * dtype_count];
  };

  /// Defined by the group's source.
  template<int Group>
  static const group& of_group();

  /// What that source returns: Cell::kernels<row, dtype>() for all of its rows.
  template<int Group, class Cell>
  static group make() {
    static_assert(Group < Groups);
    return make<Group, Cell>(std::make_integer_sequence<int, sizeof(group) / sizeof(Kernels)>());
  }

  static const Kernels& find(int row, dtype type) {
    static const auto groups = collect(std::make_integer_sequence<int, Groups>());
    return groups[row % Groups]->cells[row / Groups * dtype_count + static_cast<int>(type)];
  }

 private:
  template<int Row, class Cell, int D>
  static Kernels kernels() {
    if constexpr (Row < Rows) return Cell::template kernels<Row, static_cast<dtype>(D)>();
    else return {};
  }
  template<int Group, class Cell, int... I>
  static group make(std::integer_sequence<int, I...>) {
    return {{kernels<I / dtype_count * Groups + Group, Cell, I % dtype_count>()...}};
  }
  template<int... I>
  static std::array<const group*, Groups> collect(std::integer_sequence<int, I...>) {
    return {&of_group<I>()...};
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
