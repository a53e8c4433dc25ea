// The order of contractions. Its cost is what a contraction multiplies: the product of the sizes of all
// labels of the pair.
#include <limits>

#include <core/products/einsum.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr std::size_t most_for_all_orders = 6;

double size_of(const label_list& labels, const label_sizes& sizes) {
  double size = 1;
  for (const axis_label l : labels) size *= static_cast<double>(sizes[l]);
  return size;
}

label_list joined(const label_list& a, const label_list& b) {
  label_list all = a;
  for (const axis_label l : b)
    if (!contains(all, l)) all.push_back(l);
  return all;
}

/// The list after a contraction.
std::vector<label_list> contracted(const std::vector<label_list>& list, const contraction& pair,
                                   const label_list& result) {
  std::vector<label_list> rest;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (i != pair.first && i != pair.second) rest.push_back(list[i]);
  rest.push_back(kept_labels(list[pair.first], list[pair.second], rest, result));
  return rest;
}

/// For every pair of the list: body(pair, list after it, multiplications).
template<class Body>
void each_pair(const std::vector<label_list>& list, const label_list& result, const label_sizes& sizes,
               Body body) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = i + 1; j < list.size(); ++j)
      body(contraction{i, j}, contracted(list, {i, j}, result), size_of(joined(list[i], list[j]), sizes));
}

class search {
 public:
  search(const label_list& result, const label_sizes& sizes) : result_(result), sizes_(sizes) {}

  void run(const std::vector<label_list>& list, double cost) {
    if (cost >= least_) return;
    if (list.size() == 1) {
      least_ = cost;
      best = current_;
      return;
    }
    each_pair(list, result_, sizes_, [&](contraction pair, const std::vector<label_list>& rest, double work) {
      current_.push_back(pair);
      run(rest, cost + work);
      current_.pop_back();
    });
  }

  std::vector<contraction> best;

 private:
  const label_list& result_;
  const label_sizes& sizes_;
  std::vector<contraction> current_;
  double least_ = std::numeric_limits<double>::infinity();
};

std::vector<contraction> greedy(std::vector<label_list> list, const label_list& result,
                                const label_sizes& sizes) {
  std::vector<contraction> order;
  while (list.size() > 1) {
    contraction best;
    std::vector<label_list> after;
    double least_growth = 0, least_work = 0;
    each_pair(list, result, sizes, [&](contraction pair, std::vector<label_list> rest, double work) {
      const double growth =
          size_of(rest.back(), sizes) - size_of(list[pair.first], sizes) - size_of(list[pair.second], sizes);
      if (!after.empty() && (growth > least_growth || (growth == least_growth && work >= least_work))) return;
      best = pair;
      least_growth = growth;
      least_work = work;
      after = std::move(rest);
    });
    order.push_back(best);
    list = std::move(after);
  }
  return order;
}

}  // namespace

label_list kept_labels(const label_list& a, const label_list& b, std::span<const label_list> others,
                       const label_list& result) {
  label_list kept;
  for (const axis_label l : joined(a, b)) {
    bool wanted = contains(result, l);
    for (const label_list& other : others) wanted = wanted || contains(other, l);
    if (wanted) kept.push_back(l);
  }
  return kept;
}

std::vector<contraction> contraction_order(const einsum_subscripts& s, const label_sizes& sizes,
                                           std::string_view optimize) {
  const std::size_t n = s.operands.size();
  if (optimize != "greedy" && optimize != "optimal" && optimize != "none")
    fail<value_error>("einsum: optimize must be \"greedy\", \"optimal\" or \"none\", not \"{}\"", optimize);
  if (n <= 2 || optimize == "none") {
    // From left to right: a product goes to the end of the list, and the next operand is the first.
    std::vector<contraction> order;
    for (std::size_t left = n; left > 1; --left) order.push_back({0, left == n ? 1 : left - 1});
    return order;
  }
  if (optimize == "greedy" || n > most_for_all_orders) return greedy(s.operands, s.result, sizes);
  search all(s.result, sizes);
  all.run(s.operands, 0);
  return all.best;
}

}  // namespace core
GPARRAY_END_NAMESPACE
