/*
 * Compiles a bundled script to bytecode, in a file `<module>.bytecode` beside each module. A tool of the build; it runs
 * on the machine that builds.
 *
 *     nound-embed <script.js> [<folder of parts>]
 *
 * A part named `<name>.script.js` is a script and no module. An error in the script ends the build and not the start on
 * a device, so this runs also where the source text is embedded. Parts are the modules that it imports or loads by
 * `<folder>/<file>`.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quickjs.h>

struct bytes {
    uint8_t *data; /* a NUL follows, which size does not count */
    size_t size;
};

/* Reads a whole file. Returns false when that fails, with errno set. The caller frees the data. */
static bool read_file(const char *path, struct bytes *content) {
    *content = (struct bytes){NULL, 0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t capacity = 1 << 16;
    uint8_t *data = malloc(capacity);
    size_t size = 0;
    while (data) {
        size += fread(data + size, 1, capacity - 1 - size, file);
        if (size < capacity - 1)
            break;
        capacity *= 2;
        uint8_t *larger = realloc(data, capacity);
        if (!larger)
            free(data);
        data = larger;
    }
    bool complete = data && !ferror(file);
    fclose(file);
    if (!complete) {
        free(data);
        return false;
    }
    data[size] = '\0';
    *content = (struct bytes){data, size};
    return true;
}

/* Writes the bytecode of a module beside it. Prints a failure and returns false. */
static bool write_bytecode(const char *script, struct bytes bytecode) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s.bytecode", script);
    FILE *file = length < (int)sizeof path ? fopen(path, "wb") : NULL;
    bool written = file && fwrite(bytecode.data, 1, bytecode.size, file) == bytecode.size;
    if (file && fclose(file) != 0)
        written = false;
    if (!written) {
        fprintf(stderr, "nound-embed: cannot write %s: %s\n", path, strerror(errno));
        remove(path);
    }
    return written;
}

static int initialize_nothing(JSContext *context, JSModuleDef *module) {
    (void)context;
    (void)module;
    return 0;
}

/* Replaces a C module, which exists only when the program runs, and a part of the script, which is compiled separately.
 * The bundler should have included everything else. */
static JSModuleDef *stand_in(JSContext *context, const char *name, void *opaque) {
    const char *parts = opaque;
    size_t length = strlen(parts);
    if (strncmp(name, "nound:", strlen("nound:")) == 0 ||
        (length > 0 && strncmp(name, parts, length) == 0 && name[length] == '/'))
        return JS_NewCModule(context, name, initialize_nothing);
    JS_ThrowReferenceError(context, "cannot import '%s': only modules 'nound:...' exist outside the bundle", name);
    return NULL;
}

static void print_exception(JSContext *context) {
    JSValue error = JS_GetException(context);
    const char *message = JS_ToCString(context, error);
    JSValue stack = JS_GetPropertyStr(context, error, "stack");
    const char *place = JS_IsString(stack) ? JS_ToCString(context, stack) : NULL;
    fprintf(stderr, "nound-embed: %s\n%s", message ? message : "out of memory", place ? place : "");
    JS_FreeCString(context, place);
    JS_FreeValue(context, stack);
    JS_FreeCString(context, message);
    JS_FreeValue(context, error);
}

static bool ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), expected = strlen(ending);
    return length > expected && strcmp(text + length - expected, ending) == 0;
}

/*
 * Compiles the module of a file and writes its bytecode. Other modules import it as `name`. Prints a failure and
 * returns false.
 */
static bool compile(JSContext *context, const char *path, const char *name) {
    struct bytes text;
    if (!read_file(path, &text)) {
        fprintf(stderr, "nound-embed: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    const int type = ends_with(name, ".script.js") ? JS_EVAL_TYPE_GLOBAL : JS_EVAL_TYPE_MODULE;
    JSValue compiled = JS_Eval(context, (const char *)text.data, text.size, name, type | JS_EVAL_FLAG_COMPILE_ONLY);
    struct bytes bytecode = {NULL, 0};
    if (!JS_IsException(compiled))
        bytecode.data =
            JS_WriteObject(context, &bytecode.size, compiled, JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE);
    if (!bytecode.data)
        print_exception(context);
    bool written = bytecode.data && write_bytecode(path, bytecode);
    js_free(context, bytecode.data);
    JS_FreeValue(context, compiled);
    free(text.data);
    return written;
}

/* The name alone: a path of the build machine must not be in the binary. */
static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_script(const struct dirent *entry) {
    return ends_with(entry->d_name, ".js");
}

/* Compiles the scripts in a folder. Prints a failure and returns false. */
static bool compile_parts(JSContext *context, const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_script, alphasort);
    if (count < 0) {
        fprintf(stderr, "nound-embed: cannot read %s: %s\n", folder, strerror(errno));
        return false;
    }
    bool compiled = true;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        const char *name = path + (last_name(folder) - folder);
        compiled = compiled && length < (int)sizeof path && compile(context, path, name);
        free(entries[i]);
    }
    free(entries);
    return compiled;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fputs("Usage: nound-embed <script.js> [<folder of parts>]\n", stderr);
        return EXIT_FAILURE;
    }
    const char *parts = argc == 3 ? argv[2] : NULL;
    JSRuntime *engine = JS_NewRuntime();
    JSContext *context = engine ? JS_NewContext(engine) : NULL;
    if (!context) {
        fputs("nound-embed: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    JS_SetModuleLoaderFunc(engine, NULL, stand_in, (void *)(parts ? last_name(parts) : ""));
    bool done = compile(context, argv[1], last_name(argv[1])) && (!parts || compile_parts(context, parts));
    JS_FreeContext(context);
    JS_FreeRuntime(engine);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
