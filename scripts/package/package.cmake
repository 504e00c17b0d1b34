# What `cmake --install` installs, and the .deb that `cpack -G DEB` makes of it: the program, what it has built in as files to read and
# copy, man pages, completion, the Python package. (The program itself and the memory for SystemC platforms: sim/shell/tlm/install.cmake.)
include(GNUInstallDirs)

set(package_scripts "${CMAKE_CURRENT_LIST_DIR}")
set(package_python /usr/bin/python3)

install(DIRECTORY workloads/zoo arch/presets scripts/sweeps DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera"
        FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY traces/schemas DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera" FILES_MATCHING PATTERN "*.json")
install(DIRECTORY scripts/python/tessera DESTINATION "lib/python3/dist-packages"
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
set(plot_modules figure_kit.py plot_axes.py plot_bars.py ranking.py roofline.py study_table.py)  # what plot.py imports
install(PROGRAMS scripts/figures/plot.py DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera/figures")
list(TRANSFORM plot_modules PREPEND scripts/figures/)
install(FILES ${plot_modules} DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera/figures")
install(FILES README.md traces/schema.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY scripts/docs/pages DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING PATTERN "*.md")
install(FILES scripts/python/examples/tutorial.py DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")
install(FILES scripts/package/copyright DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Made when it is installed, of what the program itself says.
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  foreach(script completion.py man_pages.py changelog.py)
    execute_process(COMMAND \"${package_python}\" -B \"${package_scripts}/\${script}\" \"$<TARGET_FILE:tessera>\" \"\${root}\"
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
")

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "Tessera")
set(CPACK_PACKAGE_CONTACT "The Tessera developers <tessera@tessera.invalid>")  # no address is known
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of accelerator arrays that train DNNs")
set(CPACK_PACKAGE_DESCRIPTION "Tessera finds out how to split the training of a deep neural network over an
array of accelerators, simulates the plan cycle by cycle in SystemC, and
tells where the time and the energy went. It comes with the networks,
arrays, memories and planners of published evaluations, and with a Python
package.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3:any")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-h5py, python3-matplotlib, python3-pandas, python3-yaml")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# What Python compiles of the package goes with it.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${package_scripts}/postinst;${package_scripts}/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
