/*
 * nound_script() of a program without a script of its own: what `nound build` has put into it (payload.h). While there
 * is nothing, it is the text of the file that NOUND_APPLICATION names: `nound dev` runs an application so.
 */
#include "engine/payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/script.h"

struct slot {
    char magic[PAYLOAD_MAGIC_SIZE];
    uint8_t size[4];
    uint8_t form[4];
    uint8_t zeros[8];
};

/* layout.ld gives it the last segment of the file, which can grow. */
static const struct slot slot __attribute__((used, section(".nound_payload"), aligned(16))) = {.magic = PAYLOAD_MAGIC};

struct rest {
    const uint8_t *at;
    size_t size;
};

static uint32_t number_at(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Takes so many bytes and the NUL after them. Returns NULL if there are fewer, or no NUL. */
static const uint8_t *take(struct rest *rest, size_t size) {
    if (rest->size <= size || rest->at[size] != 0)
        return NULL;
    const uint8_t *bytes = rest->at;
    rest->at += size + 1;
    rest->size -= size + 1;
    return bytes;
}

static bool take_module(struct rest *rest, struct script_module *module) {
    if (rest->size < 8)
        return false;
    const size_t name_length = number_at(rest->at);
    module->size = number_at(rest->at + 4);
    module->inflated_size = 0;
    rest->at += 8;
    rest->size -= 8;
    module->name = (const char *)take(rest, name_length);
    module->bytes = module->name ? take(rest, module->size) : NULL;
    return module->bytes;
}

/* Reads all modules. Returns how many there are, 0 when they are damaged. `modules` may be NULL, to count only. */
static size_t read_modules(struct rest rest, struct script_module *modules) {
    size_t count = 0;
    while (rest.size > 0) {
        struct script_module module;
        if (!take_module(&rest, &module))
            return 0;
        if (modules)
            modules[count] = module;
        count++;
    }
    return count;
}

enum { LONGEST_TEXT = 4194304 /* bytes; a bundle of all of nound has a tenth of it */ };

/* Returns the text with a NUL behind it, for free(3), or NULL. */
static uint8_t *text_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    const long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    uint8_t *text = length >= 0 && length <= LONGEST_TEXT ? calloc((size_t)length + 1, 1) : NULL;
    *size = text ? (size_t)length : 0;
    const bool is_whole = text && fseek(file, 0, SEEK_SET) == 0 && fread(text, 1, *size, file) == *size;
    if (fclose(file) == 0 && is_whole)
        return text;
    free(text);
    return NULL;
}

/* Reads an application from a file, under the file's name. */
static const struct nound_script *read_file(const char *path, struct nound_script *script) {
    static struct script_module modules[2]; /* the second is the end */
    if (!path)
        return NULL;
    const char *slash = strrchr(path, '/');
    modules[0].name = slash ? slash + 1 : path;
    modules[0].bytes = text_of(path, &modules[0].size);
    *script = (struct nound_script){.in_memory = true, .add_intrinsics = add_whole_engine, .modules = modules};
    return modules[0].bytes ? script : NULL;
}

static const struct nound_script *read_script(void) {
    static struct nound_script script;
    const struct slot *header = &slot;
    /* The compiler knows the linked content of the slot. Its content now must be read from memory. */
    __asm__("" : "+r"(header));
    const uint32_t form = number_at(header->form);
    if (form == PAYLOAD_NONE)
        return read_file(getenv("NOUND_APPLICATION"), &script);
    if (form != PAYLOAD_BYTECODE && form != PAYLOAD_TEXT)
        return NULL;
    const struct rest payload = {(const uint8_t *)(header + 1), number_at(header->size)};
    const size_t count = read_modules(payload, NULL);
    struct script_module *modules = count > 0 ? calloc(count + 1, sizeof *modules) : NULL;
    if (!modules)
        return NULL;
    read_modules(payload, modules);
    script = (struct nound_script){
        .is_bytecode = form == PAYLOAD_BYTECODE, .add_intrinsics = add_whole_engine, .modules = modules};
    return &script;
}

const struct nound_script *nound_script(void) {
    static const struct nound_script *script;
    if (!script)
        script = read_script();
    return script;
}
