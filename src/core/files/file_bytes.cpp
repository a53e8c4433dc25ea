// Whole files as bytes, read and written.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <core/array/array_rep.hpp>
#include <core/files/files.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>
#include <support/output_file.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

input_file::input_file(const std::string& name)
    : name_(name), file_(::open(name.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC)) {
  if (!file_) throw_os_error(name_);
}

namespace {

/// The n bytes of a file, or those that there are, by calls of read_some(at, n).
template<class ReadSome>
std::size_t read_all(const std::string& name, std::size_t n, ReadSome read_some) {
  std::size_t at = 0;
  while (at < n) {
    const ssize_t more = read_some(at, n - at);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw_os_error(name);  // a folder, too
    if (more == 0) break;
    at += static_cast<std::size_t>(more);
  }
  return at;
}

}  // namespace

std::size_t input_file::read(char* to, std::size_t n) {
  return read_all(name_, n,
                  [&](std::size_t at, std::size_t left) { return ::read(file_.get(), to + at, left); });
}

std::size_t input_file::read_at(std::uint64_t from, char* to, std::size_t n) const {
  return read_all(name_, n, [&](std::size_t at, std::size_t left) {
    return ::pread(file_.get(), to + at, left, static_cast<off_t>(from + at));
  });
}

std::optional<std::size_t> input_file::size() const {
  struct stat s;
  if (fstat(file_.get(), &s) != 0) throw_os_error(name_);
  if (!S_ISREG(s.st_mode) || s.st_size == 0) return std::nullopt;
  return static_cast<std::size_t>(s.st_size);
}

void input_file::seek(std::size_t offset) {
  if (lseek(file_.get(), static_cast<off_t>(offset), SEEK_SET) < 0) throw_os_error(name_);
}

void file_contents::grow(std::size_t room) {
  auto more = std::make_unique_for_overwrite<char[]>(room);
  std::copy_n(bytes_.get(), size_, more.get());
  bytes_ = std::move(more);
  room_ = room;
}

file_contents read_file(const std::string& name) {
  input_file file(name);
  return read_file(file);
}

file_contents read_file(input_file& file) {
  constexpr std::size_t least = 4096;
  file_contents bytes;
  // One more than the size, which is a hint, so that the end is seen at once.
  for (std::size_t room = file.size().value_or(least) + 1, at = 0;; room = 2 * room) {
    bytes.grow(room);
    at += file.read(bytes.data() + at, room - at);
    bytes.set_size(at);
    if (at < room) return bytes;
  }
}

void write_file(const std::string& name, std::initializer_list<std::string_view> bytes) {
  output_file file(name);
  for (const std::string_view part : bytes) file.write(part);
  file.commit();
}

void write_file(const std::string& name, std::string_view header, element_bytes& elements) {
  output_file file(name);
  file.write(header);
  elements.write_to(file);
  file.commit();
}

element_bytes::element_bytes(const any_array& a) : packed_(detail::in_order(a, order::C)) {}

std::string_view element_bytes::view() {
  if (packed_.size() == 0) return {};
  elements_ = detail::elements_to_read(packed_);
  return {reinterpret_cast<const char*>(elements_.rep->data), static_cast<std::size_t>(packed_.nbytes())};
}

void element_bytes::write_to(output_file& file) {
  constexpr std::int64_t bytes_at_once = 4 << 20;
  const device on_device = packed_.device();
  const auto item = static_cast<std::int64_t>(itemsize(packed_.dtype()));
  if (on_device.is_cpu() || packed_.nbytes() <= bytes_at_once) return file.write(view());
  // Pinned memory, which a GPU writes to without another copy, and which the pool keeps.
  const std::int64_t at_once = bytes_at_once / item;
  const any_array part = allocate(packed_.dtype(), at_once, item, memory_space::pinned, device::cpu());
  const any_array all = detail::ravel(packed_, order::C);
  auto* const bytes = reinterpret_cast<char*>(part.rep()->data);
  for (std::int64_t at = 0; at < all.size(); at += at_once) {
    const std::int64_t count = std::min(at_once, all.size() - at);
    detail::copy_to_host(slice_along(all, 0, at, count), bytes);
    file.write({bytes, static_cast<std::size_t>(count * item)});
  }
}

any_array read_elements(input_file& file, const std::string& name, const dims& shape, dtype type) {
  const any_array result = allocate(type, shape, device::cpu());
  const auto wanted = static_cast<std::size_t>(result.nbytes());
  if (wanted == 0) return result;
  const std::size_t n = file.read(reinterpret_cast<char*>(result.rep()->data), wanted);
  if (n < wanted) fail<value_error>("{}: EOF: reading array data, expected {} bytes got {}", name, wanted, n);
  return result;
}

any_array brought_to(const any_array& on_host, device where) {
  return where.is_cpu() ? on_host : detail::to_device(on_host, where, nullptr);
}

}  // namespace core
GPARRAY_END_NAMESPACE
