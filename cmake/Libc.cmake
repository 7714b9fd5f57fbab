# zig has libc as source. It compiles libc silently when a program is first linked, and again for each way of linking.
# This program lets it do so visibly and while the engine is compiled, whose one large file leaves the other processors
# idle. It is linked like all other programs, so that they use the libc compiled for it.
if(NOUND_ZIG_TARGET)
  set(nound_libc_program "${CMAKE_BINARY_DIR}/libc.c")
  file(CONFIGURE OUTPUT "${nound_libc_program}" CONTENT "int main(void) { return 0; }\n")
  add_executable(nound-libc "${nound_libc_program}")
endif()

# Leaves in `result` the C library that zig has as source, and zig, each with its version.
function(nound_zig_parts result)
  execute_process(COMMAND "${NOUND_ZIG}" env WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE settings
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "\\.lib_dir = \"([^\"]*)\"" matched "${settings}")
  get_filename_component(library "${CMAKE_MATCH_1}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  file(STRINGS "${library}/libc/musl/src/internal/version.h" line REGEX "define VERSION" LIMIT_COUNT 1)
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" musl "${line}")
  set(${result} ",musl ${musl},zig ${NOUND_ZIG_VERSION}" PARENT_SCOPE)
endfunction()
