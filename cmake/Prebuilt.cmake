# The source tarball of a release has the script of `nound` in C already, in prebuilt/, so that it is built without Node.js. Who
# changes ts/ there says NOUND_PREBUILT=OFF.
#
# prebuilt/nound-bytecode.c is for little-endian processors and the very engine that wrote it, prebuilt/nound-text.c for all
# others, and prebuilt/engine.sha256 tells that engine.
set(nound_prebuilt_folder "${CMAKE_CURRENT_LIST_DIR}/../prebuilt")
set(nound_prebuilt_exists OFF)
if(EXISTS "${nound_prebuilt_folder}/engine.sha256")
  set(nound_prebuilt_exists ON)
endif()
option(NOUND_PREBUILT "Take the script that comes compiled with a release" ${nound_prebuilt_exists})

# Leaves in `result` a hash of what the bytecode depends on. cmake/dist/source-tarball.mjs does the same.
function(nound_engine_hash result)
  set(hashes "")
  foreach(file IN ITEMS quickjs.c quickjs-atom.h quickjs-opcode.h)
    file(SHA256 "${QUICKJS_DIR}/${file}" hash)
    string(APPEND hashes "${hash}\n")
  endforeach()
  string(SHA256 hash "${hashes}")
  set(${result} "${hash}" PARENT_SCOPE)
endfunction()

# Leaves in `result` the path of the script of program `name`, or nothing when it has to be compiled.
function(nound_prebuilt_script name result)
  set(${result} "" PARENT_SCOPE)
  if(NOT NOUND_PREBUILT OR NOT EXISTS "${nound_prebuilt_folder}/${name}-text.c")
    return()
  endif()
  file(READ "${nound_prebuilt_folder}/engine.sha256" expected)
  string(STRIP "${expected}" expected)
  nound_engine_hash(hash)
  if(hash STREQUAL expected AND NOT CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    set(${result} "${nound_prebuilt_folder}/${name}-bytecode.c" PARENT_SCOPE)
  else()
    set(${result} "${nound_prebuilt_folder}/${name}-text.c" PARENT_SCOPE)
  endif()
endfunction()
