/*
 * Gives a handshake (native/tls/tls_session.c) a peer that sends without end what TLS ignores: the handshake still
 * ends at its deadline. recv(2) is replaced, because a real peer may pause. Prints nothing when all went as it must.
 */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tls/tls_random.h"

static ssize_t flooded_recv(int file, void *bytes, size_t length, int flags);
#define recv flooded_recv
#include "tls/tls_session.c"

#define HANDSHAKE_TIME 100 /* ms */
#define PATIENCE 60        /* s */

/* A warning that the peer has given up for a reason of its own (RFC 8446, 6.1). */
static const unsigned char alert[] = {MBEDTLS_SSL_MSG_ALERT, 3, 1, 0, 2, MBEDTLS_SSL_ALERT_LEVEL_WARNING, 90};
static size_t given;

static ssize_t flooded_recv(int file, void *bytes, size_t length, int flags) {
    (void)file;
    (void)flags;
    unsigned char *to = bytes;
    for (size_t i = 0; i < length; i++)
        to[i] = alert[given++ % sizeof alert];
    return (ssize_t)length;
}

static void expect(bool holds, const char *sentence) {
    if (holds)
        return;
    fprintf(stderr, "tls-flood-test: %s\n", sentence);
    exit(EXIT_FAILURE);
}

static void flood(int end, const char *sentence) {
    static struct tls_session session;
    int pair[2];
    given = 0;
    expect(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0, "there is no pair of sockets");
    expect(write(pair[1], alert, sizeof alert) == sizeof alert, "a socket takes no bytes"); /* poll(2) sees them */
    expect(tls_session_begin(&session, end) == 0, "a session does not begin");
    if (end == MBEDTLS_SSL_IS_CLIENT)
        mbedtls_ssl_conf_authmode(&session.config, MBEDTLS_SSL_VERIFY_NONE);
    expect(tls_session_handshake(&session, pair[0], monotonic_clock() + HANDSHAKE_TIME) == MBEDTLS_ERR_SSL_TIMEOUT,
           sentence);
    mbedtls_ssl_free(&session.ssl);
    mbedtls_ssl_config_free(&session.config);
    close(pair[0]);
    close(pair[1]);
}

int main(void) {
    alarm(PATIENCE);
    expect(tls_random_open(), "there are no random numbers");
    flood(MBEDTLS_SSL_IS_SERVER, "a client that floods is not refused at the deadline");
    flood(MBEDTLS_SSL_IS_CLIENT, "a server that floods is not left at the deadline");
    return EXIT_SUCCESS;
}
