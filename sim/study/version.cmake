# Writes OUTPUT from version.cpp.in with VERSION and the commit that the tree SOURCE is at. Leaves OUTPUT alone when nothing
# changed, so that nothing is compiled or linked again.
#   cmake -DSOURCE=DIR -DVERSION=1.2.3 -DOUTPUT=FILE -P version.cmake
set(COMMIT "")
if(EXISTS "${SOURCE}/.git")  # else a checkout around an unpacked archive would lend us its commit
  execute_process(
    COMMAND git --no-optional-locks -c "safe.directory=${SOURCE}" -C "${SOURCE}"
            describe --always --dirty --abbrev=40 --exclude=*
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/version.cpp.in" "${OUTPUT}" @ONLY)
