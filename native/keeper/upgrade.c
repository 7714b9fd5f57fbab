#define _GNU_SOURCE 1
#include "keeper/upgrade.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine/log_output.h"
#include "keeper/keeper_state.h"
#include "trust/file_trust.h"

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

static ssize_t read_own_path(char path[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length;
}

int upgrade_open(bool *distrusted) {
    char path[PATH_MAX];
    struct failure distrust = {0};
    char *end = path + read_own_path(path) - strlen(GONE);
    *distrusted = false;
    if (end <= path || strcmp(end, GONE) != 0)
        return -1;
    *end = '\0';
    const int fd =
        geteuid() == 0 ? file_trust_open(path, O_PATH, 0, &distrust) : open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (!distrust.what)
        return fd;
    *distrusted = true;
    char text[PATH_MAX + 160];
    const int length = snprintf(text,
                                sizeof text,
                                "nound: not reloaded: root cannot trust the new program %s: another user may write to "
                                "it, or to a folder on its path",
                                path);
    log_output_line(text, (size_t)length);
    return -1;
}

void upgrade_run(int program, char **argv) {
    fexecve(program, argv, environ);
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

void upgrade_keeper(int program, char **argv, pid_t asker) {
    char number[16];
    const size_t size = keeper.places * sizeof *keeper.kept;
    const struct table_header header = {
        TABLE_MAGIC, sizeof *keeper.kept, (uint32_t)keeper.places, keeper.generation, asker, keeper.left};
    int fd = memfd_create("nound-kept", 0);
    if (fd < 0)
        return;
    snprintf(number, sizeof number, "%d", fd);
    pass_on(true);
    if (write(fd, &header, sizeof header) == (ssize_t)sizeof header && write(fd, keeper.kept, size) == (ssize_t)size &&
        setenv(VARIABLE, number, 1) == 0)
        fexecve(program, argv, environ);
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
    char path[PATH_MAX];
    const char *slash = read_own_path(path) > 0 ? strrchr(path, '/') : NULL;
    prctl(PR_SET_NAME, slash ? slash + 1 : "nound", 0L, 0L, 0L); /* fexecve(3) has set the number of a descriptor */
    unsetenv(VARIABLE);
    if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header || header.magic != TABLE_MAGIC ||
        header.size != sizeof *keeper.kept || !keeper_make_room(header.places))
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
