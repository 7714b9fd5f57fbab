#define _GNU_SOURCE 1
#include "files/file_text.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/descriptor.h"
#include "text/utf8.h"

char *file_text_read(int fd, size_t limit, size_t *length) {
    struct stat status;
    if (fstat(fd, &status) < 0)
        return NULL;
    errno = S_ISREG(status.st_mode) ? EFBIG : EISDIR;
    if (!S_ISREG(status.st_mode) || status.st_size > (off_t)limit)
        return NULL;
    /* One byte more than allowed: files of /proc and /sys say 0, and any may have grown since. */
    size_t capacity = (status.st_size > 0 ? (size_t)status.st_size : limit) + 1;
    char *text = malloc(capacity);
    ssize_t count = text ? descriptor_read(fd, text, capacity) : -1;
    if (count >= 0 && (size_t)count < capacity && utf8_is_valid(text, (size_t)count)) {
        *length = (size_t)count;
        text[count] = '\0';
        return text;
    }
    if (count >= 0)
        errno = (size_t)count < capacity ? EILSEQ : EFBIG;
    free(text);
    return NULL;
}
