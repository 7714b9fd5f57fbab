# nound_mbedtls_tarball(<result>): the path of the release of Mbed TLS, from the first place that has it:
#
#   -DNOUND_MBEDTLS_TARBALL=FILE, the source tarball of a release of nound, an earlier download, the mirrors of Debian
#   that apt is set up with, upstream's server.
#
# From any place, only a file with this SHA-256 is accepted.
function(nound_download_mbedtls_from_upstream file)
  file(DOWNLOAD "${nound_mbedtls_url}" "${file}" STATUS status INACTIVITY_TIMEOUT 10 TIMEOUT 120)
endfunction()

# Debian's source package has upstream's release as it is. Debian's testing has it first, and a stable release with its
# updates of security later.
function(nound_download_mbedtls_from_debian file)
  set(folder "${NOUND_DOWNLOADS_DIR}/apt-mbedtls")
  set(tarball "mbedtls_${nound_mbedtls_version}.orig.tar.bz2")
  foreach(suite IN ITEMS testing trixie)
    nound_debian_apt("${folder}" deb-src "${suite}" "${tarball}"
      source --download-only --tar-only "mbedtls")
    nound_is_release("${folder}/${tarball}" "${nound_mbedtls_sha256}" found)
    if(found)
      file(RENAME "${folder}/${tarball}" "${file}")
      break()
    endif()
  endforeach()
  file(REMOVE_RECURSE "${folder}")
endfunction()

function(nound_mbedtls_tarball result)
  if(NOUND_MBEDTLS_TARBALL)
    nound_is_release("${NOUND_MBEDTLS_TARBALL}" "${nound_mbedtls_sha256}" found)
    if(NOT found)
      set(given "${NOUND_MBEDTLS_TARBALL}")
      nound_refuse_mbedtls("${given} is not the release ${nound_mbedtls_version} of Mbed TLS (a file of the SHA-256 "
                           "${nound_mbedtls_sha256}).")
    endif()
    set(${result} "${NOUND_MBEDTLS_TARBALL}" PARENT_SCOPE)
    return()
  endif()
  set(tarball "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../vendor/mbedtls-${nound_mbedtls_version}.tar.bz2")
  nound_is_release("${tarball}" "${nound_mbedtls_sha256}" found)
  if(found)
    set(${result} "${tarball}" PARENT_SCOPE)
    return()
  endif()
  set(tarball "${NOUND_DOWNLOADS_DIR}/mbedtls-${nound_mbedtls_version}.tar.bz2")
  set(${result} "${tarball}" PARENT_SCOPE)
  file(MAKE_DIRECTORY "${NOUND_DOWNLOADS_DIR}")
  file(LOCK "${NOUND_DOWNLOADS_DIR}" DIRECTORY GUARD FUNCTION TIMEOUT 300) # of two builds at once, one downloads
  foreach(place IN ITEMS earlier debian upstream)
    if(place STREQUAL "upstream")
      nound_download_mbedtls_from_upstream("${tarball}")
    elseif(place STREQUAL "debian")
      nound_download_mbedtls_from_debian("${tarball}")
    endif()
    nound_is_release("${tarball}" "${nound_mbedtls_sha256}" found)
    if(found)
      return()
    endif()
    file(REMOVE "${tarball}")
  endforeach()
  nound_refuse_mbedtls("Mbed TLS ${nound_mbedtls_version} can be downloaded neither from a mirror of Debian nor from "
                       "${nound_mbedtls_url}: give the file by -DNOUND_MBEDTLS_TARBALL=, take the system's by "
                       "-DNOUND_MBEDTLS=system (in a build by the system's compiler), or do without TLS by "
                       "-DNOUND_TLS=off.")
endfunction()
