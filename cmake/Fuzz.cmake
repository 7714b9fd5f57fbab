# What the build type Fuzz adds: the target `nound-fuzz`, and an engine that records which branches of the script were
# taken.
#
# libFuzzer sees the edges of compiled code. To it, all that ts/ decides would be the same few edges of an interpreter's
# loop. So the interpreter of this build counts the script's jumps where libFuzzer looks: one line of a copy of
# quickjs.c, in the build folder, calls the macro of test/fuzz/script-coverage.h before each instruction.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Fuzz")
  return()
endif()
if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "Fuzzing needs clang, for its libFuzzer: on Debian, apt-get install clang libclang-rt-dev.")
endif()

set(nound_fuzz_folder "${CMAKE_CURRENT_LIST_DIR}/../test/fuzz")
set(nound_fuzz_engine "${CMAKE_BINARY_DIR}/quickjs-with-coverage.c")
set(nound_dispatch "goto *dispatch_table[opcode = *pc++]")

file(READ "${NOUND_ENGINE_DIR}/quickjs.c" nound_engine_text)
string(FIND "${nound_engine_text}" "${nound_dispatch}" nound_dispatch_place)
if(nound_dispatch_place EQUAL -1)
  message(FATAL_ERROR "This version of QuickJS-ng dispatches its instructions in another way: see cmake/Fuzz.cmake.")
endif()
string(REPLACE "${nound_dispatch}" "NOUND_INSTRUCTION(pc); ${nound_dispatch}" nound_engine_text "${nound_engine_text}")
file(WRITE "${nound_fuzz_engine}.new" "${nound_engine_text}")
file(COPY_FILE "${nound_fuzz_engine}.new" "${nound_fuzz_engine}" ONLY_IF_DIFFERENT)

get_target_property(nound_engine_files quickjs SOURCES)
list(TRANSFORM nound_engine_files REPLACE "^.*/quickjs\\.c$" "${nound_fuzz_engine}")
set_target_properties(quickjs PROPERTIES SOURCES "${nound_engine_files}")
set(nound_fuzz_engine_options -include "${nound_fuzz_folder}/script-coverage.h"
  -fno-sanitize=fuzzer-no-link,undefined -mllvm -asan-instrumentation-with-call-threshold=-1)
set_source_files_properties("${nound_fuzz_engine}" PROPERTIES
                            COMPILE_OPTIONS "${nound_fuzz_engine_options}"
                            OBJECT_DEPENDS "${nound_fuzz_folder}/script-coverage.h")

# nound_add_fuzz_target(<name> ENTRY <file.ts> MAIN <file.c> ...): a program of libFuzzer. The harness provides the
# clock and epoll, so that a minute of waiting takes no time.
function(nound_add_fuzz_target name)
  nound_add_binary(${name} ${ARGN})
  target_include_directories(${name} PRIVATE "${nound_fuzz_folder}")
  target_link_options(${name} PRIVATE -fsanitize=fuzzer -Wl,--wrap=clock_gettime -Wl,--wrap=epoll_wait)
endfunction()
