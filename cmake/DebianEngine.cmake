# cmake -D ENGINE=<folder> -P cmake/DebianEngine.cmake: leaves in a folder the engine's source as Debian's testing has
# it, and nound_engine_from_debian(<folder>), which does the same if apt can.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/DebianArchive.cmake")

function(nound_engine_from_debian folder)
  set(apt "${folder}.apt")
  nound_debian_apt("${apt}" deb testing "qjs-src_*.deb" download qjs-src)
  file(GLOB package "${apt}/qjs-src_*.deb")
  if(package)
    execute_process(COMMAND dpkg-deb -x "${package}" "${apt}/package" COMMAND_ERROR_IS_FATAL ANY)
    file(RENAME "${apt}/package/usr/src/quickjs-ng" "${folder}")
  endif()
  file(REMOVE_RECURSE "${apt}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  nound_engine_from_debian("${ENGINE}")
  if(NOT EXISTS "${ENGINE}/quickjs.h")
    message(FATAL_ERROR "Debian's package qjs-src cannot be downloaded from the mirrors that apt is set up with.")
  endif()
endif()
