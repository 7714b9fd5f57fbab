/* The own certificate of a connection, with those between it and its authority, and its key. */
#ifndef NOUND_TLS_IDENTITY_H
#define NOUND_TLS_IDENTITY_H

#include <mbedtls/x509_crt.h>
#include <stdbool.h>

#include "text/sentence.h"

struct tls_identity {
    mbedtls_x509_crt certificate;
    mbedtls_pk_context key;
};

/*
 * Reads both from open files, which stay at their place. Returns false with the reason: they are no certificate and no
 * key that can be used, or do not belong to each other.
 */
bool tls_identity_read(struct tls_identity *identity, int certificate, int key, struct sentence *reason);

/* Reads a key from a text that ends in a NUL. Returns false with the reason, which continues the text's name. */
bool tls_identity_parse_key(struct tls_identity *identity, const char *text, size_t length, struct sentence *reason);

/* Reads the certificate of the key that was read from a text that ends in a NUL. Returns whether it is one. */
bool tls_identity_parse_certificate(struct tls_identity *identity, const char *text, size_t length);

void tls_identity_free(struct tls_identity *identity);

#endif
