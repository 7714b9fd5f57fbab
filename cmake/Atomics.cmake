# Every program needs atomic operations, for the engine's Atomics and zig's allocator. ARM processors before version 6 leave
# them to the kernel; their toolchain file sets NOUND_KERNEL_ATOMICS.
if(NOUND_KERNEL_ATOMICS)
  add_library(nound-atomics STATIC "${CMAKE_CURRENT_LIST_DIR}/../native/sync_arm.c")
  target_link_libraries(nound-atomics PRIVATE nound-flags)
  link_libraries(nound-atomics)
endif()
