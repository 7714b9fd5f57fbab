# Raspberry Pi Zero and 1: ARM1176JZF-S, with hardware floating point.
set(NOUND_ZIG_TARGET "arm-linux-musleabihf")
set(NOUND_ZIG_CPU "arm1176jzf_s")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
