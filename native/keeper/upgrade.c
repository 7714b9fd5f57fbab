#define _GNU_SOURCE 1
#include "keeper/upgrade.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keeper/keeper_state.h"

#define VARIABLE "NOUND_KEPT" /* the descriptor of the file in memory with what is left */
#define GONE " (deleted)"     /* what the kernel appends to the path of a file that was replaced */

/* What is before the table of what is kept. Another version of the program may have another table. */
struct table_header {
    uint32_t magic, size, places;
    unsigned generation;
    pid_t asker;
    int left;
};
#define TABLE_MAGIC 0x6e6f6b32U

/* path: is set to that of the new file, PATH_MAX bytes. Returns whether there is one. */
static bool find_file(char *path) {
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    const size_t end = strlen(GONE);
    if (length <= (ssize_t)end)
        return false;
    path[length] = '\0';
    char *rest = path + length - end;
    if (strcmp(rest, GONE) != 0)
        return false;
    *rest = '\0';
    return access(path, X_OK) == 0;
}

void upgrade_run(char **argv) {
    char path[PATH_MAX];
    if (find_file(path))
        execv(path, argv);
}

/* Has the next program inherit what is kept, or no longer. */
static void pass_on(bool passes) {
    const int flags = passes ? 0 : FD_CLOEXEC;
    for (size_t i = 0; i < keeper.places; i++)
        if (keeper.kept[i].born != 0 && keeper.kept[i].fd >= 0)
            (void)fcntl(keeper.kept[i].fd, F_SETFD, flags); /* cannot fail: it is open */
    if (keeper.left >= 0)
        (void)fcntl(keeper.left, F_SETFD, flags);
}

void upgrade_keeper(char **argv, pid_t asker) {
    char path[PATH_MAX], number[16];
    const size_t size = keeper.places * sizeof *keeper.kept;
    const struct table_header header = {
        TABLE_MAGIC, sizeof *keeper.kept, (uint32_t)keeper.places, keeper.generation, asker, keeper.left};
    int fd = find_file(path) ? memfd_create("nound-kept", 0) : -1;
    if (fd < 0)
        return;
    snprintf(number, sizeof number, "%d", fd);
    pass_on(true);
    if (write(fd, &header, sizeof header) == (ssize_t)sizeof header && write(fd, keeper.kept, size) == (ssize_t)size &&
        setenv(VARIABLE, number, 1) == 0)
        execv(path, argv);
    unsetenv(VARIABLE);
    pass_on(false);
    close(fd);
}

bool upgrade_take_over(pid_t *asker) {
    const char *number = getenv(VARIABLE);
    struct table_header header;
    *asker = 0;
    if (!number)
        return true;
    const int fd = (int)strtol(number, NULL, 10);
    unsetenv(VARIABLE);
    if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header || header.magic != TABLE_MAGIC ||
        header.size != sizeof *keeper.kept || header.places > MOST_KEPT)
        return false;
    const size_t size = header.places * sizeof *keeper.kept;
    if (pread(fd, keeper.kept, size, sizeof header) != (ssize_t)size)
        return false;
    close(fd);
    keeper.places = header.places;
    keeper.generation = header.generation;
    keeper.left = header.left;
    *asker = header.asker;
    pass_on(false);
    return true;
}
