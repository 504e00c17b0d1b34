// What repeaters know (compute/step_repeater.hpp, memory/dram/dram_repeater.hpp): states by their text, courses by key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arch/base/hash.hpp"
#include "arch/base/id.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Numbers texts, in order. Compared in full.
template <typename TextId>
class KnownTexts final {
 public:
  [[nodiscard]] std::optional<TextId> find(StateWriter const& text) const {
    auto const [first, last] = by_hash_.equal_range(hash_of(text.words()));
    auto const found = std::find_if(first, last, [&](auto const& candidate) {
      return texts_[candidate.second] == text.words();
    });
    if (found == last) return std::nullopt;
    return found->second;
  }
  /// One that is not known.
  TextId add(StateWriter const& text) {
    auto const id = texts_.push_back(text.words());
    by_hash_.emplace(hash_of(text.words()), id);
    return id;
  }

 private:
  IdVector<TextId, std::vector<std::int64_t>> texts_;
  std::unordered_multimap<std::size_t, TextId> by_hash_;
};

/// Courses by key: hashed (Key::hash()), as small as their number allows, so that those that are
/// used stay near.
template <typename Key, typename Course>
class KnownCourses final {
 public:
  [[nodiscard]] Course const* find(Key const& key) const {
    for (auto place = key.hash();; ++place) {
      auto const index = places_[place & (places_.size() - 1)];
      if (index == 0) return nullptr;
      if (courses_[index - 1].first == key) return &courses_[index - 1].second;
    }
  }
  /// One that is not known.
  void add(Key const& key, Course const& course) {
    courses_.emplace_back(key, course);
    if (2 * courses_.size() <= places_.size()) return put(key, courses_.size());
    places_.assign(2 * places_.size(), 0);
    for (std::size_t i = 0; i < courses_.size(); ++i) put(courses_[i].first, i + 1);
  }
  [[nodiscard]] std::size_t size() const { return courses_.size(); }

 private:
  void put(Key const& key, std::size_t index) {
    auto place = key.hash();
    while (places_[place & (places_.size() - 1)] != 0) ++place;
    places_[place & (places_.size() - 1)] = static_cast<std::uint32_t>(index);
  }

  std::vector<std::pair<Key, Course>> courses_;
  /// Where in courses_, from 1 on, or 0; a power of two of them.
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(1024);
};

}  // namespace tessera::sim
