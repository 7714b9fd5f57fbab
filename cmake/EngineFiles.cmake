# Identifies an engine's source by its version and the SHA-256 of its files, in the form of sha256sum(1).
# cmake/quickjs-ng.sha256 has those of the pinned engine.
#
#   cmake -D FOLDER=<source of QuickJS-ng> -P cmake/EngineFiles.cmake     prints both

# Leaves in `result` the version that a folder's quickjs.h names, or nothing.
function(nound_engine_version folder result)
  set(version "")
  if(EXISTS "${folder}/quickjs.h")
    file(STRINGS "${folder}/quickjs.h" defines REGEX "^#define QJS_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
    foreach(part IN ITEMS MAJOR MINOR PATCH)
      if(defines MATCHES "QJS_VERSION_${part} +([0-9]+)")
        list(APPEND version "${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endif()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

# Leaves in `result` the names of the files that count: those of the library and of the engine's own test of its
# interface in C, not those of its programs and of its other tests.
function(nound_engine_files folder result)
  file(GLOB names RELATIVE "${folder}" "${folder}/*.c" "${folder}/*.h")
  list(FILTER names EXCLUDE REGEX "^(qjs|run-test|unicode_gen|ctest|fuzz|lre-test)")
  list(SORT names)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# Leaves in `result` a line for each file. libunicode-table.h is hashed without its comment with Unicode's licence,
# which Debian leaves out. Without it, the engine is the same.
function(nound_engine_list folder result)
  nound_engine_files("${folder}" names)
  set(lines "")
  foreach(name IN LISTS names)
    if(name STREQUAL "libunicode-table.h")
      file(READ "${folder}/${name}" text)
      string(REGEX REPLACE "\n/\\*\n[^*]*\\*/\n" "\n" text "${text}")
      string(SHA256 hash "${text}")
    else()
      file(SHA256 "${folder}/${name}" hash)
    endif()
    string(APPEND lines "${hash}  ${name}\n")
  endforeach()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_path(ABSOLUTE_PATH FOLDER BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  nound_engine_version("${FOLDER}" version)
  nound_engine_list("${FOLDER}" lines)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo_append "# quickjs-ng ${version}\n${lines}")
endif()
