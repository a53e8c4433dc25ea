// Runs the rows of the tables in docs/guide and compares what they give with what NumPy gave:
// tables_golden.tsv.
#include "table_rows.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace rows {

namespace {

std::vector<row>& all_rows() {
  static std::vector<row> list;
  return list;
}

std::string spelled(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

template<class V>
void append_elements(std::string& text, const gp::any_array& a) {
  for (const V v : gp::ndarray<V>(a).to_vector()) {
    if constexpr (requires { v.imag(); })
      text += " " + spelled(static_cast<double>(v.real())) + " " + spelled(static_cast<double>(v.imag()));
    else if constexpr (std::is_integral_v<V>) text += " " + std::to_string(v);
    else text += " " + spelled(static_cast<double>(v));
  }
}

std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t to; (to = text.find(by, from)) != std::string::npos; from = to + by.size())
    parts.push_back(text.substr(from, to - from));
  parts.push_back(text.substr(from));
  return parts;
}

std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\\') plain += text[i];
    else plain += text[++i] == 'n' ? '\n' : text[i];
  return plain;
}

/// Numbers by their values, up to the last digits of the dtype that NumPy's result has.
bool same_numbers(const std::string& have, const std::string& want, double tolerance) {
  std::istringstream x(have), y(want);
  std::string p, q;
  while (y >> q) {
    if (!(x >> p)) return false;
    if (p == q) continue;
    const double a = std::strtod(p.c_str(), nullptr), b = std::strtod(q.c_str(), nullptr);
    if (std::isnan(a) && std::isnan(b)) continue;
    if (!(std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)))) return false;
  }
  return !(x >> p);
}

/// A number of C++ has no dtype that NumPy's scalars would have to agree with, and one of Python none that a
/// 0-d array would.
bool same(const std::string& have, const std::string& want) {
  if (have == want) return true;
  const auto word = [](const std::string& line, std::size_t n) { return split(line, " ").at(n); };
  const auto values = [](const std::string& line) { return line.substr(line.find(')') + 1); };
  if (have.find(')') == std::string::npos || want.find(')') == std::string::npos) return false;
  if (have.starts_with("text ") || want.starts_with("text ")) return false;
  const std::string type = word(want, 0), own = word(have, 0);
  if (word(have, 1) != word(want, 1)) return false;
  if (type != own && type != "number" && own != "number") return false;
  const bool single = type == "float32" || type == "complex64" || own == "float32" || own == "complex64";
  const bool half = type == "float16" || own == "float16";
  const bool inexact =
      type.find("int") == std::string::npos && type != "bool" && own.find("int") == std::string::npos;
  return same_numbers(values(have), values(want), half ? 2e-3 : single ? 1e-6 : inexact ? 1e-12 : 0);
}

/// Numbers that C's stdio and C++'s streams print while this lives.
class printed {
 public:
  printed() : file_(std::tmpfile()) {
    std::fflush(stdout);
    before_ = dup(1);
    dup2(fileno(file_), 1);
  }
  std::string stop() {
    std::cout.flush();
    std::fflush(stdout);
    dup2(before_, 1);
    close(before_);
    std::rewind(file_);
    std::string text;
    for (int c; (c = std::fgetc(file_)) != EOF;) text += static_cast<char>(c);
    std::fclose(file_);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

 private:
  std::FILE* file_;
  int before_;
};

std::string name_of(const gp::error& e) {
  if (dynamic_cast<const gp::axis_error*>(&e)) return "axis_error";
  if (dynamic_cast<const gp::linalg_error*>(&e)) return "linalg_error";
  if (dynamic_cast<const gp::index_error*>(&e)) return "index_error";
  if (dynamic_cast<const gp::value_error*>(&e)) return "value_error";
  if (dynamic_cast<const gp::type_error*>(&e)) return "type_error";
  if (dynamic_cast<const gp::overflow_error*>(&e)) return "overflow_error";
  if (dynamic_cast<const gp::os_error*>(&e)) return "os_error";
  if (dynamic_cast<const gp::buffer_error*>(&e)) return "buffer_error";
  return std::string("another error: ") + e.what();
}

std::vector<std::string> run(const row& r) {
  result found;
  printed output;
  try {
    r.function(found);
  } catch (const gp::error& e) {
    found.lines = {"error " + name_of(e)};
    if (r.kind != kind::compared) found.lines.back() += std::string(": ") + e.what();
  } catch (const std::exception& e) {
    found.lines = {std::string("error of C++: ") + e.what()};
  }
  std::string text = output.stop();
  // NumPy's arrays are on the CPU, and do not say so.
  if (const auto on_gpu = text.find(", device='cuda:0'"); on_gpu != text.npos) text.erase(on_gpu, 17);
  if (!text.empty()) found.lines.insert(found.lines.begin(), "text " + text);
  return found.lines;
}

}  // namespace

registered::registered(std::initializer_list<row> rows) {
  all_rows().insert(all_rows().end(), rows.begin(), rows.end());
}

void result::number(double x) { lines.push_back("number () " + spelled(x)); }
void result::number(double re, double im) { lines.push_back("number () " + spelled(re) + " " + spelled(im)); }
void result::number(long long x) { lines.push_back("number () " + std::to_string(x)); }

void result::see(const gp::any_array& a) {
  std::string text = std::string(gp::name(a.dtype())) + " (";
  for (const std::int64_t n : a.shape()) text += (text.back() == '(' ? "" : ",") + std::to_string(n);
  text += ")";
  switch (a.dtype()) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case gp::dtype::name:                                    \
    append_elements<type>(text, a);                        \
    break;
    using namespace gparray;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  lines.push_back(text);
}

}  // namespace rows

int main(int argc, char** argv) {
  using namespace rows;
  if (argc != 2) return std::puts("usage: gparray_table_tests tables_golden.tsv"), 2;
  std::map<std::string, std::vector<std::string>> answers;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> columns = split(line, "\t");
    std::vector<std::string> lines;
    for (std::size_t i = 3; i < columns.size(); ++i) lines.push_back(unescaped(columns[i]));
    answers[columns[0] + "\t" + columns[1] + "\t" + columns[2]] = lines;
  }
  const char* const device = std::getenv("GPARRAY_DEVICE");
  const bool has_gpu = device && std::string(device) != "cpu";
  std::map<std::string, std::map<std::string, int>> counts;
  int wrong = 0;
  std::set<std::string> asked;
  for (const row& r : all_rows()) {
    std::map<std::string, int>& count = counts[r.page];
    ++count["rows"];
    const std::string key = std::string(r.page) + "\t" + r.key;
    const auto answer = answers.find(key);
    if (answer != answers.end()) asked.insert(key);
    if (r.kind == kind::compiled || (r.wants_gpu && !has_gpu)) {
      ++count["compiled, not run"];
      continue;
    }
    const std::vector<std::string> have = run(r);
    std::vector<std::string> want;
    bool right = have.empty() || !have[0].starts_with("error");
    if (r.kind == kind::refused) right = have.empty();
    if (r.kind == kind::compared) {
      want = answer == answers.end() ? std::vector<std::string>{"no answer: run scripts/make_golden tables"}
                                     : answer->second;
      right = have.size() == want.size() && std::equal(have.begin(), have.end(), want.begin(), same);
    }
    ++count[!right                     ? "WRONG"
            : r.kind == kind::compared ? "compared"
            : r.kind == kind::run      ? "run, not compared"
                                       : "seen not to compile"];
    if (right) continue;
    wrong = 1;
    std::printf("%s:%d: %s\n", r.page, r.line, split(r.key, "\t")[1].c_str());
    for (const std::string& line : have) std::printf("  gparray: %s\n", line.c_str());
    for (const std::string& line : want) std::printf("  NumPy:   %s\n", line.c_str());
  }
  if (asked.size() != answers.size()) {
    std::printf("%zu answers belong to no row: run scripts/make_golden tables\n",
                answers.size() - asked.size());
    wrong = 1;
  }
  for (const auto& [page, count] : counts) {
    std::printf("%s:", page.c_str());
    for (const auto& [what, n] : count) std::printf(" %d %s;", n, what.c_str());
    std::printf("\n");
  }
  return wrong;
}
