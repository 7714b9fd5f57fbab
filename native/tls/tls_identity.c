#define _GNU_SOURCE 1
#include "tls/tls_identity.h"

#include <errno.h>
#include <mbedtls/platform.h>
#include <mbedtls/platform_util.h>
#include <string.h>
#include <unistd.h>

#include "tls/tls_random.h"

#define LARGEST 32768 /* bytes of a file */

/* Reads a whole file. Returns its bytes and a NUL, which the caller frees; or NULL with the reason. */
static unsigned char *read_file(int file, size_t *length, struct sentence *reason) {
    unsigned char *bytes = mbedtls_calloc(1, LARGEST + 1);
    ssize_t count = bytes ? pread(file, bytes, LARGEST + 1, 0) : -1;
    if (count < 0)
        sentence_say(reason, "cannot be read: %s", strerror(errno));
    else if (count > LARGEST)
        sentence_say(reason, "is longer than %d bytes", LARGEST);
    else {
        bytes[count] = '\0';
        *length = (size_t)count;
        return bytes;
    }
    mbedtls_free(bytes);
    return NULL;
}

/* Keys are in it. */
static void free_bytes(unsigned char *bytes, size_t length) {
    mbedtls_platform_zeroize(bytes, length);
    mbedtls_free(bytes);
}

/* bytes: `length` of them, and a NUL. Returns false with the reason. */
static bool parse_certificate(struct tls_identity *identity, const unsigned char *bytes, size_t length,
                              struct sentence *reason) {
    if (mbedtls_x509_crt_parse(&identity->certificate, bytes, length + 1) == 0)
        return true;
    sentence_say(reason, "is no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----");
    return false;
}

static bool parse_key(struct tls_identity *identity, const unsigned char *bytes, size_t length,
                      struct sentence *reason) {
    const int error = mbedtls_pk_parse_key(&identity->key, bytes, length + 1, NULL, 0, tls_random, NULL);
    if (error == 0)
        return true;
    if (error == MBEDTLS_ERR_PK_PASSWORD_REQUIRED || strstr((const char *)bytes, "ENCRYPTED") != NULL)
        sentence_say(reason, "is encrypted by a password: nound takes a key without one");
    else
        sentence_say(reason, "is no key in PEM of RSA, P-256 or P-384");
    return false;
}

typedef bool parse(struct tls_identity *identity, const unsigned char *bytes, size_t length, struct sentence *reason);

/* what: the setting that names the file. Returns false with the reason. */
static bool read_part(struct tls_identity *identity, int file, const char *what, parse *parse_part,
                      struct sentence *reason) {
    size_t length;
    struct sentence why = {0};
    unsigned char *bytes = read_file(file, &length, &why);
    const bool is_read = bytes && parse_part(identity, bytes, length, &why);
    if (bytes)
        free_bytes(bytes, length);
    if (!is_read)
        sentence_say(reason, "the file of \"%s\" %s", what, why.text);
    return is_read;
}

static bool is_pair(const struct tls_identity *identity) {
    return mbedtls_pk_check_pair(&identity->certificate.pk, &identity->key, tls_random, NULL) == 0;
}

bool tls_identity_read(struct tls_identity *identity, int certificate, int key, struct sentence *reason) {
    mbedtls_x509_crt_init(&identity->certificate);
    mbedtls_pk_init(&identity->key);
    if (!read_part(identity, certificate, "certificate", parse_certificate, reason) ||
        !read_part(identity, key, "key", parse_key, reason))
        return false;
    if (is_pair(identity))
        return true;
    sentence_say(reason, "\"key\" does not belong to \"certificate\": they are of two pairs");
    return false;
}

bool tls_identity_parse_key(struct tls_identity *identity, const char *text, size_t length, struct sentence *reason) {
    return parse_key(identity, (const unsigned char *)text, length, reason);
}

bool tls_identity_parse_certificate(struct tls_identity *identity, const char *text, size_t length) {
    struct sentence why;
    return parse_certificate(identity, (const unsigned char *)text, length, &why) && is_pair(identity);
}

void tls_identity_free(struct tls_identity *identity) {
    mbedtls_x509_crt_free(&identity->certificate);
    mbedtls_pk_free(&identity->key);
}
