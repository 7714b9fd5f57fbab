# ARMv7 boards with hardware floating point and any of their processors: 16 double registers are what all of them have,
# and some have neither NEON nor the 16 others (Tegra 2, Armada 370). zig's v7a has them all, so they are taken away one
# by one. Thumb-2, which all of them have, makes it a quarter smaller.
set(NOUND_ZIG_TARGET "thumb-linux-musleabihf")
set(NOUND_ZIG_CPU "generic+v7a+vfp3d16-neon-vfp3-vfp3sp-d32")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
