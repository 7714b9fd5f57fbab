/* The check of a server's certificate: chain, name, dates, usage and key. Each failure has a sentence for people. */
#ifndef NOUND_SERVER_CHECK_H
#define NOUND_SERVER_CHECK_H

#include <mbedtls/x509_crt.h>
#include <stdbool.h>
#include <stdint.h>

#include "text/sentence.h"
#include "tls/authorities.h"
#include "tls/tls_clock.h"
#include "tls/tls_settings.h"

struct server_check {
    const struct tls_settings *settings;
    struct authorities authorities;
    const char *name; /* a host's name or address */
    uint8_t address[16];
    size_t address_length; /* 4 or 16 if `name` is an address; else 0 */
    struct tls_clock clock;
    struct sentence reason; /* of a refusal; empty for none */
};

/* Begins with `settings` and `authorities` set. name: to be verified. */
void server_check_begin(struct server_check *check, const char *name, int64_t earliest);

/* Checks one certificate of a chain, the last first: the callback of mbedtls_ssl_conf_verify. */
int server_check_certificate(void *context, mbedtls_x509_crt *certificate, int depth, uint32_t *flags);

#ifdef MBEDTLS_X509_TRUSTED_CERTIFICATE_CALLBACK
/* Finds the authorities that may have issued a certificate: the callback of mbedtls_ssl_conf_ca_cb. */
int server_check_find_authorities(void *context, const mbedtls_x509_crt *child, mbedtls_x509_crt **found);
#endif

#endif
