# Finds SystemC (Debian packages no CMake configuration, only pkg-config). Defines SystemC::SystemC.
find_package(PkgConfig REQUIRED)
pkg_check_modules(PC_SYSTEMC QUIET IMPORTED_TARGET systemc)
set(SystemC_VERSION "${PC_SYSTEMC_VERSION}")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS PC_SYSTEMC_LINK_LIBRARIES VERSION_VAR SystemC_VERSION)
if(SystemC_FOUND AND NOT TARGET SystemC::SystemC)
  add_library(SystemC::SystemC ALIAS PkgConfig::PC_SYSTEMC)
endif()
