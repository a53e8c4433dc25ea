// Zip archives as Python's zipfile reads them: without encryption and parts, and with the checks that it
// makes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#include <core/files/zip_archive.hpp>
#include <core/files/zip_format.hpp>
#include <support/errors.hpp>
#include <support/utf8.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The characters 128 to 255 of code page 437, which names are in that are not said to be UTF-8.
constexpr std::uint16_t code_page_437[] = {
    0xc7,   0xfc,   0xe9,   0xe2,   0xe4,   0xe0,   0xe5,   0xe7,   0xea,   0xeb,   0xe8,   0xef,   0xee,
    0xec,   0xc4,   0xc5,   0xc9,   0xe6,   0xc6,   0xf4,   0xf6,   0xf2,   0xfb,   0xf9,   0xff,   0xd6,
    0xdc,   0xa2,   0xa3,   0xa5,   0x20a7, 0x192,  0xe1,   0xed,   0xf3,   0xfa,   0xf1,   0xd1,   0xaa,
    0xba,   0xbf,   0x2310, 0xac,   0xbd,   0xbc,   0xa1,   0xab,   0xbb,   0x2591, 0x2592, 0x2593, 0x2502,
    0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557, 0x255d, 0x255c, 0x255b, 0x2510, 0x2514,
    0x2534, 0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f, 0x255a, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550,
    0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552, 0x2553, 0x256b, 0x256a, 0x2518, 0x250c,
    0x2588, 0x2584, 0x258c, 0x2590, 0x2580, 0x3b1,  0xdf,   0x393,  0x3c0,  0x3a3,  0x3c3,  0xb5,   0x3c4,
    0x3a6,  0x398,  0x3a9,  0x3b4,  0x221e, 0x3c6,  0x3b5,  0x2229, 0x2261, 0xb1,   0x2265, 0x2264, 0x2320,
    0x2321, 0xf7,   0x2248, 0xb0,   0x2219, 0xb7,   0x221a, 0x207f, 0xb2,   0x25a0, 0xa0};

std::string from_code_page_437(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const auto unit = static_cast<unsigned char>(c);
    if (unit < 0x80) text += c;
    else append_utf8(text, code_page_437[unit - 0x80]);
  }
  return text;
}

/// A field of a record that begins at `at` of these bytes, which have all of it.
std::uint64_t number(std::string_view bytes, std::uint64_t at, zip::field f) {
  std::uint64_t value = 0;
  for (std::uint64_t i = f.bytes; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + f.at + i]);
  return value;
}

/// What the directory, or an entry's own header, says of it.
struct file_description {
  std::uint64_t flags, method, crc, packed, size;
  std::string_view name;
};

/// The description at `at`, which the name does not belong to.
file_description description(std::string_view bytes, std::uint64_t at) {
  using namespace zip::description;
  return {number(bytes, at, flags),  number(bytes, at, method), number(bytes, at, crc),
          number(bytes, at, packed), number(bytes, at, size),   std::string_view()};
}

struct directory_entry : file_description {
  std::uint64_t local;
};

class zip_reader {
 public:
  zip_reader(const archive_bytes& bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::vector<archive_entry> entries() {
    const std::vector<directory_entry> directory = read_directory();
    // Each entry ends where the next one in the file begins, or before that.
    std::vector<std::size_t> order(directory.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return directory[a].local < directory[b].local; });
    std::vector<std::uint64_t> ends(directory.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      ends[order[i]] = i + 1 < order.size() ? directory[order[i + 1]].local : directory_at_;
    std::vector<archive_entry> result;
    for (std::size_t i = 0; i < directory.size(); ++i) result.push_back(entry(directory[i], ends[i]));
    return result;
  }

 private:
  [[noreturn]] void damaged(std::string_view why) const {
    fail<value_error>("{} is damaged: {}", file_, why);
  }
  byte_string part(std::uint64_t at, std::uint64_t n) const {
    if (at > bytes_.size() || n > bytes_.size() - at) damaged("it is cut off");
    byte_string result(n, '\0');
    if (bytes_.read(at, result.data(), n) < n) damaged("it is cut off");
    return result;
  }

  /// Where the record is that ends the directory: the last in the file, but for a comment.
  std::uint64_t find_end() const {
    constexpr std::uint64_t longest_comment = 65535;
    if (bytes_.size() >= zip::end::bytes) {
      const std::uint64_t last = bytes_.size() - zip::end::bytes;
      const std::uint64_t first = last - std::min(last, longest_comment);
      const byte_string tail = part(first, bytes_.size() - first);
      for (std::uint64_t at = last - first + 1; at-- > 0;)
        if (number(tail, at, zip::end::signature) == zip::end_signature) return first + at;
    }
    fail<value_error>("{} is not a zip file", file_);
  }

  std::vector<directory_entry> read_directory() {
    std::uint64_t end = find_end();
    const byte_string last = part(end, zip::end::bytes);
    std::uint64_t count = number(last, 0, zip::end::count), size = number(last, 0, zip::end::size),
                  offset = number(last, 0, zip::end::directory);
    bool is_zip64 = false;
    const std::uint64_t n_locator = std::min(end, zip::locator::bytes);
    if (const byte_string locator = part(end - n_locator, n_locator);
        n_locator == zip::locator::bytes &&
        number(locator, 0, zip::locator::signature) == zip::locator_signature) {
      is_zip64 = true;
      if (number(locator, 0, zip::locator::end_disk) != zip::first_disk ||
          number(locator, 0, zip::locator::n_disks) > zip::one_disk)
        fail<value_error>("{} is one of several parts of a zip file", file_);
      if (end - n_locator < zip::zip64_end::bytes) damaged("it is cut off");
      end -= n_locator + zip::zip64_end::bytes;
      const byte_string large = part(end, zip::zip64_end::bytes);
      if (number(large, 0, zip::zip64_end::signature) != zip::zip64_end_signature)
        damaged("it has no directory");
      count = number(large, 0, zip::zip64_end::count);
      size = number(large, 0, zip::zip64_end::size);
      offset = number(large, 0, zip::zip64_end::directory);
    }
    // The directory is right in front of its end. What is in front of the archive shifts all offsets.
    if (size > end || offset > end - size) damaged("its directory is not where it should be");
    directory_at_ = end - size;
    shift_ = directory_at_ - offset;
    directory_ = part(directory_at_, size);
    std::vector<directory_entry> directory;
    for (std::uint64_t at = 0; at < size;) directory.push_back(take_entry(at));
    if (is_zip64 ? count != directory.size() : count != (directory.size() & 0xffff))
      damaged("its directory has another length");
    return directory;
  }

  /// The entry at `at` of the directory, which moves on.
  directory_entry take_entry(std::uint64_t& at) const {
    const std::string_view all = directory_;
    if (all.size() - at < zip::row::bytes || number(all, at, zip::row::signature) != zip::entry_signature)
      damaged("its directory is not whole");
    const std::uint64_t described = at + zip::description::in_row;
    directory_entry e{description(all, described), number(all, at, zip::row::header)};
    const std::uint64_t n_name = number(all, described, zip::description::name_length),
                        n_extra = number(all, described, zip::description::extra_length),
                        n_comment = number(all, at, zip::row::comment_length);
    if (n_name + n_extra + n_comment > all.size() - at - zip::row::bytes)
      damaged("its directory is not whole");
    e.name = all.substr(at + zip::row::bytes, n_name);
    read_zip64(all.substr(at + zip::row::bytes + n_name, n_extra), {&e.size, &e.packed, &e.local});
    at += zip::row::bytes + n_name + n_extra + n_comment;
    if (e.local > directory_at_ || directory_at_ - e.local < shift_) damaged("an entry is outside of it");
    e.local += shift_;
    return e;
  }

  /// Numbers that do not fit are in a field of their own, in this order.
  void read_zip64(std::string_view extra, std::initializer_list<std::uint64_t*> numbers) const {
    while (extra.size() >= zip::extra::bytes) {
      const std::uint64_t id = number(extra, 0, zip::extra::id),
                          length = number(extra, 0, zip::extra::length);
      if (length > extra.size() - zip::extra::bytes) damaged("an extra field is cut off");
      zip::field value{zip::extra::bytes, 8};
      for (std::uint64_t* n : numbers) {
        if (id != zip::zip64_field || *n != zip::elsewhere) continue;
        if (value.at + value.bytes > zip::extra::bytes + length) damaged("an extra field is cut off");
        *n = number(extra, 0, value);
        value.at += value.bytes;
      }
      extra.remove_prefix(zip::extra::bytes + length);
    }
  }

  /// Where the bytes of an entry are, which must end before `end`.
  archive_entry entry(const directory_entry& e, std::uint64_t end) const {
    if (e.flags & (zip::encrypted | zip::strongly_encrypted)) fail<value_error>("{} is encrypted", file_);
    if (e.flags & zip::patch) fail<value_error>("{} holds a patch, and not whole files", file_);
    if (e.method != zip::stored && e.method != zip::deflated)
      fail<value_error>("{} is compressed by a method other than deflate", file_);
    if (end - e.local < zip::header::bytes) damaged("entries overlap");
    const byte_string header = part(e.local, zip::header::bytes);
    if (number(header, 0, zip::header::signature) != zip::local_signature)
      damaged("an entry is not where the directory says");
    file_description own = description(header, zip::description::in_header);
    const std::uint64_t n_name = number(header, zip::description::in_header, zip::description::name_length),
                        n_extra = number(header, zip::description::in_header, zip::description::extra_length);
    const std::uint64_t data = e.local + zip::header::bytes + n_name + n_extra;
    if (data > end || e.packed > end - data) damaged("entries overlap");
    const byte_string rest = part(e.local + zip::header::bytes, n_name + n_extra);
    own.name = std::string_view(rest).substr(0, n_name);
    read_zip64(std::string_view(rest).substr(n_name), {&own.size, &own.packed});
    // A writer to a pipe knows the sizes only behind the data.
    const bool same_sizes = own.size == e.size && own.packed == e.packed && own.crc == e.crc;
    if (own.name != e.name || own.method != e.method || (!(own.flags & zip::sizes_behind) && !same_sizes))
      damaged("an entry is another than the directory says");
    if (e.method == zip::stored && e.packed != e.size) damaged("an entry has two sizes");
    return {name_of(e), data, e.packed, e.size, static_cast<std::uint32_t>(e.crc), e.method == zip::deflated};
  }

  std::string name_of(const directory_entry& e) const {
    if (!(e.flags & zip::utf8_name)) return from_code_page_437(e.name);
    if (!utf8_characters(e.name)) damaged("a name is not UTF-8");
    return std::string(e.name);
  }

  const archive_bytes& bytes_;
  const std::string& file_;
  byte_string directory_;
  std::uint64_t directory_at_ = 0, shift_ = 0;
};

[[noreturn]] void damaged(const std::string& file, std::string_view why) {
  fail<value_error>("{} is damaged: {}", file, why);
}

}  // namespace

archive_bytes::archive_bytes(const std::string& file) {
  // A small file is read by one call of the system's, where its parts would take several.
  constexpr std::size_t small = std::size_t{1} << 16;
  input_file in(file);
  if (const std::optional<std::size_t> size = in.size(); size.value_or(0) > small) {
    file_.emplace(std::move(in));
    size_ = *size;
    return;
  }
  kept_ = read_file(in);
  bytes_ = kept_;
  size_ = bytes_.size();
}

std::size_t archive_bytes::read(std::uint64_t at, char* to, std::size_t n) const {
  if (file_) return file_->read_at(at, to, n);
  const std::string_view part = bytes_.substr(std::min<std::uint64_t>(at, bytes_.size()), n);
  std::memcpy(to, part.data(), part.size());
  return part.size();
}

zip_archive::zip_archive(const std::string& file) : name_(file), bytes_(file) { read_entries(); }
zip_archive::zip_archive(std::string_view bytes, const std::string& name) : name_(name), bytes_(bytes) {
  read_entries();
}

void zip_archive::read_entries() {
  entries_ = zip_reader(bytes_, name_).entries();
  for (std::size_t i = 0; i < entries_.size(); ++i) last_[entries_[i].name] = i;
}

const archive_entry* zip_archive::find(std::string_view name) const {
  const auto found = last_.find(name);
  return found == last_.end() ? nullptr : &entries_[found->second];
}

byte_string zip_archive::read(const archive_entry& e) const {
  if (!e.is_deflated) {
    stored_bytes stored(*this, e);
    byte_string result(e.size, '\0');
    stored.read(result.data(), result.size());
    stored.finish();
    return result;
  }
  byte_string packed(e.packed, '\0'), result;
  if (bytes_.read(e.data, packed.data(), packed.size()) < packed.size()) damaged(name_, "it is cut off");
  try {
    result = inflate(packed, e.size);
  } catch (const value_error& error) {
    damaged(name_, error.what());
  }
  if (zip::crc32(result) != e.crc) damaged(name_, "a checksum is wrong");
  return result;
}

void stored_bytes::read(char* to, std::size_t n) {
  // Pieces are in a cache yet when their checksum is taken.
  constexpr std::size_t piece = std::size_t{1} << 17;
  for (std::size_t done = 0; done < n;) {
    const std::size_t now = std::min(piece, n - done);
    if (archive_.bytes_.read(entry_.data + at_, to + done, now) < now)
      damaged(archive_.name_, "it is cut off");
    crc_ = zip::crc32({to + done, now}, crc_);
    at_ += now;
    done += now;
  }
}

void stored_bytes::finish() {
  char rest[4096];
  while (at_ < entry_.size) read(rest, std::min<std::uint64_t>(sizeof(rest), entry_.size - at_));
  if (crc_ != entry_.crc) damaged(archive_.name_, "a checksum is wrong");
}

}  // namespace core
GPARRAY_END_NAMESPACE
