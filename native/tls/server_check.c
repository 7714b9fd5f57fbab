#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/server_check.h"

#include <arpa/inet.h>
#include <mbedtls/oid.h>
#include <mbedtls/platform.h>
#include <psa/crypto.h>
#include <stdio.h>
#include <string.h>

/* Tags of a general name (RFC 5280, 4.2.1.6). */
#define TAG_DNS (MBEDTLS_ASN1_CONTEXT_SPECIFIC | 2)
#define TAG_ADDRESS (MBEDTLS_ASN1_CONTEXT_SPECIFIC | 7)

/* What a key that the settings name makes unimportant: who has signed it, and how. */
#define SIGNATURE_FLAGS (MBEDTLS_X509_BADCERT_NOT_TRUSTED | MBEDTLS_X509_BADCERT_BAD_MD)

void server_check_begin(struct server_check *check, const char *name, int64_t earliest) {
    check->name = name;
    check->clock = tls_clock_read(earliest);
    check->reason.length = 0;
    check->address_length = inet_pton(AF_INET, name, check->address) == 1    ? 4
                            : inet_pton(AF_INET6, name, check->address) == 1 ? 16
                                                                             : 0;
}

/* Writes bytes of a certificate, which may be anything, into a sentence. */
static void add_text(struct sentence *sentence, const unsigned char *bytes, size_t length) {
    char text[65];
    size_t count = 0;
    for (; count < length && count < sizeof text - 1; count++)
        text[count] = (char)(bytes[count] >= ' ' && bytes[count] <= '~' ? bytes[count] : '?');
    text[count] = '\0';
    sentence_add(sentence, "%s", text);
}

/* Adds the common name, or else the last part of a name. */
static void add_name(struct sentence *sentence, const mbedtls_x509_name *name) {
    const mbedtls_x509_name *best = NULL;
    for (const mbedtls_x509_name *part = name; part; part = part->next)
        if (part->val.p && (!best || MBEDTLS_OID_CMP(MBEDTLS_OID_AT_CN, &part->oid) == 0))
            best = part;
    if (best)
        add_text(sentence, best->val.p, best->val.len);
    else
        sentence_add(sentence, "without a name");
}

static void say_which(struct server_check *check, const mbedtls_x509_crt *certificate, int depth) {
    if (depth == 0) {
        sentence_say(&check->reason, "the server's certificate ");
        return;
    }
    sentence_say(&check->reason, "the certificate of the authority ");
    add_name(&check->reason, &certificate->subject);
    sentence_add(&check->reason, " ");
}

static void add_date(struct sentence *sentence, const mbedtls_x509_time *time) {
    sentence_add(sentence, "%04d-%02d-%02d", time->year, time->mon, time->day);
}

/* A clock that is late says nothing of a beginning: the certificate may be newer than this program. */
static void check_dates(struct server_check *check, const mbedtls_x509_crt *certificate, int depth) {
    const struct tls_clock *clock = &check->clock;
    if (tls_clock_seconds(&certificate->valid_to) < clock->now) {
        say_which(check, certificate, depth);
        sentence_add(&check->reason, "ended on ");
        add_date(&check->reason, &certificate->valid_to);
        sentence_add(&check->reason, ": renew it");
    } else if (!clock->is_late && tls_clock_seconds(&certificate->valid_from) > clock->now) {
        say_which(check, certificate, depth);
        sentence_add(&check->reason, "begins on ");
        add_date(&check->reason, &certificate->valid_from);
        sentence_add(&check->reason, ": set the clock of this device");
    }
}

static bool has_address(const struct server_check *check, const mbedtls_x509_crt *certificate) {
    for (const mbedtls_x509_sequence *name = &certificate->subject_alt_names; name; name = name->next)
        if (name->buf.tag == TAG_ADDRESS && name->buf.len == check->address_length &&
            memcmp(name->buf.p, check->address, check->address_length) == 0)
            return true;
    return false;
}

/* Returns the names and addresses that a certificate is for, as many as fit. */
static void add_names(struct sentence *sentence, const mbedtls_x509_crt *certificate) {
    int count = 0;
    for (const mbedtls_x509_sequence *name = &certificate->subject_alt_names; name && count < 3; name = name->next) {
        char address[INET6_ADDRSTRLEN];
        const int family = name->buf.len == 4 ? AF_INET : AF_INET6;
        const bool is_address = name->buf.tag == TAG_ADDRESS && (name->buf.len == 4 || name->buf.len == 16);
        if (!is_address && name->buf.tag != TAG_DNS)
            continue;
        sentence_add(sentence, "%s", count++ > 0 ? ", " : "");
        if (!is_address)
            add_text(sentence, name->buf.p, name->buf.len);
        else if (inet_ntop(family, name->buf.p, address, sizeof address))
            sentence_add(sentence, "%s", address);
    }
    sentence_add(sentence, "%s", count == 0 ? "no host" : "");
}

/* Returns whether an address is among the names, where no client looks for it (RFC 5280, 4.2.1.6). */
static bool has_address_as_name(const struct server_check *check, const mbedtls_x509_crt *certificate) {
    for (const mbedtls_x509_sequence *name = &certificate->subject_alt_names; name; name = name->next)
        if (check->address_length > 0 && name->buf.tag == TAG_DNS && name->buf.len == strlen(check->name) &&
            memcmp(name->buf.p, check->name, name->buf.len) == 0)
            return true;
    return false;
}

static void say_other_name(struct server_check *check, const mbedtls_x509_crt *certificate) {
    if (!mbedtls_x509_crt_has_ext_type(certificate, MBEDTLS_X509_EXT_SUBJECT_ALT_NAME)) {
        sentence_say(&check->reason,
                     "the server's certificate has no names in \"subjectAltName\", so it is for no host; have it "
                     "issued with %s",
                     check->name);
        return;
    }
    if (has_address_as_name(check, certificate)) {
        sentence_say(&check->reason,
                     "the server's certificate has the address %s as a DNS name, where it does not count; have it "
                     "issued with IP:%s in \"subjectAltName\"",
                     check->name,
                     check->name);
        return;
    }
    sentence_say(&check->reason, "the certificate is for ");
    add_names(&check->reason, certificate);
    sentence_add(&check->reason, ", not %s: write its name as \"name\"", check->name);
}

/* Returns whether the key is one of those that the settings name. */
static bool is_pinned(struct server_check *check, const mbedtls_x509_crt *certificate) {
    uint8_t hash[TLS_HASH_BYTES];
    size_t length;
    if (psa_hash_compute(PSA_ALG_SHA_256, certificate->pk_raw.p, certificate->pk_raw.len, hash, sizeof hash, &length) !=
        PSA_SUCCESS)
        return false;
    for (uint32_t i = 0; i < check->settings->pin_count; i++)
        if (memcmp(check->settings->pins[i], hash, sizeof hash) == 0)
            return true;
    sentence_say(&check->reason, "the server's key has changed: it is ");
    for (size_t i = 0; i < sizeof hash; i++)
        sentence_add(&check->reason, "%02x", hash[i]);
    sentence_add(&check->reason, ", none of \"keys\"");
    return false;
}

#ifdef MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK
/* Puts the certificate of a certificate's issuer right behind it, if it comes later. */
static void put_issuer_next(mbedtls_x509_crt *certificate) {
    for (mbedtls_x509_crt *before = certificate; before->next; before = before->next) {
        mbedtls_x509_crt *issuer = before->next;
        if (!authorities_are_same(&issuer->subject_raw, &certificate->issuer_raw))
            continue;
        before->next = issuer->next;
        issuer->next = certificate->next;
        certificate->next = issuer;
        return;
    }
}

/*
 * Mbed TLS looks for an issuer only behind the certificate that it has issued, but a server may send those between in
 * any order (RFC 8446, 4.4.2). It asks this first, for one certificate of the chain after the other.
 */
int server_check_find_authorities(void *context, const mbedtls_x509_crt *child, mbedtls_x509_crt **found) {
    struct server_check *check = context;
    put_issuer_next((mbedtls_x509_crt *)child); /* of the list that the server has sent, which is ours */
    return authorities_find(&check->authorities, child, found);
}
#endif

/* Finds a certificate that the server has sent. */
static const mbedtls_x509_crt *sent_issuer(const mbedtls_x509_crt *certificate) {
    for (const mbedtls_x509_crt *next = certificate->next; next; next = next->next)
        if (authorities_are_same(&next->subject_raw, &certificate->issuer_raw))
            return next;
    return NULL;
}

/* Returns whether the issuer of a certificate is known, and is no authority. */
static bool is_of_leaf(struct server_check *check, const mbedtls_x509_crt *certificate) {
    const mbedtls_x509_crt *sent = sent_issuer(certificate);
    mbedtls_x509_crt *listed = NULL;
    bool is_leaf = sent && !sent->ca_istrue;
    if (!sent && authorities_find(&check->authorities, certificate, &listed) == 0)
        is_leaf = listed && !listed->ca_istrue;
    mbedtls_x509_crt_free(listed);
    mbedtls_free(listed);
    return is_leaf;
}

/* Says why a certificate, the last of a chain, leads to no authority. */
static void say_untrusted(struct server_check *check, const mbedtls_x509_crt *certificate, int depth) {
    struct sentence *reason = &check->reason;
    const char *file = check->settings->authorities;
    if (authorities_are_same(&certificate->subject_raw, &certificate->issuer_raw)) {
        if (depth == 0)
            sentence_say(reason, "the server's certificate is signed by itself: name its file as \"authorities\"");
        else {
            sentence_say(reason, "the authority ");
            add_name(reason, &certificate->subject);
            sentence_add(reason, " is not in %s: name its file as \"authorities\"", file);
        }
    } else if (is_of_leaf(check, certificate)) {
        say_which(check, certificate, depth);
        sentence_add(reason, "is signed by ");
        add_name(reason, &certificate->issuer);
        sentence_add(reason, ", which is no authority");
    } else {
        sentence_say(reason, "the authority ");
        add_name(reason, &certificate->issuer);
        sentence_add(reason,
                     " is not in %s: name its file as \"authorities\", or have the server send all certificates "
                     "between",
                     file);
    }
}

static void say_weak(struct server_check *check, const mbedtls_x509_crt *certificate, int depth, uint32_t flags) {
    say_which(check, certificate, depth);
    if (flags & MBEDTLS_X509_BADCERT_BAD_MD)
        sentence_add(&check->reason, "is signed with a hash older than SHA-256: have it issued again");
    else
        sentence_add(
            &check->reason,
            "has a key that nound does not take, or is signed by one: it takes RSA from 2048 bits on, P-256 and P-384");
}

/* Judges the server's own certificate. */
static void check_server(struct server_check *check, const mbedtls_x509_crt *certificate, uint32_t flags) {
    const bool is_named = check->address_length > 0
                              ? has_address(check, certificate)
                              : !(flags & MBEDTLS_X509_BADCERT_CN_MISMATCH) &&
                                    mbedtls_x509_crt_has_ext_type(certificate, MBEDTLS_X509_EXT_SUBJECT_ALT_NAME);
    /* A key that the settings name says who the server is, if its certificate names no host. */
    const bool is_known = check->settings->pin_count > 0 &&
                          !mbedtls_x509_crt_has_ext_type(certificate, MBEDTLS_X509_EXT_SUBJECT_ALT_NAME);
    if (!is_named && !is_known)
        say_other_name(check, certificate);
}

int server_check_certificate(void *context, mbedtls_x509_crt *certificate, int depth, uint32_t *flags) {
    struct server_check *check = context;
    uint32_t wrong = *flags;
    *flags = 0;
    if (check->settings->pin_count > 0) {
        /* The key of the server itself stands for the chain. */
        if (depth > 0)
            return 0;
        wrong &= ~(uint32_t)SIGNATURE_FLAGS;
        if (!is_pinned(check, certificate))
            *flags = MBEDTLS_X509_BADCERT_NOT_TRUSTED;
    } else if (depth == 0 && (wrong & MBEDTLS_X509_BADCERT_NOT_TRUSTED) &&
               authorities_contain(&check->authorities, certificate)) {
        wrong &= ~(uint32_t)MBEDTLS_X509_BADCERT_NOT_TRUSTED;
    }
    /* The first failure is told, the authorities' before the server's. */
    if (check->reason.length == 0)
        check_dates(check, certificate, depth);
    if (check->reason.length == 0 && depth == 0)
        check_server(check, certificate, wrong);
    if (check->reason.length == 0 && (wrong & MBEDTLS_X509_BADCERT_NOT_TRUSTED))
        say_untrusted(check, certificate, depth);
    if (check->reason.length == 0 &&
        (wrong & (MBEDTLS_X509_BADCERT_BAD_MD | MBEDTLS_X509_BADCERT_BAD_KEY | MBEDTLS_X509_BADCERT_BAD_PK)))
        say_weak(check, certificate, depth, wrong);
    const uint32_t others = wrong & ~(uint32_t)(MBEDTLS_X509_BADCERT_EXPIRED | MBEDTLS_X509_BADCERT_FUTURE |
                                                MBEDTLS_X509_BADCERT_CN_MISMATCH);
    if (check->reason.length == 0 && others != 0)
        sentence_say(&check->reason, "the server's certificate cannot be used (%#lx)", (unsigned long)others);
    if (check->reason.length > 0)
        *flags |= MBEDTLS_X509_BADCERT_OTHER;
    return 0;
}
