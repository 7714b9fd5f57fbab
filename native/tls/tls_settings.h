/* The settings of encrypted connections, as the configuration names them. */
#ifndef NOUND_TLS_SETTINGS_H
#define NOUND_TLS_SETTINGS_H

#include <stdint.h>

#define TLS_PATH 256      /* bytes of a path, with the NUL */
#define TLS_NAME 256      /* bytes of a name, with the NUL: a name has 253 characters (RFC 1035, 2.3.4) */
#define TLS_ALPN 128      /* bytes of the names of protocols, each with its NUL, and one more */
#define TLS_MOST_PINS 8   /* keys that are accepted */
#define TLS_HASH_BYTES 32 /* of SHA-256 */

struct tls_settings {
    char authorities[TLS_PATH]; /* the file with the authorities' certificates; "" with pins */
    char certificate[TLS_PATH]; /* the file with the own certificate and those between; "" for none */
    char key[TLS_PATH];         /* the file with its key */
    char name[TLS_NAME];        /* to verify and to send; "" for the target's host */
    char alpn[TLS_ALPN];        /* names of protocols, each with its NUL; "" after the last one */
    uint32_t pin_count;
    uint8_t pins[TLS_MOST_PINS][TLS_HASH_BYTES]; /* SHA-256 of the public keys that are accepted */
};

#endif
