# tessera_unity(target source...): with TESSERA_UNITY, the sources of each folder are compiled as one file. One file per folder, and
# not so many files a batch, because then what is compiled together does not depend on which files there are: names that clash do
# so when they are written, and not when somebody adds a file. Helpers in anonymous namespaces have names of their own in a folder.
#
# CMake's own UNITY_BUILD names the sources by absolute paths. Here they are named from the top of the tree, so that checkouts in
# different places compile the same text, and a compiler cache serves all of them. A source with the property
# SKIP_UNITY_BUILD_INCLUSION is compiled by itself.
function(tessera_unity target)
  if(NOT TESSERA_UNITY)
    return()
  endif()
  set(groups)
  foreach(source IN LISTS ARGN)
    get_source_file_property(alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    if(alone)
      continue()
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    list(APPEND groups "${group}")
    string(APPEND text_of_${group} "#include \"${path}\"\n")
    set_source_files_properties("${source}" PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    set(file "${CMAKE_BINARY_DIR}/unity/${target}/${group}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text_of_${group}}" @ONLY)
    target_sources(${target} PRIVATE "${file}")
  endforeach()
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
endfunction()
