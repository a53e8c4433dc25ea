// RawModule: a program from source, a file or machine code, and its kernels and global variables.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <core/array/array_rep.hpp>
#include <core/kernels/raw_kernel.hpp>
#include <core/kernels/raw_program.hpp>
#include <gparray/kernels/raw_module.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::string contents_of(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad())
    fail<value_error>("RawModule: cannot read {}: {}", path, std::strerror(errno));
  return bytes;
}

/// Machine code and fat binaries begin with magic numbers; PTX has its version in front of everything else.
bool is_compiled(std::string_view bytes) {
  if (bytes.starts_with("\x7f"
                        "ELF") ||
      bytes.starts_with("\x50\xed\x55\xba"))
    return true;
  while (!bytes.empty()) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == bytes.npos) return false;
    bytes.remove_prefix(first);
    if (!bytes.starts_with("//")) break;
    bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
  }
  return bytes.starts_with(".version");
}

std::shared_ptr<raw_program> program_of(const raw_module_options& o) {
  if (o.code.empty() == o.path.empty())
    fail<value_error>("RawModule: give .code or .path{}", o.code.empty() ? "" : ", not both");
  std::string code = o.path.empty() ? o.code : contents_of(o.path), origin = o.path;
  if (is_compiled(code)) {
    if (!o.name_expressions.empty() || !o.options.empty())
      fail<value_error>("RawModule: {} is compiled already, so it takes no options and no name_expressions",
                        origin.empty() ? "the code" : origin);
    return std::make_shared<raw_program>(std::move(code), origin.empty() ? "the code" : origin);
  }
  return std::make_shared<raw_program>(compile_request{.source = std::move(code),
                                                       .file_name = origin.empty() ? "module.cu" : origin,
                                                       .architecture = {},
                                                       .options = o.options,
                                                       .name_expressions = o.name_expressions});
}

}  // namespace
}  // namespace core

RawModule::RawModule(const raw_module_options& options) : program_(core::program_of(options)) {}

RawKernel RawModule::get_function(const std::string& name) const {
  return RawKernel(std::make_shared<core::raw_kernel>(program_, name));
}

global_variable RawModule::get_global(const std::string& name) const {
  core::effect();
  const device where = core::default_gpu();
  core::backend& b = core::backend_of(where);
  // The address of a variable is the expression that names it.
  const std::string address = "&" + name;
  const std::string& of_address = program_->symbol_of(address);
  const std::string& symbol = of_address == address ? program_->symbol_of(name) : of_address;
  const auto [pointer, bytes] = b.find_global(program_->on(where), symbol.c_str());
  return {pointer, bytes};
}

any_array RawModule::global_array(const std::string& name, dtype type) const {
  const global_variable v = get_global(name);
  if (v.bytes % itemsize(type) != 0)
    core::fail<value_error>("RawModule: {} has {} bytes, which is no multiple of the {} of {}", name, v.bytes,
                            itemsize(type), gparray::name(type));
  const auto size = static_cast<std::int64_t>(v.bytes / itemsize(type));
  return detail::borrow(v.pointer, dims{size}, dims{static_cast<std::int64_t>(itemsize(type))}, type,
                        memory_space::device, core::default_gpu(), [keep = program_] {});
}

const std::string& RawModule::log() const noexcept { return program_->log(); }

GPARRAY_END_NAMESPACE
