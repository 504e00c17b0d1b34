// The driver's callbacks. HDF5 is C: no exception may leave them, and none of PendingFile's calls
// here throws.
#include "traces/hdf5_driver.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

#include <hdf5.h>

#include "arch/base/contract.hpp"

namespace tessera::traces {

namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>);

/// What the property list carries to the driver's open().
struct DriverInfo {
  PendingFile* file;
};

struct OpenFile : H5FD_t {
  OpenFile() : H5FD_t{} {}

  PendingFile* file = nullptr;
  haddr_t allocated = 0;  ///< HDF5's "end of allocation": how long it wants the file to be
};

// NOLINTBEGIN(cppcoreguidelines-pro-type-static-cast-downcast): C's base has no virtual functions
[[nodiscard]] OpenFile& opened(H5FD_t* file) { return *static_cast<OpenFile*>(file); }
[[nodiscard]] OpenFile const& opened(H5FD_t const* file) {
  return *static_cast<OpenFile const*>(file);
}
// NOLINTEND(cppcoreguidelines-pro-type-static-cast-downcast)

H5FD_t* open_file(char const*, unsigned, hid_t access_properties, haddr_t) {
  auto file = std::make_unique<OpenFile>();
  file->file = static_cast<DriverInfo const*>(H5Pget_driver_info(access_properties))->file;
  return file.release();  // HDF5 owns it until close_file
}

herr_t close_file(H5FD_t* file) {
  std::unique_ptr<OpenFile> const closed{&opened(file)};
  return 0;
}

herr_t query_features(H5FD_t const*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t allocated(H5FD_t const* file, H5FD_mem_t) { return opened(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  opened(file).allocated = address;
  return 0;
}

haddr_t end_of_file(H5FD_t const* file, H5FD_mem_t) {
  return static_cast<haddr_t>(opened(file).file->size());
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  opened(file).file->read_at(static_cast<std::int64_t>(address), buffer, size);
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                   void const* buffer) {
  opened(file).file->write_at(static_cast<std::int64_t>(address), buffer, size);
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  opened(file).file->resize(static_cast<std::int64_t>(opened(file).allocated));
  return 0;
}

[[nodiscard]] H5FD_class_t driver() {
  H5FD_class_t callbacks{};
#if H5_VERSION_GE(1, 13, \
                  0)  // these fields came with HDF5 1.13; 256 to 511 are for drivers like ours
  callbacks.version = H5FD_CLASS_VERSION;
  callbacks.value = 256;
#endif
  callbacks.name = "tessera-pending-file";
  callbacks.maxaddr = HADDR_MAX / 2;
  callbacks.fc_degree = H5F_CLOSE_STRONG;
  callbacks.fapl_size = sizeof(DriverInfo);
  callbacks.open = open_file;
  callbacks.close = close_file;
  callbacks.query = query_features;
  callbacks.get_eoa = allocated;
  callbacks.set_eoa = set_allocated;
  callbacks.get_eof = end_of_file;
  callbacks.read = read_bytes;
  callbacks.write = write_bytes;
  callbacks.truncate = truncate_file;
  std::array<H5FD_mem_t, H5FD_MEM_NTYPES> const free_lists = H5FD_FLMAP_DICHOTOMY;
  std::copy(free_lists.begin(), free_lists.end(), std::begin(callbacks.fl_map));
  return callbacks;
}

}  // namespace

void write_through(std::int64_t access_properties, PendingFile& file) {
  auto const callbacks = driver();
  auto const id = H5FDregister(&callbacks);
  ENSURES(id >= 0, id);
  DriverInfo const info{&file};
  ENSURES(H5Pset_driver(access_properties, id, &info) >= 0);
  ENSURES(H5FDunregister(id) >= 0);  // the property list holds it now
}

}  // namespace tessera::traces
