/*
 * A program whose script can try system calls that a restricted program must not make: `tryCalls()` returns the error
 * number of each by its name, 0 where it went through. What a call needs is made before the script runs.
 */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "program.h"

static int unbound, file; /* a socket and a file that were open before */
static void *page;

/* Returns 0 for a descriptor, which is closed, or the error number. */
static int error_of_descriptor(int fd) {
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

static int error_of(long result) {
    return result < 0 ? errno : 0;
}

static int try_udp(void) {
    return error_of_descriptor(socket(AF_INET, SOCK_DGRAM, 0));
}

static int try_tcp(void) {
    return error_of_descriptor(socket(AF_INET, SOCK_STREAM, 0));
}

static int try_unix(void) {
    return error_of_descriptor(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int try_pair(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        return errno;
    close(pair[1]);
    return error_of_descriptor(pair[0]);
}

static int try_listen(void) {
    return error_of(listen(unbound, 1));
}

static int try_bind(void) {
    const struct sockaddr_un nowhere = {.sun_family = AF_UNIX};
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC); /* after the restriction Landlock refuses: then -1 is tried */
    int error = error_of(bind(fd, (const struct sockaddr *)&nowhere, sizeof nowhere));
    if (fd >= 0)
        close(fd);
    return error;
}

static int try_connect(void) {
    const struct sockaddr_un nowhere = {.sun_family = AF_UNIX, .sun_path = "/nowhere"};
    return error_of(connect(-1, (const struct sockaddr *)&nowhere, sizeof nowhere));
}

static int try_chmod(void) {
    return error_of(fchmod(file, 0600));
}

static int try_chown(void) {
    return error_of(fchown(file, (uid_t)-1, getegid()));
}

static int try_fork(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child < 0 ? errno : error_of(waitpid(child, NULL, 0));
}

static void *do_nothing(void *opaque) {
    return opaque;
}

static int try_thread(void) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, do_nothing, NULL);
    return error ? error : pthread_join(thread, NULL);
}

static int try_exec(void) {
    char *const none[] = {NULL};
    return error_of(execve("/nowhere", none, none));
}

static int try_ptrace(void) {
    return error_of(ptrace(PTRACE_ATTACH, 0x3fffffff, NULL, NULL));
}

static int try_mount(void) {
    return error_of(mount("none", "/nowhere", "tmpfs", 0, NULL));
}

static int try_kill(void) {
    return error_of(kill(getpid(), 0));
}

static int try_map(void) {
    void *mapped = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mapped == MAP_FAILED ? errno : error_of(munmap(mapped, 4096));
}

static int try_protect(void) {
    return error_of(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int try_prctl(void) {
    return error_of(prctl(PR_SET_NAME, "forbidden"));
}

static int try_setuid(void) {
    return error_of(setuid(getuid()));
}

static const struct {
    const char *name;
    int (*try)(void);
} calls[] = {
    {"a UDP socket", try_udp},
    {"a TCP socket", try_tcp},
    {"a Unix socket", try_unix},
    {"a pair of sockets", try_pair},
    {"listen on an unbound socket", try_listen},
    {"bind", try_bind},
    {"connect", try_connect},
    {"chmod", try_chmod},
    {"chown", try_chown},
    {"fork", try_fork},
    {"a thread", try_thread},
    {"exec", try_exec},
    {"ptrace", try_ptrace},
    {"mount", try_mount},
    {"kill", try_kill},
    {"executable memory", try_map},
    {"memory made executable", try_protect},
    {"prctl", try_prctl},
    {"setuid", try_setuid},
};

static JSValue try_calls(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    JSValue errors = JS_NewObject(context);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && !JS_IsException(errors); i++)
        if (JS_DefinePropertyValueStr(
                context, errors, calls[i].name, JS_NewInt32(context, calls[i].try()), JS_PROP_C_W_E) < 0) {
            JS_FreeValue(context, errors);
            errors = JS_EXCEPTION;
        }
    return errors;
}

/* Adds `tryCalls` to the global object. */
static bool add_function(JSContext *context) {
    JSValue global = JS_GetGlobalObject(context);
    JSValue function = JS_NewCFunction(context, try_calls, "tryCalls", 0);
    bool added = !JS_IsException(function) && JS_SetPropertyStr(context, global, "tryCalls", function) >= 0;
    JS_FreeValue(context, global);
    return added;
}

int main(int argc, char **argv) {
    char name[] = "/tmp/nound-forbidden-XXXXXX";
    unbound = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    file = mkstemp(name);
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (unbound < 0 || file < 0 || page == MAP_FAILED || unlink(name) < 0)
        return EX_OSERR;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
        return EX_OSERR;
    struct runtime *runtime = program_create(argc, argv);
    if (!runtime || !add_function(runtime->context))
        return EX_OSERR;
    runtime_evaluate(runtime);
    int status = program_run(runtime);
    program_free(runtime);
    return status;
}
