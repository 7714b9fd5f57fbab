#include "keeper/command_line.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of words before the first --, behind which they are another program's. */
static int count_words(int argc, char **argv) {
    int count = 1;
    while (count < argc && strcmp(argv[count], "--") != 0)
        count++;
    return count < argc ? count : argc;
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
    const int count = count_words(argc, argv);
    if (wanted && strcmp(wanted, "0") == 0)
        return false;
    for (int i = 1; i < count; i++)
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
            if (strcmp(argv[i], others[j]) == 0)
                return false;
    return true;
}

char **command_line_of_check(int *argc, char **argv) {
    char **words = calloc((size_t)*argc + 2, sizeof *words);
    if (!words || *argc < 1)
        return words;
    words[0] = argv[0];
    words[1] = "--check";
    memcpy(words + 2, argv + 1, (size_t)(*argc - 1) * sizeof *words);
    *argc += 1;
    return words;
}
