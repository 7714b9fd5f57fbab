/* Operations on a descriptor of any kind. */
#ifndef NOUND_DESCRIPTOR_H
#define NOUND_DESCRIPTOR_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Makes a system call again while a signal interrupts it. Returns what it returned. */
#define UNINTERRUPTED(call)                                                                                            \
    ({                                                                                                                 \
        __typeof__(call) uninterrupted_result;                                                                         \
        do                                                                                                             \
            uninterrupted_result = (call);                                                                             \
        while (uninterrupted_result < 0 && errno == EINTR);                                                            \
        uninterrupted_result;                                                                                          \
    })

/* Closes a descriptor, which may be -1. Keeps errno, for the failure that closing follows. */
void descriptor_close(int fd);

/* Reads up to `capacity` bytes, to the end of the file. Returns how many, or -1 with errno set. */
ssize_t descriptor_read(int fd, void *bytes, size_t capacity);

/* Writes all bytes. Returns false with errno set. */
bool descriptor_write(int fd, const void *bytes, size_t length);

/* Writes once, as an attribute of the kernel takes a value. Returns false with errno set; EIO if a part was written. */
bool descriptor_write_value(int fd, const void *bytes, size_t length);

#endif
