# zig has libc as source. It compiles libc silently when a program is first linked, and again for each way of linking.
# This program lets it do so visibly and while the engine is compiled, whose one large file leaves the other processors
# idle. It is linked like all other programs, so that they use the libc compiled for it.
if(NOUND_ZIG_TARGET)
  set(nound_libc_program "${CMAKE_BINARY_DIR}/libc.c")
  file(CONFIGURE OUTPUT "${nound_libc_program}" CONTENT "int main(void) { return 0; }\n")
  add_executable(nound-libc "${nound_libc_program}")
endif()
