/*
 * In place of native/tls/kernel_tls.c: a kernel whose TLS encrypts nothing. After the handshake, a client and the
 * process with the nouns speak in clear text. So a test sees, on any kernel, what happens to such a connection.
 */
#include "tls/kernel_tls.h"

bool kernel_tls_exists(void) {
    return true;
}

enum kernel_tls kernel_tls_begin(const struct mbedtls_ssl_context *ssl, int peer, uint32_t *refused) {
    (void)ssl, (void)peer, (void)refused;
    return KERNEL_TLS_BEGUN;
}
