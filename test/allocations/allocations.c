/*
 * Fails every allocation once, as SQLite's tests do: the core and the native layer as one program, under sanitizers,
 * with the application and the clients of test/fuzz.
 *
 *     nound-allocations [--every K] [--part I/J] | --point SCENARIO N FAILURES
 *
 * For each scenario, and for each n, a process of its own has the n-th allocation fail; another one all from the n-th
 * on for a while. Whatever fails: the sanitizers say nothing, every answer is one of the contract's, no 200 is other
 * than without a failure, and afterwards the same server serves and ends in order. The same for the start, which may
 * fail, but in order.
 *
 * --every K takes each K-th n, --part I/J of these the I-th of J equal parts. Prints how many points there were.
 * --point SCENARIO N FAILURES tries one in this very process, where a debugger can look.
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "defect.h"
#include "failing-allocator.h"
#include "loopback.h"
#include "net/net.h"
#include "program.h"
#include "scenario.h"
#include "virtual-time.h"

#define CLIENTS 3
#define A_WHILE 40        /* allocations that fail one after the other in the second pass */
#define MOST_TURNS 20000  /* of the loop without anything new from outside */
#define MOST_SECONDS 120  /* for one process */
#define MOST_DEFECTS 10   /* until it is given up */
#define MOST_ANSWERS 1024 /* that are known */

static struct runtime *runtime;
static JSValue script; /* the object `fuzz` of application.ts */
static char path[64], addresses[3][80];
static int epoll = -1;
static struct client clients[CLIENTS];
static struct {
    char bytes[1 << 18];
    size_t length;
} transcripts[CLIENTS];
static char *known[MOST_ANSWERS]; /* the 200s there are without a failure */
static size_t known_count;

/*
 * What is wrong in the engine and known upstream or to be told there: a null pointer that is followed, so the process
 * ends, or a read behind a buffer. native/guard/memory.c keeps away from it. docs/dev/testing.md says which these are.
 */
static const struct {
    const char *report, *function;
} known_faults[] = {
    {"member access within null pointer of type 'struct JSProperty'", " in JS_NewObjectFromShape "},
    {"member access within null pointer of type 'struct JSImportEntry'", " in js_free_module_def "},
    {"member access within null pointer of type 'struct JSReqModuleEntry'", " in js_free_module_def "},
    {"member access within null pointer of type 'struct JSBoundFunction'", " in js_bound_function_finalizer "},
    {"READ of size 2 at", " in re_need_check_adv_and_capture_init "},
    {"member access within null pointer of type 'struct list_head'", " in resize_properties "},
};

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
int __real_epoll_create1(int flags);
int __wrap_epoll_create1(int flags);

/* A process that ends with a failure to free is no defect here, and looking for leaks takes most of the time. */
const char *__asan_default_options(void) {
    return "detect_leaks=0:malloc_context_size=12:quarantine_size_mb=16:allocator_may_return_null=1";
}

const char *__ubsan_default_options(void) {
    return "print_stacktrace=1";
}

/* A child needs an epoll of its own instead of its parent's. */
int __wrap_epoll_create1(int flags) {
    return epoll = __real_epoll_create1(flags);
}

static bool receive(int index) {
    struct client *client = &clients[index];
    static char bytes[64 * 1024];
    ssize_t length = client->open ? recv(client->fd, bytes, sizeof bytes, MSG_DONTWAIT) : 0;
    if (!client->open || length <= 0) {
        if (client->open && length == 0) {
            close(client->fd);
            client->open = false;
        }
        return false;
    }
    must(transcripts[index].length + (size_t)length < sizeof transcripts[index].bytes, "there is no end of answers");
    memcpy(transcripts[index].bytes + transcripts[index].length, bytes, (size_t)length);
    transcripts[index].length += (size_t)length;
    answers_take(&client->answers, bytes, (size_t)length);
    return true;
}

/* Runs the loop and takes the answers until neither has anything to do, and nothing is on its way between them. Returns
 * whether the loop waits for more. */
static bool settle(void) {
    bool received, waiting;
    int turns;
    do {
        turns = 0;
        loopback_wait();
        failing_allocator_watch(true);
        while ((waiting = program_turn(runtime)) && !virtual_time_would_wait()) {
            failing_allocator_watch(false);
            must(turns++ < MOST_TURNS, "the loop does not come to rest");
            failing_allocator_watch(true);
        }
        failing_allocator_watch(false);
        must(!runtime->failed, "an error ended the program");
        loopback_wait();
        received = false;
        for (int i = 0; i < CLIENTS; i++)
            received = receive(i) || received;
    } while (received || turns > 0);
    return waiting;
}

/* Calls a function of the application. Returns whether it returned. */
static bool call(const char *name, const char *argument) {
    JSContext *context = runtime->context;
    JSValue function = JS_GetPropertyStr(context, script, name);
    JSValue value = JS_NewString(context, argument);
    failing_allocator_watch(true);
    bool returned = runtime_call(runtime, function, 1, (JSValueConst[]){value});
    failing_allocator_watch(false);
    must(!runtime->failed, "an error ended the program");
    JS_FreeValue(context, value);
    JS_FreeValue(context, function);
    return returned;
}

/* Makes a server that has none yet. Returns whether it could. */
static bool begin(enum server server) {
    static const char *const functions[] = {"begin", "beginNarrow", "beginGuarded"};
    if (addresses[server][0] != '\0')
        return true;
    if (!call(functions[server], path))
        return false;
    if (server == WIDE) {
        snprintf(addresses[server], sizeof addresses[server], "unix:%s", path);
        return true;
    }
    JSValue value = JS_GetPropertyStr(runtime->context, script, "address");
    const char *text = JS_ToCString(runtime->context, value);
    must(text != NULL, "the application has no address");
    snprintf(addresses[server], sizeof addresses[server], "%s", text);
    JS_FreeCString(runtime->context, text);
    JS_FreeValue(runtime->context, value);
    return true;
}

static void send_text(int index, enum server server, const char *text) {
    struct client *client = &clients[index];
    if (addresses[server][0] == '\0' || client->finished || (client->connected && !client->open))
        return;
    if (!client->open)
        client_open(client, addresses[server]);
    client_send(client, text, strlen(text));
    settle();
}

static void let_go_of_clients(void) {
    for (int i = 0; i < CLIENTS; i++) {
        client_reset(&clients[i]);
        answers_free(&clients[i].answers);
        clients[i] = (struct client){0};
        transcripts[i].length = 0;
    }
    settle();
}

static void end_servers(void) {
    if (addresses[WIDE][0] || addresses[NARROW][0] || addresses[GUARDED][0])
        must(call("end", ""), "the servers do not end");
    memset(addresses, 0, sizeof addresses);
}

/* Returns false where a program would have ended: it could not listen, or not close its server on a signal. */
static bool play(const struct scenario *scenario) {
    for (int i = 0; i < CLIENTS; i++)
        if (!begin(scenario->servers[i]))
            return false;
    for (size_t i = 0; i < scenario->count; i++) {
        const struct step *step = &scenario->steps[i];
        switch (step->action) {
        case SEND:
            send_text(step->client, scenario->servers[step->client], step->text);
            break;
        case PAUSE:
            virtual_time_advance(step->milliseconds);
            break;
        case FINISH:
            client_finish(&clients[step->client]);
            break;
        case RESET:
            client_reset(&clients[step->client]);
            break;
        case CLOSE:
            if (!call("end", ""))
                return false;
            memset(addresses, 0, sizeof addresses);
            break;
        }
        settle();
    }
    return true;
}

/* Waits until the server has released everything: the loop then ends by itself. */
static void come_to_an_end(void) {
    let_go_of_clients();
    end_servers();
    for (int round = 0; settle(); round++) {
        must(round < 100, "a connection or a timer outlives all limits");
        virtual_time_advance(1000);
    }
    must(!runtime->net->streams, "a connection outlives its client");
}

static bool is_known(const char *answer) {
    for (size_t i = 0; i < known_count; i++)
        if (strcmp(known[i], answer) == 0)
            return true;
    return false;
}

/* Calls `use` with each 200 that has come. */
static void each_accepted(void (*use)(char *answer)) {
    static const char start[] = "HTTP/1.1 200 ";
    for (int i = 0; i < CLIENTS; i++) {
        char *text = transcripts[i].bytes;
        text[transcripts[i].length] = '\0';
        for (char *answer = strstr(text, start), *next; answer; answer = next) {
            char *end = strstr(answer + sizeof start - 1, "HTTP/1.1 ");
            next = end ? strstr(end, start) : NULL;
            char first = end ? *end : '\0';
            if (end)
                *end = '\0';
            use(answer);
            if (end)
                *end = first;
        }
    }
}

static void learn(char *answer) {
    if (is_known(answer))
        return;
    must(known_count < MOST_ANSWERS, "there are more answers than this program expects");
    known[known_count++] = strdup(answer);
}

/* The last answer of a connection that broke may be cut off, and its reader knows by its length. */
static void judge(char *answer) {
    for (size_t i = 0; i < known_count; i++)
        if (strncmp(known[i], answer, strlen(answer)) == 0)
            return;
    must_in(false, "a 200 that there is not without a failure", answer, strlen(answer));
}

/* The same server serves a newcomer; one that has been closed is made again. */
static void expect_service(enum server server) {
    static const char plain[] = "GET /still HTTP/1.1\r\nHost: a\r\n\r\n";
    static const char token[] = "GET /still HTTP/1.1\r\nHost: a\r\n"
                                "Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n\r\n";
    let_go_of_clients();
    must(begin(server), "no server can be made any more");
    send_text(0, server, server == GUARDED ? token : plain);
    transcripts[0].bytes[transcripts[0].length] = '\0';
    bool served = strncmp(transcripts[0].bytes, "HTTP/1.1 200 ", 13) == 0 &&
                  strstr(transcripts[0].bytes, "\r\n\r\n{\"n\":1.5,\"s\":\"x\",\"b\":true,\"z\":null}");
    must_in(served, "no service after the failure", transcripts[0].bytes, transcripts[0].length);
}

static void start(void) {
    static char *arguments[] = {"nound-allocations", NULL};
    failing_allocator_watch(true);
    runtime = program_create(1, arguments);
    if (runtime)
        runtime_evaluate(runtime);
    failing_allocator_watch(false);
    if (!runtime || runtime->failed)
        return;
    JSValue global = JS_GetGlobalObject(runtime->context);
    script = JS_GetPropertyStr(runtime->context, global, "fuzz");
    JS_FreeValue(runtime->context, global);
    must(JS_IsObject(script), "the application has not started, and did not say so");
    /* The harness's own wish: nothing fails here. */
    JSValue tolerate = JS_GetPropertyStr(runtime->context, script, "tolerate");
    must(runtime_call(runtime, tolerate, 0, NULL), "the application cannot go on after errors");
    JS_FreeValue(runtime->context, tolerate);
}

/* After a failure the engine may have lost memory; that it touches none that is freed is what counts. */
static void end_runtime(void) {
    JS_SetDumpFlags(runtime->engine, 0);
    JS_FreeValue(runtime->context, script);
    script = JS_UNDEFINED;
    program_free(runtime);
}

/* One point: what a child does. A scenario of NULL is the start. */
static void try_point(const struct scenario *scenario, unsigned long n, unsigned long failures) {
    failing_allocator_arm(n, failures);
    if (!scenario) {
        script = JS_UNDEFINED;
        start();
        failing_allocator_arm(0, 0);
        if (!runtime)
            return;
        if (!runtime->failed) {
            expect_service(WIDE);
            come_to_an_end();
        }
        end_runtime();
        return;
    }
    int own = __real_epoll_create1(EPOLL_CLOEXEC);
    must(own >= 0 && dup3(own, epoll, O_CLOEXEC) == epoll, "there is no epoll");
    bool played = play(scenario);
    failing_allocator_arm(0, 0);
    if (played) {
        each_accepted(judge);
        expect_service(scenario->servers[0]);
        come_to_an_end();
    }
    end_runtime();
}

static bool is_known_fault(const char *said) {
    for (size_t i = 0; i < sizeof known_faults / sizeof known_faults[0]; i++)
        if (strstr(said, known_faults[i].report) && strstr(said, known_faults[i].function))
            return true;
    return false;
}

struct sums {
    unsigned long points, known, defects;
};

/* Runs a point in a process of its own, and prints what it said when not all went well. */
static void run_point(const struct scenario *scenario, unsigned long n, unsigned long failures, int output,
                      struct sums *sums) {
    int status;
    must(ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0, "the output cannot be emptied");
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0, "there is no process");
    if (child == 0) {
        alarm(MOST_SECONDS);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        snprintf(path, sizeof path, "/tmp/nound-allocations-%d", (int)getpid());
        try_point(scenario, n, failures);
        _exit(0);
    }
    must(waitpid(child, &status, 0) == child, "a process is lost");
    sums->points++;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    char name[64], said[8192];
    snprintf(name, sizeof name, "/tmp/nound-allocations-%d", (int)child);
    unlink(name);
    ssize_t length = pread(output, said, sizeof said - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    if (is_known_fault(said)) {
        sums->known++;
        return;
    }
    sums->defects++;
    printf("\n%s: with %lu failing from allocation %lu on, the process ended with %s %d and said:\n%s\n",
           scenario ? scenario->name : "start",
           failures,
           n,
           WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
           said);
}

/* Returns how many allocations there are without a failure, as a child counts them. */
static unsigned long allocations_of(const struct scenario *scenario) {
    int ends[2];
    unsigned long count = 0;
    must(pipe(ends) == 0, "there is no pipe");
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0, "there is no process");
    if (child == 0) {
        snprintf(path, sizeof path, "/tmp/nound-allocations-%d", (int)getpid());
        failing_allocator_arm(0, 0);
        if (!scenario) {
            start();
        } else {
            int own = __real_epoll_create1(EPOLL_CLOEXEC);
            must(own >= 0 && dup3(own, epoll, O_CLOEXEC) == epoll, "there is no epoll");
            must(play(scenario), "no server can be made");
        }
        count = failing_allocator_count();
        if (scenario)
            come_to_an_end();
        must(write(ends[1], &count, sizeof count) == sizeof count, "the count is lost");
        _exit(0);
    }
    close(ends[1]);
    must(read(ends[0], &count, sizeof count) == sizeof count, "the count is lost");
    close(ends[0]);
    waitpid(child, NULL, 0);
    return count;
}

struct sample {
    unsigned long every, part, parts;
};

static void try_scenario(const struct scenario *scenario, const struct sample *sample, struct sums *sums) {
    unsigned long count = allocations_of(scenario), before = sums->points;
    int output = memfd_create("output", MFD_CLOEXEC);
    must(output >= 0, "there is no file");
    for (unsigned long n = 1 + sample->part * sample->every; n <= count; n += sample->every * sample->parts)
        for (int pass = 0; pass < 2 && sums->defects < MOST_DEFECTS; pass++)
            run_point(scenario, n, pass == 0 ? 1 : A_WHILE, output, sums);
    close(output);
    printf("%-14s %7lu allocations, %7lu points\n", scenario ? scenario->name : "start", count, sums->points - before);
}

/* Without a failure, twice: what the engine makes when it is first used is there, and the answers are known. */
static void warm_up(void) {
    snprintf(path, sizeof path, "/tmp/nound-allocations-%d", (int)getpid());
    start();
    must(runtime && !runtime->failed, "the application does not start");
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < scenario_count; i++) {
            must(play(&scenarios[i]), "no server can be made");
            each_accepted(learn);
            expect_service(scenarios[i].servers[0]);
            come_to_an_end();
        }
}

/* Tries one point in this very process, for a debugger. */
static void try_one(const char *name, unsigned long n, unsigned long failures) {
    const struct scenario *scenario = NULL;
    for (size_t i = 0; i < scenario_count; i++)
        if (strcmp(scenarios[i].name, name) == 0)
            scenario = &scenarios[i];
    if (scenario)
        warm_up();
    snprintf(path, sizeof path, "/tmp/nound-allocations-%d", (int)getpid());
    try_point(scenario, n, failures);
}

int main(int argc, char **argv) {
    struct sample sample = {.every = 1, .parts = 1};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--every") == 0 && has_value)
            sample.every = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--part") == 0 && has_value &&
                 sscanf(argv[++i], "%lu/%lu", &sample.part, &sample.parts) == 2)
            continue;
        else if (strcmp(argv[i], "--point") == 0 && i + 3 < argc) {
            loopback_prepare(0);
            try_one(argv[i + 1], strtoul(argv[i + 2], NULL, 10), strtoul(argv[i + 3], NULL, 10));
            return 0;
        } else
            sample.every = 0;
    }
    if (sample.every == 0 || sample.parts == 0 || sample.part >= sample.parts) {
        fprintf(stderr, "usage: nound-allocations [--every K] [--part I/J] | --point SCENARIO N FAILURES\n");
        return 2;
    }
    loopback_prepare(sample.part);
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct sums sums = {0};
    try_scenario(NULL, &sample, &sums);
    warm_up();
    for (size_t i = 0; i < scenario_count && sums.defects < MOST_DEFECTS; i++)
        try_scenario(&scenarios[i], &sample, &sums);
    printf("%lu points, %lu known faults of the engine, %lu defects\n", sums.points, sums.known, sums.defects);
    return sums.defects == 0 ? 0 : 1;
}
