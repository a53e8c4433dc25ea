// Values as a Python program spells them: what ast.literal_eval makes of a text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct python_literal {
  enum class kind : char { none, boolean, integer, real, complex, text, bytes, tuple, list, set, dictionary };

  kind type = kind::none;
  /// Of a boolean 0 or 1, of an integer its value if that `fits`: from -(2^63 - 1) to 2^63 - 1.
  std::int64_t number = 0;
  bool fits = true;
  /// UTF-8 where the source is; the values of real and complex numbers are not kept.
  std::string text;
  /// Of a dictionary a key, its value, the next key and so on, in the order of the source.
  std::vector<python_literal> items;

  /// Whether a set can hold it and a dictionary have it as a key.
  [[nodiscard]] bool is_hashable() const;
};

/// The one value that a text spells, as Python 3 reads it, but for characters named in text ("\N{DASH}"),
/// which are refused. With python_2, integers may have Python 2's L behind them. Throws value_error, which
/// says what is wrong and where.
python_literal parse_python_literal(std::string_view source, bool python_2);

}  // namespace core
GPARRAY_END_NAMESPACE
