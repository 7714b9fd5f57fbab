#include "engine/script_part.h"

#include <string.h>

#include "engine/constant_pages.h"
#include "engine/inflate.h"
#include "engine/script.h"

#define SCRIPT_ENDING ".script.js"

/* The bytes of the script and of all its parts in the file, and of what the linker may have put between them. */
struct region {
    const uint8_t *first;
    size_t size;
};

static struct region whole_script(void) {
    if (nound_script()->in_memory)
        return (struct region){NULL, 0};
    const struct script_module *module = nound_script()->modules;
    uintptr_t first = (uintptr_t)module->bytes;
    uintptr_t end = first;
    for (; module->name; module++) {
        const uintptr_t begin = (uintptr_t)module->bytes;
        first = begin < first ? begin : first;
        end = begin + module->size > end ? begin + module->size : end;
    }
    return (struct region){(const uint8_t *)first, end - first};
}

static int type_of(const struct script_module *module) {
    const size_t length = strlen(module->name), ending = strlen(SCRIPT_ENDING);
    return length > ending && strcmp(module->name + length - ending, SCRIPT_ENDING) == 0 ? JS_EVAL_TYPE_GLOBAL
                                                                                         : JS_EVAL_TYPE_MODULE;
}

static JSValue read_bytes(JSContext *context, const struct script_module *module, const uint8_t *bytes, size_t size) {
    return nound_script()->is_bytecode
               ? JS_ReadObject(context, bytes, size, JS_READ_OBJ_BYTECODE)
               : JS_Eval(context, (const char *)bytes, size, module->name, type_of(module) | JS_EVAL_FLAG_COMPILE_ONLY);
}

static JSValue read_deflated(JSContext *context, const struct script_module *module) {
    const size_t size = module->inflated_size;
    uint8_t *bytes = js_malloc(context, size + 1);
    if (!bytes)
        return JS_EXCEPTION;
    bytes[size] = '\0';
    JSValue read = inflate_bytes(module->bytes, module->size, bytes, size)
                       ? read_bytes(context, module, bytes, size)
                       : JS_ThrowInternalError(context, "the module '%s' of this program is damaged", module->name);
    js_free(context, bytes);
    return read;
}

int add_whole_engine(JSContext *context) {
    static int (*const intrinsics[])(JSContext *) = {
        JS_AddIntrinsicEval, JS_AddIntrinsicProxy, JS_AddIntrinsicAToB, JS_AddPerformance};
    for (size_t i = 0; i < sizeof intrinsics / sizeof intrinsics[0]; i++)
        if (intrinsics[i](context) < 0)
            return -1;
    return 0;
}

/* The engine keeps a copy, so the pages of the script are released at once. */
static JSValue read_module(JSContext *context, const struct script_module *module) {
    JSValue read = module->inflated_size > 0 ? read_deflated(context, module)
                                             : read_bytes(context, module, module->bytes, module->size);
    const struct region whole = whole_script(); /* now, because what describes the parts may lie between them */
    constant_pages_release(whole.first, whole.size);
    return read;
}

JSValue script_read(JSContext *context) {
    const struct region whole = whole_script();
    constant_pages_set_apart(whole.first, whole.size);
    return read_module(context, nound_script()->modules);
}

JSValue script_part_read(JSContext *context, const char *name) {
    const struct script_module *part = nound_script()->modules + 1;
    while (part->name && strcmp(part->name, name) != 0)
        part++;
    if (!part->name)
        return JS_ThrowReferenceError(
            context, "cannot import '%s': only the modules built into this program can be imported", name);
    return read_module(context, part);
}
