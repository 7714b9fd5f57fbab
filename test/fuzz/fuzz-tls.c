/*
 * The fuzz target for TLS: what native/tls/ and Mbed TLS do with our configuration. The first byte of an input chooses
 * what happens (enum choice); the others arrive from the peer, or are a certificate.
 *
 * A mutation that no cipher, no signature and no hash of the handshake lets through finds nothing. So this program
 * encrypts nothing, and takes each signature and each hash. A connection is then the same bytes each time, because the
 * random numbers are the same, too. NOUND_FUZZ_SEEDS names a folder to which it writes whole connections, to begin
 * with. NOUND_FUZZ_CHOICE is the number of the only choice that is tried.
 */
#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include <fcntl.h>
#include <mbedtls/platform.h>
#include <poll.h>
#include <psa/crypto.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "defect.h"
/* Whose only connections are freed here after each input; in nound, the end of their process does that. */
#include "tls/tls_client.c"
/* Both have a table of this name. */
#define errors errors_of_server
#include "tls/tls_server.c"
#undef errors

/* Of an input's first byte. Its upper four bits are the most bytes that arrive at once; 0 for any number. */
enum choice {
    CLIENT = 0,      /* the bytes come from a server */
    SERVER = 1,      /* the bytes come from a client */
    CERTIFICATE = 2, /* the bytes are a server's certificate */
    DIRECTION = 3,
    IDENTITY = 4, /* the client has a certificate, and the server asks for one */
};

/* The only two connections, in an input. In a recording these are real sockets. */
enum { PEER = 1000, OWN = 1001 };

#define TAG 16 /* bytes that a cipher adds */
#define NOW 1900000000

/* What TLS adds to a record for its cipher (RFC 5246, 6.2.3.3; RFC 8446, 5.2). Session tickets add another length. */
enum { ADDED_12 = 13, ADDED_13 = 5 };

static struct {
    const uint8_t *bytes;
    size_t length, most;
    const char *own; /* what the own end has still to say */
    FILE *record;    /* receives what is sent, in a recording */
    size_t recorded; /* bytes of that */
} input;

/* What the client of a recording resumes, and keeps for the next one. */
static mbedtls_ssl_session *resumed, *kept;

static uint64_t random_state;

static struct {
    int authorities, certificate, key, server_certificate, server_key;
} files;

const char *__asan_default_options(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

ssize_t __real_recv(int file, void *bytes, size_t length, int flags);
ssize_t __wrap_recv(int file, void *bytes, size_t length, int flags);
ssize_t __real_send(int file, const void *bytes, size_t length, int flags);
ssize_t __wrap_send(int file, const void *bytes, size_t length, int flags);
int __real_poll(struct pollfd *polled, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout);
void __real_mbedtls_ssl_set_bio(mbedtls_ssl_context *ssl, void *context, mbedtls_ssl_send_t *send_bytes,
                                mbedtls_ssl_recv_t *receive, mbedtls_ssl_recv_timeout_t *receive_in_time);
void __wrap_mbedtls_ssl_set_bio(mbedtls_ssl_context *ssl, void *context, mbedtls_ssl_send_t *send_bytes,
                                mbedtls_ssl_recv_t *receive, mbedtls_ssl_recv_timeout_t *receive_in_time);
int __real_shutdown(int file, int how);
int __wrap_shutdown(int file, int how);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
time_t __wrap_time(time_t *result);
int __wrap_mbedtls_ct_memcmp(const void *one, const void *other, size_t length);
psa_status_t __wrap_psa_verify_hash(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *hash,
                                    size_t hash_length, const uint8_t *signature, size_t signature_length);
psa_status_t __real_psa_aead_encrypt(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *nonce,
                                     size_t nonce_length, const uint8_t *added, size_t added_length,
                                     const uint8_t *plain, size_t length, uint8_t *result, size_t size,
                                     size_t *result_length);
psa_status_t __wrap_psa_aead_encrypt(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *nonce,
                                     size_t nonce_length, const uint8_t *added, size_t added_length,
                                     const uint8_t *plain, size_t length, uint8_t *result, size_t size,
                                     size_t *result_length);
psa_status_t __real_psa_aead_decrypt(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *nonce,
                                     size_t nonce_length, const uint8_t *added, size_t added_length,
                                     const uint8_t *sealed, size_t length, uint8_t *result, size_t size,
                                     size_t *result_length);
psa_status_t __wrap_psa_aead_decrypt(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *nonce,
                                     size_t nonce_length, const uint8_t *added, size_t added_length,
                                     const uint8_t *sealed, size_t length, uint8_t *result, size_t size,
                                     size_t *result_length);

const char *__asan_default_options(void) {
    return "malloc_context_size=0:quarantine_size_mb=64";
}

/* In place of native/tls/tls_random.c. */
bool tls_random_open(void) {
    return true;
}

int tls_random(void *context, unsigned char *bytes, size_t length) {
    (void)context;
    for (size_t i = 0; i < length; i++) {
        random_state = random_state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(random_state >> 56);
    }
    return 0;
}

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context, uint8_t *output,
                                             size_t output_size, size_t *output_length) {
    (void)context;
    *output_length = output_size;
    return tls_random(NULL, output, output_size);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    *time = (struct timespec){.tv_sec = NOW};
    return 0;
}

time_t __wrap_time(time_t *result) {
    if (result)
        *result = NOW;
    return NOW;
}

/* Compares the hash of a handshake with the one that the peer sends. */
int __wrap_mbedtls_ct_memcmp(const void *one, const void *other, size_t length) {
    (void)one;
    (void)other;
    (void)length;
    return 0;
}

psa_status_t __wrap_psa_verify_hash(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *hash,
                                    size_t hash_length, const uint8_t *signature, size_t signature_length) {
    (void)key;
    (void)algorithm;
    (void)hash;
    (void)hash_length;
    (void)signature;
    (void)signature_length;
    return PSA_SUCCESS;
}

static bool is_record(size_t added_length) {
    return added_length == ADDED_12 || added_length == ADDED_13;
}

psa_status_t __wrap_psa_aead_encrypt(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *nonce,
                                     size_t nonce_length, const uint8_t *added, size_t added_length,
                                     const uint8_t *plain, size_t length, uint8_t *result, size_t size,
                                     size_t *result_length) {
    if (!is_record(added_length))
        return __real_psa_aead_encrypt(
            key, algorithm, nonce, nonce_length, added, added_length, plain, length, result, size, result_length);
    must(size >= length + TAG, "a record has no room for the tag of its cipher");
    memmove(result, plain, length);
    memset(result + length, 0, TAG);
    *result_length = length + TAG;
    return PSA_SUCCESS;
}

psa_status_t __wrap_psa_aead_decrypt(mbedtls_svc_key_id_t key, psa_algorithm_t algorithm, const uint8_t *nonce,
                                     size_t nonce_length, const uint8_t *added, size_t added_length,
                                     const uint8_t *sealed, size_t length, uint8_t *result, size_t size,
                                     size_t *result_length) {
    if (!is_record(added_length))
        return __real_psa_aead_decrypt(
            key, algorithm, nonce, nonce_length, added, added_length, sealed, length, result, size, result_length);
    if (length < TAG)
        return PSA_ERROR_INVALID_SIGNATURE;
    must(size >= length - TAG, "a record has no room for its content");
    memmove(result, sealed, length - TAG);
    *result_length = length - TAG;
    return PSA_SUCCESS;
}

/* Called between the preparation of a connection and its handshake. */
void __wrap_mbedtls_ssl_set_bio(mbedtls_ssl_context *ssl, void *context, mbedtls_ssl_send_t *send_bytes,
                                mbedtls_ssl_recv_t *receive, mbedtls_ssl_recv_timeout_t *receive_in_time) {
    __real_mbedtls_ssl_set_bio(ssl, context, send_bytes, receive, receive_in_time);
    if (resumed && ssl->conf->endpoint == MBEDTLS_SSL_IS_CLIENT)
        must(mbedtls_ssl_set_session(ssl, resumed) == 0, "a session cannot be resumed");
}

ssize_t __wrap_recv(int file, void *bytes, size_t length, int flags) {
    if (file != PEER && file != OWN)
        return __real_recv(file, bytes, length, flags);
    if (file == OWN) {
        const size_t count = strnlen(input.own, length);
        memcpy(bytes, input.own, count);
        input.own += count;
        return (ssize_t)count;
    }
    size_t count = length < input.length ? length : input.length;
    if (input.most > 0 && count > input.most)
        count = input.most;
    memcpy(bytes, input.bytes, count);
    input.bytes += count;
    input.length -= count;
    return (ssize_t)count;
}

ssize_t __wrap_send(int file, const void *bytes, size_t length, int flags) {
    if (file == PEER || file == OWN)
        return (ssize_t)length;
    const ssize_t count = __real_send(file, bytes, length, flags);
    if (input.record && count > 0)
        must(fwrite(bytes, 1, (size_t)count, input.record) == (size_t)count, "a seed cannot be written");
    input.recorded += count > 0 ? (size_t)count : 0;
    return count;
}

/* In an input, everything is ready. */
int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout) {
    if (input.record)
        return __real_poll(polled, count, timeout);
    for (nfds_t i = 0; i < count; i++)
        polled[i].revents = polled[i].events;
    return (int)count;
}

int __wrap_shutdown(int file, int how) {
    return file == PEER || file == OWN ? 0 : __real_shutdown(file, how);
}

static int open_file(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "build/fuzz/tls/%s.pem", name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    must(file >= 0, "npm run fuzz -- --tls makes the certificates, which are missing in build/fuzz/tls");
    return file;
}

static struct tls_client *prepare_client(bool has_identity) {
    static struct tls_settings settings = {.authorities = "authority.pem"};
    const struct tls_files opened = {.authorities = files.authorities,
                                     .certificate = has_identity ? files.certificate : -1,
                                     .key = has_identity ? files.key : -1};
    struct sentence reason = {0};
    struct tls_client *client = tls_client_prepare(&opened, &settings, "broker.example", 0, &reason);
    must(client, "the client cannot be prepared");
    return client;
}

static void free_client(struct tls_client *client) {
    mbedtls_ssl_free(&client->session.ssl);
    mbedtls_ssl_config_free(&client->session.config);
    if (client->has_identity)
        tls_identity_free(&client->identity);
    must(munmap((void *)client->check.authorities.text, client->check.authorities.length) == 0, "munmap");
    memset(client, 0, sizeof *client);
}

/* Keeps what a client needs to come again. */
static void keep_session(mbedtls_ssl_context *ssl) {
    /* The client has freed its content. */
    mbedtls_free(ssl->session->peer_cert);
    ssl->session->peer_cert = NULL;
    must(mbedtls_ssl_get_session(ssl, kept) == 0, "a session cannot be kept");
}

static void play_client(int peer, int own, bool has_identity, bool is_old) {
    struct sentence reason = {0};
    struct tls_client *client = prepare_client(has_identity);
    if (is_old)
        mbedtls_ssl_conf_max_tls_version(&client->session.config, MBEDTLS_SSL_VERSION_TLS1_2);
    if (kept || resumed) {
        mbedtls_ssl_config *config = &client->session.config;
        mbedtls_ssl_conf_session_tickets(config, MBEDTLS_SSL_SESSION_TICKETS_ENABLED);
        mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(config,
                                                                 MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
    }
    if (tls_client_connect(client, peer, INT64_MAX, &reason))
        tls_client_copy(client, own);
    else
        must(reason.length > 0, "a connection fails without a reason");
    must(!input.record || reason.length == 0, reason.text);
    if (kept)
        keep_session(&client->session.ssl);
    free_client(client);
}

static void play_server(int peer, int own, bool asks) {
    struct sentence reason = {0};
    must(tls_identity_read(&server.identity, files.server_certificate, files.server_key, &reason) &&
             tls_server_begin(&reason),
         "the server cannot begin");
    tls_server_ask(asks);
    if (tls_server_handshake(peer, INT64_MAX, &reason)) {
        uint8_t key[TLS_HASH_BYTES];
        (void)tls_server_client_key(key);
        tls_server_copy(own, NULL);
    } else {
        must(reason.length > 0, "a client is refused without a reason");
        mbedtls_ssl_ticket_free(&server.tickets);
        tls_identity_free(&server.identity);
    }
    mbedtls_ssl_free(&server.session.ssl);
    mbedtls_ssl_config_free(&server.session.config);
}

static void play_certificate(void) {
    struct tls_client *client = prepare_client(false);
    mbedtls_x509_crt certificate;
    uint32_t flags = 0;
    mbedtls_x509_crt_init(&certificate);
    if (mbedtls_x509_crt_parse_der(&certificate, input.bytes, input.length) == 0 &&
        mbedtls_x509_crt_verify_with_ca_cb(&certificate,
                                           authorities_find,
                                           &client->check.authorities,
                                           &mbedtls_x509_crt_profile_default,
                                           NULL,
                                           &flags,
                                           server_check_certificate,
                                           &client->check) == 0)
        must(client->check.reason.length == 0, "a certificate is taken, for which there is a reason to refuse it");
    mbedtls_x509_crt_free(&certificate);
    free_client(client);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *only = getenv("NOUND_FUZZ_CHOICE");
    if (size == 0)
        return 0;
    const unsigned choice = bytes[0];
    if (only && (choice & DIRECTION) != (unsigned)atoi(only))
        return -1; /* not kept */
    input.bytes = bytes + 1;
    input.length = size - 1;
    input.most = choice >> 4;
    input.own = "from the own end";
    random_state = choice & DIRECTION;
    switch (choice & DIRECTION) {
    case CLIENT:
        play_client(PEER, OWN, choice & IDENTITY, false);
        break;
    case SERVER:
        play_server(PEER, OWN, choice & IDENTITY);
        break;
    case CERTIFICATE:
        play_certificate();
        break;
    default:
        return -1; /* not kept */
    }
    return 0;
}

static FILE *open_record(const char *folder, const char *from, unsigned choice, bool is_old) {
    char path[256];
    const char *version = is_old ? "1.2" : "1.3";
    snprintf(path, sizeof path, "%s/%s-%u-%s%s", folder, from, choice, version, resumed ? "-resumed" : "");
    FILE *record = fopen(path, "w");
    must(record && fputc((int)choice, record) == (int)choice, "a seed cannot be written");
    return record;
}

static int own_end(void) {
    int pair[2];
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
    must(write(pair[1], "hello", 5) == 5 && __real_shutdown(pair[1], SHUT_WR) == 0, "an own end");
    return pair[0]; /* the other one stays open until the end */
}

/* A server sends less if it does not send its certificate. */
#define MOST_RESUMED 600

/* Connects a client and a server, and writes what each sends as a seed of the other. */
static void record(const char *folder, unsigned identity, bool is_old) {
    int pair[2], status = -1;
    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0, "socketpair");
    const pid_t server = fork();
    must(server >= 0, "fork");
    if (server == 0) {
        close(pair[0]);
        random_state = SERVER;
        input.recorded = 0;
        input.record = open_record(folder, "server", CLIENT | identity, is_old);
        play_server(pair[1], own_end(), identity);
        must(!resumed || input.recorded < MOST_RESUMED, "the server of a seed has not resumed a session");
        _exit(fclose(input.record) == 0 ? 0 : 1);
    }
    close(pair[1]);
    random_state = CLIENT;
    input.record = open_record(folder, "client", SERVER | identity, is_old);
    play_client(pair[0], own_end(), identity, is_old);
    must(fclose(input.record) == 0, "a seed cannot be written");
    close(pair[0]);
    must(waitpid(server, &status, 0) == server && status == 0, "the server of a seed has failed");
}

/* Connects twice. The second time, the client resumes its session. */
static void record_resumption(const char *folder, bool is_old) {
    mbedtls_ssl_session session;
    mbedtls_ssl_session_init(&session);
    kept = &session;
    record(folder, 0, is_old);
    kept = NULL;
    resumed = &session;
    record(folder, 0, is_old);
    resumed = NULL;
    mbedtls_ssl_session_free(&session);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    files.authorities = open_file("authority");
    files.certificate = open_file("client");
    files.key = open_file("client-key");
    files.server_certificate = open_file("server");
    files.server_key = open_file("server-key");
    const char *folder = getenv("NOUND_FUZZ_SEEDS");
    if (!folder)
        return psa_crypto_init();
    must(psa_crypto_init() == PSA_SUCCESS, "psa_crypto_init");
    record(folder, IDENTITY, false);
    record(folder, IDENTITY, true);
    record_resumption(folder, false);
    record_resumption(folder, true);
    exit(0);
}
