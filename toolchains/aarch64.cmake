# Any 64-bit ARM board: ARMv8.0.
set(NOUND_ZIG_TARGET "aarch64-linux-musl")
set(NOUND_ZIG_CPU "generic")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
