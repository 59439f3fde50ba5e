// SPDX-License-Identifier: Apache-2.0
//
// The explorer: leaves nothing out. It walks a model's states breadth first, and yields a trace for every state and every
// operation: the shortest way there, the operation (or a word of up to k of them), and a suffix whose answers tell the
// state that it leads to from all others. What such a suite proves, and on which conditions, is in spec/exploration.md.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>
#include "ringspec/trace/subject.hpp"

namespace ringspec {

/// A subject's states and what can be done in them, as the explorer needs it:
///   state, and place: a 64-bit name of a state, with `place place_of(state)` and `state at(place)`
///   state start()
///   bool inside(state)                          within the bound?
///   bool apart(state)                           one of those that are counted apart?
///   void letters(state, std::vector<letter>&)   operations that can follow one another in words
///   bool spans(letter)                          the letters that lead from the start to every state
///   state take(letter, state, steps&)           appends the letter's steps, returns where they lead
///   void identify(state, steps&)                appends the suffix
///   void trials(state, std::vector<trial>&)     what more the state is worth, once and not within words
///   void attempt(trial, state, bool identified, steps&)   appends it, with the suffixes
template <class Space>
class explorer final : public exploration {
 public:
  /// Enters at most `most_states` states. Takes O(states x letters^words) time and 24 bytes a state.
  explorer(Space space, std::uint64_t words, std::uint64_t most_states, bool identify)
      : space_(std::move(space)), identify_(identify) {
    about_.bound = space_.bound();
    about_.words = words;
    walk(most_states);
    std::vector<letter> letters;
    std::vector<trial> trials;
    for (const node& n : nodes_) {
      const state s = space_.at(n.place);
      space_.letters(s, letters);
      space_.trials(s, trials);
      about_.transitions += letters.size() + trials.size();
      about_.traces += traces_of(s);
    }
    about_.traces += 1;  // the start itself, which no letter needs to lead to
  }

  [[nodiscard]] const coverage& about() const override { return about_; }

  void visit(std::uint64_t first, const visitor& see) const override {
    std::vector<step> steps;
    place_in_suite at{first, 0, see, steps};
    if (at.due()) {
      identify_state(space_.start(), steps);
      if (!see(0, steps)) return;
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const state s = space_.at(nodes_[i].place);
      if (at.index < first) {
        const std::uint64_t here = traces_of(s);
        if (at.index + here <= first) {
          at.index += here;
          continue;
        }
      }
      steps.clear();
      way_to(i, steps);
      if (!words_from(s, about_.words, at) || !trials_in(s, at)) return;
    }
  }

 private:
  using state = typename Space::state;
  using letter = typename Space::letter;
  using trial = typename Space::trial;

  struct node {
    std::uint64_t place;
    std::uint32_t parent;
    letter by;
  };

  struct place_in_suite {
    std::uint64_t first, index;
    const visitor& see;
    std::vector<step>& steps;

    /// Is the next trace one to be seen? Counts it.
    bool due() { return index++ >= first; }
  };

  void walk(std::uint64_t most_states) {
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    std::vector<letter> letters;
    std::vector<step> unused;
    const auto enter = [&](const state& s, std::uint32_t parent, letter by) {
      const std::uint64_t place = space_.place_of(s);
      if (known.contains(place)) return;
      if (nodes_.size() == most_states) {
        about_.cut_short = 1;
        return;
      }
      known.emplace(place, static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({place, parent, by});
      about_.states_apart += space_.apart(s) ? 1 : 0;
    };
    enter(space_.start(), 0, letter{});
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const state s = space_.at(nodes_[i].place);
      space_.letters(s, letters);
      for (const letter l : letters) {
        if (!space_.spans(l)) continue;
        unused.clear();
        const state next = space_.take(l, s, unused);
        if (space_.inside(next)) enter(next, i, l);
      }
    }
    about_.states = nodes_.size();
  }

  void way_to(std::uint32_t i, std::vector<step>& out) const {
    std::vector<letter> word;
    for (; i != 0; i = nodes_[i].parent) word.push_back(nodes_[i].by);
    state s = space_.start();
    for (auto l = word.rbegin(); l != word.rend(); ++l) s = space_.take(*l, s, out);
  }

  void identify_state(const state& s, std::vector<step>& out) const {
    if (identify_) space_.identify(s, out);
  }

  std::uint64_t traces_of(const state& s) const {
    std::vector<trial> trials;
    space_.trials(s, trials);
    return words_of(s, about_.words) + trials.size();
  }

  std::uint64_t words_of(const state& s, std::uint64_t length) const {
    std::vector<letter> letters;
    space_.letters(s, letters);
    std::uint64_t all = letters.size();
    if (length == 1) return all;
    std::vector<step> unused;
    for (const letter l : letters) {
      unused.clear();
      all += words_of(space_.take(l, s, unused), length - 1);
    }
    return all;
  }

  bool words_from(const state& s, std::uint64_t length, place_in_suite& at) const {
    std::vector<letter> letters;
    space_.letters(s, letters);
    const std::size_t before = at.steps.size();
    for (const letter l : letters) {
      const state next = space_.take(l, s, at.steps);
      const std::size_t after = at.steps.size();
      if (at.due()) {
        identify_state(next, at.steps);
        if (!at.see(at.index - 1, at.steps)) return false;
        at.steps.resize(after);
      }
      if (length > 1 && !words_from(next, length - 1, at)) return false;
      at.steps.resize(before);
    }
    return true;
  }

  bool trials_in(const state& s, place_in_suite& at) const {
    const std::size_t before = at.steps.size();
    std::vector<trial> trials;
    space_.trials(s, trials);
    for (const trial& t : trials) {
      if (!at.due()) continue;
      space_.attempt(t, s, identify_, at.steps);
      if (!at.see(at.index - 1, at.steps)) return false;
      at.steps.resize(before);
    }
    return true;
  }

  Space space_;
  bool identify_;
  coverage about_;
  std::vector<node> nodes_;
};

}  // namespace ringspec
