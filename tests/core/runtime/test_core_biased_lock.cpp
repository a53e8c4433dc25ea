// A biased lock: one thread is inside, whichever way it came in.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <core/array/pending_list.hpp>
#include <support/biased_lock.hpp>
#include <support/this_thread.hpp>

using gparray::core::biased_lock;

namespace {

/// What is changed under the lock alone: two numbers that are equal outside.
struct guarded {
  biased_lock lock;
  volatile std::int64_t first = 0, second = 0;
  int torn = 0;  // how often they were not

  void change() {
    if (first != second) ++torn;
    first = first + 1;
    second = second + 1;
  }
};

bool change_as_owner(guarded& g) {
  const bool was_biased = g.lock.lock_as_owner();
  g.change();
  g.lock.unlock(was_biased);
  return was_biased;
}
void change(guarded& g) {
  g.lock.lock();
  g.change();
  g.lock.unlock();
}

}  // namespace

TEST_SUITE("test_core_biased_lock") {
  TEST_CASE("a biased lock is biased once its owner alone has taken it for a while, until another does") {
    guarded g;
    const auto locks_until_biased = [&] {
      int locks = 0;
      while (locks < 2 * biased_lock::locks_until_biased && !change_as_owner(g)) ++locks;
      return locks;
    };
    const int expected = biased_lock::locks_until_biased * (biased_lock::may_be_biased() ? 1 : 2);
    CHECK(locks_until_biased() == expected);
    change(g);
    CHECK(locks_until_biased() == expected);
    for (int i = 0; i < 100; ++i) change_as_owner(g);
    std::thread([&] { change(g); }).join();
    CHECK(locks_until_biased() == expected);
    CHECK(g.torn == 0);
  }

  TEST_CASE("who ends the bias waits until the owner is outside") {
    guarded g;
    for (int i = 0; i <= biased_lock::locks_until_biased; ++i) change_as_owner(g);
    std::atomic<bool> is_inside{false};
    const bool was_biased = g.lock.lock_as_owner();
    std::thread other([&] {
      g.lock.lock();
      is_inside = true;
      g.lock.unlock();
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(was_biased == biased_lock::may_be_biased());
    CHECK(!is_inside);
    g.lock.unlock(was_biased);
    other.join();
    CHECK(is_inside);
  }

  TEST_CASE("one thread is inside, while the bias comes and goes") {
    constexpr int n_others = 3, changes_of_each = 60;
    guarded g;
    std::atomic<int> running{n_others}, times_biased{0};
    std::vector<std::thread> others;
    for (int i = 0; i < n_others; ++i)
      others.emplace_back([&, i] {
        for (int k = 0; k < changes_of_each; ++k) {
          const int before = times_biased;
          change(g);
          // Mostly until the owner has it biased again.
          while (biased_lock::may_be_biased() && k % (2 + i) != 0 && times_biased == before)
            std::this_thread::yield();
        }
        --running;
      });
    std::int64_t changes = n_others * changes_of_each;
    for (bool was_biased = false; running > 0; ++changes) {
      const bool is_biased = change_as_owner(g);
      if (is_biased && !was_biased) ++times_biased;
      was_biased = is_biased;
    }
    for (std::thread& other : others) other.join();
    CHECK(g.torn == 0);
    CHECK(g.first == changes);
    CHECK(g.second == changes);
    CHECK((times_biased >= changes_of_each / 2) == biased_lock::may_be_biased());
  }
}

TEST_CASE("pending lists: each thread has its own, which is free behind its end") {
  using gparray::core::own_pending_list;
  const gparray::core::pending_list* const own = own_pending_list();
  CHECK(own->owner == gparray::core::this_thread());
  const auto list_of_thread = [&] {
    const gparray::core::pending_list* found = nullptr;
    const void* self = nullptr;
    std::thread([&] {
      self = gparray::core::this_thread();
      found = own_pending_list();
      CHECK(found->owner == self);
      CHECK(found == own_pending_list());
    }).join();
    CHECK(self != gparray::core::this_thread());
    CHECK(found != own);
    return found;
  };
  const gparray::core::pending_list* const first = list_of_thread();
  CHECK(first->owner == nullptr);
  CHECK(list_of_thread() == first);
  CHECK(own_pending_list() == own);
}
