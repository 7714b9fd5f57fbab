#include "net/long_lived.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>

void long_lived_set(int fd) {
    static const struct {
        int level, option, value;
    } options[] = {
        {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, 8},         /* s */
        {IPPROTO_TCP, TCP_KEEPINTVL, 4},        /* s */
        {IPPROTO_TCP, TCP_KEEPCNT, 3},          /* where there is no TCP_USER_TIMEOUT: 20 s */
        {IPPROTO_TCP, TCP_USER_TIMEOUT, 11500}, /* ms */
        {IPPROTO_TCP, TCP_NOTSENT_LOWAT, 4096},
    };
    /* An old kernel or a Unix socket does not have the option. That does no harm. */
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        (void)setsockopt(fd, options[i].level, options[i].option, &options[i].value, sizeof options[i].value);
}
