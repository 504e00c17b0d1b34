# find_package(Tessera): defines Tessera::tlm, for tessera::sim::TlmMemory of <tessera/tlm_memory.hpp>.
include(CMakeFindDependencyMacro)
find_dependency(yaml-cpp)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
find_dependency(SystemC)
list(POP_BACK CMAKE_MODULE_PATH)
include("${CMAKE_CURRENT_LIST_DIR}/TesseraTargets.cmake")
