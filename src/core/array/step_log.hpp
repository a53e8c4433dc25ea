// The steps of a loop that goes on, one behind the other as in a plan, in place of a graph of pending arrays.
//
// A step of a graph is an array_rep that has references to its operands, and lives until the loop is
// computed. Of a step in a log there are a few bytes: its array_rep goes with its last handle, and the next
// step has its memory, which is in a cache. What the program still has at the end is computed from the log at
// once. Whoever wants to walk over what is pending holds its list's steps (hold_steps), which writes the log
// out as the graph that it stands for. So nothing else knows of logs.
#pragma once
#include <algorithm>
#include <bitset>
#include <optional>
#include <utility>

#include <core/array/pending_list.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// One is in use, under the lock of its list, while `count` is not 0. All steps are element by element, of
/// one shape on one device, and in C order.
struct step_log {
  static constexpr int step_base = max_inputs;  // values below it are operands
#ifdef __SANITIZE_ADDRESS__
  static constexpr int most_spare = 0;  // or a use after the end would not be seen
#else
  static constexpr int most_spare = 32;
#endif

  /// Arrays that turns read one after the other, each as far behind the one before, as rows of an array are:
  /// one operand, the addresses in front of the first row's elements, to which each turn adds the distance,
  /// and loads. So turns of a loop over rows are alike, and are one kernel, however many rows there are.
  struct row_series {
    int operand;  // negative once no step reads it
    int distance_operand;
    std::int64_t distance;  // bytes
    int n_rows;
    std::int16_t loads[max_steps / 3];  // the step that loads each row
  };
  static constexpr int most_series = 4, longest_turn = 64;
  static constexpr std::int8_t no_series = -1, conversion = -2;

  /// What else is known of a step.
  struct note {
    std::uint64_t statement, birth;
    array_rep* rep;          // while anything has it
    dtype type;              // of the result
    std::uint8_t fused;      // bit i: argument i is a temporary
    bool is_name, was_used;  // not fused into another step; an argument of one
    std::int8_t series;      // of whose row it is the address, or, behind that, the load; or one of the above
    std::int16_t row;
    bool is_fused(std::size_t argument) const { return (fused >> argument & 1) != 0; }
    bool is_of_row() const { return series >= 0; }
    /// Whether it is part of a step behind it: a row that this reads, or an argument's conversion.
    bool is_part() const { return series != no_series; }
  };

  std::atomic<int> count{0};
  bool is_read = false;               // is being computed: no step is added
  int n_operands = 0, n_numbers = 0;  // numbers are operands of a log
  int n_living = 0;                   // steps that anything has the rep of
  int n_listed = 0;                   // of the first of them, names have been put into the list of their home
  int period;      // the steps of a turn: what is added is compared with the one so far before
  int alike_from;  // steps [alike_from, count) are each that one once more (known_turns)
  device on;
  stream_handle stream;
  std::int64_t size;
  dims shape;
  node_argument operands[max_inputs];  // with a reference to each array, which is computed
  bool may_have_rows = false;          // a CPU reads arrays faster than single elements
  std::bitset<max_inputs> addresses;   // of which operands are not the arrays, but where their elements are
  int n_series = 0;
  row_series series[most_series];
  step steps[max_steps];  // their arguments are values of the log
  note notes[max_steps];
  array_rep* spare = nullptr;  // of steps that have gone, one behind the other by `next`, for steps to come
  int n_spare = 0;

  static bool is_step(int value) { return value >= step_base; }
  static int step_of(int value) { return value - step_base; }
  static std::size_t arity_of(const step& s) { return static_cast<std::size_t>(gparray::arity(s.op)); }

  /// The turns that the first `end` steps are, as far as that is known.
  known_turns turns(int end) const {
    const int first = alike_from - period;
    return first >= 0 && end - first >= 2 * period ? known_turns{first, period, end} : known_turns{};
  }
  bool is_address(int operand) const { return addresses[static_cast<std::size_t>(operand)]; }
  int n_arrays() const { return n_operands - n_numbers; }
  /// Whether a plan of all has room for so many more.
  bool has_room(int more_arrays, int more_numbers) const {
    return have_room(on, false, n_arrays() + more_arrays, n_numbers + more_numbers);
  }
  bool is_conversion(int value) const { return is_step(value) && notes[step_of(value)].series == conversion; }
  bool is_in_use() const { return count.load(std::memory_order_relaxed) != 0; }
  std::span<const node_argument> all_operands() const {
    return {operands, static_cast<std::size_t>(n_operands)};
  }

  /// Empties it, for steps of the shape of `like`. What it had has been released.
  void begin(const array_rep& like);
  /// The value that a computed array is for the steps of a list's log, or a number as an element of a dtype;
  /// negative if there is no room.
  int operand(pending_list& home, array_rep* array);
  /// The same of an array that may be the next one of a series, or begin one: two more steps.
  int operand_or_row(pending_list& home, array_rep* array);
  int number(pending_list& home, dtype type, const scalar_bits& bits, dtype wanted);
  /// Adds a step, for which there is room, with values of the dtypes that it wants. The statement, the rep
  /// and that arguments are used are the caller's to note.
  note& add(ufunc f, dtype loop, const int* values, int n, std::uint64_t birth);
  /// Adds a cast, and returns its value.
  int convert(int value, dtype to, std::uint64_t birth);
  /// The series and the row that an array is in the place of one that has been loaded, which the row of that
  /// turn is for the next: a row that is there, or the one behind the last. None if it is not that.
  std::optional<std::pair<row_series*, int>> row_behind(const note& load, const array_rep* array);
  /// The value of such a row, which may be new.
  int value_of(pending_list& home, row_series& rows, int row) {
    return row < rows.n_rows ? step_base + rows.loads[row] : next_row(home, rows);
  }
  void expect_period(int steps) {
    if (period != steps) alike_from = count.load(std::memory_order_relaxed);
    period = steps;
  }
  /// Takes the last step that was like this one for that of the last turn.
  void expect_turn_of(int at);
  /// A rep for a step: a new one, or one that was a step of the log.
  array_rep* new_rep_of_step(pending_list& home, dtype type) const;
  array_rep* take_rep(pending_list& home, dtype type);
  /// Gives a step its rep, which is a name as long as no other step fuses it.
  void name(pending_list& home, array_rep* rep, int at);
  /// Tells a rep what the log says of it, but for its arguments.
  void describe(array_rep* rep, int at) const;
  /// A value is an argument now: of a step, which is a name no longer if that fuses it.
  void use(pending_list& home, int value, bool fuses) noexcept {
    if (!is_step(value)) return;
    note& used = notes[step_of(value)];
    used.was_used = true;
    if (fuses) end_name(home, used);
  }
  /// A step that anything has is a name no longer.
  void end_name(pending_list& home, note& n) noexcept;
  /// Counts a step that is a name among those of its list, or out of them with -1.
  void count_name(pending_list& home, const note& n, int names) const noexcept {
    core::count_name(home, n.statement, names);
  }
  /// A row that a step loads, as an array.
  any_array row_of(const row_series& rows, int row) const;

 private:
  int next_row(pending_list& home, row_series& rows);
  int find_row(pending_list& home, const array_rep* array);
  int begin_series(pending_list& home, array_rep* array);
};

inline void step_log::describe(array_rep* rep, int at) const {
  node& n = rep->operation;
  n.op = steps[at].op;
  n.loop = steps[at].loop;
  n.inputs = n_arrays();
  n.numbers = n_numbers;
  n.steps = at + 1;
  n.statement = notes[at].statement;
  rep->birth = notes[at].birth;
  rep->stream = stream;
}

inline void step_log::name(pending_list& home, array_rep* rep, int at) {
  note& n = notes[at];
  n.rep = rep;
  n.is_name = true;
  ++n_living;
  ++home.all.steps;
  count_name(home, n, 1);
  describe(rep, at);
  rep->logged.store(at, std::memory_order_relaxed);
}

inline void step_log::end_name(pending_list& home, note& n) noexcept {
  if (std::exchange(n.is_name, false)) count_name(home, n, -1);
  if (n.rep->list.load(std::memory_order_relaxed)) detach(home, n.rep);
}

inline array_rep* step_log::take_rep(pending_list& home, dtype type) {
  array_rep* const rep = spare;
  if (!rep) return new_rep_of_step(home, type);
  spare = rep->next;
  --n_spare;
  rep->type = type;
  rep->references.store(1, std::memory_order_relaxed);
  rep->begins_turn = rep->repeats_nothing = rep->read_only = rep->is_view = false;
  rep->was_used.store(false, std::memory_order_relaxed);
  return rep;
}

/// Ends the use of a log, whose list is locked; what it had is released when this goes, which takes locks.
class end_of_log {
 public:
  explicit end_of_log(step_log& log) : count_(log.n_operands) {
    std::copy_n(log.operands, count_, operands_);
    log.n_operands = log.n_numbers = log.n_listed = log.n_living = 0;
    log.count.store(0, std::memory_order_relaxed);
  }
  end_of_log(const end_of_log&) = delete;
  end_of_log& operator=(const end_of_log&) = delete;
  ~end_of_log() {
    for (int i = 0; i < count_; ++i)
      if (operands_[i].array) release(operands_[i].array);
  }

 private:
  int count_;
  node_argument operands_[max_inputs];
};

/// The quick way to a pending array, to be asked before plain_step(): the same, of this thread's log, with a
/// reference for the caller. Null, and nothing has changed, if there is no log, or the step is none for it,
/// or a turn of the loop may end here (end_turns); `turns_go_on`: that has been asked.
inline bool is_in_log(const pending_list& own) { return own.log && own.log->is_in_use(); }
array_rep* log_step(pending_list& own, ufunc f, dtype loop, std::span<const detail::argument> arguments,
                    bool turns_go_on = false);

/// Logs all that this thread has left pending, whose steps are held: of one shape, that of `like`, and of
/// nothing but element-wise steps. False if that is not so.
bool begin_log(pending_list* own, const array_rep* like);
/// Whether what has been logged by this thread are turns that are alike.
bool is_logged_loop(pending_list& own);
/// Counts what has been logged with what else is pending; the list is locked.
void count_logged(pending_list& list);
/// Makes a graph of what has been logged; the list's steps are held.
void write_out(pending_list* list);

/// Computes a rep that is logged, and what the program has that is made of the same steps, by one kernel, if
/// that is what is done with the graph when these of them are wanted, or, if none are named, all. The rest
/// stays in the log. False if it is not.
bool compute_logged(array_rep* rep, std::span<array_rep* const> wanted);
/// So computes a loop that the log of this thread's list has many steps of, if one kernel can, before
/// something else is made of what is pending: a graph of the steps would take longer to make, and to cut.
void compute_long_log(pending_list* own);

/// For a locked list: puts the names of the log into it, where searches find them.
void list_logged_names(pending_list& list) noexcept;
/// The rep is now fused into another one.
void end_name(pending_list& list, array_rep* rep) noexcept;
/// What becomes of a rep whose caller has dropped it.
enum class dropped {
  kept_for_later,  // it is a step to come
  shared,          // something else has it
  unused
};
/// Nothing but the caller has the rep any more, unless a thread has found it in the log meanwhile. Its step
/// may be part of others.
dropped leave_log(array_rep* rep) noexcept;
/// How many references to an array the log of a locked list has.
int references_of_log(const pending_list& list, const array_rep* rep) noexcept;

}  // namespace core
GPARRAY_END_NAMESPACE
