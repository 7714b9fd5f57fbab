/* Files read whole as text: configurations, attributes of the kernel. */
#ifndef NOUND_FILE_TEXT_H
#define NOUND_FILE_TEXT_H

#include <stddef.h>

/*
 * Reads an open file whole. It must be a regular one and strict UTF-8.
 * limit: bytes it may have.
 * Returns its text, for free(), or NULL with the reason.
 */
char *file_text_read(int fd, size_t limit, size_t *length, const char **reason);

/* Returns why a file could not be opened, for people. */
const char *file_open_reason(int error);

/* Returns why an open file could not be read or written, for people. */
const char *file_reason(int error);

#endif
