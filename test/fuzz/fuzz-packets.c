/* The fuzz target for the packets of a broker: the reader in ts/parts/mqtt/ with the engine. An input is what
 * arrives. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdlib.h>

#include "defect.h"
#include "engine/runtime_state.h"
#include "program.h"
#include "text/byte_string.h"

#define INPUTS_BETWEEN_COLLECTIONS 256

const char *__asan_default_options(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static struct runtime *runtime;
static JSValue read_packets;
static unsigned inputs;

const char *__asan_default_options(void) {
    return "malloc_context_size=0:quarantine_size_mb=64";
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    JSContext *context = runtime->context;
    JSValue bytes = byte_string_new(context, input, size);
    must(!JS_IsException(bytes), "there is no memory for an input");
    must(runtime_call(runtime, read_packets, 1, (JSValueConst[]){bytes}), "the reader threw");
    JS_FreeValue(context, bytes);
    if (++inputs % INPUTS_BETWEEN_COLLECTIONS == 0)
        JS_RunGC(runtime->engine);
    return 0;
}

/* The engine judges itself when it is freed: an object or a string that is left over aborts. */
static void end_runtime(void) {
    JS_FreeValue(runtime->context, read_packets);
    program_free(runtime);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static char *arguments[] = {"nound-fuzz-packets", NULL};
    (void)argc;
    (void)argv;
    runtime = program_create(1, arguments);
    must(runtime, "the runtime cannot start");
    runtime_evaluate(runtime);
    JSValue global = JS_GetGlobalObject(runtime->context);
    JSValue fuzz = JS_GetPropertyStr(runtime->context, global, "fuzz");
    read_packets = JS_GetPropertyStr(runtime->context, fuzz, "read");
    JS_FreeValue(runtime->context, fuzz);
    JS_FreeValue(runtime->context, global);
    must(JS_IsFunction(runtime->context, read_packets), "the application has not started");
    return atexit(end_runtime);
}
