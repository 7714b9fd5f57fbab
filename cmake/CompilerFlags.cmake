# What each build type does with C code, ours and the engine's.
#
#   Release   small, stripped, without functions that are not called. No check of undefined behaviour: zig's default, a
#             trap without a message, would end the service in cases that are harmless in the engine.
#   Sanitize  AddressSanitizer and UndefinedBehaviorSanitizer, which print what is wrong and then end the process.
#   Threads   ThreadSanitizer, for the worker threads.
#   Fuzz      Sanitize, and libFuzzer learns which edges of the code were taken. Only clang has that.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Sanitize, Threads or Fuzz" FORCE)
endif()
if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|Sanitize|Threads|Fuzz)$")
  message(FATAL_ERROR
    "There is no build type ${CMAKE_BUILD_TYPE}: set CMAKE_BUILD_TYPE to Release, Sanitize, Threads or Fuzz.")
endif()

set(CMAKE_C_FLAGS_RELEASE "-Os")
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g")
set(CMAKE_C_FLAGS_THREADS "-O1 -g")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # A stack trace needs no place of each variable. gcc takes a quarter of its time to find them.
  string(APPEND CMAKE_C_FLAGS_SANITIZE " -fno-var-tracking")
  string(APPEND CMAKE_C_FLAGS_THREADS " -fno-var-tracking")
endif()
set(CMAKE_C_FLAGS_FUZZ "-O2 -g")

# No path of the build machine goes into the binary, so that the same source gives the same bytes anywhere.
add_compile_options("-ffile-prefix-map=${CMAKE_CURRENT_LIST_DIR}/../=" "-ffile-prefix-map=${CMAKE_BINARY_DIR}/=")
add_compile_options(
  "$<$<CONFIG:Release>:-fno-sanitize=all;-ffunction-sections;-fdata-sections;-fomit-frame-pointer>"
  "$<$<CONFIG:Release>:-fno-asynchronous-unwind-tables;-fno-unwind-tables>")
add_link_options("$<$<CONFIG:Release>:-Wl,--gc-sections;-s>")

set(nound_sanitizers "-fsanitize=address,undefined;-fno-sanitize-recover=undefined;-fno-omit-frame-pointer")
add_compile_options("$<$<CONFIG:Sanitize,Fuzz>:${nound_sanitizers}>" "$<$<CONFIG:Fuzz>:-fsanitize=fuzzer-no-link>")
add_link_options("$<$<CONFIG:Sanitize,Fuzz>:${nound_sanitizers}>" "$<$<CONFIG:Fuzz>:-fsanitize=fuzzer-no-link>")
add_compile_options("$<$<CONFIG:Threads>:-fsanitize=thread;-fno-omit-frame-pointer>")
add_link_options("$<$<CONFIG:Threads>:-fsanitize=thread>")
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  # gcc says so itself. The engine then asks malloc for every object, so that the sanitizer knows where each ends.
  add_compile_definitions("$<$<CONFIG:Sanitize,Fuzz>:__SANITIZE_ADDRESS__>")
endif()

# Another zig, or zig for another processor, makes other objects from the same command line. So the command line names
# both, and a change compiles everything again.
if(NOUND_ZIG)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${NOUND_ZIG}")
  add_compile_definitions("NOUND_ZIG_VERSION=\"${NOUND_ZIG_VERSION} ${NOUND_ZIG_TARGET} ${NOUND_ZIG_CPU}\"")
endif()

# nound_make_smallest(<file>...): code that runs seldom is compiled to be small before all, which makes it 5 to 10 %
# smaller than -Os does. zig takes -Oz for -Os, so the compiler behind its command line is told. gcc has no such option.
function(nound_make_smallest)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:-Xclang;-Oz>")
  endif()
endfunction()

# Our own C code. The engine has its author's flags, in QuickJS.cmake.
add_library(nound-flags INTERFACE)
target_compile_features(nound-flags INTERFACE c_std_11)
target_compile_definitions(nound-flags INTERFACE _GNU_SOURCE)
target_compile_options(nound-flags INTERFACE -Wall -Wextra -Werror "$<$<CONFIG:Release>:-fstack-protector-strong>")
set(CMAKE_C_EXTENSIONS OFF)
