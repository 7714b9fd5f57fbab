# The machine that builds: a static binary that runs on it and on any Linux of its architecture.
set(NOUND_ZIG_HOST_TARGET "${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-musl")
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "arm64")
  set(NOUND_ZIG_HOST_TARGET "aarch64-linux-musl")
endif()
set(NOUND_ZIG_TARGET "${NOUND_ZIG_HOST_TARGET}")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
