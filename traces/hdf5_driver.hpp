// The HDF5 file driver that writes to a PendingFile. It tells HDF5 that every write worked: after
// one that failed, HDF5 1.10 leaks memory and crashes when the program ends, so a full disk must
// not reach it. PendingFile keeps the error.
#pragma once

#include <cstdint>

#include "traces/pending_file.hpp"

namespace tessera::traces {

/// Makes files that are created with the HDF5 file access property list `access_properties` go to
/// `file`, which must outlive them.
void write_through(std::int64_t access_properties, PendingFile& file);

}  // namespace tessera::traces
