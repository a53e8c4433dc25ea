// Messages about what happens inside: which are given, and to whom.
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/device.hpp>
#include <gparray/error.hpp>
#include <gparray/memory.hpp>
#include <gparray/runtime/log.hpp>

namespace gp = gparray;

namespace {

gp::memory_pool host_pool() { return gp::default_memory_pool(gp::memory_space::host, gp::device::cpu()); }

struct collected {
  std::vector<std::string> texts;
  collected() {
    gp::set_log_callback([this](const gp::log_message& m) {
      CHECK(m.category == gp::log_category::memory);
      CHECK(m.level == gp::log_level::info);
      texts.emplace_back(m.text);
    });
  }
  ~collected() {
    gp::set_log_callback({});
    gp::set_log_categories("");
  }
};

}  // namespace

TEST_CASE("words choose the messages") {
  CHECK(gp::log_categories() == "");
  gp::set_log_categories("memory,jit");
  CHECK(gp::log_categories() == "jit,memory");
  gp::set_log_categories("all");
  CHECK(gp::log_categories() == "jit,memory,transfer,fallback,library");
  gp::set_log_categories("none");
  CHECK(gp::log_categories() == "");
  CHECK_THROWS_WITH_AS(
      gp::set_log_categories("memory,disk"),
      "\"disk\" is no category of messages; there are jit, memory, transfer, fallback, library and all, with "
      "commas between them, and none",
      gp::value_error);
  gp::set_log_categories("");
  CHECK(gp::name(gp::log_category::library) == "library");
}

TEST_CASE("a callback gets the messages, and may use the library") {
  collected messages;
  gp::set_log_categories("library");
  host_pool().free_all_blocks();
  CHECK(messages.texts.empty());
  gp::set_log_categories("memory");
  host_pool().free_all_blocks();
  REQUIRE(messages.texts.size() == 1);
  CHECK(messages.texts[0].find("host: gave back ") == 0);

  // What it does itself is not reported, and what it throws is dropped.
  int calls = 0;
  gp::set_log_callback([&](const gp::log_message&) {
    ++calls;
    host_pool().free_all_blocks();
    throw std::runtime_error("dropped");
  });
  host_pool().free_all_blocks();
  CHECK(calls == 1);
  host_pool().free_all_blocks();
  CHECK(calls == 2);
}
