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

static bool read_certificate(struct tls_identity *identity, int file, struct sentence *reason) {
    size_t length;
    struct sentence why = {0};
    unsigned char *bytes = read_file(file, &length, &why);
    if (bytes && mbedtls_x509_crt_parse(&identity->certificate, bytes, length + 1) != 0)
        sentence_say(&why, "is no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----");
    if (bytes)
        free_bytes(bytes, length);
    if (why.length > 0)
        sentence_say(reason, "the file of \"certificate\" %s", why.text);
    return why.length == 0;
}

static bool read_key(struct tls_identity *identity, int file, struct sentence *reason) {
    size_t length;
    struct sentence why = {0};
    unsigned char *bytes = read_file(file, &length, &why);
    const int error = bytes ? mbedtls_pk_parse_key(&identity->key, bytes, length + 1, NULL, 0, tls_random, NULL) : 0;
    if (error == MBEDTLS_ERR_PK_PASSWORD_REQUIRED || (error != 0 && strstr((const char *)bytes, "ENCRYPTED") != NULL))
        sentence_say(&why, "is encrypted by a password: nound takes a key without one");
    else if (error != 0)
        sentence_say(&why, "is no key in PEM of RSA, P-256 or P-384");
    if (bytes)
        free_bytes(bytes, length);
    if (why.length > 0)
        sentence_say(reason, "the file of \"key\" %s", why.text);
    return why.length == 0;
}

bool tls_identity_read(struct tls_identity *identity, int certificate, int key, struct sentence *reason) {
    mbedtls_x509_crt_init(&identity->certificate);
    mbedtls_pk_init(&identity->key);
    if (!read_certificate(identity, certificate, reason) || !read_key(identity, key, reason))
        return false;
    if (mbedtls_pk_check_pair(&identity->certificate.pk, &identity->key, tls_random, NULL) == 0)
        return true;
    sentence_say(reason, "\"key\" does not belong to \"certificate\": they are of two pairs");
    return false;
}

void tls_identity_free(struct tls_identity *identity) {
    mbedtls_x509_crt_free(&identity->certificate);
    mbedtls_pk_free(&identity->key);
}
