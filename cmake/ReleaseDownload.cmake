# nound_release_tarball(<name> <result> <place>...): the path of a library's pinned release, from the first place that
# has it:
#
#   -DNOUND_<NAME>_TARBALL=FILE, the source tarball of a release of nound, an earlier download, then the given places:
#   `upstream` is upstream's server, `debian` the mirrors of Debian that apt is set up with.
#
# From any place, only a file with the pinned SHA-256 is accepted. The library's own file sets nound_<name>_title,
# _version, _sha256, _url, _suites (the suites of Debian whose source package <name> may have the release as it is) and
# _otherwise (what else to do without the file), and has nound_refuse_<name>(<sentence>...).

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
      cmake_language(CALL nound_refuse_${name} "${${option}} is not the release ${nound_${name}_version} of "
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
    cmake_language(CALL nound_refuse_${name} "${release} can be downloaded neither from ${nound_${name}_url} nor from "
      "a mirror of Debian: give the file by -D${option}=, ${nound_${name}_otherwise}.")
  endif()
endfunction()
