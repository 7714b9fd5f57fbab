# ARM926EJ-S and what is like it (i.MX23 and 28, SAM9, Kirkwood): ARMv5TE without floating point.
set(NOUND_ZIG_TARGET "arm-linux-musleabi")
set(NOUND_ZIG_CPU "arm926ej_s")
set(NOUND_KERNEL_ATOMICS ON) # it has no instruction for atomic operations
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
