/*
 * A file with the certificates of authorities (PEM). A system's has 150 of them, which take half a megabyte once they
 * are parsed. So the file is mapped, and of its certificates only those are parsed that another certificate names.
 */
#ifndef NOUND_AUTHORITIES_H
#define NOUND_AUTHORITIES_H

#include <mbedtls/x509_crt.h>
#include <stdbool.h>
#include <stddef.h>

struct authorities {
    const char *text; /* mapped; NULL for none */
    size_t length;
};

/* Returns whether two parts of certificates, such as names, have the same bytes. */
bool authorities_are_same(const mbedtls_x509_buf *one, const mbedtls_x509_buf *other);

/* Maps a file. Returns false with errno set. */
bool authorities_map(struct authorities *authorities, int file);

/* Returns how many certificates the file has, at most so many. */
size_t authorities_count(const struct authorities *authorities, size_t most);

/*
 * Finds the certificates whose subject is the issuer of another one: mbedtls_x509_crt_ca_cb_t. context: a struct
 * authorities. The list is the caller's.
 */
int authorities_find(void *context, const mbedtls_x509_crt *child, mbedtls_x509_crt **found);

/* Returns whether the file has this certificate itself. */
bool authorities_contain(const struct authorities *authorities, const mbedtls_x509_crt *certificate);

/* Returns the next end of an authority, in s since 1970; if all have ended, the last one; 0 if none can be read. */
int64_t authorities_end(const struct authorities *authorities, int64_t now);

#endif
