/* Files read whole as text: configurations, attributes of the kernel. */
#ifndef NOUND_FILE_TEXT_H
#define NOUND_FILE_TEXT_H

#include <stddef.h>

/*
 * Reads an open file whole. It must be a regular one and strict UTF-8.
 * limit: bytes it may have.
 * Returns its text and a NUL, for free(), or NULL with errno set: EISDIR, EFBIG and EILSEQ for what it must not be.
 */
char *file_text_read(int fd, size_t limit, size_t *length);

#endif
