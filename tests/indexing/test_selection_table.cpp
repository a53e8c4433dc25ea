// Random selections, read and written: indexing/selection.tsv has what NumPy makes of them.
#include <charconv>

#include <gparray/gparray.hpp>

#include "support/table.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == separator) result.emplace_back();
    else result.back() += c;
  }
  return result;
}

std::vector<i64> numbers(const std::string& text) {
  std::vector<i64> result;
  if (!text.empty())
    for (const std::string& part : parts(text, ',')) result.push_back(std::stoll(part));
  return result;
}

gp::detail::slice_end end_of(const std::string& text) {
  return text.empty() ? gp::detail::slice_end(gp::none) : gp::detail::slice_end(std::stoll(text));
}

/// dtype=shape=elements
gp::detail::pick_item array_item(const std::string& text) {
  const auto fields = parts(text, '=');
  const std::vector<i64> elements = numbers(fields[2]);
  const gp::dims shape(numbers(fields[1]));
  const auto as = [&]<class V>(V) {
    return gp::detail::pick_item(gp::ndarray<V>(elements.begin(), elements.end()).reshape(shape));
  };
  if (fields[0] == "bool") return as(bool{});
  if (fields[0] == "int8") return as(std::int8_t{});
  // Vectors of indices are given from host memory as often as in arrays.
  if (fields[0] == "int32" && shape.size() == 1) return gp::detail::pick_item(elements);
  return fields[0] == "int32" ? as(std::int32_t{}) : as(i64{});
}

gp::detail::pick_item item_of(const std::string& text) {
  const std::string rest = text.substr(1);
  switch (text[0]) {
    case 'n':
      return gp::detail::pick_item(gp::newaxis);
    case 'e':
      return gp::detail::pick_item(gp::ellipsis);
    case 'i':
      return gp::detail::pick_item(std::stoll(rest));
    case 's': {
      const auto ends = parts(rest, ':');
      return gp::detail::pick_item(gp::slice(end_of(ends[0]), end_of(ends[1]), end_of(ends[2])));
    }
    default:
      return array_item(rest);
  }
}

struct based {
  gp::ndarray<i64> whole, view;
};

based base_of(const std::string& text) {
  const auto fields = parts(text, ';');
  const gp::dims shape(numbers(fields[0]));
  i64 size = 1;
  for (const i64 n : shape) size *= n;
  const gp::ndarray<i64> whole = gp::arange(size).reshape(shape);
  return {whole, fields[1].empty() ? whole : fields[1] == "T" ? whole.T() : whole(fields[1])};
}

gp::ndarray<i64> value_of(const gp::dims& shape) {
  i64 size = 1;
  for (const i64 n : shape) size *= n;
  return (-1 - gp::arange(size)).reshape(shape);
}

}  // namespace

TEST_CASE("selections read and write what NumPy's do") {
  for (const auto& [number, row] : golden::read_table("indexing/selection.tsv", 6)) {
    const std::string &base_text = row[1], &items_text = row[2], &kind = row[3];
    CAPTURE(number);
    CAPTURE(base_text);
    CAPTURE(items_text);
    const based base = base_of(base_text);
    std::vector<gp::detail::pick_item> items;
    for (const std::string& text : parts(items_text, ';')) items.push_back(item_of(text));
    if (kind == "error") {
      CHECK_THROWS_AS(gp::detail::select(base.view, items), gp::index_error);
      continue;
    }
    gp::selection<i64> selection(gp::detail::select(base.view, items));
    if (kind == "read") {
      CHECK(golden::spelled(selection.shape()) == row[4]);
      CHECK(selection.to_vector() == numbers(row[5]));
      continue;
    }
    const auto value = value_of(gp::dims(numbers(row[4])));
    if (kind == "misfit") CHECK_THROWS_AS(std::move(selection) = value, gp::error);
    else CHECK_NOTHROW(std::move(selection) = value);
    CHECK(base.whole.to_vector() == numbers(row[5]));
  }
}
