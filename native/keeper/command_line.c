#include "keeper/command_line.h"

#include <stdlib.h>
#include <string.h>

bool command_line_serves(int argc, char **argv) {
    static const char *const others[] = {"--help", "-h", "--version", "--check", "--avahi", "--new-token"};
    const char *wanted = getenv("NOUND_KEEPER");
    if (wanted && strcmp(wanted, "0") == 0)
        return false;
    for (int i = 1; i < argc; i++)
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
            if (strncmp(argv[i], others[j], strlen(others[j])) == 0)
                return false;
    return true;
}

bool command_line_ask_for_check(int *argc, char ***argv) {
    char **words = calloc((size_t)*argc + 3, sizeof *words);
    if (!words)
        return false;
    int count = 0, at = 1;
    bool runs_file = false;
    for (int i = 1; i < *argc; i++) {
        runs_file = runs_file || strncmp((*argv)[i], "--run", strlen("--run")) == 0;
        if (runs_file && strcmp((*argv)[i], "--") == 0) {
            at = i + 1;
            break;
        }
    }
    if (runs_file && at == 1)
        at = *argc;
    for (int i = 0; i <= *argc; i++) {
        if (i == at) {
            if (runs_file && at == *argc && strcmp((*argv)[at - 1], "--") != 0)
                words[count++] = "--";
            words[count++] = "--check";
        }
        if (i < *argc)
            words[count++] = (*argv)[i];
    }
    *argc = count;
    *argv = words;
    return true;
}
