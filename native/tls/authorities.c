#define _GNU_SOURCE 1
#include "tls/authorities.h"

#include <mbedtls/base64.h>
#include <mbedtls/platform.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "tls/tls_clock.h"

#define BEGIN "-----BEGIN CERTIFICATE-----"
#define END "-----END CERTIFICATE-----"
#define LARGEST 8192 /* bytes of a certificate that is looked at */

bool authorities_map(struct authorities *authorities, int file) {
    struct stat status;
    if (fstat(file, &status) < 0)
        return false;
    if (status.st_size == 0)
        return true;
    void *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED)
        return false;
    *authorities = (struct authorities){.text = text, .length = (size_t)status.st_size};
    return true;
}

/* Decodes the next certificate. Returns its length in bytes, 0 for one that is damaged or too large, or -1 at the end.
 */
static ssize_t take(struct authorities *rest, unsigned char der[LARGEST]) {
    const char *begin = rest->text ? memmem(rest->text, rest->length, BEGIN, strlen(BEGIN)) : NULL;
    if (!begin)
        return -1;
    begin += strlen(BEGIN);
    const char *end = memmem(begin, rest->length - (size_t)(begin - rest->text), END, strlen(END));
    if (!end)
        return -1;
    const char *next = end + strlen(END);
    rest->length -= (size_t)(next - rest->text);
    rest->text = next;
    size_t length = 0;
    const unsigned char *base64 = (const unsigned char *)begin;
    return mbedtls_base64_decode(der, LARGEST, &length, base64, (size_t)(end - begin)) == 0 ? (ssize_t)length : 0;
}

size_t authorities_count(const struct authorities *authorities, size_t most) {
    struct authorities rest = *authorities;
    unsigned char der[LARGEST];
    size_t count = 0;
    ssize_t length;
    while (count < most && (length = take(&rest, der)) >= 0)
        count += length > 0;
    return count;
}

bool authorities_are_same(const mbedtls_x509_buf *one, const mbedtls_x509_buf *other) {
    return one->len == other->len && memcmp(one->p, other->p, one->len) == 0;
}

/* Adds a certificate to a list if its subject is that name. Returns an error of Mbed TLS, or 0. */
static int add_if_named(const mbedtls_x509_buf *name, const unsigned char *der, size_t length,
                        mbedtls_x509_crt **list) {
    if (!memmem(der, length, name->p, name->len))
        return 0;
    mbedtls_x509_crt *certificate = mbedtls_calloc(1, sizeof *certificate);
    if (!certificate)
        return MBEDTLS_ERR_X509_ALLOC_FAILED;
    mbedtls_x509_crt_init(certificate);
    /* One that Mbed TLS cannot read, such as of a curve that is left out, signs nothing here. */
    if (mbedtls_x509_crt_parse_der(certificate, der, length) == 0 &&
        authorities_are_same(&certificate->subject_raw, name)) {
        certificate->next = *list;
        *list = certificate;
        return 0;
    }
    mbedtls_x509_crt_free(certificate);
    mbedtls_free(certificate);
    return 0;
}

int authorities_find(void *context, const mbedtls_x509_crt *child, mbedtls_x509_crt **found) {
    struct authorities rest = *(const struct authorities *)context;
    unsigned char der[LARGEST];
    ssize_t length;
    int error = 0;
    *found = NULL;
    while (error == 0 && (length = take(&rest, der)) >= 0)
        error = add_if_named(&child->issuer_raw, der, (size_t)length, found);
    if (error != 0) {
        mbedtls_x509_crt_free(*found);
        mbedtls_free(*found);
        *found = NULL;
    }
    return error;
}

bool authorities_contain(const struct authorities *authorities, const mbedtls_x509_crt *certificate) {
    struct authorities rest = *authorities;
    unsigned char der[LARGEST];
    ssize_t length;
    while ((length = take(&rest, der)) >= 0)
        if ((size_t)length == certificate->raw.len && memcmp(der, certificate->raw.p, (size_t)length) == 0)
            return true;
    return false;
}

int64_t authorities_end(const struct authorities *authorities, int64_t now) {
    struct authorities rest = *authorities;
    unsigned char der[LARGEST];
    int64_t next = 0, last = 0;
    ssize_t length;
    while ((length = take(&rest, der)) >= 0) {
        mbedtls_x509_crt certificate;
        mbedtls_x509_crt_init(&certificate);
        if (mbedtls_x509_crt_parse_der(&certificate, der, (size_t)length) == 0) {
            const int64_t end = tls_clock_seconds(&certificate.valid_to);
            next = end > now && (next == 0 || end < next) ? end : next;
            last = end > last ? end : last;
        }
        mbedtls_x509_crt_free(&certificate);
    }
    return next != 0 ? next : last;
}
