# Little-endian MIPS 24Kc and later 32-bit ones (MT7620, MT7621, MT7628): MIPS32 release 2 without floating point.
set(NOUND_ZIG_TARGET "mipsel-linux-musleabi")
set(NOUND_ZIG_CPU "mips32r2+soft_float")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
