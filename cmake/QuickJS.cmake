# The engine: target `quickjs`, and NOUND_ENGINE_VERSION. QuickJS-ng 0.15 or later, from source and as its authors left it.
set(nound_engine_minimum 0.15)

# The source tarball of a release has it inside; elsewhere it comes with `npm ci`.
set(nound_engine_folder "${CMAKE_CURRENT_LIST_DIR}/../vendor/quickjs-ng")
if(NOT EXISTS "${nound_engine_folder}")
  set(nound_engine_folder "${CMAKE_CURRENT_LIST_DIR}/../node_modules/quickjs-ng-source/vendor/quickjs-ng")
endif()
set(QUICKJS_DIR "${nound_engine_folder}" CACHE PATH "The source of QuickJS-ng")
# Measured on x86-64, instructions for a GET, size, resident memory at rest: -O2 11,400, 1,148 KB, 1,792 KB; -Os 13,100, 890 KB,
# 1,604 KB; -Os with more inlining 12,000, 966 KB, 1,616 KB. The last is nearly as fast as the first and nearly as small as
# the second, but only clang has its option.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  set(nound_engine_optimization -Os -mllvm -inline-threshold=100)
else()
  set(nound_engine_optimization "-O2")
endif()
set(NOUND_ENGINE_OPTIMIZATION "${nound_engine_optimization}" CACHE STRING "How a release optimizes the engine's interpreter")

# Ends the configuration with a sentence, and forgets the folder it is about: the next one starts from the default again.
function(nound_refuse_engine)
  unset(QUICKJS_DIR CACHE)
  string(CONCAT sentence ${ARGV})
  message(FATAL_ERROR "${sentence}")
endfunction()

if(NOT EXISTS "${QUICKJS_DIR}/quickjs.h")
  nound_refuse_engine("There is no source of QuickJS-ng in ${QUICKJS_DIR}: run `npm ci`, or give another place by "
                      "-DQUICKJS_DIR=, such as /usr/src/quickjs-ng of Debian's package qjs-src.")
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${QUICKJS_DIR}/quickjs.h")
file(STRINGS "${QUICKJS_DIR}/quickjs.h" nound_engine_defines REGEX "^#define QJS_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
set(NOUND_ENGINE_VERSION "")
foreach(nound_engine_part IN ITEMS MAJOR MINOR PATCH)
  if(nound_engine_defines MATCHES "QJS_VERSION_${nound_engine_part} +([0-9]+)")
    list(APPEND NOUND_ENGINE_VERSION "${CMAKE_MATCH_1}")
  endif()
endforeach()
list(JOIN NOUND_ENGINE_VERSION "." NOUND_ENGINE_VERSION)
if(NOUND_ENGINE_VERSION STREQUAL "")
  nound_refuse_engine("${QUICKJS_DIR}/quickjs.h names no version of QuickJS-ng: nound needs QuickJS-ng "
                      "${nound_engine_minimum} or later (Bellard's quickjs is another engine).")
elseif(NOUND_ENGINE_VERSION VERSION_LESS nound_engine_minimum)
  nound_refuse_engine("QuickJS-ng in ${QUICKJS_DIR} is version ${NOUND_ENGINE_VERSION}: nound needs "
                      "${nound_engine_minimum} or later.")
endif()

# Which files there are depends on the version.
set(nound_engine_sources "")
foreach(nound_engine_file IN ITEMS quickjs.c libregexp.c libunicode.c dtoa.c cutils.c xsum.c)
  if(EXISTS "${QUICKJS_DIR}/${nound_engine_file}")
    list(APPEND nound_engine_sources "${QUICKJS_DIR}/${nound_engine_file}")
  endif()
endforeach()

find_package(Threads REQUIRED)
add_library(quickjs STATIC ${nound_engine_sources})
set_target_properties(quickjs PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
target_include_directories(quickjs SYSTEM PUBLIC "${QUICKJS_DIR}")
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE QUICKJS_NG_BUILD "$<$<CONFIG:Release>:NDEBUG>")
# For tests: what is freed too early is then found at once, and not one time in a million.
option(NOUND_GC_STRESS "Collect garbage at every allocation of an object" OFF)
target_compile_definitions(quickjs PRIVATE "$<$<BOOL:${NOUND_GC_STRESS}>:FORCE_GC_AT_MALLOC>")
# Unsigned characters are upstream's choice; the two others leave the optimizer less to assume about a large interpreter.
target_compile_options(quickjs PRIVATE -w -funsigned-char -fwrapv -fno-strict-aliasing)
set_source_files_properties("${QUICKJS_DIR}/quickjs.c" PROPERTIES
                            COMPILE_OPTIONS "$<$<CONFIG:Release>:${NOUND_ENGINE_OPTIMIZATION}>")
target_link_libraries(quickjs PUBLIC m Threads::Threads ${CMAKE_DL_LIBS})

# nound_add_engine_test(<name>): the engine's own test of its interface in C, where the source has it.
function(nound_add_engine_test name)
  if(EXISTS "${QUICKJS_DIR}/api-test.c")
    set(sources "${QUICKJS_DIR}/api-test.c")
    # That of 0.17 needs the library of the engine's own shell.
    file(STRINGS "${QUICKJS_DIR}/api-test.c" shell REGEX "quickjs-libc\\.h" LIMIT_COUNT 1)
    if(shell)
      list(APPEND sources "${QUICKJS_DIR}/quickjs-libc.c")
    endif()
    add_executable(${name} ${sources})
    set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
    target_compile_options(${name} PRIVATE -w -funsigned-char -fwrapv -fno-strict-aliasing)
    target_link_libraries(${name} PRIVATE quickjs)
  endif()
endfunction()
