#define _GNU_SOURCE 1
#include "acceptor/farewell.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/monotonic_clock.h"
#include "base/sol_tls.h"

#define LONGEST 60000 /* ms in all, as long as an idle connection may last */
#define LINGER 10000  /* ms without progress, or in all while somebody waits for the place */
#define GLANCE 500    /* ms without progress while somebody waits */
#define ALERT 21      /* RFC 8446, 5.1 */
#define RECORD 1      /* TLS_SET_RECORD_TYPE of <linux/tls.h> */

/* Returns false when the kernel takes nothing more of this connection. */
static bool say(struct farewell *farewell, int peer) {
    unsigned char close_notify[] = {1, 0};
    union {
        char bytes[CMSG_SPACE(1)];
        struct cmsghdr header; /* aligns */
    } control = {.header = {.cmsg_level = SOL_TLS, .cmsg_type = RECORD, .cmsg_len = CMSG_LEN(1)}};
    struct iovec text = {.iov_base = close_notify, .iov_len = sizeof close_notify};
    const struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *CMSG_DATA(&control.header) = ALERT;
    farewell->is_said = sendmsg(peer, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
    return farewell->is_said || errno == EAGAIN || errno == EINTR;
}

void farewell_begin(struct farewell *farewell, int peer) {
    if (farewell->is_begun)
        return;
    const int64_t now = monotonic_clock();
    *farewell = (struct farewell){.is_begun = true, .began = now, .changed = now};
    (void)say(farewell, peer); /* farewell_go_on says it again */
}

bool farewell_go_on(struct farewell *farewell, int peer, bool is_wanted) {
    const int64_t now = monotonic_clock();
    int left;
    if ((!farewell->is_said && !say(farewell, peer)) || ioctl(peer, SIOCOUTQ, &left) < 0)
        return false;
    if (left != farewell->left)
        farewell->changed = now;
    farewell->left = left;
    if (left > 0 || !farewell->is_said)
        farewell->empty = 0;
    else if (farewell->empty == 0)
        farewell->empty = now;
    /* The kernel sends the rest of a record some time after TCP has room again. */
    if (farewell->empty != 0 && now - farewell->empty >= FAREWELL_LOOK) {
        (void)shutdown(peer, SHUT_WR); /* unless it is at its end */
        return false;
    }
    return now - farewell->changed < (is_wanted ? GLANCE : LINGER) &&
           now - farewell->began < (is_wanted ? LINGER : LONGEST);
}
