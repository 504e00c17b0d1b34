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
  explicit Fifo(std::size_t places = 64) : places_(places) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T const& front() const {
    EXPECTS(size_ > 0);
    return places_[first_];
  }
  void pop_front() {
    EXPECTS(size_ > 0);
    first_ = (first_ + 1) % places_.size();
    --size_;
  }
  void push_back(T const& value) {
    if (size_ == places_.size()) grow();
    places_[(first_ + size_) % places_.size()] = value;
    ++size_;
  }

 private:
  void grow() {
    std::vector<T> larger(2 * size_ + 1);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = places_[(first_ + i) % places_.size()];
    places_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> places_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tessera::sim
