#include "base/descriptor.h"

#include <errno.h>
#include <unistd.h>

void descriptor_close(int fd) {
    const int error = errno;
    if (fd >= 0)
        close(fd); /* also after an error, the descriptor is free (close(2)) */
    errno = error;
}

ssize_t descriptor_read(int fd, void *bytes, size_t capacity) {
    size_t length = 0;
    while (length < capacity) {
        const ssize_t count = UNINTERRUPTED(read(fd, (char *)bytes + length, capacity - length));
        if (count == 0)
            break;
        if (count < 0)
            return -1;
        length += (size_t)count;
    }
    return (ssize_t)length;
}

bool descriptor_write(int fd, const void *bytes, size_t length) {
    for (size_t written = 0; written < length;) {
        const ssize_t count = UNINTERRUPTED(write(fd, (const char *)bytes + written, length - written));
        if (count < 0)
            return false;
        written += (size_t)count;
    }
    return true;
}

bool descriptor_write_value(int fd, const void *bytes, size_t length) {
    const ssize_t count = UNINTERRUPTED(write(fd, bytes, length));
    if (count >= 0)
        errno = EIO;
    return count == (ssize_t)length;
}
