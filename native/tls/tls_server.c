#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/tls_server.h"

#include <errno.h>
#include <mbedtls/platform.h>
#include <mbedtls/ssl_ticket.h>
#include <psa/crypto.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "files/store.h"
#include "tls/own_certificate.h"
#include "tls/tls_clock.h"
#include "tls/tls_heap.h"
#include "tls/tls_identity.h"
#include "tls/tls_random.h"
#include "tls/tls_session.h"
#include "tls/trusted_file.h"

#define TICKET_LIFETIME 86400 /* s; its key is replaced in time (tls_server_renew_tickets) */
#define TICKET_KEY 32         /* bytes: AES-256 */
#define TICKET_NAME 4

/* The only one of a process. The process of a connection has a copy. */
static struct {
    struct tls_session session;
    struct tls_identity identity;
    mbedtls_ssl_ticket_context tickets;
} server;

static bool hash(const mbedtls_x509_buf *bytes, uint8_t result[TLS_HASH_BYTES]) {
    size_t length;
    return psa_hash_compute(PSA_ALG_SHA_256, bytes->p, bytes->len, result, TLS_HASH_BYTES, &length) == PSA_SUCCESS;
}

static bool read_given(const struct tls_server_settings *settings, const struct account *account,
                       struct sentence *reason) {
    const int certificate = trusted_file_open_named(settings->certificate, "certificate", account->user, reason);
    const int key = certificate < 0 ? -1 : trusted_file_open_named(settings->key, "key", account->user, reason);
    const bool is_read = key >= 0 && tls_identity_read(&server.identity, certificate, key, reason);
    descriptor_close(certificate);
    descriptor_close(key);
    return is_read;
}

static bool read_own(const struct tls_server_settings *settings, const struct account *account, bool makes,
                     struct tls_server_facts *facts, struct sentence *reason) {
    const struct tls_clock clock = tls_clock_read(0);
    struct failure distrust = {0};
    struct account owner = *account;
    struct stat status;
    const bool exists = stat(settings->folder, &status) == 0;
    if (!makes && !exists && errno == ENOENT) {
        sentence_say(reason, "%s", OWN_CERTIFICATE_MISSING);
        return false;
    }
    /* Root may look at the certificate of a service that runs as another user. */
    if (!makes && exists && !account->chosen)
        owner = (struct account){.chosen = true, .user = status.st_uid, .group = status.st_gid};
    const bool is_kept = settings->folder[0] != '\0';
    const int folder = is_kept ? store_open(settings->folder, &owner, &distrust) : -1;
    if (is_kept && folder < 0) {
        sentence_say(reason,
                     "cannot use %s, the \"stateDirectory\": %s",
                     settings->folder,
                     distrust.what ? "others may write to it, or to a folder on its path" : strerror(errno));
        return false;
    }
    const bool is_read =
        makes ? own_certificate_read(&server.identity, folder, settings->names, &clock, &facts->is_new, reason)
              : own_certificate_find(&server.identity, folder, reason);
    descriptor_close(folder);
    if (is_read)
        facts->renewal = own_certificate_end(&server.identity) - OWN_CERTIFICATE_RENEWAL;
    return is_read;
}

bool tls_server_open(const struct tls_server_settings *settings, const struct account *account, bool makes,
                     struct tls_server_facts *facts, struct sentence *reason) {
    *facts = (struct tls_server_facts){0};
    if (!tls_random_open() || psa_crypto_init() != PSA_SUCCESS) {
        sentence_say(reason, "cannot get random numbers of the kernel");
        return false;
    }
    if (settings->certificate[0] != '\0' ? !read_given(settings, account, reason)
                                         : !read_own(settings, account, makes, facts, reason))
        return false;
    const mbedtls_x509_crt *certificate = &server.identity.certificate;
    facts->end = own_certificate_end(&server.identity);
    if (hash(&certificate->raw, facts->certificate) && hash(&certificate->pk_raw, facts->key))
        return true;
    sentence_say(reason, "cannot compute SHA-256");
    return false;
}

bool tls_server_must_renew(int64_t renewal) {
    const struct tls_clock clock = tls_clock_read(0);
    return clock.now >= renewal || own_certificate_is_early(&server.identity, &clock);
}

/*
 * Mbed TLS looks for who has signed a client's certificate, which counts for nothing here, and verifies signatures on
 * the way. It asks this function first. Without the rest of the client's chain it finds nobody to verify.
 */
static int find_no_authority(void *context, const mbedtls_x509_crt *child, mbedtls_x509_crt **authorities) {
    mbedtls_x509_crt *own = (mbedtls_x509_crt *)child; /* of this connection, as it was parsed */
    (void)context;
    *authorities = NULL;
    if (own->next) {
        mbedtls_x509_crt_free(own->next); /* and those behind it */
        mbedtls_free(own->next);
        own->next = NULL;
    }
    return 0;
}

bool tls_server_begin(struct sentence *reason) {
    static const char *protocols[] = {"http/1.1", NULL};
    mbedtls_ssl_config *config = &server.session.config;
    int error = tls_session_begin(&server.session, MBEDTLS_SSL_IS_SERVER);
    if (error == 0)
        error = mbedtls_ssl_conf_own_cert(config, &server.identity.certificate, &server.identity.key);
    if (error == 0)
        error = mbedtls_ssl_conf_alpn_protocols(config, protocols);
    mbedtls_ssl_ticket_init(&server.tickets);
    if (error == 0)
        error =
            mbedtls_ssl_ticket_setup(&server.tickets, tls_random, NULL, MBEDTLS_CIPHER_AES_256_GCM, TICKET_LIFETIME);
    if (error != 0) {
        sentence_say(reason, "TLS cannot begin (-0x%04x)", (unsigned)-error);
        return false;
    }
    mbedtls_ssl_conf_ca_cb(config, find_no_authority, NULL);
    tls_server_ask(false);
    tls_heap_trim(); /* of reading the certificate, or of making it */
    return true;
}

void tls_server_ask(bool asks) {
    mbedtls_ssl_config *config = &server.session.config;
    /* The proof of the client's key counts. Who has signed its certificate does not, so a bad result is no refusal. */
    mbedtls_ssl_conf_authmode(config, asks ? MBEDTLS_SSL_VERIFY_OPTIONAL : MBEDTLS_SSL_VERIFY_NONE);
    if (asks)
        mbedtls_ssl_conf_session_tickets_cb(config, NULL, NULL, NULL);
    else
        mbedtls_ssl_conf_session_tickets_cb(
            config, mbedtls_ssl_ticket_write, mbedtls_ssl_ticket_parse, &server.tickets);
}

bool tls_server_renew_tickets(void) {
    unsigned char name[TICKET_NAME], key[TICKET_KEY];
    return tls_random(NULL, name, sizeof name) == 0 && tls_random(NULL, key, sizeof key) == 0 &&
           mbedtls_ssl_ticket_rotate(&server.tickets, name, sizeof name, key, sizeof key, TICKET_LIFETIME) == 0;
}

/* A client that ends the handshake by an alert (RFC 8446, 6.2). */
static void say_client_alert(int alert, struct sentence *reason) {
    if (alert == MBEDTLS_SSL_ALERT_MSG_CERT_EXPIRED)
        sentence_say(reason, "for the client, the certificate has ended: compare its clock, or renew the certificate");
    else
        sentence_say(reason,
                     alert == MBEDTLS_SSL_ALERT_MSG_BAD_CERT || alert == MBEDTLS_SSL_ALERT_MSG_CERT_UNKNOWN ||
                             alert == MBEDTLS_SSL_ALERT_MSG_UNKNOWN_CA
                         ? "the client does not trust the certificate (TLS alert %d)"
                         : "the client ended the handshake (TLS alert %d)",
                     alert);
}

/*
 * OpenSSL's client does not encrypt an alert about the server's certificate, where TLS 1.3 would encrypt it. Returns
 * such an alert, or -1.
 */
static int bare_alert(void) {
    const unsigned char *record = server.session.ssl.in_hdr;
    return record[0] == MBEDTLS_SSL_MSG_ALERT && record[3] == 0 && record[4] == 2 ? record[6] : -1;
}

/* What an error of Mbed TLS in the handshake means. */
static const struct tls_meaning errors[] = {
    {MBEDTLS_ERR_SSL_TIMEOUT, "its handshake takes too long"},
    {MBEDTLS_ERR_SSL_CONN_EOF, "the client broke off the handshake"},
    {MBEDTLS_ERR_SSL_INVALID_RECORD, "the client does not speak TLS: is its URL https?"},
    {MBEDTLS_ERR_SSL_UNEXPECTED_RECORD, "the client does not speak TLS: is its URL https?"},
    {MBEDTLS_ERR_SSL_BAD_PROTOCOL_VERSION, "the client speaks no TLS 1.2 and no TLS 1.3"},
    {MBEDTLS_ERR_SSL_HANDSHAKE_FAILURE, "the client has no cipher, or no kind of key, in common with nound"},
    {MBEDTLS_ERR_SSL_NO_APPLICATION_PROTOCOL, "the client does not speak http/1.1"},
    {0, NULL},
};

static void say_refusal(int error, struct sentence *reason) {
    const char *meaning = tls_meaning_of(errors, error);
    if (error == MBEDTLS_ERR_SSL_INVALID_MAC && bare_alert() >= 0)
        say_client_alert(bare_alert(), reason);
    else if (error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE)
        say_client_alert(server.session.ssl.in_msg[1], reason); /* behind its level, where the record was read */
    else if (meaning)
        sentence_say(reason, "%s", meaning);
    else
        sentence_say(reason, "the handshake failed (-0x%04x)", (unsigned)-error);
}

bool tls_server_handshake(int peer, int64_t deadline, struct sentence *reason) {
    const int error = tls_session_handshake(&server.session, peer, deadline);
    if (error != 0) {
        say_refusal(error, reason);
        return false;
    }
    mbedtls_ssl_ticket_free(&server.tickets);
    tls_identity_free(&server.identity);
    return true;
}

bool tls_server_client_key(uint8_t result[TLS_HASH_BYTES]) {
    const mbedtls_x509_crt *certificate = mbedtls_ssl_get_peer_cert(&server.session.ssl);
    /* A key that others can compute proves nothing. */
    const bool is_weak = mbedtls_ssl_get_verify_result(&server.session.ssl) & MBEDTLS_X509_BADCERT_BAD_KEY;
    return certificate && certificate->pk_raw.p && !is_weak && hash(&certificate->pk_raw, result);
}

enum kernel_tls tls_server_pass_to_kernel(uint32_t *refused) {
    return kernel_tls_begin(&server.session.ssl, server.session.peer, refused);
}

void tls_server_copy(int own, const volatile bool *is_wanted) {
    tls_session_trim(&server.session);
    tls_session_copy(&server.session, own, is_wanted);
}
