/*
 * A program that leaks on purpose: `nound-leaking object|string|memory|nothing`. Where the checks at the end of the
 * process do not report it, they would not report a leak of nound's either.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "program.h"

static void *volatile lost; /* or the compiler would leave the allocation out */

static void leak(JSContext *context, const char *what) {
    if (strcmp(what, "object") == 0)
        (void)JS_NewObject(context);
    else if (strcmp(what, "string") == 0)
        (void)JS_NewString(context, "a string that nobody frees");
    else if (strcmp(what, "memory") == 0)
        lost = calloc(1, 100);
    lost = NULL;
}

int main(int argc, char **argv) {
    struct runtime *runtime = argc == 2 ? program_create(argc, argv) : NULL;
    if (!runtime)
        return EX_USAGE;
    runtime_evaluate(runtime);
    leak(runtime->context, argv[1]);
    int status = program_run(runtime);
    program_free(runtime);
    return status;
}
