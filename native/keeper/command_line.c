#include "keeper/command_line.h"

#include <stdlib.h>
#include <string.h>

/*
 * Finds the -- behind which the words are another program's: the second one if the first is that of `--run FILE --`.
 * Returns the number of words before it. application: is set to the first word of the application's own, or 0.
 */
static int count_words(int argc, char **argv, int *application) {
    bool runs_file = false;
    *application = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            if (!runs_file || *application > 0)
                return i;
            *application = i + 1;
        }
        runs_file = runs_file || strcmp(argv[i], "--run") == 0 || strncmp(argv[i], "--run=", strlen("--run=")) == 0;
    }
    if (runs_file && *application == 0)
        *application = argc;
    return argc;
}

bool command_line_serves(int argc, char **argv) {
    static const char *const others[] = {"--help",
                                         "-h",
                                         "--version",
                                         "--bom",
                                         "--check",
                                         "--evidence",
                                         "--avahi",
                                         "--certificate",
                                         "--new-token",
                                         "--find"};
    const char *wanted = getenv("NOUND_KEEPER");
    int application;
    const int count = count_words(argc, argv, &application);
    if (wanted && strcmp(wanted, "0") == 0)
        return false;
    for (int i = 1; i < count; i++)
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
            if (strcmp(argv[i], others[j]) == 0)
                return false;
    return true;
}

char **command_line_of_check(int *argc, char **argv) {
    int application, count = 0;
    (void)count_words(*argc, argv, &application);
    const int at = application > 0 ? application : 1;
    char **words = calloc((size_t)*argc + 3, sizeof *words);
    for (int i = 0; words && i <= *argc; i++) {
        if (i == at) {
            if (application > 0 && strcmp(argv[at - 1], "--") != 0)
                words[count++] = "--";
            words[count++] = "--check";
        }
        if (i < *argc)
            words[count++] = argv[i];
    }
    *argc = count;
    return words;
}
