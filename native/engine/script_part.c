#define _GNU_SOURCE 1
#include "engine/script_part.h"

#include <string.h>
#include <sys/mman.h>

#include "engine/constant_pages.h"
#include "engine/inflate.h"
#include "engine/script.h"

/* The bytes of the script and of all its parts, and of what the linker may have put between them. */
struct region {
    const uint8_t *first;
    size_t size;
};

static struct region whole_script(void) {
    const struct nound_script *script = nound_script();
    uintptr_t first = (uintptr_t)script->bytes;
    uintptr_t end = first + script->size;
    for (const struct nound_script_part *part = script->parts; part->name; part++) {
        const uintptr_t begin = (uintptr_t)part->bytes;
        first = begin < first ? begin : first;
        end = begin + part->size > end ? begin + part->size : end;
    }
    return (struct region){(const uint8_t *)first, end - first};
}

static void release_script(void) {
    const struct region whole = whole_script();
    constant_pages_release(whole.first, whole.size);
}

/* Inflates a part; a NUL follows it. Returns false if it is damaged. */
static bool inflate_part(const struct nound_script_part *part, uint8_t *content) {
    const struct nound_script *script = nound_script();
    const size_t dictionary_size = script->size < INFLATE_WINDOW ? script->size : INFLATE_WINDOW;
    return inflate_bytes(
        &(struct inflate_input){
            .stream = part->bytes, .size = part->size, .dictionary = script->bytes, .dictionary_size = dictionary_size},
        content,
        part->inflated_size);
}

static JSValue read_module(JSContext *context, const char *name, const uint8_t *content, size_t size) {
    if (nound_script()->is_bytecode)
        return JS_ReadObject(context, content, size, JS_READ_OBJ_BYTECODE);
    return JS_Eval(context, (const char *)content, size, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
}

JSValue script_read(JSContext *context) {
    const struct nound_script *script = nound_script();
    const struct region whole = whole_script();
    constant_pages_set_apart(whole.first, whole.size);
    JSValue module = read_module(context, script->name, script->bytes, script->size);
    release_script();
    return module;
}

JSValue script_part_read(JSContext *context, const char *name) {
    const struct nound_script_part *part = nound_script()->parts;
    while (part->name && strcmp(part->name, name) != 0)
        part++;
    if (!part->name)
        return JS_ThrowReferenceError(
            context, "cannot import '%s': only the modules built into this program can be imported", name);
    /* The memory comes from the kernel and goes back to it at once, because the engine keeps a copy. */
    uint8_t *content = mmap(NULL, part->inflated_size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (content == MAP_FAILED)
        return JS_ThrowOutOfMemory(context);
    JSValue module = inflate_part(part, content)
                         ? read_module(context, part->name, content, part->inflated_size)
                         : JS_ThrowInternalError(context, "the part '%s' of this program is damaged", name);
    munmap(content, part->inflated_size + 1); /* cannot fail: it was mapped as one */
    release_script();                         /* last, because what describes the parts lies between them */
    return module;
}
