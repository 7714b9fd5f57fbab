/*
 * The certificate that a server makes for itself: a P-256 key and a self-signed certificate for 397 days, as two texts
 * in the folder of states.
 */
#ifndef NOUND_OWN_CERTIFICATE_H
#define NOUND_OWN_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/sentence.h"
#include "tls/tls_clock.h"
#include "tls/tls_identity.h"

#define OWN_CERTIFICATE_MISSING "\"stateDirectory\" has no certificate yet: nound makes one when it first serves https"
#define OWN_CERTIFICATE_RENEWAL (30 * 86400) /* s before its end */

/*
 * Reads both. Makes a key if there is none; makes another certificate, of the same key, 30 days before the end of the
 * last one, if that has other names, or if a clock that was wrong has given it a beginning in the future.
 * folder: of store_open; -1 to store nothing. names: hosts and addresses, each with its NUL; "" after the last one.
 * is_new: whether a certificate was made. Returns false with the reason.
 */
bool own_certificate_read(struct tls_identity *identity, int folder, const char *names, const struct tls_clock *clock,
                          bool *is_new, struct sentence *reason);

/* Reads both as they are. Makes nothing. Returns false with the reason. */
bool own_certificate_find(struct tls_identity *identity, int folder, struct sentence *reason);

/* Returns whether a certificate begins in the future. A clock that is late does not know. */
bool own_certificate_is_early(const struct tls_identity *identity, const struct tls_clock *clock);

/* Returns the end of a certificate, in s since 1970. */
int64_t own_certificate_end(const struct tls_identity *identity);

#endif
