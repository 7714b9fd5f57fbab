# The engine: target `quickjs`, and NOUND_ENGINE_VERSION. Its source is built unchanged.
include("${CMAKE_CURRENT_LIST_DIR}/EngineSource.cmake")

# -O2 with little inlining, and without unrolled loops. Beside -Os with as much inlining, a GET takes 8 % fewer cycles
# outside the kernel; x86_64 is 39 KB larger, the other targets are as large or smaller. Loops over a text use vectors:
# they count its bytes above 0x7F each time that C is given it. Only clang has these options.
# NOUND_ENGINE_OPTIONS, if given, stands for them. It is not kept in the cache, so a build folder takes new ones.
if(NOT NOUND_ENGINE_OPTIONS)
  set(NOUND_ENGINE_OPTIONS -O2)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    list(APPEND NOUND_ENGINE_OPTIONS -mllvm -inline-threshold=90 -fno-unroll-loops)
  endif()
endif()

# Without an optimizer, a frame of the interpreter is several times as long, and the engine is given more stack.
if("-O0" IN_LIST NOUND_ENGINE_OPTIONS)
  add_compile_definitions(NOUND_ENGINE_UNOPTIMIZED)
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${NOUND_ENGINE_DIR}/quickjs.h")
set(nound_engine_sources quickjs.c libregexp.c libunicode.c dtoa.c)
list(TRANSFORM nound_engine_sources PREPEND "${NOUND_ENGINE_DIR}/")
find_package(Threads REQUIRED)
add_library(quickjs STATIC ${nound_engine_sources})
set_target_properties(quickjs PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_include_directories(quickjs SYSTEM PUBLIC "${NOUND_ENGINE_DIR}")
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE QUICKJS_NG_BUILD "$<$<CONFIG:Release>:NDEBUG>")
# For tests: an object that is freed too early is then found at once, and not once in a million times.
option(NOUND_GC_STRESS "Collect garbage at every allocation of an object" OFF)
target_compile_definitions(quickjs PRIVATE "$<$<BOOL:${NOUND_GC_STRESS}>:FORCE_GC_AT_MALLOC>")
# Unsigned characters are upstream's choice; the two others leave the optimizer less to assume about a large
# interpreter.
target_compile_options(quickjs PRIVATE -w -funsigned-char -fwrapv -fno-strict-aliasing)
set_source_files_properties("${NOUND_ENGINE_DIR}/quickjs.c" PROPERTIES
                            COMPILE_OPTIONS "$<$<CONFIG:Release>:${NOUND_ENGINE_OPTIONS}>")
nound_make_smallest("${NOUND_ENGINE_DIR}/libunicode.c") # which few texts need
target_link_libraries(quickjs PUBLIC m Threads::Threads ${CMAKE_DL_LIBS} ${nound_atomics_library})

# nound_add_engine_test(<name>): the engine's own test of its interface in C, where the source has it.
function(nound_add_engine_test name)
  if(EXISTS "${NOUND_ENGINE_DIR}/api-test.c")
    # It needs the library of the engine's own shell.
    add_executable(${name} EXCLUDE_FROM_ALL "${NOUND_ENGINE_DIR}/api-test.c" "${NOUND_ENGINE_DIR}/quickjs-libc.c")
    set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
    target_compile_options(${name} PRIVATE -w -funsigned-char -fwrapv -fno-strict-aliasing)
    target_link_libraries(${name} PRIVATE quickjs)
  endif()
endfunction()
