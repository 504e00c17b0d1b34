# tessera_unity(target source...): with TESSERA_UNITY, the sources of each folder are compiled as one file. One file per folder, and
# not so many files a batch, because then what is compiled together does not depend on which files there are: names that clash do
# so when they are written, and not when somebody adds a file. Helpers in anonymous namespaces have names of their own in a folder.
function(tessera_unity target)
  if(NOT TESSERA_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
