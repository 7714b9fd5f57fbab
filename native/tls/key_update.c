#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/key_update.h"

#ifdef NOUND_KEY_UPDATE

#include <mbedtls/platform_util.h>
#include <psa/crypto.h>
#include <ssl_misc.h>
#include <ssl_tls13_keys.h>
#include <string.h>

#define KEY_UPDATE 24 /* RFC 8446, 4 */
#define LENGTH 5      /* of the message: its type, its length in three bytes, and whether one is wanted in return */

/* Imports a key in place of another one. Returns an error of Mbed TLS, or 0. */
static int replace_key(mbedtls_svc_key_id_t *key, const mbedtls_ssl_transform *transform,
                       const mbedtls_ssl_ciphersuite_t *suite, const unsigned char *bytes, bool encrypts) {
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_algorithm_t algorithm;
    psa_key_type_t type;
    size_t bits;
    if (mbedtls_ssl_cipher_to_psa((mbedtls_cipher_type_t)suite->cipher, transform->taglen, &algorithm, &type, &bits) !=
        PSA_SUCCESS)
        return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
    psa_set_key_usage_flags(&attributes, encrypts ? PSA_KEY_USAGE_ENCRYPT : PSA_KEY_USAGE_DECRYPT);
    psa_set_key_algorithm(&attributes, algorithm);
    psa_set_key_type(&attributes, type);
    if (psa_destroy_key(*key) != PSA_SUCCESS ||
        psa_import_key(&attributes, bytes, PSA_BITS_TO_BYTES(bits), key) != PSA_SUCCESS)
        return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
    return 0;
}

/*
 * Computes the next secret of one side, and from it the key and the initialization vector (RFC 8446, 7.2 and 7.3).
 * sends: whether they are for what this end sends.
 */
static int advance(mbedtls_ssl_context *ssl, bool sends) {
    mbedtls_ssl_tls13_application_secrets *secrets = &ssl->session->app_secrets;
    const bool is_server = ssl->conf->endpoint == MBEDTLS_SSL_IS_SERVER, is_of_server = is_server == sends;
    const mbedtls_ssl_ciphersuite_t *suite = mbedtls_ssl_ciphersuite_from_id(ssl->session->ciphersuite);
    mbedtls_ssl_transform *transform = ssl->transform_out;
    unsigned char *secret =
        is_of_server ? secrets->server_application_traffic_secret_N : secrets->client_application_traffic_secret_N;
    unsigned char next[MBEDTLS_TLS1_3_MD_MAX_SIZE];
    mbedtls_ssl_key_set keys = {0};
    if (!suite || !transform || transform != ssl->transform_in)
        return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
    const psa_algorithm_t hash = mbedtls_md_psa_alg_from_type((mbedtls_md_type_t)suite->mac);
    const size_t length = PSA_HASH_LENGTH(hash);
    const size_t key_length =
        mbedtls_cipher_info_get_key_bitlen(mbedtls_cipher_info_from_type((mbedtls_cipher_type_t)suite->cipher)) / 8;
    int error = mbedtls_ssl_tls13_hkdf_expand_label(
        hash, secret, length, MBEDTLS_SSL_TLS1_3_LBL_WITH_LEN(traffic_upd), NULL, 0, next, length);
    if (error == 0) {
        memcpy(secret, next, length);
        error = mbedtls_ssl_tls13_make_traffic_keys(hash,
                                                    secrets->client_application_traffic_secret_N,
                                                    secrets->server_application_traffic_secret_N,
                                                    length,
                                                    key_length,
                                                    transform->ivlen,
                                                    &keys);
    }
    if (error == 0)
        error = replace_key(sends ? &transform->psa_key_enc : &transform->psa_key_dec,
                            transform,
                            suite,
                            is_of_server ? keys.server_write_key : keys.client_write_key,
                            sends);
    if (error == 0) {
        memcpy(sends ? transform->iv_enc : transform->iv_dec,
               is_of_server ? keys.server_write_iv : keys.client_write_iv,
               transform->ivlen);
        /* Which counts the records from 0 again. */
        if (sends)
            mbedtls_ssl_set_outbound_transform(ssl, transform);
        else
            mbedtls_ssl_set_inbound_transform(ssl, transform);
    }
    mbedtls_platform_zeroize(next, sizeof next);
    mbedtls_platform_zeroize(&keys, sizeof keys);
    return error;
}

/* Returns the alert for the message that was read, or 0 for a KeyUpdate. */
static unsigned char find_alert(const mbedtls_ssl_context *ssl) {
    const unsigned char *message = ssl->in_msg;
    if (ssl->tls_version != MBEDTLS_SSL_VERSION_TLS1_3 || ssl->in_msgtype != MBEDTLS_SSL_MSG_HANDSHAKE ||
        ssl->in_hslen < LENGTH || message[0] != KEY_UPDATE)
        return MBEDTLS_SSL_ALERT_MSG_UNEXPECTED_MESSAGE;
    if (ssl->in_hslen != LENGTH)
        return MBEDTLS_SSL_ALERT_MSG_DECODE_ERROR;
    /* What follows in the same record has the old key (RFC 8446, 5.1). */
    if (ssl->in_msglen != LENGTH)
        return MBEDTLS_SSL_ALERT_MSG_UNEXPECTED_MESSAGE;
    return message[4] > 1 ? MBEDTLS_SSL_ALERT_MSG_ILLEGAL_PARAMETER : 0;
}

int key_update_take(mbedtls_ssl_context *ssl, bool *is_asked) {
    const unsigned char alert = find_alert(ssl);
    if (alert == 0) {
        *is_asked = ssl->in_msg[4] == 1;
        return advance(ssl, false);
    }
    (void)mbedtls_ssl_send_alert_message(ssl, MBEDTLS_SSL_ALERT_LEVEL_FATAL, alert); /* the connection ends anyway */
    return MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE;
}

int key_update_send(mbedtls_ssl_context *ssl) {
    const unsigned char message[LENGTH] = {KEY_UPDATE, 0, 0, 1, 0};
    ssl->out_msgtype = MBEDTLS_SSL_MSG_HANDSHAKE;
    ssl->out_msglen = LENGTH;
    memcpy(ssl->out_msg, message, LENGTH);
    const int error = mbedtls_ssl_write_record(ssl, 1);
    if (error != 0 && error != MBEDTLS_ERR_SSL_WANT_WRITE)
        return error;
    return advance(ssl, true); /* the record is encrypted already, also if some of it is left */
}

int key_update_flush(mbedtls_ssl_context *ssl) {
    return ssl->out_left == 0 ? 0 : mbedtls_ssl_flush_output(ssl);
}

#else /* the system's Mbed TLS */

int key_update_take(mbedtls_ssl_context *ssl, bool *is_asked) {
    *is_asked = false;
    (void)mbedtls_ssl_send_alert_message(ssl, MBEDTLS_SSL_ALERT_LEVEL_FATAL, MBEDTLS_SSL_ALERT_MSG_UNEXPECTED_MESSAGE);
    return MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE;
}

int key_update_send(mbedtls_ssl_context *ssl) {
    (void)ssl;
    return 0;
}

int key_update_flush(mbedtls_ssl_context *ssl) {
    (void)ssl;
    return 0;
}

#endif
