// A queue that keeps its memory: once it has been as long as it will be, it allocates nothing any more (a std::deque goes on
// allocating and freeing blocks as it moves through memory).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "arch/base/contract.hpp"

namespace tessera::sim {

template <typename T>
class Fifo final {
 public:
  explicit Fifo(std::size_t places = 64) : places_(power_of_two(places)) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T const& front() const {
    EXPECTS(size_ > 0);
    return places_[first_];
  }
  void pop_front() {
    EXPECTS(size_ > 0);
    first_ = (first_ + 1) & (places_.size() - 1);
    --size_;
  }
  void push_back(T const& value) {
    if (size_ == places_.size()) grow();
    at(size_) = value;
    ++size_;
  }
  /// Puts it before all that are greater, in a queue that is in order: quick where few are.
  void insert(T const& value) {
    push_back(value);
    for (auto i = size_ - 1; i > 0 && value < at(i - 1); --i) std::swap(at(i - 1), at(i));
  }
  /// All, in order.
  template <typename Visit>
  void for_each(Visit const& visit) const {
    for (std::size_t i = 0; i < size_; ++i) visit(places_[(first_ + i) & (places_.size() - 1)]);
  }
  template <typename Change>
  void change_each(Change const& change) {
    for (std::size_t i = 0; i < size_; ++i) change(at(i));
  }
  void clear() { size_ = 0; }

 private:
  [[nodiscard]] static std::size_t power_of_two(std::size_t least) {
    std::size_t places = 1;
    while (places < least) places *= 2;
    return places;
  }
  [[nodiscard]] T& at(std::size_t index) {
    return places_[(first_ + index) & (places_.size() - 1)];
  }
  void grow() {
    std::vector<T> larger(2 * size_);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = at(i);
    places_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> places_;  ///< a power of two of them
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tessera::sim
