# Compiles text files into a library, so that built-in configurations are found from a build tree, from an installed binary and from
# any working directory. Pure CMake; any bytes.
#
#   tessera_embed(tessera_arch FOLDER arch/presets FUNCTION tessera::arch::preset_files)
#
# defines in the target
#
#   std::vector<tessera::BuiltinConfig> tessera::arch::preset_files();     // arch/base/builtin_config.hpp
#
# with every *.yaml in and below FOLDER, in the order of their names: path relative to FOLDER without ".yaml". The caller declares
# the function where it uses it. Editing, adding or removing a file rebuilds the target.
set(TESSERA_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed_files_script.cmake")

function(tessera_embed target)
  cmake_parse_arguments(arg "" "FOLDER;FUNCTION" "" ${ARGN})
  set(folder "${CMAKE_SOURCE_DIR}/${arg_FOLDER}")
  set(output "${CMAKE_BINARY_DIR}/embedded/${target}.cpp")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${folder}/*.yaml")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DFILES=${files}" "-DFUNCTION=${arg_FUNCTION}"
            "-DOUTPUT=${output}" -P "${TESSERA_EMBED_SCRIPT}"
    DEPENDS ${files} "${TESSERA_EMBED_SCRIPT}"
    COMMENT "Embedding ${arg_FOLDER}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
