// Command-line options of the examples: declared where they are read.
//
//   command_line options(argc, argv, "Multiplies matrices.");
//   const int size = options.value("--size", 256, "rows of the matrix");
//   const bool quiet = options.flag("--quiet", "print results only");
//   options.finish();
#pragma once
#include <charconv>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

class command_line {
 public:
  command_line(int argc, char** argv, std::string_view summary)
      : program_(argv[0]), arguments_(argv + 1, argv + argc) {
    help_ = fmt::format("{}\n\nUsage: {} [options]\n", summary, program_.substr(program_.rfind('/') + 1));
  }

  /// The number or text after `name`, as in --size 64 or --size=64, else the default. Names may be
  /// "-n/--size".
  template<class V>
  V value(std::string_view names, V fallback, std::string_view help) {
    describe(fmt::format("{} {}", names, std::is_same_v<V, std::string> ? "TEXT" : "NUMBER"),
             fmt::format("{} (default: {})", help, fallback));
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const std::string argument = arguments_[i];
      const auto equals = argument.find('=');
      if (!is_one_of(argument.substr(0, equals), names)) continue;
      if (equals == std::string::npos && i + 1 == arguments_.size())
        fail(fmt::format("{} needs a value", argument));
      const std::string text = equals == std::string::npos ? arguments_[i + 1] : argument.substr(equals + 1);
      const auto first = arguments_.begin() + static_cast<std::ptrdiff_t>(i);
      arguments_.erase(first, first + (equals == std::string::npos ? 2 : 1));
      return parse<V>(argument, text);
    }
    return fallback;
  }
  std::string value(std::string_view names, const char* fallback, std::string_view help) {
    return value(names, std::string(fallback), help);
  }

  /// Whether `name` is there.
  bool flag(std::string_view names, std::string_view help) {
    describe(names, help);
    return std::erase_if(arguments_,
                         [&](const std::string& argument) { return is_one_of(argument, names); }) > 0;
  }

  /// Call it after the last option: prints --help, and rejects options that were not declared.
  void finish() {
    if (flag("-h/--help", "print this and stop")) {
      fmt::print("{}", help_);
      std::exit(EXIT_SUCCESS);
    }
    if (!arguments_.empty()) fail(fmt::format("unknown option {}", arguments_.front()));
  }

 private:
  static bool is_one_of(std::string_view argument, std::string_view names) {
    const auto slash = names.find("/-");
    if (slash == std::string_view::npos) return argument == names;
    return argument == names.substr(0, slash) || argument == names.substr(slash + 1);
  }

  template<class V>
  V parse(std::string_view name, const std::string& text) const {
    if constexpr (std::is_same_v<V, std::string>) {
      return text;
    } else {
      V number{};
      const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (status != std::errc() || end != text.data() + text.size())
        fail(fmt::format("{}: '{}' is not a number", name, text));
      return number;
    }
  }

  void describe(std::string_view names, std::string_view help) {
    help_ += fmt::format("  {:<26} {}\n", names, help);
  }

  [[noreturn]] void fail(std::string_view problem) const {
    fmt::print(stderr, "{}: {}; --help lists the options\n", program_, problem);
    std::exit(2);
  }

  std::string program_, help_;
  std::vector<std::string> arguments_;
};

/// run(argc, argv); an exception is printed with the program's name, and ends it with EXIT_FAILURE.
inline int run_program(int argc, char** argv, int (*run)(int, char**)) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    const std::string_view path = argv[0];
    fmt::print(stderr, "{}: {}\n", path.substr(path.rfind('/') + 1), e.what());
    return EXIT_FAILURE;
  }
}
