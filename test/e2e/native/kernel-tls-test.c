/*
 * Gives the kernel the keys of the connection in RFC 8448, section 3. setsockopt(2) is replaced, and notes what it is
 * given. Prints nothing when all went as it must.
 */
#define _GNU_SOURCE 1
#define MBEDTLS_ALLOW_PRIVATE_ACCESS 1
#include <linux/tls.h>
#include <mbedtls/ssl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <psa/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/sol_tls.h"
#include "tls/kernel_tls.h"

#ifdef NOUND_MBEDTLS_CONFIG_H /* with a system's Mbed TLS, its keys are out of reach */

static int refused_option = -1; /* what the kernel refuses */
static struct tls12_crypto_info_aes_gcm_128 given[3];
static int calls;

int setsockopt(int file, int level, int option, const void *value, socklen_t length) {
    (void)file;
    calls++;
    if (option == refused_option)
        return -1;
    if (level == SOL_TLS && length == sizeof given[0])
        memcpy(&given[option], value, length);
    return 0;
}

static void expect(bool holds, const char *sentence) {
    if (holds)
        return;
    fprintf(stderr, "kernel-tls-test: %s\n", sentence);
    exit(EXIT_FAILURE);
}

static const unsigned char client_secret[] = {0x9e, 0x40, 0x64, 0x6c, 0xe7, 0x9a, 0x7f, 0x9d, 0xc0, 0x5a, 0xf8,
                                              0x88, 0x9b, 0xce, 0x65, 0x52, 0x87, 0x5a, 0xfa, 0x0b, 0x06, 0xdf,
                                              0x00, 0x87, 0xf7, 0x92, 0xeb, 0xb7, 0xc1, 0x75, 0x04, 0xa5};
static const unsigned char server_secret[] = {0xa1, 0x1a, 0xf9, 0xf0, 0x55, 0x31, 0xf8, 0x56, 0xad, 0x47, 0x11,
                                              0x6b, 0x45, 0xa9, 0x50, 0x32, 0x82, 0x04, 0xb4, 0xf4, 0x4b, 0xfb,
                                              0x6b, 0x3a, 0x4b, 0x4f, 0x1f, 0x3f, 0xcb, 0x63, 0x16, 0x43};
/* Each as the kernel has it: a salt of four bytes, the rest of the initialization vector, the key. */
static const unsigned char client_keys[] = {0x5b, 0x78, 0x92, 0x3d, 0xee, 0x08, 0x57, 0x90, 0x33, 0xe5,
                                            0x23, 0xd9, 0x17, 0x42, 0x2d, 0xda, 0x59, 0x6e, 0xd5, 0xd9,
                                            0xac, 0xd8, 0x90, 0xe3, 0xc6, 0x3f, 0x50, 0x51};
static const unsigned char server_keys[] = {0xcf, 0x78, 0x2b, 0x88, 0xdd, 0x83, 0x54, 0x9a, 0xad, 0xf1,
                                            0xe9, 0x84, 0x9f, 0x02, 0x28, 0x3b, 0x6c, 0x9c, 0x07, 0xef,
                                            0xc2, 0x6b, 0xb9, 0xf2, 0xac, 0x92, 0xe3, 0x56};

static bool has(int direction, const unsigned char *keys, unsigned char number) {
    const struct tls12_crypto_info_aes_gcm_128 *info = &given[direction];
    const unsigned char sequence[8] = {0, 0, 0, 0, 0, 0, 0, number};
    return info->info.version == TLS_1_3_VERSION && info->info.cipher_type == TLS_CIPHER_AES_GCM_128 &&
           memcmp(info->salt, keys, 4) == 0 && memcmp(info->iv, keys + 4, 8) == 0 &&
           memcmp(info->key, keys + 12, 16) == 0 && memcmp(info->rec_seq, sequence, 8) == 0;
}

int main(void) {
    static mbedtls_ssl_context ssl;
    static mbedtls_ssl_session session;
    static unsigned char in_number[8];
    uint32_t refused = 0;
    expect(psa_crypto_init() == PSA_SUCCESS, "there are no random numbers");
    ssl.session = &session;
    ssl.tls_version = MBEDTLS_SSL_VERSION_TLS1_3;
    ssl.in_ctr = in_number;
    ssl.cur_out_ctr[7] = 1; /* a session ticket */
    session.ciphersuite = MBEDTLS_TLS1_3_AES_128_GCM_SHA256;
    memcpy(session.app_secrets.client_application_traffic_secret_N, client_secret, sizeof client_secret);
    memcpy(session.app_secrets.server_application_traffic_secret_N, server_secret, sizeof server_secret);
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_BEGUN && refused == 0, "the kernel does not begin");
    expect(has(TLS_RX, client_keys, 0), "what the client encrypts is not decrypted");
    expect(has(TLS_TX, server_keys, 1), "what is sent is not encrypted");
    refused_option = TLS_TX;
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_BROKEN, "half a connection has begun");
    ssl.out_left = 1;
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_REFUSED && refused == 0, "half a record is forgotten");
    ssl.out_left = 0;
    refused_option = TCP_ULP; /* the client has sent FIN */
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_REFUSED && refused == 0, "a client's end is a refusal");
    refused_option = TLS_RX;
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_REFUSED && refused != 0, "a refusal is not noted");
    calls = 0;
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_REFUSED && calls == 0, "a cipher is tried again");
    ssl.tls_version = MBEDTLS_SSL_VERSION_TLS1_2;
    refused = 0;
    expect(kernel_tls_begin(&ssl, 9, &refused) == KERNEL_TLS_REFUSED && calls == 0 && refused == 0,
           "TLS 1.2 is given to the kernel");
    return EXIT_SUCCESS;
}

#else

int main(void) {
    return EXIT_SUCCESS;
}

#endif
