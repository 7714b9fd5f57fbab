/* Attributes of the kernel's sysfs: small texts, each read and written whole (Documentation/filesystems/sysfs.rst). */
#ifndef NOUND_SYSFS_ATTRIBUTE_H
#define NOUND_SYSFS_ATTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>

#define SYSFS_PAGE 4096 /* bytes an attribute has at most */

/*
 * Returns whether a name is one of a file or folder of sysfs: letters, digits and `: . _ - @ ,`, no dot at the
 * beginning, so that it leads nowhere else.
 */
bool sysfs_name_is_valid(const char *name);

/*
 * Reads an attribute of a folder, without the line end.
 * text: room for SYSFS_PAGE + 1 bytes, with the NUL. Returns false with errno set.
 */
bool sysfs_read(int folder, const char *attribute, char *text);

/* Writes an attribute of a folder. Returns false with errno set; EIO when the kernel took a part only. */
bool sysfs_write(int folder, const char *attribute, const char *text);

/*
 * Opens a folder in a folder, and waits for half a second at most until it is there and this user may write all of its
 * attributes that anyone may: udev gives them to their group a moment after the kernel has made them.
 * Returns a descriptor, also when the permissions stay as they are, or -1 with errno set.
 */
int sysfs_await_folder(int folder, const char *name);

#endif
