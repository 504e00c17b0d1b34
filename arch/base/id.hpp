// Indices as types: an OperatorId cannot index a table of accelerators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ostream>
#include <vector>

#include "arch/base/contract.hpp"

namespace tessera {

/// The index of something counted from 0; `Tag` says of what.
template <typename Tag>
class Id {
 public:
  constexpr Id() = default;
  /// Requires one of at most 32 bits.
  explicit constexpr Id(std::size_t index) : index_{static_cast<std::uint32_t>(index)} {
    EXPECTS(index == index_, index);
  }

  [[nodiscard]] constexpr std::size_t index() const { return index_; }

  friend constexpr bool operator==(Id a, Id b) { return a.index_ == b.index_; }
  friend constexpr bool operator!=(Id a, Id b) { return a.index_ != b.index_; }
  friend constexpr bool operator<(Id a, Id b) { return a.index_ < b.index_; }
  friend std::ostream& operator<<(std::ostream& out, Id id) { return out << '#' << id.index_; }

 private:
  std::uint32_t index_ = 0;
};

/// The ids from 0 up to a size, in order.
template <typename IdType>
class IdRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = IdType;
    using difference_type = std::ptrdiff_t;
    using pointer = IdType const*;
    using reference = IdType;

    Iterator() = default;
    explicit Iterator(std::size_t index) : index_{index} {}
    [[nodiscard]] IdType operator*() const { return IdType{index_}; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return Iterator{index_++}; }
    friend bool operator==(Iterator a, Iterator b) { return a.index_ == b.index_; }
    friend bool operator!=(Iterator a, Iterator b) { return a.index_ != b.index_; }

   private:
    std::size_t index_ = 0;
  };

  explicit IdRange(std::size_t size) : size_{size} {}
  [[nodiscard]] Iterator begin() const { return Iterator{0}; }
  [[nodiscard]] Iterator end() const { return Iterator{size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::vector<IdType> list() const { return {begin(), end()}; }

 private:
  std::size_t size_;
};

/// A vector that only its own Id can index; out of range is a broken contract.
template <typename IdType, typename T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, T const& value = T{}) : items_(size, value) {}

  [[nodiscard]] T& operator[](IdType id) {
    EXPECTS(id.index() < items_.size(), id.index(), items_.size());
    return items_[id.index()];
  }
  [[nodiscard]] T const& operator[](IdType id) const {
    EXPECTS(id.index() < items_.size(), id.index(), items_.size());
    return items_[id.index()];
  }

  /// Appends and returns the id of what was appended.
  IdType push_back(T item) {
    items_.push_back(std::move(item));
    return IdType{items_.size() - 1};
  }

  void reserve(std::size_t size) { items_.reserve(size); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }

  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.end(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }

  /// All ids in order, for `for (auto const id : table.ids())`.
  [[nodiscard]] IdRange<IdType> ids() const { return IdRange<IdType>{items_.size()}; }

 private:
  std::vector<T> items_;
};

}  // namespace tessera

template <typename Tag>
struct std::hash<tessera::Id<Tag>> {
  std::size_t operator()(tessera::Id<Tag> id) const noexcept { return id.index(); }
};
