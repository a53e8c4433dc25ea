// References to arrays that are given up under a lock.
#pragma once
#include <vector>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// References that are released when this goes, which takes locks.
class released_later {
 public:
  released_later() = default;
  released_later(const released_later&) = delete;
  released_later& operator=(const released_later&) = delete;
  ~released_later() {
    for (array_rep* rep : reps_) release(rep);
  }
  /// For so many references add() needs no memory.
  void reserve(std::size_t count) { reps_.reserve(count); }
  void add(array_rep* rep) { reps_.push_back(rep); }

 private:
  std::vector<array_rep*> reps_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
