# Big-endian MIPS 24Kc and 74Kc (Atheros AR71xx to QCA95xx): MIPS32 release 2 without floating point.
set(NOUND_ZIG_TARGET "mips-linux-musleabi")
set(NOUND_ZIG_CPU "mips32r2+soft_float")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
