# Compiles text files into a library, so that built-in configurations are found from a build tree, from an installed binary and from
# any working directory. Pure CMake; any bytes.
#
#   tessera_embed(tessera_arch FOLDER arch/presets EXTENSION yaml FUNCTION tessera::arch::preset_files)
#
# defines in the target
#
#   std::vector<tessera::BuiltinConfig> tessera::arch::preset_files();     // arch/base/builtin_config.hpp
#
# with every *.EXTENSION in and below FOLDER, in the order of their names: path relative to FOLDER without its extension. The caller
# declares the function where it uses it. Editing, adding or removing a file rebuilds the target.
set(TESSERA_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/embed_files_script.cmake")

function(tessera_embed target)
  cmake_parse_arguments(arg "" "FOLDER;EXTENSION;FUNCTION" "" ${ARGN})
  set(folder "${CMAKE_SOURCE_DIR}/${arg_FOLDER}")
  set(output "${CMAKE_BINARY_DIR}/embedded/${target}_${arg_EXTENSION}.cpp")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${folder}/*.${arg_EXTENSION}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DFILES=${files}" "-DEXTENSION=${arg_EXTENSION}"
            "-DFUNCTION=${arg_FUNCTION}" "-DOUTPUT=${output}" -P "${TESSERA_EMBED_SCRIPT}"
    DEPENDS ${files} "${TESSERA_EMBED_SCRIPT}"
    COMMENT "Embedding ${arg_FOLDER}/*.${arg_EXTENSION}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
