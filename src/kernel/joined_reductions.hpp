// Several reductions of the same elements at once.
#pragma once
#include "reductions.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// Whether a state, or one of those that both_states puts together, is of this type.
template<class Reduction, class State>
inline constexpr bool has_state = is_same<typename Reduction::state, State>;
template<class Reduction, class State>
  requires requires { typename Reduction::first_reduction; }
inline constexpr bool has_state<Reduction, State> =
    is_same<typename Reduction::state, State> || has_state<typename Reduction::first_reduction, State> ||
    has_state<typename Reduction::second_reduction, State>;

template<class Reduction, class State>
GPARRAY_KERNEL_FN const State& find_state(const typename Reduction::state& s) {
  if constexpr (is_same<typename Reduction::state, State>) return s;
  else if constexpr (has_state<typename Reduction::first_reduction, State>)
    return find_state<typename Reduction::first_reduction, State>(s.first);
  else return find_state<typename Reduction::second_reduction, State>(s.second);
}

/// The states of all, of equal ones (sum and mean, var and std) one.
template<class Joined, class... Reductions>
struct joined_states {
  using type = Joined;
};
template<class Joined, class Next, class... Rest>
struct joined_states<Joined, Next, Rest...>
    : joined_states<conditional_t<has_state<Joined, typename Next::state>, Joined, both_states<Joined, Next>>,
                    Rest...> {};

/// Each has the state, and so the bits, that it has alone.
template<class... Reductions>
struct joined_reduction : joined_states<Reductions...>::type {
  using states = typename joined_states<Reductions...>::type;
  using typename states::state;
  static constexpr int n_results = sizeof...(Reductions);

  /// Calls store(i, value) with the value of the i-th reduction.
  template<class Store>
  GPARRAY_KERNEL_FN static void finish_each(const state& s, long n, const double* ddof, Store store) {
    int i = 0;
    ((store(i, Reductions::finish(find_state<states, typename Reductions::state>(s), n, ddof[i])), ++i), ...);
  }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
