# NOUND_EMBED: the program that turns a bundled script into a C file. It runs on the machine that builds, for any
# target, and contains the same engine as the target: only the version that wrote a bytecode can read it.
if(NOUND_PREBUILT AND NOT NOUND_TESTS)
  return()
endif()

if(NOT CMAKE_CROSSCOMPILING)
  add_executable(nound-embed "${CMAKE_CURRENT_LIST_DIR}/../tools/embed/embed.c")
  target_link_libraries(nound-embed PRIVATE nound-flags quickjs)
  set(NOUND_EMBED "$<TARGET_FILE:nound-embed>")
  return()
endif()

include(ExternalProject)
set(NOUND_HOST_TOOLS_DIR "${CMAKE_BINARY_DIR}/host-tools" CACHE PATH
  "Where the host's tools are built; targets share it")
set(NOUND_EMBED "${NOUND_HOST_TOOLS_DIR}/nound-embed")
ExternalProject_Add(nound-host-tools
  SOURCE_DIR "${CMAKE_CURRENT_LIST_DIR}/host-tools"
  BINARY_DIR "${NOUND_HOST_TOOLS_DIR}"
  PREFIX "${CMAKE_BINARY_DIR}/host-tools-state"
  CMAKE_CACHE_ARGS
    "-DCMAKE_TOOLCHAIN_FILE:FILEPATH=${CMAKE_SOURCE_DIR}/toolchains/host.cmake"
    "-DCMAKE_BUILD_TYPE:STRING=Release"
    "-DQUICKJS_DIR:PATH=${NOUND_ENGINE_DIR}"
    "-DNOUND_ENGINE_OPTIONS:STRING=-Os"
  BUILD_ALWAYS ON
  USES_TERMINAL_BUILD ON
  INSTALL_COMMAND ""
  BUILD_BYPRODUCTS "${NOUND_EMBED}")
