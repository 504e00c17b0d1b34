# HDF5::C, from the archive libhdf5.a where that links: Debian's shared library brings 29 others with it (curl, ssl, kerberos, for
# files in clouds), which take longer to load than the rest of `tessera --version`. Of an archive only what is called is linked.
# CMake's own FindHDF5 wants a C compiler enabled and links what h5cc lists, those 29 too; so pkg-config.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
find_library(TESSERA_HDF5_ARCHIVE NAMES libhdf5.a HINTS ${HDF5_LIBRARY_DIRS})
set(hdf5_with_filters "${TESSERA_HDF5_ARCHIVE}" sz z m ${CMAKE_DL_LIBS})

cmake_push_check_state(RESET)
set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
set(CMAKE_REQUIRED_LIBRARIES ${hdf5_with_filters})
check_cxx_source_compiles("#include <hdf5.h>\nint main() { return H5open(); }" TESSERA_HDF5_ARCHIVE_LINKS)
cmake_pop_check_state()

if(TESSERA_HDF5_ARCHIVE_LINKS)
  add_library(HDF5::C INTERFACE IMPORTED)
  target_include_directories(HDF5::C SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(HDF5::C INTERFACE ${hdf5_with_filters})
else()
  message(WARNING "No archive libhdf5.a that links with sz and z alone: the shared library it is, and the program starts slowly")
  add_library(HDF5::C ALIAS PkgConfig::HDF5)
endif()
