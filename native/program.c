#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "engine/engine_heap.h"
#include "engine/handle.h"
#include "engine/interruption.h"
#include "engine/rejection.h"
#include "engine/script.h"
#include "engine/script_part.h"
#include "guard/memory.h"
#include "loop/loop.h"
#include "loop/worker.h"

/* Small enough for any device's main thread; the deepest legitimate recursion, that of a regular expression, needs
 * less. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(NOUND_ENGINE_UNOPTIMIZED)
#define STACK_SIZE                                                                                                     \
    (4 * 1024 * 1024) /* with the sanitizer's space around each variable, a frame of the interpreter takes 16 KB */
#else
#define STACK_SIZE (256 * 1024)
#endif

/*
 * Bytes at which garbage is collected for the first time: more than a start needs. From then on the engine collects
 * when memory use has grown by half.
 */
#define GC_THRESHOLD (768 * 1024)

bool program_turn(struct runtime *runtime) {
    rejection_report(runtime);
    return !runtime->failed && loop_turn(runtime->loop);
}

int program_run(struct runtime *runtime) {
    runtime->is_running = true;
    while (program_turn(runtime))
        ;
    return runtime->failed ? EX_SOFTWARE : loop_status(runtime->loop);
}

/* The C modules, in the order in which they are opened. */
static const struct native_module *const modules[] = {
    &mod_loop,   &mod_net,          &mod_connector, &mod_acceptor,   &mod_system, &mod_gpio,
    &mod_input,  &mod_sysfs,        &mod_storage,   &mod_serial,     &mod_hash,   &mod_utf8,
    &mod_lexer,  &mod_files,        &mod_bus,       &mod_privileges, &mod_script, &mod_page,
    &mod_keeper, &mod_interruption, &mod_memory,    &mod_registers,
};
static const size_t module_count = sizeof modules / sizeof modules[0];

static const struct handle_type *const handle_types[HANDLE_KINDS] = {
    [HANDLE_SOCKET] = &net_socket_type,
    [HANDLE_LISTENER] = &net_listener_type,
    [HANDLE_LINE] = &gpio_line_type,
    [HANDLE_PORT] = &serial_port_type,
    [HANDLE_SOURCE] = &input_source_type,
    [HANDLE_BUS_DEVICE] = &bus_device_type,
    [HANDLE_FOLDER] = &attribute_folder_type,
    [HANDLE_STORE] = &store_type,
};

static const char *const method_names[HANDLER_METHODS] = {[ON_BYTES] = "onBytes",
                                                          [ON_END] = "onEnd",
                                                          [ON_BLOCKED] = "onBlocked",
                                                          [ON_DRAIN] = "onDrain",
                                                          [ON_GONE] = "onGone"};

static const struct native_module *module_named(const char *name) {
    for (size_t i = 0; i < module_count; i++)
        if (strcmp(modules[i]->name, name) == 0)
            return modules[i];
    return NULL;
}

static int initialize_module(JSContext *context, JSModuleDef *definition) {
    JSAtom atom = JS_GetModuleName(context, definition);
    const char *name = JS_AtomToCString(context, atom);
    JS_FreeAtom(context, atom);
    if (!name)
        return -1;
    const struct native_module *module = module_named(name);
    JS_FreeCString(context, name);
    if (JS_SetModuleExportList(context, definition, module->exports, module->export_count) < 0)
        return -1;
    /* The engine (0.17.0) does not check whether there was memory for each function, and would export none. */
    if (JS_HasException(context))
        return -1;
    return module->initialize ? module->initialize(context, definition) : 0;
}

static JSModuleDef *declare_module(JSContext *context, const struct native_module *module) {
    JSModuleDef *definition = JS_NewCModule(context, module->name, initialize_module);
    if (!definition || JS_AddModuleExportList(context, definition, module->exports, module->export_count) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof module->values / sizeof module->values[0] && module->values[i]; i++)
        if (JS_AddModuleExport(context, definition, module->values[i]) != 0)
            return NULL;
    return definition;
}

/* Called once for each module that is imported: there are the C modules, the parts of the script, and no others. */
static JSModuleDef *load_module(JSContext *context, const char *name, void *opaque) {
    (void)opaque;
    const struct native_module *native = module_named(name);
    if (native)
        return declare_module(context, native);
    JSValue module = script_part_read(context, name);
    if (JS_IsException(module))
        return NULL;
    JSModuleDef *definition = JS_VALUE_GET_PTR(module);
    JS_FreeValue(context, module); /* the context holds it */
    return definition;
}

/* Makes the names and classes that C modules share. Returns false when there is no memory. */
static bool prepare_modules(struct runtime *runtime) {
    for (int i = 0; i < HANDLER_METHODS; i++)
        if ((runtime->methods[i] = JS_NewAtom(runtime->context, method_names[i])) == JS_ATOM_NULL)
            return false;
    for (int kind = 0; kind < HANDLE_KINDS; kind++)
        if (!handle_register(runtime, (enum handle_kind)kind, handle_types[kind]))
            return false;
    return true;
}

/* A context with what the script uses of the engine. Returns NULL without memory. */
static JSContext *new_context(JSRuntime *engine) {
    static int (*const intrinsics[])(JSContext *) = {
        JS_AddIntrinsicBaseObjects,
        JS_AddIntrinsicDate,
        JS_AddIntrinsicRegExp,
        JS_AddIntrinsicJSON,
        JS_AddIntrinsicMapSet,
        JS_AddIntrinsicTypedArrays,
        JS_AddIntrinsicPromise,
        JS_AddIntrinsicWeakRef,
    };
    JSContext *context = JS_NewContextRaw(engine);
    bool added = context != NULL;
    for (size_t i = 0; added && i < sizeof intrinsics / sizeof intrinsics[0]; i++)
        added = intrinsics[i](context) == 0;
    int (*const add_more)(JSContext *) = nound_script()->add_intrinsics;
    if (added && (!add_more || add_more(context) == 0))
        return context;
    if (context)
        JS_FreeContext(context);
    return NULL;
}

static bool create_engine(struct runtime *runtime) {
    runtime->heap = engine_heap_create();
    if (!runtime->heap)
        return false;
    runtime->quota = engine_heap_quota(runtime->heap);
    runtime->engine = JS_NewRuntime2(&engine_heap_functions, runtime->heap);
    if (!runtime->engine)
        return false;
    JS_SetRuntimeOpaque(runtime->engine, runtime);
    JS_SetMaxStackSize(runtime->engine, STACK_SIZE);
    JS_SetGCThreshold(runtime->engine, GC_THRESHOLD);
    interruption_watch(runtime);
    if (!memory_watch(runtime))
        return false;
#ifndef NDEBUG
    /* What leaked is printed before the abort. Both have an effect when the engine is built with ENABLE_DUMPS. */
    JS_SetDumpFlags(runtime->engine, JS_ABORT_ON_LEAKS);
    setvbuf(stdout, NULL, _IONBF, 0);
#endif
    runtime->context = new_context(runtime->engine);
    if (!runtime->context) {
        /* quickjs-ng 0.17.0 may have freed the context and left it in the collector's list, which JS_FreeRuntime reads.
         * The heap gives the memory back, or the end of the process. */
        runtime->engine = NULL;
        return false;
    }
    JS_SetModuleLoaderFunc(runtime->engine, NULL, load_module, NULL);
    rejection_track(runtime);
    if (!prepare_modules(runtime))
        return false;
    for (size_t i = 0; i < module_count; i++)
        if (modules[i]->open && !modules[i]->open(runtime))
            return false;
    return true;
}

struct runtime *program_create(int argc, char **argv) {
    struct runtime *runtime = calloc(1, sizeof *runtime);
    if (!runtime)
        return NULL;
    runtime->argc = argc;
    runtime->argv = argv;
    runtime->on_signal = runtime->on_unhandled_rejection = runtime->on_uncaught_error = JS_UNDEFINED;
    runtime->on_standstill = runtime->explain = JS_UNDEFINED;
    runtime->loop = loop_create();
    if (runtime->loop && create_engine(runtime))
        return runtime;
    program_free(runtime);
    return NULL;
}

void program_free(struct runtime *runtime) {
    if (runtime->context) {
        rejection_clear(runtime);
        JS_FreeAtom(runtime->context, runtime->origin);
        JS_FreeValue(runtime->context, runtime->interruption);
        worker_free(runtime->worker);
        handle_close_all(runtime);
        for (size_t i = module_count; i-- > 0;)
            if (modules[i]->release)
                modules[i]->release(runtime);
        for (int i = 0; i < HANDLER_METHODS; i++)
            JS_FreeAtom(runtime->context, runtime->methods[i]);
        memory_release(runtime);
        JS_FreeContext(runtime->context);
    }
    if (runtime->engine)
        JS_FreeRuntime(runtime->engine);
    if (runtime->heap)
        engine_heap_free(runtime->heap);
    free(runtime->net); /* finalizers run until here */
    free(runtime->connector);
    free(runtime->acceptor);
    free(runtime->timers);
    free(runtime->account);
    free(runtime->memory);
    if (runtime->loop)
        loop_free(runtime->loop);
    free(runtime);
}
