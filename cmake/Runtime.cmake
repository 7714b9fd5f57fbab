# nound-runtime: the native layer and the whole engine without a script. `nound build` puts an application into a copy
# of it, as the content of a section in its own segment (native/engine/payload.h); `nound dev` and the tests let it run
# one from a file.
#
# nound-compiler: the embedding tool as a program of the target, for the npm package, where that is a machine that
# people develop on. nound-product: all that a release takes from a build.
set(nound_runtime_native "${CMAKE_CURRENT_LIST_DIR}/../native")
add_executable(nound-runtime EXCLUDE_FROM_ALL
  "${nound_runtime_native}/main.c" "${nound_runtime_native}/engine/payload.c")
target_include_directories(nound-runtime PRIVATE "${nound_runtime_native}")
target_link_libraries(nound-runtime PRIVATE nound-native)
if(NOT NOUND_ZIG)
  return()
endif()

add_custom_target(nound-product DEPENDS nound nound-runtime)
if(NOUND_ZIG_TARGET MATCHES "^(x86_64|aarch64)-")
  add_executable(nound-compiler EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/../tools/embed/embed.c")
  target_link_libraries(nound-compiler PRIVATE nound-flags quickjs)
  add_dependencies(nound-product nound-compiler)
endif()
