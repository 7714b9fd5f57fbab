#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include "tls/kernel_tls.h"

#ifdef NOUND_KEY_UPDATE

#include <errno.h>
#include <mbedtls/platform_util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <psa/crypto.h>
#include <ssl_misc.h>
#include <ssl_tls13_keys.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/sol_tls.h"

/* The numbers of <linux/tls.h>, of which older headers lack some. */
enum { SEND = 1, RECEIVE = 2, TLS_1_3 = 0x0304, AES_GCM_128 = 51, AES_GCM_256 = 52, CHACHA20_POLY1305 = 54 };

#define SEQUENCE 8 /* bytes of a record's number */
#define IV 12      /* bytes of an initialization vector */

/* How the kernel has the parts of a key. Of its 12 bytes, AES takes the first four as a salt. */
static const struct form {
    int suite;
    uint16_t cipher;
    uint8_t key, salt; /* bytes */
} forms[] = {
    {MBEDTLS_TLS1_3_AES_128_GCM_SHA256, AES_GCM_128, 16, 4},
    {MBEDTLS_TLS1_3_AES_256_GCM_SHA384, AES_GCM_256, 32, 4},
    {MBEDTLS_TLS1_3_CHACHA20_POLY1305_SHA256, CHACHA20_POLY1305, 32, 0},
};

static const struct form *form_of(const mbedtls_ssl_context *ssl) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].suite == ssl->session->ciphersuite)
            return &forms[i];
    return NULL;
}

bool kernel_tls_exists(void) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool exists = fd >= 0 && setsockopt(fd, IPPROTO_TCP, TCP_ULP, "tls", sizeof "tls") < 0 && errno == ENOTCONN;
    descriptor_close(fd);
    return exists;
}

/* The struct tls12_crypto_info_… of linux/tls.h of a direction: what is common, the rest of the IV, key, salt, number.
 */
static bool give(int peer, int direction, const struct form *form, const uint8_t *iv, const uint8_t *key,
                 const uint8_t *number) {
    const uint16_t common[] = {TLS_1_3, form->cipher};
    uint8_t info[sizeof common + IV + 32 + SEQUENCE], *end = info;
    end = (uint8_t *)mempcpy(end, common, sizeof common);
    end = (uint8_t *)mempcpy(end, iv + form->salt, IV - form->salt);
    end = (uint8_t *)mempcpy(end, key, form->key);
    end = (uint8_t *)mempcpy(end, iv, form->salt);
    end = (uint8_t *)mempcpy(end, number, SEQUENCE);
    const bool taken = setsockopt(peer, SOL_TLS, direction, info, (socklen_t)(end - info)) == 0;
    mbedtls_platform_zeroize(info, sizeof info);
    return taken;
}

enum kernel_tls kernel_tls_begin(const struct mbedtls_ssl_context *ssl, int peer, uint32_t *refused) {
    const struct form *form = ssl->tls_version == MBEDTLS_SSL_VERSION_TLS1_3 ? form_of(ssl) : NULL;
    const mbedtls_ssl_ciphersuite_t *suite = form ? mbedtls_ssl_ciphersuite_from_id(form->suite) : NULL;
    const mbedtls_ssl_tls13_application_secrets *secrets = &ssl->session->app_secrets;
    mbedtls_ssl_key_set keys = {0};
    enum kernel_tls result = KERNEL_TLS_REFUSED;
    const uint32_t bit = form ? UINT32_C(1) << (form - forms) : 0;
    if (!suite || (*refused & bit) || ssl->in_left != 0 || ssl->out_left != 0)
        return result;
    const psa_algorithm_t hash = mbedtls_md_psa_alg_from_type((mbedtls_md_type_t)suite->mac);
    if (mbedtls_ssl_tls13_make_traffic_keys(hash,
                                            secrets->client_application_traffic_secret_N,
                                            secrets->server_application_traffic_secret_N,
                                            PSA_HASH_LENGTH(hash),
                                            form->key,
                                            IV,
                                            &keys) == 0 &&
        setsockopt(peer, IPPROTO_TCP, TCP_ULP, "tls", sizeof "tls") == 0) { /* not where the client has sent FIN */
        if (!give(peer, RECEIVE, form, keys.client_write_iv, keys.client_write_key, ssl->in_ctr))
            *refused |= bit;
        else
            result = give(peer, SEND, form, keys.server_write_iv, keys.server_write_key, ssl->cur_out_ctr)
                         ? KERNEL_TLS_BEGUN
                         : KERNEL_TLS_BROKEN;
    }
    mbedtls_platform_zeroize(&keys, sizeof keys);
    return result;
}

#else /* the system's Mbed TLS, whose keys are out of reach */

bool kernel_tls_exists(void) {
    return false;
}

enum kernel_tls kernel_tls_begin(const struct mbedtls_ssl_context *ssl, int peer, uint32_t *refused) {
    (void)ssl, (void)peer, (void)refused;
    return KERNEL_TLS_REFUSED;
}

#endif
