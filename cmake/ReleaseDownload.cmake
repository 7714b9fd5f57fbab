# nound_release_tarball(<name> <result> <place>...): the path of a library's pinned release, from the first place that
# has it:
#
#   -DNOUND_<NAME>_TARBALL=FILE, the source tarball of a release of nound, an earlier download, then the given places:
#   `upstream` is upstream's server, `debian` the mirrors of Debian that apt is set up with.
#
# From any place, only a file with the pinned SHA-256 is accepted. The library's own file sets nound_<name>_title,
# _version, _sha256, _url, _suites (the suites of Debian whose source package <name> may have the release as it is),
# _otherwise (what else to do without the file), _options (of nound_refuse), _parts (what of the release is needed),
# _series (which releases serve) and _sign (a file that the source of such a release has).
include("${CMAKE_CURRENT_LIST_DIR}/Refuse.cmake")

# Leaves in `result` whether a file is there and is the pinned release.
function(nound_is_release name file result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
    file(SHA256 "${file}" hash)
    if(hash STREQUAL nound_${name}_sha256)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(nound_download_from_upstream name file)
  file(DOWNLOAD "${nound_${name}_url}" "${file}" STATUS status INACTIVITY_TIMEOUT 10 TIMEOUT 120)
endfunction()

function(nound_download_from_debian name file)
  set(folder "${NOUND_DOWNLOADS_DIR}/apt-${name}")
  cmake_path(GET file EXTENSION LAST_ONLY extension)
  set(tarball "${name}_${nound_${name}_version}.orig.tar${extension}")
  foreach(suite IN LISTS nound_${name}_suites)
    nound_debian_apt("${folder}" deb-src "${suite}" "${tarball}" source --download-only --tar-only "${name}")
    nound_is_release(${name} "${folder}/${tarball}" found)
    if(found)
      file(RENAME "${folder}/${tarball}" "${file}")
      break()
    endif()
  endforeach()
  file(REMOVE_RECURSE "${folder}")
endfunction()

function(nound_release_tarball name result)
  string(TOUPPER "NOUND_${name}_TARBALL" option)
  set(release "${nound_${name}_title} ${nound_${name}_version}")
  if(${option})
    nound_is_release(${name} "${${option}}" found)
    if(NOT found)
      nound_refuse(${name} "${${option}} is not the release ${nound_${name}_version} of "
        "${nound_${name}_title} (a file of the SHA-256 ${nound_${name}_sha256}).")
    endif()
    set(${result} "${${option}}" PARENT_SCOPE)
    return()
  endif()
  cmake_path(GET nound_${name}_url FILENAME file)
  set(tarball "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../vendor/${file}")
  nound_is_release(${name} "${tarball}" found)
  if(NOT found)
    set(tarball "${NOUND_DOWNLOADS_DIR}/${file}")
    file(MAKE_DIRECTORY "${NOUND_DOWNLOADS_DIR}")
    file(LOCK "${NOUND_DOWNLOADS_DIR}" DIRECTORY GUARD FUNCTION TIMEOUT 300) # of two builds at once, one downloads
    nound_is_release(${name} "${tarball}" found)
  endif()
  set(${result} "${tarball}" PARENT_SCOPE)
  foreach(place IN LISTS ARGN)
    if(found)
      return()
    endif()
    file(REMOVE "${tarball}")
    cmake_language(CALL nound_download_from_${place} ${name} "${tarball}")
    nound_is_release(${name} "${tarball}" found)
  endforeach()
  if(NOT found)
    file(REMOVE "${tarball}")
    nound_refuse(${name} "${release} can be downloaded neither from ${nound_${name}_url} nor from "
      "a mirror of Debian: give the file by -D${option}=, ${nound_${name}_otherwise}.")
  endif()
endfunction()

# nound_release_source(<name> <result> <place>...): the folder of a library's source: -DNOUND_<NAME>_DIR, or the
# release, unpacked in the folder of the build.
function(nound_release_source name result)
  string(TOUPPER "NOUND_${name}" option)
  if(${option}_DIR)
    if(NOT EXISTS "${${option}_DIR}/${nound_${name}_sign}")
      nound_refuse(${name} "There is no source of ${nound_${name}_series} in ${${option}_DIR}.")
    endif()
    set(${result} "${${option}_DIR}" PARENT_SCOPE)
    return()
  endif()
  set(release "${name}-${nound_${name}_version}")
  set(source "${CMAKE_BINARY_DIR}/${release}")
  set(${result} "${source}" PARENT_SCOPE)
  if(EXISTS "${source}/unpacked" AND NOT ${option}_TARBALL)
    return()
  endif()
  nound_release_tarball(${name} tarball ${ARGN})
  file(REMOVE_RECURSE "${source}")
  list(TRANSFORM nound_${name}_parts PREPEND "${release}/" OUTPUT_VARIABLE parts)
  file(ARCHIVE_EXTRACT INPUT "${tarball}" DESTINATION "${CMAKE_BINARY_DIR}" PATTERNS ${parts})
  file(TOUCH "${source}/unpacked")
endfunction()
