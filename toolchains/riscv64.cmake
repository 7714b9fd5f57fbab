# 64-bit RISC-V as Linux distributions have it, RV64GC (VisionFive, Allwinner D1, LicheeRV): no vectors, no bit
# manipulation.
set(NOUND_ZIG_TARGET "riscv64-linux-musl")
set(NOUND_ZIG_CPU "baseline_rv64")
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
