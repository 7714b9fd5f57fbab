# Compiles for one target with `zig cc`: C compiler, musl and linker in one, so no system compiler or sysroot is needed.
#
# A target's own file sets, then includes this one:
#   NOUND_ZIG_TARGET  zig's name of the target: arm-linux-musleabihf
#   NOUND_ZIG_CPU     optional: the oldest CPU to run on, in zig's words: arm1176jzf_s
# The zig of tools/packages/targets is used, which `npm run build` installs; ZIG= in the environment, or -DNOUND_ZIG=,
# names another one.
# Leaves NOUND_ZIG, the program, and NOUND_ZIG_VERSION.

if(NOT DEFINED CMAKE_SYSTEM_NAME AND NOT NOUND_ZIG_TARGET STREQUAL "${NOUND_ZIG_HOST_TARGET}")
  set(CMAKE_SYSTEM_NAME Linux)
  string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${NOUND_ZIG_TARGET}")
endif()

# CMake wants one program for each tool, so each subcommand of zig gets a script. CMake reads this file again for its
# compiler checks, in other folders; the first reading, which knows the build folder, has written the scripts by then.
if(NOT NOUND_ZIG_TOOLS)
  set(NOUND_ZIG_TOOLS "${CMAKE_BINARY_DIR}/zig")
  if(NOT "$ENV{ZIG}" STREQUAL "")
    set(nound_zig "$ENV{ZIG}")
  elseif(NOUND_ZIG AND EXISTS "${NOUND_ZIG}")
    set(nound_zig "${NOUND_ZIG}")
  else()
    set(nound_zig_files "node_modules/@zigc/linux-*/bin/zig")
    file(GLOB nound_zig "${CMAKE_CURRENT_LIST_DIR}/../tools/packages/targets/${nound_zig_files}"
      "${CMAKE_CURRENT_LIST_DIR}/../${nound_zig_files}")
    if(NOT nound_zig)
      message(FATAL_ERROR "The compiler zig is not installed: run node tools/build/packages.mjs targets, or set ZIG to "
        "the path of a zig program.")
    endif()
    list(GET nound_zig 0 nound_zig)
    file(REAL_PATH "${nound_zig}" nound_zig)
  endif()
  execute_process(COMMAND "${nound_zig}" version OUTPUT_VARIABLE NOUND_ZIG_VERSION RESULT_VARIABLE nound_zig_result
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT nound_zig_result EQUAL 0)
    message(FATAL_ERROR "`${nound_zig} version` does not run: set ZIG to the path of a zig program for this machine.")
  endif()
  set(NOUND_ZIG "${nound_zig}" CACHE FILEPATH "The zig program" FORCE)

  set(nound_zig_cc cc -target ${NOUND_ZIG_TARGET})
  if(NOUND_ZIG_CPU)
    list(APPEND nound_zig_cc -mcpu=${NOUND_ZIG_CPU})
  endif()
  list(JOIN nound_zig_cc " " nound_zig_cc)
  foreach(nound_zig_tool IN ITEMS cc ar ranlib)
    set(nound_zig_command ${nound_zig_tool})
    if(nound_zig_tool STREQUAL "cc")
      set(nound_zig_command "${nound_zig_cc}")
    endif()
    # CMake asks what compiler this is by the smallest of programs. Linked, it would have zig compile libc, for half a
    # minute, in silence and with debugging information, which the build has no use for; an object tells CMake as much.
    set(nound_zig_identification "")
    if(nound_zig_tool STREQUAL "cc")
      set(nound_zig_identification "case \"$*\" in *CMakeCCompilerId.c) set -- -c \"$@\" ;; esac")
    endif()
    # zig keeps what it compiled of libc in the user's cache, for all projects. A user without a home has it in the
    # build folder.
    file(CONFIGURE OUTPUT "${NOUND_ZIG_TOOLS}/${nound_zig_tool}" @ONLY NEWLINE_STYLE UNIX CONTENT [=[#!/bin/sh
export ZIG_LOCAL_CACHE_DIR="@NOUND_ZIG_TOOLS@/cache"
if [ -z "$ZIG_GLOBAL_CACHE_DIR$XDG_CACHE_HOME$HOME" ]; then
  export ZIG_GLOBAL_CACHE_DIR="@NOUND_ZIG_TOOLS@/global-cache"
fi
@nound_zig_identification@
exec "@NOUND_ZIG@" @nound_zig_command@ "$@"
]=])
    file(CHMOD "${NOUND_ZIG_TOOLS}/${nound_zig_tool}" PERMISSIONS
         OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endif()

set(CMAKE_C_COMPILER "${NOUND_ZIG_TOOLS}/cc")
set(CMAKE_AR "${NOUND_ZIG_TOOLS}/ar")
set(CMAKE_RANLIB "${NOUND_ZIG_TOOLS}/ranlib")
set(CMAKE_C_COMPILER_AR "${NOUND_ZIG_TOOLS}/ar")
set(CMAKE_C_COMPILER_RANLIB "${NOUND_ZIG_TOOLS}/ranlib")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")

# A check that links would have zig compile libc first, for half a minute and in silence; the build does it in sight.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES NOUND_ZIG NOUND_ZIG_TOOLS)
