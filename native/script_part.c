#define _GNU_SOURCE 1
#include "script_part.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "script.h"

void script_release_pages(const uint8_t *script, size_t size) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)script + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)script + size) & ~(page - 1);
    if (first < end)                                              /* only pages that hold nothing else */
        (void)madvise((void *)first, end - first, MADV_DONTNEED); /* where this fails, they stay in use */
}

JSValue script_part_read(JSContext *context, const char *name) {
    const struct nound_script_part *part = nound_script_parts;
    while (part->name && strcmp(part->name, name) != 0)
        part++;
    if (!part->name)
        return JS_ThrowReferenceError(
            context, "cannot import '%s': only the modules built into this program can be imported", name);
    const int flags = JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY;
    JSValue module = nound_script_is_bytecode
                         ? JS_ReadObject(context, part->bytes, part->size, JS_READ_OBJ_BYTECODE)
                         : JS_Eval(context, (const char *)part->bytes, part->size, part->name, flags);
    script_release_pages(part->bytes, part->size);
    return module;
}
