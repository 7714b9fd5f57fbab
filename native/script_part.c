#define _GNU_SOURCE 1
#include "script_part.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inflate.h"
#include "script.h"

void script_release_pages(const uint8_t *script, size_t size) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)script + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)script + size) & ~(page - 1);
    if (first < end)                                              /* only pages that hold nothing else */
        (void)madvise((void *)first, end - first, MADV_DONTNEED); /* where this fails, they stay in use */
}

/* Inflates a part; a NUL follows it. Returns false when it is not as the build left it. */
static bool inflate_part(const struct nound_script_part *part, uint8_t *content) {
    const size_t dictionary_size = nound_script_size < INFLATE_WINDOW ? nound_script_size : INFLATE_WINDOW;
    bool done = inflate_bytes(
        &(struct inflate_input){
            .stream = part->bytes, .size = part->size, .dictionary = nound_script, .dictionary_size = dictionary_size},
        content,
        part->inflated_size);
    script_release_pages(part->bytes, part->size);
    script_release_pages(nound_script, dictionary_size);
    return done;
}

static JSValue read_module(JSContext *context, const char *name, const uint8_t *content, size_t size) {
    if (nound_script_is_bytecode)
        return JS_ReadObject(context, content, size, JS_READ_OBJ_BYTECODE);
    return JS_Eval(context, (const char *)content, size, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
}

JSValue script_part_read(JSContext *context, const char *name) {
    const struct nound_script_part *part = nound_script_parts;
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
