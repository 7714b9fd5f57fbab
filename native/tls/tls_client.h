/* The client's side of an encrypted connection. */
#ifndef NOUND_TLS_CLIENT_H
#define NOUND_TLS_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "text/sentence.h"
#include "tls/tls_settings.h"

/* The open files of settings; each is -1 for none. */
struct tls_files {
    int authorities, certificate, key;
};

/*
 * Opens the files of settings, which nobody but root, the process's user and `user` may write. Returns false with the
 * reason; what is open then stays open.
 */
bool tls_files_open(struct tls_files *files, const struct tls_settings *settings, uid_t user, struct sentence *reason);

/* Closes the files. */
void tls_files_close(struct tls_files *files);

/* When certificates in files end, in s since 1970; 0 for none. */
struct tls_ends {
    int64_t certificate; /* the own one, or the first of those between that ends */
    int64_t authorities; /* as authorities_end has it, if the settings name their file */
};

/* Checks what the files contain. It leaves memory behind, so only a process that ends then calls it. */
bool tls_files_check(const struct tls_files *files, const struct tls_settings *settings, struct tls_ends *ends,
                     struct sentence *reason);

/* A connection, one in a process. */
struct tls_client;

/*
 * Prepares a connection, while files and sockets may be used.
 * host: of the target, which the settings may give another name. earliest: a date that has passed, in s since 1970.
 * Returns NULL with the reason.
 */
struct tls_client *tls_client_prepare(const struct tls_files *files, const struct tls_settings *settings,
                                      const char *host, int64_t earliest, struct sentence *reason);

/*
 * Does the handshake with a connected socket that does not block. From here on, no file and no other socket is needed.
 * deadline: ms on CLOCK_MONOTONIC. Returns false with the reason.
 */
bool tls_client_connect(struct tls_client *client, int peer, int64_t deadline, struct sentence *reason);

/* Copies between the peer and a socket until both have ended. */
void tls_client_copy(struct tls_client *client, int own);

#endif
