# Every package from outside, found once. third_party/README.md says which, why and under which licence.
find_package(yaml-cpp REQUIRED)
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Graph
find_package(SystemC REQUIRED)     # third_party/cmake/FindSystemC.cmake
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT TARGET HDF5::C)
  add_library(HDF5::C INTERFACE IMPORTED)
  target_include_directories(HDF5::C SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(HDF5::C INTERFACE ${HDF5_LIBRARIES})
  target_compile_definitions(HDF5::C INTERFACE ${HDF5_DEFINITIONS})
endif()
