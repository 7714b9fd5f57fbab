/*
 * New keys for a connection that lasts (RFC 8446, 4.6.3). Mbed TLS 3.6 takes a KeyUpdate for a message that nobody
 * expects. It leaves that message and its keys where this part can use them, in the version that is built with nound.
 */
#ifndef NOUND_KEY_UPDATE_H
#define NOUND_KEY_UPDATE_H

#include <mbedtls/ssl.h>
#include <stdbool.h>

/*
 * After mbedtls_ssl_read has returned MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE: takes the peer's next key, if the message is
 * a KeyUpdate. is_asked: receives whether the peer wants one in return. Otherwise sends an alert, and returns an error
 * of Mbed TLS.
 */
int key_update_take(mbedtls_ssl_context *ssl, bool *is_asked);

/*
 * Sends a KeyUpdate, and takes the next key for what follows. Nothing may be left to be sent (key_update_flush).
 * Returns an error of Mbed TLS, or 0.
 */
int key_update_send(mbedtls_ssl_context *ssl);

/*
 * Sends what is left of a record. Returns 0 once nothing is left, MBEDTLS_ERR_SSL_WANT_WRITE, or another error.
 */
int key_update_flush(mbedtls_ssl_context *ssl);

#endif
