# `cmake --install BUILD --prefix PREFIX` puts the program into PREFIX/bin, and for other SystemC platforms the header
# <tessera/tlm_memory.hpp>, one archive with all that it needs of Tessera (presets, too), and a package: find_package(Tessera), and link
# Tessera::tlm.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(tessera_tlm_archive STATIC $<TARGET_OBJECTS:tessera_tlm> $<TARGET_OBJECTS:tessera_model> $<TARGET_OBJECTS:tessera_task>
            $<TARGET_OBJECTS:tessera_arch> $<TARGET_OBJECTS:tessera_workloads> $<TARGET_OBJECTS:tessera_base>)
set_target_properties(tessera_tlm_archive PROPERTIES OUTPUT_NAME tessera-tlm EXPORT_NAME tlm LINKER_LANGUAGE CXX)
target_include_directories(tessera_tlm_archive INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(tessera_tlm_archive INTERFACE cxx_std_17)
target_link_libraries(tessera_tlm_archive INTERFACE SystemC::SystemC yaml-cpp)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Tessera")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/TesseraConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(TARGETS tessera RUNTIME COMPONENT program)
install(TARGETS tessera_tlm_archive EXPORT TesseraTargets ARCHIVE COMPONENT tlm)
install(FILES "${CMAKE_SOURCE_DIR}/sim/shell/tlm/tlm_memory.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tessera" COMPONENT tlm)
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION "${package_folder}" COMPONENT tlm)
install(FILES "${CMAKE_SOURCE_DIR}/sim/shell/tlm/TesseraConfig.cmake" "${CMAKE_BINARY_DIR}/TesseraConfigVersion.cmake"
              "${CMAKE_SOURCE_DIR}/third_party/cmake/FindSystemC.cmake"
        DESTINATION "${package_folder}" COMPONENT tlm)
