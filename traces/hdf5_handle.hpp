// Owns an HDF5 object. Keeps HDF5's header to itself: its ids are 64-bit integers (hdf5_types.cpp
// checks it).
#pragma once

#include <cstdint>
#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::traces {

class Hdf5Handle final {
 public:
  using Close = int (*)(std::int64_t);

  /// Requires that HDF5 could make the object (id >= 0); `what` names the call for the error.
  Hdf5Handle(std::int64_t id, Close closer, char const* what) : id_{id}, close_{closer} {
    ENSURES(id >= 0, what);
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle const&) = delete;
  Hdf5Handle& operator=(Hdf5Handle const&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_{std::exchange(other.id_, -1)}, close_{other.close_} {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  void close() {
    auto const status = close_(std::exchange(id_, -1));
    ENSURES(status >= 0, status);
  }

  [[nodiscard]] std::int64_t id() const { return id_; }

 private:
  std::int64_t id_;
  Close close_;
};

/// Throws ContractError when an HDF5 call failed; `what` names it.
inline void require(int status, char const* what) { ENSURES(status >= 0, what); }

}  // namespace tessera::traces
