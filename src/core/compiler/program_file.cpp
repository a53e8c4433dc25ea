#include <cstring>

#include <core/compiler/program_file.hpp>
#include <support/sha256.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

// Changes when the layout below does.
constexpr std::string_view program_magic = "gparray kernel 1\n";

void add_field(std::string& bytes, std::string_view field) {
  const std::uint64_t size = field.size();
  char raw[sizeof size];
  std::memcpy(raw, &size, sizeof size);  // the file never leaves its machine, so neither does the byte order
  bytes.append(raw, sizeof raw).append(field);
}

bool take(std::string_view& bytes, std::string_view& field) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (bytes.size() < size) return false;
  field = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

std::string checksum(std::string_view bytes) {
  const sha256_digest digest = sha256(bytes);
  return {digest.begin(), digest.end()};
}

}  // namespace

std::string encode_program(std::string_view request, const compiled_program& program) {
  std::string bytes(program_magic);
  add_field(bytes, request);
  add_field(bytes, program.image);
  add_field(bytes, program.log);
  for (const std::string& name : program.lowered_names) add_field(bytes, name);
  return bytes += checksum(bytes);
}

std::optional<compiled_program> decode_program(std::string_view bytes, std::string_view request) {
  constexpr std::size_t checksum_bytes = sizeof(sha256_digest);
  if (bytes.size() < program_magic.size() + checksum_bytes || !bytes.starts_with(program_magic))
    return std::nullopt;
  const std::string_view sum = bytes.substr(bytes.size() - checksum_bytes);
  bytes.remove_suffix(checksum_bytes);
  if (checksum(bytes) != sum) return std::nullopt;

  bytes.remove_prefix(program_magic.size());
  std::string_view stored_request, image, log, name;
  if (!take(bytes, stored_request) || stored_request != request || !take(bytes, image) || !take(bytes, log))
    return std::nullopt;
  compiled_program program{.image = std::string(image), .lowered_names = {}, .log = std::string(log)};
  while (!bytes.empty()) {
    if (!take(bytes, name)) return std::nullopt;
    program.lowered_names.emplace_back(name);
  }
  return program;
}

}  // namespace core
GPARRAY_END_NAMESPACE
