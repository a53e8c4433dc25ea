#include <distributed/collectives/moved.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

engine& engine_for(communicator_state& group, device d) {
  engine* const direct = group.of(d);
  return direct ? *direct : group.host();
}

any_array moved_to(device d, const any_array& a) {
  if (a.device() == d) return a;
  return d.is_cpu() ? gd::to_host(a, nullptr, {}) : gd::to_device(a, d, nullptr);
}

}  // namespace

transport::transport(const communicator& c, device of_arrays, const std::optional<stream_view>& on,
                     bool by_engine)
    : group_(c.state()),
      engine_(engine_for(group_, of_arrays)),
      device_(of_arrays),
      place_(group_.size() == 1 && !by_engine ? of_arrays : engine_.place()),
      stream_(default_stream(device::cpu())) {
  if (on) {
    gd::check_stream("a collective operation", *on, of_arrays, of_arrays);
    guard_.emplace(*on);
  }
  stream_ = current_stream(place_);
}

any_array transport::packed(const any_array& a) const {
  return a.device() == place() ? gd::copy(a, gparray::order::C)
                               : gd::in_order(moved_to(place(), a), gparray::order::C);
}

/// NCCL moves single bytes of what is not at a multiple of 16 of them, which takes large arrays longer than
/// to be copied.
bool transport::travels_as_it_is(const any_array& a) const {
  constexpr std::int64_t worth_a_copy = 1 << 16;
  if (a.device() != place() || !a.is_c_contiguous()) return false;
  return place().is_cpu() || a.nbytes() < worth_a_copy || reinterpret_cast<std::uintptr_t>(read(a)) % 16 == 0;
}

any_array transport::movable(const any_array& a) const { return travels_as_it_is(a) ? a : packed(a); }

any_array transport::room(const dims& shape, dtype type) const {
  return gd::create(shape, type, {.device = place()});
}

any_array transport::unpacked(any_array a) const { return moved_to(device_, a); }

const stream_view& transport::aside() const {
  const gd::leaving_pending names;
  const stream_view& other = group_.aside();
  other.wait(stream_);
  return other;
}

event transport::marked(const stream_view& aside) const {
  const gd::leaving_pending names;
  return aside.record({.timing = false});
}

void transport::wait_for(const event& mark) const {
  const gd::leaving_pending names;
  stream_.wait(mark);
}

any_array transport::landing(const any_array& view) const {
  return travels_as_it_is(view) ? view : room(view.shape(), view.dtype());
}

void transport::landed(const any_array& at, const any_array& view, double factor) const {
  if (factor != 1) write_scaled(view, at.rep() == view.rep() ? at : unpacked(at), factor);
  else if (at.rep() != view.rep()) write(view, unpacked(at));
}

void messages::send(int to, const any_array& a) {
  if (to == transport_.rank()) {
    own_letters_.push_back(a);
    return;
  }
  const any_array& letter = letters_.emplace_back(transport_.movable(a));
  sends_.push_back({to, transport_.read(letter), static_cast<std::size_t>(letter.nbytes())});
}

void messages::receive(int from, const any_array& view) {
  if (from == transport_.rank()) {
    own_views_.push_back(view);
    return;
  }
  const any_array& landing = landings_.emplace_back(transport_.landing(views_.emplace_back(view)));
  receives_.push_back({from, transport_.written(landing), static_cast<std::size_t>(landing.nbytes())});
}

void messages::exchange(double factor) {
  if (!sends_.empty() || !receives_.empty())
    transport_.moves().exchange(sends_, receives_, transport_.stream());
  land(factor);
  deliver_own();
}

messages::journey messages::exchange_aside() {
  const stream_view& aside = transport_.aside();
  for (const any_array& letter : letters_) static_cast<void>(gd::address_for(letter, aside, false));
  for (const any_array& landing : landings_) static_cast<void>(gd::address_for(landing, aside, true));
  event begins = transport_.marked(aside);
  if (!sends_.empty() || !receives_.empty()) transport_.moves().exchange(sends_, receives_, aside);
  event ends = transport_.marked(aside);
  letters_.clear();  // whose memory is not handed out before they have gone
  deliver_own();
  return {std::move(begins), std::move(ends)};
}

void messages::land(double factor) {
  for (std::size_t i = 0; i < views_.size(); ++i) transport_.landed(landings_[i], views_[i], factor);
}

void messages::deliver_own() {
  for (std::size_t i = 0; i < own_views_.size(); ++i)
    write(own_views_[i], moved_to(own_views_[i].device(), own_letters_[i]));
  own_letters_.clear();
}

std::vector<std::int64_t> even_cuts(std::int64_t n, int parts) {
  std::vector<std::int64_t> cuts{0};
  for (int r = 0; r < parts; ++r) cuts.push_back(cuts.back() + n / parts + (r < n % parts));
  return cuts;
}

void check_rank(const char* operation, const char* what, int rank, int size) {
  if (rank < 0 || rank >= size)
    core::fail<value_error>("{}: {} is {}, and ranks are from 0 to {}", operation, what, rank, size - 1);
}

int checked_axis(std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) core::throw_axis(axis, ndim);
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

gd::argument operand(const any_array& a, bool is_temporary) {
  gd::argument argument;
  argument.array = &a;
  argument.type = a.dtype();
  argument.fuse = is_temporary;
  return argument;
}

void write(const any_array& target, const any_array& from) { gd::assign(target, operand(from, false)); }

void write_scaled(const any_array& target, const any_array& from, double factor) {
  if (from.size() == 0) return;
  const dtype real = real_dtype(from.dtype());
  const auto numbers = [&](const any_array& a) { return is_complex(a.dtype()) ? gd::view_as(a, real) : a; };
  const any_array left = numbers(from);
  const gd::argument two[] = {operand(left), gd::constant(factor)};
  const any_array product = gd::make_expression(ufunc::multiply, real, two);
  gd::assign(numbers(target), operand(product));
}

any_array as(const any_array& a, dtype type) {
  return a.dtype() == type ? a : gd::astype(operand(a), type, true);
}

any_array conjugated(const any_array& a) {
  const gd::argument one[] = {operand(a)};
  return is_complex(a.dtype()) ? gd::make_expression(ufunc::conjugate, a.dtype(), one) : a;
}

any_array part_of(const any_array& a, int axis, std::int64_t begin, std::int64_t end) {
  std::vector<gd::index_item> items(static_cast<std::size_t>(axis), gd::index_item(gparray::_));
  items.emplace_back(slice(begin, end));
  return gd::basic_index(a, items);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
