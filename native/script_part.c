#include "script_part.h"

#include <string.h>

#include "script.h"

JSValue script_part_read(JSContext *context, const char *name) {
    const struct nound_script_part *part = nound_script_parts;
    while (part->name && strcmp(part->name, name) != 0)
        part++;
    if (!part->name)
        return JS_ThrowReferenceError(
            context, "cannot import '%s': only the modules built into this program can be imported", name);
    if (nound_script_is_bytecode)
        return JS_ReadObject(context, part->bytes, part->size, JS_READ_OBJ_BYTECODE);
    return JS_Eval(
        context, (const char *)part->bytes, part->size, part->name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
}
