#include "defect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void must(bool holds, const char *sentence) {
    if (holds)
        return;
    fprintf(stderr, "nound-fuzz: DEFECT: %s (errno: %s)\n", sentence, strerror(errno));
    abort();
}

void must_in(bool holds, const char *sentence, const char *bytes, unsigned long length) {
    if (holds)
        return;
    fprintf(stderr, "nound-fuzz: in %.*s\n", (int)(length < 2000 ? length : 2000), bytes);
    must(false, sentence);
}
