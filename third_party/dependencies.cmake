# Every package from outside, found once. third_party/README.md says which, why and under which licence.
find_package(PkgConfig REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Graph
find_package(SystemC REQUIRED)     # third_party/cmake/FindSystemC.cmake
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
# CMake's own FindHDF5 wants a C compiler enabled and links what h5cc lists (curl, ssl); pkg-config links libhdf5 alone.
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
add_library(HDF5::C ALIAS PkgConfig::HDF5)
