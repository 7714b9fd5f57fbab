#define _GNU_SOURCE 1
#include "keeper/jail.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes the numbers of the line "NSpid:", the last of which is the process's own. */
static void take_numbers(struct jailed_process *process, const char *line) {
    char *end;
    for (line += strspn(line, " \t"); *line >= '0' && *line <= '9'; line = end + strspn(end, " \t")) {
        process->number = strtol(line, &end, 10);
        process->depth++;
    }
}

bool jail_read_process(long id, struct jailed_process *process) {
    char path[64], line[256];
    *process = (struct jailed_process){.id = id, .number = id};
    snprintf(path, sizeof path, "/proc/%ld/status", id);
    FILE *status = fopen(path, "re");
    if (!status)
        return false;
    while (fgets(line, sizeof line, status)) {
        if (sscanf(line, "PPid: %ld", &process->parent) != 1 && sscanf(line, "Uid: %lu", &process->user) != 1 &&
            strncmp(line, "NSpid:", 6) == 0)
            take_numbers(process, line + 6);
    }
    fclose(status);
    return true;
}

void jail_enter(struct jailed_process *process) {
    struct jailed_process child;
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes && (entry = readdir(processes));) {
        const long id = strtol(entry->d_name, NULL, 10);
        if (id > 0 && jail_read_process(id, &child) && child.parent == process->id && child.depth > process->depth) {
            *process = child;
            break;
        }
    }
    if (processes)
        closedir(processes);
}

bool jail_join(const struct jailed_process *process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/ns/pid", process->id);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const int status = setns(fd, CLONE_NEWPID);
    close(fd);
    return status == 0;
}
