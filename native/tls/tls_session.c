#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/tls_session.h"

#include <errno.h>
#include <poll.h>
#include <psa/crypto.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/monotonic_clock.h"
#include "tls/key_update.h"
#include "tls/tls_heap.h"
#include "tls/tls_random.h"

#define LINGER 10000        /* ms without progress after the own end: once that is gone, of what the peer takes alone */
#define GLANCE 500          /* ms between two looks whether somebody waits, once the own end is gone */
#define MOST_RECEIVED 32768 /* bytes in a call of Mbed TLS: a record, and what came before it */

static int send_record(void *context, const unsigned char *bytes, size_t length) {
    const struct tls_session *session = context;
    const ssize_t count = send(session->peer, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0)
        return (int)count;
    return errno == EAGAIN || errno == EINTR ? MBEDTLS_ERR_SSL_WANT_WRITE : MBEDTLS_ERR_SSL_CONN_EOF;
}

/*
 * Receives what the kernel has, unless it is known to have nothing. Returns the number of bytes, or an error. Mbed TLS
 * goes on as long as it gets nothing but warnings and other records that it ignores. MOST_RECEIVED ends that.
 */
static int receive(struct tls_session *session, unsigned char *bytes, size_t length) {
    if (session->is_drained || session->received >= MOST_RECEIVED)
        return MBEDTLS_ERR_SSL_WANT_READ;
    const ssize_t count = recv(session->peer, bytes, length, MSG_DONTWAIT);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? MBEDTLS_ERR_SSL_WANT_READ : MBEDTLS_ERR_SSL_CONN_EOF;
    session->is_drained = count > 0 && (size_t)count < length;
    session->received += (size_t)count;
    return (int)count;
}

/*
 * Mbed TLS asks for a record's head of five bytes, then for the rest. A short record is received whole with its head,
 * but in the handshake: what follows that may be for the kernel (kernel_tls.h).
 */
static int receive_record(void *context, unsigned char *bytes, size_t length) {
    struct tls_session *session = context;
    struct tls_ahead *ahead = &session->ahead;
    if (ahead->begin == ahead->end) {
        if (length >= sizeof ahead->bytes || !mbedtls_ssl_is_handshake_over(&session->ssl))
            return receive(session, bytes, length);
        const int count = receive(session, ahead->bytes, sizeof ahead->bytes);
        if (count <= 0)
            return count;
        ahead->begin = 0;
        ahead->end = (size_t)count;
    }
    const size_t left = ahead->end - ahead->begin;
    const size_t taken = length < left ? length : left;
    memcpy(bytes, ahead->bytes + ahead->begin, taken);
    ahead->begin += taken;
    return (int)taken;
}

const char *tls_meaning_of(const struct tls_meaning *table, int number) {
    while (table->text && table->number != number)
        table++;
    return table->text;
}

/* A system's Mbed TLS has older ciphers, hashes and curves, too. */
static const int ciphers[] = {MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256,
                              MBEDTLS_TLS1_3_AES_256_GCM_SHA384,
                              MBEDTLS_TLS1_3_AES_128_GCM_SHA256,
                              MBEDTLS_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
                              MBEDTLS_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
                              MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
                              MBEDTLS_TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
                              MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
                              MBEDTLS_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
                              0};
static const uint16_t groups[] = {MBEDTLS_SSL_IANA_TLS_GROUP_X25519,
                                  MBEDTLS_SSL_IANA_TLS_GROUP_SECP256R1,
                                  MBEDTLS_SSL_IANA_TLS_GROUP_SECP384R1,
                                  MBEDTLS_SSL_IANA_TLS_GROUP_NONE};
static const mbedtls_x509_crt_profile certificates = {
    .allowed_mds = MBEDTLS_X509_ID_FLAG(MBEDTLS_MD_SHA256) | MBEDTLS_X509_ID_FLAG(MBEDTLS_MD_SHA384) |
                   MBEDTLS_X509_ID_FLAG(MBEDTLS_MD_SHA512),
    .allowed_pks = UINT32_MAX,
    .allowed_curves = MBEDTLS_X509_ID_FLAG(MBEDTLS_ECP_DP_SECP256R1) | MBEDTLS_X509_ID_FLAG(MBEDTLS_ECP_DP_SECP384R1),
    .rsa_min_bitlen = 2048};

int tls_session_begin(struct tls_session *session, int end) {
    mbedtls_ssl_config_init(&session->config);
    mbedtls_ssl_init(&session->ssl);
    session->is_drained = false;
    session->ahead.begin = session->ahead.end = 0;
    if (psa_crypto_init() != PSA_SUCCESS)
        return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
    mbedtls_ssl_config *config = &session->config;
    int error = mbedtls_ssl_config_defaults(config, end, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
    if (error != 0)
        return error;
    mbedtls_ssl_conf_rng(config, tls_random, NULL);
    mbedtls_ssl_conf_min_tls_version(config, MBEDTLS_SSL_VERSION_TLS1_2);
    mbedtls_ssl_conf_ciphersuites(config, ciphers);
    mbedtls_ssl_conf_groups(config, groups);
    mbedtls_ssl_conf_cert_profile(config, &certificates);
    return 0;
}

/* Waits for the direction that an error of Mbed TLS asks for. Returns 0, or MBEDTLS_ERR_SSL_TIMEOUT. */
static int wait_for(struct tls_session *session, int wanted, int64_t deadline) {
    struct pollfd file = {.fd = session->peer, .events = wanted == MBEDTLS_ERR_SSL_WANT_WRITE ? POLLOUT : POLLIN};
    for (;;) {
        const int64_t left = deadline - monotonic_clock();
        if (left <= 0)
            return MBEDTLS_ERR_SSL_TIMEOUT;
        if (poll(&file, 1, (int)left) > 0) {
            session->is_drained = false;
            return 0;
        }
    }
}

int tls_session_handshake(struct tls_session *session, int peer, int64_t deadline) {
    session->peer = peer;
    int error = mbedtls_ssl_setup(&session->ssl, &session->config);
    if (error != 0)
        return error;
    mbedtls_ssl_set_bio(&session->ssl, session, send_record, receive_record, NULL);
    for (;;) {
        session->received = 0;
        error = mbedtls_ssl_handshake(&session->ssl);
        if (error == MBEDTLS_ERR_SSL_WANT_READ || error == MBEDTLS_ERR_SSL_WANT_WRITE)
            error = wait_for(session, error, deadline);
        else if (error == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET)
            error = 0;
        else
            return error;
        if (error != 0)
            return error;
    }
}

void tls_session_trim(struct tls_session *session) {
    mbedtls_x509_crt *peer = session->ssl.session ? session->ssl.session->peer_cert : NULL;
    if (peer) {
        mbedtls_x509_crt_free(peer);
        mbedtls_x509_crt_init(peer);
    }
    tls_heap_trim();
}

/* Bytes on their way in one direction. */
struct flow {
    unsigned char bytes[4096];
    size_t begin, end; /* of those that are left */
    bool has_ended;    /* nothing more comes */
    bool is_told;      /* the receiver knows that */
};

struct copying {
    struct tls_session *session;
    int own;
    bool own_is_drained; /* its socket has nothing to receive, until poll(2) reports something */
    struct flow in, out; /* from the peer, and to it */
    short peer_events, own_events;
    bool moved;
    bool owes_key;                  /* the peer has asked for a KeyUpdate */
    bool is_flushing;               /* a KeyUpdate is still to be sent whole */
    bool own_is_gone;               /* though it has left something to be written */
    int64_t deadline;               /* for the peer to take some of that; 0 until it is set */
    const volatile bool *is_wanted; /* see tls_session_copy */
};

/* Returns whether Mbed TLS has to be called again once the peer is ready, and notes for what. */
static bool must_wait(struct copying *copying, int error) {
    if (error == MBEDTLS_ERR_SSL_WANT_READ)
        copying->peer_events |= POLLIN;
    else if (error == MBEDTLS_ERR_SSL_WANT_WRITE)
        copying->peer_events |= POLLOUT;
    else
        return false;
    return true;
}

/* Takes the peer's next key. Returns false when the message is something else. */
static bool take_key(struct copying *copying) {
    bool is_asked;
    if (key_update_take(&copying->session->ssl, &is_asked) != 0)
        return false;
    copying->owes_key = copying->owes_key || is_asked;
    return copying->moved = true;
}

/*
 * Sends a KeyUpdate that the peer has asked for, between two records. Returns MBEDTLS_ERR_SSL_WANT_WRITE until it is
 * sent whole, another error, or 0.
 */
static int give_key(struct copying *copying) {
    mbedtls_ssl_context *ssl = &copying->session->ssl;
    if (copying->owes_key && ssl->out_left == 0) {
        const int error = key_update_send(ssl);
        if (error != 0)
            return error;
        copying->owes_key = false;
        copying->is_flushing = true;
    }
    const int error = copying->is_flushing ? key_update_flush(ssl) : 0;
    copying->is_flushing = copying->is_flushing && error != 0;
    return error;
}

/* Takes the bytes that the peer has sent. Returns false when the connection has broken. */
static bool take_from_peer(struct copying *copying) {
    struct flow *in = &copying->in;
    if (in->has_ended || in->begin < in->end)
        return true;
    copying->session->received = 0;
    const int count = mbedtls_ssl_read(&copying->session->ssl, in->bytes, sizeof in->bytes);
    if (must_wait(copying, count))
        return true;
    if (count == MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE)
        return take_key(copying);
    if (count == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY || count == MBEDTLS_ERR_SSL_CONN_EOF || count == 0)
        in->has_ended = true;
    else if (count < 0 && count != MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET)
        return false;
    in->begin = 0;
    in->end = count > 0 ? (size_t)count : 0;
    copying->moved = true;
    return true;
}

/* Returns false when the own end is gone. */
static bool give_to_own(struct copying *copying) {
    struct flow *in = &copying->in;
    if (in->begin < in->end) {
        const ssize_t count =
            send(copying->own, in->bytes + in->begin, in->end - in->begin, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (count < 0)
            copying->own_events |= POLLOUT;
        else
            copying->moved = true;
        in->begin += count > 0 ? (size_t)count : 0;
    }
    if (in->has_ended && in->begin == in->end && !in->is_told) {
        in->is_told = true;
        return shutdown(copying->own, SHUT_WR) == 0;
    }
    return true;
}

static void take_from_own(struct copying *copying) {
    struct flow *out = &copying->out;
    if (out->has_ended || out->begin < out->end)
        return;
    const ssize_t count =
        copying->own_is_drained ? -1 : recv(copying->own, out->bytes, sizeof out->bytes, MSG_DONTWAIT);
    if (count < 0 && (copying->own_is_drained || errno == EAGAIN || errno == EINTR)) {
        copying->own_events |= POLLIN;
        return;
    }
    /* Once it is gone, poll(2) is not asked any more. */
    copying->own_is_drained = count > 0 && (size_t)count < sizeof out->bytes && !copying->own_is_gone;
    out->has_ended = count <= 0;
    out->begin = 0;
    out->end = count > 0 ? (size_t)count : 0;
    copying->moved = true;
}

/* Returns false when the connection has broken. */
static bool give_to_peer(struct copying *copying) {
    struct flow *out = &copying->out;
    mbedtls_ssl_context *ssl = &copying->session->ssl;
    if (!out->is_told) {
        const int error = give_key(copying);
        if (error != 0)
            return must_wait(copying, error);
    }
    if (out->begin < out->end) {
        const int count = mbedtls_ssl_write(ssl, out->bytes + out->begin, out->end - out->begin);
        if (must_wait(copying, count))
            return true;
        if (count < 0)
            return false;
        out->begin += (size_t)count;
        copying->moved = true;
        copying->deadline = 0;
        return true;
    }
    if (!out->has_ended || out->is_told)
        return true;
    const int error = mbedtls_ssl_close_notify(ssl);
    if (must_wait(copying, error))
        return true;
    out->is_told = copying->moved = true;
    return error == 0 && shutdown(copying->session->peer, SHUT_WR) == 0;
}

/* ms to wait; -1 for any time. */
static int patience(const struct copying *copying) {
    if (copying->own_is_gone)
        return GLANCE;
    return copying->out.has_ended ? LINGER : -1;
}

/* Returns whether the peer has taken nothing for too long. What it sends to nobody meanwhile gives it no more time. */
static bool is_late(struct copying *copying) {
    if (!copying->own_is_gone)
        return false;
    const int64_t now = monotonic_clock();
    if (copying->deadline == 0)
        copying->deadline = now + LINGER;
    return now >= copying->deadline;
}

/*
 * Waits until something can move. Returns false if nothing has moved for too long after the own end. If somebody waits
 * for the place, that is a GLANCE.
 */
static bool wait_to_move(struct copying *copying) {
    /* Without an event that is waited for, poll(2) would tell of an end again and again. */
    struct pollfd files[] = {
        {.fd = copying->peer_events == 0 ? -1 : copying->session->peer, .events = copying->peer_events},
        {.fd = copying->own_is_gone ? -1 : copying->own, .events = copying->own_events}};
    const int ready = poll(files, sizeof files / sizeof files[0], patience(copying));
    if (ready > 0 && ((copying->own_events == 0 && files[1].revents != 0) || (files[1].revents & (POLLHUP | POLLERR))))
        copying->own_is_gone = true;
    if (files[0].revents != 0)
        copying->session->is_drained = false;
    if (files[1].revents != 0)
        copying->own_is_drained = false;
    return ready > 0 || (ready < 0 && errno == EINTR) ||
           (ready == 0 && copying->own_is_gone && !(copying->is_wanted && *copying->is_wanted));
}

void tls_session_copy(struct tls_session *session, int own, const volatile bool *is_wanted) {
    struct copying copying = {.session = session, .own = own, .is_wanted = is_wanted};
    struct flow *in = &copying.in;
    bool own_takes = true;
    while (!in->has_ended || (own_takes && !in->is_told) || !copying.out.is_told) {
        copying.peer_events = copying.own_events = 0;
        copying.moved = false;
        if (!take_from_peer(&copying))
            return;
        own_takes = own_takes && give_to_own(&copying);
        if (!own_takes) {
            in->begin = in->end; /* what the peer still sends is for nobody */
            copying.own_is_gone = true;
            copying.own_is_drained = false; /* poll(2) is not asked any more */
        }
        take_from_own(&copying);
        /* Closed for both directions, it wants nothing more than that what it has left is written. */
        if (copying.own_is_gone && copying.out.is_told)
            return;
        if (!give_to_peer(&copying) || is_late(&copying) || (!copying.moved && !wait_to_move(&copying)))
            return;
    }
}
