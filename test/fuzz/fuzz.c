/*
 * The fuzz target: native/ and ts/ as one program, which real sockets of this same process speak to.
 *
 * An input is a program. Its bytes are sent as they are, up to the escape 0xff and an order behind it (enum order): so
 * requests cut anywhere, over several connections, with pauses, half closes and resets between them. Whatever the
 * input, what must() demands has to hold, besides what the sanitizers watch.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "defect.h"
#include "net/net.h"
#include "program.h"
#include "virtual-time.h"

#define CLIENTS 4
#define MOST_TURNS 20000     /* of the loop without anything new from outside */
#define LONGEST_LIMIT 100000 /* ms of virtual time: more than all limits of a server, one after the other */
#define KERNEL_TIME 10000    /* ms of real time without an event from the kernel until nothing is expected of it */
#define INPUTS_BETWEEN_LOOKS 64
#define SLACK_BYTES (256 * 1024) /* that the engine's tables may grow by, in all */
#define SLACK_OBJECTS 64

/* What stands behind an escape, in its lower half; the upper half is the order's argument. */
enum order {
    SLICE,  /* let the server have what was sent so far */
    SELECT, /* go on with another client; it connects with its first byte */
    FINISH,
    RESET,
    PAUSE, /* let time pass */
    DEAF,  /* take no more answers */
    HEAR,
    REPEAT,  /* send what was sent last once more, 1 to 16 times */
    ESCAPED, /* send the byte 0xff */
    CLOSE    /* close the servers in order */
};

const char *__asan_default_options(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static struct runtime *runtime;
static JSValue script; /* the object `fuzz` of application.ts */
static char path[64], wide_address[80], narrow_address[64], guarded_address[64];
static struct client clients[CLIENTS];
static struct client *client;
static bool closing;
static JSMemoryUsage level;
static unsigned inputs;

/* Remembering who allocated what takes a third of the time. ASAN_OPTIONS=malloc_context_size=30 tells it of a crash. */
const char *__asan_default_options(void) {
    return "malloc_context_size=0:quarantine_size_mb=64";
}

/* Runs the loop and takes the answers until neither has anything to do. Returns whether the loop waits for more. */
static bool settle(void) {
    bool received, waiting;
    do {
        int turns = 0;
        while ((waiting = program_turn(runtime)) && !virtual_time_would_wait())
            must(turns++ < MOST_TURNS, "the loop does not come to rest");
        must(!runtime->failed, "an error that nobody caught");
        received = false;
        for (int i = 0; i < CLIENTS; i++)
            received = client_receive(&clients[i]) || received;
    } while (received);
    return waiting;
}

static void call(const char *name, const char *argument) {
    JSContext *context = runtime->context;
    JSValue function = JS_GetPropertyStr(context, script, name);
    JSValue value = JS_NewString(context, argument);
    must(runtime_call(runtime, function, 1, (JSValueConst[]){value}), "the application threw");
    JS_FreeValue(context, value);
    JS_FreeValue(context, function);
}

static uint32_t executed(void) {
    uint32_t count = 0;
    JSValue value = JS_GetPropertyStr(runtime->context, script, "executed");
    JS_ToUint32(runtime->context, &count, value);
    JS_FreeValue(runtime->context, value);
    return count;
}

/* Makes a server, if none exists yet. */
static const char *begin_server(const char *function, char address[64]) {
    if (address[0] != '\0')
        return address;
    call(function, "");
    JSValue value = JS_GetPropertyStr(runtime->context, script, "address");
    const char *text = JS_ToCString(runtime->context, value);
    must(text && strlen(text) < 64, "the application has no address");
    strcpy(address, text);
    JS_FreeCString(runtime->context, text);
    JS_FreeValue(runtime->context, value);
    return address;
}

/* Two clients speak to the server with the default limits, one to each of the others, which are made when they are
 * needed. */
static const char *address_of_client(void) {
    switch (client - clients) {
    case 1:
        return begin_server("beginNarrow", narrow_address);
    case 3:
        return begin_server("beginGuarded", guarded_address);
    default:
        return wide_address;
    }
}

static void send_bytes(const char *bytes, size_t length) {
    if (length == 0 || (closing && !client->open) || (client->connected && !client->open))
        return;
    if (!client->open)
        client_open(client, address_of_client());
    if (!client->finished)
        client_send(client, bytes, length);
}

static void pause_for(unsigned argument) {
    static const uint16_t times[] = {1, 19, 20, 21, 39, 41, 100, 999, 1999, 2001, 4999, 5001, 6999, 9999, 10001, 60001};
    settle();
    virtual_time_advance(times[argument]);
    settle();
}

static void obey(uint8_t byte, const char *last, size_t length) {
    unsigned argument = byte >> 4;
    switch ((enum order)(byte & 0xf)) {
    case SLICE:
        settle();
        break;
    case SELECT:
        client = &clients[argument % CLIENTS];
        break;
    case FINISH:
        client_finish(client);
        break;
    case RESET:
        client_reset(client);
        break;
    case PAUSE:
        pause_for(argument);
        break;
    case DEAF:
        client->deaf = client->lost = true; /* the server waits for 10 s, and then closes */
        break;
    case HEAR:
        client->deaf = false;
        break;
    case REPEAT:
        for (unsigned i = 0; i <= argument; i++)
            send_bytes(last, length);
        break;
    case ESCAPED:
        send_bytes("\xff", 1);
        break;
    case CLOSE:
        if (!closing)
            call("end", "");
        closing = true;
        break;
    }
}

static void run(const char *input, size_t size) {
    const char *end = input + size, *last = input;
    size_t last_length = 0;
    while (input < end) {
        const char *escape = memchr(input, '\xff', (size_t)(end - input));
        const char *stop = escape ? escape : end;
        if (stop > input) {
            last = input;
            last_length = (size_t)(stop - input);
            send_bytes(last, last_length);
        }
        if (!escape || escape + 1 == end)
            break;
        obey((uint8_t)escape[1], last, last_length);
        input = escape + 2;
    }
    settle();
}

static bool any_client_open(void) {
    for (int i = 0; i < CLIENTS; i++)
        if (clients[i].open)
            return true;
    return false;
}

/*
 * Waits in real time for bytes, FIN or RST that are on their way to the loop or to a client. The kernel delivers most
 * packets over loopback before send(2) returns, but not all: a lost one, for instance, only after 200 ms. Returns false
 * when nothing was on its way.
 */
static bool wait_for_kernel(void) {
    struct pollfd files[1 + CLIENTS] = {{.fd = virtual_time_descriptor(), .events = POLLIN}};
    for (int i = 0; i < CLIENTS; i++)
        files[1 + i] = (struct pollfd){.fd = clients[i].open ? clients[i].fd : -1, .events = POLLIN};
    int count;
    do
        count = poll(files, 1 + CLIENTS, KERNEL_TIME);
    while (count < 0 && errno == EINTR); /* by libFuzzer's alarm */
    return count > 0;
}

/* Ends what the input left open, and waits until the server has released everything. */
static void come_to_an_end(void) {
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].deaf = false;
        if (i % 2 == 0) /* over TCP, the side that ends first keeps the port for a minute: let that be the server */
            client_finish(&clients[i]);
    }
    if (!closing)
        call("end", "");
    closing = true;
    /* With no connection, listener or timer left, the loop itself ends. Nouns that are under way have 7 s. */
    for (int passed = 0; settle() || any_client_open();) {
        if (passed < LONGEST_LIMIT) {
            virtual_time_advance(1000);
            passed += 1000;
        } else {
            must(wait_for_kernel(), "a connection or a timer outlives all limits");
            passed = 0;
        }
    }
    must(!runtime->net->streams, "a connection outlives its client");
}

static void judge_execution(uint32_t before) {
    uint32_t count = executed() - before, accepted = 0, asked = 0;
    bool lost = false;
    for (int i = 0; i < CLIENTS; i++) {
        accepted += clients[i].answers.accepted;
        asked += clients[i].answers.asked;
        lost = lost || clients[i].lost || clients[i].awaits;
    }
    must(accepted <= count, "a 200 came from no noun");
    must(lost || count <= asked, "a noun was asked that no answer tells of");
}

static void judge_memory(void) {
    JSMemoryUsage now;
    if (++inputs % INPUTS_BETWEEN_LOOKS != 0)
        return;
    /* Only the next collection frees the contents of a weak map of a server that is gone. */
    JS_RunGC(runtime->engine);
    JS_RunGC(runtime->engine);
    JS_ComputeMemoryUsage(runtime->engine, &now);
    if (inputs == INPUTS_BETWEEN_LOOKS)
        level = now;
    if (now.obj_count > level.obj_count + SLACK_OBJECTS || now.malloc_size > level.malloc_size + SLACK_BYTES) {
        fprintf(stderr, "%lld objects, %lld bytes; ", (long long)level.obj_count, (long long)level.malloc_size);
        fprintf(stderr, "now %lld, %lld\n", (long long)now.obj_count, (long long)now.malloc_size);
        must(false, "the engine's memory does not return to its level");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    uint32_t before = executed();
    closing = false;
    client = &clients[0];
    narrow_address[0] = guarded_address[0] = '\0';
    call("begin", path);
    run((const char *)input, size);
    come_to_an_end();
    judge_execution(before);
    for (int i = 0; i < CLIENTS; i++) {
        answers_free(&clients[i].answers);
        clients[i] = (struct client){0};
    }
    judge_memory();
    return 0;
}

/* The engine judges itself when it is freed: an object or a string that is left over aborts. */
static void end_runtime(void) {
    JS_FreeValue(runtime->context, script);
    program_free(runtime);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    static char *arguments[] = {"nound-fuzz", NULL};
    (void)argv;
    signal(SIGPIPE, SIG_IGN);
    snprintf(path, sizeof path, "/tmp/nound-fuzz-%d", (int)getpid());
    snprintf(wide_address, sizeof wide_address, "unix:%s", path);
    runtime = program_create(1, arguments);
    must(runtime, "the runtime cannot start");
    runtime_evaluate(runtime);
    JSValue global = JS_GetGlobalObject(runtime->context);
    script = JS_GetPropertyStr(runtime->context, global, "fuzz");
    JS_FreeValue(runtime->context, global);
    must(JS_IsObject(script), "the application has not started");
    return atexit(end_runtime);
}
