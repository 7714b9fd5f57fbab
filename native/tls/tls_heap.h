/*
 * The memory of Mbed TLS in the process of a connection. A handshake needs three times the memory of the connection
 * after it. The C library would keep that; this heap places blocks as low as it can, and releases the pages between.
 */
#ifndef NOUND_TLS_HEAP_H
#define NOUND_TLS_HEAP_H

#include <stddef.h>

/* As calloc(3) and free(3). There is room for 256 KB. */
void *tls_heap_calloc(size_t count, size_t size);
void tls_heap_free(void *block);

/* Releases the pages that no block needs. */
void tls_heap_trim(void);

#endif
