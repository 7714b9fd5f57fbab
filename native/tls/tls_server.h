/* The server's side of encrypted connections: one certificate, and one connection in a process. */
#ifndef NOUND_TLS_SERVER_H
#define NOUND_TLS_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "guard/privileges.h"
#include "text/sentence.h"
#include "tls/kernel_tls.h"
#include "tls/tls_settings.h"

#define TLS_SERVER_NAMES 4096 /* bytes of the names of a certificate, each with its NUL, and one more */

/* What the configuration says of the server's certificate. */
struct tls_server_settings {
    char certificate[TLS_PATH];   /* the file with the certificate and those between; "" for one that is made here */
    char key[TLS_PATH];           /* the file with its key */
    char folder[TLS_PATH];        /* the folder of states, for a certificate that is made here; "" to keep none */
    char names[TLS_SERVER_NAMES]; /* the names of such a one, each with its NUL; "" after the last one */
};

/* What others may know of the certificate. */
struct tls_server_facts {
    uint8_t certificate[TLS_HASH_BYTES]; /* SHA-256 of the certificate */
    uint8_t key[TLS_HASH_BYTES];         /* SHA-256 of its public key */
    bool is_new;                         /* it was made just now */
    int64_t end;                         /* the end of its validity, in s since 1970 */
    int64_t renewal;                     /* when another one is to be made, in s since 1970; or 0 */
};

/* Reads the certificate and its key. makes: makes them where there are none. Returns false with the reason. */
bool tls_server_open(const struct tls_server_settings *settings, const struct account *account, bool makes,
                     struct tls_server_facts *facts, struct sentence *reason);

/* Returns whether the date of `renewal` has passed, or the certificate begins in the future. */
bool tls_server_must_renew(int64_t renewal);

/* Makes connections possible, after tls_server_open. Returns false with the reason. */
bool tls_server_begin(struct sentence *reason);

/* Sets whether clients are asked for a certificate. Then no session is resumed: a session knows no certificate. */
void tls_server_ask(bool asks);

/* Replaces the key of session tickets, at least once a day. Returns false when that is not possible. */
bool tls_server_renew_tickets(void);

/*
 * In the process of a connection: does the handshake, then forgets the keys. peer: a connected socket that does not
 * block. deadline: ms on CLOCK_MONOTONIC. Returns false with the reason if there is no connection.
 */
bool tls_server_handshake(int peer, int64_t deadline, struct sentence *reason);

/* Finds the SHA-256 of the public key that the client has proved to have. Returns false without one. */
bool tls_server_client_key(uint8_t hash[TLS_HASH_BYTES]);

/* Right after the handshake: gives the kernel the keys of the connection, as kernel_tls_begin does. */
enum kernel_tls tls_server_pass_to_kernel(uint32_t *refused);

/*
 * Releases the memory of the handshake, then copies between the peer and a socket until both have ended.
 * is_wanted: as tls_session_copy has it.
 */
void tls_server_copy(int own, const volatile bool *is_wanted);

#endif
