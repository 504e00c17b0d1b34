#include "traces/hdf5_handle.hpp"

#include <new>

#include <hdf5.h>

namespace tessera::traces {

namespace {

/// Notes in `found`, a bool, whether an entry of HDF5's error stack says that memory ran out.
herr_t find_memory(unsigned, H5E_error2_t const* entry, void* found) {
  bool const is_memory = entry->maj_num == H5E_RESOURCE || entry->min_num == H5E_NOSPACE ||
                         entry->min_num == H5E_CANTALLOC;
  if (is_memory) *static_cast<bool*>(found) = true;
  return 0;
}

}  // namespace

void expect_memory() {
  bool is_memory = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_memory, &is_memory);
  if (is_memory) throw std::bad_alloc{};
}

void reserve_memory() {
  constexpr std::size_t enough = std::size_t{8} << 20U;  // for its tables, a chunk and its filters
  ::operator delete(::operator new(enough));
}

void hdf5_failed(char const* what) {
  expect_memory();
  detail::broken_contract("guarantee", "HDF5 worked", __FILE__, __LINE__, what);
}

}  // namespace tessera::traces
