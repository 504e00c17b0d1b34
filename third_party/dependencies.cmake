# Every package from outside, found once. third_party/README.md says which, why and under which licence.
find_package(PkgConfig REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Graph
find_package(SystemC REQUIRED)     # third_party/cmake/FindSystemC.cmake
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(cereal REQUIRED)  # headers only
find_package(ZLIB REQUIRED)
include(third_party/cmake/Hdf5Archive.cmake)
