#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/tls_client.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#ifndef MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK
#include <stdlib.h>
#endif

#include "base/descriptor.h"
#include "tls/server_check.h"
#include "tls/tls_identity.h"
#include "tls/tls_random.h"
#include "tls/tls_session.h"
#include "tls/trusted_file.h"

#define MOST_PROTOCOLS 8

struct tls_client {
    struct tls_session session;
    struct tls_identity identity;
    bool has_identity;
    struct server_check check;
    mbedtls_x509_crt authorities; /* all of them, where Mbed TLS is the system's and cannot ask for one */
    const char *protocols[MOST_PROTOCOLS + 1];
};

/* The only one of a process. */
static struct tls_client the_client;

/* The files of authorities that systems have, and the packages that bring them. */
static int open_usual_authorities(uid_t user, struct sentence *reason) {
    static const char *const usual[] = {"/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        const int file = trusted_file_open(usual[i], user, reason);
        if (file >= 0 || reason->length > 0)
            return file;
    }
    sentence_say(reason,
                 "this device has no certificates of authorities: install ca-certificates (OpenWrt: ca-bundle), or "
                 "name a file as \"authorities\"");
    return -1;
}

bool tls_files_open(struct tls_files *files, const struct tls_settings *settings, uid_t user, struct sentence *reason) {
    *files = (struct tls_files){.authorities = -1, .certificate = -1, .key = -1};
    if (settings->authorities[0] != '\0')
        files->authorities = trusted_file_open_named(settings->authorities, "authorities", user, reason);
    else if (settings->pin_count == 0)
        files->authorities = open_usual_authorities(user, reason);
    if (files->authorities < 0 && settings->pin_count == 0)
        return false;
    if (settings->certificate[0] == '\0')
        return true;
    files->certificate = trusted_file_open_named(settings->certificate, "certificate", user, reason);
    if (files->certificate >= 0)
        files->key = trusted_file_open_named(settings->key, "key", user, reason);
    return files->key >= 0;
}

void tls_files_close(struct tls_files *files) {
    int *const all[] = {&files->authorities, &files->certificate, &files->key};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        descriptor_close(*all[i]);
        *all[i] = -1;
    }
}

static bool map_authorities(struct authorities *authorities, int file, struct sentence *reason) {
    if (file < 0)
        return true;
    if (!authorities_map(authorities, file))
        sentence_say(reason, "cannot read the file of \"authorities\": %s", strerror(errno));
    else if (authorities_count(authorities, 1) == 0)
        sentence_say(reason,
                     "the file of \"authorities\" has no certificate in PEM: it begins with "
                     "-----BEGIN CERTIFICATE-----");
    else
        return true;
    return false;
}

/* Returns the earliest end of a list of certificates. */
static int64_t earliest_end(const mbedtls_x509_crt *certificate) {
    int64_t end = INT64_MAX;
    for (; certificate; certificate = certificate->next) {
        const int64_t own = tls_clock_seconds(&certificate->valid_to);
        end = own < end ? own : end;
    }
    return end;
}

bool tls_files_check(const struct tls_files *files, const struct tls_settings *settings, struct tls_ends *ends,
                     struct sentence *reason) {
    static struct tls_identity identity;
    struct authorities authorities = {0};
    if (!tls_random_open() || psa_crypto_init() != PSA_SUCCESS) {
        sentence_say(reason, "cannot get random numbers of the kernel");
        return false;
    }
    if (!map_authorities(&authorities, files->authorities, reason) ||
        (files->key >= 0 && !tls_identity_read(&identity, files->certificate, files->key, reason)))
        return false;
    ends->certificate = files->key < 0 ? 0 : earliest_end(&identity.certificate);
    /* The system renews those that it brings. */
    ends->authorities = settings->authorities[0] == '\0' ? 0 : authorities_end(&authorities, tls_clock_read(0).now);
    return true;
}

/* Makes the authorities known. Returns an error of Mbed TLS, or 0. */
static int configure_authorities(struct tls_client *client) {
#ifdef MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK
    mbedtls_ssl_conf_ca_cb(&client->session.config, server_check_find_authorities, &client->check);
#else
    const struct authorities *authorities = &client->check.authorities;
    mbedtls_x509_crt_init(&client->authorities);
    char *text = authorities->text ? strndup(authorities->text, authorities->length) : strdup("");
    if (!text)
        return MBEDTLS_ERR_X509_ALLOC_FAILED;
    /* Those that it cannot read sign nothing here. */
    (void)mbedtls_x509_crt_parse(&client->authorities, (const unsigned char *)text, strlen(text) + 1);
    free(text);
    mbedtls_ssl_conf_ca_chain(&client->session.config, &client->authorities, NULL);
#endif
    return 0;
}

/* Returns an error of Mbed TLS, or 0. */
static int configure(struct tls_client *client, const struct tls_settings *settings) {
    mbedtls_ssl_config *config = &client->session.config;
    int error = tls_session_begin(&client->session, MBEDTLS_SSL_IS_CLIENT);
    if (error == 0)
        error = configure_authorities(client);
    mbedtls_ssl_conf_authmode(config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_verify(config, server_check_certificate, &client->check);
    mbedtls_ssl_conf_session_tickets(config, MBEDTLS_SSL_SESSION_TICKETS_DISABLED);
    size_t count = 0;
    for (const char *name = settings->alpn; *name != '\0' && count < MOST_PROTOCOLS; name += strlen(name) + 1)
        client->protocols[count++] = name;
    if (error == 0 && count > 0)
        error = mbedtls_ssl_conf_alpn_protocols(config, client->protocols);
    if (error == 0 && client->has_identity)
        error = mbedtls_ssl_conf_own_cert(config, &client->identity.certificate, &client->identity.key);
    /* An address is no name for SNI (RFC 6066, 3), so the check compares it by itself. */
    if (error == 0)
        error = mbedtls_ssl_set_hostname(&client->session.ssl,
                                         client->check.address_length > 0 ? NULL : client->check.name);
    return error;
}

struct tls_client *tls_client_prepare(const struct tls_files *files, const struct tls_settings *settings,
                                      const char *host, int64_t earliest, struct sentence *reason) {
    struct tls_client *client = &the_client;
    if (!tls_random_open() || psa_crypto_init() != PSA_SUCCESS) {
        sentence_say(reason, "cannot get random numbers of the kernel");
        return NULL;
    }
    client->check.settings = settings;
    if (!map_authorities(&client->check.authorities, files->authorities, reason))
        return NULL;
    server_check_begin(&client->check, settings->name[0] != '\0' ? settings->name : host, earliest);
    client->has_identity = files->key >= 0;
    if (client->has_identity && !tls_identity_read(&client->identity, files->certificate, files->key, reason))
        return NULL;
    const int error = configure(client, settings);
    if (error == 0)
        return client;
    sentence_say(reason, "TLS cannot begin (-0x%04x)", (unsigned)-error);
    return NULL;
}

/* What a server that ends the handshake by an alert means (RFC 8446, 6.2). */
static const struct tls_meaning alerts[] = {
    {MBEDTLS_SSL_ALERT_MSG_HANDSHAKE_FAILURE,
     "it shares no cipher with this device, or its certificate has a key that nound does not take (nound takes RSA of "
     "2048 to 4096 bits, P-256 and P-384), or it wants a client certificate: write \"certificate\" and \"key\""},
    {MBEDTLS_SSL_ALERT_MSG_BAD_CERT, "it does not take this device's certificate"},
    {MBEDTLS_SSL_ALERT_MSG_UNSUPPORTED_CERT, "it does not take this device's certificate"},
    {MBEDTLS_SSL_ALERT_MSG_CERT_UNKNOWN, "it does not take this device's certificate"},
    {MBEDTLS_SSL_ALERT_MSG_CERT_REVOKED, "this device's certificate is revoked"},
    {MBEDTLS_SSL_ALERT_MSG_CERT_EXPIRED, "this device's certificate has ended: renew it"},
    {MBEDTLS_SSL_ALERT_MSG_UNKNOWN_CA, "it does not know the authority of this device's certificate"},
    {MBEDTLS_SSL_ALERT_MSG_ACCESS_DENIED, "it denies access to this device's certificate"},
    {MBEDTLS_SSL_ALERT_MSG_PROTOCOL_VERSION, "it speaks no TLS 1.2 and no TLS 1.3"},
    {MBEDTLS_SSL_ALERT_MSG_INSUFFICIENT_SECURITY, "it wants another cipher"},
    {MBEDTLS_SSL_ALERT_MSG_UNRECOGNIZED_NAME, "it does not know the name: write its name as \"name\""},
    {MBEDTLS_SSL_ALERT_MSG_NO_APPLICATION_PROTOCOL, "it takes none of \"alpn\""},
    {116, "it wants a client certificate: write \"certificate\" and \"key\""}, /* certificate_required */
    {0, NULL},
};

/* What an error of Mbed TLS in the handshake means. */
static const struct tls_meaning errors[] = {
    {MBEDTLS_ERR_SSL_TIMEOUT, "its TLS handshake takes too long"},
    {MBEDTLS_ERR_SSL_CONN_EOF, "the server broke off the TLS handshake; does this port speak TLS?"},
    {MBEDTLS_ERR_SSL_INVALID_RECORD, "the server does not speak TLS at this port"},
    {MBEDTLS_ERR_SSL_UNEXPECTED_RECORD, "the server does not speak TLS at this port"},
    {MBEDTLS_ERR_SSL_BAD_PROTOCOL_VERSION, "the server speaks no TLS 1.2 and no TLS 1.3"},
    {MBEDTLS_ERR_X509_FATAL_ERROR, "the server's certificate has too many authorities above it: at most 8"},
    {MBEDTLS_ERR_SSL_BAD_INPUT_DATA, "the server's certificates are too long: 16 KB or less together"},
    {MBEDTLS_ERR_SSL_BAD_CERTIFICATE, "the server's certificate cannot be used: nound takes RSA, P-256 and P-384"},
    {MBEDTLS_ERR_X509_CERT_VERIFY_FAILED, "the server's certificate cannot be used: nound takes RSA, P-256 and P-384"},
    {0, NULL},
};

static void say_alert(const struct tls_client *client, struct sentence *reason) {
    /* The alert's level and description are where the record was read. */
    const int alert = client->session.ssl.in_msg[1];
    const char *meaning = tls_meaning_of(alerts, alert);
    if (meaning)
        sentence_say(reason, "the server ended the handshake: %s", meaning);
    else
        sentence_say(reason, "the server ended the handshake (TLS alert %d)", alert);
}

/* An error of Mbed TLS may be the sum of one of a module and one of a module below it, which has 7 bits. */
static bool is_part(int error, int part) {
    return (-error & ~0x7f) == -part;
}

static bool is_of_certificates(int error) {
    return -error >= -MBEDTLS_ERR_X509_FEATURE_UNAVAILABLE && -error < -MBEDTLS_ERR_X509_CERT_VERIFY_FAILED;
}

static bool is_of_keys(int error) {
    return -error >= -MBEDTLS_ERR_PK_FEATURE_UNAVAILABLE && -error < -MBEDTLS_ERR_PK_ALLOC_FAILED;
}

static void say_failure(const struct tls_client *client, int error, struct sentence *reason) {
    const uint32_t flags = mbedtls_ssl_get_verify_result(&client->session.ssl);
    const bool is_result = flags != UINT32_MAX;
    if (client->check.reason.length > 0) {
        sentence_say(reason, "%s", client->check.reason.text);
        return;
    }
    if (is_result && (flags & (MBEDTLS_X509_BADCERT_EXT_KEY_USAGE | MBEDTLS_X509_BADCERT_KEY_USAGE))) {
        sentence_say(reason, "the server's certificate is not for servers: have it issued with serverAuth");
        return;
    }
    if (is_of_certificates(error)) {
        sentence_say(reason,
                     "%s",
                     is_part(error, MBEDTLS_ERR_X509_UNKNOWN_SIG_ALG)
                         ? "the server's certificate is signed with a hash older than SHA-256: have it issued again"
                         : "the server's certificate cannot be read: nound takes RSA, P-256 and P-384");
        return;
    }
    if (is_of_keys(error)) {
        sentence_say(reason,
                     "the server's certificate has a key that nound does not take: nound takes RSA of 2048 to 4096 "
                     "bits, P-256 and P-384");
        return;
    }
    const char *meaning = tls_meaning_of(errors, error);
    if (meaning)
        sentence_say(reason, "%s", meaning);
    else if (error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE)
        say_alert(client, reason);
    else
        sentence_say(reason, "the TLS handshake failed (-0x%04x)", (unsigned)-error);
}

bool tls_client_connect(struct tls_client *client, int peer, int64_t deadline, struct sentence *reason) {
    const int error = tls_session_handshake(&client->session, peer, deadline);
    if (error != 0) {
        say_failure(client, error, reason);
        return false;
    }
    if (client->has_identity)
        tls_identity_free(&client->identity);
#ifndef MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK
    mbedtls_x509_crt_free(&client->authorities);
#endif
    tls_session_trim(&client->session);
    return true;
}

void tls_client_copy(struct tls_client *client, int own) {
    tls_session_copy(&client->session, own, NULL);
}
