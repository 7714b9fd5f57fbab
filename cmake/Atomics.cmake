# The code of atomic operations, for the engine's Atomics and zig's allocator. Most processors need none.
#
# If the processor needs the kernel for them (a toolchain file then sets NOUND_KERNEL_ATOMICS), our own code is linked.
# If the compiler calls functions for 64 bits, as gcc does for 32-bit MIPS, PowerPC and ARMv5, libatomic is linked, by
# `nound_atomics_library`. A static library must come after the objects that need it, so the engine depends on it as on
# any other library: a linker flag would come before.
if(NOUND_KERNEL_ATOMICS)
  add_library(nound-atomics STATIC "${CMAKE_CURRENT_LIST_DIR}/../native/libc/sync_arm.c")
  target_link_libraries(nound-atomics PRIVATE nound-flags)
  link_libraries(nound-atomics)
  return()
endif()
if(NOUND_ZIG_TARGET)
  return() # zig brings the functions itself
endif()

include(CheckCSourceCompiles)
set(nound_atomic_program "
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uint64_t number;
static _Atomic uint8_t byte;
int main(int count, char **words) {
    (void)words;
    atomic_fetch_add(&byte, (uint8_t)count);
    return (int)atomic_fetch_add(&number, (uint64_t)count) + atomic_load(&byte);
}")
check_c_source_compiles("${nound_atomic_program}" NOUND_ATOMICS_BUILT_IN)
if(NOT NOUND_ATOMICS_BUILT_IN)
  set(CMAKE_REQUIRED_LIBRARIES atomic)
  check_c_source_compiles("${nound_atomic_program}" NOUND_ATOMICS_IN_LIBATOMIC)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(NOT NOUND_ATOMICS_IN_LIBATOMIC)
    message(FATAL_ERROR "A program with 64-bit atomic operations does not link, with libatomic or without: install the "
                        "libatomic that belongs to ${CMAKE_C_COMPILER}.")
  endif()
  set(nound_atomics_library atomic)
endif()
