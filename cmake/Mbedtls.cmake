# TLS: target `nound-mbedtls`, if it is wanted. Mbed TLS is Apache-2.0 or GPL-2.0-or-later.
#
#   NOUND_TLS=on        nound speaks TLS
#             off       without it: 240 KB smaller, and a configuration with TLS is refused
#   NOUND_MBEDTLS=bundled   compiled from its release, which is downloaded once for all builds, and linked statically,
#                           with the configuration native/tls/mbedtls_config.h
#                 system    the one of this system, 3.6, by the system's compiler
set(NOUND_TLS on CACHE STRING "TLS: on or off")
set(NOUND_MBEDTLS bundled CACHE STRING "Mbed TLS: bundled or system")
set(NOUND_MBEDTLS_TARBALL "" CACHE FILEPATH "The release of Mbed TLS, where it cannot be downloaded")
set(NOUND_MBEDTLS_DIR "" CACHE PATH "Any source of Mbed TLS 3.6, unpacked, instead of the release")
set(nound_mbedtls_version 3.6.7)
set(nound_mbedtls_sha256 a7e8bcbec0e6f761b4af24f25677626b35f762f68eef79c08677a363212d11f6)
set(nound_mbedtls_url "https://github.com/Mbed-TLS/mbedtls/releases/download/mbedtls-${nound_mbedtls_version}/mbedtls-${nound_mbedtls_version}.tar.bz2")
set(nound_mbedtls_title "Mbed TLS")
set(nound_mbedtls_suites testing trixie) # testing has a release first, a stable one with its updates of security later
string(CONCAT nound_mbedtls_otherwise "take the system's by -DNOUND_MBEDTLS=system (in a build by the system's "
                                      "compiler), or do without TLS by -DNOUND_TLS=off")
set(nound_mbedtls_series "Mbed TLS 3.6")
set(nound_mbedtls_sign library/ssl_tls13_generic.c)
set(nound_mbedtls_parts "library/*" "include/*" LICENSE)
set(nound_mbedtls_options NOUND_TLS NOUND_MBEDTLS NOUND_MBEDTLS_TARBALL NOUND_MBEDTLS_DIR)

include("${CMAKE_CURRENT_LIST_DIR}/ReleaseDownload.cmake")

# The files of its library that the configuration needs; the others would compile to nothing.
set(nound_mbedtls_files
  aes.c aesni.c asn1parse.c asn1write.c base64.c bignum.c bignum_core.c bignum_mod_raw.c block_cipher.c chacha20.c
  chachapoly.c cipher.c cipher_wrap.c constant_time.c ecdh.c ecdsa.c ecp.c ecp_curves.c gcm.c hkdf.c md.c oid.c pem.c
  pk.c pk_ecc.c pk_wrap.c pkparse.c pkwrite.c platform.c platform_util.c poly1305.c psa_crypto.c psa_crypto_aead.c
  psa_crypto_cipher.c psa_crypto_client.c psa_crypto_driver_wrappers_no_static.c psa_crypto_ecp.c psa_crypto_hash.c
  psa_crypto_mac.c psa_crypto_rsa.c psa_crypto_slot_management.c psa_util.c rsa.c rsa_alt_helpers.c sha256.c sha512.c
  ssl_ciphersuites.c ssl_client.c ssl_debug_helpers_generated.c ssl_msg.c ssl_ticket.c ssl_tls.c ssl_tls12_client.c
  ssl_tls12_server.c ssl_tls13_client.c ssl_tls13_generic.c ssl_tls13_keys.c ssl_tls13_server.c x509.c x509_create.c
  x509_crt.c x509write.c x509write_crt.c)
# Those that compute: ciphers, hashes, and large numbers. Their speed is that of a handshake, and their time must not
# tell a secret. The others read and write messages.
set(nound_mbedtls_computing
  aes.c aesni.c base64.c bignum.c bignum_core.c bignum_mod_raw.c block_cipher.c chacha20.c chachapoly.c constant_time.c
  ecdh.c ecdsa.c ecp.c ecp_curves.c gcm.c platform_util.c poly1305.c rsa.c rsa_alt_helpers.c sha256.c sha512.c)

function(nound_add_bundled_mbedtls)
  nound_release_source(mbedtls source debian upstream)
  set(smallest ${nound_mbedtls_files})
  list(REMOVE_ITEM smallest ${nound_mbedtls_computing})
  list(TRANSFORM smallest PREPEND "${source}/library/")
  nound_make_smallest(${smallest})
  list(TRANSFORM nound_mbedtls_files PREPEND "${source}/library/" OUTPUT_VARIABLE files)
  add_library(mbedtls STATIC ${files})
  set_target_properties(mbedtls PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
  target_include_directories(mbedtls SYSTEM PUBLIC "${source}/include")
  target_include_directories(mbedtls PRIVATE "${source}/library")
  target_compile_definitions(mbedtls PUBLIC
    "MBEDTLS_CONFIG_FILE=\"${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../native/tls/mbedtls_config.h\"")
  target_compile_options(mbedtls PRIVATE -w)
  # It compares the bytes of two empty names by memcmp(NULL, NULL, 0), which reads nothing and which C2y permits
  # (N3322).
  set_source_files_properties("${source}/library/x509_crt.c" PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Sanitize,Fuzz>:-fno-sanitize=nonnull-attribute>")
  # They use what the library has for its own files.
  set_source_files_properties("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../native/tls/key_update.c"
    "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../native/tls/kernel_tls.c" PROPERTIES
    COMPILE_DEFINITIONS NOUND_KEY_UPDATE COMPILE_OPTIONS "-isystem;${source}/library")
  target_link_libraries(nound-mbedtls INTERFACE mbedtls)
endfunction()

# Leaves in `result` the version of the system's headers, or nothing. Mbed TLS 2 has it in version.h.
function(nound_system_mbedtls_version result)
  set(version "")
  foreach(file IN ITEMS build_info.h version.h)
    if(version STREQUAL "" AND EXISTS "${NOUND_MBEDTLS_INCLUDE}/mbedtls/${file}")
      file(STRINGS "${NOUND_MBEDTLS_INCLUDE}/mbedtls/${file}" line REGEX "define MBEDTLS_VERSION_STRING ")
      string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${line}")
    endif()
  endforeach()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

function(nound_add_system_mbedtls)
  if(NOUND_ZIG_TARGET)
    nound_refuse(mbedtls "A system's Mbed TLS is compiled for the system's C library, and this target has its own: "
                         "NOUND_MBEDTLS=system needs a build by the system's compiler, such as `cmake -B build/system "
                         "-DNOUND_MBEDTLS=system`.")
  endif()
  find_path(NOUND_MBEDTLS_INCLUDE mbedtls/ssl.h)
  foreach(name IN ITEMS mbedtls mbedx509 mbedcrypto)
    find_library(NOUND_LIB${name} ${name})
    list(APPEND libraries "${NOUND_LIB${name}}")
  endforeach()
  nound_system_mbedtls_version(version)
  if(NOT version MATCHES "^3\\.6\\." OR "${libraries}" MATCHES "NOTFOUND")
    set(found "${version}")
    string(PREPEND found "Mbed TLS ")
    if(version STREQUAL "")
      set(found "no Mbed TLS")
    endif()
    unset(NOUND_MBEDTLS_INCLUDE CACHE) # so that the next configuration looks again
    nound_refuse(mbedtls "This system has ${found}, and nound needs Mbed TLS 3.6 with its headers: install it (Debian "
                         "13: apt-get install libmbedtls-dev), or leave out -DNOUND_MBEDTLS=system.")
  endif()
  if(version STREQUAL "3.6.6")
    message(WARNING "The system's Mbed TLS 3.6.6 refuses servers with an RSA key that speak TLS 1.2 and no TLS 1.3. "
                    "3.6.7 takes them.")
  endif()
  target_include_directories(nound-mbedtls SYSTEM INTERFACE "${NOUND_MBEDTLS_INCLUDE}")
  target_link_libraries(nound-mbedtls INTERFACE ${libraries})
endfunction()

add_library(nound-mbedtls INTERFACE)
if(NOUND_TLS STREQUAL "on" AND NOUND_MBEDTLS STREQUAL "bundled")
  nound_add_bundled_mbedtls()
elseif(NOUND_TLS STREQUAL "on" AND NOUND_MBEDTLS STREQUAL "system")
  nound_add_system_mbedtls()
elseif(NOT NOUND_TLS MATCHES "^(on|off)$")
  set(nound_mbedtls_wanted "${NOUND_TLS}")
  nound_refuse(mbedtls "There is no NOUND_TLS=${nound_mbedtls_wanted}: say on or off.")
elseif(NOUND_TLS STREQUAL "on")
  set(nound_mbedtls_wanted "${NOUND_MBEDTLS}")
  nound_refuse(mbedtls "There is no NOUND_MBEDTLS=${nound_mbedtls_wanted}: say bundled or system.")
endif()
