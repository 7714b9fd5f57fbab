#include "scenario.h"

#define GET(name) "GET /" name " HTTP/1.1\r\nHost: a\r\n\r\n"
#define WITH(method, name, length, body)                                                                               \
    method " /" name " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"                                      \
           "Content-Length: " length "\r\n\r\n" body
#define DELETE(name) "DELETE /" name " HTTP/1.1\r\nHost: a\r\n\r\n"
#define TOKEN(letter) letter letter letter letter letter letter letter letter
#define BEARER(letter) "Authorization: Bearer " TOKEN(letter letter letter letter) "\r\n"
#define AS(letter, method, name) method " /" name " HTTP/1.1\r\nHost: a\r\n" BEARER(letter) "\r\n"

#define SENDS(client, text) {SEND, client, text, 0}
#define PAUSES(milliseconds) {PAUSE, 0, "", milliseconds}

static const struct step requests[] = {
    SENDS(0, GET("led")),
    SENDS(0, WITH("PUT", "led", "9", "{\"led\":1}")),
    SENDS(0, WITH("POST", "led", "2", "{}")),
    SENDS(0, DELETE("led")),
    SENDS(0, "HEAD /still HTTP/1.1\r\nHost: a\r\n\r\n"),
    SENDS(0, "OPTIONS /led HTTP/1.1\r\nHost: a\r\n\r\n"),
    SENDS(0, "GET / HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n"),
    SENDS(0, WITH("PUT", "shaped", "26", "{\"level\":7,\"mode\":\"auto\" }")),
    SENDS(0, "PUT /note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
             "6\r\n{\"text\r\n6\r\n\":\"x\"}\r\n0\r\n\r\n"),
    SENDS(0, GET("note")),
};

static const struct step pipelined[] = {
    SENDS(0, GET("led") GET("still") GET("note") GET("led") WITH("PUT", "led", "9", "{\"led\":1}") GET("led")),
    SENDS(0, GET("led") GET("still") GET("note") GET("led") WITH("PUT", "led", "9", "{\"led\":1}") GET("led")),
    SENDS(0, GET("promised") GET("soon") GET("led")),
    SENDS(1, GET("led") "GET /still HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" GET("led")),
};

static const struct step in_pieces[] = {
    SENDS(0, "PUT /led HTT"),
    SENDS(0, "P/1.1\r\nHost: a\r\nContent-Ty"),
    SENDS(0, "pe: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r"),
    SENDS(0, "\n"),
    SENDS(0, "{\"led\""),
    SENDS(0, ":1}GE"),
    SENDS(0, "T /led HTTP/1.1\r\nHost: a\r\n\r\n"),
};

static const struct step refused[] = {
    SENDS(0, GET("nobody")),
    SENDS(0, "PATCH /led HTTP/1.1\r\nHost: a\r\n\r\n"),
    SENDS(0, "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"),
    SENDS(0, WITH("PUT", "led", "2", "{]")),
    SENDS(0, WITH("PUT", "shaped", "13", "{\"level\":101}")),
    SENDS(0, WITH("PUT", "note", "15", "{\"a\":1,\"a\":\"b\"}")),
    SENDS(0, "GET /led HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n"),
    SENDS(0, "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
    SENDS(0, "GET /led HTTP/2.0\r\n\r\n"),
    SENDS(1, "GET /led HTTP/1.1\r\n\r\n"),
    SENDS(2, "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n"),
};

static const struct step asynchronous[] = {
    SENDS(0, GET("slow") GET("led") GET("slow")),
    SENDS(1, WITH("PUT", "slow", "7", "{\"a\":1}") GET("soon")),
    SENDS(2, GET("promised")),
    PAUSES(1),
    PAUSES(40),
    PAUSES(40),
    PAUSES(40),
};

static const struct step late[] = {
    SENDS(0, GET("late") GET("led")),
    SENDS(1, GET("late")),
    PAUSES(5001),
    SENDS(0, GET("led")),
    PAUSES(5001),
    PAUSES(9001),
};

static const struct step errors[] = {
    SENDS(0, GET("throwing") GET("led")),
    SENDS(0, GET("rejecting") GET("nonsense")),
    SENDS(0, WITH("PUT", "refusing", "2", "{}") WITH("POST", "throwing", "2", "{}")),
    SENDS(1, DELETE("rejecting") DELETE("nonsense") GET("led")),
};

static const struct step departures[] = {
    SENDS(0, GET("slow") GET("slow") GET("slow")),
    SENDS(1, GET("slow") GET("led")),
    {RESET, 0, "", 0},
    {FINISH, 1, "", 0},
    PAUSES(40),
    SENDS(2, "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Ty"),
    {FINISH, 2, "", 0},
    PAUSES(200),
};

static const struct step large[] = {
    SENDS(0, GET("large") GET("large") GET("large")),
    SENDS(1, GET("large")),
    PAUSES(1),
    SENDS(1, GET("led")),
};

static const struct step narrow[] = {
    SENDS(0, GET("led") GET("led") GET("led")),
    SENDS(1, GET("still")),
    SENDS(2, GET("still")),
    SENDS(0, "GET /far-too-long-a-target HTTP/1.1\r\nHost: a\r\n\r\n"),
    SENDS(1, WITH("PUT", "note", "50", "{\"text\":\"12345678901234567890123456789012345678901\"}")),
    PAUSES(2001),
};

static const struct step guarded[] = {
    SENDS(0, AS("a", "GET", "led") AS("a", "GET", "led") AS("r", "GET", "still")),
    SENDS(0, AS("r", "DELETE", "still") AS("z", "GET", "led")),
    SENDS(1, GET("led")),
    SENDS(1, "OPTIONS /led HTTP/1.1\r\nHost: a\r\nOrigin: https://panel.example\r\n"
             "Access-Control-Request-Method: PUT\r\n\r\n"),
    SENDS(2, "GET /led HTTP/1.1\r\nHost: other.example\r\n\r\n"),
};

static const struct step timeouts[] = {
    SENDS(0, "GET /led HTTP/1.1\r\nHo"),
    SENDS(1, "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"),
    SENDS(2, GET("led")),
    PAUSES(10001),
    PAUSES(2001),
    PAUSES(60001),
    PAUSES(2001),
};

static const struct step registrations[] = {
    SENDS(0, GET("soon") DELETE("registry") GET("soon") DELETE("registry") GET("soon")),
    SENDS(1, GET("slow") WITH("PUT", "registry", "2", "{}") GET("soon")),
    PAUSES(40),
};

static const struct step closing[] = {
    SENDS(0, GET("slow") GET("led")),
    SENDS(1, "PUT /led HTTP/1.1\r\nHo"),
    SENDS(2, GET("led")),
    {CLOSE, 0, "", 0},
    PAUSES(40),
    PAUSES(5001),
};

#define SCENARIO(name, ...) {#name, {__VA_ARGS__}, name, sizeof name / sizeof name[0]}

const struct scenario scenarios[] = {
    SCENARIO(requests, WIDE, WIDE, WIDE),
    SCENARIO(pipelined, WIDE, WIDE, WIDE),
    SCENARIO(in_pieces, WIDE, WIDE, WIDE),
    SCENARIO(refused, WIDE, WIDE, WIDE),
    SCENARIO(asynchronous, WIDE, WIDE, WIDE),
    SCENARIO(late, WIDE, WIDE, WIDE),
    SCENARIO(errors, WIDE, WIDE, WIDE),
    SCENARIO(departures, WIDE, WIDE, WIDE),
    SCENARIO(large, WIDE, WIDE, WIDE),
    SCENARIO(narrow, NARROW, NARROW, NARROW),
    SCENARIO(guarded, GUARDED, GUARDED, GUARDED),
    SCENARIO(timeouts, WIDE, WIDE, WIDE),
    SCENARIO(registrations, WIDE, WIDE, WIDE),
    SCENARIO(closing, WIDE, WIDE, WIDE),
};
const size_t scenario_count = sizeof scenarios / sizeof scenarios[0];
