/*
 * The kernel's own TLS (Documentation/networking/tls.rst of Linux): after a handshake it takes the keys of the records,
 * and whoever has the socket reads and writes in clear text.
 */
#ifndef NOUND_KERNEL_TLS_H
#define NOUND_KERNEL_TLS_H

#include <stdbool.h>
#include <stdint.h>

struct mbedtls_ssl_context;

/* Returns whether the kernel has TLS. With the rights for it, this loads the kernel's module. */
bool kernel_tls_exists(void);

enum kernel_tls {
    KERNEL_TLS_REFUSED, /* the connection is as it was */
    KERNEL_TLS_BEGUN,   /* nothing here may read or write it any more */
    KERNEL_TLS_BROKEN,  /* one direction alone has begun: the connection is lost */
};

/*
 * Gives the kernel the keys of a connection of TLS 1.3, right after the handshake.
 * refused: the ciphers that the kernel has refused before, a bit each, which are not tried again; receives another one.
 */
enum kernel_tls kernel_tls_begin(const struct mbedtls_ssl_context *ssl, int peer, uint32_t *refused);

#endif
