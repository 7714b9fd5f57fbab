#define _GNU_SOURCE 1
#include "files/file_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/utf8.h"

const char *file_open_reason(int error) {
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "there is no such file";
    case EACCES:
    case EPERM:
        return "this user has no permission, or the program's restrictions do not allow it";
    case ELOOP:
    case ENAMETOOLONG:
        return "its path is too long";
    case ENXIO: /* of a socket's path */
    case EISDIR:
        return "it is not a regular file";
    default:
        return strerror(error);
    }
}

const char *file_reason(int error) {
    switch (error) {
    case EINVAL:
    case ERANGE:
        return "the kernel refuses this value";
    case EAGAIN:
    case ENODATA:
        return "there is no value now";
    case EBUSY:
        return "the device is in use by another program or by the kernel";
    case ENODEV:
        return "the device is gone";
    case EIO:
    case ENXIO:
    case EREMOTEIO:
    case ETIMEDOUT:
        return "the device does not answer";
    default:
        return strerror(error);
    }
}

/* Reads up to `capacity` bytes to the end of the file. Returns how many, or -1 with errno set. */
static ssize_t read_whole(int fd, char *bytes, size_t capacity) {
    size_t length = 0;
    while (length < capacity) {
        ssize_t count = read(fd, bytes + length, capacity - length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        length += (size_t)count;
    }
    return (ssize_t)length;
}

char *file_text_read(int fd, size_t limit, size_t *length, const char **reason) {
    struct stat status;
    if (fstat(fd, &status) < 0) {
        *reason = file_reason(errno);
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        *reason = "it is not a regular file";
        return NULL;
    }
    *reason = "it is too large";
    if (status.st_size > (off_t)limit)
        return NULL;
    /* One byte more than allowed: files of /proc and /sys say 0, and any may have grown since. */
    size_t capacity = (status.st_size > 0 ? (size_t)status.st_size : limit) + 1;
    char *text = malloc(capacity);
    ssize_t count = text ? read_whole(fd, text, capacity) : -1;
    if (count >= 0 && (size_t)count < capacity && utf8_is_valid(text, (size_t)count)) {
        *length = (size_t)count;
        return text;
    }
    if (count < 0)
        *reason = file_reason(errno);
    else if ((size_t)count < capacity)
        *reason = "it is not UTF-8";
    free(text);
    return NULL;
}
