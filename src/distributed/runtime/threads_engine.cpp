#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <utility>

#include <distributed/runtime/threads_engine.hpp>

#include <gparray/distributed/communicator.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace {

using bytes = std::vector<unsigned char>;

void copy(void* to, const void* from, std::size_t count) {
  if (count && to != from) std::memmove(to, from, count);
}

/// What the threads of one group see of each other. Whoever arrives shows what it has, waits for all, takes
/// what it needs, and waits for all again before what it has shown may change.
struct team {
  struct member {
    std::uint64_t arrivals = 0;
    const void* shown = nullptr;
    std::span<const std::size_t> offsets;
    signature call;
  };

  team(int ranks, std::shared_ptr<common_fate> of_spawn)
      : fate(std::move(of_spawn)), members(static_cast<std::size_t>(ranks)) {}

  member& of(int rank) { return members[static_cast<std::size_t>(rank)]; }

  std::shared_ptr<common_fate> fate;
  std::vector<member> members;
  std::map<std::pair<int, int>, std::deque<bytes>> mail;  // by sender and receiver
};

class threads_engine final : public engine {
 public:
  threads_engine(std::shared_ptr<team> of, int rank) : team_(std::move(of)), rank_(rank) {}

  std::string name() const override { return "threads"; }
  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return static_cast<int>(team_->members.size()); }
  device place() const noexcept override { return device::cpu(); }

  void all_gather(const void* mine, void* all, std::size_t count, const stream_view&) override {
    meet(mine, {}, [&] {
      for (int r = 0; r < size(); ++r)
        copy(static_cast<char*>(all) + static_cast<std::size_t>(r) * count, team_->of(r).shown, count);
    });
  }

  void all_to_all(const void* from, std::span<const std::size_t> from_offsets, void* to,
                  std::span<const std::size_t> to_offsets, const stream_view&) override {
    const auto me = static_cast<std::size_t>(rank_);
    meet(from, from_offsets, [&] {
      for (std::size_t r = 0; r < team_->members.size(); ++r) {
        const team::member& other = team_->members[r];
        const std::size_t count = other.offsets[me + 1] - other.offsets[me];
        if (count != to_offsets[r + 1] - to_offsets[r])
          throw distributed_error(
              fmt::format("{}: rank {} sends {} bytes to rank {}, which expects {}", current.text(), r, count,
                          rank_, to_offsets[r + 1] - to_offsets[r]),
              static_cast<int>(r));
        copy(static_cast<char*>(to) + to_offsets[r],
             static_cast<const char*>(other.shown) + other.offsets[me], count);
      }
    });
  }

  void broadcast(void* data, std::size_t count, int root, const stream_view&) override {
    meet(data, {}, [&] { copy(data, team_->of(root).shown, count); });
  }

  void exchange(std::span<const outgoing> sends, std::span<const incoming> receives,
                const stream_view&) override {
    common_fate& fate = *team_->fate;
    {
      const std::lock_guard held(fate.lock);
      fate.check();
      for (const outgoing& m : sends) {
        const auto* const data = static_cast<const unsigned char*>(m.data);
        team_->mail[{rank_, m.to}].emplace_back(data, data + m.bytes);
      }
    }
    fate.changed.notify_all();
    for (const incoming& m : receives) receive(m);
  }

  void barrier() override {
    meet(nullptr, {}, [] {});
  }

  std::shared_ptr<engine> split(int color, int key) override {
    struct choice {
      int color, key;
      std::shared_ptr<team> made;
    };
    // Everyone finds out where it belongs; the first of each group makes what they share.
    choice mine{color, key, nullptr};
    std::vector<std::pair<int, int>> group;  // key and rank
    meet(&mine, {}, [&] {
      for (int r = 0; r < size(); ++r) {
        const choice& other = *static_cast<const choice*>(team_->of(r).shown);
        if (other.color == color) group.emplace_back(other.key, r);
      }
    });
    std::sort(group.begin(), group.end());
    if (group[0].second == rank_)
      mine.made = std::make_shared<team>(static_cast<int>(group.size()), team_->fate);
    std::shared_ptr<team> joined;
    meet(&mine, {}, [&] { joined = static_cast<const choice*>(team_->of(group[0].second).shown)->made; });
    const auto place = std::find(group.begin(), group.end(), std::pair(key, rank_)) - group.begin();
    return std::make_shared<threads_engine>(std::move(joined), static_cast<int>(place));
  }

  void poll() override {
    const std::lock_guard held(team_->fate->lock);
    team_->fate->check();
  }

  void abort(std::string_view why) noexcept override {
    team_->fate->fail(fmt::format("rank {} has called abort: {}", rank_, why), rank_);
  }

 private:
  /// Shows something, has `take` look at what all show, and lets nobody go before all have looked.
  template<class Take>
  void meet(const void* shown, std::span<const std::size_t> offsets, const Take& take) {
    team::member& me = team_->of(rank_);
    arrive([&] {
      me.shown = shown;
      me.offsets = offsets;
      me.call = current;
    });
    try {
      take();
    } catch (const std::exception& e) {
      team_->fate->fail(e.what(), rank_);
      throw;
    }
    arrive([] {});
  }

  template<class Show>
  void arrive(const Show& show) {
    common_fate& fate = *team_->fate;
    std::unique_lock held(fate.lock);
    fate.check();
    show();
    const std::uint64_t number = ++team_->of(rank_).arrivals;
    fate.changed.notify_all();
    const auto missing = [&] { return first_missing(number); };
    fate.wait(
        held, [&] { return missing() < 0; },
        [&] {
          const int rank = missing();
          const signature& last = team_->of(rank).call;
          return std::pair(fmt::format("rank {} has waited for rank {} in {} for {} s; rank {} {}", rank_,
                                       rank, current.text(), seconds(), rank,
                                       last.number ? "was last in " + last.text() : "has made no call yet"),
                           rank);
        });
  }

  int first_missing(std::uint64_t number) const {
    for (int r = 0; r < size(); ++r)
      if (team_->of(r).arrivals < number) return r;
    return -1;
  }

  void receive(const incoming& m) {
    common_fate& fate = *team_->fate;
    std::unique_lock held(fate.lock);
    std::deque<bytes>& box = team_->mail[{m.from, rank_}];
    fate.wait(
        held, [&] { return !box.empty(); },
        [&] {
          return std::pair(fmt::format("rank {} has waited for what rank {} sends it in {} for {} s", rank_,
                                       m.from, current.text(), seconds()),
                           m.from);
        });
    const bytes letter = std::move(box.front());
    box.pop_front();
    if (letter.size() != m.bytes) {
      const std::string text = fmt::format("{}: rank {} has sent {} bytes to rank {}, which expects {}",
                                           current.text(), m.from, letter.size(), rank_, m.bytes);
      fate.fail_locked(text, m.from);
      throw distributed_error(text, m.from);
    }
    copy(m.data, letter.data(), m.bytes);
  }

  double seconds() const { return static_cast<double>(team_->fate->timeout.count()) / 1000; }

  std::shared_ptr<team> team_;
  int rank_;
};

}  // namespace

void common_fate::fail(const std::string& reason, int rank) {
  const std::lock_guard held(lock);
  fail_locked(reason, rank);
}

void common_fate::fail_locked(const std::string& reason, int rank) {
  if (!reason_.empty()) return;
  reason_ = reason.empty() ? "unknown" : reason;
  rank_ = rank;
  changed.notify_all();
}

void common_fate::check() const {
  if (!reason_.empty()) throw distributed_error(reason_, rank_);
}

std::vector<std::shared_ptr<engine>> thread_team(int ranks, const std::shared_ptr<common_fate>& fate) {
  const auto shared = std::make_shared<team>(ranks, fate);
  std::vector<std::shared_ptr<engine>> engines;
  for (int r = 0; r < ranks; ++r) engines.push_back(std::make_shared<threads_engine>(shared, r));
  return engines;
}

std::shared_ptr<engine> alone() {
  return thread_team(1, std::make_shared<common_fate>(std::chrono::hours(1)))[0];
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
