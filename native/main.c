/* Starts the program: makes the process safe, then evaluates the embedded script and runs the loop. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "log_output.h"
#include "privileges.h"
#include "runtime.h"
#include "script.h"

/*
 * Opens /dev/null for each of the descriptors 0, 1 and 2 that came closed, so that no socket gets their number and is
 * written to by mistake. open(2) returns the lowest free one.
 */
static bool open_standard_files(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

int main(int argc, char **argv) {
    if (!open_standard_files())
        return EX_OSERR;
    /* Every send says MSG_NOSIGNAL already; this is for standard output and error. */
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
        return EX_OSERR;
    /* A limit on the size of files (RLIMIT_FSIZE) is then an error of the write, like a full disk, and not the end. */
    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
        return EX_OSERR;
    if (!privileges_harden()) {
        fprintf(stderr, "nound: cannot start with few privileges: %s\n", strerror(errno));
        return EX_OSERR;
    }
    log_output_open();
    struct runtime *runtime = runtime_create(argc, argv);
    if (!runtime) {
        fprintf(stderr, "nound: cannot start: %s\n", strerror(errno));
        return EX_OSERR;
    }
    runtime_evaluate(runtime, nound_script, nound_script_size, nound_script_is_bytecode);
    int status = runtime_run(runtime);
    runtime_free(runtime);
    return status;
}
