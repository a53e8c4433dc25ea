// An NCCL whose ranks are threads and whose GPUs' memory is the host's: work is done when it is enqueued. Can
// be made to fail at a call, and to report an error later.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <distributed/nccl/nccl.hpp>

namespace fake_nccl {

namespace gd = gparray::distributed::detail;

struct group {
  explicit group(int n) : size(n), shown(static_cast<std::size_t>(n)) {}

  /// Returns when all ranks have come, with what each shows, or has shown.
  void meet(int rank, const void* what) {
    std::unique_lock held(lock);
    if (what) shown[static_cast<std::size_t>(rank)] = what;
    const int turn = turns;
    if (++come == size) come = 0, ++turns, changed.notify_all();
    else changed.wait(held, [&] { return turns != turn; });
  }

  const int size;
  std::mutex lock;
  std::condition_variable changed;
  std::vector<const void*> shown;
  int come = 0, turns = 0;
  std::map<std::pair<int, int>, std::deque<std::vector<unsigned char>>> mail;
  std::map<int, std::shared_ptr<group>> parts;  // of a split, by color
  std::map<std::pair<int, int>, int> signals;   // not yet waited for, by sender and receiver
};

struct comm {
  std::shared_ptr<group> ranks;
  int rank;
};

/// The memory of each rank.
using window = std::vector<const void*>;

struct model_type {
  std::atomic<int> calls = 0;
  int fail_at = 0;  // counted from 1
  std::string failed;
  std::atomic<int> async_error = 0, made = 0, destroyed = 0, aborted = 0, splits = 0;
  int version = 22809;
  void (*before_gather)() = nullptr;
  std::atomic<int> windows = 0, memory = 0;  // that there are
  std::atomic<int> full_ranks = 0;           // to so many no more memory is given
  bool reach_each_other = true;
  // Memory and windows: what a broken communicator had is not given back, and not lost at the end.
  std::set<void*>& given = *new std::set<void*>;
  void* (*allocate)(std::size_t) = &std::malloc;
  void (*deallocate)(void*) = &std::free;
  std::mutex lock;
  std::map<int, std::shared_ptr<group>> groups;  // by the number in the id
  int ids = 0;

  void reset(int k = 0) {
    calls = 0, fail_at = k, failed.clear(), async_error = 0, made = 0, destroyed = 0, aborted = 0;
    before_gather = nullptr;
    windows = 0, memory = 0, full_ranks = 0, reach_each_other = true;
    allocate = &std::malloc, deallocate = &std::free;
  }
  bool fails(const char* name) {
    if (++calls != fail_at) return false;
    failed = name;
    return true;
  }
};
inline model_type model;

#define FAKE(name) \
  if (model.fails("nccl" #name)) return 3

struct letter {
  gd::nccl_comm c;
  const void* from;
  void* to;
  std::size_t bytes;
  int peer;
};
inline thread_local std::vector<letter> grouped;

inline comm& of(gd::nccl_comm c) { return *static_cast<comm*>(c); }

inline int deliver() {
  for (const letter& l : grouped) {
    if (!l.from) continue;
    const std::lock_guard held(of(l.c).ranks->lock);
    const auto* const data = static_cast<const unsigned char*>(l.from);
    of(l.c).ranks->mail[{of(l.c).rank, l.peer}].emplace_back(data, data + l.bytes);
    of(l.c).ranks->changed.notify_all();
  }
  for (const letter& l : grouped) {
    if (l.from) continue;
    group& ranks = *of(l.c).ranks;
    std::unique_lock held(ranks.lock);
    auto& box = ranks.mail[{l.peer, of(l.c).rank}];
    ranks.changed.wait(held, [&] { return !box.empty(); });
    if (box.front().size() == l.bytes) std::memcpy(l.to, box.front().data(), l.bytes);
    box.pop_front();
  }
  grouped.clear();
  return 0;
}

/// Of an element of NCCL's number of a dtype.
constexpr std::size_t bytes_of(int type) {
  return type < 2 ? 1 : type == 2 || type == 3 || type == 7 ? 4 : 8;
}

template<class V>
void fold(const group& ranks, void* to, std::size_t n, int op) {
  for (std::size_t i = 0; i < n; ++i) {
    V v = static_cast<const V*>(ranks.shown[0])[i];
    for (std::size_t r = 1; r < ranks.shown.size(); ++r) {
      const V w = static_cast<const V*>(ranks.shown[r])[i];
      v = op == 0   ? static_cast<V>(v + w)
          : op == 1 ? static_cast<V>(v * w)
          : op == 2 ? std::max(v, w)
                    : std::min(v, w);
    }
    static_cast<V*>(to)[i] = v;
  }
}

inline gd::nccl_table table() {
  using gd::nccl_comm;
  using std::size_t;
  gd::nccl_table t{};
  t.GetVersion = [](int* v) {
    *v = model.version;
    return 0;
  };
  t.GetUniqueId = [](gd::nccl_id* id) {
    FAKE(GetUniqueId);
    const std::lock_guard held(model.lock);
    *id = {};
    ++model.ids;
    std::memcpy(id->content, &model.ids, sizeof(int));
    return 0;
  };
  t.CommInitRank = [](nccl_comm* c, int n, gd::nccl_id id, int rank) {
    FAKE(CommInitRank);
    int number = 0;
    std::memcpy(&number, id.content, sizeof number);
    std::shared_ptr<group> ranks;
    {
      const std::lock_guard held(model.lock);
      auto& known = model.groups[number];
      if (!known) known = std::make_shared<group>(n);
      ranks = known;
    }
    ranks->meet(rank, nullptr);
    ++model.made;
    *c = new comm{ranks, rank};
    return 0;
  };
  t.CommSplit = [](nccl_comm c, int color, int key, nccl_comm* part, void*) {
    FAKE(CommSplit);
    const std::tuple mine{color, key, of(c).rank};
    group& ranks = *of(c).ranks;
    ranks.meet(of(c).rank, &mine);
    std::vector<std::tuple<int, int, int>> all;
    for (const void* other : ranks.shown)
      all.push_back(*static_cast<const std::tuple<int, int, int>*>(other));
    std::erase_if(all, [&](const auto& other) { return std::get<0>(other) != color; });
    std::sort(all.begin(), all.end());
    std::shared_ptr<group> joined;
    {
      const std::lock_guard held(ranks.lock);
      auto& known = ranks.parts[color];
      if (!known) known = std::make_shared<group>(static_cast<int>(all.size()));
      joined = known;
    }
    ranks.meet(of(c).rank, nullptr);
    if (of(c).rank == 0) {
      const std::lock_guard held(ranks.lock);
      ranks.parts.clear();
    }
    ranks.meet(of(c).rank, nullptr);
    ++model.made;
    *part = new comm{joined, static_cast<int>(std::find(all.begin(), all.end(), mine) - all.begin())};
    return 0;
  };
  t.CommDestroy = [](nccl_comm c) {
    ++model.destroyed;
    delete static_cast<comm*>(c);
    return 0;
  };
  t.CommAbort = [](nccl_comm c) {
    ++model.aborted;
    delete static_cast<comm*>(c);
    return 0;
  };
  t.CommGetAsyncError = [](nccl_comm, int* code) {
    *code = model.async_error;
    return 0;
  };
  t.CommCount = [](nccl_comm c, int* n) {
    FAKE(CommCount);
    *n = of(c).ranks->size;
    return 0;
  };
  t.CommUserRank = [](nccl_comm c, int* r) {
    FAKE(CommUserRank);
    *r = of(c).rank;
    return 0;
  };
  t.GetErrorString = [](int code) {
    return code == 3 ? "internal error" : "remote process exited or there was a network error";
  };
  t.GetLastError = [](nccl_comm) { return "the cable is loose"; };
  t.AllGather = [](const void* from, void* to, size_t n, int, nccl_comm c, void*) {
    FAKE(AllGather);
    if (model.before_gather) model.before_gather();
    group& ranks = *of(c).ranks;
    const std::vector<unsigned char> mine(static_cast<const unsigned char*>(from),
                                          static_cast<const unsigned char*>(from) + n);
    ranks.meet(of(c).rank, mine.data());
    for (size_t r = 0; r < ranks.shown.size(); ++r)
      std::memcpy(static_cast<unsigned char*>(to) + r * n, ranks.shown[r], n);
    ranks.meet(of(c).rank, nullptr);
    return 0;
  };
  t.Broadcast = [](const void* from, void* to, size_t n, int, int root, nccl_comm c, void*) {
    FAKE(Broadcast);
    group& ranks = *of(c).ranks;
    ranks.meet(of(c).rank, from);
    if (of(c).rank != root) std::memcpy(to, ranks.shown[static_cast<size_t>(root)], n);
    ranks.meet(of(c).rank, nullptr);
    return 0;
  };
  t.AllReduce = [](const void* from, void* to, size_t n, int type, int op, nccl_comm c, void*) {
    FAKE(AllReduce);
    group& ranks = *of(c).ranks;
    const size_t bytes = n * bytes_of(type);
    const std::vector<unsigned char> mine(static_cast<const unsigned char*>(from),
                                          static_cast<const unsigned char*>(from) + bytes);
    ranks.meet(of(c).rank, mine.data());
    if (type == 1) fold<unsigned char>(ranks, to, n, op);
    else if (type == 2) fold<int>(ranks, to, n, op);
    else if (type == 4) fold<long>(ranks, to, n, op);
    else if (type == 7) fold<float>(ranks, to, n, op);
    else if (type == 8) fold<double>(ranks, to, n, op);
    ranks.meet(of(c).rank, nullptr);
    return 0;
  };
  t.Send = [](const void* from, size_t n, int, int peer, nccl_comm c, void*) {
    FAKE(Send);
    grouped.push_back({c, from, nullptr, n, peer});
    return 0;
  };
  t.Recv = [](void* to, size_t n, int, int peer, nccl_comm c, void*) {
    FAKE(Recv);
    grouped.push_back({c, nullptr, to, n, peer});
    return 0;
  };
  t.GroupStart = [] {
    FAKE(GroupStart);
    return 0;
  };
  t.GroupEnd = [] {
    if (model.fails("ncclGroupEnd")) {
      grouped.clear();
      return 3;
    }
    return deliver();
  };
  return t;
}

/// The same of a library that has windows.
inline gd::nccl_table table_with_windows() {
  using gd::nccl_comm;
  using gd::nccl_window;
  using std::size_t;
  gd::nccl_table t = table();
  t.MemAlloc = [](void** p, size_t bytes) {
    if (model.full_ranks > 0 && model.full_ranks-- > 0) return 1;
    *p = model.allocate(bytes);
    ++model.memory;
    const std::lock_guard held(model.lock);
    model.given.insert(*p);
    return 0;
  };
  t.MemFree = [](void* p) {
    {
      const std::lock_guard held(model.lock);
      model.given.erase(p);
    }
    model.deallocate(p);
    --model.memory;
    return 0;
  };
  t.CommWindowRegister = [](nccl_comm c, void* memory, size_t, nccl_window* made, int how) {
    FAKE(CommWindowRegister);
    if (how != gd::nccl_symmetric) return 4;
    group& ranks = *of(c).ranks;
    ranks.meet(of(c).rank, memory);
    *made = new window(ranks.shown);
    ++model.windows;
    {
      const std::lock_guard held(model.lock);
      model.given.insert(*made);
    }
    ranks.meet(of(c).rank, nullptr);
    return 0;
  };
  t.CommWindowDeregister = [](nccl_comm, nccl_window w) {
    {
      const std::lock_guard held(model.lock);
      model.given.erase(w);
    }
    delete static_cast<window*>(w);
    --model.windows;
    return 0;
  };
  t.GetPeerDevicePointer = [](nccl_window w, size_t offset, int rank, void** p) {
    FAKE(GetPeerDevicePointer);
    const auto* const there = static_cast<const char*>((*static_cast<window*>(w))[static_cast<size_t>(rank)]);
    *p = model.reach_each_other ? const_cast<char*>(there) + offset : nullptr;
    return 0;
  };
  t.Signal = [](int peer, int, int, unsigned, nccl_comm c, void*) {
    FAKE(Signal);
    group& ranks = *of(c).ranks;
    const std::lock_guard held(ranks.lock);
    ++ranks.signals[{of(c).rank, peer}];
    ranks.changed.notify_all();
    return 0;
  };
  t.WaitSignal = [](int n, gd::nccl_signals* of_ranks, nccl_comm c, void*) {
    FAKE(WaitSignal);
    group& ranks = *of(c).ranks;
    std::unique_lock held(ranks.lock);
    for (int i = 0; i < n; ++i) {
      int& come = ranks.signals[{of_ranks[i].rank, of(c).rank}];
      ranks.changed.wait(held, [&] { return come >= of_ranks[i].count; });
      come -= of_ranks[i].count;
    }
    return 0;
  };
  return t;
}
#undef FAKE

}  // namespace fake_nccl
