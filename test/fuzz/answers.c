#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "defect.h"

#define HEAD_LIMIT 2048 /* bytes; longer than any head of ours */
#define NOUNS 20        /* as many as application.ts registers, or more: what one GET of all may ask */

/* What an answer's Content-Type may be. */
struct type {
    const char *name;
    bool is_problem;
    bool is_for_people;  /* a browser gets an error as such a type, too: as error_page */
    bool is_state;       /* of a noun, or of all */
    bool is_cacheable;   /* if the cache asks each time whether it is still the same */
    bool reads_states;   /* of all nouns */
    bool is_stream;      /* has no length: events follow, until the end */
    const char *ends[2]; /* what its body begins and ends with */
};

static const struct type types[] = {
    {.name = "application/json", .is_state = true, .ends = {"{", "}"}},
    {.name = "application/problem+json", .is_problem = true, .ends = {"{", "}"}},
    {.name = "application/td+json", .is_cacheable = true, .ends = {"{", "}"}},
    {.name = "application/vnd.oai.openapi+json", .is_cacheable = true, .ends = {"{", "}"}},
    {.name = "text/plain; version=0.0.4; charset=utf-8", .reads_states = true, .ends = {"# HELP ", "\n"}},
    {.name = "text/html; charset=utf-8",
     .is_for_people = true,
     .is_cacheable = true,
     .ends = {"<!doctype html>\n", "</html>\n"}},
    {.name = "text/event-stream", .is_stream = true},
};
static const struct type compressed_page = {.is_cacheable = true, .ends = {"\x1f\x8b", ""}};
/* Has no line but its last, unlike the page. */
static const struct type error_page = {
    .is_problem = true, .ends = {"<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">", "</html>\n"}};

/* What the fields of one head said. */
struct head {
    unsigned status;
    size_t length; /* of the head, its empty line included */
    const struct type *type;
    bool has_body, closing;
    bool is_fresh, is_cacheable; /* may never be stored; may be stored, if it is asked for each time */
    bool has_tag;
    bool has_policy; /* what a page may load and run */
    bool has_allow;  /* the methods that are allowed are named: to a preflight, or to any other request */
    bool is_of_all;  /* it has the states of all nouns */
    size_t body_length;
};

static bool starts_with(const char *text, size_t length, const char *start) {
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static bool is(const char *text, size_t length, const char *other) {
    return length == strlen(other) && memcmp(text, other, length) == 0;
}

static bool is_printable(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x20 || text[i] > 0x7e)
            return false;
    return length > 0;
}

/* Returns the end of the line at `start`, its CR, or NULL when it is not there yet. */
static const char *line_end(const char *start, const char *end) {
    const char *feed = memchr(start, '\n', (size_t)(end - start));
    if (!feed)
        return NULL;
    must_in(feed > start && feed[-1] == '\r', "a line of an answer ends without CR", start, (size_t)(feed - start));
    return feed - 1;
}

static void read_status(struct head *head, const char *line, size_t length) {
    static const unsigned known[] = {100, 200, 204, 304, 400, 401, 403, 404, 405, 408, 411, 412,
                                     413, 414, 415, 417, 421, 422, 429, 431, 500, 501, 503, 505};
    bool shaped = length > 13 && starts_with(line, length, "HTTP/1.1 ") && line[12] == ' ';
    must_in(shaped && is_printable(line, length), "an answer does not begin with a status line", line, length);
    head->status = (unsigned)strtoul(line + 9, NULL, 10);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i] == head->status)
            return;
    must_in(false, "an answer has a status that the contract does not name", line, length);
}

static void read_length(struct head *head, const char *value, size_t length) {
    must_in(!head->has_body, "an answer has two lengths", value, length);
    must_in(length > 0 && length < 8, "an answer's length is no number", value, length);
    for (size_t i = 0; i < length; i++) {
        must_in(value[i] >= '0' && value[i] <= '9', "an answer's length is no number", value, length);
        head->body_length = head->body_length * 10 + (size_t)(value[i] - '0');
    }
    head->has_body = true;
}

/* A noun that can be set, one that cannot, and all of them at once. */
static void read_allow(struct head *head, const char *value, size_t length) {
    bool known = is(value, length, "GET, HEAD, PUT, POST, DELETE, OPTIONS") ||
                 is(value, length, "GET, HEAD, DELETE, OPTIONS") || is(value, length, "GET, HEAD, OPTIONS");
    must_in(known, "an answer allows methods that the contract does not name", value, length);
    head->has_allow = true;
}

static void read_field(struct head *head, const char *line, size_t length) {
    must_in(is_printable(line, length), "a field of an answer holds what no field may hold", line, length);
    const char *colon = memchr(line, ':', length);
    must_in(colon && colon > line && colon[1] == ' ', "a field of an answer is malformed", line, length);
    size_t name = (size_t)(colon - line), value_length = length - name - 2;
    const char *value = colon + 2;
    if (is(line, name, "Content-Length")) {
        read_length(head, value, value_length);
    } else if (is(line, name, "Content-Type")) {
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            if (is(value, value_length, types[i].name))
                head->type = &types[i];
    } else if (is(line, name, "Content-Encoding")) {
        must_in(is(value, value_length, "gzip"), "an answer's coding is not gzip", line, length);
        head->type = &compressed_page;
    } else if (is(line, name, "ETag")) {
        head->has_tag = value_length > 2 && value[0] == '"' && value[value_length - 1] == '"';
    } else if (is(line, name, "Cache-Control")) {
        head->is_fresh = is(value, value_length, "no-store") || is(value, value_length, "no-store, no-transform");
        head->is_cacheable = is(value, value_length, "private, no-cache");
    } else if (is(line, name, "Content-Security-Policy")) {
        head->has_policy = starts_with(value, value_length, "default-src 'none'; ");
    } else if (is(line, name, "Allow")) {
        read_allow(head, value, value_length);
    } else if (is(line, name, "Access-Control-Allow-Methods")) {
        head->has_allow = true;
    } else if (is(line, name, "Vary")) {
        head->is_of_all = starts_with(value, value_length, "Accept");
    } else if (is(line, name, "Connection")) {
        must_in(is(value, value_length, "close"), "an answer's Connection is not close", line, length);
        head->closing = true;
    } else {
        must_in(!is(line, name, "Transfer-Encoding"), "an answer has a transfer coding", line, length);
    }
}

/* Reads a head. Returns false while it is not whole. */
static bool read_head(const char *bytes, size_t length, struct head *head) {
    const char *end = bytes + length, *line = bytes;
    *head = (struct head){0};
    for (const char *stop; (stop = line_end(line, end)); line = stop + 2) {
        if (line == bytes)
            read_status(head, line, (size_t)(stop - line));
        else if (stop == line) {
            if (head->status != 200 && head->type && head->type->is_for_people)
                head->type = &error_page;
            head->length = (size_t)(stop + 2 - bytes);
            return true;
        } else
            read_field(head, line, (size_t)(stop - line));
    }
    must_in(length < HEAD_LIMIT, "an answer's head does not end", bytes, length);
    return false;
}

static void check_head(const struct head *head, const char *bytes) {
    if (head->status == 100) {
        must_in(head->length == strlen("HTTP/1.1 100 Continue\r\n\r\n"), "a 100 has fields", bytes, head->length);
        return;
    }
    const bool has_type = head->status == 200 && head->type && head->type->is_cacheable;
    const bool cacheable = head->status == 304 || has_type;
    must_in(cacheable ? head->is_cacheable && head->has_tag : head->is_fresh,
            "an answer may be stored as it must not be",
            bytes,
            head->length);
    if (head->status == 204 || head->status == 304) {
        must_in(!head->has_body && !head->type, "an answer that has no body has a length", bytes, head->length);
        must_in(head->status == 304 || head->has_allow, "a 204 does not say what is allowed", bytes, head->length);
        return;
    }
    must_in(head->type, "an answer has no type that the contract names", bytes, head->length);
    must_in(head->type->is_problem == (head->status != 200), "an answer's type is wrong", bytes, head->length);
    const bool is_page = head->type->is_for_people || head->type == &error_page;
    must_in(!is_page || head->has_policy, "a page says not what it may load", bytes, head->length);
    must_in(head->status != 405 || head->has_allow, "a 405 does not say what is allowed", bytes, head->length);
    if (head->type->is_stream)
        must_in(!head->has_body && head->closing, "a stream has a length, or is not the last", bytes, head->length);
    else
        must_in(head->has_body, "an answer has no length", bytes, head->length);
}

/* An error's body names the status of its head. */
static void check_status(const struct head *head, const char *body, size_t length) {
    char named[32];
    snprintf(named, sizeof named, head->type == &error_page ? "<title>%u " : "{\"status\":%u,", head->status);
    must_in(memmem(body, length, named, strlen(named)), "an error's body has another status", body, length);
}

static void check_body(const struct type *type, const char *body, size_t length) {
    size_t end = strlen(type->ends[1]);
    must_in(starts_with(body, length, type->ends[0]) && length >= end &&
                memcmp(body + length - end, type->ends[1], end) == 0,
            "an answer's body is not what its type says",
            body,
            length);
}

static void count(struct answers *answers, const struct head *head) {
    bool is_state = head->type && head->type->is_state;
    bool reads_all = head->is_of_all || (head->type && head->type->reads_states);
    bool is_document = head->status == 200 && !is_state && !reads_all;
    bool may_have_asked = head->status == 200 || head->status == 422 || head->status == 500 || head->status == 503;
    answers->accepted += head->status == 200 && is_state && !head->is_of_all;
    /* A 503 may be that to a stream of all nouns, for which there was no more room once they had answered. */
    bool may_have_asked_all = reads_all || head->status == 503;
    answers->asked += !may_have_asked || is_document ? 0 : may_have_asked_all ? NOUNS : 1;
}

/* Reads one answer. Returns its bytes, or 0 while it is not whole. */
static size_t read_answer(struct answers *answers, const char *bytes, size_t length) {
    struct head head;
    if (!read_head(bytes, length, &head))
        return 0;
    check_head(&head, bytes);
    size_t whole = head.length + head.body_length, rest = length - head.length;
    const char *body = bytes + head.length;
    /* To HEAD: the end or the next answer follows, and no body begins with the H of HTTP/1.1. */
    bool bodiless = rest > 0 ? *body == 'H' : answers->ended;
    if (head.has_body && answers->head_asked && bodiless) {
        whole = head.length;
    } else if (head.has_body) {
        must_in(rest == 0 || *body == *head.type->ends[0], "an answer's body is not what its type says", body, rest);
        if (length < whole)
            return 0;
        check_body(head.type, body, head.body_length);
        if (head.type->is_problem)
            check_status(&head, body, head.body_length);
    }
    answers->closing = head.closing;
    answers->streaming = head.type && head.type->is_stream;
    count(answers, &head);
    return whole;
}

/* Reads one line of a stream of events (the HTML standard, 9.2). Returns its bytes, or 0 while it is not whole. */
static size_t read_event_line(const char *bytes, size_t length) {
    const char *feed = memchr(bytes, '\n', length);
    size_t line = feed ? (size_t)(feed - bytes) : 0;
    if (!feed || line == 0 || is(bytes, line, ":") || is(bytes, line, "data: null"))
        return feed ? line + 1 : 0;
    bool is_data = starts_with(bytes, line, "data: {") && bytes[line - 1] == '}';
    must_in(is_data || starts_with(bytes, line, "id: ") || starts_with(bytes, line, "retry: "),
            "a line of a stream is none of an event",
            bytes,
            line);
    return line + 1;
}

static void keep(struct answers *answers, const char *bytes, size_t length) {
    if (answers->length + length > answers->capacity) {
        answers->capacity = 2 * (answers->length + length);
        answers->bytes = realloc(answers->bytes, answers->capacity);
        must(answers->bytes, "the harness is out of memory");
    }
    memcpy(answers->bytes + answers->length, bytes, length);
    answers->length += length;
}

static void read_answers(struct answers *answers) {
    size_t done = 0, taken = 1;
    while (taken > 0 && done < answers->length) {
        const char *next = answers->bytes + done;
        size_t left = answers->length - done;
        must_in(!answers->closing || answers->streaming, "something follows the last answer", next, left);
        taken = answers->streaming ? read_event_line(next, left) : read_answer(answers, next, left);
        done += taken;
    }
    answers->length -= done;
    if (done > 0)
        memmove(answers->bytes, answers->bytes + done, answers->length);
}

void answers_take(struct answers *answers, const char *bytes, size_t length) {
    keep(answers, bytes, length);
    read_answers(answers);
}

void answers_end(struct answers *answers) {
    answers->ended = true;
    read_answers(answers);
    /* A stream ends at once, whatever waits. */
    must_in(answers->length == 0 || answers->streaming,
            "the server ended within an answer",
            answers->bytes,
            answers->length);
}

void answers_free(struct answers *answers) {
    free(answers->bytes);
    *answers = (struct answers){0};
}
