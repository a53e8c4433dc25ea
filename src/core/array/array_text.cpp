#include <ostream>
#include <vector>

#include <core/array/array_text.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/runtime/stream_state.hpp>
#include <format/array.hpp>
#include <format/shown.hpp>
#include <gparray/text/format_spec.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

any_array edges(const any_array& a, int edgeitems, dims& omitted) {
  any_array result = a;
  const dims shape = a.shape();
  omitted = dims::filled(shape.size(), 0);
  dims axes;
  for (std::size_t i = 0; i < shape.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  // The longest axis first: after it, little is left to copy.
  std::ranges::stable_sort(axes, [&](std::int64_t x, std::int64_t y) {
    return shape[static_cast<std::size_t>(x)] > shape[static_cast<std::size_t>(y)];
  });
  for (std::int64_t i : axes) {
    const auto axis = static_cast<std::size_t>(i);
    const shown_indices shown = shown_of_axis(shape[axis], true, edgeitems);
    if (!shown.summarised) continue;
    const array_rep* from = computed(result);
    omitted[axis] = shape[axis] - shown.leading - shown.trailing;
    dims kept = from->shape;
    kept[axis] = shown.leading + shown.trailing;
    const any_array smaller = allocate(from->type, kept, from->device_);
    const array_rep* to = smaller.rep();
    const auto copy = [&](std::int64_t count, std::int64_t read_at, std::int64_t write_at) {
      dims part = kept;
      part[axis] = count;
      const any_array source =
          make_view(from, from->type, part, from->strides, read_at * from->strides[axis]);
      copy_elements(make_view(to, to->type, part, to->strides, write_at * to->strides[axis]).rep(),
                    source.rep());
    };
    copy(shown.leading, 0, 0);
    copy(shown.trailing, shape[axis] - shown.trailing, shown.leading);
    result = smaller;
  }
  return result;
}

namespace {

/// What format/array.hpp reads: the array itself if the host can read it, else a copy of the elements that
/// are shown.
class readable_array {
 public:
  readable_array(const any_array& a, const print_options& options) : shape_(a.shape()) {
    const array_rep* rep = computed(a);
    view_ = {detail::row(rep->type).code,
             rep->data,
             static_cast<int>(shape_.size()),
             shape_.data(),
             strides_.data(),
             nullptr};
    keep_ = a;
    if (rep->device_.is_cpu()) {
      strides_ = rep->strides;
      return;
    }
    if (rep->size > options.threshold && options.edgeitems >= 0) {
      keep_ = edges(a, options.edgeitems, omitted_);
      view_.omitted = omitted_.data();
    }
    strides_ = c_strides(keep_.shape(), itemsize(rep->type));
    bytes_.resize(static_cast<std::size_t>(keep_.nbytes()));
    if (!bytes_.empty()) detail::copy_to_host(keep_, bytes_.data());
    view_.data = bytes_.data();
  }
  readable_array(const readable_array&) = delete;
  readable_array& operator=(const readable_array&) = delete;

  const host_view& view() const { return view_; }

 private:
  any_array keep_;
  dims shape_, strides_, omitted_;
  std::vector<std::byte> bytes_;
  host_view view_;
};

}  // namespace

}  // namespace core

std::string array2string(const any_array& a, const print_options& options, std::string_view separator,
                         std::string_view prefix, std::string_view suffix) {
  return core::array2string(core::readable_array(a, options).view(), options, separator, prefix, suffix);
}

std::string array_str(const any_array& a, const print_options& options) {
  return core::array_str(core::readable_array(a, options).view(), options);
}

std::string detail::format_elements(const any_array& a, const element_format& format) {
  const print_options options = get_printoptions();
  return core::array_format(core::readable_array(a, options).view(), options, format);
}

namespace {

template<class Text>
std::string joined_tuple(std::span<const any_array> arrays, const Text& text) {
  std::string result = "(";
  for (const any_array& a : arrays) {
    if (&a != arrays.data()) result += ", ";
    result += text(a);
  }
  return result + (arrays.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string detail::tuple_text(std::span<const any_array> arrays) {
  return joined_tuple(arrays, [](const any_array& a) { return repr(a); });
}

std::string detail::tuple_text(std::span<const any_array> arrays, const element_format& format) {
  return joined_tuple(arrays, [&](const any_array& a) { return format_elements(a, format); });
}

std::string array_repr(const any_array& a, const print_options& options) {
  std::string text = core::array_repr(core::readable_array(a, options).view(), options);
  if (!a.device().is_cpu()) text.insert(text.size() - 1, ", device='" + a.device().str() + "'");
  return text;
}

std::ostream& operator<<(std::ostream& out, const any_array& a) { return out << array_str(a); }

std::string str(const dims& sizes) { return core::python_text(sizes); }
std::string repr(dtype type) { return "dtype('" + std::string(name(type)) + "')"; }
std::string repr(device on_device) { return "device('" + on_device.str() + "')"; }

std::ostream& operator<<(std::ostream& out, dtype type) { return out << name(type); }
std::ostream& operator<<(std::ostream& out, device on_device) { return out << on_device.str(); }

std::ostream& detail::print(std::ostream& out, const dims& sizes) { return out << str(sizes); }

GPARRAY_END_NAMESPACE
