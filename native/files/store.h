/* Small files in a folder that are replaced whole: after a crash or a loss of power there is the old one or the new. */
#ifndef NOUND_STORE_H
#define NOUND_STORE_H

#include <stdbool.h>
#include <stddef.h>

struct account;
struct failure;

#define STORE_LIMIT 65536 /* bytes of a text */

/*
 * Opens a folder, or makes it (mode 0700) if its parent exists. Removes texts that a crash left half written. Root
 * opens only one that nobody else may write to (file_trust.h).
 * account: the owner of a new folder, if an account was chosen.
 * Returns a descriptor, or -1: with `distrust` noted when the folder must not be trusted, else without and errno
 * set.
 */
int store_open(const char *path, const struct account *account, struct failure *distrust);

/* Returns whether a name can be one of a text: letters, digits and `. _ ~ -`, no dot at the beginning, 200 at most. */
bool store_name_is_valid(const char *name);

/* Reads a text. Returns it with a NUL behind it, for free(3), or NULL with errno set if there is none within the limit.
 */
char *store_read(int folder, const char *name, size_t *length);

/* Writes a text instead of the one before. Returns false with errno set; the old text then still exists. */
bool store_write(int folder, const char *name, const char *text, size_t length);

/* Deletes a text. There may be none. Returns false with errno set. */
bool store_remove(int folder, const char *name);

/* Calls back with the name of each text. Returns false with errno set, or when a call has returned false. */
bool store_list(int folder, bool (*each)(void *context, const char *name), void *context);

#endif
