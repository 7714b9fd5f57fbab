# ARMv7 boards with hardware floating point and any of their processors: 16 double registers are what all of them have, and
# some have no NEON.
set(NOUND_ZIG_TARGET "arm-linux-musleabihf")
set(NOUND_ZIG_CPU "generic+v7a+vfp3d16-neon")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
