# Any 64-bit PC: the first x86-64 processors, with SSE2 and nothing later.
set(NOUND_ZIG_TARGET "x86_64-linux-musl")
set(NOUND_ZIG_CPU "x86_64")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
