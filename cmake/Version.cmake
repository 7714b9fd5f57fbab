# NOUND_VERSION: the version of this program, and the commit it is built from: 0.2.0+a52e1cc. The version is written in
# package.json alone. The commit comes from the first place that has it: the option NOUND_COMMIT, the file `commit` of a
# source tarball, and git. Without any of them, the version stands alone. A change of any place configures again.
set(nound_root "${CMAKE_CURRENT_LIST_DIR}/..")
set(NOUND_COMMIT "" CACHE STRING "The commit that the program names, where neither a file `commit` nor git has it")

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${nound_root}/package.json")
file(READ "${nound_root}/package.json" nound_package)
string(JSON NOUND_VERSION GET "${nound_package}" version)

# nound_git(<result> <argument>...): leaves in `result` the answer of `git rev-parse`, or nothing.
function(nound_git result)
  execute_process(COMMAND git rev-parse ${ARGN} WORKING_DIRECTORY "${nound_root}"
    OUTPUT_VARIABLE answer ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

set(nound_commit "${NOUND_COMMIT}")
if(NOT nound_commit AND EXISTS "${nound_root}/commit")
  file(STRINGS "${nound_root}/commit" nound_lines LIMIT_COUNT 2)
  list(POP_FRONT nound_lines nound_commit nound_commit_date)
elseif(NOT nound_commit)
  # Source in a folder of another repository, as a package's is, has a prefix there.
  nound_git(nound_prefix --show-prefix)
  nound_git(nound_head_log --path-format=absolute --git-path logs/HEAD)
  if(nound_prefix STREQUAL "" AND EXISTS "${nound_head_log}")
    nound_git(nound_commit HEAD)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${nound_head_log}")
  endif()
endif()
if(nound_commit MATCHES "^[0-9a-f]+$")
  string(SUBSTRING "${nound_commit}" 0 7 nound_commit)
  string(APPEND NOUND_VERSION "+${nound_commit}")
elseif(NOT nound_commit STREQUAL "")
  message(FATAL_ERROR "${nound_commit} is no commit: NOUND_COMMIT and the file `commit` take hexadecimal digits.")
endif()

# NOUND_DATE: a date that has passed, in seconds since 1970: that of SOURCE_DATE_EPOCH, or of the commit.
set(NOUND_DATE "$ENV{SOURCE_DATE_EPOCH}")
if(NOUND_DATE STREQUAL "")
  set(NOUND_DATE "${nound_commit_date}")
endif()
if(NOUND_DATE STREQUAL "" AND nound_head_log AND EXISTS "${nound_head_log}")
  execute_process(COMMAND git log -1 --format=%ct HEAD WORKING_DIRECTORY "${nound_root}"
    OUTPUT_VARIABLE NOUND_DATE ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT NOUND_DATE MATCHES "^[0-9]*$")
  message(FATAL_ERROR "${NOUND_DATE} is no date: SOURCE_DATE_EPOCH is in seconds since 1970.")
endif()
