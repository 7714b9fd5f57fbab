/*
 * The system calls that are left to the process of an encrypted connection (tls/tls_session.h), while it reads what a
 * peer sends: to move bytes of sockets that are open, to pass one of them, to wait, and to end. It opens and connects
 * nothing.
 */
#include "guard/seccomp_table.h"

static const unsigned allowed[] = {
    SYS_sendto,
    SYS_sendmsg,
#ifdef SYS_send
    SYS_send,
#endif
    SYS_shutdown,
    SYS_pread64, /* the files of the settings, which are open */
};

const struct seccomp_table seccomp_tls = {.base = &seccomp_base, .allowed = allowed, .allowed_count = COUNT(allowed)};
