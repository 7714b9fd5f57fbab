/** The first inputs of the fuzzer: the vectors of the wire contract, and orders to the harness around some of them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { del, get, post, put, request, requestWithBody, utf8 } from "../harness/request.ts";
import { vectors } from "../wire/vectors.ts";

const escaped = "\xff";

/** An order of `enum order` in fuzz.c. */
function order(number: number, argument = 0): string {
  return escaped + String.fromCharCode(number + 16 * argument);
}

const slice = order(0);
const select = (client: number): string => order(1, client);
const finish = order(2);
const reset = order(3);
/** @param index of the times in fuzz.c: 6 is 100 ms, 13 is 10 s, 15 is a minute. */
const pause = (index: number): string => order(4, index);
const deaf = order(5);
const hear = order(6);
const repeat = (times: number): string => order(7, times - 1);
const close = order(9);

/** Bytes as an input sends them. */
function sent(bytes: string): string {
  return bytes.replaceAll(escaped, order(8));
}

/** To the server that asks for a token. */
function guarded(method: string, fields: string): string {
  return select(3) + request(method, "/still", fields).replace("localhost", "a");
}

const all = `Authorization: Bearer ${"a".repeat(32)}\r\n`;
const reader = `Authorization: Bearer ${"r".repeat(32)}\r\n`;
const wrong = `Authorization: Bearer ${"w".repeat(32)}\r\n`;
const origin = "Origin: https://panel.example\r\n";

const chunked = `PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
const ofAll = request("GET", "/").replace("localhost", "a");

const events = "Accept: text/event-stream\r\n";
const html = "Accept: text/html\r\n";
const gzip = "Accept-Encoding: gzip\r\n";
const anyTag = "If-None-Match: *\r\n";

/** A request with a Host field that all servers of the target take. */
const ask = (method: string, path: string, fields = ""): string =>
  request(method, path, fields).replace("localhost", "a");

/** What watches, and what it is told: by requests, by time, by its noun; and how it ends. */
const streams = [
  ask("GET", "/led", events) +
    slice +
    select(2) +
    put("/led", { led: 1 }) +
    slice +
    del("/led") +
    post("/led") +
    pause(7),
  ask("GET", "/led", `${events}Last-Event-ID: 5f3a9c-1\r\n`) + slice + finish + pause(14),
  ask("GET", "/", events) +
    slice +
    select(2) +
    put("/note", { a: "€" }) +
    pause(8) +
    put("/led", { led: 1 }) +
    pause(13),
  ask("GET", "/", `Accept: application/json;q=0.5, text/event-stream\r\n`) + reset + pause(8),
  ask("HEAD", "/led", events) + ask("HEAD", "/", events) + slice + get("/led"),
  get("/still") + get("/slow") + ask("GET", "/slow", events) + get("/still") + pause(15),
  ask("GET", "/late", events) + pause(11) + finish + pause(14),
  ask("GET", "/throwing", events) + slice + ask("GET", "/rejecting", events) + pause(8),
  ask("GET", "/unwatchable", events) + pause(9) + select(2) + put("/unwatchable", {}) + pause(8),
  ask("GET", "/ticking", events) + pause(6) + pause(7) + pause(15) + reset + pause(9),
  ask("GET", "/ticking", events) + slice + deaf + pause(15) + hear,
  ask("GET", "/large", events) +
    deaf +
    slice +
    select(2) +
    put("/large", {}) +
    repeat(16) +
    pause(14) +
    select(0) +
    hear,
  ask("GET", "/soon", events) + slice + select(2) + post("/registry") + pause(6) + post("/registry") + pause(6),
  ask("GET", "/", events) + slice + select(2) + post("/registry") + pause(6) + ask("GET", "/", events) + pause(6),
  ask("GET", "/led", events) + slice + ask("GET", "/still") + repeat(4) + pause(12) + close + pause(13),
  ask("GET", "/slow", events) + close + pause(6),
  select(1) + ask("GET", "/led", events) + slice + select(3) + select(1) + put("/led", { led: 1 }) + pause(12),
  guarded("GET", reader + events) + slice + guarded("PUT", all) + pause(7),
  guarded("GET", all + events).replace("/still", "/") + slice + select(0) + get("/led") + pause(8) + close,
  guarded("GET", reader + events).replace("/still", "/led") + slice + guarded("GET", wrong + events),
];

const documentPaths = ["/.well-known/wot", "/openapi.json", "/metrics", "/%6detrics"];

/** Documents and the page: whole, known already, without a body, refused, to tokens. */
const documents = [
  ...documentPaths.map(
    (path) => ask("GET", path) + ask("HEAD", path) + ask("OPTIONS", path) + ask("PUT", path) + ask("GET", path, anyTag),
  ),
  ...documentPaths.map(
    (path) => guarded("GET", reader).replace("/still", path) + slice + guarded("GET", "").replace("/still", path),
  ),
  ...documentPaths.map(
    (path) => ask("GET", path, 'If-Match: "x"\r\n') + ask("GET", path, 'If-None-Match: W/"x", "y"\r\n') + finish,
  ),
  ask("GET", "/metrics") + pause(13) + ask("GET", "/metrics") + reset,
  ask("GET", "/metrics") + repeat(16) + deaf + pause(14) + hear,
  ask("GET", "/", html + gzip) + slice,
  ask("GET", "/", html) +
    ask("HEAD", "/", html + gzip) +
    ask("GET", "/", html + anyTag) +
    ask("GET", "/", html + gzip + anyTag),
  ask("GET", "/", `Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n`) +
    deaf +
    pause(14) +
    hear,
  ask("GET", "/", `${html + gzip}If-Match: "x"\r\n`) + ask("GET", "/", `${html}Accept-Encoding: gzip;q=0\r\n`),
  get("/slow") + ask("GET", "/", html + gzip) + get("/still") + pause(6),
  guarded("GET", html + gzip).replace("/still", "/") + slice + guarded("GET", `${all}Origin: http://a\r\n`),
  guarded("DELETE", `${all}Origin: http://a\r\n`) + guarded("OPTIONS", all).replace("/still", "*"),
];

const scripts = [
  ...streams,
  ...documents,
  `${chunked}\r\n4\r\n{"le${slice}\r\n5${slice}\r\nd":1}\r\n0\r${slice}\n\r\n${get("/still")}`,
  `${chunked}Expect: 100-continue\r\n\r\n${slice}9\r\n{"led":1}\r\n0\r\n\r\n${get("/still")}`,
  `${chunked}\r\n9\r\n{"le${finish}`,
  `${chunked}\r\n9\r\n{"le${pause(14)}`,
  `${chunked}\r\n9\r\n{"le${reset}`,
  `${select(1)}${chunked}\r\n1\r\n ${slice}\r\n${repeat(16)}`,
  `${chunked.replace("/led", "/zqx")}\r\n9\r\n${slice}{"led":1}\r\n0\r\n\r\n${get("/still")}`,
  ofAll + pause(13) + get("/still"),
  ofAll + reset + select(2) + ofAll.replace("GET", "HEAD") + finish + pause(13),
  deaf + ofAll + repeat(16) + pause(13) + hear,
  guarded("GET", reader).replace("/still", "/") + slice + guarded("OPTIONS", reader) + guarded("HEAD", all),

  guarded("GET", all) + slice + guarded("GET", reader + origin) + slice + guarded("DELETE", reader),
  guarded("GET", wrong) + repeat(15) + slice + guarded("GET", all),
  guarded("OPTIONS", `${origin}Access-Control-Request-Method: PUT\r\n`) + guarded("GET", "Origin: null\r\n"),
  guarded("GET", all).replace("Host: a", "Host: b") + slice + guarded("GET", ""),
  get("/slow") + put("/slow", { a: 1 }) + pause(6) + get("/still"),
  get("/late") + get("/still") + pause(13) + get("/still"),
  get("/soon") + post("/registry") + get("/soon") + pause(6),
  get("/still").slice(0, 20) + pause(14),
  put("/note", { a: 1 }).slice(0, -3) + pause(14) + get("/still"),
  get("/still") + pause(15),
  deaf + get("/large") + repeat(16) + pause(14) + hear,
  deaf + get("/large") + repeat(16) + slice + hear + get("/still"),
  get("/large") + finish,
  get("/slow") + finish + pause(6),
  get("/slow") + reset + pause(6),
  get("/late") + close + pause(13),
  put("/led", { led: 1 }).slice(0, 30) + close + slice + put("/led", { led: 1 }).slice(30),
  get("/still") + repeat(16) + select(2) + get("/note") + slice + select(0) + del("/note"),
  select(1) + get("/led") + slice + select(3) + get("/led") + slice + select(0) + get("/led"),
  select(1) + get("/slow") + repeat(5) + pause(6) + get("/led"),
  ["/promised", "/throwing", "/rejecting", "/refusing", "/nonsense"].map((noun) => post(noun)).join(slice),
];

/** A PUT whose body has so many bytes, most of them of one character that is not ASCII. */
function wide(bytes: number, character: string): string {
  const [before, behind, encoded] = ['{"t":"', '"}', utf8(character)];
  const room = bytes - before.length - behind.length;
  const count = Math.floor(room / encoded.length);
  const text = encoded.repeat(count) + "x".repeat(room - count * encoded.length);
  return requestWithBody("PUT", "/note", before + text + behind);
}

/** The body limits of the default and of the narrow server, and the orders to speak to each. */
const bodyLimits = [
  { to: "", bytes: 4_096 },
  { to: select(1), bytes: 40 },
];

/** Bodies that are not ASCII around the limits: whole, sent in two parts, and with a character cut short. */
const wideBodies = bodyLimits.flatMap(({ to, bytes }) =>
  ["é", "€", "😀"].flatMap((character) => [
    ...[-1, 0, 1].map((more) => to + sent(wide(bytes + more, character)) + get("/note")),
    to + sent(wide(bytes, character).slice(0, -3)) + slice + sent('x"}') + get("/note"),
    to + sent(wide(bytes, character).replace(/.x*"}$/, (end) => end.replace(/^./, "x"))) + get("/note"),
  ]),
);

/** Writes the seeds to a folder. @returns how many there are. */
export function writeSeeds(folder: string): number {
  const whole = vectors.map(({ bytes }) => sent(bytes)).filter((bytes) => bytes.length <= 2_000);
  const cut = whole.map(
    (bytes) => select(1) + bytes.slice(0, bytes.length / 2) + slice + bytes.slice(bytes.length / 2),
  );
  const seeds = [...whole, ...cut, ...scripts, ...wideBodies];
  mkdirSync(folder, { recursive: true });
  for (const [index, seed] of seeds.entries()) writeFileSync(join(folder, String(index)), Buffer.from(seed, "latin1"));
  return seeds.length;
}
