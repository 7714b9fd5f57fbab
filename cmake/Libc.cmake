# zig brings libc as source and compiles it when first a program is linked, silently, and again for each way of linking. This
# program does it in sight, and beside the engine, whose one large file leaves the other processors idle. It is linked as all
# others are, so that theirs is the libc that it had compiled.
if(NOUND_ZIG_TARGET)
  set(nound_libc_program "${CMAKE_BINARY_DIR}/libc.c")
  file(CONFIGURE OUTPUT "${nound_libc_program}" CONTENT "int main(void) { return 0; }\n")
  add_executable(nound-libc "${nound_libc_program}")
endif()
