/* One encrypted connection, in a process of its own: the handshake, and the copying after it. */
#ifndef NOUND_TLS_SESSION_H
#define NOUND_TLS_SESSION_H

#include <mbedtls/ssl.h>
#include <stdbool.h>
#include <stdint.h>

/* Bytes that were received before Mbed TLS has asked for them. */
struct tls_ahead {
    unsigned char bytes[1024];
    size_t begin, end; /* of those that are left */
};

struct tls_session {
    mbedtls_ssl_config config;
    mbedtls_ssl_context ssl;
    int peer;        /* a socket that does not block */
    bool is_drained; /* it has nothing to receive, until poll(2) reports something */
    size_t received; /* bytes since Mbed TLS was last called */
    struct tls_ahead ahead;
};

/* What a number means to people: an alert, or an error of Mbed TLS. A table ends with a NULL. */
struct tls_meaning {
    int number;
    const char *text; /* without a full stop */
};

/* Returns the text of a number, or NULL. */
const char *tls_meaning_of(const struct tls_meaning *table, int number);

/*
 * Begins with the settings that both directions share: TLS 1.2 and 1.3, and nothing weaker.
 * end: MBEDTLS_SSL_IS_CLIENT or MBEDTLS_SSL_IS_SERVER. Returns an error of Mbed TLS, or 0.
 */
int tls_session_begin(struct tls_session *session, int end);

/*
 * Does the handshake with a peer, after the configuration is complete.
 * deadline: ms on CLOCK_MONOTONIC. Returns an error of Mbed TLS, MBEDTLS_ERR_SSL_TIMEOUT at the deadline, or 0.
 */
int tls_session_handshake(struct tls_session *session, int peer, int64_t deadline);

/* Releases the memory that only the handshake needed. */
void tls_session_trim(struct tls_session *session);

/*
 * Copies between the peer and the other end of `own` until both have ended. After `own` has ended, what it left is
 * written as long as the peer takes some of it within ten seconds, and nobody waits for its place.
 * is_wanted: whether somebody waits for the place of this connection, in memory that others write; or NULL.
 */
void tls_session_copy(struct tls_session *session, int own, const volatile bool *is_wanted);

#endif
