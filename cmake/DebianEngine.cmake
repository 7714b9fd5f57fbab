# `cmake -P cmake/DebianEngine.cmake` leaves in build/downloads/qjs-src the engine's source as Debian's testing has it, and
# prints the folder for -DQUICKJS_DIR=. So a build with another engine than the pinned one can be tried on any Debian.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/DebianArchive.cmake")

cmake_path(SET downloads NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../build/downloads")
set(engine "${downloads}/qjs-src/usr/src/quickjs-ng")
if(NOT EXISTS "${engine}/quickjs.h")
  set(folder "${downloads}/apt-qjs-src")
  nound_debian_apt("${folder}" deb testing "qjs-src_*.deb" download qjs-src)
  file(GLOB package "${folder}/qjs-src_*.deb")
  if(NOT package)
    message(FATAL_ERROR "Debian's package qjs-src cannot be downloaded from the mirrors that apt is set up with.")
  endif()
  execute_process(COMMAND dpkg-deb -x "${package}" "${downloads}/qjs-src" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE "${folder}")
endif()
message(NOTICE "${engine}")
