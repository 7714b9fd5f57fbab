# The programs of the tests. A build without a target makes none of them.
#
#   nound-tests         what the end-to-end tests start, the attacks and the soak
#   nound-target-tests  that, and what is judged of each target
#   nound-bench         what the benchmark compares nound with
#   nound-allocations   fails allocations; with sanitizers only
#   nound-fuzz          the fuzzer; with the build type Fuzz only
#   nound-fuzz-packets  the fuzzer of a broker's packets; with the build type Fuzz only
#   nound-fuzz-processes, nound-fuzz-tls
#                       the fuzzers of messages between processes, and of TLS; part of nound-tests on this machine,
#                       where they only show that they can be linked

# nound_add_c_test(<name> <file.c> ...): a program of C alone.
function(nound_add_c_test name)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARGN})
  target_include_directories(${name} PRIVATE native)
  target_link_libraries(${name} PRIVATE nound-flags)
endfunction()

# nound_add_test_binary(<name> ...): as nound_add_binary, with the whole engine, which an author's nouns may use.
function(nound_add_test_binary name)
  nound_add_binary(${name} ${ARGN})
  target_compile_definitions(${name} PRIVATE NOUND_WHOLE_ENGINE)
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# The stock program as a maker may build it.
add_executable(nound-maker EXCLUDE_FROM_ALL test/e2e/native/maker-build.c $<TARGET_OBJECTS:nound>
  "$<FILTER:$<TARGET_OBJECTS:nound-native>,EXCLUDE,/mod_system.c>")
set_source_files_properties(test/e2e/native/maker-build.c PROPERTIES COMPILE_DEFINITIONS "${nound_build}")
target_include_directories(nound-maker PRIVATE native)
target_link_libraries(nound-maker PRIVATE nound-flags quickjs nound-gpiod nound-mbedtls)
target_link_options(nound-maker PRIVATE $<TARGET_PROPERTY:nound-native,INTERFACE_LINK_OPTIONS>)

nound_add_test_binary(nound-e2e ENTRY test/e2e/application.ts)
nound_add_test_binary(nound-hardware ENTRY test/e2e/hardware-application.ts)
nound_add_test_binary(nound-forbidden ENTRY test/e2e/forbidden/application.ts MAIN test/e2e/forbidden/forbidden.c)
set(NOUND_HELPER_FILES native/base/stack.c native/helper/helper_process.c native/helper/one_message.c
  native/guard/landlock.c native/guard/privileges.c native/guard/seccomp.c native/guard/seccomp_filter.c
  native/guard/seccomp_base.c native/guard/seccomp_helpers.c native/net/net_address.c native/base/descriptor.c
  native/base/passed_descriptor.c native/text/failure.c native/text/sentence.c)
set(NOUND_CONNECTOR_FILES native/connector/connector.c native/connector/connector_process.c native/connector/target.c
  native/connector/resolve.c native/keeper/keeper.c native/helper/helper.c native/base/log_output.c
  ${NOUND_HELPER_FILES})
set(NOUND_ACCEPTOR_FILES native/acceptor/accepted_connection.c native/acceptor/places.c native/acceptor/farewell.c
  native/net/long_lived.c)
foreach(name attempts forgeries)
  nound_add_c_test(nound-${name} test/e2e/connector/${name}.c ${NOUND_CONNECTOR_FILES})
  target_link_libraries(nound-${name} PRIVATE quickjs)
endforeach()
target_sources(nound-forgeries PRIVATE test/e2e/native/forged-message.c)
nound_add_c_test(engine-heap-test test/e2e/native/engine-heap-test.c native/engine/engine_heap.c)
target_include_directories(engine-heap-test SYSTEM PRIVATE "${NOUND_ENGINE_DIR}")
nound_add_c_test(inflate-test test/e2e/native/inflate-test.c native/engine/inflate.c)
nound_add_c_test(libc-memory-test test/e2e/native/libc-memory-test.c)
nound_add_c_test(states-left-test test/e2e/native/states-left-test.c native/keeper/keeper.c
  native/base/descriptor.c native/base/log_output.c native/base/passed_descriptor.c)
if(NOUND_ZIG)
  target_sources(libc-memory-test PRIVATE native/libc/libc_memory.c)
endif()
add_custom_target(nound-tests)
add_dependencies(nound-tests nound nound-maker nound-runtime nound-e2e nound-hardware nound-forbidden nound-attempts
  nound-forgeries engine-heap-test inflate-test libc-memory-test states-left-test)
if(NOUND_TLS STREQUAL "on")
  nound_add_c_test(tls-flood-test test/e2e/native/tls-flood-test.c native/tls/tls_heap.c
    native/tls/tls_random.c native/tls/key_update.c)
  target_link_libraries(tls-flood-test PRIVATE nound-mbedtls)
  nound_add_c_test(kernel-tls-test test/e2e/native/kernel-tls-test.c native/tls/kernel_tls.c
    native/tls/tls_heap.c native/tls/tls_random.c native/base/descriptor.c)
  target_link_libraries(kernel-tls-test PRIVATE nound-mbedtls)
  nound_add_c_test(nound-acceptor-forgeries test/e2e/acceptor/forgeries.c test/e2e/native/forged-message.c
    native/acceptor/acceptor_process.c ${NOUND_ACCEPTOR_FILES} ${NOUND_HELPER_FILES})
  target_link_libraries(nound-acceptor-forgeries PRIVATE quickjs)
  nound_add_c_test(farewell-test test/e2e/native/farewell-test.c native/acceptor/farewell.c)
  # The stock program, and nound-runtime, with another kernel.
  add_executable(nound-clear-tls EXCLUDE_FROM_ALL test/e2e/native/clear-tls.c $<TARGET_OBJECTS:nound>)
  add_executable(nound-clear-runtime EXCLUDE_FROM_ALL test/e2e/native/clear-tls.c native/main.c
    native/engine/payload.c)
  foreach(name nound-clear-tls nound-clear-runtime)
    target_sources(${name} PRIVATE "$<FILTER:$<TARGET_OBJECTS:nound-native>,EXCLUDE,/kernel_tls.c>")
    target_include_directories(${name} PRIVATE native)
    target_link_libraries(${name} PRIVATE nound-flags quickjs nound-gpiod nound-mbedtls)
    target_link_options(${name} PRIVATE $<TARGET_PROPERTY:nound-native,INTERFACE_LINK_OPTIONS>)
  endforeach()
  add_dependencies(nound-tests tls-flood-test kernel-tls-test nound-acceptor-forgeries farewell-test nound-clear-tls
    nound-clear-runtime)
endif()

nound_add_test_binary(nound-engine ENTRY test/targets/engine.ts)
nound_add_engine_test(engine-api-test)
nound_add_c_test(nound-seccomp-filter test/targets/seccomp-filter.c native/guard/seccomp_filter.c
  native/guard/seccomp_nouns.c native/guard/seccomp_base.c native/guard/seccomp_helpers.c)
add_custom_target(nound-target-tests)
add_dependencies(nound-target-tests nound-tests nound-engine nound-seccomp-filter)
if(TARGET engine-api-test)
  add_dependencies(nound-target-tests engine-api-test)
endif()

nound_add_c_test(nound-floor test/bench/floor.c native/loop/loop.c native/loop/timer_heap.c native/net/net_address.c
  native/net/net_listen.c native/base/descriptor.c native/base/passed_descriptor.c native/net/socket_lock.c
  native/keeper/keeper.c native/base/stack.c native/base/log_output.c)
add_custom_target(nound-bench)
add_dependencies(nound-bench nound nound-floor)

if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
  nound_add_test_binary(nound-leaking ENTRY test/e2e/leaking/application.ts MAIN test/e2e/leaking/leaking.c)
  add_dependencies(nound-tests nound-leaking)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Sanitize" AND NOT NOUND_GC_STRESS)
  nound_add_test_binary(nound-allocations ENTRY test/fuzz/application.ts MAIN
    test/allocations/allocations.c test/allocations/scenario.c test/allocations/failing-allocator.c
    test/allocations/loopback.c
    test/fuzz/client.c test/fuzz/answers.c test/fuzz/defect.c test/fuzz/virtual-time.c)
  target_include_directories(nound-allocations PRIVATE test/fuzz test/allocations)
  target_link_options(nound-allocations PRIVATE -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc
    -Wl,--wrap=clock_gettime -Wl,--wrap=epoll_wait -Wl,--wrap=epoll_create1)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Fuzz")
  nound_add_fuzz_target(nound-fuzz ENTRY test/fuzz/application.ts MAIN
    test/fuzz/fuzz.c test/fuzz/client.c test/fuzz/answers.c test/fuzz/defect.c test/fuzz/virtual-time.c)
  nound_add_fuzz_target(nound-fuzz-packets ENTRY test/fuzz/packets.ts MAIN
    test/fuzz/fuzz-packets.c test/fuzz/defect.c test/fuzz/virtual-time.c)
  set_target_properties(nound-fuzz nound-fuzz-packets PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# nound_add_fuzzer(<name> FILES <test/file.c> ... TAKES <native/file.c> ... WRAPS <function> ...): a fuzzer of C alone.
# TAKES: what it has of the program. For this machine, with another build type than Fuzz, it has the program's objects
# and nothing that calls it: it shows in a second that all that it takes is there.
function(nound_add_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 fuzzer "" "" "FILES;TAKES;WRAPS")
  if(CMAKE_BUILD_TYPE STREQUAL "Fuzz")
    list(TRANSFORM fuzzer_WRAPS PREPEND "-Wl,--wrap=")
    nound_add_c_test(${name} ${fuzzer_FILES} ${fuzzer_TAKES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer ${fuzzer_WRAPS})
  elseif(NOUND_ZIG_HOST_TARGET)
    list(JOIN fuzzer_TAKES "|" taken)
    nound_add_c_test(${name} ${fuzzer_FILES} test/fuzz/no-fuzzer.c
      "$<FILTER:$<TARGET_OBJECTS:nound-native>,INCLUDE,/(${taken})[.]o$>")
    # zig's linker wraps nothing, and would not miss what nobody calls.
    list(TRANSFORM fuzzer_WRAPS REPLACE "(.+)" "__real_\\1=\\1")
    target_compile_definitions(${name} PRIVATE ${fuzzer_WRAPS})
    target_link_options(${name} PRIVATE -Wl,--no-gc-sections)
    add_dependencies(nound-tests ${name})
  else()
    return()
  endif()
  target_link_libraries(${name} PRIVATE nound-mbedtls quickjs)
endfunction()

if(NOUND_TLS STREQUAL "on")
  nound_add_fuzzer(nound-fuzz-processes
    FILES test/fuzz/fuzz-processes.c test/e2e/native/forged-message.c test/fuzz/fuzz-connector.c test/fuzz/defect.c
    TAKES ${NOUND_ACCEPTOR_FILES} ${NOUND_HELPER_FILES} native/connector/connector.c native/connector/resolve.c
      native/helper/helper.c native/keeper/keeper.c native/keeper/keeper_helper.c native/keeper/command_line.c
      native/keeper/reload_command.c native/keeper/trial.c native/base/log_output.c native/keeper/service_manager.c
      native/keeper/upgrade.c native/keeper/kept.c native/keeper/jail.c native/trust/file_trust.c native/text/utf8.c
    WRAPS fork kill log_output_print)
  nound_add_fuzzer(nound-fuzz-tls
    FILES test/fuzz/fuzz-tls.c test/fuzz/defect.c
    TAKES native/tls/authorities.c native/tls/kernel_tls.c native/tls/key_update.c native/tls/server_check.c
      native/tls/tls_clock.c native/tls/tls_heap.c native/tls/tls_identity.c native/tls/tls_session.c
      native/tls/trusted_file.c native/tls/own_certificate.c native/files/store.c native/files/file_text.c
      native/trust/file_trust.c native/base/descriptor.c native/text/failure.c native/system/system_clock.c
      native/text/sentence.c native/text/utf8.c
    WRAPS recv send poll shutdown clock_gettime time mbedtls_ct_memcmp psa_verify_hash psa_aead_encrypt
      psa_aead_decrypt mbedtls_ssl_set_bio)
endif()
