/* Random numbers of the kernel, for Mbed TLS. */
#ifndef NOUND_TLS_RANDOM_H
#define NOUND_TLS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Makes random numbers possible in a process that can open no file any more. Returns false with errno set. */
bool tls_random_open(void);

/* As f_rng of mbedtls_ssl_conf_rng. */
int tls_random(void *context, unsigned char *bytes, size_t length);

#endif
