#include "keeper/reload_command.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>

#define LONGEST_WAIT 60 /* s */

static socklen_t name_socket(struct sockaddr_un *address, pid_t asker) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "nound-reload-%ld", (long)asker);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

void reload_answer(pid_t asker, bool is_reloaded) {
    struct sockaddr_un address;
    const socklen_t size = name_socket(&address, asker);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)sendto(fd, is_reloaded ? "1" : "0", 1, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address, size);
    close(fd);
}

static int complain(const char *process, const char *what) {
    fprintf(stderr, "nound: cannot reload process %s: %s\n", process, what);
    return EX_UNAVAILABLE;
}

int reload_command(const char *process) {
    char *end, answer = '0';
    const long id = strtol(process, &end, 10);
    const struct timeval longest = {.tv_sec = LONGEST_WAIT};
    struct sockaddr_un address;
    const socklen_t size = name_socket(&address, getpid());
    if (*end != '\0' || id < 2 || id != (pid_t)id)
        return complain(process, "that is not the number of a process");
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest) < 0 || kill((pid_t)id, SIGHUP) < 0)
        return complain(process, strerror(errno));
    if (recv(fd, &answer, sizeof answer, 0) < 0)
        return complain(process, errno == EAGAIN ? "it has not answered within a minute" : strerror(errno));
    return answer == '1' ? EX_OK : complain(process, "nothing has changed; its log says why");
}
