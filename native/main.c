/* Starts the program: makes the process safe, then evaluates the embedded script and runs the loop. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sysexits.h>
#include <unistd.h>

#include "acceptor/acceptor_process.h"
#include "base/log_output.h"
#include "base/stack.h"
#include "connector/connector_process.h"
#include "engine/constant_pages.h"
#include "engine/script.h"
#include "guard/privileges.h"
#include "keeper/keeper_process.h"
#include "program.h"

/*
 * Opens /dev/null for each of the descriptors 0, 1 and 2 that is closed at the start. Otherwise a socket could get that
 * number, and messages would be written to it. open(2) returns the lowest free one.
 */
static bool open_standard_files(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

/*
 * Releases the pages that only the start needed: those of the segments that are never written to. If such a page is
 * needed again, the kernel maps it from its cache of the file. The program headers say where the segments are. The
 * linker's `etext` does not: it is after the data if a script was put into the file as another segment.
 */
static int release_constants(struct dl_phdr_info *program, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W))
            constant_pages_release((const uint8_t *)(program->dlpi_addr + segment->p_vaddr), segment->p_memsz);
    }
    return 1; /* the program is the first of the objects; the others do not matter */
}

static keeper_run_helper *const run_helpers[KEEPER_HELPERS] = {
    [KEEPER_CONNECTOR] = connector_run_plan,
    [KEEPER_ACCEPTOR] = acceptor_run_plan,
};

int main(int argc, char **argv) {
    if (!open_standard_files() || !stack_reserve())
        return EX_OSERR;
    /* Every send says MSG_NOSIGNAL already; this is for standard output and error. */
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
        return EX_OSERR;
    /* A limit on the size of files (RLIMIT_FSIZE) then makes the write fail, like a full disk, and does not end the
     * process. */
    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
        return EX_OSERR;
    if (!privileges_harden()) {
        fprintf(stderr, "nound: cannot start with few privileges: %s\n", strerror(errno));
        return EX_OSERR;
    }
    log_output_open();
    int status;
    if (!keeper_run(&argc, &argv, run_helpers, &status))
        return status;
    if (!nound_script()) {
        fputs("nound: cannot start: this program has no application in it, or one that is damaged\n", stderr);
        return EX_SOFTWARE;
    }
    struct runtime *runtime = program_create(argc, argv);
    if (!runtime) {
        fprintf(stderr, "nound: cannot start: %s\n", strerror(errno));
        return EX_OSERR;
    }
    runtime_evaluate(runtime);
    (void)dl_iterate_phdr(release_constants, NULL);
    status = program_run(runtime);
    program_free(runtime);
    return status;
}
