// Hooks that show what allocates.
#include <algorithm>
#include <array>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <map>
#include <mutex>
#include <vector>

#include <gparray/memory_hooks.hpp>
#include <support/bytes_text.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// The innermost calls outside of this library; zeros behind the last.
using call_path = std::array<const void*, 12>;

const void* library_base() {
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(&library_base), &own);
  return own.dli_fbase;
}

call_path calls_of_the_program() {
  static const void* const own = library_base();
  void* addresses[48];
  const int count = backtrace(addresses, static_cast<int>(std::size(addresses)));
  call_path path{};
  std::size_t length = 0;
  for (int i = 0; i < count && length < path.size(); ++i) {
    Dl_info info{};
    // An address that is returned to belongs to the call before it.
    const void* const call = static_cast<const char*>(addresses[i]) - 1;
    if (dladdr(call, &info) != 0 && info.dli_fbase == own) continue;
    path[length++] = call;
  }
  return path;
}

/// What addr2line says, with -i, of the addresses of one program or library: the lines of each, innermost
/// first.
std::vector<std::vector<std::string>> lines_of(const std::string& file,
                                               const std::vector<std::uintptr_t>& addresses) {
  std::vector<std::vector<std::string>> result(addresses.size());
  if (file.find('\'') != std::string::npos) return result;
  std::string command = "addr2line -a -i -e '" + file + "'";
  for (const std::uintptr_t address : addresses) command += fmt::format(" {:#x}", address);
  std::FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return result;
  char line[4096];
  for (std::size_t next = 0; std::fgets(line, sizeof line, pipe);) {
    std::string text = line;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    if (text.starts_with("0x")) ++next;  // an address, with -a, before its lines
    else if (next >= 1 && next <= result.size()) result[next - 1].push_back(text.substr(0, text.find(" (")));
  }
  pclose(pipe);
  return result;
}

bool is_of_the_program(const std::string& line) {
  return !line.empty() && line.front() != '?' && !line.ends_with(":?") &&
         line.find("/gparray/") == std::string::npos && line.find("/include/c++/") == std::string::npos;
}

std::string function_at(const void* call) {
  Dl_info info{};
  if (dladdr(call, &info) == 0) return fmt::format("{}", call);
  const auto offset = static_cast<const char*>(call) - static_cast<const char*>(info.dli_fbase);
  if (!info.dli_sname) return fmt::format("{}+{:#x}", info.dli_fname, offset);
  int status = 0;
  char* const readable = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  std::string name = status == 0 && readable ? readable : info.dli_sname;
  std::free(readable);
  return fmt::format("{} ({}+{:#x})", name, info.dli_fname, offset);
}

/// The lines of all calls, by one addr2line for each program and library.
std::map<const void*, std::string> find_lines(const std::vector<const void*>& calls) {
  struct of_file {
    std::vector<const void*> calls;
    std::vector<std::uintptr_t> addresses;
  };
  std::map<std::string, of_file> files;
  for (const void* call : calls) {
    Dl_info info{};
    if (dladdr(call, &info) == 0 || !info.dli_fname) continue;
    of_file& file = files[info.dli_fname];
    // A program that is linked to a fixed address counts from there.
    const auto* const header = static_cast<const unsigned char*>(info.dli_fbase);
    constexpr std::size_t type_at = 16;
    const bool is_fixed = header[type_at] == 2;  // ET_EXEC
    file.calls.push_back(call);
    file.addresses.push_back(reinterpret_cast<std::uintptr_t>(call) -
                             (is_fixed ? 0 : reinterpret_cast<std::uintptr_t>(info.dli_fbase)));
  }
  std::map<const void*, std::string> found;
  for (const auto& [name, file] : files) {
    const auto lines = lines_of(name, file.addresses);
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (const std::string& line : lines[i])
        if (is_of_the_program(line)) {
          found.emplace(file.calls[i], line);
          break;
        }
  }
  return found;
}

/// The line of the innermost call that has one; but of a function of the program's that has none its name.
std::string place_of(const call_path& path, const std::map<const void*, std::string>& lines) {
  for (const void* call : path) {
    if (!call) break;
    if (const auto line = lines.find(call); line != lines.end()) return line->second;
    std::string function = function_at(call);
    if (function.substr(0, function.find('(')).find("gparray::") == std::string::npos) return function;
  }
  return path[0] ? function_at(path[0]) : "the library itself";
}

}  // namespace
}  // namespace core

namespace memory_hooks {

void DebugPrintHook::print(const std::string& line) const {
  std::fwrite(line.data(), 1, line.size(), file_);
  if (flush_) std::fflush(file_);
}

void DebugPrintHook::on_allocate(const allocation& a) {
  print(fmt::format(
      "{{\"hook\":\"malloc\",\"size\":{},\"mem_size\":{},\"mem_ptr\":\"{}\",\"stream\":\"{}\"}}\n",
      a.requested, a.bytes, a.pointer, a.stream));
}

void DebugPrintHook::on_deallocate(const allocation& a) {
  print(
      fmt::format("{{\"hook\":\"free\",\"size\":{},\"mem_size\":{},\"mem_ptr\":\"{}\",\"stream\":\"{}\"}}\n",
                  a.requested, a.bytes, a.pointer, a.stream));
}

void DebugPrintHook::on_upstream_allocate(void* pointer, std::size_t bytes) {
  print(fmt::format("{{\"hook\":\"alloc\",\"mem_size\":{},\"mem_ptr\":\"{}\"}}\n", bytes, pointer));
}

struct LineProfileHook::counts {
  struct row {
    std::uint64_t bytes = 0, blocks = 0, taken = 0;
  };
  mutable std::mutex lock;
  std::map<core::call_path, row> rows;
};

LineProfileHook::LineProfileHook() : counts_(std::make_unique<counts>()) {}
LineProfileHook::~LineProfileHook() = default;

void LineProfileHook::on_allocate(const allocation& a) {
  const core::call_path path = core::calls_of_the_program();
  const std::lock_guard hold(counts_->lock);
  counts::row& row = counts_->rows[path];
  row.bytes += a.requested;
  ++row.blocks;
}

void LineProfileHook::on_upstream_allocate(void*, std::size_t bytes) {
  const core::call_path path = core::calls_of_the_program();
  const std::lock_guard hold(counts_->lock);
  counts_->rows[path].taken += bytes;
}

std::string LineProfileHook::report() const {
  std::vector<std::pair<core::call_path, counts::row>> rows;
  {
    const std::lock_guard hold(counts_->lock);
    rows.assign(counts_->rows.begin(), counts_->rows.end());
  }
  std::vector<const void*> calls;
  for (const auto& [path, row] : rows)
    for (const void* call : path)
      if (call) calls.push_back(call);
  std::ranges::sort(calls);
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  const std::map<const void*, std::string> lines = core::find_lines(calls);

  std::map<std::string, counts::row> places;
  for (const auto& [path, row] : rows) {
    counts::row& sum = places[core::place_of(path, lines)];
    sum.bytes += row.bytes;
    sum.blocks += row.blocks;
    sum.taken += row.taken;
  }
  std::vector<std::pair<std::string, counts::row>> sorted(places.begin(), places.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& p) { return p.second.bytes; });
  std::string report;
  for (const auto& [where, row] : sorted)
    report += fmt::format("{} in {} blocks, {} taken: {}\n", core::bytes_text(row.bytes), row.blocks,
                          core::bytes_text(row.taken), where);
  return report;
}

void LineProfileHook::print_report(std::FILE* file) const {
  const std::string text = report();
  std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace memory_hooks
GPARRAY_END_NAMESPACE
