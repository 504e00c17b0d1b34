// Owns an HDF5 object. Keeps HDF5's header to itself: its ids are 64-bit integers (hdf5_types.cpp
// checks it).
#pragma once

#include <cstdint>
#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::traces {

/// Throws std::bad_alloc when HDF5 says that memory ran out, else ContractError; `what` names the
/// call. Files are written through PendingFile, so nothing else that the user could mend comes
/// here.
[[noreturn]] void hdf5_failed(char const* what);

/// Throws std::bad_alloc when HDF5's last failure was for lack of memory.
void expect_memory();

/// HDF5 crashes when it finds none at all: throws std::bad_alloc unless there is some. Call it
/// before HDF5 is.
void reserve_memory();

class Hdf5Handle final {
 public:
  using Close = int (*)(std::int64_t);

  /// Requires that HDF5 could make the object (id >= 0); `what` names the call for the error.
  Hdf5Handle(std::int64_t id, Close closer, char const* what) : id_{id}, close_{closer} {
    if (id < 0) hdf5_failed(what);
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
    if (close_(std::exchange(id_, -1)) < 0) hdf5_failed("close");
  }

  [[nodiscard]] std::int64_t id() const { return id_; }

 private:
  std::int64_t id_;
  Close close_;
};

/// hdf5_failed() when an HDF5 call did.
inline void require(int status, char const* what) {
  if (status < 0) hdf5_failed(what);
}

}  // namespace tessera::traces
