/* The answers on one connection, held to RFC 9112 and to the wire contract as they come. */
#ifndef NOUND_FUZZ_ANSWERS_H
#define NOUND_FUZZ_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

/* All zero, nothing has come. */
struct answers {
    char *bytes; /* not judged yet */
    size_t length, capacity;
    bool closing;      /* an answer said that it is the last */
    bool ended;        /* the server has sent FIN */
    bool streaming;    /* the last answer is a stream of events: nouns are read for it without further requests */
    bool head_asked;   /* a HEAD may have been sent: an answer may come without its body */
    unsigned accepted; /* 200 of one noun */
    unsigned
        asked; /* nouns that may have been asked, by their status (200, 422, 500, 503), one GET of all asking all */
};

/* Takes bytes as they come. Anything but well-formed answers is a defect. */
void answers_take(struct answers *answers, const char *bytes, size_t length);

/* Says that the server has sent FIN. An answer that is not whole is a defect. */
void answers_end(struct answers *answers);

/* Gives the memory back. */
void answers_free(struct answers *answers);

#endif
