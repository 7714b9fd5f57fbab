#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/own_certificate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <mbedtls/oid.h>
#include <mbedtls/platform_util.h>
#include <psa/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "files/store.h"
#include "tls/tls_random.h"

#define KEY_FILE "https-key.pem"
#define CERTIFICATE_FILE "https-certificate.pem"
#define VALIDITY (397 * 86400) /* s: browsers take no more than 398 days */
#define EARLIER 3600           /* s: clocks of clients may be late */
#define MOST_NAMES 32
#define LONGEST_COMMON_NAME 64 /* RFC 5280, A.1 */
#define LONGEST_PEM 8192

/* The names as a certificate has them. */
struct alternatives {
    size_t count;
    mbedtls_x509_san_list list[MOST_NAMES];
    unsigned char addresses[MOST_NAMES][16];
};

static void list_names(struct alternatives *alternatives, const char *names) {
    memset(alternatives, 0, sizeof *alternatives);
    for (const char *name = names; *name != '\0' && alternatives->count < MOST_NAMES; name += strlen(name) + 1) {
        const size_t i = alternatives->count++;
        unsigned char *address = alternatives->addresses[i];
        mbedtls_x509_subject_alternative_name *node = &alternatives->list[i].node;
        const size_t length = inet_pton(AF_INET, name, address) == 1    ? 4
                              : inet_pton(AF_INET6, name, address) == 1 ? 16
                                                                        : 0;
        node->type = length > 0 ? MBEDTLS_X509_SAN_IP_ADDRESS : MBEDTLS_X509_SAN_DNS_NAME;
        node->san.unstructured_name.p = length > 0 ? address : (unsigned char *)name;
        node->san.unstructured_name.len = length > 0 ? length : strlen(name);
        if (i > 0)
            alternatives->list[i - 1].next = &alternatives->list[i];
    }
}

static bool has_name(const mbedtls_x509_crt *certificate, const mbedtls_x509_subject_alternative_name *wanted) {
    for (const mbedtls_x509_sequence *name = &certificate->subject_alt_names; name; name = name->next)
        if ((name->buf.tag & MBEDTLS_ASN1_TAG_VALUE_MASK) == wanted->type &&
            name->buf.len == wanted->san.unstructured_name.len &&
            memcmp(name->buf.p, wanted->san.unstructured_name.p, name->buf.len) == 0)
            return true;
    return false;
}

static bool has_names(const mbedtls_x509_crt *certificate, const struct alternatives *alternatives) {
    size_t count = 0;
    for (const mbedtls_x509_sequence *name = &certificate->subject_alt_names; name; name = name->next)
        count++;
    for (size_t i = 0; i < alternatives->count; i++)
        if (!has_name(certificate, &alternatives->list[i].node))
            return false;
    return count == alternatives->count;
}

int64_t own_certificate_end(const struct tls_identity *identity) {
    return tls_clock_seconds(&identity->certificate.valid_to);
}

bool own_certificate_is_early(const struct tls_identity *identity, const struct tls_clock *clock) {
    return !clock->is_late && tls_clock_seconds(&identity->certificate.valid_from) > clock->now;
}

/* Writes a text of secrets and wipes it. Returns false with the reason. */
static bool store(int folder, const char *name, char *text, struct sentence *reason) {
    const bool is_stored = folder < 0 || store_write(folder, name, text, strlen(text));
    if (!is_stored)
        sentence_say(reason, "cannot write %s in \"stateDirectory\": %s", name, strerror(errno));
    mbedtls_platform_zeroize(text, strlen(text));
    return is_stored;
}

static bool make_key(struct tls_identity *identity, int folder, struct sentence *reason) {
    char text[LONGEST_PEM];
    mbedtls_svc_key_id_t key = MBEDTLS_SVC_KEY_ID_INIT;
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    if (psa_generate_key(&attributes, &key) != PSA_SUCCESS) {
        sentence_say(reason, "cannot make a key");
        return false;
    }
    int error = mbedtls_pk_copy_from_psa(key, &identity->key);
    if (error == 0)
        error = mbedtls_pk_write_key_pem(&identity->key, (unsigned char *)text, sizeof text);
    psa_destroy_key(key);
    if (error == 0)
        return store(folder, KEY_FILE, text, reason);
    sentence_say(reason, "cannot make a key (-0x%04x)", (unsigned)-error);
    return false;
}

/* makes: a key if there is none. Returns false with the reason. */
static bool read_key(struct tls_identity *identity, int folder, bool makes, struct sentence *reason) {
    size_t length;
    struct sentence why = {0};
    if (folder < 0)
        return make_key(identity, folder, reason);
    char *text = store_read(folder, KEY_FILE, &length);
    if (!text && errno == ENOENT && makes)
        return make_key(identity, folder, reason);
    if (!text) {
        sentence_say(reason, "cannot read %s in \"stateDirectory\": %s", KEY_FILE, strerror(errno));
        return false;
    }
    const bool is_read = tls_identity_parse_key(identity, text, length, &why);
    mbedtls_platform_zeroize(text, length);
    free(text);
    if (!is_read)
        sentence_say(reason, "%s in \"stateDirectory\" %s: remove it, and nound makes another one", KEY_FILE, why.text);
    return is_read;
}

/* Writes a date as a certificate takes it: YYYYMMDDhhmmss. */
static void write_date(int64_t seconds, char text[32]) {
    const time_t given = (time_t)seconds;
    struct tm date = {0};
    gmtime_r(&given, &date);
    snprintf(text,
             32,
             "%04d%02d%02d%02d%02d%02d",
             date.tm_year + 1900,
             date.tm_mon + 1,
             date.tm_mday,
             date.tm_hour,
             date.tm_min,
             date.tm_sec);
}

/* Returns an error of Mbed TLS, or 0. */
static int describe(mbedtls_x509write_cert *writing, struct tls_identity *identity,
                    const struct alternatives *alternatives, const char *names, int64_t now) {
    char begin[32], end[32], subject[LONGEST_COMMON_NAME + 8];
    unsigned char serial[16];
    mbedtls_asn1_sequence usage = {.buf = {.tag = MBEDTLS_ASN1_OID,
                                           .len = MBEDTLS_OID_SIZE(MBEDTLS_OID_SERVER_AUTH),
                                           .p = (unsigned char *)MBEDTLS_OID_SERVER_AUTH}};
    write_date(now - EARLIER, begin);
    write_date(now - EARLIER + VALIDITY - 1, end);
    snprintf(subject, sizeof subject, "CN=%s", strlen(names) > LONGEST_COMMON_NAME ? "nound" : names);
    if (tls_random(NULL, serial, sizeof serial) != 0)
        return MBEDTLS_ERR_X509_FATAL_ERROR;
    serial[0] = (unsigned char)((serial[0] & 0x7f) | 0x40); /* positive, and of its whole length */
    mbedtls_x509write_crt_set_version(writing, MBEDTLS_X509_CRT_VERSION_3);
    mbedtls_x509write_crt_set_md_alg(writing, MBEDTLS_MD_SHA256);
    mbedtls_x509write_crt_set_subject_key(writing, &identity->key);
    mbedtls_x509write_crt_set_issuer_key(writing, &identity->key);
    int error = mbedtls_x509write_crt_set_subject_name(writing, subject);
    if (error == 0)
        error = mbedtls_x509write_crt_set_issuer_name(writing, subject);
    if (error == 0)
        error = mbedtls_x509write_crt_set_serial_raw(writing, serial, sizeof serial);
    if (error == 0)
        error = mbedtls_x509write_crt_set_validity(writing, begin, end);
    if (error == 0)
        error = mbedtls_x509write_crt_set_basic_constraints(writing, 0, -1);
    if (error == 0)
        error = mbedtls_x509write_crt_set_key_usage(writing, MBEDTLS_X509_KU_DIGITAL_SIGNATURE);
    if (error == 0)
        error = mbedtls_x509write_crt_set_ext_key_usage(writing, &usage);
    if (error == 0 && alternatives->count > 0)
        error = mbedtls_x509write_crt_set_subject_alternative_name(writing, alternatives->list);
    return error;
}

static bool make_certificate(struct tls_identity *identity, int folder, const struct alternatives *alternatives,
                             const char *names, int64_t now, struct sentence *reason) {
    char text[LONGEST_PEM];
    mbedtls_x509write_cert writing;
    mbedtls_x509write_crt_init(&writing);
    int error = describe(&writing, identity, alternatives, names, now);
    if (error == 0)
        error = mbedtls_x509write_crt_pem(&writing, (unsigned char *)text, sizeof text, tls_random, NULL);
    mbedtls_x509write_crt_free(&writing);
    mbedtls_x509_crt_free(&identity->certificate);
    mbedtls_x509_crt_init(&identity->certificate);
    if (error != 0 || !tls_identity_parse_certificate(identity, text, strlen(text))) {
        sentence_say(reason, "cannot make a certificate (-0x%04x)", (unsigned)-error);
        return false;
    }
    return store(folder, CERTIFICATE_FILE, text, reason);
}

/* Returns whether there is a certificate of the key in the folder. */
static bool read_certificate(struct tls_identity *identity, int folder) {
    size_t length;
    char *text = folder < 0 ? NULL : store_read(folder, CERTIFICATE_FILE, &length);
    const bool is_read = text && tls_identity_parse_certificate(identity, text, length);
    free(text);
    return is_read;
}

bool own_certificate_read(struct tls_identity *identity, int folder, const char *names, const struct tls_clock *clock,
                          bool *is_new, struct sentence *reason) {
    struct alternatives alternatives;
    mbedtls_x509_crt_init(&identity->certificate);
    mbedtls_pk_init(&identity->key);
    list_names(&alternatives, names);
    if (!read_key(identity, folder, true, reason))
        return false;
    *is_new = !read_certificate(identity, folder) || !has_names(&identity->certificate, &alternatives) ||
              own_certificate_is_early(identity, clock) ||
              own_certificate_end(identity) - OWN_CERTIFICATE_RENEWAL <= clock->now;
    return !*is_new || make_certificate(identity, folder, &alternatives, names, clock->now, reason);
}

bool own_certificate_find(struct tls_identity *identity, int folder, struct sentence *reason) {
    mbedtls_x509_crt_init(&identity->certificate);
    mbedtls_pk_init(&identity->key);
    if (read_key(identity, folder, false, reason) && read_certificate(identity, folder))
        return true;
    sentence_say(reason, "%s", OWN_CERTIFICATE_MISSING);
    return false;
}
