#define _GNU_SOURCE 1
#include "script_part.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inflate.h"
#include "script.h"

/*
 * Gives back the pages of what the engine has read: it keeps a copy. The kernel reads them from the file again if
 * somebody should need them.
 */
static void release_pages(const uint8_t *bytes, size_t size) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)bytes + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
    if (first < end)                                              /* only pages that hold nothing else */
        (void)madvise((void *)first, end - first, MADV_DONTNEED); /* where this fails, they stay in use */
}

/* Inflates a part; a NUL follows it. Returns false when it is not as the build left it. */
static bool inflate_part(const struct nound_script_part *part, uint8_t *content) {
    const struct nound_script *script = nound_script();
    const size_t dictionary_size = script->size < INFLATE_WINDOW ? script->size : INFLATE_WINDOW;
    bool done = inflate_bytes(
        &(struct inflate_input){
            .stream = part->bytes, .size = part->size, .dictionary = script->bytes, .dictionary_size = dictionary_size},
        content,
        part->inflated_size);
    release_pages(part->bytes, part->size);
    release_pages(script->bytes, dictionary_size);
    return done;
}

static JSValue read_module(JSContext *context, const char *name, const uint8_t *content, size_t size) {
    if (nound_script()->is_bytecode)
        return JS_ReadObject(context, content, size, JS_READ_OBJ_BYTECODE);
    return JS_Eval(context, (const char *)content, size, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
}

JSValue script_read(JSContext *context) {
    const struct nound_script *script = nound_script();
    JSValue module = read_module(context, script->name, script->bytes, script->size);
    release_pages(script->bytes, script->size);
    return module;
}

JSValue script_part_read(JSContext *context, const char *name) {
    const struct nound_script_part *part = nound_script()->parts;
    while (part->name && strcmp(part->name, name) != 0)
        part++;
    if (!part->name)
        return JS_ThrowReferenceError(
            context, "cannot import '%s': only the modules built into this program can be imported", name);
    /* From the kernel, and back to it at once: the engine keeps a copy. */
    uint8_t *content = mmap(NULL, part->inflated_size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (content == MAP_FAILED)
        return JS_ThrowOutOfMemory(context);
    JSValue module = inflate_part(part, content)
                         ? read_module(context, part->name, content, part->inflated_size)
                         : JS_ThrowInternalError(context, "the part '%s' of this program is damaged", name);
    munmap(content, part->inflated_size + 1); /* cannot fail: it was mapped as one */
    return module;
}
