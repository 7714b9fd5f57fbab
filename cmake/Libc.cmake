# zig brings libc as source and compiles it when first a program is linked, silently. This does it as a step of its own, in
# sight and beside the engine, whose one large file leaves the other processors idle.
if(NOT NOUND_ZIG_TARGET)
  return()
endif()
set(nound_libc_program "${CMAKE_BINARY_DIR}/libc.c")
file(CONFIGURE OUTPUT "${nound_libc_program}" CONTENT "int main(void) { return 0; }\n")
add_custom_command(
  OUTPUT libc.linked
  COMMAND "${CMAKE_C_COMPILER}" ${CMAKE_C_FLAGS_RELEASE} -static "${nound_libc_program}" -o libc.linked
  DEPENDS "${nound_libc_program}"
  COMMENT "Compiling libc for ${NOUND_ZIG_TARGET} (half a minute, once)"
  VERBATIM)
add_custom_target(nound-libc ALL DEPENDS libc.linked)
