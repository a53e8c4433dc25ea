// The order of einsum's contractions, printed as NumPy's einsum_path prints it.
#include <algorithm>
#include <string>

#include <core/products/einsum.hpp>
#include <gparray/products/einsum.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Letters for axes that have none: those that the text does not use.
class letter_names {
 public:
  explicit letter_names(const std::vector<label_list>& operands) {
    for (const label_list& labels : operands)
      for (const axis_label l : labels)
        if (l > 0) free_.erase(std::min(free_.find(static_cast<char>(l)), free_.size()), 1);
  }
  char operator[](axis_label l) const {
    return l > 0 ? static_cast<char>(l) : free_[free_.size() - static_cast<std::size_t>(-l)];
  }
  std::string of(const label_list& labels) const {
    std::string text;
    for (const axis_label l : labels) text += (*this)[l];
    return text;
  }
  std::string of(const std::vector<label_list>& operands) const {
    std::string text;
    for (const label_list& labels : operands) (text += text.empty() ? "" : ",") += of(labels);
    return text;
  }

 private:
  std::string free_ = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
};

label_list each_once(std::span<const label_list> operands) {
  label_list all;
  for (const label_list& labels : operands)
    for (const axis_label l : labels)
      if (!contains(all, l)) all.push_back(l);
  return all;
}

double elements_of(const label_list& labels, const label_sizes& sizes) {
  double n = 1;
  for (const axis_label l : labels) n *= static_cast<double>(sizes[l]);
  return n;
}

/// Multiplications and additions, as NumPy counts them.
double operations(const label_list& all, bool sums, std::size_t terms, const label_sizes& sizes) {
  return elements_of(all, sizes) * static_cast<double>(std::max<std::size_t>(1, terms - 1) + (sums ? 1 : 0));
}

label_sizes sizes_of(const einsum_subscripts& s, std::span<const dims* const> shapes) {
  label_sizes sizes;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t d = 0; d < shapes[i]->size(); ++d) {
      const axis_label l = s.operands[i][d];
      const std::int64_t n = (*shapes[i])[d];
      if (!sizes.knows(l) || sizes[l] == 1) sizes.set(l, n);
      else if (n != 1 && n != sizes[l])
        fail<value_error>("Size of label '{}' for operand {} ({}) does not match previous terms ({}).",
                          letter_names(s.operands)[l], i, sizes[l], n);
    }
  return sizes;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

einsum_path_result einsum_path(std::string_view subscripts, std::span<const any_array> operands,
                               const einsum_options& options) {
  std::vector<const dims*> shapes;
  for (const any_array& a : operands) shapes.push_back(&a.shape());
  const einsum_subscripts s = parse_subscripts(subscripts, shapes);
  const label_sizes sizes = sizes_of(s, shapes);
  const letter_names letters(s.operands);

  einsum_path_result r;
  std::vector<label_list> list = s.operands;
  const std::string all_text = letters.of(list) + "->" + letters.of(s.result);
  const label_list all = each_once(list);
  std::size_t of_terms = 0;
  for (const label_list& labels : list) of_terms += each_once(std::span(&labels, 1)).size();
  const double naive = operations(all, of_terms > all.size(), list.size(), sizes);

  std::vector<contraction> order = contraction_order(s, sizes, options.optimize);
  double optimized = 1, largest = 0;
  std::size_t scaling = 0;
  std::string steps;
  const auto step = [&](const std::string& current, const label_list& kept, const label_list& work, bool sums,
                        std::size_t terms) {
    optimized += operations(work, sums, terms, sizes);
    largest = std::max(largest, elements_of(kept, sizes));
    scaling = std::max(scaling, work.size());
    list.push_back(kept);
    const std::string text = letters.of(kept);
    steps += fmt::format("\n{:4}    {:>24} {:>40}", work.size(), current + "->" + text,
                         letters.of(list) + "->" + letters.of(s.result));
  };
  if (order.empty()) {
    r.path = {{0}};
    list.clear();
    step(letters.of(s.operands), s.result, all, s.result.size() < all.size(), 1);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto [first, second] = order[i];
    r.path.push_back({static_cast<std::int64_t>(first), static_cast<std::int64_t>(second)});
    const label_list pair[] = {list[second], list[first]};
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(second));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(first));
    const label_list work = each_once(pair);
    label_list kept = kept_labels(pair[0], pair[1], list, s.result);
    const bool sums = kept.size() < work.size();
    if (i + 1 == order.size()) kept = s.result;
    else std::ranges::sort(kept, {}, [&](axis_label l) { return std::pair(sizes[l], letters[l]); });
    step(letters.of(pair[0]) + "," + letters.of(pair[1]), kept, work, sums, 2);
  }
  const std::string line(74, '-');
  r.text = fmt::format(
      "  Complete contraction:  {}\n         Naive scaling:  {}\n     Optimized scaling:  {}\n"
      "      Naive FLOP count:  {:.3e}\n  Optimized FLOP count:  {:.3e}\n   Theoretical speedup:  {:.3f}\n"
      "  Largest intermediate:  {:.3e} elements\n{}\n{:>6} {:>24} {:>40}\n{}{}",
      all_text, all.size(), scaling, naive, optimized, naive / optimized, largest, line, "scaling", "current",
      "remaining", line, steps);
  return r;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
