# NOUND_VERSION: the version of this program. It is written in package.json alone; a change there configures again.
set(nound_package "${CMAKE_CURRENT_LIST_DIR}/../package.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${nound_package}")
file(READ "${nound_package}" nound_package)
string(JSON NOUND_VERSION GET "${nound_package}" version)
