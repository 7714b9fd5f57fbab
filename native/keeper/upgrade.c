#define _GNU_SOURCE 1
#include "keeper/upgrade.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/log_output.h"
#include "keeper/keeper_state.h"
#include "trust/file_trust.h"

#define VARIABLE "NOUND_KEPT" /* the descriptor of the file in memory with what is left */
#define GONE " (deleted)"     /* what the kernel appends to the path of a file that was replaced */
#define PREVIOUS ".previous"  /* what an installer appends to the path of the program that it replaces */
#define OWN_PROGRAM "/proc/self/exe"

/* What is before the table of what is kept. Another version of the program may have another table. */
struct table_header {
    uint32_t magic, size, places;
    unsigned generation;
    pid_t asker;
    int left;
    int previous; /* the program before, to go back to, or -1 */
    dev_t device; /* with `file`: the program that was given up */
    ino_t file;   /* or 0 */
};
#define TABLE_MAGIC 0x6e6f6b33U

static ssize_t read_own_path(char path[PATH_MAX]) {
    const ssize_t length = readlink(OWN_PROGRAM, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length;
}

/* Cuts a suffix off. Returns whether it was there. */
static bool cut(char *path, const char *suffix) {
    char *end = path + strlen(path) - strlen(suffix);
    if (end <= path || strcmp(end, suffix) != 0)
        return false;
    *end = '\0';
    return true;
}

/* Opens a program, as root only if it trusts the file. Returns -1 without one. */
static int open_program(const char *path, bool *distrusted) {
    struct failure distrust = {0};
    const int fd =
        geteuid() == 0 ? file_trust_open(path, O_PATH, 0, &distrust) : open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    *distrusted = distrust.what != 0;
    return fd;
}

/* Returns whether a program has the variable's name in it, without which it takes over nothing. */
static bool can_take_over(int program) {
    char path[64], bytes[16384 + sizeof VARIABLE];
    struct stat status;
    snprintf(path, sizeof path, "/proc/self/fd/%d", program);
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return errno == EACCES; /* a program that may only be run is run */
    const bool is_regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    bool has_name = false;
    ssize_t length = 0;
    /* Each read begins with the end of the one before, in which the name may begin. */
    for (off_t at = 0; is_regular && !has_name && (length = pread(file, bytes, sizeof bytes, at)) > 0;
         at += (off_t)(sizeof bytes - sizeof VARIABLE))
        has_name = memmem(bytes, (size_t)length, VARIABLE, sizeof VARIABLE) != NULL;
    close(file);
    return has_name;
}

int upgrade_open(bool *refused) {
    char path[PATH_MAX];
    struct stat status;
    read_own_path(path);
    *refused = false;
    const bool is_gone = cut(path, GONE), is_previous = cut(path, PREVIOUS);
    if (!is_gone && !is_previous)
        return -1;
    const int fd = open_program(path, refused);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_ino == keeper.failed_file &&
        status.st_dev == keeper.failed_device) {
        close(fd);
        return -1;
    }
    if (fd >= 0 && !can_take_over(fd)) {
        log_output_print("nound: not reloaded: the new program %s is no nound", path);
        close(fd);
        *refused = true;
        return -1;
    }
    if (!*refused)
        return fd;
    log_output_print("nound: not reloaded: root cannot trust the new program %s: another user may write to it, or to a "
                     "folder on its path",
                     path);
    return -1;
}

int upgrade_open_previous(int64_t made_after) {
    char path[PATH_MAX + sizeof PREVIOUS];
    struct stat status;
    bool distrusted;
    if (read_own_path(path) <= 0)
        return -1;
    memcpy(path + strlen(path), PREVIOUS, sizeof PREVIOUS);
    const int fd = open_program(path, &distrusted);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_ctime >= made_after)
        return fd;
    descriptor_close(fd);
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

void upgrade_keeper(int program, char **argv, pid_t asker, bool goes_back) {
    char number[16];
    struct stat status = {0};
    const size_t size = keeper.places * sizeof *keeper.kept;
    struct table_header header = {.magic = TABLE_MAGIC,
                                  .size = sizeof *keeper.kept,
                                  .places = (uint32_t)keeper.places,
                                  .generation = keeper.generation,
                                  .asker = asker,
                                  .left = keeper.left,
                                  .previous = -1};
    int fd = memfd_create("nound-kept", 0);
    if (fd < 0)
        return;
    if (!goes_back) {
        header.previous = open(OWN_PROGRAM, O_PATH); /* or -1: then nobody goes back */
    } else if (stat(OWN_PROGRAM, &status) == 0) {
        header.device = status.st_dev;
        header.file = status.st_ino;
    }
    snprintf(number, sizeof number, "%d", fd);
    pass_on(true);
    if (write(fd, &header, sizeof header) == (ssize_t)sizeof header && write(fd, keeper.kept, size) == (ssize_t)size &&
        setenv(VARIABLE, number, 1) == 0)
        fexecve(program, argv, environ);
    unsetenv(VARIABLE);
    pass_on(false);
    descriptor_close(header.previous);
    close(fd);
}

bool upgrade_take_over(pid_t *asker, int *previous) {
    const char *number = getenv(VARIABLE);
    struct table_header header;
    *asker = 0;
    *previous = -1;
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
    *previous = header.previous;
    if (header.previous >= 0)
        (void)fcntl(header.previous, F_SETFD, FD_CLOEXEC); /* cannot fail: it is open */
    keeper.failed_device = header.device;
    keeper.failed_file = header.file;
    pass_on(false);
    return true;
}
